/*-------------------------------------------------------------------------
 *
 * fused_range.c
 *	  Compares order keys with the end of a RANGE frame.
 *
 * The in_range function of a type tells, for the key of a row, the key of the
 * current row and an offset, on which side of their sum or difference the row
 * lies.  Bounds only move forward, as keys are sorted.
 *
 * Integer keys, dates and timestamps are compared as numbers here, where neither
 * the key nor the sum is near the limits of its type; there, and for all else,
 * the function is called and raises what errors it has.
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

/* Are keys of the type numbers of microseconds? */
static bool
counts_microseconds(Oid key_type)
{
	return key_type == DATEOID || key_type == TIMESTAMPOID || key_type == TIMESTAMPTZOID;
}

/* May a number, or a sum, be compared here? */
static bool
in_number_range(Oid key_type, int64 number)
{
	if (counts_microseconds(key_type))
		return IS_VALID_TIMESTAMP(number);
	return number >= PG_INT64_MIN / 2 && number <= PG_INT64_MAX / 2;
}

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
			*result = DatumGetInt32(value);
			return true;
		case INT8OID:
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
			*result = DatumGetInt64(value);
			return true;
		case DATEOID:
			/* as a timestamp, in microseconds */
			return !pg_mul_s64_overflow(DatumGetDateADT(value), USECS_PER_DAY, result);
	}
	return false;
}

/*
 * sp_order_key
 *		A key of that type.
 */
SpOrderKey
sp_order_key(Oid type, Datum value, bool isnull)
{
	SpOrderKey	key = {value, 0, isnull, false};

	key.is_number = !isnull && integer_value(type, value, &key.number) &&
		in_number_range(type, key.number);
	return key;
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
init_delta(SpRangeBound *bound, Oid key_type, Oid offset_type)
{
	int64		offset;
	bool		is_number;

	bound->key_type = key_type;
	if (offset_type == INTERVALOID)
		is_number = counts_microseconds(key_type) &&
			constant_interval(DatumGetIntervalP(bound->offset),
							  key_type == TIMESTAMPTZOID, &offset);
	else
		is_number = integer_value(offset_type, bound->offset, &offset);
	/* a negative one is an error, which the function raises */
	bound->adds_numbers = is_number && offset >= 0;
	if (bound->adds_numbers)
		bound->delta = bound->sub ? -offset : offset;
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
	init_delta(bound, key_type, offset_type);
}

/*
 * sp_range_set_current
 *		Let the bound know the key of the current row.
 */
void
sp_range_set_current(SpRangeBound *bound, const SpOrderKey *current)
{
	bound->current = current;
	bound->has_sum = bound->adds_numbers && current->is_number &&
		!pg_add_s64_overflow(current->number, bound->delta, &bound->sum) &&
		in_number_range(bound->key_type, bound->sum);
}

/*
 * sp_range_advances_slowly
 *		What sp_range_advances() says, by the in_range function.
 *
 * NULL keys are peers of each other, and before or after all others.
 */
bool
sp_range_advances_slowly(SpRangeBound *bound, const SpOrderKey *row)
{
	const SpOrderKey *current = bound->current;

	if (row->isnull || current->isnull)
	{
		if (bound->is_tail)
			return bound->nulls_first ? row->isnull : current->isnull;
		return bound->nulls_first ? row->isnull && !current->isnull :
			!row->isnull && current->isnull;
	}
	return DatumGetBool(FunctionCall5Coll(&bound->in_range, bound->collation, row->value,
										  current->value, bound->offset,
										  BoolGetDatum(bound->sub),
										  BoolGetDatum(bound->less))) == bound->is_tail;
}
