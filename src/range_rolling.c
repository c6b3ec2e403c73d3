/*-------------------------------------------------------------------------
 *
 * range_rolling.c
 *	  range_rolling() and its kind: rolling aggregates over a range of the
 *	  order key.
 *
 * In:	the rows of a partition, sorted by the key.
 * Out: for each row, an aggregate over the rows whose keys lie between its own
 *		less "preceding" and its own plus "following".
 *
 * A frame is two positions in the partition: its head, the first row in it,
 * and its tail, the row after the last.  Both only move forward, as in the
 * server's own RANGE frames.  A key is fetched when the tail, or the question
 * in which direction the keys are sorted, first needs it, and a value when the
 * tail passes it or its row becomes the current one, which saves a fetch.
 * Both are kept in rings until the head is past them.  What the tail passes
 * enters the aggregate, what the head passes leaves it.
 *
 * The window function interface does not tell how the window is sorted.  The
 * direction and the place of NULL keys are read off the rows, and rows that
 * contradict them are refused.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "compat.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "ring.h"
#include "rolling_aggregate.h"
#include "rolling_key.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "windowapi.h"

PG_FUNCTION_INFO_V1(range_rolling);
PG_FUNCTION_INFO_V1(range_rolling_avg);
PG_FUNCTION_INFO_V1(range_rolling_min);
PG_FUNCTION_INFO_V1(range_rolling_max);
PG_FUNCTION_INFO_V1(range_rolling_count);
PGDLLEXPORT Datum range_rolling(PG_FUNCTION_ARGS);
PGDLLEXPORT Datum range_rolling_avg(PG_FUNCTION_ARGS);
PGDLLEXPORT Datum range_rolling_min(PG_FUNCTION_ARGS);
PGDLLEXPORT Datum range_rolling_max(PG_FUNCTION_ARGS);
PGDLLEXPORT Datum range_rolling_count(PG_FUNCTION_ARGS);

/* Arguments of the SQL functions */
enum
{
	VALUE_ARG,
	KEY_ARG,
	PRECEDING_ARG,
	FOLLOWING_ARG,
	MIN_PERIODS_ARG
};

/* Readers of the rings */
enum
{
	CURRENT_READER,
	HEAD_READER,
	TAIL_READER,
	NREADERS
};

/* The key or value of a row */
typedef struct RowEntry
{
	int64		integer;
	bool		isnull;
} RowEntry;

/* Rows after which the server may forget those that are fetched */
#define MARK_INTERVAL	64

/* Arguments that are the same for all rows of a partition */
typedef struct Extent
{
	SpRollingOffset preceding;
	SpRollingOffset following;
	int64		min_periods;
} Extent;

/* One window function of a query */
typedef struct Rolling
{
	const SpRollingAggregate *aggregate;
	const SpRollingKey *key;
	bool		extent_is_stable;	/* not evaluated again for each row */
	SpRing	   *keys;			/* entries that are fetched and still needed */
	SpRing	   *values;
	SpRollingState state;		/* of the aggregate, over head .. tail - 1 */

	/* The partition */
	WindowObject winobj;
	Extent		extent;
	bool		head_is_at_key; /* preceding is 0 or unbounded */
	bool		tail_is_at_key; /* following is 0 or unbounded */
	bool		ended;			/* all its keys are fetched */
	RowEntry		last_key;		/* that was fetched */
	int			direction;		/* 1 ascending, -1 descending, 0 not known yet */
	int64		nulls_first;	/* NULL keys before all others */
	bool		nulls_last;		/* NULL keys after others were fetched */
	int64		head;
	int64		tail;

	/* The current row */
	int64		position;
	RowEntry		key_of_row;
	int64		head_bound;		/* first and last key in the frame */
	int64		tail_bound;
} Rolling;

/* Memory local to a partition, zero for a new one */
typedef struct PartitionMark
{
	bool		begun;
} PartitionMark;

/* ---------------------------------------------------------------------
 * Set-up
 * ---------------------------------------------------------------------
 */

/* A ring that is closed when the query ends */
static SpRing *
create_ring(MemoryContext context, Size entry_size, int nreaders, int64 memory_limit)
{
	SpRing	   *ring = sp_ring_create(context, entry_size, nreaders, PG_INT64_MAX,
									  memory_limit);

	sp_ring_close_with_context(ring);
	return ring;
}

static bool
extent_is_stable(FmgrInfo *flinfo)
{
	return get_fn_expr_arg_stable(flinfo, PRECEDING_ARG) &&
		get_fn_expr_arg_stable(flinfo, FOLLOWING_ARG) &&
		get_fn_expr_arg_stable(flinfo, MIN_PERIODS_ARG);
}

