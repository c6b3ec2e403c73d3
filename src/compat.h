/*-------------------------------------------------------------------------
 *
 * compat.h
 *	  The one place for differences between PostgreSQL 15 and 19.
 *
 * The rest of the code reads as if written for the newest version; each
 * branch below names what changed and in which release.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SP_COMPAT_H
#define SP_COMPAT_H

#include "postgres.h"

#include "access/table.h"
#include "catalog/pg_proc.h"
#include "commands/explain.h"
#include "datatype/timestamp.h"
#include "nodes/execnodes.h"
#include "nodes/plannodes.h"
#include "optimizer/planner.h"
#include "storage/buffile.h"
#include "utils/acl.h"
#include "utils/rel.h"
#include "windowapi.h"

#if PG_VERSION_NUM < 150000 || PG_VERSION_NUM >= 200000
#error "sliding_prefix supports PostgreSQL 15 to 19"
#endif

#ifndef HAVE_INT128
#error "sliding_prefix needs a PostgreSQL built with 128-bit integers"
#endif

/* 16 moved the varlena macros out of postgres.h */
#if PG_VERSION_NUM >= 160000
#include "varatt.h"
#endif

/* 18 split explain.h: the state and the property functions have own headers */
#if PG_VERSION_NUM >= 180000
#include "commands/explain_format.h"
#include "commands/explain_state.h"
#endif

/* 16 made PGDLLEXPORT undo -fvisibility=hidden */
#if PG_VERSION_NUM < 160000
#undef PGDLLEXPORT
#define PGDLLEXPORT __attribute__((visibility("default")))
#endif

/* 18 lets extensions add options to EXPLAIN and lines to its nodes */
#if PG_VERSION_NUM >= 180000
#define SP_HAVE_EXPLAIN_OPTIONS
#endif

/* 19 lets auto_explain set them too, after checking the value */
#if PG_VERSION_NUM >= 190000
#define sp_register_boolean_explain_option(name, handler) \
	RegisterExtensionExplainOption(name, handler, GUCCheckBooleanExplainOption)
#else
#define sp_register_boolean_explain_option(name, handler) \
	RegisterExtensionExplainOption(name, handler)
#endif

/* 16 keeps what is needed of permissions beside the range table */
#if PG_VERSION_NUM >= 160000
#define sp_check_permissions(stmt) \
	ExecCheckPermissions((stmt)->rtable, (stmt)->permInfos, true)
#else
#define sp_check_permissions(stmt) ExecCheckRTPerms((stmt)->rtable, true)
#endif

/* 19 hands the planner the state of the EXPLAIN that asked for the plan */
#if PG_VERSION_NUM >= 190000
#define sp_plan_query(query, string, options, params) \
	pg_plan_query(query, string, options, params, NULL)
#else
#define sp_plan_query(query, string, options, params) \
	pg_plan_query(query, string, options, params)
#endif

/* 18 named the windows of WindowAgg nodes, for EXPLAIN to print */
#if PG_VERSION_NUM >= 180000
#define sp_set_window_name(node, name) ((node)->winname = (name))
#else
#define sp_set_window_name(node, name) ((void) (name))
#endif

/* 18 added NOT NULL constraints that are not valid for the rows there are */
static inline bool
sp_column_is_not_null(Oid relid, AttrNumber attno)
{
	Relation	rel = table_open(relid, NoLock);	/* the plan has a lock */
	bool		result;

#if PG_VERSION_NUM >= 180000
	result = TupleDescCompactAttr(RelationGetDescr(rel), attno - 1)->attnullability ==
		ATTNULLABLE_VALID;
#else
	result = TupleDescAttr(RelationGetDescr(rel), attno - 1)->attnotnull;
#endif
	table_close(rel, NoLock);
	return result;
}

/* 18 added a module name and version to the magic block */
#if PG_VERSION_NUM >= 180000
#define SP_MODULE_MAGIC(module, number) \
	PG_MODULE_MAGIC_EXT(.name = module, .version = number)
#else
#define SP_MODULE_MAGIC(module, number) PG_MODULE_MAGIC
#endif

/* 16 replaced pg_proc_aclcheck() and its kind by object_aclcheck() */
#if PG_VERSION_NUM >= 160000
#define sp_function_aclcheck(funcid, roleid) \
	object_aclcheck(ProcedureRelationId, funcid, roleid, ACL_EXECUTE)
#else
#define sp_function_aclcheck(funcid, roleid) \
	pg_proc_aclcheck(funcid, roleid, ACL_EXECUTE)
#endif

/* 16 added the typed allocation macros, and minor releases of 15 have them too */
#ifndef palloc_object
#define palloc_object(type) ((type *) palloc(sizeof(type)))
#define palloc0_object(type) ((type *) palloc0(sizeof(type)))
#define palloc_array(type, count) ((type *) palloc(sizeof(type) * (count)))
#define palloc0_array(type, count) ((type *) palloc0(sizeof(type) * (count)))
#endif

/* 17 added infinite intervals; their sign, or 0 */
static inline int
sp_interval_infinity(const Interval *interval)
{
#if PG_VERSION_NUM >= 170000
	return INTERVAL_IS_NOEND(interval) - INTERVAL_IS_NOBEGIN(interval);
#else
	return 0;
#endif
}

/* 19 added IGNORE NULLS, which each window function has to allow or refuse */
#if PG_VERSION_NUM >= 190000
#define sp_refuse_ignore_nulls(winobj, fcinfo) \
	WinCheckAndInitializeNullTreatment(winobj, false, fcinfo)
#else
#define sp_refuse_ignore_nulls(winobj, fcinfo) ((void) 0)
#endif

/* 16 added the reader that raises an error on a short read */
#if PG_VERSION_NUM < 160000
static inline void
BufFileReadExact(BufFile *file, void *ptr, size_t size)
{
	size_t		nread = BufFileRead(file, ptr, size);

	if (nread != size)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not read from temporary file: read only %zu of %zu bytes",
						nread, size)));
}
#endif

/* ... and the same for the hook */
#if PG_VERSION_NUM >= 190000
#define SP_PLANNER_PARAMS \
	Query *parse, const char *query_string, int cursorOptions, \
	ParamListInfo boundParams, ExplainState *es
#define SP_PLANNER_ARGS parse, query_string, cursorOptions, boundParams, es
#else
#define SP_PLANNER_PARAMS \
	Query *parse, const char *query_string, int cursorOptions, \
	ParamListInfo boundParams
#define SP_PLANNER_ARGS parse, query_string, cursorOptions, boundParams
#endif

#endif							/* SP_COMPAT_H */
