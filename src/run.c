/*-------------------------------------------------------------------------
 *
 * run.c
 *	  Builds the runs of WindowAgg nodes that can share one pass.
 *
 * In:	a WindowAgg without a filter or run condition.
 * Out:	an SpRun: that node and as many WindowAggs directly below it as have
 *		the same partitions, with every expression restated over the columns
 *		of the bottom node's input.
 *
 * A run grows downwards, one node at a time.  The node below can be absorbed
 * when nothing is lost by looking through its target list:
 *
 *	- each entry is a Var, Const or bare window function, so that no expression
 *	  is evaluated more often, or later, than before (a Param may stand for a
 *	  subquery);
 *	- no window function, partition column or order column collected so far
 *	  reads a window function's result from it (two nodes can come from
 *	  different query levels);
 *	- its partition columns, equality operators and collations are ours.
 *
 * The planner links two WindowAggs directly only when both see the rows in
 * one physical order, so ORDER BY lists need not be equal.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "compat.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "run.h"

typedef struct CollectContext
{
	SpRun	   *run;
	int			level;
} CollectContext;

/*
 * Does the node filter rows, or stop early?  Such a node keeps its place: its
 * rows depend on the very values it computes.
 */
bool
sp_node_has_condition(const WindowAgg *node)
{
	return node->plan.qual != NIL || node->runCondition != NIL;
}

/* Is the node one that a strategy has put in the plan? */
bool
sp_node_is_replacement(const WindowAgg *node)
{
	return node->winref == SP_SUMS_WINREF || node->winref == SP_LAGS_WINREF;
}

SpLevel *
sp_function_level(const SpRun *run, const SpFunction *function)
{
	return (SpLevel *) list_nth(run->levels, function->level);
}

/* Has the level a function that qualifies, or one that does not? */
bool
sp_level_has_function(const SpRun *run, int level, bool qualifying)
{
	ListCell   *lc;

	foreach(lc, run->functions)
	{
		SpFunction *function = (SpFunction *) lfirst(lc);

		if (function->level == level &&
			(function->verdict == SP_QUALIFIES) == qualifying)
			return true;
	}
	return false;
}

/* Has the level an aggregate that stays? */
bool
sp_level_keeps_aggregate(const SpRun *run, int level)
{
	ListCell   *lc;

	foreach(lc, run->functions)
	{
		SpFunction *function = (SpFunction *) lfirst(lc);

		if (function->level == level && function->verdict != SP_QUALIFIES &&
			function->wfunc->winagg)
			return true;
	}
	return false;
}

/*
 * Enter a window function of the given level, or find the entry that computes
 * the same.  Volatile calls are never merged, as in the executor.
 */
static SpFunction *
intern_function(SpRun *run, int level, WindowFunc *wfunc)
{
	SpFunction *function;
	ListCell   *lc;

	foreach(lc, run->functions)
	{
		function = (SpFunction *) lfirst(lc);
		if (function->level == level &&
			equal(function->wfunc, wfunc) &&
			!contain_volatile_functions((Node *) wfunc))
			return function;
	}

	function = palloc0_object(SpFunction);
	function->number = list_length(run->functions) + 1;
	function->level = level;
	function->wfunc = wfunc;
	function->verdict = SP_QUALIFIES;
	run->functions = lappend(run->functions, function);
	return function;
}

/* Replace each window function of a node's expression by its INDEX_VAR */
static Node *
collect_functions(Node *node, void *arg)
{
	CollectContext *context = arg;

	if (node == NULL)
		return NULL;
	if (IsA(node, WindowFunc))
	{
		WindowFunc *wfunc = (WindowFunc *) node;
		SpFunction *function = intern_function(context->run, context->level,
											   wfunc);

		return (Node *) makeVar(INDEX_VAR, function->number, wfunc->wintype,
								-1, wfunc->wincollid, 0);
	}
	return expression_tree_mutator(node, collect_functions, arg);
}

/* Replace each Var of the old input by the expression that computes it */
static Node *
substitute_columns(Node *node, void *arg)
{
	List	   *columns = arg;

	if (node == NULL)
		return NULL;
	if (IsA(node, Var) && ((Var *) node)->varno == OUTER_VAR)
		return copyObject(list_nth(columns, ((Var *) node)->varattno - 1));
	return expression_tree_mutator(node, substitute_columns, arg);
}

static Expr *
column_expr(const WindowAgg *node, AttrNumber attno)
{
	return list_nth_node(TargetEntry, node->plan.targetlist, attno - 1)->expr;
}

/* Is every output of the node a mere column, constant or window function? */
static bool
target_is_plain(const WindowAgg *node)
{
	ListCell   *lc;

	foreach(lc, node->plan.targetlist)
	{
		Expr	   *expr = lfirst_node(TargetEntry, lc)->expr;

		if (!IsA(expr, Var) && !IsA(expr, Const) && !IsA(expr, WindowFunc))
			return false;
	}
	return true;
}

/* Does the expression read a window function's result from the node below? */
static bool
reads_window_result(Node *node, void *arg)
{
	WindowAgg  *below = arg;

	if (node == NULL)
		return false;
	if (IsA(node, Var))
	{
		Var		   *var = (Var *) node;

		return var->varno == OUTER_VAR &&
			IsA(column_expr(below, var->varattno), WindowFunc);
	}
	return expression_tree_walker(node, reads_window_result, arg);
}

