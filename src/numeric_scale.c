/*-------------------------------------------------------------------------
 *
 * numeric_scale.c
 *	  Proves that numeric expressions have the scale that their type declares.
 *
 * An expression's type modifier alone is no proof: nobody checks what a
 * function in FROM returns against its column definition list, or a foreign
 * server against the foreign table.  Proved are columns of tables, casts, and
 * CASE and COALESCE of them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "column_proof.h"
#include "nodes/nodeFuncs.h"
#include "numeric_format.h"
#include "numeric_scale.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

/* The expressions that a CASE or COALESCE chooses from; NIL for all else */
static List *
branches_of(const Expr *expr)
{
	List	   *branches = NIL;
	ListCell   *lc;

	if (IsA(expr, CoalesceExpr))
		return ((const CoalesceExpr *) expr)->args;
	if (!IsA(expr, CaseExpr))
		return NIL;
	foreach(lc, ((const CaseExpr *) expr)->args)
		branches = lappend(branches, lfirst_node(CaseWhen, lc)->result);
	return lappend(branches, ((const CaseExpr *) expr)->defresult);
}

static bool
column_has_scale(const SpProof *proof, Oid relid, AttrNumber attno)
{
	char		relkind = get_rel_relkind(relid);
	Oid			type;
	Oid			collation;
	int32		typmod;

	if (relkind != RELKIND_RELATION && relkind != RELKIND_PARTITIONED_TABLE &&
		relkind != RELKIND_MATVIEW)
		return false;
	get_atttypetypmodcoll(relid, attno, &type, &typmod, &collation);
	return type == NUMERICOID && typmod == proof->typmod;
}

/* What a parameter brings need not be what its type declares */
static bool
constant_has_scale(const SpProof *proof, const Const *constant)
{
	int			precision;
	int			scale;

	return constant->constisnull ||
		(sp_numeric_typmod(proof->typmod, &precision, &scale) &&
		 sp_numeric_fits(constant->constvalue, precision, scale));
}

static bool
all_have_scale(const SpProof *proof, const List *exprs, const Plan *plan)
{
	ListCell   *lc;

	foreach(lc, exprs)
	{
		if (!sp_proof_holds(proof, (Expr *) lfirst(lc), plan))
			return false;
	}
	return true;
}

/* A cast to numeric(p, s) */
static bool
cast_has_scale(const SpProof *proof, const FuncExpr *call)
{
	const Const *typmod;

	if (call->funcid != F_NUMERIC_NUMERIC_INT4)
		return false;
	typmod = (const Const *) lsecond(call->args);
	return IsA(typmod, Const) && !typmod->constisnull &&
		DatumGetInt32(typmod->constvalue) == proof->typmod;
}

static bool
expr_has_scale(const SpProof *proof, const Expr *expr, const Plan *plan)
{
	switch (nodeTag(expr))
	{
		case T_Const:
			return constant_has_scale(proof, (const Const *) expr);
		case T_RelabelType:
			return sp_proof_holds(proof, ((const RelabelType *) expr)->arg, plan);
		case T_FuncExpr:
			return cast_has_scale(proof, (const FuncExpr *) expr);
		case T_CoalesceExpr:
		case T_CaseExpr:
			return all_have_scale(proof, branches_of(expr), plan);
		default:
			return false;
	}
}

/* The first of the expressions that is no NULL */
static const Expr *
first_value(const List *exprs)
{
	ListCell   *lc;

	foreach(lc, exprs)
	{
		const Const *constant = (const Const *) lfirst(lc);

		if (!IsA(constant, Const) || !constant->constisnull)
			return (const Expr *) constant;
	}
	return NULL;
}

/*
 * sp_numeric_declared_typmod
 *		The type modifier that a numeric expression declares, or -1.
 *
 * A CASE without ELSE has none in the server's eyes, since its NULL has none.
 */
int32
sp_numeric_declared_typmod(const Expr *expr)
{
	List	   *branches = branches_of(expr);

	if (branches == NIL)
		return exprTypmod((const Node *) expr);
	expr = first_value(branches);
	return expr ? sp_numeric_declared_typmod(expr) : -1;
}

/*
 * sp_numeric_scale_is_certain
 *		Have all values of the expression, whose OUTER_VARs are columns of
 *		input, the scale it declares, and so few digits that their sums have
 *		room?
 */
bool
sp_numeric_scale_is_certain(const Expr *expr, const Plan *input, const List *rtable)
{
	SpProof		proof = {.rtable = rtable,
		.holds_for_null = true,
		.typmod = sp_numeric_declared_typmod(expr),
		.column_holds = column_has_scale,
	.expr_holds = expr_has_scale};
	int			precision;
	int			scale;

	return sp_numeric_typmod(proof.typmod, &precision, &scale) &&
		sp_prove(&proof, expr, input);
}
