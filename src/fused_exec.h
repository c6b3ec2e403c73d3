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
#include "integer_sum.h"
#include "nodes/execnodes.h"
#include "ring.h"
#include "read_ahead.h"

/* A running sum is one cell of a prefix entry: int64, or int128 for bigint */
typedef struct SpMeasureState
{
	Oid			argtype;		/* INT2OID, INT4OID or INT8OID */
	AttrNumber	attno;			/* column of the child, or 0: use expr */
	ExprState  *expr;
	uint32		cell;			/* byte offset in the entry */
} SpMeasureState;

/*
 * A frame: the running sum of its measure, less the one before its head.
 * Kept small, since all frames are visited for each row.
 */
typedef struct SpFrameState
{
	uint32		cell;			/* the measure's */
	uint32		measure;		/* its number */
	uint32		column;			/* of the scan tuple, from 0 */
} SpFrameState;

/* The frames that share a head; growing frames have it at the first row */
typedef struct SpHeadState
{
	int64		preceding;		/* rows; PG_INT64_MAX when growing */
	int			reader;			/* of the ring, -1 when growing */
	int			nintegers;		/* frames with an int64 cell */
	int			nwides;			/* frames with an int128 cell */
	SpFrameState *integers;
	SpFrameState *wides;
	SpNumericBuffer *wide_sums; /* results of wides */
} SpHeadState;

/* A column that is passed on from the child */
typedef struct SpPassedOn
{
	int			from;			/* column of the child, from 0 */
	int			to;				/* column of the scan tuple, from 0 */
} SpPassedOn;

/* A partition column */
typedef struct SpKeyState
{
	int			column;			/* of the child, from 0 */
	bool		image_decides;	/* equal bits are equal for its operator */
	bool		typbyval;
	int16		typlen;
} SpKeyState;

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
	SpFrameState *frames;		/* in scan column order */
	List	   *offsets;		/* ExprState */
	SpReadAhead *ahead;			/* NULL: rows are read one by one */

	int			nkeys;
	SpKeyState *keys;
	ExprState  *keys_equal;		/* inner tuple: first row, outer: this row */
	TupleTableSlot *first_row;	/* of the partition; empty before any row */

	bool		started;		/* offsets are evaluated and the ring exists */
	bool		done;			/* the child has no more rows */
	MemoryContext scan_context; /* what lives from the first row to a rescan */
	int			nheads;
	SpHeadState *heads;
	Size		entry_size;		/* bytes */
	char	   *prefix;			/* entry of the current row */
	int64		position;		/* of the current row in its partition */
	int64	   *last_nonnull;	/* by measure: position of its last non-NULL
								 * value in the partition, or -1 */
	bool		results_not_null;	/* no frame column is marked as NULL */
	SpRing	   *ring;			/* entries of the rows before it */
	Size		memory_used;	/* bytes at the peak, over all rescans */
	int64		disk_used;
} SpFusedState;

extern void sp_fused_explain(CustomScanState *node, List *ancestors,
							 ExplainState *es);

#endif							/* SP_FUSED_EXEC_H */
