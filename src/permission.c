/*-------------------------------------------------------------------------
 *
 * permission.c
 *	  Checks whether functions may be called, as the server does.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/objectaccess.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_proc.h"
#include "compat.h"
#include "miscadmin.h"
#include "permission.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

/*
 * sp_check_function
 *		The role must be allowed to call a function; there need be none.
 */
void
sp_check_function(Oid funcid, Oid roleid)
{
	AclResult	result;

	if (!OidIsValid(funcid))
		return;
	result = sp_function_aclcheck(funcid, roleid);
	if (result != ACLCHECK_OK)
		aclcheck_error(result, OBJECT_FUNCTION, get_func_name(funcid));
	InvokeFunctionExecuteHook(funcid);
}

/*
 * sp_check_aggregate
 *		The checks that a WindowAgg makes for an aggregate: the user may call it,
 *		and its owner the functions it is made of, those for frames whose head
 *		moves or the others.
 */
void
sp_check_aggregate(Oid aggfnoid, bool moving)
{
	HeapTuple	aggtuple;
	HeapTuple	proctuple;
	Form_pg_aggregate agg;
	Oid			owner;

	sp_check_function(aggfnoid, GetUserId());

	aggtuple = SearchSysCache1(AGGFNOID, ObjectIdGetDatum(aggfnoid));
	proctuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(aggfnoid));
	if (!HeapTupleIsValid(aggtuple) || !HeapTupleIsValid(proctuple))
		elog(ERROR, "cache lookup failed for aggregate %u", aggfnoid);
	agg = (Form_pg_aggregate) GETSTRUCT(aggtuple);
	owner = ((Form_pg_proc) GETSTRUCT(proctuple))->proowner;

	sp_check_function(moving ? agg->aggmtransfn : agg->aggtransfn, owner);
	sp_check_function(moving ? agg->aggminvtransfn : InvalidOid, owner);
	sp_check_function(moving ? agg->aggmfinalfn : agg->aggfinalfn, owner);

	ReleaseSysCache(proctuple);
	ReleaseSysCache(aggtuple);
}
