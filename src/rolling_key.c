/*-------------------------------------------------------------------------
 *
 * rolling_key.c
 *	  Order keys of range_rolling(): their types, and adding offsets.
 *
 * Every key is an int64, and a bound is a key plus or minus an offset.  Where
 * the server's arithmetic would raise an error for a result out of range, the
 * bound saturates instead.  Calendar arithmetic itself is the server's: the
 * Gregorian calendar repeats every 400 years, so it is done in another cycle
 * where the result would not be in range, or might not.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "compat.h"
#include "datatype/timestamp.h"
#include "rolling_key.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"

#define CYCLE_MONTHS	(400 * MONTHS_PER_YEAR)
#define CYCLE_DAYS		146097
#define CYCLE_MICROS	(CYCLE_DAYS * (int128) USECS_PER_DAY)

#define FIRST_DATE		(DATETIME_MIN_JULIAN - POSTGRES_EPOCH_JDATE)
#define END_DATE		(DATE_END_JULIAN - POSTGRES_EPOCH_JDATE)

/* More than a sum of mean months and days can differ from the calendar's */
#define ESTIMATE_ERROR	(10 * (int128) USECS_PER_DAY)

static bool
key_is_finite(int64 key)
{
	return key != PG_INT64_MIN && key != PG_INT64_MAX;
}

/* The value if it lies in first .. end - 1, else the infinity beyond */
static int64
saturate(int128 value, int128 first, int128 end)
{
	return value < first ? PG_INT64_MIN : value >= end ? PG_INT64_MAX : (int64) value;
}

static int64
infinity(int64 sign)
{
	return sign < 0 ? PG_INT64_MIN : PG_INT64_MAX;
}

static int128
divide_down(int128 dividend, int128 divisor)
{
	return dividend / divisor - (dividend % divisor < 0);
}

/* ---------------------------------------------------------------------
 * Fetching
 * ---------------------------------------------------------------------
 */

static int64
fetch_int2(Datum key)
{
	return DatumGetInt16(key);
}

static int64
fetch_int4(Datum key)
{
	return DatumGetInt32(key);
}

/* Also of timestamps, which have our infinities */
static int64
fetch_int8(Datum key)
{
	return DatumGetInt64(key);
}

static int64
fetch_date(Datum key)
{
	DateADT		date = DatumGetDateADT(key);

	return DATE_IS_NOBEGIN(date) ? PG_INT64_MIN :
		DATE_IS_NOEND(date) ? PG_INT64_MAX : date;
}

/* ---------------------------------------------------------------------
 * Adding
 * ---------------------------------------------------------------------
 */

static int64
add_to_int2(int64 key, const SpRollingOffset *offset, int sign)
{
	int128		sum = key + sign * (int128) offset->units;

	return Max(PG_INT16_MIN, Min(sum, PG_INT16_MAX));
}

static int64
add_to_int4(int64 key, const SpRollingOffset *offset, int sign)
{
	int128		sum = key + sign * (int128) offset->units;

	return Max(PG_INT32_MIN, Min(sum, PG_INT32_MAX));
}

static int64
add_to_int8(int64 key, const SpRollingOffset *offset, int sign)
{
	int128		sum = key + sign * (int128) offset->units;

	return Max(PG_INT64_MIN, Min(sum, PG_INT64_MAX));
}

/* Add months in the way of the server, to microseconds without a time zone */
static int128
add_months(int128 micros, int64 months)
{
	int128		cycles = divide_down(micros, CYCLE_MICROS);
	Interval	span = {.month = months % CYCLE_MONTHS};
	Datum		sum;

	sum = DirectFunctionCall2(timestamp_pl_interval,
							  TimestampGetDatum(micros - cycles * CYCLE_MICROS),
							  IntervalPGetDatum(&span));
	return DatumGetTimestamp(sum) + (cycles + months / CYCLE_MONTHS) * CYCLE_MICROS;
}

static int128
add_interval(int128 micros, const SpRollingOffset *offset, int sign)
{
	if (offset->months != 0)
		micros = add_months(micros, sign * offset->months);
	return micros + sign * (offset->days * (int128) USECS_PER_DAY + offset->micros);
}

