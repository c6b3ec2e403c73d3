/*-------------------------------------------------------------------------
 *
 * failure.c
 *	  Recognizes expressions and plans that cannot raise an error.
 *
 * Stock WindowAggs read rows ahead.  Whether a row is read a little earlier or
 * later can be noticed when reading it may fail or has a side effect, and a
 * query stops early or another row fails too.  Functions marked leakproof
 * promise to do neither; everything not known here may do both.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "failure.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "utils/lsyscache.h"

static bool
function_can_fail(Oid funcid, void *context)
{
	return !get_func_leakproof(funcid);
}

/*
 * Can evaluating the expression raise an error?  Functions marked leakproof,
 * casts between integers and comparisons among them, promise not to.
 */
static bool
expression_can_fail(Node *node, void *context)
{
	if (node == NULL)
		return false;
	switch (nodeTag(node))
	{
		case T_List:
		case T_TargetEntry:
		case T_Var:
		case T_Const:
		case T_Param:
		case T_RelabelType:
		case T_BoolExpr:
		case T_NullTest:
		case T_BooleanTest:
		case T_CaseExpr:
		case T_CaseWhen:
		case T_CaseTestExpr:
		case T_CoalesceExpr:
			break;
		case T_FuncExpr:
		case T_OpExpr:
		case T_DistinctExpr:
		case T_NullIfExpr:
			if (check_functions_in_node(node, function_can_fail, NULL))
				return true;
			break;
		default:
			return true;
	}
	return expression_tree_walker(node, expression_can_fail, NULL);
}

/*
 * sp_expression_can_fail
 *		Can evaluating the expression, or list of them, raise an error?
 */
bool
sp_expression_can_fail(const void *expr)
{
	return expression_can_fail((Node *) expr, NULL);
}

static bool
some_plan_is_noticed(const List *plans)
{
	ListCell   *lc;

	foreach(lc, plans)
	{
		if (sp_reading_ahead_is_noticed((Plan *) lfirst(lc)))
			return true;
	}
	return false;
}

/*
 * sp_reading_ahead_is_noticed
 *		Could it make a difference how far the plan's rows are read?
 *
 * A Sort reads all its input before it returns a row.
 */
bool
sp_reading_ahead_is_noticed(const Plan *plan)
{
	check_stack_depth();

	if (IsA(plan, Sort))
		return false;
	if (sp_expression_can_fail(plan->targetlist) || sp_expression_can_fail(plan->qual))
		return true;
	switch (nodeTag(plan))
	{
		case T_SeqScan:
			return false;
		case T_IndexScan:
			return sp_expression_can_fail(((const IndexScan *) plan)->indexqualorig) ||
				((const IndexScan *) plan)->indexorderbyorig != NIL;
		case T_IndexOnlyScan:
			return sp_expression_can_fail(((const IndexOnlyScan *) plan)->indexqual) ||
				((const IndexOnlyScan *) plan)->indexorderby != NIL;
		case T_Material:
			return sp_reading_ahead_is_noticed(outerPlan(plan));
		case T_SubqueryScan:
			return sp_reading_ahead_is_noticed(((const SubqueryScan *) plan)->subplan);
		case T_Append:
			return some_plan_is_noticed(((const Append *) plan)->appendplans);
		case T_MergeAppend:
			return some_plan_is_noticed(((const MergeAppend *) plan)->mergeplans);
		default:
			return true;
	}
}
