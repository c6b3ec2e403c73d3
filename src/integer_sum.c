/*-------------------------------------------------------------------------
 *
 * integer_sum.c
 *	  Conversion of 128-bit sums to numeric.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/int.h"
#include "fmgr.h"
#include "integer_sum.h"
#include "utils/fmgrprotos.h"

#define LIMB INT64CONST(1000000000000000000)	/* 10^18 */

/* high * 10^18 + low */
static Numeric
numeric_from_limbs(Numeric high, int64 low)
{
	Datum		scaled = DirectFunctionCall2(numeric_mul,
											 NumericGetDatum(high),
											 NumericGetDatum(int64_to_numeric(LIMB)));

	return DatumGetNumeric(DirectFunctionCall2(numeric_add, scaled,
											   NumericGetDatum(int64_to_numeric(low))));
}

/*
 * sp_int128_to_numeric
 *		The value as numeric with scale 0, allocated in the current context.
 */
Numeric
sp_int128_to_numeric(int128 value)
{
	int128		high;

	if (likely(value == (int64) value))
		return int64_to_numeric((int64) value);

	/* |value| < 2^127, so high has at most 21 digits: two limbs of its own */
	high = value / LIMB;
	return numeric_from_limbs(numeric_from_limbs(int64_to_numeric((int64) (high / LIMB)),
												 (int64) (high % LIMB)),
							  (int64) (value % LIMB));
}
