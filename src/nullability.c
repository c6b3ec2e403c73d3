/*-------------------------------------------------------------------------
 *
 * nullability.c
 *	  Proves expressions over a plan's output NOT NULL, through the plan.
 *
 * In:	an expression over the output of a plan node.
 * Out: true only if it cannot be NULL in any row.
 *
 * A column is followed down to where it is computed: a NOT NULL column of a
 * table, a constant, a COALESCE or count().  It must not come from the
 * nullable side of an outer join or through grouping sets.  Everything else,
 * foreign tables and their unchecked constraints included, may be NULL.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "compat.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "nullability.h"
#include "parser/parsetree.h"
#include "utils/fmgroids.h"

static bool plan_column_is_never_null(const Plan *plan, AttrNumber attno,
									  const List *rtable);

/* Is the join's outer, or else inner, side kept free of NULL-extended rows? */
static bool
join_keeps_side(JoinType jointype, bool outer)
{
	switch (jointype)
	{
		case JOIN_INNER:
			return true;
		case JOIN_LEFT:
		case JOIN_SEMI:
		case JOIN_ANTI:
			return outer;
		case JOIN_RIGHT:
			return !outer;
		default:
			return false;
	}
}

/* A Var in the target list of plan */
static bool
var_is_never_null(const Var *var, const Plan *plan, const List *rtable)
{
	bool		outer = var->varno == OUTER_VAR;

	if (var->varattno <= 0)
		return false;

	switch (nodeTag(plan))
	{
		case T_SeqScan:
		case T_SampleScan:
		case T_IndexScan:
		case T_BitmapHeapScan:
		case T_TidScan:
		case T_TidRangeScan:
			return sp_column_is_not_null(rt_fetch(var->varno, rtable)->relid,
										 var->varattno);
		case T_IndexOnlyScan:
			{
				List	   *columns = ((IndexOnlyScan *) plan)->indextlist;
				Expr	   *column = list_nth_node(TargetEntry, columns,
												   var->varattno - 1)->expr;

				return var->varno == INDEX_VAR && IsA(column, Var) &&
					sp_column_is_not_null(rt_fetch(((Var *) column)->varno, rtable)->relid,
										  ((Var *) column)->varattno);
			}
		case T_SubqueryScan:
			return plan_column_is_never_null(((SubqueryScan *) plan)->subplan,
											 var->varattno, rtable);
		case T_NestLoop:
		case T_MergeJoin:
		case T_HashJoin:
			return join_keeps_side(((Join *) plan)->jointype, outer) &&
				plan_column_is_never_null(outer ? outerPlan(plan) : innerPlan(plan),
										  var->varattno, rtable);
		case T_Agg:
			return ((Agg *) plan)->groupingSets == NIL && ((Agg *) plan)->chain == NIL &&
				plan_column_is_never_null(outerPlan(plan), var->varattno, rtable);
		case T_Sort:
		case T_IncrementalSort:
		case T_Material:
		case T_Memoize:
		case T_Unique:
		case T_Limit:
		case T_LockRows:
		case T_Group:
		case T_Gather:
		case T_GatherMerge:
		case T_Result:
		case T_WindowAgg:
			return outer && outerPlan(plan) != NULL &&
				plan_column_is_never_null(outerPlan(plan), var->varattno, rtable);
		default:
			return false;
	}
}

/* An expression in the target list of plan */
static bool
target_is_never_null(const Expr *expr, const Plan *plan, const List *rtable)
{
	ListCell   *lc;

	switch (nodeTag(expr))
	{
		case T_Var:
			return var_is_never_null((const Var *) expr, plan, rtable);
		case T_Const:
			return !((const Const *) expr)->constisnull;
		case T_RelabelType:
			return target_is_never_null(((const RelabelType *) expr)->arg, plan, rtable);
		case T_CoalesceExpr:
			foreach(lc, ((const CoalesceExpr *) expr)->args)
			{
				if (target_is_never_null((Expr *) lfirst(lc), plan, rtable))
					return true;
			}
			return false;
		case T_FuncExpr:
			{
				const FuncExpr *call = (const FuncExpr *) expr;

				return (call->funcid == F_INT4_INT2 || call->funcid == F_INT8_INT2 ||
						call->funcid == F_INT8_INT4) &&
					target_is_never_null((Expr *) linitial(call->args), plan, rtable);
			}
		case T_Aggref:
			return ((const Aggref *) expr)->aggfnoid == F_COUNT_ ||
				((const Aggref *) expr)->aggfnoid == F_COUNT_ANY;
		default:
			return false;
	}
}

static bool
children_columns_are_never_null(const List *plans, AttrNumber attno,
								const List *rtable)
{
	ListCell   *lc;

	foreach(lc, plans)
	{
		if (!plan_column_is_never_null((Plan *) lfirst(lc), attno, rtable))
			return false;
	}
	return plans != NIL;
}

static bool
plan_column_is_never_null(const Plan *plan, AttrNumber attno, const List *rtable)
{
	TargetEntry *tle = list_nth_node(TargetEntry, plan->targetlist, attno - 1);
	Var		   *var = (Var *) tle->expr;

	check_stack_depth();
	if (IsA(plan, Append) || IsA(plan, MergeAppend))
		return IsA(var, Var) && var->varno == OUTER_VAR &&
			children_columns_are_never_null(IsA(plan, Append) ?
											((const Append *) plan)->appendplans :
											((const MergeAppend *) plan)->mergeplans,
											var->varattno, rtable);
	return target_is_never_null(tle->expr, plan, rtable);
}

/*
 * sp_is_never_null
 *		Is the expression, whose OUTER_VARs are columns of input, never NULL?
 */
bool
sp_is_never_null(const Expr *expr, const Plan *input, const List *rtable)
{
	WindowAgg	reader = {.plan = {.type = T_WindowAgg}};

	outerPlan(&reader) = (Plan *) input;
	return target_is_never_null(expr, &reader.plan, rtable);
}
