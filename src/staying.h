/*-------------------------------------------------------------------------
 *
 * staying.h
 *	  The WindowAgg nodes of a run that stay, and where their output lies.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SP_STAYING_H
#define SP_STAYING_H

#include "run.h"

/* Where a plan node puts the run's input columns and function results */
typedef struct SpLayout
{
	AttrNumber *columns;		/* by input column number, 0 if absent */
	AttrNumber *functions;		/* by function number, 0 if absent */
} SpLayout;

extern Plan *sp_emit_staying(const SpRun *run, SpLayout *layout);
extern Node *sp_relocate(Node *expr, const SpLayout *layout);
extern AttrNumber *sp_relocate_columns(const AttrNumber *cols, int ncols,
									   const SpLayout *layout);
extern void sp_take_over_top_node(Plan *plan, const SpRun *run,
								  int *next_node_id);
extern void sp_inherit_parameters(Plan *plan, const SpRun *run);

#endif							/* SP_STAYING_H */
