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

#include "catalog/pg_class.h"
#include "failure.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "numeric_scale.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

static bool
function_can_fail(Oid funcid, void *context)
{
	return !get_func_leakproof(funcid);
}

/*
 * Does a call need a collation and have none?  Comparisons of text then raise
 * an error, leakproof or not.
 */
static bool
collation_is_missing(Node *node)
{
	ListCell   *lc;

	if (OidIsValid(exprInputCollation(node)))
		return false;
	foreach(lc, IsA(node, FuncExpr) ? ((FuncExpr *) node)->args : ((OpExpr *) node)->args)
	{
		if (type_is_collatable(exprType((Node *) lfirst(lc))))
			return true;
	}
	return false;
}

/*
 * Can evaluating the expression raise an error?  Functions marked leakproof,
 * casts between integers and comparisons among them, promise not to.  A Param
 * may stand for a subquery, which is executed when it is first read.
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
			if (check_functions_in_node(node, function_can_fail, NULL) ||
				collation_is_missing(node))
				return true;
			break;
		case T_Param:
			if (context == NULL)
				return true;
			break;
		default:
			return true;
	}
	return expression_tree_walker(node, expression_can_fail, context);
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

/*
 * Can checking a row against an index condition raise an error?  Params are
 * read when the scan starts.
 */
static bool
index_condition_can_fail(List *condition)
{
	bool		reads_params_first = true;

	return expression_can_fail((Node *) condition, &reads_params_first);
}

/*
 * sp_comparison_can_fail
 *		Can comparing keys by any of the operators raise an error?  Equality of
 *		some types is not marked leakproof, but raises none.
 */
bool
sp_comparison_can_fail(const Oid *operators, int noperators)
{
	for (int i = 0; i < noperators; i++)
	{
		Oid			function = get_opcode(operators[i]);

		if (function != F_NUMERIC_EQ && function != F_ENUM_EQ &&
			function != F_JSONB_EQ && !get_func_leakproof(function))
			return true;
	}
	return false;
}

/*
 * sp_evaluating_twice_is_noticed
 *		Could it make a difference how often an expression is evaluated in a
 *		scan?
 */
bool
sp_evaluating_twice_is_noticed(const Node *expr)
{
	return contain_mutable_functions((Node *) expr) || contain_subplans((Node *) expr);
}

/* Is the argument a numeric of declared precision, too small to overflow? */
static bool
numeric_is_bounded(const WindowFunc *wfunc)
{
	return sp_numeric_declared_typmod((Expr *) linitial(wfunc->args)) >= 0;
}

/*
 * sp_window_function_can_fail
 *		Can computing a window function raise an error?  Sums of integers and a
 *		few well-known functions cannot, unless their arguments do.
 */
bool
sp_window_function_can_fail(const WindowFunc *wfunc)
{
	switch (wfunc->winfnoid)
	{
		case F_SUM_INT2:
		case F_SUM_INT4:
		case F_SUM_INT8:
		case F_AVG_INT2:
		case F_AVG_INT4:
		case F_AVG_INT8:
		case F_COUNT_:
		case F_COUNT_ANY:
		case F_MIN_INT2:
		case F_MIN_INT4:
		case F_MIN_INT8:
		case F_MAX_INT2:
		case F_MAX_INT4:
		case F_MAX_INT8:
		case F_MIN_FLOAT4:
		case F_MIN_FLOAT8:
		case F_MIN_NUMERIC:
		case F_MIN_MONEY:
		case F_MIN_DATE:
		case F_MIN_TIME:
		case F_MIN_TIMETZ:
		case F_MIN_TIMESTAMP:
		case F_MIN_TIMESTAMPTZ:
		case F_MIN_INTERVAL:
		case F_MAX_FLOAT4:
		case F_MAX_FLOAT8:
		case F_MAX_NUMERIC:
		case F_MAX_MONEY:
		case F_MAX_DATE:
		case F_MAX_TIME:
		case F_MAX_TIMETZ:
		case F_MAX_TIMESTAMP:
		case F_MAX_TIMESTAMPTZ:
		case F_MAX_INTERVAL:
		case F_BOOL_AND:
		case F_BOOL_OR:
		case F_EVERY:
		case F_ROW_NUMBER:
		case F_RANK_:
		case F_DENSE_RANK_:
		case F_PERCENT_RANK_:
		case F_CUME_DIST_:
		case F_LAG_ANYELEMENT:
		case F_LAG_ANYELEMENT_INT4:
		case F_LAG_ANYCOMPATIBLE_INT4_ANYCOMPATIBLE:
		case F_LEAD_ANYELEMENT:
		case F_LEAD_ANYELEMENT_INT4:
		case F_LEAD_ANYCOMPATIBLE_INT4_ANYCOMPATIBLE:
		case F_FIRST_VALUE:
		case F_LAST_VALUE:
			return sp_expression_can_fail(wfunc->args) ||
				sp_expression_can_fail(wfunc->aggfilter);
		case F_SUM_NUMERIC:
		case F_AVG_NUMERIC:
			return !numeric_is_bounded(wfunc) ||
				sp_expression_can_fail(wfunc->args) ||
				sp_expression_can_fail(wfunc->aggfilter);
		default:
			return true;
	}
}

static bool
some_plan_is_noticed(const List *plans, const List *rtable)
{
	ListCell   *lc;

	foreach(lc, plans)
	{
		if (sp_reading_ahead_is_noticed((Plan *) lfirst(lc), rtable))
			return true;
	}
	return false;
}

/* Does the scan see what happens during the query?  A sequence's does. */
static bool
scan_is_of_sequence(const Plan *plan, const List *rtable)
{
	const RangeTblEntry *rte = rt_fetch(((const Scan *) plan)->scanrelid, rtable);

	return get_rel_relkind(rte->relid) == RELKIND_SEQUENCE;
}

/*
 * sp_reading_ahead_is_noticed
 *		Could it make a difference how far the plan's rows are read?
 *
 * A Sort reads all its input before it returns a row.
 */
bool
sp_reading_ahead_is_noticed(const Plan *plan, const List *rtable)
{
	check_stack_depth();

	if (IsA(plan, Sort))
		return false;
	if (sp_expression_can_fail(plan->targetlist) || sp_expression_can_fail(plan->qual))
		return true;
	switch (nodeTag(plan))
	{
		case T_SeqScan:
			return scan_is_of_sequence(plan, rtable);
		case T_IndexScan:
			return index_condition_can_fail(((const IndexScan *) plan)->indexqualorig) ||
				((const IndexScan *) plan)->indexorderbyorig != NIL;
		case T_IndexOnlyScan:
			return index_condition_can_fail(((const IndexOnlyScan *) plan)->indexqual) ||
				((const IndexOnlyScan *) plan)->indexorderby != NIL;
		case T_Material:
			return sp_reading_ahead_is_noticed(outerPlan(plan), rtable);
		case T_SubqueryScan:
			return sp_reading_ahead_is_noticed(((const SubqueryScan *) plan)->subplan,
											   rtable);
		case T_Append:
			return some_plan_is_noticed(((const Append *) plan)->appendplans, rtable);
		case T_MergeAppend:
			{
				const MergeAppend *merge = (const MergeAppend *) plan;

				return sp_comparison_can_fail(merge->sortOperators, merge->numCols) ||
					some_plan_is_noticed(merge->mergeplans, rtable);
			}
		default:
			return true;
	}
}
