/*-------------------------------------------------------------------------
 *
 * numeric_format.c
 *	  Conversion between 128-bit sums and numeric.
 *
 * The server's own conversions allocate for each value, which would cost more
 * than all else.  These read numeric's on-disk format and write its short
 * form, which pg_upgrade keeps stable: a 16-bit header of format, sign, scale
 * and weight (in the long form the weight follows), then the base-10000 digits,
 * most significant first, without trailing zeros.
 *
 * A value of scale s is held in units of 10000^-g, g being the number of
 * base-10000 digits that s decimal digits take.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "compat.h"
#include "fmgr.h"
#include "numeric_format.h"

#define FORMAT_MASK		0xC000
#define NEGATIVE		0x4000	/* long form; 0 is positive */
#define SHORT_FORMAT	0x8000
#define SPECIAL			0xC000	/* NaN or an infinity */
#define SPECIAL_MASK	0xF000
#define NOT_A_NUMBER	0xC000
#define LONG_SCALE		0x3FFF
#define SHORT_NEGATIVE	0x2000
#define SHORT_SCALE		0x1F80
#define SHORT_SCALE_BIT	7
#define SHORT_WEIGHT	0x007F	/* in two's complement */
#define NBASE			10000
#define LIMB			UINT64CONST(10000000000000000)	/* four digits */

/* Base-10000 digits behind the point that a scale takes */
static inline int
scale_digits(int scale)
{
	return (scale + 3) / 4;
}

/*
 * sp_numeric_typmod
 *		The declared precision and scale, both in decimal digits; false if
 *		there are none or their values have no room.
 */
bool
sp_numeric_typmod(int32 typmod, int *precision, int *scale)
{
	int32		declared = typmod - (int32) VARHDRSZ;

	if (declared < 0)
		return false;
	*precision = (declared >> 16) & 0xFFFF;
	*scale = ((declared & 0x7FF) ^ 0x400) - 0x400;
	return *scale >= 0 && *scale <= *precision && *precision <= SP_MAX_PRECISION;
}

/* ---------------------------------------------------------------------
 * Reading
 * ---------------------------------------------------------------------
 */

/* A value taken apart */
typedef struct NumericParts
{
	bool		is_special;		/* NaN or an infinity */
	bool		is_nan;
	bool		negative;
	int			scale;
	int			weight;			/* power of 10000 of the first digit */
	int			ndigits;
	const char *digits;			/* int16 each, perhaps not aligned */
} NumericParts;

static void
take_apart(Datum value, NumericParts *parts)
{
	struct varlena *varlena = PG_DETOAST_DATUM_PACKED(value);
	const char *data = VARDATA_ANY(varlena);
	uint16		header;
	int16		long_weight;

	memcpy(&header, data, sizeof(header));
	parts->digits = data + sizeof(header);
	parts->is_special = (header & FORMAT_MASK) == SPECIAL;
	parts->is_nan = (header & SPECIAL_MASK) == NOT_A_NUMBER;
	if ((header & FORMAT_MASK) == SHORT_FORMAT)
	{
		parts->weight = ((header & SHORT_WEIGHT) ^ 0x40) - 0x40;
		parts->scale = (header & SHORT_SCALE) >> SHORT_SCALE_BIT;
		parts->negative = (header & SHORT_NEGATIVE) != 0;
	}
	else if (!parts->is_special)
	{
		memcpy(&long_weight, parts->digits, sizeof(long_weight));
		parts->digits += sizeof(long_weight);
		parts->weight = long_weight;
		parts->scale = header & LONG_SCALE;
		parts->negative = (header & FORMAT_MASK) == NEGATIVE;
	}
	parts->ndigits = (VARSIZE_ANY_EXHDR(varlena) - (parts->digits - data)) / sizeof(int16);
}

/* Zeros to append for the last digit to be that of the units */
static inline int
missing_digits(const NumericParts *parts, int scale)
{
	return parts->weight - (parts->ndigits - 1) + scale_digits(scale);
}

static inline bool
parts_fit(const NumericParts *parts, int precision, int scale)
{
	if (parts->is_special)
		return parts->is_nan;
	return parts->scale == scale &&
		(parts->ndigits == 0 ||
		 (parts->weight < scale_digits(precision - scale) &&
		  missing_digits(parts, scale) >= 0));
}

/*
 * sp_numeric_fits
 *		Has the value the declared precision and scale, as the server would have
 *		made sure?  NaN has any.
 */
bool
sp_numeric_fits(Datum value, int precision, int scale)
{
	NumericParts parts;

	take_apart(value, &parts);
	return parts_fit(&parts, precision, scale);
}

/*
 * sp_numeric_read
 *		The value in units of its scale; false if it is NaN.
 *
 * Raises an error if it does not fit the declared precision and scale.
 */
bool
sp_numeric_read(Datum value, int precision, int scale, int128 *units)
{
	NumericParts parts;
	int16		digits[SP_NUMERIC_DIGITS];
	uint128		magnitude = 0;

	take_apart(value, &parts);
	if (unlikely(!parts_fit(&parts, precision, scale)))
		ereport(ERROR,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("value is not of its declared type numeric(%d,%d)", precision, scale),
				 errhint("Set sliding_prefix.enabled to off, or mend the value.")));
	if (parts.is_special)
		return false;

	memcpy(digits, parts.digits, parts.ndigits * sizeof(int16));
	if (parts.ndigits <= 4)
	{
		uint64		small = 0;

		for (int i = 0; i < parts.ndigits; i++)
			small = small * NBASE + digits[i];
		magnitude = small;
	}
	else
	{
		for (int i = 0; i < parts.ndigits; i++)
			magnitude = magnitude * NBASE + digits[i];
	}
	if (parts.ndigits > 0)
	{
		for (int missing = missing_digits(&parts, scale); missing > 0; missing--)
			magnitude *= NBASE;
	}
	*units = parts.negative ? -(int128) magnitude : (int128) magnitude;
	return true;
}

/* ---------------------------------------------------------------------
 * Writing
 * ---------------------------------------------------------------------
 */

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
 * sp_numeric_write
 *		The value, given in units of its scale, as numeric in buffer.
 */
Numeric
sp_numeric_write(int128 units, int scale, SpNumericBuffer *buffer)
{
	int16		room[SP_NUMERIC_DIGITS];
	int16	   *end = room + SP_NUMERIC_DIGITS;
	int16	   *digits = write_digits(units < 0 ? -(uint128) units : (uint128) units,
									  end);
	int			weight = digits == end ? 0 : (int) (end - digits) - 1 - scale_digits(scale);

	while (end > digits && end[-1] == 0)
		end--;

	buffer->header = SHORT_FORMAT | (units < 0 ? SHORT_NEGATIVE : 0) |
		(scale << SHORT_SCALE_BIT) | (weight & SHORT_WEIGHT);
	for (int i = 0; i < end - digits; i++)
		buffer->digits[i] = digits[i];
	SET_VARSIZE(buffer, offsetof(SpNumericBuffer, digits) +
				(end - digits) * sizeof(int16));
	return (Numeric) buffer;
}

Numeric
sp_numeric_write_nan(SpNumericBuffer *buffer)
{
	buffer->header = NOT_A_NUMBER;
	SET_VARSIZE(buffer, offsetof(SpNumericBuffer, digits));
	return (Numeric) buffer;
}