/* The state of a function call in a query, made at its first row */
static Rolling *
create_rolling(FunctionCallInfo fcinfo, const SpRollingAggregate *aggregate)
{
	FmgrInfo   *flinfo = fcinfo->flinfo;
	const SpRollingKey *key;
	MemoryContext context;
	Rolling    *rolling;
	int64		memory_limit = work_mem * INT64CONST(1024) / (aggregate->is_extreme ? 3 : 2);

	key = sp_rolling_key(get_fn_expr_argtype(flinfo, KEY_ARG),
						 get_fn_expr_argtype(flinfo, PRECEDING_ARG),
						 get_fn_expr_argtype(flinfo, FOLLOWING_ARG));

	context = AllocSetContextCreate(flinfo->fn_mcxt, "range_rolling",
									ALLOCSET_DEFAULT_SIZES);
	rolling = (Rolling *) MemoryContextAllocZero(context, sizeof(Rolling));
	rolling->aggregate = aggregate;
	rolling->key = key;
	rolling->extent_is_stable = extent_is_stable(flinfo);
	rolling->state.value_type = get_fn_expr_argtype(flinfo, VALUE_ARG);

	rolling->keys = create_ring(context, sizeof(RowEntry), NREADERS, memory_limit);
	rolling->values = create_ring(context, sizeof(RowEntry), NREADERS, memory_limit);
	if (aggregate->is_extreme)
		rolling->state.candidates = sp_rolling_candidates(context, memory_limit);
	flinfo->fn_extra = rolling;
	return rolling;
}

/* What an error raised while reading an offset says beside */
typedef struct OffsetPlace
{
	const char *argument;
	const char *function;
} OffsetPlace;

static void
offset_context(void *arg)
{
	const OffsetPlace *place = (const OffsetPlace *) arg;

	errcontext("%s of %s()", place->argument, place->function);
}

static SpRollingOffset
evaluate_offset(FunctionCallInfo fcinfo, const Rolling *rolling, int argno)
{
	bool		isnull;
	Datum		value = WinGetFuncArgCurrent(rolling->winobj, argno, &isnull);
	OffsetPlace place = {argno == PRECEDING_ARG ? "preceding" : "following",
	rolling->aggregate->name};
	ErrorContextCallback callback = {error_context_stack, offset_context, &place};
	SpRollingOffset offset;

	error_context_stack = &callback;
	offset = sp_rolling_offset(rolling->key,
							   get_fn_expr_argtype(fcinfo->flinfo, argno), value, isnull);
	error_context_stack = callback.previous;
	return offset;
}

static int64
evaluate_min_periods(const Rolling *rolling)
{
	bool		isnull;
	int32		min_periods = DatumGetInt32(WinGetFuncArgCurrent(rolling->winobj,
																 MIN_PERIODS_ARG, &isnull));

	if (isnull)
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("min_periods of %s() must not be null", rolling->aggregate->name),
				 errhint("Pass 0 or more, or leave the argument out.")));
	if (min_periods < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("min_periods of %s() must not be negative", rolling->aggregate->name),
				 errdetail("It is %d.", min_periods),
				 errhint("Pass the number of values that a frame must hold, 0 or more.")));
	return min_periods;
}

static Extent
evaluate_extent(FunctionCallInfo fcinfo, const Rolling *rolling)
{
	Extent		extent;

	extent.preceding = evaluate_offset(fcinfo, rolling, PRECEDING_ARG);
	extent.following = evaluate_offset(fcinfo, rolling, FOLLOWING_ARG);
	extent.min_periods = evaluate_min_periods(rolling);
	return extent;
}

static void
refuse_variation(const Rolling *rolling, const char *argument)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PRECEDING_OR_FOLLOWING_SIZE),
			 errmsg("%s of %s() must not vary within a partition",
					argument, rolling->aggregate->name),
			 errdetail("Row %lld of the partition has another value than its first row.",
					   (long long) rolling->position + 1),
			 errhint("Pass a constant, or an expression of the PARTITION BY columns.")));
}

static void
check_extent(FunctionCallInfo fcinfo, const Rolling *rolling)
{
	Extent		extent = evaluate_extent(fcinfo, rolling);

	if (memcmp(&extent.preceding, &rolling->extent.preceding, sizeof(SpRollingOffset)) != 0)
		refuse_variation(rolling, "preceding");
	if (memcmp(&extent.following, &rolling->extent.following, sizeof(SpRollingOffset)) != 0)
		refuse_variation(rolling, "following");
	if (extent.min_periods != rolling->extent.min_periods)
		refuse_variation(rolling, "min_periods");
}