/* Are all these columns of the node's output plain columns of its input? */
static bool
columns_are_vars(const WindowAgg *node, const AttrNumber *cols, int ncols)
{
	for (int i = 0; i < ncols; i++)
	{
		if (!IsA(column_expr(node, cols[i]), Var))
			return false;
	}
	return true;
}

/* Is every partition column of a one of b too?  (b's are in a's terms) */
static bool
partition_is_subset(const WindowAgg *a, const AttrNumber *a_cols,
					const WindowAgg *b, const AttrNumber *b_cols)
{
	for (int i = 0; i < a->partNumCols; i++)
	{
		bool		found = false;

		for (int j = 0; j < b->partNumCols && !found; j++)
			found = a_cols[i] == b_cols[j] &&
				a->partOperators[i] == b->partOperators[j] &&
				a->partCollations[i] == b->partCollations[j];
		if (!found)
			return false;
	}
	return true;
}

/* Columns of the node's output as columns of its input; all must be Vars */
static AttrNumber *
resolve_columns(const WindowAgg *node, const AttrNumber *cols, int ncols)
{
	AttrNumber *result = palloc_array(AttrNumber, ncols);

	for (int i = 0; i < ncols; i++)
		result[i] = ((Var *) column_expr(node, cols[i]))->varattno;
	return result;
}

static bool
run_can_absorb(const SpRun *run, Plan *plan)
{
	WindowAgg  *below = (WindowAgg *) plan;
	SpLevel    *top = (SpLevel *) linitial(run->levels);
	AttrNumber *top_part_cols;
	ListCell   *lc;

	if (!IsA(plan, WindowAgg))
		return false;
	if (sp_node_has_condition(below))
		return false;
	if (!target_is_plain(below))
		return false;

	foreach(lc, run->functions)
	{
		if (reads_window_result((Node *) ((SpFunction *) lfirst(lc))->wfunc,
								below))
			return false;
	}
	foreach(lc, run->levels)
	{
		SpLevel    *level = (SpLevel *) lfirst(lc);

		if (!columns_are_vars(below, level->part_cols, level->node->partNumCols) ||
			!columns_are_vars(below, level->ord_cols, level->node->ordNumCols))
			return false;
	}

	top_part_cols = resolve_columns(below, top->part_cols, top->node->partNumCols);
	return partition_is_subset(top->node, top_part_cols, below, below->partColIdx) &&
		partition_is_subset(below, below->partColIdx, top->node, top_part_cols);
}

static void
append_level(SpRun *run, WindowAgg *node)
{
	SpLevel    *level = palloc0_object(SpLevel);

	level->node = node;
	level->part_cols = node->partColIdx;
	level->ord_cols = node->ordColIdx;
	run->levels = lappend(run->levels, level);
	run->input = outerPlan(node);
}

static void
run_absorb(SpRun *run, WindowAgg *below)
{
	CollectContext context = {run, list_length(run->levels)};
	List	   *columns = NIL;
	int			nabove = list_length(run->functions);
	ListCell   *lc;

	foreach(lc, below->plan.targetlist)
		columns = lappend(columns,
						  collect_functions((Node *) lfirst_node(TargetEntry, lc)->expr,
											&context));

	run->targetlist = (List *) substitute_columns((Node *) run->targetlist, columns);
	for (int i = 0; i < nabove; i++)
	{
		SpFunction *function = (SpFunction *) list_nth(run->functions, i);

		function->wfunc = (WindowFunc *)
			substitute_columns((Node *) function->wfunc, columns);
	}
	foreach(lc, run->levels)
	{
		SpLevel    *level = (SpLevel *) lfirst(lc);

		level->part_cols = resolve_columns(below, level->part_cols,
										   level->node->partNumCols);
		level->ord_cols = resolve_columns(below, level->ord_cols,
										  level->node->ordNumCols);
	}
	append_level(run, below);
}

/*
 * sp_run_build
 *		The longest run that starts at the given node and goes down, of at
 *		most max_levels nodes.
 *
 * The plan is not changed.  A node with a condition makes a run of its own.
 */
SpRun *
sp_run_build(WindowAgg *top, const List *rtable, int max_levels)
{
	SpRun	   *run = palloc0_object(SpRun);
	CollectContext context = {run, 0};

	run->rtable = rtable;
	run->targetlist = (List *)
		collect_functions((Node *) top->plan.targetlist, &context);
	append_level(run, top);

	if (!sp_node_has_condition(top))
	{
		while (list_length(run->levels) < max_levels &&
			   run_can_absorb(run, run->input))
			run_absorb(run, (WindowAgg *) run->input);
	}
	return run;
}

/*
 * sp_run_drop_junk
 *		Drop the columns that only serve nodes above, for a run with none.
 *
 * The planner adds the window's keys to the top node's output.  At the top of
 * a query the executor would have to filter them out again, row by row.  They
 * are dropped from the end only, so that the others keep their numbers, and up
 * to the first that has to be evaluated.
 */
void
sp_run_drop_junk(SpRun *run)
{
	while (run->targetlist != NIL)
	{
		TargetEntry *tle = llast_node(TargetEntry, run->targetlist);

		if (!tle->resjunk || !IsA(tle->expr, Var))
			break;
		run->targetlist = list_delete_last(run->targetlist);
	}
}
