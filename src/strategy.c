/*-------------------------------------------------------------------------
 *
 * strategy.c
 *	  Selection of the strategy by setting.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "settings.h"
#include "strategy.h"

const SpStrategy *
sp_current_strategy(void)
{
	switch ((SpStrategyKind) sp_strategy)
	{
		case SP_STRATEGY_FUSED:
			return &sp_fused_strategy;
		case SP_STRATEGY_WINDOWAGG:
			return &sp_windowagg_strategy;
	}
	elog(ERROR, "unrecognized strategy: %d", sp_strategy);
}
