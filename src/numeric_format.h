/*-------------------------------------------------------------------------
 *
 * numeric_format.h
 *	  Reading and writing numeric values of a fixed scale.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SP_NUMERIC_FORMAT_H
#define SP_NUMERIC_FORMAT_H

#include "postgres.h"

#include "utils/numeric.h"

#define SP_NUMERIC_DIGITS 10	/* base-10000 digits of a 128-bit integer */

/*
 * Values of numeric(p, s) with p up to this are added up in 128 bits: 2^60 of
 * them have room.
 */
#define SP_MAX_PRECISION 20

/* Room for any 128-bit integer, of whatever scale, as numeric */
typedef struct SpNumericBuffer
{
	int32		vl_len_;		/* varlena header */
	uint16		header;
	int16		digits[SP_NUMERIC_DIGITS];
} SpNumericBuffer;

extern bool sp_numeric_typmod(int32 typmod, int *precision, int *scale);
extern bool sp_numeric_fits(Datum value, int precision, int scale);
extern bool sp_numeric_read(Datum value, int precision, int scale, int128 *units);
extern Numeric sp_numeric_write(int128 units, int scale, SpNumericBuffer *buffer);
extern Numeric sp_numeric_write_nan(SpNumericBuffer *buffer);

#endif							/* SP_NUMERIC_FORMAT_H */
