/*-------------------------------------------------------------------------
 *
 * settings.h
 *	  The sliding_prefix.* settings.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SP_SETTINGS_H
#define SP_SETTINGS_H

typedef enum SpStrategyKind
{
	SP_STRATEGY_FUSED,
	SP_STRATEGY_WINDOWAGG,
} SpStrategyKind;

typedef enum SpDebugRequire
{
	SP_REWRITE_ALLOW,
	SP_REWRITE_REQUIRE,
	SP_REWRITE_FORBID,
} SpDebugRequire;

extern bool sp_enabled;
extern int	sp_strategy;
extern int	sp_min_total_frame_width;
extern int	sp_debug_require_rewrite;

extern void sp_define_settings(void);

#endif							/* SP_SETTINGS_H */
