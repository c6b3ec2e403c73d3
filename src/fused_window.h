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

/*
 * The frame of a row holds the rows from "preceding" before it to "behind"
 * before it, as far as its partition has them.
 */
typedef struct SpWindowState
{
	int64		preceding;		/* rows; PG_INT64_MAX when unbounded */
	int64		behind;			/* rows; 0 when it ends with the row itself */
	int			head_reader;	/* of the ring, -1 when unbounded */
	int			tail_reader;	/* of the ring, -1 when it ends with the row */
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
