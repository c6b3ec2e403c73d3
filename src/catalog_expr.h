/*-------------------------------------------------------------------------
 *
 * catalog_expr.h
 *	  Expressions over pg_catalog's operators, whatever the search_path.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SP_CATALOG_EXPR_H
#define SP_CATALOG_EXPR_H

#include "postgres.h"

#include "nodes/primnodes.h"

extern Expr *sp_operator_call(const char *name, Expr *left, Expr *right);
extern Expr *sp_int4_const(int32 value);
extern Expr *sp_int8_const(int64 value);
extern Expr *sp_case_when(Expr *condition, Expr *yes, Expr *no);

#endif							/* SP_CATALOG_EXPR_H */
