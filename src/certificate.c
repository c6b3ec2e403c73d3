/*-------------------------------------------------------------------------
 *
 * certificate.c
 *	  Decides which window functions of a run may be rewritten.
 *
 * In:	the top node of a run.  Out: the run, with a verdict on each of its
 *		functions.  The plan is not changed.
 *
 * The default is to deny.  A function qualifies when every test in "tests"
 * fails to find a reason against it, and then the tests that look at the run
 * as a whole find none either.  The order of the tests is the order in which
 * a user would want to hear of them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "aggregates.h"
#include "certificate.h"
#include "compat.h"
#include "failure.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "numeric_scale.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "run.h"
#include "saturating.h"
#include "settings.h"
#include "strategy.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

typedef struct ReasonTest
{
	SpReason	reason;
	bool		(*holds) (const SpRun *run, const WindowAgg *node, const WindowFunc *wfunc);
} ReasonTest;

static const struct
{
	const char *code;
	const char *sentence;
}			reason_texts[] = {
	[SP_QUALIFIES] = {"qualifies",
	"computed from running sums"},
	[SP_RUN_CONDITION] = {"run_condition",
	"its node filters rows by a window function's result and keeps its place"},
	[SP_NOT_PERMITTED] = {"not_permitted",
	"the user may not execute it or a function in its argument, which executing the query will refuse"},
	[SP_NOT_AN_AGGREGATE] = {"not_an_aggregate",
	"it is a window function proper, not an aggregate"},
	[SP_INEXACT_SUM] = {"inexact_sum",
	"floating-point addition is not associative, the result could differ in the last bits"},
	[SP_AGGREGATE] = {"aggregate",
	"only count, sum and avg over integers and numeric, bool_and and bool_or are computed from running sums"},
	[SP_NUMERIC_SCALE] = {"numeric_scale",
	"its numeric values are not proved to have a scale, or may have more than 20 digits: they are no column or cast of type numeric(p,s) with p up to 20"},
	[SP_VOLATILE_ARGUMENT] = {"volatile_argument",
	"its argument or its filter calls a volatile function"},
	[SP_SUBPLAN_ARGUMENT] = {"subplan_argument",
	"its argument or its filter contains a subquery"},
	[SP_PARTITION_KEY] = {"partition_key",
	"comparing its PARTITION BY keys can raise an error: their operator is not marked leakproof"},
	[SP_RANGE_KEY] = {"range_key",
	"its frame is in RANGE mode with an offset from a numeric or interval"},
	[SP_ONLY_FUSED] = {"only_fused",
	"the windowagg strategy computes only sums without FILTER, over frames from n or UNBOUNDED PRECEDING to CURRENT ROW"},
	[SP_OFFSET_UNKNOWN] = {"offset_unknown",
	"its frame offset is not a constant, which the windowagg strategy needs"},
	[SP_OFFSET_INVALID] = {"offset_invalid",
	"its frame offset is NULL or negative, which executing the query will refuse"},
	[SP_OFFSET_TOO_LARGE] = {"offset_too_large",
	"its frame offset is 2147483647 or more, beyond lag() in the windowagg strategy"},
	[SP_HELPER_FORBIDDEN] = {"helper_forbidden",
	"the windowagg strategy calls lag() and count(), which the user may not execute"},
	[SP_TOO_MANY_COLUMNS] = {"too_many_columns",
	"the windowagg strategy would need rows of more columns than a row can have"},
	[SP_SHARED_WINDOW] = {"shared_window",
	"another function of its window stays, and errors or side effects could then come in another order"},
	[SP_READING_AHEAD] = {"reading_ahead",
	"reading a row or computing a window function can raise an error, which the rewrite could meet earlier or later than stock"},
	[SP_GROWING_ALONE] = {"growing_alone",
	"with the windowagg strategy a frame from UNBOUNDED PRECEDING gains only beside a sliding frame over the same partitions"},
	[SP_NARROW] = {"narrow",
	"the frames are too narrow to gain, by sliding_prefix.min_total_frame_width"},
};

const char *
sp_reason_code(SpReason reason)
{
	return reason_texts[reason].code;
}

const char *
sp_reason_sentence(SpReason reason)
{
	return reason_texts[reason].sentence;
}

/*
 * Does the frame run from the partition's first row?  Then its sum is the
 * running sum itself.
 */
