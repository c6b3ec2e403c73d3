/*-------------------------------------------------------------------------
 *
 * keys.h
 *	  Key columns of rows, compared with those of an earlier row.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SP_KEYS_H
#define SP_KEYS_H

#include "postgres.h"

#include "executor/tuptable.h"
#include "fmgr.h"
#include "nodes/pg_list.h"
#include "utils/datum.h"

typedef struct SpKey
{
	int			column;			/* from 0 */
	bool		image_decides;	/* equal bits are equal for its operator */
	bool		typbyval;
	int16		typlen;
	FmgrInfo	equal;
	Oid			collation;
	Datum		value;			/* of the row remembered */
	bool		isnull;
} SpKey;

typedef struct SpKeys
{
	int			nkeys;
	SpKey	   *keys;
	AttrNumber	last_attno;		/* highest of the columns */
	bool		remembered;		/* is there a row to compare with? */
	MemoryContext context;		/* its values that are not passed by value, or
								 * NULL if all are */
} SpKeys;

extern SpKeys *sp_keys_create(TupleDesc desc, int nkeys, const List *columns,
							  const List *operators, const List *collations);
extern bool sp_keys_equal_slowly(SpKeys *keys, const TupleTableSlot *row,
								 MemoryContext context);
extern void sp_keys_remember(SpKeys *keys, const TupleTableSlot *row);
extern void sp_keys_forget(SpKeys *keys);

/* Has the key other bits than the one remembered? */
static inline bool
sp_key_image_differs(const SpKey *key, const TupleTableSlot *row)
{
	Datum		value = row->tts_values[key->column];

	if (row->tts_isnull[key->column] || key->isnull)
		return row->tts_isnull[key->column] != key->isnull;
	if (!key->image_decides)
		return true;
	if (key->typbyval)
		return value != key->value;
	return !datum_image_eq(value, key->value, false, key->typlen);
}

/*
 * sp_keys_equal
 *		Are the keys of row, whose columns are deformed, equal to those
 *		remembered?  False if there are none.  Comparing may allocate in context.
 */
static inline bool
sp_keys_equal(SpKeys *keys, const TupleTableSlot *row, MemoryContext context)
{
	if (!keys->remembered)
		return false;
	for (int i = 0; i < keys->nkeys; i++)
	{
		if (sp_key_image_differs(&keys->keys[i], row))
			return sp_keys_equal_slowly(keys, row, context);
	}
	return true;
}

#endif							/* SP_KEYS_H */
