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
 * or half the memory limit is reached.  In the latter case it spills.  The
 * file is written in blocks, each when its last entry arrives, and each reader
 * that is behind the memory holds the one block it is in.  A reader that moves
 * forward reads each block once.
 *
 * Invariants:
 *	- positions memory_start .. count - 1 are in memory;
 *	- when spilling, all whole blocks back to the oldest entry not released are
 *	  in the file, block b at file block b % file_blocks;
 *	- the capacity is at least two blocks, so that a reader behind the memory
 *	  never needs the block that is still being filled.
 *
 * The ring knows nothing of plans, tuples or sums.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

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
	ring->file_blocks = ring->span / ring->block_entries + 2;
}

/*
 * sp_ring_create
 *		An empty ring.
 *
 * entry_size and memory_limit are in bytes.  span is the largest distance from
 * the end at which entries are read, at least 1; PG_INT64_MAX when only
 * sp_ring_release() tells.  Readers are numbered from 0.
 * Everything is allocated in context; temporary files belong to the current
 * resource owner.
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

/* Position the file at the start of a block */
static void
seek_block(SpRing *ring, int64 block)
{
	int64		file_block = block % ring->file_blocks;

	if (BufFileSeekBlock(ring->file,
						 file_block * (int64) (ring->block_size / BLCKSZ)) != 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not seek to block %lld of a sliding_prefix temporary file",
						(long long) file_block)));
}

/*
 * sp_ring_write_block
 *		Write a block whose entries are all in memory to the file.
 */
void
sp_ring_write_block(SpRing *ring, int64 block)
{
	int64		first = block * ring->block_entries;

	seek_block(ring, block);
	BufFileWrite(ring->file,
				 ring->entries + (first & (ring->capacity - 1)) * ring->entry_size,
				 ring->block_entries * ring->entry_size);
	ring->disk_used = Max(ring->disk_used,
						  (Min(block, ring->file_blocks - 1) + 1) * (int64) ring->block_size);
}

/* Start to spill: put in the file what is in memory and not released */
static void
start_spilling(SpRing *ring, int64 floor)
{
	if (ring->file == NULL)
		create_file(ring);
	for (int64 block = floor / ring->block_entries;
		 block < ring->count / ring->block_entries; block++)
		sp_ring_write_block(ring, block);
	ring->spilling = true;
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
	int64		floor = Max(ring->floor, ring->count - ring->span);

	floor = Max(floor, ring->memory_start);
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
		seek_block(ring, block);
		BufFileReadExact(ring->file, reader->buffer,
						 ring->block_entries * ring->entry_size);
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
	{
		seek_block(ring, block);
		BufFileReadExact(ring->file,
						 ring->entries + (first & (ring->capacity - 1)) * ring->entry_size,
						 ring->block_entries * ring->entry_size);
	}
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
