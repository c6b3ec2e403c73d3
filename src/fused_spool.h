/*-------------------------------------------------------------------------
 *
 * fused_spool.h
 *	  Rows that are read ahead of the current one, for frames that hold them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SP_FUSED_SPOOL_H
#define SP_FUSED_SPOOL_H

#include "fused_exec.h"
#include "utils/tuplestore.h"

/* The groups of peers of an ORDER BY */
typedef struct SpPeers
{
	int			order;			/* index of the ORDER BY in the plan */
	SpKeys	   *keys;			/* of the last group read */
	SpRing	   *starts;			/* int64: position of each group's first row */
	int64		ngroups;		/* that have been read of the partition */
	int64		current;		/* the current row's group */
	int64		lowest_shift;	/* of a bound, in groups */
} SpPeers;

/* The keys of an ORDER BY by one column, of all spooled rows */
typedef struct SpOrderKeys
{
	int			order;			/* index of the ORDER BY in the plan */
	int			column;			/* of the child, from 0 */
	Oid			type;
	SpRing	   *ring;			/* SpOrderKey by position */
	SpOrderKey	current;		/* of the current row */
} SpOrderKeys;

typedef struct SpSpool
{
	SpFusedState *node;
	ExprContext *input_context; /* in which measures are evaluated */
	bool		keeps_images;	/* are all columns that are passed on passed by
								 * value? */
	SpRing	   *images;			/* of these columns; or else */
	char	   *image;			/* room to put one together */
	Tuplestorestate *rows;		/* of whole rows from the current one */
	TupleTableSlot *row;		/* the current one */
	TupleTableSlot *held;		/* first row of the next partition, or empty */
	bool		started;		/* does a scan hold rows and rings? */
	bool		input_done;		/* the child has no more rows */
	bool		complete;		/* all rows of the partition have been read, or
								 * there is none yet */
	int64		nread;			/* rows of the partition that have been read */
	int			npeers;
	SpPeers    *peers;
	int			norder_keys;
	SpOrderKeys *order_keys;
	char	   *entry;			/* room to put a prefix entry together */
} SpSpool;

extern SpSpool *sp_spool_create(SpFusedState *node, EState *estate);
extern SpPeers *sp_spool_peers(SpSpool *spool, int order);
extern SpOrderKeys *sp_spool_order_keys(SpSpool *spool, int order);
extern int64 sp_spool_start(SpSpool *spool, int64 memory_limit);
extern TupleTableSlot *sp_spool_next(SpFusedState *node);
extern void sp_spool_finish(SpSpool *spool);

#endif							/* SP_FUSED_SPOOL_H */
