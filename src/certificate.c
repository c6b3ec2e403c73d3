/*-------------------------------------------------------------------------
 *
 * certificate.c
 *	  Decides which window functions of a run may be rewritten.
 *
 * In:	a run.  Out: a verdict on each of its functions.  Nothing else changes.
 *
 * The default is to deny.  A function qualifies when every test in "tests"
 * fails to find a reason against it, and then the tests that look at the run
 * as a whole find none either.  The order of the tests is the order in which
 * a user would want to hear of them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "certificate.h"
#include "common/int.h"
#include "compat.h"
#include "failure.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "run.h"
#include "settings.h"
#include "strategy.h"
#include "utils/fmgroids.h"

typedef struct ReasonTest
{
	SpReason	reason;
	bool		(*holds) (const WindowAgg *node, const WindowFunc *wfunc);
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
	"the user may not execute it, which executing the query will refuse"},
	[SP_NOT_AN_AGGREGATE] = {"not_an_aggregate",
	"it is a window function proper, not an aggregate"},
	[SP_INEXACT_SUM] = {"inexact_sum",
	"floating-point addition is not associative, the result could differ in the last bits"},
	[SP_AGGREGATE] = {"aggregate",
	"only sum over smallint, integer and bigint is computed from running sums"},
	[SP_FILTER] = {"filter",
	"it has a FILTER clause"},
	[SP_VOLATILE_ARGUMENT] = {"volatile_argument",
	"its argument calls a volatile function"},
	[SP_SUBPLAN_ARGUMENT] = {"subplan_argument",
	"its argument contains a subquery"},
	[SP_NO_ORDER_BY] = {"no_order_by",
	"its window has no ORDER BY"},
	[SP_FRAME_RANGE] = {"frame_range",
	"its frame is in RANGE mode, which is also the default; only ROWS frames are rewritten"},
	[SP_FRAME_GROUPS] = {"frame_groups",
	"its frame is in GROUPS mode; only ROWS frames are rewritten"},
	[SP_FRAME_EXCLUSION] = {"frame_exclusion",
	"its frame has an EXCLUDE clause"},
	[SP_FRAME_START] = {"frame_start",
	"its frame start is not n PRECEDING"},
	[SP_FRAME_END] = {"frame_end",
	"its frame end is not CURRENT ROW"},
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
	[SP_ERROR_ORDER] = {"error_order",
	"its argument can raise an error, which a window function evaluated after it could then precede"},
	[SP_MUTABLE_OFFSET] = {"mutable_offset",
	"its frame offset calls a function that is not immutable, and a function of the same run stays"},
	[SP_READING_AHEAD] = {"reading_ahead",
	"reading a row or computing a window function can raise an error, and the windowagg strategy reads less far ahead than stock"},
	[SP_GROWING_ALONE] = {"growing_alone",
	"a frame from UNBOUNDED PRECEDING gains only beside a sliding frame over the same partitions"},
	[SP_NARROW] = {"narrow",
	"the sliding frames are too narrow to gain, by sliding_prefix.min_total_frame_width"},
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
 * sp_frame_width
 *		Rows that a frame n PRECEDING .. CURRENT ROW holds when full.
 *
 * An offset that is not known while planning counts as the widest frame; an
 * invalid one (NULL or negative) as no row, since stock will refuse it.
 */
int64
sp_frame_width(const WindowAgg *node)
{
	const Const *offset = (const Const *) node->startOffset;
	int64		preceding;

	if (!IsA(node->startOffset, Const))
		return PG_INT64_MAX;
	preceding = offset->constisnull ? -1 : DatumGetInt64(offset->constvalue);
	return preceding == PG_INT64_MAX ? PG_INT64_MAX : Max(preceding + 1, 0);
}

static bool
node_has_condition(const WindowAgg *node, const WindowFunc *wfunc)
{
	return sp_node_has_condition(node);
}

static bool
is_not_permitted(const WindowAgg *node, const WindowFunc *wfunc)
{
	return sp_function_aclcheck(wfunc->winfnoid, GetUserId()) != ACLCHECK_OK;
}

static bool
is_not_an_aggregate(const WindowAgg *node, const WindowFunc *wfunc)
{
	return !wfunc->winagg;
}

static bool
is_inexact_sum(const WindowAgg *node, const WindowFunc *wfunc)
{
	return wfunc->winfnoid == F_SUM_FLOAT4 || wfunc->winfnoid == F_SUM_FLOAT8;
}

static bool
is_not_an_integral_sum(const WindowAgg *node, const WindowFunc *wfunc)
{
	return wfunc->winfnoid != F_SUM_INT2 &&
		wfunc->winfnoid != F_SUM_INT4 &&
		wfunc->winfnoid != F_SUM_INT8;
}

static bool
has_filter(const WindowAgg *node, const WindowFunc *wfunc)
{
	return wfunc->aggfilter != NULL;
}

static bool
argument_is_volatile(const WindowAgg *node, const WindowFunc *wfunc)
{
	return contain_volatile_functions((Node *) wfunc->args);
}

static bool
argument_has_subplan(const WindowAgg *node, const WindowFunc *wfunc)
{
	return contain_subplans((Node *) wfunc->args);
}

static bool
window_has_no_order(const WindowAgg *node, const WindowFunc *wfunc)
{
	return node->ordNumCols == 0;
}

static bool
frame_is_range(const WindowAgg *node, const WindowFunc *wfunc)
{
	return (node->frameOptions & FRAMEOPTION_RANGE) != 0;
}

static bool
frame_is_groups(const WindowAgg *node, const WindowFunc *wfunc)
{
	return (node->frameOptions & FRAMEOPTION_GROUPS) != 0;
}

