/*-------------------------------------------------------------------------
 *
 * fused_explain.c
 *	  EXPLAIN output of the SlidingPrefix node.
 *
 * Running sums are named c1, c2, ... in order of the measures, running counts
 * of values n1, n2, ...  A plain sum prints as the difference of a running sum
 * and its lag; other frames print as in SQL, with what is computed of the
 * differences over them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "compat.h"
#include "fused_exec.h"
#include "lib/stringinfo.h"
#include "nodes/makefuncs.h"
#include "utils/lsyscache.h"
#include "utils/ruleutils.h"

typedef struct DeparseContext
{
	List	   *names;			/* as deparse_expression() takes it */
	bool		useprefix;
} DeparseContext;

static char *
deparse(Node *expr, const DeparseContext *context)
{
	return deparse_expression(expr, context->names, context->useprefix, false);
}

/* Show columns of the child */
static void
explain_columns(const char *label, const List *columns, const Plan *child,
				const DeparseContext *context, ExplainState *es)
{
	List	   *texts = NIL;
	ListCell   *lc;

	foreach(lc, columns)
	{
		TargetEntry *tle = list_nth_node(TargetEntry, child->targetlist,
										 lfirst_int(lc) - 1);
		Var		   *var = makeVarFromTargetEntry(OUTER_VAR, tle);

		texts = lappend(texts, deparse((Node *) var, context));
	}
	if (texts != NIL)
		ExplainPropertyList(label, texts, es);
}

/* An aggregate's argument and filter, as a call */
static char *
call_text(const char *name, const SpFusedPlan *plan, int measure,
		  const DeparseContext *context)
{
	Node	   *arg = (Node *) list_nth(plan->args, measure);
	Node	   *filter = (Node *) list_nth(plan->filters, measure);
	char	   *call = psprintf("%s(%s)", name, arg ? deparse(arg, context) : "*");

	return filter ? psprintf("%s FILTER (WHERE %s)", call, deparse(filter, context)) : call;
}

/* Is there a function that needs the running count for more than NULLs? */
static bool
count_is_read(const SpFusedPlan *plan, int measure)
{
	ListCell   *lc_agg,
			   *lc_measure;

	forboth(lc_agg, plan->frame_aggs, lc_measure, plan->frame_measures)
	{
		SpResult	result = sp_find_aggregate(lfirst_oid(lc_agg))->result;

		if (lfirst_int(lc_measure) == measure &&
			result != SP_RESULT_INTEGER && result != SP_RESULT_NUMERIC &&
			result != SP_RESULT_ANY)
			return true;
	}
	return false;
}

static void
explain_running_sums(const SpFusedPlan *plan, const DeparseContext *context,
					 ExplainState *es)
{
	List	   *sums = NIL;
	List	   *counts = NIL;

	for (int i = 0; i < list_length(plan->args); i++)
	{
		if (list_nth_int(plan->summands, i) != SP_SUMMAND_NONE)
			sums = lappend(sums, psprintf("c%d = %s", i + 1,
										  call_text("sum", plan, i, context)));
		if (count_is_read(plan, i))
			counts = lappend(counts, psprintf("n%d = %s", i + 1,
											  call_text("count", plan, i, context)));
	}
	if (sums != NIL)
		ExplainPropertyList("Running Sums", sums, es);
	if (counts != NIL)
		ExplainPropertyList("Running Counts", counts, es);
}

/* lag's offset is one more than the frame's */
static char *
lag_offset_text(const Expr *offset, const DeparseContext *context)
{
	const Const *constant = (const Const *) offset;

	if (IsA(offset, Const) && !constant->constisnull)
	{
		int64		preceding = DatumGetInt64(constant->constvalue);

		return preceding < 0 ? psprintf("%lld + 1", (long long) preceding) :
			psprintf("%llu", (unsigned long long) preceding + 1);
	}
	return psprintf("%s + 1", deparse((Node *) offset, context));
}

