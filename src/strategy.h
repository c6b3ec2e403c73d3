/*-------------------------------------------------------------------------
 *
 * strategy.h
 *	  A strategy: how the frames of a group are computed.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SP_STRATEGY_H
#define SP_STRATEGY_H

#include "group.h"
#include "staying.h"

typedef struct SpStrategy
{
	const char *name;

	/* A reason of the strategy's own against a function, or SP_QUALIFIES */
	SpReason	(*deny) (const SpRun *run, const SpFunction *function);

	/*
	 * Nodes whose reading ahead the replacement can imitate, -1 for any number
	 */
	int			nstages;

	/* Do growing frames alone gain? */
	bool		growing_gains;

	/*
	 * Rows that the sliding frames of the run must hold in total for the
	 * strategy to be faster than stock, PG_INT64_MAX where it never is.
	 */
	int64		(*crossover) (const SpRun *run);

	/*
	 * The replacement of the group's WindowAggs, over child, whose output
	 * lies as layout says.  New nodes take their numbers from next_node_id.
	 */
	Plan	   *(*emit) (const SpGroup *group, Plan *child,
						 const SpLayout *layout, int *next_node_id);
} SpStrategy;

extern const SpStrategy sp_fused_strategy;
extern const SpStrategy sp_windowagg_strategy;

/* The strategy that sliding_prefix.strategy selects */
extern const SpStrategy *sp_current_strategy(void);

#endif							/* SP_STRATEGY_H */