static bool
bound_is_key(const SpRollingOffset *offset)
{
	return offset->unbounded || sp_rolling_offset_is_zero(offset);
}

static void
begin_partition(FunctionCallInfo fcinfo, Rolling *rolling)
{
	rolling->extent = evaluate_extent(fcinfo, rolling);
	rolling->head_is_at_key = bound_is_key(&rolling->extent.preceding);
	rolling->tail_is_at_key = bound_is_key(&rolling->extent.following);
	rolling->ended = false;
	rolling->direction = 0;
	rolling->nulls_first = 0;
	rolling->nulls_last = false;
	rolling->head = 0;
	rolling->tail = 0;
	sp_ring_reset(rolling->keys);
	sp_ring_reset(rolling->values);
	sp_rolling_reset(&rolling->state, rolling->extent.preceding.unbounded);
}

/* ---------------------------------------------------------------------
 * Fetching keys and values
 * ---------------------------------------------------------------------
 */

static void
refuse_order(const Rolling *rolling, const char *detail)
{
	ereport(ERROR,
			(errcode(ERRCODE_WINDOWING_ERROR),
			 errmsg("rows are not ordered by the order key of %s()",
					rolling->aggregate->name),
			 errdetail("%s, at row %lld of the partition.", detail,
					   (long long) rolling->keys->count + 1),
			 errhint("Let the window's ORDER BY begin with the order key, ascending or descending.")));
}

/*
 * Rows of different keys must not be peers: they are when the window is not
 * sorted, or by another column, and happen to come in order.
 */
static void
check_not_peers(const Rolling *rolling)
{
	int64		position = rolling->keys->count;

	if (WinRowsArePeers(rolling->winobj, position - 1, position))
		refuse_order(rolling, "Different keys are peers in the window's ORDER BY");
}

/* Compare a key just fetched to the one before it */
static void
check_order(Rolling *rolling, const RowEntry *key)
{
	const RowEntry *last = &rolling->last_key;
	int			direction;

	if (key->isnull != last->isnull)
	{
		if (!key->isnull && rolling->nulls_last)
			refuse_order(rolling, "NULL keys lie between others");
		if (key->isnull && rolling->nulls_first > 0)
			refuse_order(rolling, "There are NULL keys both before and after others");
		if (rolling->direction == 0)
			check_not_peers(rolling);
		rolling->nulls_last = key->isnull;
		return;
	}
	if (key->isnull || key->integer == last->integer)
		return;

	direction = key->integer > last->integer ? 1 : -1;
	if (rolling->direction == 0)
	{
		check_not_peers(rolling);
		rolling->direction = direction;
	}
	else if (rolling->direction != direction)
		refuse_order(rolling, "Keys neither ascend nor descend throughout");
}

static int64
integer_value(const Rolling *rolling, Datum value)
{
	switch (rolling->state.value_type)
	{
		case INT2OID:
			return DatumGetInt16(value);
		case INT4OID:
			return DatumGetInt32(value);
		case INT8OID:
			return DatumGetInt64(value);
		default:
			return 0;			/* of no interest to count */
	}
}

/* Evaluate an argument for a row that is not before the current one */
static Datum
fetch_argument(const Rolling *rolling, int argno, int64 position, bool *isnull, bool *isout)
{
	int64		distance = position - rolling->position;

	if (distance > PG_INT32_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("frame of %s() reaches too far ahead", rolling->aggregate->name),
				 errdetail("It would hold more than %d rows after the current one.",
						   PG_INT32_MAX),
				 errhint("Use a smaller offset, or smaller partitions.")));
	return WinGetFuncArgInPartition(rolling->winobj, argno, (int) distance,
									WINDOW_SEEK_CURRENT, false, isnull, isout);
}

/* Fetch the next key of the partition, or note that there is none */
static void
fetch_key(Rolling *rolling)
{
	int64		position = rolling->keys->count;
	RowEntry		key = {0};
	Datum		datum;

	datum = fetch_argument(rolling, KEY_ARG, position, &key.isnull, &rolling->ended);
	if (rolling->ended)
		return;
	if (!key.isnull)
		key.integer = rolling->key->fetch(datum);

	if (position > 0)
		check_order(rolling, &key);
	if (key.isnull && position == rolling->nulls_first)
		rolling->nulls_first++;
	rolling->last_key = key;
	sp_ring_append(rolling->keys, &key);
}

/*
 * Fetch the next value, which is not before the current row's.  The mark
 * follows, so that the server can forget the rows before it.
 */
