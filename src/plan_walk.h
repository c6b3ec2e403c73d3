/*-------------------------------------------------------------------------
 *
 * plan_walk.h
 *	  Walks a finished plan and rewrites the runs in it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SP_PLAN_WALK_H
#define SP_PLAN_WALK_H

#include "nodes/plannodes.h"

/*
 * sp_walk_statement
 *		Certify all runs of a statement, in plan order, and rewrite those that
 *		qualify if rewrite is set.  Returns the certified runs (SpRun).
 */
extern List *sp_walk_statement(PlannedStmt *stmt, bool rewrite);

#endif							/* SP_PLAN_WALK_H */
