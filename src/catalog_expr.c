/*-------------------------------------------------------------------------
 *
 * catalog_expr.c
 *	  Small expressions for plans that are already finished.
 *
 * Operators are looked up in pg_catalog alone, by the exact types of their
 * arguments, so that no user's operator is called instead.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "catalog/pg_type.h"
#include "catalog_expr.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "utils/lsyscache.h"

/*
 * sp_operator_call
 *		left <name> right, ready to be executed.
 */
Expr *
sp_operator_call(const char *name, Expr *left, Expr *right)
{
	List	   *names = list_make2(makeString("pg_catalog"),
								   makeString(pstrdup(name)));
	Oid			opno = OpernameGetOprid(names, exprType((Node *) left),
										exprType((Node *) right));
	OpExpr	   *call;

	if (!OidIsValid(opno))
		elog(ERROR, "operator pg_catalog.%s is missing", name);
	call = (OpExpr *) make_opclause(opno, get_op_rettype(opno), false,
									left, right, InvalidOid, InvalidOid);
	call->opfuncid = get_opcode(opno);
	return (Expr *) call;
}

Expr *
sp_int4_const(int32 value)
{
	return (Expr *) makeConst(INT4OID, -1, InvalidOid, sizeof(int32),
							  Int32GetDatum(value), false, true);
}

Expr *
sp_int8_const(int64 value)
{
	return (Expr *) makeConst(INT8OID, -1, InvalidOid, sizeof(int64),
							  Int64GetDatum(value), false, true);
}

/* CASE WHEN condition THEN yes ELSE no END */
Expr *
sp_case_when(Expr *condition, Expr *yes, Expr *no)
{
	CaseExpr   *expr = makeNode(CaseExpr);
	CaseWhen   *when = makeNode(CaseWhen);

	when->expr = condition;
	when->result = yes;
	when->location = -1;
	expr->casetype = exprType((Node *) no);
	expr->args = list_make1(when);
	expr->defresult = no;
	expr->location = -1;
	return (Expr *) expr;
}