bool
sp_frame_is_growing(const WindowAgg *node)
{
	return (node->frameOptions & FRAMEOPTION_START_UNBOUNDED_PRECEDING) != 0;
}

/*
 * sp_frame_adds_to_key
 *		Is the frame in RANGE mode with an offset from the order key?
 */
bool
sp_frame_adds_to_key(int frameOptions)
{
	return (frameOptions & FRAMEOPTION_RANGE) != 0 &&
		(frameOptions & (FRAMEOPTION_START_OFFSET | FRAMEOPTION_END_OFFSET)) != 0;
}

/*
 * sp_frame_ends_with_row
 *		Is the frame ROWS n or UNBOUNDED PRECEDING .. CURRENT ROW?
 */
bool
sp_frame_ends_with_row(int frameOptions)
{
	return (frameOptions & FRAMEOPTION_ROWS) &&
		(frameOptions & (FRAMEOPTION_START_OFFSET_PRECEDING |
						 FRAMEOPTION_START_UNBOUNDED_PRECEDING)) &&
		(frameOptions & FRAMEOPTION_END_CURRENT_ROW) &&
		(frameOptions & FRAMEOPTION_EXCLUSION) == 0;
}

/*
 * sp_frame_is_plain_sum
 *		Is it a sum over such a frame?
 */
bool
sp_frame_is_plain_sum(Oid aggfnoid, int frameOptions)
{
	SpResult	result = sp_find_aggregate(aggfnoid)->result;

	return (result == SP_RESULT_INTEGER || result == SP_RESULT_NUMERIC) &&
		sp_frame_ends_with_row(frameOptions);
}

/*
 * sp_frame_width
 *		Rows from the head of a sliding frame to the current row.
 *
 * A frame that looks ahead, or whose offset is not known while planning, counts
 * as the widest; an invalid offset (NULL or negative) as no row, since stock will refuse it.
 */
int64
sp_frame_width(const WindowAgg *node)
{
	const Const *offset = (const Const *) node->startOffset;
	int64		preceding;

	if ((node->frameOptions & FRAMEOPTION_ROWS) == 0 ||
		(node->frameOptions & (FRAMEOPTION_START_OFFSET_FOLLOWING |
							   FRAMEOPTION_END_OFFSET_FOLLOWING |
							   FRAMEOPTION_END_UNBOUNDED_FOLLOWING)))
		return PG_INT64_MAX;
	if (node->frameOptions & FRAMEOPTION_START_CURRENT_ROW)
		return 1;
	if (!IsA(node->startOffset, Const))
		return PG_INT64_MAX;
	preceding = offset->constisnull ? -1 : DatumGetInt64(offset->constvalue);
	return preceding == PG_INT64_MAX ? PG_INT64_MAX : Max(preceding + 1, 0);
}

static bool
node_has_condition(const SpRun *run, const WindowAgg *node, const WindowFunc *wfunc)
{
	return sp_node_has_condition(node);
}

static bool
function_is_forbidden(Oid funcid, void *context)
{
	return sp_function_aclcheck(funcid, GetUserId()) != ACLCHECK_OK;
}

static bool
calls_forbidden_function(Node *node, void *context)
{
	if (node == NULL)
		return false;
	return check_functions_in_node(node, function_is_forbidden, NULL) ||
		expression_tree_walker(node, calls_forbidden_function, NULL);
}

/* Permission errors come in the order in which nodes are initialized */
static bool
is_not_permitted(const SpRun *run, const WindowAgg *node, const WindowFunc *wfunc)
{
	return function_is_forbidden(wfunc->winfnoid, NULL) ||
		calls_forbidden_function((Node *) wfunc->args, NULL) ||
		calls_forbidden_function((Node *) wfunc->aggfilter, NULL);
}

/* Stock compares the key of a row when it reads it, perhaps rows ahead */
static bool
partition_comparison_can_fail(const SpRun *run, const WindowAgg *node, const WindowFunc *wfunc)
{
	return sp_comparison_can_fail(node->partOperators, node->partNumCols);
}

static bool
is_not_an_aggregate(const SpRun *run, const WindowAgg *node, const WindowFunc *wfunc)
{
	return !wfunc->winagg;
}

