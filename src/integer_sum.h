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

extern Numeric sp_int128_to_numeric(int128 value);

#endif							/* SP_INTEGER_SUM_H */
