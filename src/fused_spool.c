/*-------------------------------------------------------------------------
 *
 * fused_spool.c
 *	  Frames that look ahead: rows wait until their frames have been read.
 *
 * In:	rows of the child, sorted by partition and then by ORDER BY.
 * Out: the same rows in the same order, with the results over their frames.
 *
 * Reading a row adds it to the running sums, whose entry is appended to the
 * ring, notes where a group of peers starts, and keeps what is passed on of the
 * row.
 * A row is returned when all rows that its frames hold have been read; a
 * partition's end ends them.
 *
 * With E[k] the sums of a partition's first k rows, the sum over the rows from
 * h up to, and without, t is E[t] - E[h].  E[k] is the ring's entry k - 1.
 * Excluded rows from a up to b are taken out of the entry at the tail: with
 * E[t] - (E[b] - E[a]) in its place all results come out right.
 *
 * This is used only where it cannot be noticed how far rows are read.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "compat.h"
#include "executor/executor.h"
#include "fused_bounds.h"
#include "fused_spool.h"
#include "miscadmin.h"
#include "saturating.h"

#define TRIM_INTERVAL 64		/* rows */

/* ---------------------------------------------------------------------
 * Rows that wait
 *
 * What is passed on of them is kept as an image in a ring, where all of it is
 * passed by value: the columns' Datums, then a NULL flag for each.  Otherwise
 * the rows are in a tuplestore.
 * ---------------------------------------------------------------------
 */

static bool
passes_on_by_value(const SpFusedState *node)
{
	TupleDesc	desc = ExecGetResultType(outerPlanState(node));

	for (int i = 0; i < node->npassed; i++)
	{
		if (!TupleDescAttr(desc, node->passed[i].from)->attbyval)
			return false;
	}
	return true;
}

static Size
image_size(const SpFusedState *node)
{
	return MAXALIGN(Max(node->npassed, 1) * (sizeof(Datum) + sizeof(bool)));
}

/* Start to keep rows, in so many bytes */
static void
start_rows(SpSpool *spool, int64 memory_limit)
{
	if (spool->keeps_images)
		spool->images = sp_ring_create(CurrentMemoryContext, image_size(spool->node), 1,
									   PG_INT64_MAX, memory_limit);
	else
	{
		spool->rows = tuplestore_begin_heap(false, false, Max(memory_limit / 1024, 64));
		tuplestore_set_eflags(spool->rows, 0);
	}
}

static void
keep_row(SpSpool *spool, TupleTableSlot *row)
{
	const SpFusedState *node = spool->node;
	Datum	   *values = (Datum *) spool->image;
	bool	   *isnull = (bool *) (values + node->npassed);

	if (!spool->keeps_images)
	{
		tuplestore_puttupleslot(spool->rows, row);
		return;
	}
	for (int i = 0; i < node->npassed; i++)
	{
		values[i] = row->tts_values[node->passed[i].from];
		isnull[i] = row->tts_isnull[node->passed[i].from];
	}
	sp_ring_append(spool->images, spool->image);
}

/* Put what is passed on of the current row into the scan tuple */
static void
pass_on_current_row(SpSpool *spool, TupleTableSlot *result)
{
	const SpFusedState *node = spool->node;
	const Datum *values;
	const bool *isnull;

	if (!spool->keeps_images)
	{
		if (!tuplestore_gettupleslot(spool->rows, true, false, spool->row))
			elog(ERROR, "unexpected end of the spooled rows");
		slot_getsomeattrs(spool->row, node->last_attno);
		sp_fused_pass_on(node, spool->row, result);
		return;
	}
	values = (const Datum *) sp_ring_read(spool->images, 0, node->position);
	isnull = (const bool *) (values + node->npassed);
	for (int i = 0; i < node->npassed; i++)
	{
		result->tts_values[node->passed[i].to] = values[i];
		result->tts_isnull[node->passed[i].to] = isnull[i];
	}
}

