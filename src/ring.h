/*-------------------------------------------------------------------------
 *
 * ring.h
 *	  The last entries of a sequence, in memory or spilled.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SP_RING_H
#define SP_RING_H

#include "postgres.h"

#include "lib/ilist.h"
#include "storage/buffile.h"
#include "utils/resowner.h"

/* Where one of the ring's users reads: the block it is in, when spilled */
typedef struct SpRingReader
{
	int64		block;			/* number of the block loaded, or -1 */
	char	   *buffer;			/* that block, or NULL until one is needed */
} SpRingReader;

typedef struct SpRing
{
	MemoryContext context;		/* holds the ring and all its buffers */
	Size		entry_size;		/* bytes */
	int64		count;			/* entries there are; the next one's position */
	int64		floor;			/* entries before this position are released */
	int64		capacity;		/* entries in memory, a power of two */
	char	   *entries;		/* position p is at p & (capacity - 1) */
	int64		memory_start;	/* entries from this position are in memory */
	int64		limit;			/* count at which room must be made */

	int64		span;			/* entries before the end that are read at most */
	int64		max_capacity;	/* entries, where growth stops */
	bool		spilling;		/* entries are being overwritten that are not
								 * released */
	int64		block_entries;	/* entries per block, a power of two */
	int64		block_size;		/* bytes, BLCKSZ times a power of two */
	BufFile    *file;			/* NULL until the first spill */
	ResourceOwner owner;		/* owner of the file */
	dlist_node	tied_node;		/* in the list of those closed with a context */
	int64		file_blocks;	/* the file's length since spilling began */
	int64		first_placed;	/* blocks that have a place in the file */
	int64		end_placed;
	int64	   *places;			/* block b's is at b & (max_places - 1) */
	int64		max_places;		/* 0, or a power of two */

	Size		memory_used;	/* bytes at the peak */
	int64		disk_used;		/* bytes at the peak */

	int			nreaders;
	SpRingReader *readers;
	const char *zero;			/* what is read before the first entry */
} SpRing;

extern SpRing *sp_ring_create(MemoryContext context, Size entry_size,
							  int nreaders, int64 span, int64 memory_limit);
extern void sp_ring_reset(SpRing *ring);
extern void sp_ring_make_room(SpRing *ring);
extern const char *sp_ring_read_block(SpRing *ring, SpRingReader *reader, int64 position);
extern void sp_ring_block_is_full(SpRing *ring);
extern void sp_ring_truncate(SpRing *ring, int64 count);
extern void sp_ring_close(SpRing *ring);
extern void sp_ring_close_with_context(SpRing *ring);

/*
 * sp_ring_read
 *		The entry at a position below count that is not released, or zeros at a
 *		negative position.  Valid until the next append, truncation or read by
 *		the same reader.
 */
static inline const char *
sp_ring_read(SpRing *ring, int reader_no, int64 position)
{
	if (position < 0)
		return ring->zero;
	if (unlikely(position < ring->memory_start))
		return sp_ring_read_block(ring, &ring->readers[reader_no], position);
	return ring->entries + (position & (ring->capacity - 1)) * ring->entry_size;
}

/*
 * sp_ring_append
 *		Append a copy of entry, at position count.
 */
static inline void
sp_ring_append(SpRing *ring, const void *entry)
{
	if (unlikely(ring->count == ring->limit))
		sp_ring_make_room(ring);
	memcpy(ring->entries + (ring->count & (ring->capacity - 1)) * ring->entry_size,
		   entry, ring->entry_size);
	ring->count++;
	if (ring->count - ring->memory_start > ring->capacity)
		ring->memory_start++;
	if (unlikely(ring->spilling) && (ring->count & (ring->block_entries - 1)) == 0)
		sp_ring_block_is_full(ring);
}

/*
 * sp_ring_release
 *		Entries before position are not read any more.
 */
static inline void
sp_ring_release(SpRing *ring, int64 position)
{
	ring->floor = position;
}

#endif							/* SP_RING_H */