static int64
add_to_timestamp(int64 key, const SpRollingOffset *offset, int sign)
{
	if (offset->infinite != 0)
		return infinity(sign * offset->infinite);
	if (!key_is_finite(key))
		return key;
	return saturate(add_interval(key, offset, sign), MIN_TIMESTAMP, END_TIMESTAMP);
}

static int64
add_to_date(int64 key, const SpRollingOffset *offset, int sign)
{
	int128		days = key + sign * (int128) offset->units;

	if (offset->infinite != 0)
		return infinity(sign * offset->infinite);
	if (!key_is_finite(key))
		return key;
	if (offset->is_interval)
	{
		int128		micros = add_interval(days * USECS_PER_DAY, offset, sign);

		days = sign > 0 ? divide_down(micros, USECS_PER_DAY) :
			-divide_down(-micros, USECS_PER_DAY);
	}
	return saturate(days, FIRST_DATE, END_DATE);
}

static int128
server_add_local(int128 micros, int64 months, int64 days)
{
	Interval	span = {.month = months, .day = days};

	return DatumGetTimestampTz(DirectFunctionCall2(timestamptz_pl_interval,
												   TimestampTzGetDatum(micros),
												   IntervalPGetDatum(&span)));
}

/*
 * Add months or days (one of them is 0) in local time.  Close to the limits
 * this is done one cycle nearer to the present, where the rules of all time
 * zones are the same: they have stopped to change, or not begun.
 */
static int64
add_local(int64 key, int64 months, int64 days)
{
	int128		estimate = key + months * (CYCLE_MICROS / CYCLE_MONTHS) +
		days * (int128) USECS_PER_DAY;
	int			cycles = estimate > 0 ? -1 : 1;
	int128		sum;

	if (!key_is_finite(key))
		return key;
	if (estimate - ESTIMATE_ERROR > MIN_TIMESTAMP &&
		estimate + ESTIMATE_ERROR < END_TIMESTAMP)
		return server_add_local(key, months, days);
	if (estimate + ESTIMATE_ERROR < MIN_TIMESTAMP)
		return PG_INT64_MIN;
	if (estimate - ESTIMATE_ERROR > END_TIMESTAMP)
		return PG_INT64_MAX;

	if (key < MIN_TIMESTAMP + 2 * CYCLE_MICROS || key > END_TIMESTAMP - 2 * CYCLE_MICROS)
		sum = server_add_local(key + cycles * CYCLE_MICROS, months, days);
	else if (months != 0)
		sum = server_add_local(key, months + cycles * CYCLE_MONTHS, days);
	else
		sum = server_add_local(key, months, days + cycles * CYCLE_DAYS);
	return saturate(sum - cycles * CYCLE_MICROS, MIN_TIMESTAMP, END_TIMESTAMP);
}

static int64
add_to_timestamptz(int64 key, const SpRollingOffset *offset, int sign)
{
	if (offset->infinite != 0)
		return infinity(sign * offset->infinite);
	if (offset->months != 0)
		key = add_local(key, sign * offset->months, 0);
	if (offset->days != 0)
		key = add_local(key, 0, sign * offset->days);
	if (!key_is_finite(key))
		return key;
	return saturate(key + sign * (int128) offset->micros, MIN_TIMESTAMP, END_TIMESTAMP);
}

/* ---------------------------------------------------------------------
 * Types
 * ---------------------------------------------------------------------
 */

static bool
is_integer(Oid type)
{
	return type == INT2OID || type == INT4OID || type == INT8OID;
}

static bool
is_interval(Oid type)
{
	return type == INTERVALOID;
}

static bool
is_integer_or_interval(Oid type)
{
	return is_integer(type) || is_interval(type);
}

static const SpRollingKey keys[] = {
	{INT2OID, "type smallint, integer or bigint", is_integer, fetch_int2, add_to_int2},
	{INT4OID, "type smallint, integer or bigint", is_integer, fetch_int4, add_to_int4},
	{INT8OID, "type smallint, integer or bigint", is_integer, fetch_int8, add_to_int8},
	{DATEOID, "type smallint, integer, bigint (days) or interval", is_integer_or_interval,
	fetch_date, add_to_date},
	{TIMESTAMPOID, "type interval", is_interval, fetch_int8, add_to_timestamp},
	{TIMESTAMPTZOID, "type interval", is_interval, fetch_int8, add_to_timestamptz},
};