static bool
is_inexact_sum(const SpRun *run, const WindowAgg *node, const WindowFunc *wfunc)
{
	return wfunc->winfnoid == F_SUM_FLOAT4 || wfunc->winfnoid == F_SUM_FLOAT8 ||
		wfunc->winfnoid == F_AVG_FLOAT4 || wfunc->winfnoid == F_AVG_FLOAT8;
}

static bool
is_another_aggregate(const SpRun *run, const WindowAgg *node, const WindowFunc *wfunc)
{
	return sp_find_aggregate(wfunc->winfnoid) == NULL;
}

static bool
numeric_scale_is_uncertain(const SpRun *run, const WindowAgg *node, const WindowFunc *wfunc)
{
	return sp_find_aggregate(wfunc->winfnoid)->summand == SP_SUMMAND_NUMERIC &&
		!sp_numeric_scale_is_certain((Expr *) linitial(wfunc->args), run->input, run->rtable);
}

static bool
argument_is_volatile(const SpRun *run, const WindowAgg *node, const WindowFunc *wfunc)
{
	return contain_volatile_functions((Node *) wfunc->args) ||
		contain_volatile_functions((Node *) wfunc->aggfilter);
}

static bool
argument_has_subplan(const SpRun *run, const WindowAgg *node, const WindowFunc *wfunc)
{
	return contain_subplans((Node *) wfunc->args) ||
		contain_subplans((Node *) wfunc->aggfilter);
}

/* Keys that are not passed by value cannot be kept */
static bool
range_key_is_by_reference(const SpRun *run, const WindowAgg *node, const WindowFunc *wfunc)
{
	TargetEntry *key;

	if (!sp_frame_adds_to_key(node->frameOptions))
		return false;
	key = list_nth_node(TargetEntry, outerPlan(node)->targetlist, node->ordColIdx[0] - 1);
	return !get_typbyval(exprType((Node *) key->expr));
}

static const ReasonTest tests[] = {
	{SP_RUN_CONDITION, node_has_condition},
	{SP_NOT_PERMITTED, is_not_permitted},
	{SP_NOT_AN_AGGREGATE, is_not_an_aggregate},
	{SP_INEXACT_SUM, is_inexact_sum},
	{SP_AGGREGATE, is_another_aggregate},
	{SP_NUMERIC_SCALE, numeric_scale_is_uncertain},
	{SP_VOLATILE_ARGUMENT, argument_is_volatile},
	{SP_SUBPLAN_ARGUMENT, argument_has_subplan},
	{SP_PARTITION_KEY, partition_comparison_can_fail},
	{SP_RANGE_KEY, range_key_is_by_reference},
};

static SpReason
certify_function(const SpRun *run, const WindowAgg *node, const WindowFunc *wfunc)
{
	for (size_t i = 0; i < lengthof(tests); i++)
	{
		if (tests[i].holds(run, node, wfunc))
			return tests[i].reason;
	}
	return SP_QUALIFIES;
}

/*
 * May functions of the level be computed in a node directly above that of the
 * functions that stay, although it could be noticed when rows are read?  Only
 * if the lower node reads as far ahead as before, and the upper one evaluates
 * nothing that could fail.
 */
static bool
level_can_be_shared(const SpRun *run, int level)
{
	const WindowAgg *node = ((SpLevel *) list_nth(run->levels, level))->node;
	ListCell   *lc;

	foreach(lc, run->functions)
	{
		SpFunction *function = (SpFunction *) lfirst(lc);

		if (function->level == level && function->verdict == SP_QUALIFIES &&
			(sp_expression_can_fail(function->wfunc->args) ||
			 sp_expression_can_fail(function->wfunc->aggfilter)))
			return false;
	}
	return sp_level_keeps_aggregate(run, level) &&
		!sp_evaluating_twice_is_noticed(node->startOffset);
}

/* Deny the functions of a run that would be torn from their window */
static void
deny_shared_windows(SpRun *run)
{
	for (int level = 0; level < list_length(run->levels); level++)
	{
		ListCell   *lc;

		if (!sp_level_has_function(run, level, false) ||
			level_can_be_shared(run, level))
			continue;
		foreach(lc, run->functions)
		{
			SpFunction *function = (SpFunction *) lfirst(lc);

			if (function->level == level && function->verdict == SP_QUALIFIES)
				function->verdict = SP_SHARED_WINDOW;
		}
	}
}

