/*-------------------------------------------------------------------------
 *
 * failure.h
 *	  Which expressions and plans can raise an error, or have side effects.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SP_FAILURE_H
#define SP_FAILURE_H

#include "postgres.h"

#include "nodes/plannodes.h"

extern bool sp_expression_can_fail(const void *expr);
extern bool sp_comparison_can_fail(const Oid *operators, int noperators);
extern bool sp_evaluating_twice_is_noticed(const Node *expr);
extern bool sp_window_function_can_fail(const WindowFunc *wfunc);
extern bool sp_reading_ahead_is_noticed(const Plan *plan, const List *rtable);

#endif							/* SP_FAILURE_H */
