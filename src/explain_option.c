/*-------------------------------------------------------------------------
 *
 * explain_option.c
 *	  EXPLAIN (SLIDING_PREFIX): under each WindowAgg, why its functions stay.
 *
 * The server lets extensions add EXPLAIN options since 18; before, there is
 * sliding_prefix_explain() only.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "compat.h"
#include "explain_option.h"

#ifdef SP_HAVE_EXPLAIN_OPTIONS

#include "commands/defrem.h"
#include "function_text.h"
#include "settings.h"
#include "strategy.h"

static int	extension_id;
static explain_per_node_hook_type prev_per_node_hook = NULL;

static void
apply_option(ExplainState *es, DefElem *option, ParseState *pstate)
{
	bool	   *wanted = palloc_object(bool);

	*wanted = defGetBoolean(option);
	SetExplainExtensionState(es, extension_id, wanted);
}

/* Is the node a WindowAgg that a run can go through? */
static bool
node_can_be_in_run(const Plan *plan)
{
	return IsA(plan, WindowAgg) && !sp_node_has_condition((WindowAgg *) plan) &&
		!sp_node_is_replacement((WindowAgg *) plan);
}

/* The top of the chain of WindowAggs that the node is in */
static WindowAgg *
top_of_chain(WindowAgg *node, List *ancestors)
{
	Plan	   *top = &node->plan;
	ListCell   *lc;

	foreach(lc, ancestors)
	{
		Plan	   *parent = (Plan *) lfirst(lc);

		if (!node_can_be_in_run(top) || !node_can_be_in_run(parent))
			break;
		top = parent;
	}
	return (WindowAgg *) top;
}

/* The certified run of the chain below top that holds the node */
static SpRun *
run_of_node(WindowAgg *node, WindowAgg *top, const List *rtable)
{
	for (;;)
	{
		SpRun	   *run = sp_certified_run(top, rtable, sp_current_strategy());
		ListCell   *lc;

		foreach(lc, run->levels)
		{
			if (((SpLevel *) lfirst(lc))->node == node)
				return run;
		}
		top = castNode(WindowAgg, run->input);
	}
}

static void
explain_node(PlanState *planstate, List *ancestors, const char *relationship,
			 const char *plan_name, ExplainState *es)
{
	bool	   *wanted = GetExplainExtensionState(es, extension_id);
	WindowAgg  *node = (WindowAgg *) planstate->plan;
	List	   *reasons = NIL;
	SpRun	   *run;
	ListCell   *lc;

	if (prev_per_node_hook)
		prev_per_node_hook(planstate, ancestors, relationship, plan_name, es);
	if (wanted == NULL || !*wanted || !IsA(node, WindowAgg) ||
		sp_node_is_replacement(node))
		return;

	run = run_of_node(node, top_of_chain(node, ancestors), es->rtable);
	foreach(lc, run->functions)
	{
		SpFunction *function = (SpFunction *) lfirst(lc);

		if (sp_function_level(run, function)->node == node)
			reasons = lappend(reasons, function->verdict == SP_QUALIFIES ?
							  "disabled" : sp_function_reason(function));
	}
	ExplainPropertyList("Not Rewritten", reasons, es);
}

void
sp_register_explain_option(void)
{
	extension_id = GetExplainExtensionId("sliding_prefix");
	sp_register_boolean_explain_option("sliding_prefix", apply_option);
	prev_per_node_hook = explain_per_node_hook;
	explain_per_node_hook = explain_node;
}

#else

void
sp_register_explain_option(void)
{
}

#endif							/* SP_HAVE_EXPLAIN_OPTIONS */
