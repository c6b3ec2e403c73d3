/*-------------------------------------------------------------------------
 *
 * ring.c
 *	  A ring of fixed-size entries, read by position.
 *
 * In:	entries, numbered from 0, and the position before which none is read any
 *		more; or a constant distance from the end that is never exceeded.
 * Out: the entry at any later position.
 *
 * The ring grows by doubling until it holds all entries that are not released,
 * or half the memory limit is reached.  In the latter case it spills, until
 * what is not released has shrunk to half of what it holds.  The file is
 * written in blocks, each when its last entry arrives, in the place of one that
 * is released if there is any: it grows with what is not released.  Each reader
 * that is behind the memory holds the one block it is in.  A reader that moves
 * forward reads each block once.
 *
 * Invariants:
 *	- positions memory_start .. count - 1 are in memory;
 *	- when spilling, all whole blocks back to the oldest entry not released are
 *	  in the file; else, all entries not released are in memory;
 *	- the capacity is at least two blocks, so that a reader behind the memory
 *	  never needs the block that is still being filled.
 *
 * The ring knows nothing of plans, tuples or sums.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "commands/tablespace.h"
#include "compat.h"
#include "port/pg_bitutils.h"
#include "ring.h"
#include "utils/memutils.h"

#define INITIAL_CAPACITY 64		/* entries */
#define MAX_BLOCK_SIZE	(64 * 1024) /* bytes */

/* Largest power of two that is not above n, for n >= 1 */
static int64
power_of_two_below(int64 n)
{
	return INT64CONST(1) << pg_leftmost_one_pos64(n);
}

/* Smallest power of two that is not below n, up to 2^62 */
static int64
power_of_two_above(int64 n)
{
	int64		below;

	if (n > INT64CONST(1) << 62)
		return INT64CONST(1) << 62;
	below = power_of_two_below(n);
	return below == n ? n : below * 2;
}

/*
 * Divide the memory limit between the ring and its readers' blocks.  However
 * small the limit, a block holds an entry and a BLCKSZ, and the ring two blocks.
 * A block's size is a power of two, so that none straddles two segments of the
 * file: what is left of a block's end is never written.
 */
static void
plan_memory(SpRing *ring, int64 memory_limit)
{
	int64		entry_size = ring->entry_size;
	int64		needed = power_of_two_above(ring->span);
	int64		half = memory_limit / 2;
	int64		min_block = power_of_two_above(Max(BLCKSZ, entry_size));

	if (needed <= memory_limit / entry_size)
	{
		ring->max_capacity = needed;	/* never spills */
		return;
	}

	ring->block_size = Min(half / Max(ring->nreaders, 1), Min(half / 2, MAX_BLOCK_SIZE));
	ring->block_size = Max(power_of_two_below(ring->block_size), min_block);
	ring->block_entries = power_of_two_below(ring->block_size / entry_size);
	ring->max_capacity = power_of_two_below(Max(half / entry_size,
												2 * ring->block_entries));
	ring->max_capacity = Min(ring->max_capacity, needed);
}

/*
 * sp_ring_create
 *		An empty ring.
 *
 * entry_size and memory_limit are in bytes.  span is the largest distance from
 * the end at which entries are read, at least 1; PG_INT64_MAX when only
 * sp_ring_release() tells.  Readers are numbered from 0.
 * Everything is allocated in context, beyond memory_limit 8 bytes for each block
 * that is spilled.  The temporary file belongs to the current resource owner,
 * which closes it after an error.  Before that owner ends well the ring must be
 * closed.
 */
SpRing *
sp_ring_create(MemoryContext context, Size entry_size,
			   int nreaders, int64 span, int64 memory_limit)
{
	MemoryContext oldcontext = MemoryContextSwitchTo(context);
	SpRing	   *ring = palloc0_object(SpRing);

	ring->context = context;
	ring->entry_size = entry_size;
	ring->owner = CurrentResourceOwner;
	ring->zero = palloc0(entry_size);
	ring->nreaders = nreaders;
	ring->readers = palloc0_array(SpRingReader, Max(nreaders, 1));
	ring->span = span;
	plan_memory(ring, memory_limit);
	ring->capacity = Min(ring->max_capacity, INITIAL_CAPACITY);
	ring->memory_used = ring->capacity * entry_size;
	ring->entries = palloc(ring->memory_used);
	sp_ring_reset(ring);

	MemoryContextSwitchTo(oldcontext);
	return ring;
}

/*
 * sp_ring_reset
 *		Forget all entries, for the next partition; memory and file are kept.
 */