/* A frame's offset */
static char *
offset_text(const Expr *offset, const DeparseContext *context)
{
	const Const *constant = (const Const *) offset;

	if (IsA(offset, Const) && !constant->constisnull && constant->consttype == INT8OID)
		return psprintf("%lld", (long long) DatumGetInt64(constant->constvalue));
	return deparse((Node *) offset, context);
}

static List *
append_distinct(List *texts, char *text)
{
	ListCell   *lc;

	foreach(lc, texts)
	{
		if (strcmp(lfirst(lc), text) == 0)
			return texts;
	}
	return lappend(texts, text);
}

/* One end of a frame; index as in the plan's frame_heads and frame_tails */
static char *
bound_text(const SpFusedPlan *plan, int index, bool follows, const DeparseContext *context)
{
	const char *direction = follows ? "FOLLOWING" : "PRECEDING";

	if (index == SP_UNBOUNDED)
		return psprintf("UNBOUNDED %s", direction);
	if (index == SP_CURRENT_ROW)
		return "CURRENT ROW";
	return psprintf("%s %s", offset_text((Expr *) list_nth(plan->offsets, index), context),
					direction);
}

static const char *
mode_text(int frameOptions)
{
	if (frameOptions & FRAMEOPTION_RANGE)
		return "RANGE";
	return (frameOptions & FRAMEOPTION_GROUPS) ? "GROUPS" : "ROWS";
}

static const char *
exclusion_text(int frameOptions)
{
	if (frameOptions & FRAMEOPTION_EXCLUDE_CURRENT_ROW)
		return " EXCLUDE CURRENT ROW";
	if (frameOptions & FRAMEOPTION_EXCLUDE_GROUP)
		return " EXCLUDE GROUP";
	return (frameOptions & FRAMEOPTION_EXCLUDE_TIES) ? " EXCLUDE TIES" : "";
}

static char *
frame_text(const SpFusedPlan *plan, int frame, const DeparseContext *context)
{
	int			options = list_nth_int(plan->frame_options, frame);

	return psprintf("%s BETWEEN %s AND %s%s", mode_text(options),
					bound_text(plan, list_nth_int(plan->frame_heads, frame),
							   (options & FRAMEOPTION_START_OFFSET_FOLLOWING) != 0, context),
					bound_text(plan, list_nth_int(plan->frame_tails, frame),
							   (options & (FRAMEOPTION_END_OFFSET_FOLLOWING |
										   FRAMEOPTION_END_UNBOUNDED_FOLLOWING)) != 0,
							   context),
					exclusion_text(options));
}

/* The result of a frame that is no plain sum, in terms of its c and n */
static char *
result_text(const SpFusedPlan *plan, int frame)
{
	int			name = list_nth_int(plan->frame_measures, frame) + 1;

	switch (sp_find_aggregate(list_nth_oid(plan->frame_aggs, frame))->result)
	{
		case SP_RESULT_INTEGER:
		case SP_RESULT_NUMERIC:
			return psprintf("c%d", name);
		case SP_RESULT_COUNT:
			return psprintf("n%d", name);
		case SP_RESULT_AVERAGE:
			return psprintf("c%d / n%d", name, name);
		case SP_RESULT_ALL:
			return psprintf("c%d = n%d", name, name);
		case SP_RESULT_ANY:
			return psprintf("c%d > 0", name);
	}
	return NULL;
}

