/*-------------------------------------------------------------------------
 *
 * saturating.h
 *	  Addition that stops at the limit.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SP_SATURATING_H
#define SP_SATURATING_H

#include "postgres.h"

#include "common/int.h"

/*
 * sp_saturating_add
 *		a + b, or PG_INT64_MAX where that is above it.
 */
static inline int64
sp_saturating_add(int64 a, int64 b)
{
	int64		sum;

	return pg_add_s64_overflow(a, b, &sum) ? PG_INT64_MAX : sum;
}

#endif							/* SP_SATURATING_H */
