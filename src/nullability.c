/*-------------------------------------------------------------------------
 *
 * nullability.c
 *	  Proves expressions over a plan's output NOT NULL.
 *
 * That are NOT NULL columns of tables, constants, a COALESCE with one of them
 * and count(), unless they come from the nullable side of an outer join or
 * through grouping sets.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "column_proof.h"
#include "compat.h"
#include "nullability.h"
#include "utils/fmgroids.h"

static bool
column_is_never_null(const SpProof *proof, Oid relid, AttrNumber attno)
{
	return sp_column_is_not_null(relid, attno);
}

static bool
expr_is_never_null(const SpProof *proof, const Expr *expr, const Plan *plan)
{
	ListCell   *lc;

	switch (nodeTag(expr))
	{
		case T_Const:
			return !((const Const *) expr)->constisnull;
		case T_RelabelType:
			return sp_proof_holds(proof, ((const RelabelType *) expr)->arg, plan);
		case T_CoalesceExpr:
			foreach(lc, ((const CoalesceExpr *) expr)->args)
			{
				if (sp_proof_holds(proof, (Expr *) lfirst(lc), plan))
					return true;
			}
			return false;
		case T_FuncExpr:
			{
				const FuncExpr *call = (const FuncExpr *) expr;

				return (call->funcid == F_INT4_INT2 || call->funcid == F_INT8_INT2 ||
						call->funcid == F_INT8_INT4) &&
					sp_proof_holds(proof, (Expr *) linitial(call->args), plan);
			}
		case T_Aggref:
			return ((const Aggref *) expr)->aggfnoid == F_COUNT_ ||
				((const Aggref *) expr)->aggfnoid == F_COUNT_ANY;
		default:
			return false;
	}
}

/*
 * sp_is_never_null
 *		Is the expression, whose OUTER_VARs are columns of input, never NULL?
 */
bool
sp_is_never_null(const Expr *expr, const Plan *input, const List *rtable)
{
	SpProof		proof = {.rtable = rtable,
		.column_holds = column_is_never_null,
	.expr_holds = expr_is_never_null};

	return sp_prove(&proof, expr, input);
}