/* Deny all functions that still qualify */
static void
deny_group(SpRun *run, SpReason reason)
{
	ListCell   *lc;

	foreach(lc, run->functions)
	{
		SpFunction *function = (SpFunction *) lfirst(lc);

		if (function->verdict == SP_QUALIFIES)
			function->verdict = reason;
	}
}

/*
 * Deny the functions with frames for which it is not imitated how far stock
 * reads rows and when it evaluates arguments.
 */
static void
deny_frames_of_other_order(SpRun *run)
{
	ListCell   *lc;

	foreach(lc, run->functions)
	{
		SpFunction *function = (SpFunction *) lfirst(lc);

		if (function->verdict == SP_QUALIFIES &&
			!sp_frame_ends_with_row(sp_function_level(run, function)->node->frameOptions))
			function->verdict = SP_READING_AHEAD;
	}
}

/*
 * Deny the group when errors would come in another order, since the strategy
 * does not read as far ahead as the nodes it would replace.
 */
static void
deny_reading_ahead(SpRun *run, const SpStrategy *strategy)
{
	if (strategy->nstages >= 0 && sp_order_is_noticed(run) &&
		strategy->nstages != sp_count_stages(run, list_length(run->levels)))
		deny_group(run, SP_READING_AHEAD);
}

/*
 * How many rows count for a frame, once it is full?  A growing one counts where
 * it gains, and as the widest.
 */
static int64
counted_width(const WindowAgg *node, const SpStrategy *strategy)
{
	if (sp_frame_is_growing(node))
		return strategy->growing_gains ? PG_INT64_MAX : 0;
	return sp_frame_width(node);
}

/* Deny the group unless it has frames that gain and are wide enough together */
static void
deny_unprofitable(SpRun *run, const SpStrategy *strategy)
{
	int64		total_width = 0;
	int64		min_width = sp_min_total_frame_width;
	bool		gains = false;
	ListCell   *lc;

	foreach(lc, run->functions)
	{
		SpFunction *function = (SpFunction *) lfirst(lc);
		WindowAgg  *node = sp_function_level(run, function)->node;

		if (function->verdict != SP_QUALIFIES)
			continue;
		gains |= strategy->growing_gains || !sp_frame_is_growing(node);
		total_width = sp_saturating_add(total_width, counted_width(node, strategy));
	}

	if (min_width < 0 && gains)
		min_width = strategy->crossover(run);
	if (!gains)
		deny_group(run, SP_GROWING_ALONE);
	else if (total_width < min_width)
		deny_group(run, SP_NARROW);
}

/*
 * Functions that stay are computed below the rewritten ones.  Where it could
 * be noticed, each must stay in its place instead.
 */
static void
certify_functions(SpRun *run, const SpStrategy *strategy)
{
	ListCell   *lc;

	foreach(lc, run->functions)
	{
		SpFunction *function = (SpFunction *) lfirst(lc);

		function->verdict =
			certify_function(run, sp_function_level(run, function)->node,
							 function->wfunc);
		if (function->verdict == SP_QUALIFIES && strategy->deny)
			function->verdict = strategy->deny(run, function);
	}
	if (sp_order_is_noticed(run))
	{
		deny_frames_of_other_order(run);
		deny_shared_windows(run);
	}
}

/*
 * How many levels from the top can be replaced together?  Where the order of
 * reading and computing could be noticed, those down to the first at which
 * something stays: with it if that level is shared, else without it.
 */
static int
count_levels_together(const SpRun *run)
{
	int			nlevels = list_length(run->levels);

	if (!sp_order_is_noticed(run))
		return nlevels;
	for (int level = 0; level < nlevels; level++)
	{
		if (sp_level_has_function(run, level, false))
			return Max(level + sp_level_has_function(run, level, true), 1);
	}
	return nlevels;
}

/*
 * sp_certified_run
 *		The longest run from a node downwards that can be replaced together,
 *		with the verdict of each of its window functions.
 */
SpRun *
sp_certified_run(WindowAgg *top, const List *rtable, const SpStrategy *strategy)
{
	SpRun	   *run = sp_run_build(top, rtable, PG_INT32_MAX);
	int			nlevels;

	certify_functions(run, strategy);
	nlevels = count_levels_together(run);
	if (nlevels < list_length(run->levels))
	{
		run = sp_run_build(top, rtable, nlevels);
		certify_functions(run, strategy);
	}
	deny_reading_ahead(run, strategy);
	deny_unprofitable(run, strategy);
	return run;
}