/* Frames with results that are no plain sums, each with all that it gives */
static void
explain_other_frames(const SpFusedPlan *plan, const DeparseContext *context,
					 const Bitmapset *others, ExplainState *es)
{
	List	   *frames = NIL;
	List	   *results = NIL;
	List	   *texts = NIL;
	int			frame = -1;
	ListCell   *lc_frame,
			   *lc_results;

	while ((frame = bms_next_member(others, frame)) >= 0)
	{
		char	   *text = frame_text(plan, frame, context);
		int			i = 0;

		while (i < list_length(frames) && strcmp(list_nth(frames, i), text) != 0)
			i++;
		if (i == list_length(frames))
		{
			frames = lappend(frames, text);
			results = lappend(results, NIL);
		}
		lfirst(list_nth_cell(results, i)) =
			append_distinct(list_nth(results, i), result_text(plan, frame));
	}
	forboth(lc_frame, frames, lc_results, results)
	{
		StringInfoData buf;
		ListCell   *lc;

		initStringInfo(&buf);
		appendStringInfo(&buf, "%s: ", (char *) lfirst(lc_frame));
		foreach(lc, (List *) lfirst(lc_results))
			appendStringInfo(&buf, "%s%s", foreach_current_index(lc) > 0 ? " and " : "",
							 (char *) lfirst(lc));
		texts = lappend(texts, buf.data);
	}
	if (texts != NIL)
		ExplainPropertyList("Frames", texts, es);
}

static void
explain_frames(const SpFusedPlan *plan, const DeparseContext *context,
			   ExplainState *es)
{
	List	   *sliding = NIL;
	List	   *growing = NIL;
	Bitmapset  *others = NULL;

	for (int i = 0; i < list_length(plan->frame_aggs); i++)
	{
		int			measure = list_nth_int(plan->frame_measures, i);
		int			head = list_nth_int(plan->frame_heads, i);

		if (!sp_frame_is_plain_sum(list_nth_oid(plan->frame_aggs, i),
								   list_nth_int(plan->frame_options, i)))
			others = bms_add_member(others, i);
		else if (head == SP_UNBOUNDED)
			growing = append_distinct(growing, psprintf("c%d", measure + 1));
		else
			sliding = append_distinct(sliding,
									  psprintf("c%d - lag(c%d, %s)", measure + 1, measure + 1,
											   lag_offset_text((Expr *) list_nth(plan->offsets, head),
															   context)));
	}
	if (sliding != NIL)
		ExplainPropertyList("Sliding Frames", sliding, es);
	if (growing != NIL)
		ExplainPropertyList("Growing Frames", growing, es);
	explain_other_frames(plan, context, others, es);
}

/* Sizes print as stock's do: attached to the unit in text */
static void
explain_kilobytes(const char *label, int64 bytes, ExplainState *es)
{
	int64		kilobytes = (bytes + 1023) / 1024;

	if (es->format == EXPLAIN_FORMAT_TEXT)
		ExplainPropertyText(label, psprintf("%lldkB", (long long) kilobytes), es);
	else
		ExplainPropertyInteger(label, "kB", kilobytes, es);
}

static void
explain_memory(const SpFusedState *state, ExplainState *es)
{
	Size		memory = state->memory_used;
	int64		disk = state->disk_used;

	if (state->ring)
	{
		memory = Max(memory, state->ring->memory_used);
		disk = Max(disk, state->ring->disk_used);
	}
	if (memory == 0)
		return;					/* never executed */

	explain_kilobytes("Prefix Memory", memory, es);
	if (disk > 0)
		explain_kilobytes("Disk", disk, es);
}

/*
 * sp_fused_explain
 *		Show keys, running sums, frames and, after execution, memory and disk.
 */
void
sp_fused_explain(CustomScanState *node, List *ancestors, ExplainState *es)
{
	SpFusedState *state = (SpFusedState *) node;
	Plan	   *plan = node->ss.ps.plan;
	DeparseContext context;

	context.names = set_deparse_context_plan(es->deparse_cxt, plan, ancestors);
	context.useprefix = list_length(es->rtable) > 1 || es->verbose;

	explain_columns("Partition By", state->plan.part_cols, outerPlan(plan),
					&context, es);
	explain_columns("Order By", state->plan.order_cols, outerPlan(plan),
					&context, es);
	explain_running_sums(&state->plan, &context, es);
	explain_frames(&state->plan, &context, es);
	if (es->analyze)
		explain_memory(state, es);
}
