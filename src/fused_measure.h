/*-------------------------------------------------------------------------
 *
 * fused_measure.h
 *	  Measures of a SlidingPrefix node, and their running sums and counts.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SP_FUSED_MEASURE_H
#define SP_FUSED_MEASURE_H

#include "postgres.h"

#include "aggregates.h"
#include "executor/executor.h"
#include "numeric_format.h"

#define SP_NO_CELL PG_UINT32_MAX

/*
 * One measure.  Its running sum and the running count of its values are cells
 * of a prefix entry: the sum int128 for bigint and numeric, int64 otherwise, the
 * counts int64.
 */
typedef struct SpMeasureState
{
	SpSummand	summand;
	AttrNumber	attno;			/* column of the child, or 0: use expr */
	ExprState  *expr;			/* NULL in count(*) */
	ExprState  *filter;			/* NULL: every row */
	uint32		sum_cell;		/* byte offset in the entry, or SP_NO_CELL */
	uint32		count_cell;		/* likewise; without one it is that of rows */
	uint32		nan_cell;		/* likewise, the count of NaN */
	int			precision;		/* declared ones of a numeric */
	int			scale;
} SpMeasureState;

/*
 * sp_evaluate_measure
 *		The measure's value in the row of the context; absent if it is NULL or
 *		the filter leaves the row out.
 */
static inline Datum
sp_evaluate_measure(const SpMeasureState *measure, ExprContext *econtext, bool *absent)
{
	*absent = false;
	if (measure->filter && !ExecQual(measure->filter, econtext))
	{
		*absent = true;
		return (Datum) 0;
	}
	if (measure->expr == NULL)
		return (Datum) 0;
	return ExecEvalExprSwitchContext(measure->expr, econtext, absent);
}

static inline void
sp_add_numeric(const SpMeasureState *measure, Datum value, char *entry)
{
	int128		units;

	if (sp_numeric_read(value, measure->precision, measure->scale, &units))
		*(int128 *) (entry + measure->sum_cell) += units;
	else
		*(int64 *) (entry + measure->nan_cell) += 1;
}

/*
 * sp_add_value
 *		Add a value that is there to the sum and the count of an entry.
 */
static inline void
sp_add_value(const SpMeasureState *measure, Datum value, char *entry)
{
	if (measure->count_cell != SP_NO_CELL)
		*(int64 *) (entry + measure->count_cell) += 1;
	switch (measure->summand)
	{
		case SP_SUMMAND_NONE:
			break;
		case SP_SUMMAND_INT2:
			*(uint64 *) (entry + measure->sum_cell) += (int64) DatumGetInt16(value);
			break;
		case SP_SUMMAND_INT4:
			*(uint64 *) (entry + measure->sum_cell) += (int64) DatumGetInt32(value);
			break;
		case SP_SUMMAND_INT8:
			*(int128 *) (entry + measure->sum_cell) += DatumGetInt64(value);
			break;
		case SP_SUMMAND_NUMERIC:
			sp_add_numeric(measure, value, entry);
			break;
		case SP_SUMMAND_BOOL:
			*(uint64 *) (entry + measure->sum_cell) += DatumGetBool(value);
			break;
	}
}

#endif							/* SP_FUSED_MEASURE_H */
