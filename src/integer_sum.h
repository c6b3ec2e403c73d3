/*-------------------------------------------------------------------------
 *
 * integer_sum.h
 *	  Sums of integers as numeric.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SP_INTEGER_SUM_H
#define SP_INTEGER_SUM_H

#include "postgres.h"

#include "utils/numeric.h"

#define SP_NUMERIC_DIGITS 10	/* base-10000 digits of a 128-bit integer */

/* Room for any 128-bit integer as numeric */
typedef struct SpNumericBuffer
{
	int32		vl_len_;		/* varlena header */
	uint16		header;
	int16		digits[SP_NUMERIC_DIGITS];
} SpNumericBuffer;

extern Numeric sp_int128_to_numeric(int128 value, SpNumericBuffer *buffer);

#endif							/* SP_INTEGER_SUM_H */
