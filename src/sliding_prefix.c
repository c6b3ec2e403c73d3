/*-------------------------------------------------------------------------
 *
 * sliding_prefix.c
 *	  Module entry: settings, the plan node's methods, the planner hook.
 *
 * The hook lets the server (or the next extension) plan first and then
 * rewrites window functions in the finished plan: plan_walk.c finds the runs,
 * certificate.c decides, a strategy emits the replacement.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "certificate.h"
#include "compat.h"
#include "fused_plan.h"
#include "nodes/extensible.h"
#include "explain_option.h"
#include "plan_walk.h"
#include "planner_hook.h"
#include "run.h"
#include "settings.h"
#include "tcop/tcopprot.h"
#include "utils/lsyscache.h"

SP_MODULE_MAGIC("sliding_prefix", "0.2.0");

PGDLLEXPORT void _PG_init(void);

static planner_hook_type prev_planner_hook = NULL;

/* Set while a query is planned for inspection only */
static bool standing_aside = false;

/* Raise an error where debug_require_rewrite asks for it */
static void
check_required(const List *runs)
{
	ListCell   *lc_run;

	foreach(lc_run, runs)
	{
		SpRun	   *run = (SpRun *) lfirst(lc_run);
		ListCell   *lc;

		foreach(lc, run->functions)
		{
			SpFunction *function = (SpFunction *) lfirst(lc);
			bool		rewritten = sp_enabled && function->verdict == SP_QUALIFIES;
			char	   *name = get_func_name(function->wfunc->winfnoid);

			if (!rewritten && sp_debug_require_rewrite == SP_REWRITE_REQUIRE)
				ereport(ERROR,
						(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
						 errmsg("window function \"%s\" is not rewritten", name),
						 errdetail("Reason: %s.", function->verdict == SP_QUALIFIES ?
								   "sliding_prefix.enabled is off" :
								   sp_reason_sentence(function->verdict)),
						 errhint("Set sliding_prefix.debug_require_rewrite to \"allow\".")));
			if (rewritten && sp_debug_require_rewrite == SP_REWRITE_FORBID)
				ereport(ERROR,
						(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
						 errmsg("window function \"%s\" is rewritten", name),
						 errhint("Set sliding_prefix.debug_require_rewrite to \"allow\".")));
		}
	}
}

static PlannedStmt *
sliding_prefix_planner(SP_PLANNER_PARAMS)
{
	PlannedStmt *stmt;

	if (prev_planner_hook)
		stmt = prev_planner_hook(SP_PLANNER_ARGS);
	else
		stmt = standard_planner(SP_PLANNER_ARGS);

	if (standing_aside)
		return stmt;
	if (sp_enabled || sp_debug_require_rewrite != SP_REWRITE_ALLOW)
		check_required(sp_walk_statement(stmt, sp_enabled));
	return stmt;
}

/*
 * sp_plan_as_stock
 *		Plan a query without rewriting it.
 */
PlannedStmt *
sp_plan_as_stock(Query *query, const char *query_string)
{
	bool		was_standing_aside = standing_aside;
	PlannedStmt *stmt;

	standing_aside = true;
	PG_TRY();
	{
		stmt = sp_plan_query(query, query_string, CURSOR_OPT_PARALLEL_OK, NULL);
	}
	PG_FINALLY();
	{
		standing_aside = was_standing_aside;
	}
	PG_END_TRY();
	return stmt;
}

/*
 * _PG_init
 *		Called by the server when it loads the library, by LOAD or a preload
 *		setting, in parallel workers too.
 */
void
_PG_init(void)
{
	sp_define_settings();
	RegisterCustomScanMethods(&sp_fused_scan_methods);
	sp_register_explain_option();
	prev_planner_hook = planner_hook;
	planner_hook = sliding_prefix_planner;
}
