/*-------------------------------------------------------------------------
 *
 * fused_window.c
 *	  Results over a frame, of the sums and counts at its two ends.
 *
 * A sum or count over a frame is the difference of the cells of two prefix
 * entries.  A measure without a count cell has a value in every row: its count
 * is that of the frame's rows.
 *
 * Exactness: sums of smallint and integer are 64-bit integers that wrap around
 * in stock PostgreSQL too; differences modulo 2^64 are exact even where the
 * running sum has wrapped.  Sums of bigint and numeric are kept in 128 bits.
 * Averages are divided by the server's numeric division, of the same two numbers
 * as stock's.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "compat.h"
#include "fused_window.h"
#include "utils/fmgrprotos.h"

/*
 * sp_window_add
 *		Let a window compute a result, one of max_results at most, into a column.
 */
void
sp_window_add(SpWindowState *window, const SpMeasureState *measure,
			  SpResult result, int column, int max_results)
{
	SpResultState state;

	if (window->integers == NULL)
	{
		window->integers = palloc0_array(SpResultState, max_results);
		window->numerics = palloc0_array(SpResultState, max_results);
		window->counts = palloc0_array(SpResultState, max_results);
		window->others = palloc0_array(SpResultState, max_results);
		window->numeric_values = palloc0_array(SpNumericBuffer, max_results);
	}
	state.sum_cell = measure->sum_cell;
	state.count_cell = measure->count_cell;
	state.column = column;
	state.nan_cell = measure->nan_cell;
	state.wide = sp_summand_is_wide(measure->summand);
	state.scale = measure->scale;
	state.result = result;
	if (result == SP_RESULT_INTEGER)
		window->integers[window->nintegers++] = state;
	else if (result == SP_RESULT_NUMERIC)
		window->numerics[window->nnumerics++] = state;
	else if (result == SP_RESULT_COUNT)
		window->counts[window->ncounts++] = state;
	else
		window->others[window->nothers++] = state;
}

static inline uint64
integer_sum(uint32 cell, const SpStretch *stretch)
{
	return *(const uint64 *) (stretch->high + cell) -
		*(const uint64 *) (stretch->low + cell);
}

static inline int128
wide_sum(uint32 cell, const SpStretch *stretch)
{
	return *(const int128 *) (stretch->high + cell) -
		*(const int128 *) (stretch->low + cell);
}

/* How many values of the measure are in the frame? */
static inline int64
count_values(const SpResultState *result, const SpStretch *stretch)
{
	if (result->count_cell == SP_NO_CELL)
		return stretch->nrows;
	return (int64) integer_sum(result->count_cell, stretch);
}

/* The sum as numeric, in buffer */
static Datum
sum_as_numeric(const SpResultState *result, const SpStretch *stretch,
			   SpNumericBuffer *buffer)
{
	if (result->nan_cell != SP_NO_CELL && integer_sum(result->nan_cell, stretch) > 0)
		return NumericGetDatum(sp_numeric_write_nan(buffer));
	return NumericGetDatum(sp_numeric_write(result->wide ?
											wide_sum(result->sum_cell, stretch) :
											(int64) integer_sum(result->sum_cell, stretch),
											result->scale, buffer));
}

/* NULL, of which sp_window_mark_nulls() takes care, where there is no value */
static Datum
average(const SpResultState *result, const SpStretch *stretch)
{
	int64		count = count_values(result, stretch);
	SpNumericBuffer sum;
	SpNumericBuffer divisor;

	if (count == 0)
		return (Datum) 0;
	return DirectFunctionCall2(numeric_div, sum_as_numeric(result, stretch, &sum),
							   NumericGetDatum(sp_numeric_write(count, 0, &divisor)));
}

static Datum
other_result(const SpResultState *result, const SpStretch *stretch)
{
	switch ((SpResult) result->result)
	{
		case SP_RESULT_AVERAGE:
			return average(result, stretch);
		case SP_RESULT_ALL:
			return BoolGetDatum((int64) integer_sum(result->sum_cell, stretch) ==
								count_values(result, stretch));
		case SP_RESULT_ANY:
			return BoolGetDatum(integer_sum(result->sum_cell, stretch) > 0);
		case SP_RESULT_INTEGER:
		case SP_RESULT_NUMERIC:
		case SP_RESULT_COUNT:
			break;				/* in lists of their own */
	}
	pg_unreachable();
}

/*
 * sp_window_compute
 *		Compute all results over a frame into their columns.
 *
 * Averages are allocated in context, other numeric values in buffers of the
 * window that the next call overwrites.  Values over no value of a measure are
 * left to sp_window_mark_nulls().
 */
void
sp_window_compute(const SpWindowState *window, const SpStretch *stretch,
				  MemoryContext context, Datum *values)
{
	for (int i = 0; i < window->nintegers; i++)
		values[window->integers[i].column] =
			UInt64GetDatum(integer_sum(window->integers[i].sum_cell, stretch));
	for (int i = 0; i < window->nnumerics; i++)
		values[window->numerics[i].column] =
			sum_as_numeric(&window->numerics[i], stretch, &window->numeric_values[i]);
	for (int i = 0; i < window->ncounts; i++)
		values[window->counts[i].column] =
			Int64GetDatum(count_values(&window->counts[i], stretch));
	if (window->nothers > 0)
	{
		MemoryContext oldcontext = MemoryContextSwitchTo(context);

		for (int i = 0; i < window->nothers; i++)
			values[window->others[i].column] = other_result(&window->others[i], stretch);
		MemoryContextSwitchTo(oldcontext);
	}
}

static void
mark_list(const SpResultState *results, int nresults, const SpStretch *stretch,
		  bool *isnull)
{
	for (int i = 0; i < nresults; i++)
		isnull[results[i].column] = count_values(&results[i], stretch) == 0;
}

/*
 * sp_window_mark_nulls
 *		Mark the results over a frame that holds no value of their measure.
 *		Counts are never marked.
 */
void
sp_window_mark_nulls(const SpWindowState *window, const SpStretch *stretch,
					 bool *isnull)
{
	mark_list(window->integers, window->nintegers, stretch, isnull);
	mark_list(window->numerics, window->nnumerics, stretch, isnull);
	mark_list(window->others, window->nothers, stretch, isnull);
}