static void
fetch_value(Rolling *rolling)
{
	int64		position = rolling->values->count;
	RowEntry		value = {0};
	Datum		datum;

	if (position == rolling->position)
		datum = WinGetFuncArgCurrent(rolling->winobj, VALUE_ARG, &value.isnull);
	else
		datum = fetch_argument(rolling, VALUE_ARG, position, &value.isnull, NULL);
	if (!value.isnull)
		value.integer = integer_value(rolling, datum);
	sp_ring_append(rolling->values, &value);
	if (position % MARK_INTERVAL == 0)
		WinSetMarkPosition(rolling->winobj, position);
}

/* The key at a position that is not behind the reader, or NULL past the end */
static inline const RowEntry *
key_at(Rolling *rolling, int reader, int64 position)
{
	while (position >= rolling->keys->count)
	{
		if (rolling->ended)
			return NULL;
		fetch_key(rolling);
	}
	return (const RowEntry *) sp_ring_read(rolling->keys, reader, position);
}

/* The value at a position that has a key and is not behind the reader */
static inline const RowEntry *
value_at(Rolling *rolling, int reader, int64 position)
{
	while (position >= rolling->values->count)
		fetch_value(rolling);
	return (const RowEntry *) sp_ring_read(rolling->values, reader, position);
}

/* ---------------------------------------------------------------------
 * The frame of the current row
 * ---------------------------------------------------------------------
 */

/* Is a row before the frame, if all rows before it are? */
static bool
row_is_before_frame(const Rolling *rolling, int64 position, const RowEntry *key)
{
	bool		is_null_first = position < rolling->nulls_first;

	if (rolling->key_of_row.isnull)
		return !key->isnull;
	if (key->isnull)
		return is_null_first;
	return rolling->direction >= 0 ? key->integer < rolling->head_bound :
		key->integer > rolling->head_bound;
}

/* Is a row in the frame or before it, if all rows before it are? */
static bool
row_is_before_tail(const Rolling *rolling, int64 position, const RowEntry *key)
{
	bool		is_null_first = position < rolling->nulls_first;

	if (rolling->extent.following.unbounded)
		return true;
	if (rolling->key_of_row.isnull) /* all to the end, unless NULLS FIRST */
		return is_null_first || rolling->position >= rolling->nulls_first;
	if (key->isnull)
		return is_null_first;
	return rolling->direction >= 0 ? key->integer <= rolling->tail_bound :
		key->integer >= rolling->tail_bound;
}

static void
enter_row(Rolling *rolling, int64 position)
{
	const RowEntry *value = value_at(rolling, TAIL_READER, position);

	if (value->isnull)
		return;
	rolling->state.count++;
	rolling->aggregate->enter(&rolling->state, position, value->integer);
}

static void
leave_row(Rolling *rolling, int64 position)
{
	const RowEntry *value = value_at(rolling, HEAD_READER, position);

	if (value->isnull)
		return;
	rolling->state.count--;
	rolling->aggregate->leave(&rolling->state, position, value->integer);
}

static void
move_head(Rolling *rolling)
{
	const RowEntry *key;

	if (rolling->extent.preceding.unbounded)
		return;
	while ((key = key_at(rolling, HEAD_READER, rolling->head)) != NULL &&
		   row_is_before_frame(rolling, rolling->head, key))
	{
		CHECK_FOR_INTERRUPTS();
		if (rolling->head < rolling->tail)
			leave_row(rolling, rolling->head);
		rolling->head++;
	}
}

static void
move_tail(Rolling *rolling)
{
	const RowEntry *key;

	while ((key = key_at(rolling, TAIL_READER, rolling->tail)) != NULL &&
		   row_is_before_tail(rolling, rolling->tail, key))
	{
		CHECK_FOR_INTERRUPTS();
		if (rolling->tail >= rolling->head)
			enter_row(rolling, rolling->tail);
		rolling->tail++;
	}
}

/* Find the first and last key in the frame of a row whose key is not NULL */
static void
compute_bounds(Rolling *rolling, int direction)
{
	int64		key = rolling->key_of_row.integer;

	rolling->head_bound = rolling->head_is_at_key ? key :
		rolling->key->add(key, &rolling->extent.preceding, -direction);
	rolling->tail_bound = rolling->tail_is_at_key ? key :
		rolling->key->add(key, &rolling->extent.following, direction);
}

/* Is the current row's key in its own frame? */
static bool
frame_holds_key(Rolling *rolling, int direction)
{
	int64		key = rolling->key_of_row.integer;

	compute_bounds(rolling, direction);
	return direction > 0 ?
		key >= rolling->head_bound && key <= rolling->tail_bound :
		key <= rolling->head_bound && key >= rolling->tail_bound;
}

