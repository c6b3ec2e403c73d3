/*-------------------------------------------------------------------------
 *
 * prefix_ring.h
 *	  The last prefix values of a partition, in memory or spilled.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SP_PREFIX_RING_H
#define SP_PREFIX_RING_H

#include "postgres.h"

#include "storage/buffile.h"
#include "utils/resowner.h"

/*
 * A reader follows the end of the ring at a constant distance: the entry it
 * reads is the one appended lag appends ago.
 */
typedef struct SpRingReader
{
	int64		lag;			/* at least 1 */
	int64		block;			/* number of the block loaded, or -1 */
	char	   *buffer;			/* that block, or NULL until one is needed */
} SpRingReader;

typedef struct SpRing
{
	MemoryContext context;		/* holds the ring and all its buffers */
	Size		entry_size;		/* bytes */
	int64		count;			/* entries appended since the last reset */
	int64		capacity;		/* entries in memory, a power of two */
	char	   *entries;		/* position p is at p & (capacity - 1) */

	int64		max_capacity;	/* entries, where growth stops */
	bool		spilling;		/* entries are being overwritten that are read */
	int64		block_entries;	/* entries per block, a power of two */
	int64		block_size;		/* bytes, BLCKSZ times a power of two */
	int64		file_blocks;	/* the file is circular: blocks in it at most */
	BufFile    *file;			/* NULL until the first spill */
	ResourceOwner owner;		/* owner of the file */

	Size		memory_used;	/* bytes at the peak */
	int64		disk_used;		/* bytes at the peak */

	int			nreaders;
	SpRingReader *readers;
	const char *zero;			/* what a reader sees before the first entry */
} SpRing;

extern SpRing *sp_ring_create(MemoryContext context, Size entry_size,
							  int nreaders, const int64 *lags, int64 memory_limit);
extern void sp_ring_reset(SpRing *ring);
extern void sp_ring_grow_or_spill(SpRing *ring);
extern const char *sp_ring_read_block(SpRing *ring, SpRingReader *reader, int64 position);
extern void sp_ring_write_block(SpRing *ring, int64 block);
extern void sp_ring_close(SpRing *ring);

/*
 * sp_ring_read
 *		The entry that lies the reader's lag behind the end, or zeros when the
 *		partition has no such entry yet.  Valid until the next append.
 */
static inline const char *
sp_ring_read(SpRing *ring, int reader_no)
{
	SpRingReader *reader = &ring->readers[reader_no];
	int64		position = ring->count - reader->lag;

	if (position < 0)
		return ring->zero;
	if (unlikely(reader->lag > ring->capacity))
		return sp_ring_read_block(ring, reader, position);
	return ring->entries + (position & (ring->capacity - 1)) * ring->entry_size;
}

/*
 * sp_ring_append
 *		Append a copy of entry, which becomes position count of the partition.
 */
static inline void
sp_ring_append(SpRing *ring, const char *entry)
{
	if (unlikely(ring->count == ring->capacity) && !ring->spilling)
		sp_ring_grow_or_spill(ring);
	memcpy(ring->entries + (ring->count & (ring->capacity - 1)) * ring->entry_size,
		   entry, ring->entry_size);
	ring->count++;
	if (unlikely(ring->spilling) && (ring->count & (ring->block_entries - 1)) == 0)
		sp_ring_write_block(ring, ring->count / ring->block_entries - 1);
}

#endif							/* SP_PREFIX_RING_H */