/* Rows before a position are not needed any more */
static void
release_rows(SpSpool *spool, int64 position)
{
	if (spool->keeps_images)
		sp_ring_release(spool->images, position);
	else if (position % TRIM_INTERVAL == 0)
		tuplestore_trim(spool->rows);
}

static void
forget_rows(SpSpool *spool)
{
	ExecClearTuple(spool->row);
	if (spool->keeps_images)
		sp_ring_reset(spool->images);
	else
		tuplestore_clear(spool->rows);
}

static void
end_rows(SpSpool *spool)
{
	ExecClearTuple(spool->row);
	if (spool->images)
		sp_ring_close(spool->images);
	if (spool->rows)
		tuplestore_end(spool->rows);
	spool->images = NULL;
	spool->rows = NULL;
}

/* ---------------------------------------------------------------------
 * Start and end
 * ---------------------------------------------------------------------
 */

/* Keep the groups of peers of an ORDER BY; without columns all rows are peers */
static void
add_peers(SpSpool *spool, int order_no)
{
	List	   *order = (List *) list_nth(spool->node->plan.orders, order_no);
	SpPeers    *peers = &spool->peers[spool->npeers++];

	peers->order = order_no;
	peers->keys = sp_keys_create(ExecGetResultType(outerPlanState(spool->node)),
								 list_length(linitial(order)), linitial(order),
								 lsecond(order), lthird(order));
	spool->node->last_attno = Max(spool->node->last_attno, peers->keys->last_attno);
}

/*
 * sp_spool_peers
 *		The groups of peers of the plan's ORDER BY of that number, or NULL if
 *		none are kept.
 */
SpPeers *
sp_spool_peers(SpSpool *spool, int order)
{
	for (int i = 0; i < spool->npeers; i++)
	{
		if (spool->peers[i].order == order)
			return &spool->peers[i];
	}
	return NULL;
}

/* Keep the keys of an ORDER BY by one column */
static void
add_order_keys(SpSpool *spool, int order_no)
{
	List	   *order = (List *) list_nth(spool->node->plan.orders, order_no);
	SpOrderKeys *keys = &spool->order_keys[spool->norder_keys++];
	AttrNumber	attno = linitial_int((List *) linitial(order));
	TupleDesc	desc = ExecGetResultType(outerPlanState(spool->node));

	keys->order = order_no;
	keys->column = attno - 1;
	keys->type = TupleDescAttr(desc, attno - 1)->atttypid;
	spool->node->last_attno = Max(spool->node->last_attno, attno);
}

/*
 * sp_spool_order_keys
 *		The keys of the plan's ORDER BY of that number, or NULL if they are not
 *		kept.
 */
SpOrderKeys *
sp_spool_order_keys(SpSpool *spool, int order)
{
	for (int i = 0; i < spool->norder_keys; i++)
	{
		if (spool->order_keys[i].order == order)
			return &spool->order_keys[i];
	}
	return NULL;
}

SpSpool *
sp_spool_create(SpFusedState *node, EState *estate)
{
	SpSpool    *spool = palloc0_object(SpSpool);
	TupleDesc	desc = ExecGetResultType(outerPlanState(node));
	ListCell   *lc_options,
			   *lc_order;

	spool->node = node;
	spool->input_context = CreateExprContext(estate);
	spool->row = ExecInitExtraTupleSlot(estate, desc, &TTSOpsMinimalTuple);
	spool->held = ExecInitExtraTupleSlot(estate, desc, &TTSOpsMinimalTuple);
	spool->peers = palloc0_array(SpPeers, list_length(node->plan.orders));
	spool->order_keys = palloc0_array(SpOrderKeys, list_length(node->plan.orders));
	forboth(lc_options, node->plan.frame_options, lc_order, node->plan.frame_orders)
	{
		if (sp_frame_needs_peers(lfirst_int(lc_options)) &&
			sp_spool_peers(spool, lfirst_int(lc_order)) == NULL)
			add_peers(spool, lfirst_int(lc_order));
		if (sp_frame_adds_to_key(lfirst_int(lc_options)) &&
			sp_spool_order_keys(spool, lfirst_int(lc_order)) == NULL)
			add_order_keys(spool, lfirst_int(lc_order));
	}
	spool->entry = palloc0(Max(node->entry_size, sizeof(int64)));
	spool->complete = true;
	spool->keeps_images = passes_on_by_value(node);
	spool->image = palloc0(image_size(node));
	return spool;
}

