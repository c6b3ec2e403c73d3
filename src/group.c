/*-------------------------------------------------------------------------
 *
 * group.c
 *	  Gathers the qualifying functions of a run: one measure per distinct
 *	  argument and filter, one frame per function.
 *
 * Errors must come in stock's order.  WindowAgg nodes evaluate their frame
 * offsets from the top node down, when the first row is asked for, and the
 * arguments of a row from the bottom node up.  The lists of a group are in
 * those orders.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "compat.h"
#include "failure.h"
#include "group.h"
#include "nullability.h"
#include "numeric_scale.h"

/* The argument of an aggregate, or NULL in count(*) */
static Expr *
aggregate_argument(const WindowFunc *wfunc)
{
	return wfunc->args == NIL ? NULL : (Expr *) linitial(wfunc->args);
}

/*
 * sp_measure_is_always_present
 *		Does the aggregate take every row of its frame into account?
 */
bool
sp_measure_is_always_present(const SpRun *run, const WindowFunc *wfunc)
{
	Expr	   *arg = aggregate_argument(wfunc);

	return wfunc->aggfilter == NULL &&
		(arg == NULL || sp_is_never_null(arg, run->input, run->rtable));
}

/* Let a measure be added up too; of one argument there is one summand */
static void
add_summand(SpMeasure *measure, SpSummand summand)
{
	if (summand == SP_SUMMAND_NONE)
		return;
	measure->summand = summand;
	measure->typmod = summand == SP_SUMMAND_NUMERIC ?
		sp_numeric_declared_typmod(measure->arg) : -1;
}

/* The number of an aggregate's measure; all that it is to do is noted there */
static int
intern_measure(SpGroup *group, const WindowFunc *wfunc, SpSummand summand,
			   int stage)
{
	Expr	   *arg = aggregate_argument(wfunc);
	SpMeasure  *measure;
	ListCell   *lc;

	foreach(lc, group->measures)
	{
		measure = (SpMeasure *) lfirst(lc);
		if (equal(measure->arg, arg) && equal(measure->filter, wfunc->aggfilter))
		{
			add_summand(measure, summand);
			return foreach_current_index(lc);
		}
	}

	measure = palloc0_object(SpMeasure);
	measure->arg = arg;
	measure->filter = wfunc->aggfilter;
	add_summand(measure, summand);
	measure->always_present = sp_measure_is_always_present(group->run, wfunc);
	measure->stage = stage;
	group->measures = lappend(group->measures, measure);
	return list_length(group->measures) - 1;
}

static void
add_offset(SpGroup *group, int level, Node *expr, bool is_end, int frameOptions)
{
	SpOffset   *offset = palloc0_object(SpOffset);

	offset->level = level;
	offset->expr = (Expr *) expr;
	offset->is_end = is_end;
	offset->is_row_count =
		(frameOptions & (FRAMEOPTION_ROWS | FRAMEOPTION_GROUPS)) != 0;
	group->offsets = lappend(group->offsets, offset);
}

/*
 * Collect the offsets of all nodes; those of nodes that stay are there to be
 * checked in turn.
 * Since 16 the planner changes the frames of row_number() and its like but
 * leaves their offsets in place: only the frame options tell what is in use.
 */
static void
collect_offsets(SpGroup *group)
{
	ListCell   *lc;

	foreach(lc, group->run->levels)
	{
		WindowAgg  *node = ((SpLevel *) lfirst(lc))->node;
		int			level = foreach_current_index(lc);

		if (node->frameOptions & FRAMEOPTION_START_OFFSET)
			add_offset(group, level, node->startOffset, false, node->frameOptions);
		if (node->frameOptions & FRAMEOPTION_END_OFFSET)
			add_offset(group, level, node->endOffset, true, node->frameOptions);
	}
}

/*
 * The start or end of a level's frame: SP_UNBOUNDED or SP_CURRENT_ROW where it
 * is that, else the number of its offset.
 */
static int
bound_of_level(const SpGroup *group, int level, bool is_end, bool is_unbounded,
			   bool is_current_row)
{
	ListCell   *lc;

	if (is_unbounded)
		return SP_UNBOUNDED;
	if (is_current_row)
		return SP_CURRENT_ROW;
	foreach(lc, group->offsets)
	{
		SpOffset   *offset = (SpOffset *) lfirst(lc);

		if (offset->level == level && offset->is_end == is_end)
			return foreach_current_index(lc);
	}
	elog(ERROR, "window at level %d has no frame offset", level);
}

