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
#include "fused_plan.h"
#include "group.h"
#include "miscadmin.h"
#include "plan_walk.h"
#include "run.h"

typedef struct WalkContext
{
	bool		rewrite;
	Plan	   *query_top;		/* node whose rows are the query's result */
	List	   *runs;
} WalkContext;

static Plan *walk_plan(Plan *plan, WalkContext *context);

static void
walk_plan_list(List *plans, WalkContext *context)
{
	ListCell   *lc;

	foreach(lc, plans)
		lfirst(lc) = walk_plan((Plan *) lfirst(lc), context);
}

/* Emit what replaces a certified run, whose input has been walked */
static Plan *
emit_replacement(const SpRun *run)
{
	SpGroup    *group = sp_group_build((SpRun *) run);
	SpLayout	layout;
	Plan	   *staying;

	if (group == NULL)
		return NULL;
	staying = sp_emit_staying(run, &layout);
	return sp_emit_fused(group, staying, &layout);
}

static Plan *
walk_run(WindowAgg *top, WalkContext *context)
{
	SpRun	   *run = sp_run_build(top);
	SpLevel    *bottom = (SpLevel *) llast(run->levels);
	Plan	   *replacement = NULL;

	sp_certify_run(run);
	context->runs = lappend(context->runs, run);

	run->input = walk_plan(run->input, context);
	outerPlan(bottom->node) = run->input;
	if (&top->plan == context->query_top)
		sp_run_drop_junk(run);
	if (context->rewrite)
		replacement = emit_replacement(run);
	return replacement ? replacement : &top->plan;
}

/* Walk the subtree of plan and return what takes its place */
static Plan *
walk_plan(Plan *plan, WalkContext *context)
{
	if (plan == NULL)
		return NULL;
	check_stack_depth();

	if (IsA(plan, WindowAgg))
		return walk_run((WindowAgg *) plan, context);

	outerPlan(plan) = walk_plan(outerPlan(plan), context);
	innerPlan(plan) = walk_plan(innerPlan(plan), context);
	switch (nodeTag(plan))
	{
		case T_Append:
			walk_plan_list(((Append *) plan)->appendplans, context);
			break;
		case T_MergeAppend:
			walk_plan_list(((MergeAppend *) plan)->mergeplans, context);
			break;
		case T_SubqueryScan:
			((SubqueryScan *) plan)->subplan =
				walk_plan(((SubqueryScan *) plan)->subplan, context);
			break;
		case T_CustomScan:
			walk_plan_list(((CustomScan *) plan)->custom_plans, context);
			break;
		default:
			break;
	}
	return plan;
}

List *
sp_walk_statement(PlannedStmt *stmt, bool rewrite)
{
	WalkContext context = {rewrite, NULL, NIL};

	if (stmt->commandType == CMD_SELECT)
		context.query_top = stmt->planTree;
	stmt->planTree = walk_plan(stmt->planTree, &context);
	walk_plan_list(stmt->subplans, &context);
	return context.runs;
}
