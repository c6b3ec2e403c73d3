/*-------------------------------------------------------------------------
 *
 * plan_walk.c
 *	  Finds the runs of WindowAggs in a finished plan and replaces them.
 *
 * In:	a PlannedStmt.  Out: the same statement, its plan trees changed in
 *		place: each run with a qualifying function gives way to the chain of
 *		its staying nodes with the strategy's replacement on top.
 *
 * Parents see no difference: the replacement has the top node's target list,
 * column by column.  Only where it has no parent are junk columns left out.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "compat.h"
#include "miscadmin.h"
#include "plan_walk.h"
#include "strategy.h"

typedef struct WalkContext
{
	bool		rewrite;
	const SpStrategy *strategy;
	const List *rtable;
	Plan	   *query_top;		/* node whose rows are the query's result */
	int			next_node_id;
	List	   *runs;
} WalkContext;

typedef Plan *(*PlanVisitor) (Plan *plan, WalkContext *context);

static void
visit_list(List *plans, PlanVisitor visit, WalkContext *context)
{
	ListCell   *lc;

	foreach(lc, plans)
	{
		if (lfirst(lc) != NULL)
			lfirst(lc) = visit((Plan *) lfirst(lc), context);
	}
}

/* Visit the children of a node and put in their place what comes back */
static void
visit_children(Plan *plan, PlanVisitor visit, WalkContext *context)
{
	check_stack_depth();

	if (outerPlan(plan))
		outerPlan(plan) = visit(outerPlan(plan), context);
	if (innerPlan(plan))
		innerPlan(plan) = visit(innerPlan(plan), context);
	switch (nodeTag(plan))
	{
		case T_Append:
			visit_list(((Append *) plan)->appendplans, visit, context);
			break;
		case T_MergeAppend:
			visit_list(((MergeAppend *) plan)->mergeplans, visit, context);
			break;
		case T_BitmapAnd:
			visit_list(((BitmapAnd *) plan)->bitmapplans, visit, context);
			break;
		case T_BitmapOr:
			visit_list(((BitmapOr *) plan)->bitmapplans, visit, context);
			break;
		case T_SubqueryScan:
			((SubqueryScan *) plan)->subplan =
				visit(((SubqueryScan *) plan)->subplan, context);
			break;
		case T_CustomScan:
			visit_list(((CustomScan *) plan)->custom_plans, visit, context);
			break;
		default:
			break;
	}
}

/* Keep next_node_id above the numbers of all nodes there are */
static Plan *
count_node_ids(Plan *plan, WalkContext *context)
{
	context->next_node_id = Max(context->next_node_id, plan->plan_node_id + 1);
	visit_children(plan, count_node_ids, context);
	return plan;
}

/* Emit what replaces a certified run, whose input has been walked */
static Plan *
emit_replacement(SpRun *run, WalkContext *context)
{
	SpGroup    *group = sp_group_build(run);
	SpLayout   *layout = palloc0_object(SpLayout);
	Plan	   *staying;

	if (group == NULL)
		return NULL;
	staying = sp_emit_staying(run, layout);
	return context->strategy->emit(group, staying, layout, &context->next_node_id);
}

static Plan *
rewrite_plan(Plan *plan, WalkContext *context)
{
	SpRun	   *run;
	SpLevel    *bottom;
	Plan	   *replacement = NULL;

	if (!IsA(plan, WindowAgg))
	{
		visit_children(plan, rewrite_plan, context);
		return plan;
	}

	run = sp_certified_run((WindowAgg *) plan, context->rtable, context->strategy);
	bottom = (SpLevel *) llast(run->levels);
	context->runs = lappend(context->runs, run);

	visit_children(&bottom->node->plan, rewrite_plan, context);
	run->input = outerPlan(bottom->node);
	if (plan == context->query_top)
		sp_run_drop_junk(run);
	if (context->rewrite)
		replacement = emit_replacement(run, context);
	return replacement ? replacement : plan;
}

List *
sp_walk_statement(PlannedStmt *stmt, bool rewrite)
{
	WalkContext context = {.rewrite = rewrite};

	context.strategy = sp_current_strategy();
	context.rtable = stmt->rtable;
	if (stmt->commandType == CMD_SELECT)
		context.query_top = stmt->planTree;

	if (stmt->planTree)
	{
		count_node_ids(stmt->planTree, &context);
		visit_list(stmt->subplans, count_node_ids, &context);
		stmt->planTree = rewrite_plan(stmt->planTree, &context);
		visit_list(stmt->subplans, rewrite_plan, &context);
	}
	return context.runs;
}
