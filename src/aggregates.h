/*-------------------------------------------------------------------------
 *
 * aggregates.h
 *	  The aggregates whose value over a frame is a function of running sums and
 *	  counts.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SP_AGGREGATES_H
#define SP_AGGREGATES_H

#include "postgres.h"

/* What is added up of a measure's values */
typedef enum SpSummand
{
	SP_SUMMAND_NONE,			/* they are only counted */
	SP_SUMMAND_INT2,
	SP_SUMMAND_INT4,
	SP_SUMMAND_INT8,
	SP_SUMMAND_NUMERIC,			/* of a declared scale */
	SP_SUMMAND_BOOL,			/* 1 where true */
} SpSummand;

/* How a frame's result comes of its sum and its count of values */
typedef enum SpResult
{
	SP_RESULT_INTEGER,			/* the sum, as bigint modulo 2^64 */
	SP_RESULT_NUMERIC,			/* the sum, as numeric */
	SP_RESULT_COUNT,			/* the count */
	SP_RESULT_AVERAGE,			/* the sum divided by the count, as numeric */
	SP_RESULT_ALL,				/* are all of the values true? */
	SP_RESULT_ANY,				/* is one of them true? */
} SpResult;

/*
 * sp_summand_is_wide
 *		Does a running sum of it take 128 bits?
 */
static inline bool
sp_summand_is_wide(SpSummand summand)
{
	return summand == SP_SUMMAND_INT8 || summand == SP_SUMMAND_NUMERIC;
}

typedef struct SpAggregate
{
	Oid			aggfnoid;
	SpSummand	summand;
	SpResult	result;
} SpAggregate;

extern const SpAggregate *sp_find_aggregate(Oid aggfnoid);

#endif							/* SP_AGGREGATES_H */