/* Readers for each bound of each window, and for the current row */
static int
count_bound_readers(const SpFusedState *node)
{
	return 2 * node->nwindows + 1;
}

/* How many groups before the current one are asked for? */
static int64
lowest_shift(const SpFusedState *node, const SpPeers *peers)
{
	int64		lowest = 0;

	for (int i = 0; i < node->nwindows; i++)
	{
		const SpWindowState *window = &node->windows[i];

		if (window->peers == peers && window->head.kind == SP_BOUND_GROUP)
			lowest = Min(lowest, window->head.shift);
		if (window->peers == peers && window->tail.kind == SP_BOUND_GROUP)
			lowest = Min(lowest, window->tail.shift);
	}
	return lowest;
}

/*
 * sp_spool_start
 *		Get ready for a scan, in the current memory context, once the windows are
 *		known.  Returns how much of the memory (in bytes) is left for prefixes.
 */
int64
sp_spool_start(SpSpool *spool, int64 memory_limit)
{
	SpFusedState *node = spool->node;
	int			nrings = spool->npeers + spool->norder_keys;
	int64		share = memory_limit / 4;

	start_rows(spool, share);
	spool->started = true;
	for (int i = 0; i < spool->npeers; i++)
	{
		SpPeers    *peers = &spool->peers[i];

		peers->lowest_shift = lowest_shift(node, peers);
		peers->starts = sp_ring_create(CurrentMemoryContext, sizeof(int64),
									   count_bound_readers(node), PG_INT64_MAX,
									   share / nrings);
	}
	for (int i = 0; i < spool->norder_keys; i++)
		spool->order_keys[i].ring =
			sp_ring_create(CurrentMemoryContext, sizeof(SpOrderKey), count_bound_readers(node),
						   PG_INT64_MAX, share / nrings);
	return nrings > 0 ? memory_limit - 2 * share : memory_limit - share;
}

/*
 * sp_spool_finish
 *		Release what a scan used, but for memory of its context.
 */
void
sp_spool_finish(SpSpool *spool)
{
	if (spool->started)
	{
		end_rows(spool);
		for (int i = 0; i < spool->npeers; i++)
			sp_ring_close(spool->peers[i].starts);
		for (int i = 0; i < spool->norder_keys; i++)
			sp_ring_close(spool->order_keys[i].ring);
	}
	ExecClearTuple(spool->held);
	spool->started = false;
	spool->input_done = false;
	spool->complete = true;
	spool->nread = 0;
}

/* ---------------------------------------------------------------------
 * Reading
 * ---------------------------------------------------------------------
 */

static void
note_group(SpPeers *peers, const TupleTableSlot *row, int64 position, MemoryContext context)
{
	if (sp_keys_equal(peers->keys, row, context))
		return;
	sp_keys_remember(peers->keys, row);
	sp_ring_append(peers->starts, &position);
	peers->ngroups++;
}

static void
note_key(SpOrderKeys *keys, const TupleTableSlot *row)
{
	SpOrderKey	key = sp_order_key(keys->type, row->tts_values[keys->column],
								   row->tts_isnull[keys->column]);

	sp_ring_append(keys->ring, &key);
}

/* Take a row of the current partition in */
static void
take_row(SpSpool *spool, TupleTableSlot *row)
{
	SpFusedState *node = spool->node;

	sp_fused_accumulate(node, row, spool->input_context, NULL);
	if (node->entry_size > 0)
		sp_ring_append(node->ring, node->prefix);
	for (int i = 0; i < spool->npeers; i++)
		note_group(&spool->peers[i], row, spool->nread,
				   spool->input_context->ecxt_per_tuple_memory);
	for (int i = 0; i < spool->norder_keys; i++)
		note_key(&spool->order_keys[i], row);
	keep_row(spool, row);
	spool->nread++;
}