void
sp_ring_reset(SpRing *ring)
{
	ring->count = 0;
	ring->floor = 0;
	ring->memory_start = 0;
	ring->limit = ring->capacity;
	ring->spilling = false;
	for (int i = 0; i < ring->nreaders; i++)
		ring->readers[i].block = -1;
}

static void
create_file(SpRing *ring)
{
	MemoryContext oldcontext = MemoryContextSwitchTo(ring->context);
	ResourceOwner oldowner = CurrentResourceOwner;

	PrepareTempTablespaces();
	CurrentResourceOwner = ring->owner;
	ring->file = BufFileCreateTemp(false);
	CurrentResourceOwner = oldowner;
	MemoryContextSwitchTo(oldcontext);
}

/* Position the file at a block of it */
static void
seek_place(SpRing *ring, int64 place)
{
	if (BufFileSeekBlock(ring->file, place * (int64) (ring->block_size / BLCKSZ)) != 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not seek to block %lld of a sliding_prefix temporary file",
						(long long) place)));
}

/* Where in the file is a block? */
static int64 *
block_place(SpRing *ring, int64 block)
{
	return &ring->places[block & (ring->max_places - 1)];
}

/* The first entry that is not released */
static int64
first_needed(const SpRing *ring)
{
	return Max(ring->floor, ring->count - ring->span);
}

/* Double the number of blocks that can have a place */
static void
grow_places(SpRing *ring)
{
	int64		old_max = ring->max_places;
	int64	   *old_places = ring->places;

	ring->max_places = Max(2 * old_max, 64);
	ring->places = (int64 *)
		MemoryContextAllocHuge(ring->context, ring->max_places * sizeof(int64));
	for (int64 block = ring->first_placed; block < ring->end_placed; block++)
		*block_place(ring, block) = old_places[block & (old_max - 1)];
	ring->memory_used += (ring->max_places - old_max) * sizeof(int64);
	if (old_places)
		pfree(old_places);
}

/* Find a place for the next block: of one that is released, or a new one */
static void
place_block(SpRing *ring)
{
	int64		first_kept = first_needed(ring) / ring->block_entries;
	int64		place;

	if (ring->first_placed < Min(first_kept, ring->end_placed))
		place = *block_place(ring, ring->first_placed++);
	else
		place = ring->file_blocks++;
	if (ring->end_placed - ring->first_placed == ring->max_places)
		grow_places(ring);
	*block_place(ring, ring->end_placed++) = place;
}

static void
write_block(SpRing *ring, int64 block)
{
	int64		first = block * ring->block_entries;

	if (block == ring->end_placed)
		place_block(ring);		/* else it was truncated and is whole again */
	seek_place(ring, *block_place(ring, block));
	BufFileWrite(ring->file,
				 ring->entries + (first & (ring->capacity - 1)) * ring->entry_size,
				 ring->block_entries * ring->entry_size);
	ring->disk_used = Max(ring->disk_used, ring->file_blocks * (int64) ring->block_size);
}

static void
read_block(SpRing *ring, int64 block, char *buffer)
{
	seek_place(ring, *block_place(ring, block));
	BufFileReadExact(ring->file, buffer, ring->block_entries * ring->entry_size);
}

/* Start to spill: put in the file what is in memory and not released */
static void
start_spilling(SpRing *ring, int64 floor)
{
	int64		block = floor / ring->block_entries;

	if (ring->file == NULL)
		create_file(ring);
	ring->spilling = true;
	ring->file_blocks = 0;
	ring->first_placed = block;
	ring->end_placed = block;
	for (int i = 0; i < ring->nreaders; i++)
		ring->readers[i].block = -1;
	for (; block < ring->count / ring->block_entries; block++)
		write_block(ring, block);
}

/*
 * sp_ring_block_is_full
 *		Go on after the last entry of a block while spilling: write the block,
 *		or stop to spill if what is not released is well within memory.
 */
void
sp_ring_block_is_full(SpRing *ring)
{
	int64		floor = first_needed(ring);

	if (floor >= ring->memory_start && ring->count - floor <= ring->capacity / 2)
	{
		ring->spilling = false;
		ring->limit = floor + ring->capacity;
	}
	else
		write_block(ring, ring->count / ring->block_entries - 1);
}

/* Double the capacity.  Each entry stays or moves up by the old capacity. */
static void
grow(SpRing *ring, int64 floor)
{
	int64		old_capacity = ring->capacity;
	Size		size = 2 * old_capacity * ring->entry_size;

	ring->entries = repalloc_huge(ring->entries, size);
	ring->memory_used = Max(ring->memory_used, size);
	ring->capacity = 2 * old_capacity;
	for (int64 position = floor; position < ring->count; position++)
	{
		if (position & old_capacity)
			memcpy(ring->entries + (position & (ring->capacity - 1)) * ring->entry_size,
				   ring->entries + (position & (old_capacity - 1)) * ring->entry_size,
				   ring->entry_size);
	}
	ring->memory_start = floor;
}

