/*-------------------------------------------------------------------------
 *
 * settings.c
 *	  Definition of the sliding_prefix.* settings.
 *
 * Every setting can be changed by any user in a session.  They act while a
 * query is planned; a cached plan keeps the shape it was planned with.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <limits.h>

#include "settings.h"
#include "utils/guc.h"

bool		sp_enabled = false;
int			sp_strategy = SP_STRATEGY_FUSED;
int			sp_min_total_frame_width = -1;
int			sp_debug_require_rewrite = SP_REWRITE_ALLOW;

static const struct config_enum_entry strategy_options[] = {
	{"fused", SP_STRATEGY_FUSED, false},
	{"windowagg", SP_STRATEGY_WINDOWAGG, false},
	{NULL, 0, false}
};

static const struct config_enum_entry require_options[] = {
	{"allow", SP_REWRITE_ALLOW, false},
	{"require", SP_REWRITE_REQUIRE, false},
	{"forbid", SP_REWRITE_FORBID, false},
	{NULL, 0, false}
};

/*
 * sp_define_settings
 *		Register the settings and reserve their prefix, so that a misspelt
 *		name is refused instead of being taken for a placeholder.
 */
void
sp_define_settings(void)
{
	DefineCustomBoolVariable("sliding_prefix.enabled",
							 "Computes sliding window frames from shared running sums.",
							 NULL,
							 &sp_enabled,
							 false,
							 PGC_USERSET, GUC_EXPLAIN,
							 NULL, NULL, NULL);

	DefineCustomEnumVariable("sliding_prefix.strategy",
							 "Selects how rewritten window frames are computed.",
							 NULL,
							 &sp_strategy,
							 SP_STRATEGY_FUSED, strategy_options,
							 PGC_USERSET, GUC_EXPLAIN,
							 NULL, NULL, NULL);

	DefineCustomIntVariable("sliding_prefix.min_total_frame_width",
							"Leaves window frames alone that hold fewer rows in total.",
							"The rows are those of all sliding frames that would share one pass. "
							"-1 stands for the measured crossover of the strategy.",
							&sp_min_total_frame_width,
							-1, -1, INT_MAX,
							PGC_USERSET, GUC_EXPLAIN,
							NULL, NULL, NULL);

	DefineCustomEnumVariable("sliding_prefix.debug_require_rewrite",
							 "Raises an error when a query's window functions are not, or are, rewritten.",
							 "\"require\" refuses a window function that stays, "
							 "\"forbid\" one that is rewritten. For tests.",
							 &sp_debug_require_rewrite,
							 SP_REWRITE_ALLOW, require_options,
							 PGC_USERSET, GUC_NOT_IN_SAMPLE,
							 NULL, NULL, NULL);

	MarkGUCPrefixReserved("sliding_prefix");
}
