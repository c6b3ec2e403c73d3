/*-------------------------------------------------------------------------
 *
 * explain_function.c
 *	  sliding_prefix_explain(): which window functions of a query would be
 *	  rewritten, and why the others would not.
 *
 * In:	the text of one statement.
 * Out: a row per window function, in plan order.
 *
 * The statement is parsed, analyzed, rewritten and planned as EXPLAIN would,
 * with the planner hook standing aside; then its runs are certified.  It is
 * never executed.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "commands/prepare.h"
#include "compat.h"
#include "executor/executor.h"
#include "fmgr.h"
#include "function_text.h"
#include "funcapi.h"
#include "plan_walk.h"
#include "planner_hook.h"
#include "rewrite/rewriteHandler.h"
#include "settings.h"
#include "strategy.h"
#include "tcop/tcopprot.h"
#include "tcop/utility.h"
#include "utils/builtins.h"
#include "utils/ruleutils.h"
#include "utils/tuplestore.h"

PG_FUNCTION_INFO_V1(sliding_prefix_explain);
PGDLLEXPORT Datum sliding_prefix_explain(PG_FUNCTION_ARGS);

#define EXPLAIN_COLUMNS 6

typedef struct Emitter
{
	ReturnSetInfo *rsinfo;
	int			nruns;			/* emitted so far */
} Emitter;

/* Move an error's position from the calling query to the one it is in */
static void
transpose_error_position(void *arg)
{
	const char *query = (const char *) arg;
	int			position = geterrposition();

	if (position > 0)
	{
		errposition(0);
		internalerrposition(position);
		internalerrquery(query);
	}
}

static void
emit_function(Emitter *emitter, const SpRun *run, const SpFunction *function,
			  char *text)
{
	Datum		values[EXPLAIN_COLUMNS] = {0};
	bool		nulls[EXPLAIN_COLUMNS] = {0};
	bool		rewritten = sp_enabled && function->verdict == SP_QUALIFIES;

	values[0] = Int32GetDatum(emitter->nruns);
	values[1] = CStringGetTextDatum(text);
	values[2] = BoolGetDatum(rewritten);
	nulls[3] = !rewritten;
	nulls[4] = nulls[5] = rewritten;
	if (rewritten)
		values[3] = CStringGetTextDatum(sp_current_strategy()->name);
	else if (function->verdict == SP_QUALIFIES)
	{
		values[4] = CStringGetTextDatum("disabled");
		values[5] = CStringGetTextDatum("it qualifies, but sliding_prefix.enabled is off");
	}
	else
	{
		values[4] = CStringGetTextDatum(sp_reason_code(function->verdict));
		values[5] = CStringGetTextDatum(sp_function_reason(function));
	}
	tuplestore_putvalues(emitter->rsinfo->setResult, emitter->rsinfo->setDesc,
						 values, nulls);
}

static void
emit_statement(Emitter *emitter, PlannedStmt *stmt)
{
	List	   *names = select_rtable_names_for_explain(stmt->rtable, NULL);
	List	   *dpcontext = deparse_context_for_plan_tree(stmt, names);
	List	   *runs = sp_walk_statement(stmt, false);
	ListCell   *lc_run;

	foreach(lc_run, runs)
	{
		SpRun	   *run = (SpRun *) lfirst(lc_run);
		SpLevel    *bottom = (SpLevel *) llast(run->levels);
		ListCell   *lc;

		emitter->nruns++;
		dpcontext = set_deparse_context_plan(dpcontext, &bottom->node->plan, NIL);
		foreach(lc, run->functions)
		{
			SpFunction *function = (SpFunction *) lfirst(lc);

			emit_function(emitter, run, function,
						  sp_function_text(run, function, dpcontext,
										   list_length(stmt->rtable) > 1));
		}
	}
}

