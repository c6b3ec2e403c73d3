/*-------------------------------------------------------------------------
 *
 * rolling_aggregate.h
 *	  Aggregates of range_rolling() over the values that are in the frame.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SP_ROLLING_AGGREGATE_H
#define SP_ROLLING_AGGREGATE_H

#include "postgres.h"

#include "numeric_format.h"
#include "ring.h"

struct SpRollingState;

/* What an aggregate contributes.  Values are not NULL. */
typedef struct SpRollingAggregate
{
	const char *name;			/* of the SQL function */
	bool		is_extreme;		/* min or max */
	void		(*enter) (struct SpRollingState *state, int64 position, int64 value);
	void		(*leave) (struct SpRollingState *state, int64 position, int64 value);

	/* Over at least one value, but for count */
	Datum		(*result) (struct SpRollingState *state);
} SpRollingAggregate;

/* The values in the frame */
typedef struct SpRollingState
{
	Oid			value_type;		/* INT2OID, INT4OID or INT8OID */
	bool		grows_only;		/* no value ever leaves */
	int64		count;
	int128		sum;
	SpNumericBuffer wide_sum;	/* a result */

	/*
	 * For an extreme: values, each with its position, that no later value in
	 * the frame is better than; worse from first to last.  The first is the
	 * result.
	 */
	SpRing	   *candidates;
	int64		first_candidate;
} SpRollingState;

extern const SpRollingAggregate sp_rolling_sum;
extern const SpRollingAggregate sp_rolling_avg;
extern const SpRollingAggregate sp_rolling_min;
extern const SpRollingAggregate sp_rolling_max;
extern const SpRollingAggregate sp_rolling_count;

extern SpRing *sp_rolling_candidates(MemoryContext context, int64 memory_limit);
extern void sp_rolling_reset(SpRollingState *state, bool grows_only);

#endif							/* SP_ROLLING_AGGREGATE_H */