/* The child's next row, deformed, or NULL at the end */
static TupleTableSlot *
next_input(SpSpool *spool)
{
	TupleTableSlot *row;

	if (spool->input_done)
		return NULL;
	ResetExprContext(spool->input_context);
	row = ExecProcNode(outerPlanState(spool->node));
	if (TupIsNull(row))
	{
		spool->input_done = true;
		return NULL;
	}
	slot_getsomeattrs(row, spool->node->last_attno);
	return row;
}

/* Read one more row of the partition; false at its end */
static bool
read_row(SpSpool *spool)
{
	TupleTableSlot *row;

	if (spool->complete)
		return false;
	row = next_input(spool);
	if (row == NULL)
		spool->complete = true;
	else if (!sp_keys_equal(spool->node->partition, row,
							spool->input_context->ecxt_per_tuple_memory))
	{
		ExecCopySlot(spool->held, row);
		spool->complete = true;
	}
	else
		take_row(spool, row);
	return !spool->complete;
}

/* Read until the partition's first count rows are there, or all of it */
static void
read_rows(SpSpool *spool, int64 count)
{
	while (spool->nread < count && read_row(spool))
		;
}

static void
reset_peers(SpPeers *peers)
{
	sp_keys_forget(peers->keys);
	sp_ring_reset(peers->starts);
	peers->ngroups = 0;
	peers->current = 0;
}

/* Begin the next partition with its first row; false when there is none */
static bool
begin_partition(SpSpool *spool)
{
	SpFusedState *node = spool->node;
	TupleTableSlot *row = TupIsNull(spool->held) ? next_input(spool) : spool->held;

	if (row == NULL)
		return false;
	slot_getsomeattrs(row, node->last_attno);
	sp_keys_remember(node->partition, row);
	sp_ring_reset(node->ring);
	memset(node->prefix, 0, node->entry_size);
	for (int i = 0; i < spool->npeers; i++)
		reset_peers(&spool->peers[i]);
	for (int i = 0; i < spool->norder_keys; i++)
		sp_ring_reset(spool->order_keys[i].ring);
	for (int i = 0; i < node->nwindows; i++)
		node->windows[i].head.position = node->windows[i].tail.position = 0;
	forget_rows(spool);
	spool->complete = false;
	spool->nread = 0;
	node->position = 0;
	take_row(spool, row);
	ExecClearTuple(spool->held);
	return true;
}

/* ---------------------------------------------------------------------
 * Bounds
 * ---------------------------------------------------------------------
 */

/* Position of a group's first row, of the partition's end if there is none */
static int64
group_start(SpSpool *spool, SpPeers *peers, int64 group, int reader)
{
	if (group <= 0)
		return 0;
	while (peers->ngroups <= group && read_row(spool))
		;
	if (group >= peers->ngroups)
		return spool->nread;
	return *(const int64 *) sp_ring_read(peers->starts, reader, group);
}

/* Move a bound by an offset from the key on to where it is for the current row */
static int64
range_position(SpSpool *spool, SpBound *bound, SpOrderKeys *keys, int reader)
{
	sp_range_set_current(bound->range, &keys->current);
	for (;; bound->position++)
	{
		if (bound->position >= spool->nread && !read_row(spool))
			return bound->position;
		if (!sp_range_advances(bound->range,
							   (const SpOrderKey *) sp_ring_read(keys->ring, reader,
																 bound->position)))
			return bound->position;
	}
}

