/*-------------------------------------------------------------------------
 *
 * column_proof.c
 *	  Proves properties of expressions over a plan's output, through the plan.
 *
 * In:	an expression over the output of a plan node, and a property.
 * Out: true only if it holds in all rows.
 *
 * A column is followed down to where it is computed: a column of a table, or
 * an expression, of which the property tells.  Everything else, foreign tables
 * and functions in FROM included, proves nothing.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "column_proof.h"
#include "compat.h"
#include "miscadmin.h"
#include "parser/parsetree.h"

static bool column_holds(const SpProof *proof, const Plan *plan, AttrNumber attno);

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

/* Does a table's column have the property? */
static bool
table_column_holds(const SpProof *proof, const Var *var)
{
	return proof->column_holds(proof, rt_fetch(var->varno, proof->rtable)->relid,
							   var->varattno);
}

/* A Var in the target list of plan */
static bool
var_holds(const SpProof *proof, const Var *var, const Plan *plan)
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
			return table_column_holds(proof, var);
		case T_IndexOnlyScan:
			{
				List	   *columns = ((IndexOnlyScan *) plan)->indextlist;
				Expr	   *column = list_nth_node(TargetEntry, columns,
												   var->varattno - 1)->expr;

				return var->varno == INDEX_VAR && IsA(column, Var) &&
					table_column_holds(proof, (Var *) column);
			}
		case T_SubqueryScan:
			return column_holds(proof, ((SubqueryScan *) plan)->subplan, var->varattno);
		case T_NestLoop:
		case T_MergeJoin:
		case T_HashJoin:
			return (proof->holds_for_null ||
					join_keeps_side(((Join *) plan)->jointype, outer)) &&
				column_holds(proof, outer ? outerPlan(plan) : innerPlan(plan),
							 var->varattno);
		case T_Agg:
			return (proof->holds_for_null ||
					(((Agg *) plan)->groupingSets == NIL && ((Agg *) plan)->chain == NIL)) &&
				column_holds(proof, outerPlan(plan), var->varattno);
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
				column_holds(proof, outerPlan(plan), var->varattno);
		default:
			return false;
	}
}

/* Does the property hold for a column of all the plans? */
static bool
columns_hold(const SpProof *proof, const List *plans, AttrNumber attno)
{
	ListCell   *lc;

	foreach(lc, plans)
	{
		if (!column_holds(proof, (Plan *) lfirst(lc), attno))
			return false;
	}
	return plans != NIL;
}

static bool
column_holds(const SpProof *proof, const Plan *plan, AttrNumber attno)
{
	TargetEntry *tle = list_nth_node(TargetEntry, plan->targetlist, attno - 1);
	Var		   *var = (Var *) tle->expr;

	check_stack_depth();
	if (IsA(plan, Append) || IsA(plan, MergeAppend))
		return IsA(var, Var) && var->varno == OUTER_VAR &&
			columns_hold(proof, IsA(plan, Append) ? ((const Append *) plan)->appendplans :
						 ((const MergeAppend *) plan)->mergeplans, var->varattno);
	return sp_proof_holds(proof, tle->expr, plan);
}

/*
 * sp_proof_holds
 *		Does the property hold for an expression in the target list of plan?
 */
bool
sp_proof_holds(const SpProof *proof, const Expr *expr, const Plan *plan)
{
	if (IsA(expr, Var))
		return var_holds(proof, (const Var *) expr, plan);
	return proof->expr_holds(proof, expr, plan);
}

/*
 * sp_prove
 *		Does the property hold for an expression whose OUTER_VARs are columns of
 *		input?
 */
bool
sp_prove(const SpProof *proof, const Expr *expr, const Plan *input)
{
	WindowAgg	reader = {.plan = {.type = T_WindowAgg}};

	outerPlan(&reader) = (Plan *) input;
	return sp_proof_holds(proof, expr, &reader.plan);
}
