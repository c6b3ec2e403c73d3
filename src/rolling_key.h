/*-------------------------------------------------------------------------
 *
 * rolling_key.h
 *	  Order keys of range_rolling() and offsets from them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SP_ROLLING_KEY_H
#define SP_ROLLING_KEY_H

#include "postgres.h"

#include "fmgr.h"

/*
 * How far a frame reaches on one side.  Which fields are in use depends on the
 * key's type and the offset's; the others are 0.  Compared byte by byte.
 */
typedef struct SpRollingOffset
{
	int64		unbounded;		/* 1 for UNBOUNDED, all else is 0 then */
	int64		is_interval;	/* 1 for an interval */
	int64		infinite;		/* sign of an infinite interval, else 0 */
	int64		units;			/* integers, or days of a date */
	int64		months;			/* of an interval, as are the following */
	int64		days;
	int64		micros;
} SpRollingOffset;

/*
 * What a key type contributes.  Keys are compared as int64 on a scale of the
 * type's own: its value, days or microseconds.  Infinite dates and timestamps
 * are PG_INT64_MIN and PG_INT64_MAX.
 */
typedef struct SpRollingKey
{
	Oid			type;
	const char *offset_types;	/* that fit, for the error message */
	bool		(*accepts) (Oid offset_type);
	int64		(*fetch) (Datum key);

	/*
	 * The key plus (sign 1) or minus (sign -1) a bounded offset, saturated at
	 * the type's limits.  What is added gives an upper bound, and is rounded
	 * down to a possible key; what is subtracted a lower bound, rounded up.
	 */
	int64		(*add) (int64 key, const SpRollingOffset *offset, int sign);
} SpRollingKey;

extern const SpRollingKey *sp_rolling_key(Oid key_type, Oid preceding_type,
										  Oid following_type);
extern SpRollingOffset sp_rolling_offset(const SpRollingKey *key, Oid type,
										 Datum value, bool isnull);
extern bool sp_rolling_offset_is_zero(const SpRollingOffset *offset);

#endif							/* SP_ROLLING_KEY_H */