/* The position that a bound stands for, within the partition */
static int64
bound_position(SpSpool *spool, SpBound *bound, const SpWindowState *window, int reader)
{
	SpPeers    *peers = window->peers;
	int64		position;

	switch (bound->kind)
	{
		case SP_BOUND_FIRST:
			return 0;
		case SP_BOUND_LAST:
			read_rows(spool, PG_INT64_MAX);
			return spool->nread;
		case SP_BOUND_GROUP:
			return group_start(spool, peers, sp_saturating_add(peers->current, bound->shift), reader);
		case SP_BOUND_RANGE:
			return range_position(spool, bound, window->keys, reader);
		case SP_BOUND_ROW:
			break;
	}
	position = Max(sp_saturating_add(spool->node->position, bound->shift), 0);
	read_rows(spool, position);
	return Min(position, spool->nread);
}

/* E[k] */
static const char *
prefix_before(const SpFusedState *node, const SpWindowState *window,
			  SpWindowReader reader, int64 k)
{
	if (node->entry_size == 0)
		return node->prefix;
	return sp_ring_read(node->ring, window->readers[reader], k - 1);
}

/* Add the cells of high less those of low to entry, or take them away */
static void
add_stretch(const SpFusedState *node, char *entry, const char *high, const char *low,
			bool take_away)
{
	Size		offset = 0;

	for (; offset < node->wide_size; offset += sizeof(int128))
	{
		int128		difference = *(const int128 *) (high + offset) -
			*(const int128 *) (low + offset);

		*(int128 *) (entry + offset) += take_away ? -difference : difference;
	}
	for (; offset < node->entry_size; offset += sizeof(int64))
	{
		uint64		difference = *(const uint64 *) (high + offset) -
			*(const uint64 *) (low + offset);

		*(uint64 *) (entry + offset) += take_away ? -difference : difference;
	}
}

/* The positions that results over a frame depend on */
typedef struct FramePositions
{
	int64		head;
	int64		tail;
	int64		excluded_head;
	int64		excluded_tail;
	bool		keeps_row;		/* is the current one in the frame, though its
								 * peers are excluded? */
} FramePositions;

/* Find out which of the frame's rows are excluded */
static void
find_excluded(SpSpool *spool, const SpWindowState *window, int group_reader,
			  FramePositions *frame)
{
	int64		position = spool->node->position;
	int64		first = position;
	int64		end = position + 1;

	if (window->exclusion & (FRAMEOPTION_EXCLUDE_GROUP | FRAMEOPTION_EXCLUDE_TIES))
	{
		SpPeers    *peers = window->peers;

		first = group_start(spool, peers, peers->current, group_reader);
		end = group_start(spool, peers, peers->current + 1, group_reader);
	}
	frame->excluded_head = Max(first, frame->head);
	frame->excluded_tail = Max(Min(end, frame->tail), frame->excluded_head);
	frame->keeps_row = window->exclusion == FRAMEOPTION_EXCLUDE_TIES &&
		frame->excluded_head <= position && position < frame->excluded_tail;
}

/* The lower of a window's bounds that have to be compared with keys further on */
static int64
lowest_bound(const SpWindowState *window)
{
	return Min(window->head.kind == SP_BOUND_RANGE ? window->head.position : PG_INT64_MAX,
			   window->tail.kind == SP_BOUND_RANGE ? window->tail.position : PG_INT64_MAX);
}

/* Find a window's frame; reads as many rows as that takes */
static void
find_frame(SpSpool *spool, SpWindowState *window, int window_no,
		   FramePositions *frame)
{
	int			head_reader = 1 + 2 * window_no;
	int			tail_reader = head_reader + 1;

	frame->head = bound_position(spool, &window->head, window, head_reader);
	frame->tail = bound_position(spool, &window->tail, window, tail_reader);
	frame->tail = Max(frame->tail, frame->head);
	if (window->exclusion)
		find_excluded(spool, window, tail_reader, frame);
}