/* Plan rewritten queries, check permissions as EXPLAIN does, and emit */
static void
plan_and_emit(Emitter *emitter, List *queries, const char *query_string)
{
	ListCell   *lc;

	foreach(lc, queries)
	{
		Query	   *query = lfirst_node(Query, lc);
		PlannedStmt *stmt;

		if (query->commandType == CMD_UTILITY)
			continue;			/* NOTIFY in a rule */
		stmt = sp_plan_as_stock(query, query_string);
		sp_check_permissions(stmt);
		emit_statement(emitter, stmt);
	}
}

/* The statement that the utility command is about, or NULL */
static Node *
query_inside(Node *stmt)
{
	switch (nodeTag(stmt))
	{
		case T_ExplainStmt:
			return ((ExplainStmt *) stmt)->query;
		case T_CreateTableAsStmt:
			return ((CreateTableAsStmt *) stmt)->query;
		case T_DeclareCursorStmt:
			return ((DeclareCursorStmt *) stmt)->query;
		default:
			return NULL;
	}
}

static void
explain_statement(Emitter *emitter, RawStmt *raw, const char *query_string,
				  Oid *param_types, int nparams)
{
	Node	   *stmt = raw->stmt;
	List	   *queries;
	Query	   *query;

	if (query_inside(stmt))
	{
		raw->stmt = query_inside(stmt);
		explain_statement(emitter, raw, query_string, param_types, nparams);
		return;
	}
	switch (nodeTag(stmt))
	{
		case T_SelectStmt:
		case T_InsertStmt:
		case T_UpdateStmt:
		case T_DeleteStmt:
		case T_MergeStmt:
			break;
		case T_ExecuteStmt:
			{
				CachedPlanSource *source =
					FetchPreparedStatement(((ExecuteStmt *) stmt)->name, true)->plansource;

				if (source->raw_parse_tree == NULL)
					ereport(ERROR,
							(errcode(ERRCODE_SYNTAX_ERROR),
							 errmsg("query must be one statement")));
				explain_statement(emitter, copyObject(source->raw_parse_tree),
								  source->query_string,
								  source->param_types, source->num_params);
				return;
			}
		default:
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("cannot explain the window functions of %s",
							GetCommandTagName(CreateCommandTag(stmt))),
					 errhint("Pass a statement that EXPLAIN accepts.")));
	}

	if (nparams > 0)
		param_types = memcpy(palloc_array(Oid, nparams), param_types,
							 nparams * sizeof(Oid));
	queries = pg_analyze_and_rewrite_varparams(raw, query_string,
											   &param_types, &nparams, NULL);
	query = linitial_node(Query, queries);
	if (query->commandType == CMD_UTILITY && IsA(query->utilityStmt, CreateTableAsStmt))
	{
		/* SELECT INTO turns into one during analysis */
		query = castNode(Query, ((CreateTableAsStmt *) query->utilityStmt)->query);
		queries = QueryRewrite(copyObject(query));
	}
	plan_and_emit(emitter, queries, query_string);
}

/*
 * sliding_prefix_explain(query text)
 *		SETOF (run integer, function text, rewritten boolean, strategy text,
 *		reason text, explanation text)
 *
 * Raises feature_not_supported for a command that EXPLAIN does not accept,
 * syntax_error unless there is exactly one statement, and what analyzing and
 * planning it raise, permission errors included.
 */
Datum
sliding_prefix_explain(PG_FUNCTION_ARGS)
{
	char	   *query_string = text_to_cstring(PG_GETARG_TEXT_PP(0));
	Emitter		emitter = {(ReturnSetInfo *) fcinfo->resultinfo, 0};
	ErrorContextCallback callback;
	List	   *statements;

	InitMaterializedSRF(fcinfo, 0);

	callback.callback = transpose_error_position;
	callback.arg = query_string;
	callback.previous = error_context_stack;
	error_context_stack = &callback;

	statements = pg_parse_query(query_string);
	if (list_length(statements) != 1)
		ereport(ERROR,
				(errcode(ERRCODE_SYNTAX_ERROR),
				 errmsg("query must be one statement"),
				 errdetail("The text holds %d statements.", list_length(statements))));
	explain_statement(&emitter, linitial_node(RawStmt, statements), query_string,
					  NULL, 0);

	error_context_stack = callback.previous;
	return (Datum) 0;
}
