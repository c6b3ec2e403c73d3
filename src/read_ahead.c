/*-------------------------------------------------------------------------
 *
 * read_ahead.c
 *	  Reads rows and evaluates measures in the order of a chain of WindowAggs.
 *
 * In:	the child's rows.  Out: the same rows with their measures evaluated.
 *
 * A WindowAgg with an aggregate evaluates its arguments for a row and then
 * fetches the row after it, to see that it is not in the frame, before it
 * returns the first.  In a chain of n such nodes the child is therefore n rows
 * ahead, and an argument of the node at stage s (0 is the top) is evaluated s
 * rows ahead.  We imitate that where an error could tell the difference.
 *
 * At most nstages + 1 rows are pending, in slots of their own.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "compat.h"
#include "executor/executor.h"
#include "read_ahead.h"
#include "utils/datum.h"
#include "utils/memutils.h"

SpReadAhead *
sp_read_ahead_create(PlanState *parent, PlanState *child, int nstages,
					 int nmeasures, const SpMeasureState *measures, int *stages)
{
	SpReadAhead *ahead = palloc0_object(SpReadAhead);

	ahead->child = child;
	ahead->econtext = parent->ps_ExprContext;
	ahead->nstages = nstages;
	ahead->nmeasures = nmeasures;
	ahead->measures = measures;
	ahead->stages = stages;
	ahead->nevaluated = palloc0_array(int64, nstages);
	ahead->npending = nstages + 1;
	ahead->pending = palloc0_array(SpPendingRow, ahead->npending);
	for (int i = 0; i < ahead->npending; i++)
	{
		SpPendingRow *row = &ahead->pending[i];

		row->slot = ExecInitExtraTupleSlot(parent->state, ExecGetResultType(child),
										   &TTSOpsMinimalTuple);
		row->values = palloc0_array(Datum, nmeasures);
		row->isnull = palloc0_array(bool, nmeasures);
		row->context = AllocSetContextCreate(CurrentMemoryContext,
											 "SlidingPrefix pending row",
											 ALLOCSET_SMALL_SIZES);
	}
	return ahead;
}

static SpPendingRow *
pending_row(SpReadAhead *ahead, int64 row)
{
	return &ahead->pending[row % ahead->npending];
}

static void
take_row(SpPendingRow *row, TupleTableSlot *slot)
{
	ExecCopySlot(row->slot, slot);
	MemoryContextReset(row->context);
}

/* Have the child return rows up to the given one; false at the end */
static bool
read_row(SpReadAhead *ahead, int64 row)
{
	while (ahead->nread <= row && !ahead->child_done)
	{
		TupleTableSlot *slot = ExecProcNode(ahead->child);

		if (TupIsNull(slot))
			ahead->child_done = true;
		else
			take_row(pending_row(ahead, ahead->nread++), slot);
	}
	return row < ahead->nread;
}

/* Copy a value out of the memory of the current output row */
static void
keep_value(SpPendingRow *row, int measure)
{
	MemoryContext oldcontext = MemoryContextSwitchTo(row->context);

	row->values[measure] = datumCopy(row->values[measure], false, -1);
	MemoryContextSwitchTo(oldcontext);
}

static void
evaluate_measures(SpReadAhead *ahead, int stage, SpPendingRow *row)
{
	ahead->econtext->ecxt_outertuple = row->slot;
	for (int i = 0; i < ahead->nmeasures; i++)
	{
		if (ahead->stages[i] != stage)
			continue;
		row->values[i] = sp_evaluate_measure(&ahead->measures[i], ahead->econtext,
											 &row->isnull[i]);
		if (ahead->measures[i].summand == SP_SUMMAND_NUMERIC && !row->isnull[i])
			keep_value(row, i);
	}
}

/* Have a stage return rows up to the given one; false at the end */
static bool
advance_stage(SpReadAhead *ahead, int stage, int64 row)
{
	if (stage == ahead->nstages)
		return read_row(ahead, row);

	while (ahead->nevaluated[stage] <= row)
	{
		int64		next = ahead->nevaluated[stage];

		if (!advance_stage(ahead, stage + 1, next))
			return false;
		evaluate_measures(ahead, stage, pending_row(ahead, next));
		ahead->nevaluated[stage]++;
		advance_stage(ahead, stage + 1, next + 1);
	}
	return true;
}

/*
 * sp_read_ahead_next
 *		The next row, or NULL at the end.  Valid until the next call.
 */
SpPendingRow *
sp_read_ahead_next(SpReadAhead *ahead)
{
	if (!advance_stage(ahead, 0, ahead->nreturned))
		return NULL;
	return pending_row(ahead, ahead->nreturned++);
}

void
sp_read_ahead_reset(SpReadAhead *ahead)
{
	for (int i = 0; i < ahead->npending; i++)
		ExecClearTuple(ahead->pending[i].slot);
	for (int i = 0; i < ahead->nstages; i++)
		ahead->nevaluated[i] = 0;
	ahead->nread = 0;
	ahead->nreturned = 0;
	ahead->child_done = false;
}
