/*-------------------------------------------------------------------------
 *
 * read_ahead.h
 *	  Reading rows of a plan node as far ahead as stock's WindowAggs do.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SP_READ_AHEAD_H
#define SP_READ_AHEAD_H

#include "postgres.h"

#include "fused_measure.h"
#include "nodes/execnodes.h"

/* A row that has been read, with the measures evaluated for it so far */
typedef struct SpPendingRow
{
	TupleTableSlot *slot;
	Datum	   *values;			/* by measure */
	bool	   *isnull;			/* or left out by the filter */
	MemoryContext context;		/* of values that are not passed by value */
} SpPendingRow;

typedef struct SpReadAhead
{
	PlanState  *child;
	ExprContext *econtext;
	int			nstages;		/* WindowAggs to imitate */
	int			nmeasures;
	const SpMeasureState *measures;
	int		   *stages;			/* by measure: stage that evaluates it */
	int64	   *nevaluated;		/* by stage: rows it has evaluated */
	int64		nread;			/* rows read from the child */
	int64		nreturned;
	bool		child_done;
	int			npending;		/* size of the ring of pending rows */
	SpPendingRow *pending;		/* row r is at r % npending */
} SpReadAhead;

extern SpReadAhead *sp_read_ahead_create(PlanState *parent, PlanState *child,
										 int nstages, int nmeasures,
										 const SpMeasureState *measures, int *stages);
extern SpPendingRow *sp_read_ahead_next(SpReadAhead *ahead);
extern void sp_read_ahead_reset(SpReadAhead *ahead);

#endif							/* SP_READ_AHEAD_H */