static bool
frame_has_exclusion(const WindowAgg *node, const WindowFunc *wfunc)
{
	return (node->frameOptions & FRAMEOPTION_EXCLUSION) != 0;
}

static bool
frame_start_is_not_preceding(const WindowAgg *node, const WindowFunc *wfunc)
{
	return (node->frameOptions & (FRAMEOPTION_START_OFFSET_PRECEDING |
								  FRAMEOPTION_START_UNBOUNDED_PRECEDING)) == 0;
}

static bool
frame_end_is_not_current_row(const WindowAgg *node, const WindowFunc *wfunc)
{
	return (node->frameOptions & FRAMEOPTION_END_CURRENT_ROW) == 0;
}

static const ReasonTest tests[] = {
	{SP_RUN_CONDITION, node_has_condition},
	{SP_NOT_PERMITTED, is_not_permitted},
	{SP_NOT_AN_AGGREGATE, is_not_an_aggregate},
	{SP_INEXACT_SUM, is_inexact_sum},
	{SP_AGGREGATE, is_not_an_integral_sum},
	{SP_FILTER, has_filter},
	{SP_VOLATILE_ARGUMENT, argument_is_volatile},
	{SP_SUBPLAN_ARGUMENT, argument_has_subplan},
	{SP_NO_ORDER_BY, window_has_no_order},
	{SP_FRAME_RANGE, frame_is_range},
	{SP_FRAME_GROUPS, frame_is_groups},
	{SP_FRAME_EXCLUSION, frame_has_exclusion},
	{SP_FRAME_START, frame_start_is_not_preceding},
	{SP_FRAME_END, frame_end_is_not_current_row},
};

static SpReason
certify_function(const WindowAgg *node, const WindowFunc *wfunc)
{
	for (size_t i = 0; i < lengthof(tests); i++)
	{
		if (tests[i].holds(node, wfunc))
			return tests[i].reason;
	}
	return SP_QUALIFIES;
}

static bool
argument_can_fail(const WindowFunc *wfunc)
{
	return sp_expression_can_fail(wfunc->args);
}

/*
 * Functions that stay are evaluated before the rewritten ones.  A rewritten
 * function whose argument can fail must therefore not sit below one that
 * stays, nor beside an aggregate that stays: those may read ahead, and a row
 * that stock refuses at once would fail only when reached.
 */
static void
deny_late_errors(SpRun *run)
{
	bool		stays_above = false;

	for (int level = 0; level < list_length(run->levels); level++)
	{
		bool		read_ahead = stays_above || sp_level_keeps_aggregate(run, level);
		ListCell   *lc;

		foreach(lc, run->functions)
		{
			SpFunction *function = (SpFunction *) lfirst(lc);

			if (function->level == level && function->verdict == SP_QUALIFIES &&
				read_ahead && argument_can_fail(function->wfunc))
				function->verdict = SP_ERROR_ORDER;
		}
		stays_above |= sp_level_has_function(run, level, false);
	}
}

/*
 * An offset is evaluated by each node that uses it, the new one before those
 * that stay.  Where that could be noticed, nothing may stay.  Returns whether
 * a verdict changed.
 */
static bool
deny_mutable_offsets(SpRun *run)
{
	bool		something_stays = false;
	bool		changed = false;
	ListCell   *lc;

	foreach(lc, run->functions)
		something_stays |= ((SpFunction *) lfirst(lc))->verdict != SP_QUALIFIES;

	foreach(lc, run->functions)
	{
		SpFunction *function = (SpFunction *) lfirst(lc);
		WindowAgg  *node = sp_function_level(run, function)->node;

		if (something_stays && function->verdict == SP_QUALIFIES &&
			contain_mutable_functions(node->startOffset))
		{
			function->verdict = SP_MUTABLE_OFFSET;
			changed = true;
		}
	}
	return changed;
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
 * Deny the group when errors would come in another order, since the strategy
 * does not read as far ahead as the nodes it would replace.
 */
static void
deny_reading_ahead(SpRun *run, const SpStrategy *strategy)
{
	int			nstages = sp_stages_to_imitate(run);

	if (strategy->nstages >= 0 && nstages != 0 && nstages != strategy->nstages)
		deny_group(run, SP_READING_AHEAD);
}

/* Deny the group unless it has sliding frames that are wide enough together */
static void
deny_unprofitable(SpRun *run, const SpStrategy *strategy)
{
	int64		total_width = 0;
	int64		min_width = sp_min_total_frame_width;
	bool		slides = false;
	ListCell   *lc;

	foreach(lc, run->functions)
	{
		SpFunction *function = (SpFunction *) lfirst(lc);
		WindowAgg  *node = sp_function_level(run, function)->node;

		if (function->verdict != SP_QUALIFIES || sp_frame_is_growing(node))
			continue;
		slides = true;
		if (pg_add_s64_overflow(total_width, sp_frame_width(node), &total_width))
			total_width = PG_INT64_MAX;
	}

	if (min_width < 0 && slides)
		min_width = strategy->crossover(run);
	if (!slides)
		deny_group(run, SP_GROWING_ALONE);
	else if (total_width < min_width)
		deny_group(run, SP_NARROW);
}

/*
 * sp_certify_run
 *		Set the verdict of every window function of a run.
 */
void
sp_certify_run(SpRun *run, const SpStrategy *strategy)
{
	ListCell   *lc;

	foreach(lc, run->functions)
	{
		SpFunction *function = (SpFunction *) lfirst(lc);

		function->verdict =
			certify_function(sp_function_level(run, function)->node,
							 function->wfunc);
		if (function->verdict == SP_QUALIFIES && strategy->deny)
			function->verdict = strategy->deny(run, function);
	}
	do
		deny_late_errors(run);
	while (deny_mutable_offsets(run));
	deny_reading_ahead(run, strategy);
	deny_unprofitable(run, strategy);
}
