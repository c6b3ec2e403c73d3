/*-------------------------------------------------------------------------
 *
 * rolling_aggregate.c
 *	  Aggregates of range_rolling(): values enter and leave, first in first out.
 *
 * Sums are kept in 128 bits, so that what leaves can be subtracted exactly.
 * Minimum and maximum keep the candidates in a monotonic queue: a value that
 * enters drives out those before it that are no better, since they will leave
 * before it does.  Each value enters and leaves once, so the cost per row is
 * constant on average however wide the frame is.  (The method is known as
 * the sliding window minimum, or "monotonic deque".)
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "rolling_aggregate.h"
#include "utils/fmgrprotos.h"
#include "utils/numeric.h"

typedef struct Candidate
{
	int64		position;
	int64		value;
} Candidate;

enum
{
	FIRST_READER,
	LAST_READER,
	NREADERS
};

/* ---------------------------------------------------------------------
 * Count, sum and average
 * ---------------------------------------------------------------------
 */

static void
enter_sum(SpRollingState *state, int64 position, int64 value)
{
	state->sum += value;
}

static void
leave_sum(SpRollingState *state, int64 position, int64 value)
{
	state->sum -= value;
}

static void
ignore_value(SpRollingState *state, int64 position, int64 value)
{
}

static Datum
count_result(SpRollingState *state)
{
	return Int64GetDatum(state->count);
}

/* Sums of smallint and integer are bigint modulo 2^64, as in the server */
static Datum
sum_result(SpRollingState *state)
{
	if (state->value_type != INT8OID)
		return Int64GetDatum((int64) state->sum);
	return NumericGetDatum(sp_numeric_write(state->sum, 0, &state->wide_sum));
}

static Datum
avg_result(SpRollingState *state)
{
	Datum		sum = state->value_type == INT8OID ? sum_result(state) :
		NumericGetDatum(int64_to_numeric((int64) state->sum));

	return DirectFunctionCall2(numeric_div, sum,
							   NumericGetDatum(int64_to_numeric(state->count)));
}

/* ---------------------------------------------------------------------
 * Minimum and maximum
 * ---------------------------------------------------------------------
 */

static bool
there_are_candidates(const SpRollingState *state)
{
	return state->candidates->count > state->first_candidate;
}

static const Candidate *
first_candidate(SpRollingState *state)
{
	return (const Candidate *) sp_ring_read(state->candidates, FIRST_READER,
											state->first_candidate);
}

static const Candidate *
last_candidate(SpRollingState *state)
{
	return (const Candidate *) sp_ring_read(state->candidates, LAST_READER,
											state->candidates->count - 1);
}

/* better is 1 if greater values are better, -1 if smaller ones are */
static inline void
enter_extreme(SpRollingState *state, int64 position, int64 value, int better)
{
	Candidate	candidate = {position, value};

	while (there_are_candidates(state))
	{
		int64		last = last_candidate(state)->value;

		if (better > 0 ? last > value : last < value)
		{
			if (state->grows_only)
				return;			/* it will never be the first */
			break;
		}
		sp_ring_truncate(state->candidates, state->candidates->count - 1);
	}
	sp_ring_append(state->candidates, &candidate);
}

static void
enter_min(SpRollingState *state, int64 position, int64 value)
{
	enter_extreme(state, position, value, -1);
}

static void
enter_max(SpRollingState *state, int64 position, int64 value)
{
	enter_extreme(state, position, value, 1);
}

static void
leave_extreme(SpRollingState *state, int64 position, int64 value)
{
	if (first_candidate(state)->position == position)
		sp_ring_release(state->candidates, ++state->first_candidate);
}

static Datum
extreme_result(SpRollingState *state)
{
	int64		value = first_candidate(state)->value;

	switch (state->value_type)
	{
		case INT2OID:
			return Int16GetDatum((int16) value);
		case INT4OID:
			return Int32GetDatum((int32) value);
		default:
			return Int64GetDatum(value);
	}
}

const SpRollingAggregate sp_rolling_sum =
{"range_rolling", false, enter_sum, leave_sum, sum_result};

const SpRollingAggregate sp_rolling_avg =
{"range_rolling_avg", false, enter_sum, leave_sum, avg_result};

const SpRollingAggregate sp_rolling_min =
{"range_rolling_min", true, enter_min, leave_extreme, extreme_result};

const SpRollingAggregate sp_rolling_max =
{"range_rolling_max", true, enter_max, leave_extreme, extreme_result};

const SpRollingAggregate sp_rolling_count =
{"range_rolling_count", false, ignore_value, ignore_value, count_result};

/*
 * sp_rolling_candidates
 *		An empty queue of candidates, closed with context.  memory_limit is in
 *		bytes.
 */
SpRing *
sp_rolling_candidates(MemoryContext context, int64 memory_limit)
{
	SpRing	   *ring = sp_ring_create(context, sizeof(Candidate), NREADERS, PG_INT64_MAX,
									  memory_limit);

	sp_ring_close_with_context(ring);
	return ring;
}

/*
 * sp_rolling_reset
 *		Empty the frame, for the next partition.
 */
void
sp_rolling_reset(SpRollingState *state, bool grows_only)
{
	state->grows_only = grows_only;
	state->count = 0;
	state->sum = 0;
	state->first_candidate = 0;
	if (state->candidates)
		sp_ring_reset(state->candidates);
}
