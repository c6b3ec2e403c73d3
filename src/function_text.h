/*-------------------------------------------------------------------------
 *
 * function_text.h
 *	  Window functions of a run as SQL text.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SP_FUNCTION_TEXT_H
#define SP_FUNCTION_TEXT_H

#include "run.h"

extern char *sp_function_text(const SpRun *run, const SpFunction *function,
							  List *dpcontext, bool useprefix);
extern char *sp_function_reason(const SpFunction *function);

#endif							/* SP_FUNCTION_TEXT_H */
