/*-------------------------------------------------------------------------
 *
 * explain_option.h
 *	  EXPLAIN (SLIDING_PREFIX).
 *
 *-------------------------------------------------------------------------
 */
#ifndef SP_EXPLAIN_OPTION_H
#define SP_EXPLAIN_OPTION_H

extern void sp_register_explain_option(void);

#endif							/* SP_EXPLAIN_OPTION_H */