/*
 * sp_count_stages
 *		How many nodes above the given level read a row ahead and are
 *		replaced?  One that keeps an aggregate goes on reading ahead itself.
 */
int
sp_count_stages(const SpRun *run, int below_level)
{
	int			nstages = 0;

	for (int level = 0; level < below_level; level++)
		nstages += sp_level_has_function(run, level, true) &&
			!sp_level_keeps_aggregate(run, level);
	return nstages;
}

/*
 * Can finding a row's partition and frame raise an error, or have an effect?
 * Adding an offset to a key can be out of range: that counts as long as
 * something of the window stays, which would then move among the others.
 */
static bool
framing_is_noticed(const SpRun *run, int level)
{
	const WindowAgg *node = ((SpLevel *) list_nth(run->levels, level))->node;

	return (sp_frame_adds_to_key(node->frameOptions) &&
			sp_level_has_function(run, level, false)) ||
		sp_evaluating_twice_is_noticed(node->startOffset) ||
		sp_evaluating_twice_is_noticed(node->endOffset) ||
		sp_comparison_can_fail(node->partOperators, node->partNumCols) ||
		sp_comparison_can_fail(node->ordOperators, node->ordNumCols);
}

/*
 * sp_order_is_noticed
 *		Could it make a difference in what order the run's rows are read and
 *		its window functions and offsets evaluated?
 */
bool
sp_order_is_noticed(const SpRun *run)
{
	ListCell   *lc;

	foreach(lc, run->functions)
	{
		if (sp_window_function_can_fail(((SpFunction *) lfirst(lc))->wfunc))
			return true;
	}
	for (int level = 0; level < list_length(run->levels); level++)
	{
		if (framing_is_noticed(run, level))
			return true;
	}
	return sp_reading_ahead_is_noticed(run->input, run->rtable);
}

static void
add_frame(SpGroup *group, SpFunction *function)
{
	SpFrame    *frame = palloc0_object(SpFrame);
	const WindowAgg *node = sp_function_level(group->run, function)->node;
	int			options = node->frameOptions;

	frame->function = function;
	frame->options = options;
	frame->level = sp_function_level(group->run, function);
	frame->aggregate = sp_find_aggregate(function->wfunc->winfnoid);
	frame->measure = intern_measure(group, function->wfunc, frame->aggregate->summand,
									sp_count_stages(group->run, function->level));
	frame->head = bound_of_level(group, function->level, false,
								 options & FRAMEOPTION_START_UNBOUNDED_PRECEDING,
								 options & FRAMEOPTION_START_CURRENT_ROW);
	frame->tail = bound_of_level(group, function->level, true,
								 options & FRAMEOPTION_END_UNBOUNDED_FOLLOWING,
								 options & FRAMEOPTION_END_CURRENT_ROW);
	group->frames = lappend(group->frames, frame);
}

/* The frame that computes the function of that number, or NULL if it stays */
SpFrame *
sp_group_find_frame(const SpGroup *group, int function_number)
{
	ListCell   *lc;

	foreach(lc, group->frames)
	{
		SpFrame    *frame = (SpFrame *) lfirst(lc);

		if (frame->function->number == function_number)
			return frame;
	}
	return NULL;
}

/*
 * sp_group_build
 *		The group of a certified run, or NULL when no function qualifies.
 */
SpGroup *
sp_group_build(SpRun *run)
{
	SpGroup    *group = palloc0_object(SpGroup);

	group->run = run;
	collect_offsets(group);
	for (int level = list_length(run->levels) - 1; level >= 0; level--)
	{
		ListCell   *lc;

		foreach(lc, run->functions)
		{
			SpFunction *function = (SpFunction *) lfirst(lc);

			if (function->level == level && function->verdict == SP_QUALIFIES)
				add_frame(group, function);
		}
	}
	if (sp_order_is_noticed(run))
		group->nstages = sp_count_stages(run, list_length(run->levels));
	return group->frames != NIL ? group : NULL;
}

/*
 * sp_group_longest_order
 *		The level with the longest ORDER BY among the group's; the others begin it.
 */
SpLevel *
sp_group_longest_order(const SpGroup *group)
{
	SpLevel    *longest = NULL;
	ListCell   *lc;

	foreach(lc, group->frames)
	{
		SpLevel    *level = sp_function_level(group->run,
											  ((SpFrame *) lfirst(lc))->function);

		if (longest == NULL || level->node->ordNumCols > longest->node->ordNumCols)
			longest = level;
	}
	return longest;
}
