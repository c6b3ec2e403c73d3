/*-------------------------------------------------------------------------
 *
 * staying.c
 *	  Rebuilds the WindowAgg nodes whose functions do not qualify.
 *
 * In:	a certified run.  Out: a chain of WindowAggs over the run's input that
 *		computes the staying functions, bottom to top as before, and a layout
 *		that tells where each input column and result is in its output.
 *
 * The chain goes below the replacement, so the rows its tuplestores hold do
 * not carry rewritten results.  A node left with no function disappears.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "compat.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "staying.h"

static int
input_width(const SpRun *run)
{
	return list_length(run->input->targetlist);
}

static SpLayout
empty_layout(const SpRun *run)
{
	SpLayout	layout;

	layout.columns = palloc0_array(AttrNumber, input_width(run) + 1);
	layout.functions = palloc0_array(AttrNumber, list_length(run->functions) + 1);
	return layout;
}

static Node *
relocate(Node *expr, void *arg)
{
	const SpLayout *layout = arg;

	if (expr == NULL)
		return NULL;
	if (IsA(expr, Var) && ((Var *) expr)->varno == OUTER_VAR)
	{
		Var		   *var = copyObject((Var *) expr);

		var->varattno = layout->columns[var->varattno];
		Assert(var->varattno > 0);
		return (Node *) var;
	}
	return expression_tree_mutator(expr, relocate, arg);
}

/* Rewrite OUTER_VARs over the run's input to Vars over a node's output */
Node *
sp_relocate(Node *expr, const SpLayout *layout)
{
	return relocate(expr, (void *) layout);
}

AttrNumber *
sp_relocate_columns(const AttrNumber *cols, int ncols, const SpLayout *layout)
{
	AttrNumber *result = palloc_array(AttrNumber, Max(ncols, 1));

	for (int i = 0; i < ncols; i++)
		result[i] = layout->columns[cols[i]];
	return result;
}

/* The input columns that anything in the run reads, as pull_varattnos() does */
static Bitmapset *
needed_columns(const SpRun *run)
{
	Bitmapset  *attnos = NULL;
	ListCell   *lc;

	pull_varattnos((Node *) run->targetlist, OUTER_VAR, &attnos);
	foreach(lc, run->functions)
		pull_varattnos((Node *) ((SpFunction *) lfirst(lc))->wfunc, OUTER_VAR,
					   &attnos);
	foreach(lc, run->levels)
	{
		SpLevel    *level = (SpLevel *) lfirst(lc);

		for (int i = 0; i < level->node->partNumCols; i++)
			attnos = bms_add_member(attnos, level->part_cols[i] -
									FirstLowInvalidHeapAttributeNumber);
		for (int i = 0; i < level->node->ordNumCols; i++)
			attnos = bms_add_member(attnos, level->ord_cols[i] -
									FirstLowInvalidHeapAttributeNumber);
	}
	return attnos;
}

/* Append an output column and return its number */
static AttrNumber
append_target(List **targetlist, Expr *expr)
{
	AttrNumber	resno = list_length(*targetlist) + 1;

	*targetlist = lappend(*targetlist, makeTargetEntry(expr, resno, NULL, false));
	return resno;
}

/* Append a column that passes on the child's column attno */
static AttrNumber
append_passed_on(List **targetlist, const Plan *child, AttrNumber attno)
{
	TargetEntry *tle = list_nth_node(TargetEntry, child->targetlist, attno - 1);

	return append_target(targetlist,
						 (Expr *) makeVarFromTargetEntry(OUTER_VAR, tle));
}

/* Build one staying node above child; layout is child's, then the node's */
static Plan *
emit_node(const SpRun *run, int level_no, Plan *child, SpLayout *layout)
{
	SpLevel    *level = (SpLevel *) list_nth(run->levels, level_no);
	WindowAgg  *node = palloc_object(WindowAgg);
	SpLayout	below = *layout;
	List	   *targetlist = NIL;
	Bitmapset  *attnos = needed_columns(run);
	int			member = -1;
	ListCell   *lc;

	*layout = empty_layout(run);
	while ((member = bms_next_member(attnos, member)) >= 0)
	{
		int			column = member + FirstLowInvalidHeapAttributeNumber;

		layout->columns[column] =
			append_passed_on(&targetlist, child, below.columns[column]);
	}
	foreach(lc, run->functions)
	{
		SpFunction *function = (SpFunction *) lfirst(lc);
		AttrNumber *attno = &layout->functions[function->number];

		if (below.functions[function->number] > 0)
			*attno = append_passed_on(&targetlist, child,
									  below.functions[function->number]);
		else if (function->level == level_no && function->verdict != SP_QUALIFIES)
			*attno = append_target(&targetlist, (Expr *)
								   sp_relocate((Node *) function->wfunc, &below));
	}

	*node = *level->node;
	sp_inherit_parameters(&node->plan, run);
	node->plan.initPlan = NIL;	/* the replacement above has them all */
	node->plan.targetlist = targetlist;
	node->plan.lefttree = child;
	node->partColIdx = sp_relocate_columns(level->part_cols, node->partNumCols, &below);
	node->ordColIdx = sp_relocate_columns(level->ord_cols, node->ordNumCols, &below);
	node->topWindow = false;
	return (Plan *) node;
}

/*
 * sp_emit_staying
 *		The staying nodes of a run over its input, and the layout of their
 *		output; when none stays, the input itself.
 */
Plan *
sp_emit_staying(const SpRun *run, SpLayout *layout)
{
	Plan	   *plan = run->input;

	*layout = empty_layout(run);
	for (int column = 1; column <= input_width(run); column++)
		layout->columns[column] = column;

	for (int level = list_length(run->levels) - 1; level >= 0; level--)
	{
		if (sp_level_has_function(run, level, false))
			plan = emit_node(run, level, plan, layout);
	}
	return plan;
}

/*
 * sp_inherit_parameters
 *		Let a node of the replacement depend on all parameters that the nodes
 *		of the run depend on.  Too many only cost a rescan.
 */
void
sp_inherit_parameters(Plan *plan, const SpRun *run)
{
	ListCell   *lc;

	plan->extParam = NULL;
	plan->allParam = NULL;
	foreach(lc, run->levels)
	{
		Plan	   *node = &((SpLevel *) lfirst(lc))->node->plan;

		plan->extParam = bms_add_members(plan->extParam, node->extParam);
		plan->allParam = bms_add_members(plan->allParam, node->allParam);
	}
}

/*
 * sp_take_over_top_node
 *		Take the place of the run's top node: its number, unless a part of it
 *		stays, its estimates and parallel safety,
 *		and the initplans of all nodes of the run.
 */
void
sp_take_over_top_node(Plan *plan, const SpRun *run, int *next_node_id)
{
	Plan	   *top = &((SpLevel *) linitial(run->levels))->node->plan;
	ListCell   *lc;

	plan->plan_rows = top->plan_rows;
	plan->plan_width = top->plan_width;
	plan->parallel_safe = top->parallel_safe;
	plan->plan_node_id = sp_level_has_function(run, 0, false) ?
		(*next_node_id)++ : top->plan_node_id;
	foreach(lc, run->levels)
		plan->initPlan = list_concat(plan->initPlan,
									 ((SpLevel *) lfirst(lc))->node->plan.initPlan);
	sp_inherit_parameters(plan, run);
}
