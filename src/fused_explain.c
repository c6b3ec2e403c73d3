/*-------------------------------------------------------------------------
 *
 * fused_explain.c
 *	  EXPLAIN output of the SlidingPrefix node.
 *
 * Running sums are named c1, c2, ... in order of the measures; a frame prints
 * as the difference of a running sum and its lag.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "compat.h"
#include "fused_exec.h"
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

static void
explain_running_sums(const SpFusedPlan *plan, const DeparseContext *context,
					 ExplainState *es)
{
	List	   *texts = NIL;
	ListCell   *lc;

	foreach(lc, plan->measures)
	{
		int			i = foreach_current_index(lc);

		texts = lappend(texts, psprintf("c%d = %s(%s)", i + 1,
										get_func_name(list_nth_oid(plan->measure_aggs, i)),
										deparse((Node *) lfirst(lc), context)));
	}
	ExplainPropertyList("Running Sums", texts, es);
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

static void
explain_frames(const SpFusedPlan *plan, const DeparseContext *context,
			   ExplainState *es)
{
	List	   *sliding = NIL;
	List	   *growing = NIL;
	ListCell   *lc_measure,
			   *lc_offset;

	forboth(lc_measure, plan->frame_measures, lc_offset, plan->frame_offsets)
	{
		int			name = lfirst_int(lc_measure) + 1;
		Expr	   *offset;

		if (lfirst_int(lc_offset) == SP_GROWING)
		{
			growing = append_distinct(growing, psprintf("c%d", name));
			continue;
		}
		offset = (Expr *) list_nth(plan->offsets, lfirst_int(lc_offset));
		sliding = append_distinct(sliding, psprintf("c%d - lag(c%d, %s)", name, name,
													lag_offset_text(offset, context)));
	}
	ExplainPropertyList("Sliding Frames", sliding, es);
	if (growing != NIL)
		ExplainPropertyList("Growing Frames", growing, es);
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
