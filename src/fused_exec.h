/*-------------------------------------------------------------------------
 *
 * fused_exec.h
 *	  State of a SlidingPrefix node.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SP_FUSED_EXEC_H
#define SP_FUSED_EXEC_H

#include "fused_plan.h"
#include "fused_window.h"
#include "keys.h"
#include "nodes/execnodes.h"
#include "read_ahead.h"
#include "ring.h"

/* A column that is passed on from the child */
typedef struct SpPassedOn
{
	int			from;			/* column of the child, from 0 */
	int			to;				/* column of the scan tuple, from 0 */
} SpPassedOn;

typedef struct SpFusedState
{
	CustomScanState css;
	SpFusedPlan plan;

	AttrNumber	last_attno;		/* highest column of the child that is used */
	int			npassed;
	SpPassedOn *passed;
	int			nmeasures;
	SpMeasureState *measures;
	int			nframes;
	int		   *frame_columns;	/* of the scan tuple, from 0 */
	List	   *offsets;		/* ExprState */
	SpReadAhead *ahead;			/* NULL: rows are read one by one */

	SpKeys	   *partition;		/* keys of the current one; none before any row */

	bool		started;		/* offsets are evaluated and the ring exists */
	bool		done;			/* the child has no more rows */
	MemoryContext scan_context; /* what lives from the first row to a rescan */
	int			nwindows;
	SpWindowState *windows;
	Size		entry_size;		/* bytes */
	Size		wide_size;		/* of these, bytes of 128-bit cells */
	char	   *prefix;			/* entry of the current row */
	int64		position;		/* of the current row in its partition */
	bool		results_not_null;	/* no result over the current row is marked
									 * as NULL */
	SpRing	   *ring;			/* entries of the rows before it, or of all
								 * spooled ones */
	struct SpSpool *spool;		/* rows read ahead of it; NULL where no frame
								 * looks ahead */
	Size		memory_used;	/* bytes at the peak, over all rescans */
	int64		disk_used;
} SpFusedState;

extern bool sp_fused_accumulate(SpFusedState *state, TupleTableSlot *row,
								ExprContext *econtext, const SpPendingRow *pending);
extern void sp_fused_pass_on(const SpFusedState *state, const TupleTableSlot *row,
							 TupleTableSlot *result);

extern void sp_fused_explain(CustomScanState *node, List *ancestors,
							 ExplainState *es);

#endif							/* SP_FUSED_EXEC_H */
