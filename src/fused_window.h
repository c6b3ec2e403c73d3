/*-------------------------------------------------------------------------
 *
 * fused_window.h
 *	  Windows of a SlidingPrefix node: frames with the same head and tail, and
 *	  the results over them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SP_FUSED_WINDOW_H
#define SP_FUSED_WINDOW_H

#include "postgres.h"

#include "aggregates.h"
#include "fused_measure.h"
#include "fused_range.h"
#include "numeric_format.h"
#include "ring.h"

/*
 * A result over a frame.  Kept small, since all are visited for each row.
 */
typedef struct SpResultState
{
	uint32		sum_cell;		/* the measure's */
	uint32		count_cell;
	uint32		nan_cell;
	uint32		column;			/* of the scan tuple, from 0 */
	uint8		wide;			/* is the sum's cell an int128? */
	uint8		scale;
	uint8		result;			/* SpResult */
} SpResultState;

typedef enum SpBoundKind
{
	SP_BOUND_FIRST,				/* the partition's first row */
	SP_BOUND_LAST,				/* the end of the partition */
	SP_BOUND_ROW,				/* shift rows from the current one */
	SP_BOUND_GROUP,				/* start of the group of peers that is shift
								 * groups from the current one */
	SP_BOUND_RANGE,				/* where keys pass an offset from the current one */
} SpBoundKind;

typedef struct SpBound
{
	SpBoundKind kind;
	int64		shift;			/* index of the offset for SP_BOUND_RANGE */
	SpRangeBound *range;		/* for SP_BOUND_RANGE */
	int64		position;		/* likewise: where it is for the current row */
} SpBound;

/* Readers of the ring that a window has */
typedef enum SpWindowReader
{
	SP_READ_HEAD,
	SP_READ_TAIL,
	/* for rows that are excluded */
	SP_READ_EXCLUDED_HEAD,
	SP_READ_EXCLUDED_TAIL,
	SP_READ_BEFORE_ROW,
	SP_READ_AFTER_ROW,
	SP_NREADERS
} SpWindowReader;

struct SpOrderKeys;
struct SpPeers;

/*
 * The frame of a row holds the rows from head to the one before tail, as far as
 * its partition has them, less those that are excluded.
 */
typedef struct SpWindowState
{
	SpBound		head;
	SpBound		tail;
	int			exclusion;		/* FRAMEOPTION_EXCLUDE_..., or 0 */
	struct SpPeers *peers;		/* groups that bounds or exclusion speak of */
	struct SpOrderKeys *keys;	/* that bounds are compared with */
	int			readers[SP_NREADERS];	/* of the ring, -1 where none is needed */
	int			nintegers;		/* results of the kind SP_RESULT_INTEGER */
	int			nnumerics;		/* SP_RESULT_NUMERIC */
	int			ncounts;		/* SP_RESULT_COUNT */
	int			nothers;
	SpResultState *integers;
	SpResultState *numerics;
	SpResultState *counts;
	SpResultState *others;
	SpNumericBuffer *numeric_values;	/* of numerics */
} SpWindowState;

/* One row's entries at the ends of a frame */
typedef struct SpStretch
{
	const char *high;			/* sums of the rows up to the last one */
	const char *low;			/* sums of the rows before the first one */
	int64		nrows;
} SpStretch;

extern void sp_window_add(SpWindowState *window, const SpMeasureState *measure,
						  SpResult result, int column, int max_results);
extern void sp_window_compute(const SpWindowState *window, const SpStretch *stretch,
							  MemoryContext context, Datum *values);
extern void sp_window_mark_nulls(const SpWindowState *window,
								 const SpStretch *stretch, bool *isnull);

#endif							/* SP_FUSED_WINDOW_H */
