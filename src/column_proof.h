/*-------------------------------------------------------------------------
 *
 * column_proof.h
 *	  Proofs about expressions over a plan's output.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SP_COLUMN_PROOF_H
#define SP_COLUMN_PROOF_H

#include "postgres.h"

#include "nodes/plannodes.h"

/* A property of a value, and how to tell whether it holds */
typedef struct SpProof
{
	const List *rtable;			/* of the statement */
	bool		holds_for_null; /* rows extended with NULLs do not matter */
	int32		typmod;			/* for the property's own use */

	/* Of a table's column, in all rows */
	bool		(*column_holds) (const struct SpProof *proof, Oid relid,
								 AttrNumber attno);

	/* Of an expression in the target list of plan that is no Var */
	bool		(*expr_holds) (const struct SpProof *proof, const Expr *expr,
							   const Plan *plan);
} SpProof;

extern bool sp_proof_holds(const SpProof *proof, const Expr *expr, const Plan *plan);
extern bool sp_prove(const SpProof *proof, const Expr *expr, const Plan *input);

#endif							/* SP_COLUMN_PROOF_H */
