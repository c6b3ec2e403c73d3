/*-------------------------------------------------------------------------
 *
 * fused_range.c
 *	  Compares order keys with the end of a RANGE frame.
 *
 * The in_range function of a type tells, for the key of a row, the key of the
 * current row and an offset, on which side of their sum or difference the row
 * lies.  Bounds only move forward, as keys are sorted.
 *
 * Integer keys, dates and timestamps are compared by adding a constant here,
 * where neither the key nor the sum is near the limits of its type; there, and
 * for all else, the function is called and raises what errors it has.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "common/int.h"
#include "compat.h"
#include "datatype/timestamp.h"
#include "fused_range.h"
#include "utils/date.h"
#include "utils/timestamp.h"

/* The integer in a Datum of such a type */
static bool
integer_value(Oid type, Datum value, int64 *result)
{
	switch (type)
	{
		case INT2OID:
			*result = DatumGetInt16(value);
			return true;
		case INT4OID:
		case DATEOID:
			*result = DatumGetInt32(value);
			return true;
		case INT8OID:
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
			*result = DatumGetInt64(value);
			return true;
	}
	return false;
}

/*
 * An interval in microseconds, if it is as long everywhere: a day has 24 hours
 * without a time zone.
 */
static bool
constant_interval(const Interval *interval, bool has_time_zone, int64 *microseconds)
{
	if (sp_interval_infinity(interval) != 0 || interval->month != 0 ||
		(has_time_zone && interval->day != 0))
		return false;
	return !pg_add_s64_overflow(interval->day * USECS_PER_DAY, interval->time, microseconds);
}

/* Can sums be made here, and which ones? */
static void
init_integers(SpRangeBound *bound, Oid offset_type)
{
	int64		offset;

	bound->adds_integers = false;
	bound->unit = 1;
	if (offset_type == INTERVALOID)
	{
		if (bound->key_type != DATEOID && bound->key_type != TIMESTAMPOID &&
			bound->key_type != TIMESTAMPTZOID)
			return;
		if (!constant_interval(DatumGetIntervalP(bound->offset),
							   bound->key_type == TIMESTAMPTZOID, &offset))
			return;
		if (bound->key_type == DATEOID)
			bound->unit = USECS_PER_DAY;
		bound->least = MIN_TIMESTAMP;
		bound->greatest = END_TIMESTAMP - 1;
	}
	else
	{
		if (!integer_value(offset_type, bound->offset, &offset) ||
			(bound->key_type != INT2OID && bound->key_type != INT4OID &&
			 bound->key_type != INT8OID))
			return;
		/* well within any sum of a key and an offset that has not overflowed */
		bound->least = PG_INT64_MIN / 2;
		bound->greatest = PG_INT64_MAX / 2;
	}
	if (offset < 0)
		return;					/* an error */
	bound->delta = bound->sub ? -offset : offset;
	bound->adds_integers = true;
}

/*
 * sp_range_init
 *		Set up a bound: of a tail or head, with an offset that follows or
 *		precedes the current row, over a key that ascends or not.
 *
 * For an ascending key the function is asked of a head whether the row's key is
 * at least the current one less (sub) or plus the offset, of a tail whether it
 * is at most that (less).  For a descending key both are turned round.
 */
void
sp_range_init(SpRangeBound *bound, Oid in_range, Oid collation, bool ascending,
			  bool nulls_first, bool is_tail, bool follows, Oid key_type,
			  Oid offset_type, Datum offset)
{
	fmgr_info(in_range, &bound->in_range);
	bound->collation = collation;
	bound->nulls_first = nulls_first;
	bound->is_tail = is_tail;
	bound->offset = offset;
	bound->sub = ascending ? !follows : follows;
	bound->less = ascending ? is_tail : !is_tail;
	bound->key_type = key_type;
	init_integers(bound, offset_type);
}

/*
 * The sum of the current row's key and the offset, in units, and the row's key;
 * false where they are left to the function.
 */
static bool
integer_sum(const SpRangeBound *bound, Datum row, Datum current, int64 *value, int64 *sum)
{
	int64		base = 0;

	integer_value(bound->key_type, row, value);
	integer_value(bound->key_type, current, &base);
	if (bound->unit != 1 &&
		(pg_mul_s64_overflow(*value, bound->unit, value) ||
		 pg_mul_s64_overflow(base, bound->unit, &base)))
		return false;
	if (base < bound->least || base > bound->greatest ||
		*value < bound->least || *value > bound->greatest)
		return false;
	return !pg_add_s64_overflow(base, bound->delta, sum) &&
		*sum >= bound->least && *sum <= bound->greatest;
}

/* What the in_range function says */
static bool
row_is_in_range(SpRangeBound *bound, Datum row, Datum current)
{
	int64		value = 0;
	int64		sum = 0;

	if (bound->adds_integers && integer_sum(bound, row, current, &value, &sum))
		return bound->less ? value <= sum : value >= sum;
	return DatumGetBool(FunctionCall5Coll(&bound->in_range, bound->collation, row, current,
										  bound->offset, BoolGetDatum(bound->sub),
										  BoolGetDatum(bound->less)));
}

/*
 * sp_range_advances
 *		Does the bound lie after that row?
 *
 * NULL keys are peers of each other, and before or after all others.
 */
bool
sp_range_advances(SpRangeBound *bound, const SpOrderKey *row, const SpOrderKey *current)
{
	if (row->isnull || current->isnull)
	{
		if (bound->is_tail)
			return bound->nulls_first ? row->isnull : current->isnull;
		return bound->nulls_first ? row->isnull && !current->isnull :
			!row->isnull && current->isnull;
	}
	return row_is_in_range(bound, row->value, current->value) == bound->is_tail;
}
