/*-------------------------------------------------------------------------
 *
 * fused_bounds.c
 *	  Turns frames into bounds, and gathers results with the same ones.
 *
 * In:	the frames of the plan and the values of their offsets.
 * Out: the distinct windows, each with its results.
 *
 * A frame holds the rows from its head up to, and without, its tail.  In ROWS
 * mode both are a number of rows from the current one; in GROUPS mode, and at
 * CURRENT ROW in RANGE mode, starts of groups of peers; in RANGE mode with an
 * offset, where the order key passes a value.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "compat.h"
#include "fused_bounds.h"
#include "fused_spool.h"
#include "nodes/nodeFuncs.h"
#include "nodes/parsenodes.h"
#include "saturating.h"

#define EXCLUDES_PEERS	(FRAMEOPTION_EXCLUDE_GROUP | FRAMEOPTION_EXCLUDE_TIES)

/*
 * sp_frame_needs_peers
 *		Do a frame's bounds, or what it excludes, depend on groups of peers?
 */
bool
sp_frame_needs_peers(int frameOptions)
{
	if (frameOptions & EXCLUDES_PEERS)
		return true;
	if (frameOptions & FRAMEOPTION_RANGE)
		return (frameOptions & (FRAMEOPTION_START_CURRENT_ROW |
								FRAMEOPTION_END_CURRENT_ROW)) != 0;
	return (frameOptions & FRAMEOPTION_GROUPS) != 0;
}

/* Does a frame hold, or speak of, rows after the current one? */
static bool
frame_looks_ahead(int options)
{
	return sp_frame_needs_peers(options) || sp_frame_adds_to_key(options) ||
		(options & (FRAMEOPTION_START_OFFSET_FOLLOWING |
					FRAMEOPTION_END_OFFSET_FOLLOWING |
					FRAMEOPTION_END_UNBOUNDED_FOLLOWING)) != 0;
}

/*
 * sp_spool_is_needed
 *		Must rows be read ahead of the current one?
 */
bool
sp_spool_is_needed(const SpFusedPlan *plan)
{
	ListCell   *lc;

	foreach(lc, plan->frame_options)
	{
		if (frame_looks_ahead(lfirst_int(lc)))
			return true;
	}
	return false;
}

/* A bound by offset: index of the offset, SP_CURRENT_ROW or SP_UNBOUNDED */
static SpBound
make_bound(int index, int options, bool is_tail, bool follows, const Datum *offsets)
{
	SpBound		bound = {0};
	int64		offset = 0;

	if (index == SP_UNBOUNDED)
	{
		bound.kind = is_tail ? SP_BOUND_LAST : SP_BOUND_FIRST;
		return bound;
	}
	if (index >= 0 && (options & FRAMEOPTION_RANGE))
	{
		bound.kind = SP_BOUND_RANGE;
		bound.shift = index;
		return bound;
	}
	if (index >= 0)
		offset = follows ? DatumGetInt64(offsets[index]) : -DatumGetInt64(offsets[index]);
	bound.kind = (options & FRAMEOPTION_ROWS) ? SP_BOUND_ROW : SP_BOUND_GROUP;
	bound.shift = sp_saturating_add(offset, is_tail);
	return bound;
}

/* Complete a bound by an offset from the order key */
static void
add_range(SpFusedState *state, SpBound *bound, int frame, bool is_tail, bool follows,
		  const SpOrderKeys *keys, const Datum *offsets)
{
	List	   *range = (List *) list_nth(state->plan.frame_ranges, frame);

	if (bound->kind != SP_BOUND_RANGE)
		return;
	bound->range = palloc0_object(SpRangeBound);
	sp_range_init(bound->range, is_tail ? lsecond_oid(range) : linitial_oid(range),
				  lthird_oid(range), lfourth_oid(range), list_nth_oid(range, 4),
				  is_tail, follows, keys->type,
				  exprType((Node *) list_nth(state->plan.offsets, bound->shift)),
				  offsets[bound->shift]);
}

