/*-------------------------------------------------------------------------
 *
 * aggregates.c
 *	  Table of the aggregates that running sums and counts can compute.
 *
 * Exact are sums of integers, modulo 2^64 where stock's wrap around too, sums of
 * numeric values that have one scale, and all that is computed of exact sums
 * and counts.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "aggregates.h"
#include "utils/fmgroids.h"

static const SpAggregate aggregates[] = {
	{F_SUM_INT2, SP_SUMMAND_INT2, SP_RESULT_INTEGER},
	{F_SUM_INT4, SP_SUMMAND_INT4, SP_RESULT_INTEGER},
	{F_SUM_INT8, SP_SUMMAND_INT8, SP_RESULT_NUMERIC},
	{F_AVG_INT2, SP_SUMMAND_INT2, SP_RESULT_AVERAGE},
	{F_AVG_INT4, SP_SUMMAND_INT4, SP_RESULT_AVERAGE},
	{F_AVG_INT8, SP_SUMMAND_INT8, SP_RESULT_AVERAGE},
	{F_SUM_NUMERIC, SP_SUMMAND_NUMERIC, SP_RESULT_NUMERIC},
	{F_AVG_NUMERIC, SP_SUMMAND_NUMERIC, SP_RESULT_AVERAGE},
	{F_COUNT_, SP_SUMMAND_NONE, SP_RESULT_COUNT},
	{F_COUNT_ANY, SP_SUMMAND_NONE, SP_RESULT_COUNT},
	{F_BOOL_AND, SP_SUMMAND_BOOL, SP_RESULT_ALL},
	{F_EVERY, SP_SUMMAND_BOOL, SP_RESULT_ALL},
	{F_BOOL_OR, SP_SUMMAND_BOOL, SP_RESULT_ANY},
};

/*
 * sp_find_aggregate
 *		How that aggregate is computed, or NULL if it cannot be.
 */
const SpAggregate *
sp_find_aggregate(Oid aggfnoid)
{
	for (size_t i = 0; i < lengthof(aggregates); i++)
	{
		if (aggregates[i].aggfnoid == aggfnoid)
			return &aggregates[i];
	}
	return NULL;
}
