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
extern bool sp_equality_can_fail(Oid operator);
extern bool sp_window_function_can_fail(const WindowFunc *wfunc);
extern bool sp_reading_ahead_is_noticed(const Plan *plan);

#endif							/* SP_FAILURE_H */