/* A window of its own for a frame; without results yet */
static SpWindowState
make_window(SpFusedState *state, int frame, const Datum *offsets)
{
	const SpFusedPlan *plan = &state->plan;
	int			options = list_nth_int(plan->frame_options, frame);
	bool		head_follows = (options & FRAMEOPTION_START_OFFSET_FOLLOWING) != 0;
	bool		tail_follows = (options & FRAMEOPTION_END_OFFSET_FOLLOWING) != 0;
	int			order = list_nth_int(plan->frame_orders, frame);
	SpWindowState window = {0};

	window.head = make_bound(list_nth_int(plan->frame_heads, frame), options, false,
							 head_follows, offsets);
	window.tail = make_bound(list_nth_int(plan->frame_tails, frame), options, true,
							 tail_follows, offsets);
	if (sp_frame_adds_to_key(options))
	{
		window.keys = sp_spool_order_keys(state->spool, order);
		add_range(state, &window.head, frame, false, head_follows, window.keys, offsets);
		add_range(state, &window.tail, frame, true, tail_follows, window.keys, offsets);
	}
	window.exclusion = options & FRAMEOPTION_EXCLUSION;
	if (window.exclusion == FRAMEOPTION_EXCLUDE_CURRENT_ROW &&
		window.tail.kind == SP_BOUND_ROW && window.tail.shift <= 1)
	{
		/* without the current row it ends with the row before */
		window.tail.shift = Min(window.tail.shift, 0);
		window.exclusion = 0;
	}
	if (sp_frame_needs_peers(options))
		window.peers = sp_spool_peers(state->spool, order);
	return window;
}

static bool
bounds_are_equal(const SpBound *a, const SpBound *b)
{
	return a->kind == b->kind && a->shift == b->shift;
}

/* The window with those bounds, added if there is none yet */
static SpWindowState *
intern_window(SpFusedState *state, const SpWindowState *wanted)
{
	for (int i = 0; i < state->nwindows; i++)
	{
		SpWindowState *window = &state->windows[i];

		if (bounds_are_equal(&window->head, &wanted->head) &&
			bounds_are_equal(&window->tail, &wanted->tail) &&
			window->exclusion == wanted->exclusion && window->peers == wanted->peers &&
			window->keys == wanted->keys)
			return window;
	}
	state->windows[state->nwindows] = *wanted;
	return &state->windows[state->nwindows++];
}

/*
 * sp_fused_init_windows
 *		Gather the results by their frames.  offsets are in the order of the
 *		plan's.
 */
void
sp_fused_init_windows(SpFusedState *state, const Datum *offsets)
{
	const SpFusedPlan *plan = &state->plan;

	state->nwindows = 0;
	state->windows = palloc0_array(SpWindowState, state->nframes);
	for (int i = 0; i < state->nframes; i++)
	{
		SpWindowState window = make_window(state, i, offsets);

		sp_window_add(intern_window(state, &window),
					  &state->measures[list_nth_int(plan->frame_measures, i)],
					  sp_find_aggregate(list_nth_oid(plan->frame_aggs, i))->result,
					  state->frame_columns[i], state->nframes);
	}
}

/* Does a window read the ring there? */
static bool
reader_is_needed(const SpFusedState *state, const SpWindowState *window,
				 SpWindowReader reader)
{
	switch (reader)
	{
		case SP_READ_HEAD:
			return window->head.kind != SP_BOUND_FIRST;
		case SP_READ_TAIL:
			return state->spool || window->tail.shift != 1;
		default:
			return window->exclusion != 0;
	}
}

/*
 * sp_fused_assign_readers
 *		Number the readers of the ring, and return how many there are.
 */
int
sp_fused_assign_readers(SpFusedState *state)
{
	int			nreaders = 0;

	for (int i = 0; i < state->nwindows; i++)
	{
		SpWindowState *window = &state->windows[i];

		for (int reader = 0; reader < SP_NREADERS; reader++)
			window->readers[reader] =
				reader_is_needed(state, window, reader) ? nreaders++ : -1;
	}
	return nreaders;
}