/*
 * All keys of the partition are equal: whether they ascend or descend cannot be
 * seen.  It makes a difference only for offsets that add up to another point in
 * time than they subtract from, or that are cut off at the limits of the type.
 */
static void
check_direction_is_irrelevant(Rolling *rolling)
{
	if (frame_holds_key(rolling, -1) == frame_holds_key(rolling, 1))
		return;
	ereport(ERROR,
			(errcode(ERRCODE_WINDOWING_ERROR),
			 errmsg("whether the order key of %s() ascends or descends cannot be seen",
					rolling->aggregate->name),
			 errdetail("All keys of the partition are equal, and the frame would hold them in one of the two cases only."),
			 errhint("Use offsets that do not mix signs, and none that are negative at the limits of the key's type.")));
}

/*
 * Make a row the current one.  What its bounds are depends on the direction of
 * the keys; when that is still unknown at the end, all keys are equal.
 */
static void
set_current_row(Rolling *rolling, int64 position)
{
	bool		is_new_key;
	const RowEntry *key;

	rolling->position = position;
	while (rolling->direction == 0 && !rolling->ended && !rolling->nulls_last)
		fetch_key(rolling);

	key = key_at(rolling, CURRENT_READER, position);
	is_new_key = position == 0 || rolling->key_of_row.isnull ||
		key->integer != rolling->key_of_row.integer;
	rolling->key_of_row = *key;
	if (!key->isnull && is_new_key)
	{
		if (rolling->direction == 0)
			check_direction_is_irrelevant(rolling);
		compute_bounds(rolling, rolling->direction >= 0 ? 1 : -1);
	}
	while (rolling->values->count <= position)
		fetch_value(rolling);
}

/* Release what neither the current row nor the frame will need again */
static void
release_rows(Rolling *rolling)
{
	int64		needed = rolling->extent.preceding.unbounded ? rolling->tail :
		Min(rolling->head, rolling->tail);

	sp_ring_release(rolling->keys, Min(needed, rolling->position));
	sp_ring_release(rolling->values, needed);
}

/*
 * roll
 *		The aggregate over the frame of the current row.
 *
 * Arguments: value; order key; preceding and following, offsets from the key,
 * NULL for UNBOUNDED; min_periods, the least number of non-NULL values.
 *
 * Raises datatype_mismatch for a key or offset of an unsupported type,
 * windowing_error when the rows are not ordered by the key,
 * invalid_preceding_or_following_size when an offset varies, and
 * invalid_parameter_value for a negative min_periods.
 */
static Datum
roll(FunctionCallInfo fcinfo, const SpRollingAggregate *aggregate)
{
	Rolling    *rolling = (Rolling *) fcinfo->flinfo->fn_extra;
	WindowObject winobj = PG_WINDOW_OBJECT();
	PartitionMark *mark;

	if (rolling == NULL)
	{
		sp_refuse_ignore_nulls(winobj, fcinfo);
		rolling = create_rolling(fcinfo, aggregate);
	}
	mark = (PartitionMark *) WinGetPartitionLocalMemory(winobj, sizeof(PartitionMark));
	rolling->winobj = winobj;
	rolling->position = WinGetCurrentPosition(winobj);
	if (!mark->begun)
	{
		begin_partition(fcinfo, rolling);
		mark->begun = true;
	}
	else if (!rolling->extent_is_stable)
		check_extent(fcinfo, rolling);

	set_current_row(rolling, rolling->position);
	move_head(rolling);
	move_tail(rolling);
	release_rows(rolling);

	if (rolling->state.count < rolling->extent.min_periods ||
		(rolling->state.count == 0 && aggregate != &sp_rolling_count))
		PG_RETURN_NULL();
	return aggregate->result(&rolling->state);
}

Datum
range_rolling(PG_FUNCTION_ARGS)
{
	return roll(fcinfo, &sp_rolling_sum);
}

Datum
range_rolling_avg(PG_FUNCTION_ARGS)
{
	return roll(fcinfo, &sp_rolling_avg);
}

Datum
range_rolling_min(PG_FUNCTION_ARGS)
{
	return roll(fcinfo, &sp_rolling_min);
}

Datum
range_rolling_max(PG_FUNCTION_ARGS)
{
	return roll(fcinfo, &sp_rolling_max);
}

Datum
range_rolling_count(PG_FUNCTION_ARGS)
{
	return roll(fcinfo, &sp_rolling_count);
}
