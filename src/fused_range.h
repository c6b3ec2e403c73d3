/*-------------------------------------------------------------------------
 *
 * fused_range.h
 *	  Bounds of RANGE frames with an offset from the order key.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SP_FUSED_RANGE_H
#define SP_FUSED_RANGE_H

#include "postgres.h"

#include "fmgr.h"

/*
 * The order key of a row; passed by value.  Integers, dates and timestamps, but
 * for those near the limits of their type, are also kept as a number to which an
 * offset can be added.
 */
typedef struct SpOrderKey
{
	Datum		value;
	int64		number;
	bool		isnull;
	bool		is_number;
} SpOrderKey;

/*
 * A bound: the head is the first row whose key is not before the current row's
 * key plus or less the offset, the tail the first one whose key is beyond it.
 */
typedef struct SpRangeBound
{
	bool		is_tail;
	bool		nulls_first;
	FmgrInfo	in_range;		/* of the operator family */
	Oid			collation;
	Datum		offset;
	bool		sub;			/* how it is called, see sp_range_init() */
	bool		less;

	Oid			key_type;
	bool		adds_numbers;	/* is the offset a number, too? */
	int64		delta;			/* it, with the sign that it is added with */

	/* for the current row */
	const SpOrderKey *current;
	bool		has_sum;
	int64		sum;			/* of its key and delta */
} SpRangeBound;

extern void sp_range_init(SpRangeBound *bound, Oid in_range, Oid collation,
						  bool ascending, bool nulls_first, bool is_tail,
						  bool follows, Oid key_type, Oid offset_type, Datum offset);
extern SpOrderKey sp_order_key(Oid type, Datum value, bool isnull);
extern void sp_range_set_current(SpRangeBound *bound, const SpOrderKey *current);
extern bool sp_range_advances_slowly(SpRangeBound *bound, const SpOrderKey *row);

/*
 * sp_range_advances
 *		Does the bound lie after that row?
 */
static inline bool
sp_range_advances(SpRangeBound *bound, const SpOrderKey *row)
{
	if (bound->has_sum && row->is_number)
		return (bound->less ? row->number <= bound->sum : row->number >= bound->sum) ==
			bound->is_tail;
	return sp_range_advances_slowly(bound, row);
}

#endif							/* SP_FUSED_RANGE_H */