/* Take the excluded rows out of what is at the frame's tail */
static void
exclude_rows(const SpSpool *spool, const SpWindowState *window,
			 const FramePositions *frame, SpStretch *stretch)
{
	const SpFusedState *node = spool->node;
	int64		position = node->position;

	memcpy(spool->entry, stretch->high, node->entry_size);
	add_stretch(node, spool->entry,
				prefix_before(node, window, SP_READ_EXCLUDED_TAIL, frame->excluded_tail),
				prefix_before(node, window, SP_READ_EXCLUDED_HEAD, frame->excluded_head),
				true);
	stretch->nrows -= frame->excluded_tail - frame->excluded_head;
	if (frame->keeps_row)
	{
		add_stretch(node, spool->entry,
					prefix_before(node, window, SP_READ_AFTER_ROW, position + 1),
					prefix_before(node, window, SP_READ_BEFORE_ROW, position), false);
		stretch->nrows++;
	}
	stretch->high = spool->entry;
}

/* The entries at the ends of a frame; valid until another row is read */
static SpStretch
frame_stretch(const SpSpool *spool, const SpWindowState *window,
			  const FramePositions *frame)
{
	const SpFusedState *node = spool->node;
	SpStretch	stretch;

	stretch.nrows = frame->tail - frame->head;
	stretch.low = prefix_before(node, window, SP_READ_HEAD, frame->head);
	stretch.high = prefix_before(node, window, SP_READ_TAIL, frame->tail);
	if (window->exclusion && frame->excluded_head < frame->excluded_tail)
		exclude_rows(spool, window, frame, &stretch);
	return stretch;
}

/* ---------------------------------------------------------------------
 * Rows
 * ---------------------------------------------------------------------
 */

/* Let groups and keys know that the current row is another */
static void
find_current_row(SpSpool *spool)
{
	for (int i = 0; i < spool->npeers; i++)
	{
		SpPeers    *peers = &spool->peers[i];

		if (peers->current + 1 < peers->ngroups &&
			*(const int64 *) sp_ring_read(peers->starts, 0, peers->current + 1) <=
			spool->node->position)
			peers->current++;
	}
	for (int i = 0; i < spool->norder_keys; i++)
	{
		SpOrderKeys *keys = &spool->order_keys[i];

		keys->current = *(const SpOrderKey *) sp_ring_read(keys->ring, 0,
														   spool->node->position);
	}
}

/* Nothing before a position, or before the lowest group, is read any more */
static void
release(SpSpool *spool, int64 lowest)
{
	if (spool->node->entry_size > 0)
		sp_ring_release(spool->node->ring, Max(lowest - 1, 0));
	for (int i = 0; i < spool->npeers; i++)
	{
		SpPeers    *peers = &spool->peers[i];

		sp_ring_release(peers->starts, Max(peers->current + peers->lowest_shift, 0));
	}
	for (int i = 0; i < spool->norder_keys; i++)
		sp_ring_release(spool->order_keys[i].ring, lowest);
	release_rows(spool, spool->node->position);
}

/*
 * sp_spool_next
 *		The scan tuple of the next row, or NULL at the end.
 */
TupleTableSlot *
sp_spool_next(SpFusedState *node)
{
	SpSpool    *spool = node->spool;
	TupleTableSlot *result = node->css.ss.ss_ScanTupleSlot;
	MemoryContext context = node->css.ss.ps.ps_ExprContext->ecxt_per_tuple_memory;
	int64		lowest;

	read_rows(spool, node->position + 1);
	if (node->position >= spool->nread && !begin_partition(spool))
		return NULL;
	find_current_row(spool);

	ExecClearTuple(result);
	lowest = node->position;
	for (int i = 0; i < node->nwindows; i++)
	{
		SpWindowState *window = &node->windows[i];
		FramePositions frame = {0};
		SpStretch	stretch;

		find_frame(spool, window, i, &frame);
		lowest = Min(lowest, Min(frame.head, lowest_bound(window)));
		stretch = frame_stretch(spool, window, &frame);
		sp_window_compute(window, &stretch, context, result->tts_values);
		sp_window_mark_nulls(window, &stretch, result->tts_isnull);
	}
	pass_on_current_row(spool, result);
	release(spool, lowest);
	node->position++;
	return ExecStoreVirtualTuple(result);
}
