/*-------------------------------------------------------------------------
 *
 * function_text.c
 *	  Prints a window function with its window as SQL.
 *
 * A finished plan no longer knows window names or sort directions: ORDER BY
 * lists the columns only, and the frame is always spelt out.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "catalog/pg_type.h"
#include "compat.h"
#include "function_text.h"
#include "lib/stringinfo.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/regproc.h"
#include "utils/ruleutils.h"

typedef struct TextContext
{
	const SpRun *run;
	List	   *dpcontext;		/* of the run's bottom node */
	bool		useprefix;
} TextContext;

/*
 * Replace parameters that the executor sets by such of a client, which print as
 * $n.  What sets them may be anywhere above the run, and unless it is found the
 * server's deparser expects none.  It does find the columns of a SubPlan's
 * subquery, which are given.
 */
static Node *
without_internal_params(Node *node, void *subquery_params)
{
	if (node == NULL)
		return NULL;
	if (IsA(node, Param))
	{
		Param	   *param = copyObject((Param *) node);

		if (!list_member_int((List *) subquery_params, param->paramid))
			param->paramkind = PARAM_EXTERN;
		return (Node *) param;
	}
	if (IsA(node, SubPlan))
		subquery_params = ((SubPlan *) node)->paramIds;
	return expression_tree_mutator(node, without_internal_params, subquery_params);
}

static char *
deparse(const TextContext *context, Node *expr)
{
	return deparse_expression(without_internal_params(expr, NIL), context->dpcontext,
							  context->useprefix, false);
}

static void
append_list(StringInfo buf, const TextContext *context, const List *exprs)
{
	ListCell   *lc;

	foreach(lc, exprs)
		appendStringInfo(buf, "%s%s", foreach_current_index(lc) > 0 ? ", " : "",
						 deparse(context, (Node *) lfirst(lc)));
}

/* "<label> columns ", the columns being those of the run's input */
static void
append_columns(StringInfo buf, const TextContext *context, const char *label,
			   const AttrNumber *cols, int ncols)
{
	List	   *vars = NIL;

	for (int i = 0; i < ncols; i++)
		vars = lappend(vars,
					   makeVarFromTargetEntry(OUTER_VAR,
											  list_nth_node(TargetEntry,
															context->run->input->targetlist,
															cols[i] - 1)));
	if (vars == NIL)
		return;
	appendStringInfo(buf, "%s ", label);
	append_list(buf, context, vars);
	appendStringInfoChar(buf, ' ');
}

static void
append_bound(StringInfo buf, const TextContext *context, Node *offset,
			 bool unbounded, bool current_row, bool preceding)
{
	if (current_row)
	{
		appendStringInfoString(buf, "CURRENT ROW");
		return;
	}
	if (unbounded)
		appendStringInfoString(buf, "UNBOUNDED");
	else if (IsA(offset, Const) && ((Const *) offset)->consttype == INT8OID &&
			 !((Const *) offset)->constisnull)
		appendStringInfo(buf, "%lld",
						 (long long) DatumGetInt64(((Const *) offset)->constvalue));
	else
		appendStringInfoString(buf, deparse(context, offset));
	appendStringInfoString(buf, preceding ? " PRECEDING" : " FOLLOWING");
}

static void
append_frame(StringInfo buf, const TextContext *context, const WindowAgg *node)
{
	int			options = node->frameOptions;

	if (options & FRAMEOPTION_RANGE)
		appendStringInfoString(buf, "RANGE BETWEEN ");
	else if (options & FRAMEOPTION_GROUPS)
		appendStringInfoString(buf, "GROUPS BETWEEN ");
	else
		appendStringInfoString(buf, "ROWS BETWEEN ");

	append_bound(buf, context, node->startOffset,
				 options & (FRAMEOPTION_START_UNBOUNDED_PRECEDING |
							FRAMEOPTION_START_UNBOUNDED_FOLLOWING),
				 options & FRAMEOPTION_START_CURRENT_ROW,
				 options & (FRAMEOPTION_START_UNBOUNDED_PRECEDING |
							FRAMEOPTION_START_OFFSET_PRECEDING));
	appendStringInfoString(buf, " AND ");
	append_bound(buf, context, node->endOffset,
				 options & (FRAMEOPTION_END_UNBOUNDED_PRECEDING |
							FRAMEOPTION_END_UNBOUNDED_FOLLOWING),
				 options & FRAMEOPTION_END_CURRENT_ROW,
				 options & (FRAMEOPTION_END_UNBOUNDED_PRECEDING |
							FRAMEOPTION_END_OFFSET_PRECEDING));

	if (options & FRAMEOPTION_EXCLUDE_CURRENT_ROW)
		appendStringInfoString(buf, " EXCLUDE CURRENT ROW");
	else if (options & FRAMEOPTION_EXCLUDE_GROUP)
		appendStringInfoString(buf, " EXCLUDE GROUP");
	else if (options & FRAMEOPTION_EXCLUDE_TIES)
		appendStringInfoString(buf, " EXCLUDE TIES");
}

static char *
function_name(Oid funcid)
{
	char	   *schema = FunctionIsVisible(funcid) ? NULL :
		get_namespace_name(get_func_namespace(funcid));

	return quote_qualified_identifier(schema, get_func_name(funcid));
}

/*
 * sp_function_text
 *		The function's call as SQL.
 *
 * dpcontext is a deparse context for the statement's plan tree, set to the
 * run's bottom node.
 */
char *
sp_function_text(const SpRun *run, const SpFunction *function,
				 List *dpcontext, bool useprefix)
{
	TextContext context = {run, dpcontext, useprefix};
	const SpLevel *level = sp_function_level(run, function);
	const WindowFunc *wfunc = function->wfunc;
	StringInfoData buf;

	initStringInfo(&buf);
	appendStringInfo(&buf, "%s(", function_name(wfunc->winfnoid));
	if (wfunc->winstar)
		appendStringInfoChar(&buf, '*');
	else
		append_list(&buf, &context, wfunc->args);
	appendStringInfoChar(&buf, ')');
	if (wfunc->aggfilter)
		appendStringInfo(&buf, " FILTER (WHERE %s)",
						 deparse(&context, (Node *) wfunc->aggfilter));

	appendStringInfoString(&buf, " OVER (");
	append_columns(&buf, &context, "PARTITION BY", level->part_cols,
				   level->node->partNumCols);
	append_columns(&buf, &context, "ORDER BY", level->ord_cols,
				   level->node->ordNumCols);
	append_frame(&buf, &context, level->node);
	appendStringInfoChar(&buf, ')');
	return buf.data;
}

/* "sum(real): why it stays" */
char *
sp_function_reason(const SpFunction *function)
{
	return psprintf("%s: %s", format_procedure(function->wfunc->winfnoid),
					sp_reason_sentence(function->verdict));
}
