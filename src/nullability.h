/*-------------------------------------------------------------------------
 *
 * nullability.h
 *	  Proof that an expression is never NULL.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SP_NULLABILITY_H
#define SP_NULLABILITY_H

#include "postgres.h"

#include "nodes/plannodes.h"

extern bool sp_is_never_null(const Expr *expr, const Plan *input,
							 const List *rtable);

#endif							/* SP_NULLABILITY_H */
