/*-------------------------------------------------------------------------
 *
 * prefix_ring.c
 *	  A ring of fixed-size entries, read at constant distances from its end.
 *
 * In:	one entry per row, numbered from 0 in each partition.
 * Out: for each reader, the entry a constant number of appends ago.
 *
 * The ring grows by doubling with the rows seen, until it covers the largest
 * lag or half the memory limit is reached.  In the latter case it spills.
 * The file is written in blocks, each when its last entry arrives, and each
 * reader whose lag exceeds the ring holds the one block it is in.  All
 * readers move forward by one entry per row, so a block is written once and
 * read once by each of them.
 *
 * Invariants:
 *	- positions count - capacity .. count - 1 are in memory;
 *	- when spilling, all whole blocks back to the largest lag are in the file,
 *	  block b at file block b % file_blocks;
 *	- the capacity is at least two blocks, so that a reader behind the ring
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
#include "prefix_ring.h"
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

static int64
largest_lag(const SpRing *ring)
{
	int64		largest = 1;

	for (int i = 0; i < ring->nreaders; i++)
		largest = Max(largest, ring->readers[i].lag);
	return largest;
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
	int64		needed = power_of_two_above(largest_lag(ring));
	int64		half = memory_limit / 2;
	int64		min_block = power_of_two_above(Max(BLCKSZ, entry_size));

	if (needed <= memory_limit / entry_size)
	{
		ring->max_capacity = needed;	/* never spills */
		return;
	}

	ring->block_size = Min(half / ring->nreaders, Min(half / 2, MAX_BLOCK_SIZE));
	ring->block_size = Max(power_of_two_below(ring->block_size), min_block);
	ring->block_entries = power_of_two_below(ring->block_size / entry_size);
	ring->max_capacity = power_of_two_below(Max(half / entry_size,
												2 * ring->block_entries));
	ring->max_capacity = Min(ring->max_capacity, needed);
	ring->file_blocks = largest_lag(ring) / ring->block_entries + 2;
}

/*
 * sp_ring_create
 *		An empty ring.
 *
 * entry_size and memory_limit are in bytes, lags in entries and at least 1.
 * Everything is allocated in context; temporary files belong to the current
 * resource owner.
 */
SpRing *
sp_ring_create(MemoryContext context, Size entry_size,
			   int nreaders, const int64 *lags, int64 memory_limit)
{
	MemoryContext oldcontext = MemoryContextSwitchTo(context);
	SpRing	   *ring = palloc0_object(SpRing);

	ring->context = context;
	ring->entry_size = entry_size;
	ring->owner = CurrentResourceOwner;
	ring->zero = palloc0(entry_size);
	ring->nreaders = nreaders;
	ring->readers = palloc0_array(SpRingReader, Max(nreaders, 1));
	for (int i = 0; i < nreaders; i++)
		ring->readers[i].lag = lags[i];

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

/* Start to spill: put in the file what is in memory */
static void
start_spilling(SpRing *ring)
{
	if (ring->file == NULL)
		create_file(ring);
	for (int64 block = 0; block < ring->count / ring->block_entries; block++)
		sp_ring_write_block(ring, block);
	ring->spilling = true;
}

/*
 * sp_ring_grow_or_spill
 *		Make room in a full ring that has not yet overwritten an entry, unless
 *		it already covers every reader's lag.
 */
void
sp_ring_grow_or_spill(SpRing *ring)
{
	Size		size;

	if (ring->capacity < ring->max_capacity)
	{
		ring->capacity *= 2;
		size = ring->capacity * ring->entry_size;
		ring->entries = repalloc_huge(ring->entries, size);
		ring->memory_used = Max(ring->memory_used, size);
	}
	else if (largest_lag(ring) > ring->capacity)
		start_spilling(ring);
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