/*
 * sp_ring_make_room
 *		Make room for more entries when count has reached the limit: where
 *		entries have been released, in more memory, or by spilling.
 */
void
sp_ring_make_room(SpRing *ring)
{
	int64		floor = Max(first_needed(ring), ring->memory_start);

	if (ring->capacity >= ring->span)
		ring->limit = PG_INT64_MAX;
	else if (ring->count - floor > ring->capacity / 2 &&
			 ring->capacity < ring->max_capacity)
	{
		grow(ring, floor);
		ring->limit = floor + ring->capacity;
	}
	else if (ring->count - floor < ring->capacity)
		ring->limit = floor + ring->capacity;
	else
	{
		start_spilling(ring, floor);
		ring->limit = PG_INT64_MAX;
	}
}

/*
 * sp_ring_read_block
 *		The entry at position, which is no longer in memory.
 */
const char *
sp_ring_read_block(SpRing *ring, SpRingReader *reader, int64 position)
{
	int64		block = position / ring->block_entries;

	if (reader->buffer == NULL)
	{
		reader->buffer = MemoryContextAlloc(ring->context, ring->block_size);
		ring->memory_used += ring->block_size;
	}
	if (reader->block != block)
	{
		read_block(ring, block, reader->buffer);
		reader->block = block;
	}
	return reader->buffer + (position - block * ring->block_entries) * ring->entry_size;
}

/*
 * sp_ring_truncate
 *		Forget the entries from position count on.
 *
 * When that is all there is in memory, the block that the next entry belongs
 * to is read back, so that it can be written again as a whole.
 */
void
sp_ring_truncate(SpRing *ring, int64 count)
{
	int64		block;
	int64		first;

	ring->count = count;
	if (!ring->spilling)
		return;
	block = count / ring->block_entries;
	first = block * ring->block_entries;
	for (int i = 0; i < ring->nreaders; i++)
	{
		if (ring->readers[i].block >= block)
			ring->readers[i].block = -1;
	}
	if (first >= ring->memory_start)
		return;
	if (count > first)
		read_block(ring, block,
				   ring->entries + (first & (ring->capacity - 1)) * ring->entry_size);
	ring->memory_start = first;
}

/*
 * sp_ring_close
 *		Release the temporary file.  The memory goes with its context.
 */
void
sp_ring_close(SpRing *ring)
{
	if (ring->file)
		BufFileClose(ring->file);
	ring->file = NULL;
}

/* ---------------------------------------------------------------------
 * Closing with a memory context
 * ---------------------------------------------------------------------
 */

/* Rings that are closed with their contexts */
static dlist_head tied_rings = DLIST_STATIC_INIT(tied_rings);

/* A resource owner ends, and closes the files that it still has itself */
static void
forget_files(ResourceReleasePhase phase, bool is_commit, bool is_top_level, void *arg)
{
	dlist_iter	iter;

	if (phase != RESOURCE_RELEASE_BEFORE_LOCKS)
		return;
	dlist_foreach(iter, &tied_rings)
	{
		SpRing	   *ring = dlist_container(SpRing, tied_node, iter.cur);

		if (ring->owner == CurrentResourceOwner)
			ring->file = NULL;
	}
}

/* While a transaction aborts, closing could fail: it is left to the owner */
static void
close_tied_ring(void *arg)
{
	SpRing	   *ring = (SpRing *) arg;

	dlist_delete(&ring->tied_node);
	if (IsTransactionState())
		sp_ring_close(ring);
}

/*
 * sp_ring_close_with_context
 *		Let the ring be closed when its context is reset or deleted.
 *
 * For those who are not called at the end of a query.  The context may outlive
 * the resource owner, as that of a cursor does whose subtransaction failed.
 */
void
sp_ring_close_with_context(SpRing *ring)
{
	static bool registered = false;
	MemoryContextCallback *callback = (MemoryContextCallback *)
		MemoryContextAllocZero(ring->context, sizeof(MemoryContextCallback));

	if (!registered)
	{
		RegisterResourceReleaseCallback(forget_files, NULL);
		registered = true;
	}
	callback->func = close_tied_ring;
	callback->arg = ring;
	dlist_push_head(&tied_rings, &ring->tied_node);
	MemoryContextRegisterResetCallback(ring->context, callback);
}
