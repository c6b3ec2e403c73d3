/*-------------------------------------------------------------------------
 *
 * keys.c
 *	  Compares key columns with those of an earlier row.
 *
 * Most rows of a partition, or of a group of peers, have the same bits in their
 * keys.  Equality operators of indexes are reflexive, and for the server's own
 * we rely on it: equal bits need no call.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/transam.h"
#include "compat.h"
#include "keys.h"
#include "miscadmin.h"
#include "permission.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

/*
 * sp_keys_create
 *		Keys of rows with that descriptor: the first nkeys of the columns
 *		(numbered from 1), with their equality operators and collations.
 */
SpKeys *
sp_keys_create(TupleDesc desc, int nkeys, const List *columns,
			   const List *operators, const List *collations)
{
	SpKeys	   *keys = palloc0_object(SpKeys);

	keys->nkeys = nkeys;
	keys->keys = palloc0_array(SpKey, Max(nkeys, 1));
	for (int i = 0; i < nkeys; i++)
	{
		SpKey	   *key = &keys->keys[i];
		AttrNumber	attno = list_nth_int(columns, i);
		Oid			operator = list_nth_oid(operators, i);
		Oid			function = get_opcode(operator);

		/* the user must be allowed to call it, as in any grouping */
		sp_check_function(function, GetUserId());
		fmgr_info(function, &key->equal);
		key->column = attno - 1;
		key->image_decides = operator < FirstNormalObjectId;
		key->typbyval = TupleDescAttr(desc, attno - 1)->attbyval;
		key->typlen = TupleDescAttr(desc, attno - 1)->attlen;
		key->collation = list_nth_oid(collations, i);
		keys->last_attno = Max(keys->last_attno, attno);
		if (!key->typbyval && keys->context == NULL)
			keys->context = AllocSetContextCreate(CurrentMemoryContext,
												  "SlidingPrefix keys",
												  ALLOCSET_SMALL_SIZES);
	}
	return keys;
}

/*
 * sp_keys_equal_slowly
 *		The same as sp_keys_equal() says, by the keys' operators.
 */
bool
sp_keys_equal_slowly(SpKeys *keys, const TupleTableSlot *row, MemoryContext context)
{
	MemoryContext oldcontext = MemoryContextSwitchTo(context);
	bool		equal = true;

	for (int i = 0; i < keys->nkeys && equal; i++)
	{
		SpKey	   *key = &keys->keys[i];

		if (!sp_key_image_differs(key, row))
			continue;
		equal = !row->tts_isnull[key->column] && !key->isnull &&
			DatumGetBool(FunctionCall2Coll(&key->equal, key->collation, key->value,
										   row->tts_values[key->column]));
	}
	MemoryContextSwitchTo(oldcontext);
	return equal;
}

static Datum
copy_value(MemoryContext context, const SpKey *key)
{
	MemoryContext oldcontext = MemoryContextSwitchTo(context);
	Datum		copy = datumCopy(key->value, false, key->typlen);

	MemoryContextSwitchTo(oldcontext);
	return copy;
}

/*
 * sp_keys_remember
 *		Remember the keys of row, whose columns are deformed.
 */
void
sp_keys_remember(SpKeys *keys, const TupleTableSlot *row)
{
	if (keys->context)
		MemoryContextReset(keys->context);
	for (int i = 0; i < keys->nkeys; i++)
	{
		SpKey	   *key = &keys->keys[i];

		key->isnull = row->tts_isnull[key->column];
		key->value = row->tts_values[key->column];
		if (!key->isnull && !key->typbyval)
			key->value = copy_value(keys->context, key);
	}
	keys->remembered = true;
}

void
sp_keys_forget(SpKeys *keys)
{
	keys->remembered = false;
}
