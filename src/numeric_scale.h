/*-------------------------------------------------------------------------
 *
 * numeric_scale.h
 *	  Proof that numeric values have a declared scale.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SP_NUMERIC_SCALE_H
#define SP_NUMERIC_SCALE_H

#include "postgres.h"

#include "nodes/plannodes.h"

extern int32 sp_numeric_declared_typmod(const Expr *expr);
extern bool sp_numeric_scale_is_certain(const Expr *expr, const Plan *input,
										const List *rtable);

#endif							/* SP_NUMERIC_SCALE_H */
