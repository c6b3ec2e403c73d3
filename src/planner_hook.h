/*-------------------------------------------------------------------------
 *
 * planner_hook.h
 *	  Planning with the hook standing aside.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SP_PLANNER_HOOK_H
#define SP_PLANNER_HOOK_H

#include "nodes/plannodes.h"

extern PlannedStmt *sp_plan_as_stock(Query *query, const char *query_string);

#endif							/* SP_PLANNER_HOOK_H */
