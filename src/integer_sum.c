/*-------------------------------------------------------------------------
 *
 * integer_sum.c
 *	  Conversion of 128-bit sums to numeric.
 *
 * The server's own conversion allocates twice per value, which for sums of
 * bigint would cost more than all else.  This one writes numeric's short
 * on-disk format, which pg_upgrade keeps stable, into a buffer of the caller's:
 * a 16-bit header of format, sign, scale and weight, then the base-10000
 * digits, most significant first, without trailing zeros.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "compat.h"
#include "integer_sum.h"

#define SHORT_FORMAT	0x8000
#define SHORT_NEGATIVE	0x2000	/* the scale bits below it are 0 */
#define NBASE			10000
#define LIMB			UINT64CONST(10000000000000000)	/* four digits */

/*
 * Write the digits of magnitude so that they end before end, and return where
 * they begin.  Zero has no digits.
 */
static int16 *
write_digits(uint128 magnitude, int16 *end)
{
	int16	   *digit = end;
	uint64		rest;

	while (unlikely(magnitude > PG_UINT64_MAX))
	{
		uint64		limb = (uint64) (magnitude % LIMB);

		magnitude /= LIMB;
		for (int i = 0; i < 4; i++)
		{
			*--digit = limb % NBASE;
			limb /= NBASE;
		}
	}
	for (rest = (uint64) magnitude; rest > 0; rest /= NBASE)
		*--digit = rest % NBASE;
	return digit;
}

/*
 * sp_int128_to_numeric
 *		The value as numeric with scale 0, in buffer.
 */
Numeric
sp_int128_to_numeric(int128 value, SpNumericBuffer *buffer)
{
	int16		room[SP_NUMERIC_DIGITS];
	int16	   *end = room + SP_NUMERIC_DIGITS;
	int16	   *digits = write_digits(value < 0 ? -(uint128) value : (uint128) value,
									  end);
	int			weight = Max((int) (end - digits) - 1, 0);

	while (end > digits && end[-1] == 0)
		end--;

	buffer->header = SHORT_FORMAT | (value < 0 ? SHORT_NEGATIVE : 0) | weight;
	for (int i = 0; i < end - digits; i++)
		buffer->digits[i] = digits[i];
	SET_VARSIZE(buffer, offsetof(SpNumericBuffer, digits) +
				(end - digits) * sizeof(int16));
	return (Numeric) buffer;
}
