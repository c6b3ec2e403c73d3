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

/* The order key of a row; passed by value */
typedef struct SpOrderKey
{
	Datum		value;
	bool		isnull;
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

	bool		adds_integers;	/* keys are integers, delta what is added */
	int64		unit;			/* what an integer key is multiplied by */
	int64		delta;
	int64		least;			/* sums outside these are left to the function */
	int64		greatest;
	Oid			key_type;
} SpRangeBound;

extern void sp_range_init(SpRangeBound *bound, Oid in_range, Oid collation,
						  bool ascending, bool nulls_first, bool is_tail,
						  bool follows, Oid key_type, Oid offset_type, Datum offset);
extern bool sp_range_advances(SpRangeBound *bound, const SpOrderKey *row,
							  const SpOrderKey *current);

#endif							/* SP_FUSED_RANGE_H */