static void
check_offset_type(const SpRollingKey *key, Oid type, const char *name)
{
	if (type == UNKNOWNOID || key->accepts(getBaseType(type)))
		return;
	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("offset \"%s\" of type %s does not fit an order key of type %s",
					name, format_type_be(type), format_type_be(key->type)),
			 errdetail("Offsets from such a key are of %s.", key->offset_types),
			 errhint("Cast the offset, or the order key, to a type that fits.")));
}

/*
 * sp_rolling_key
 *		The key type, for offsets of the given types.
 *
 * Raises datatype_mismatch for types that are not supported or do not fit.
 */
const SpRollingKey *
sp_rolling_key(Oid key_type, Oid preceding_type, Oid following_type)
{
	for (size_t i = 0; i < lengthof(keys); i++)
	{
		if (keys[i].type != getBaseType(key_type))
			continue;
		check_offset_type(&keys[i], preceding_type, "preceding");
		check_offset_type(&keys[i], following_type, "following");
		return &keys[i];
	}
	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("order key of type %s is not supported", format_type_be(key_type)),
			 errdetail("Order keys are of type smallint, integer, bigint, date, timestamp or timestamp with time zone."),
			 errhint("Cast the order key to one of these types.")));
}

static SpRollingOffset
offset_of_interval(const Interval *interval)
{
	SpRollingOffset offset = {0};

	offset.is_interval = 1;
	offset.infinite = sp_interval_infinity(interval);
	if (offset.infinite == 0)
	{
		offset.months = interval->month;
		offset.days = interval->day;
		offset.micros = interval->time;
	}
	return offset;
}

/* Is the text an integer, with a sign and spaces perhaps? */
static bool
text_is_integer(const char *text)
{
	const char *digits = text + strspn(text, " \t\n\r\f\v");

	digits += (*digits == '-' || *digits == '+');
	return strspn(digits, "0123456789") > 0 &&
		digits[strspn(digits, "0123456789 \t\n\r\f\v")] == '\0';
}

/*
 * A literal without a type takes one that fits the key; for dates, days if it
 * is a mere number.
 */
static SpRollingOffset
offset_of_literal(const SpRollingKey *key, char *text)
{
	if (key->accepts(INT8OID) && (!key->accepts(INTERVALOID) || text_is_integer(text)))
		return sp_rolling_offset(key, INT8OID,
								 DirectFunctionCall1(int8in, CStringGetDatum(text)), false);
	return sp_rolling_offset(key, INTERVALOID,
							 DirectFunctionCall3(interval_in, CStringGetDatum(text),
												 ObjectIdGetDatum(InvalidOid),
												 Int32GetDatum(-1)), false);
}

/*
 * sp_rolling_offset
 *		An offset of a type that fits the key.  NULL is UNBOUNDED.
 *
 * Raises what the input function of the type raises for a literal.
 */
SpRollingOffset
sp_rolling_offset(const SpRollingKey *key, Oid type, Datum value, bool isnull)
{
	SpRollingOffset offset = {0};

	if (isnull)
	{
		offset.unbounded = 1;
		return offset;
	}
	switch (getBaseType(type))
	{
		case INT2OID:
			offset.units = DatumGetInt16(value);
			return offset;
		case INT4OID:
			offset.units = DatumGetInt32(value);
			return offset;
		case INT8OID:
			offset.units = DatumGetInt64(value);
			return offset;
		case INTERVALOID:
			return offset_of_interval(DatumGetIntervalP(value));
		case UNKNOWNOID:
			return offset_of_literal(key, DatumGetCString(value));
		default:
			elog(ERROR, "unexpected type of an offset: %u", type);
	}
}

/* Does the offset lead from each key to itself? */
bool
sp_rolling_offset_is_zero(const SpRollingOffset *offset)
{
	return !offset->unbounded && offset->infinite == 0 && offset->units == 0 &&
		offset->months == 0 && offset->days == 0 && offset->micros == 0;
}
