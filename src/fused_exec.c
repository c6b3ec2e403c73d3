/*-------------------------------------------------------------------------
 *
 * fused_exec.c
 *	  Execution of the SlidingPrefix node.
 *
 * In:	rows of the child, sorted by partition.
 * Out: the same rows in the same order, with a sum per frame.
 *
 * With P[i] the sum of a measure over the rows 0 .. i of a partition, the sum
 * over a frame with head h and tail i is P[i] - P[h - 1].  For each row we
 *
 *	1. start anew when it begins another partition,
 *	2. evaluate each measure once and add it to the entry of running sums,
 *	3. for each head, fetch the entry before it from the ring, and take the
 *	   difference for all frames with that head,
 *	4. append the entry to the ring.
 *
 * Exactness: sums of smallint and integer are 64-bit integers that wrap around
 * in stock PostgreSQL too; differences modulo 2^64 are exact even where the
 * running sum has wrapped.  Sums of bigint are kept in 128 bits.
 *
 * A frame without a non-NULL value is NULL.  That is so when the last non-NULL
 * value seen lies before the head, so one position per measure tells it.
 *
 * Where an error could tell how far ahead rows are read, they come through
 * read_ahead.c with their measures evaluated; else straight from the child.
 *
 * Values passed on are pointers into the child's row, which stays valid until
 * the child is asked for the next one.  Numeric results are in buffers that
 * the next row overwrites.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/objectaccess.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "common/int.h"
#include "compat.h"
#include "executor/executor.h"
#include "fused_exec.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "utils/datum.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/syscache.h"

static Node *sp_fused_create_state(CustomScan *cscan);
static void sp_fused_begin(CustomScanState *node, EState *estate, int eflags);
static TupleTableSlot *sp_fused_exec(CustomScanState *node);
static void sp_fused_end(CustomScanState *node);
static void sp_fused_rescan(CustomScanState *node);

const CustomScanMethods sp_fused_scan_methods = {
	.CustomName = SP_CUSTOM_NAME,
	.CreateCustomScanState = sp_fused_create_state,
};

static const CustomExecMethods exec_methods = {
	.CustomName = SP_CUSTOM_NAME,
	.BeginCustomScan = sp_fused_begin,
	.ExecCustomScan = sp_fused_exec,
	.EndCustomScan = sp_fused_end,
	.ReScanCustomScan = sp_fused_rescan,
	.ExplainCustomScan = sp_fused_explain,
};

static Node *
sp_fused_create_state(CustomScan *cscan)
{
	SpFusedState *state = palloc0_object(SpFusedState);

	NodeSetTag(state, T_CustomScanState);
	state->css.methods = &exec_methods;
	return (Node *) state;
}

/* ---------------------------------------------------------------------
 * Start
 * ---------------------------------------------------------------------
 */

static void
check_function(Oid funcid, Oid roleid)
{
	AclResult	result;

	if (!OidIsValid(funcid))
		return;
	result = sp_function_aclcheck(funcid, roleid);
	if (result != ACLCHECK_OK)
		aclcheck_error(result, OBJECT_FUNCTION, get_func_name(funcid));
	InvokeFunctionExecuteHook(funcid);
}

/*
 * The checks that a WindowAgg makes for an aggregate: the user may call it,
 * and its owner the functions it is made of.
 */
static void
check_aggregate(Oid aggfnoid, bool moving)
{
	HeapTuple	aggtuple;
	HeapTuple	proctuple;
	Form_pg_aggregate agg;
	Oid			owner;

	check_function(aggfnoid, GetUserId());

	aggtuple = SearchSysCache1(AGGFNOID, ObjectIdGetDatum(aggfnoid));
	proctuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(aggfnoid));
	if (!HeapTupleIsValid(aggtuple) || !HeapTupleIsValid(proctuple))
		elog(ERROR, "cache lookup failed for aggregate %u", aggfnoid);
	agg = (Form_pg_aggregate) GETSTRUCT(aggtuple);
	owner = ((Form_pg_proc) GETSTRUCT(proctuple))->proowner;

	check_function(moving ? agg->aggmtransfn : agg->aggtransfn, owner);
	check_function(moving ? agg->aggminvtransfn : InvalidOid, owner);
	check_function(moving ? agg->aggmfinalfn : agg->aggfinalfn, owner);

	ReleaseSysCache(proctuple);
	ReleaseSysCache(aggtuple);
}

static void
check_aggregates(const SpFusedPlan *plan)
{
	ListCell   *lc_measure,
			   *lc_offset;

	forboth(lc_measure, plan->frame_measures, lc_offset, plan->frame_offsets)
		check_aggregate(list_nth_oid(plan->measure_aggs, lfirst_int(lc_measure)),
						lfirst_int(lc_offset) != SP_GROWING);
}

static Oid
measure_argtype(Oid aggfnoid)
{
	switch (aggfnoid)
	{
		case F_SUM_INT2:
			return INT2OID;
		case F_SUM_INT4:
			return INT4OID;
		case F_SUM_INT8:
			return INT8OID;
	}
	elog(ERROR, "aggregate %u is not an integral sum", aggfnoid);
}

/* Lay out the prefix entry, its 128-bit cells first, and set up the measures */
static void
init_measures(SpFusedState *state)
{
	ListCell   *lc;
	int			wides = 0;
	int			wide_no = 0;
	int			integer_no = 0;

	state->nmeasures = list_length(state->plan.measures);
	state->measures = palloc0_array(SpMeasureState, state->nmeasures);
	state->last_nonnull = palloc0_array(int64, state->nmeasures);
	foreach(lc, state->plan.measure_aggs)
		wides += measure_argtype(lfirst_oid(lc)) == INT8OID;

	foreach(lc, state->plan.measures)
	{
		Expr	   *arg = (Expr *) lfirst(lc);
		SpMeasureState *measure = &state->measures[foreach_current_index(lc)];

		measure->argtype =
			measure_argtype(list_nth_oid(state->plan.measure_aggs,
										 foreach_current_index(lc)));
		measure->cell = measure->argtype == INT8OID ?
			wide_no++ * sizeof(int128) :
			wides * sizeof(int128) + integer_no++ * sizeof(int64);
		if (IsA(arg, Var) && state->plan.nstages == 0)
			measure->attno = ((Var *) arg)->varattno;
		else
			measure->expr = ExecInitExpr(arg, &state->css.ss.ps);
		state->last_attno = Max(state->last_attno, measure->attno);
	}
	state->entry_size = wides * sizeof(int128) + integer_no * sizeof(int64);
	state->prefix = palloc0(state->entry_size);
}

/* Split the scan tuple's columns into those passed on and the frames */
static void
init_scan_columns(SpFusedState *state, const CustomScan *cscan)
{
	int			ncolumns = list_length(cscan->custom_scan_tlist);
	ListCell   *lc;

	state->passed = palloc0_array(SpPassedOn, ncolumns);
	state->frames = palloc0_array(SpFrameState, ncolumns);
	foreach(lc, cscan->custom_scan_tlist)
	{
		TargetEntry *tle = lfirst_node(TargetEntry, lc);

		if (IsA(tle->expr, Var))
		{
			AttrNumber	attno = ((Var *) tle->expr)->varattno;

			state->passed[state->npassed].from = attno - 1;
			state->passed[state->npassed].to = tle->resno - 1;
			state->npassed++;
			state->last_attno = Max(state->last_attno, attno);
		}
		else
		{
			SpFrameState *frame = &state->frames[state->nframes];

			frame->measure = list_nth_int(state->plan.frame_measures, state->nframes);
			frame->cell = state->measures[frame->measure].cell;
			frame->column = tle->resno - 1;
			state->nframes++;
		}
	}
}

/*
 * Set up the comparison of partition keys.  Equality operators of indexes are
 * reflexive, and for the server's own we rely on it: equal bits need no call.
 */
static void
init_keys(SpFusedState *state, EState *estate)
{
	TupleDesc	desc = ExecGetResultType(outerPlanState(state));
	int			nkeys = list_length(state->plan.part_cols);
	AttrNumber *cols = palloc_array(AttrNumber, Max(nkeys, 1));
	Oid		   *operators = palloc_array(Oid, Max(nkeys, 1));
	Oid		   *collations = palloc_array(Oid, Max(nkeys, 1));

	state->nkeys = nkeys;
	state->keys = palloc0_array(SpKeyState, Max(nkeys, 1));
	state->first_row = ExecInitExtraTupleSlot(estate, desc, &TTSOpsMinimalTuple);
	for (int i = 0; i < nkeys; i++)
	{
		SpKeyState *key = &state->keys[i];

		cols[i] = list_nth_int(state->plan.part_cols, i);
		operators[i] = list_nth_oid(state->plan.part_operators, i);
		collations[i] = list_nth_oid(state->plan.part_collations, i);
		key->column = cols[i] - 1;
		key->image_decides = operators[i] < FirstNormalObjectId;
		key->typbyval = TupleDescAttr(desc, cols[i] - 1)->attbyval;
		key->typlen = TupleDescAttr(desc, cols[i] - 1)->attlen;
		state->last_attno = Max(state->last_attno, cols[i]);
	}
	if (nkeys > 0)
		state->keys_equal = execTuplesMatchPrepare(desc, nkeys, cols, operators,
												   collations, &state->css.ss.ps);
}

static void
init_read_ahead(SpFusedState *state)
{
	ExprState **measures = palloc_array(ExprState *, state->nmeasures);
	int		   *stages = palloc_array(int, state->nmeasures);

	for (int i = 0; i < state->nmeasures; i++)
	{
		measures[i] = state->measures[i].expr;
		stages[i] = list_nth_int(state->plan.stages, i);
	}
	state->ahead = sp_read_ahead_create(&state->css.ss.ps, outerPlanState(state),
										state->plan.nstages, state->nmeasures,
										measures, stages);
}

static void
sp_fused_begin(CustomScanState *node, EState *estate, int eflags)
{
	SpFusedState *state = (SpFusedState *) node;
	CustomScan *cscan = castNode(CustomScan, node->ss.ps.plan);
	ListCell   *lc;

	outerPlanState(node) = ExecInitNode(outerPlan(cscan), estate, eflags);

	sp_fused_plan_load(cscan, &state->plan);
	check_aggregates(&state->plan);
	if (state->plan.nstages > 0)
	{
		/* measures read pending rows, not the child's slot */
		node->ss.ps.outeropsset = true;
		node->ss.ps.outerops = &TTSOpsMinimalTuple;
		node->ss.ps.outeropsfixed = true;
	}
	init_measures(state);
	init_scan_columns(state, cscan);
	init_keys(state, estate);
	if (state->plan.nstages > 0)
		init_read_ahead(state);
	foreach(lc, state->plan.offsets)
		state->offsets = lappend(state->offsets,
								 ExecInitExpr((Expr *) lfirst(lc), &node->ss.ps));
	state->scan_context = AllocSetContextCreate(CurrentMemoryContext,
												"SlidingPrefix scan",
												ALLOCSET_DEFAULT_SIZES);
}

/*
 * Evaluate one frame offset and refuse it as a WindowAgg does.  Returns it in
 * rows where it counts rows, else 0.
 */
static int64
evaluate_offset(SpFusedState *state, ExprState *expr, int flags)
{
	const char *bound = (flags & SP_OFFSET_IS_END) ? "ending" : "starting";
	Datum		value;
	bool		isnull;

	value = ExecEvalExprSwitchContext(expr, state->css.ss.ps.ps_ExprContext,
									  &isnull);
	if (isnull)
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("frame %s offset must not be null", bound)));
	if ((flags & SP_OFFSET_IS_ROW_COUNT) == 0)
		return 0;
	if (DatumGetInt64(value) < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PRECEDING_OR_FOLLOWING_SIZE),
				 errmsg("frame %s offset must not be negative", bound)));
	return DatumGetInt64(value);
}

/* The head with that offset, added if there is none yet */
static SpHeadState *
intern_head(SpFusedState *state, int64 preceding)
{
	SpHeadState *head;

	for (int i = 0; i < state->nheads; i++)
	{
		if (state->heads[i].preceding == preceding)
			return &state->heads[i];
	}
	head = &state->heads[state->nheads++];
	head->preceding = preceding;
	head->integers = palloc0_array(SpFrameState, state->nframes);
	head->wides = palloc0_array(SpFrameState, state->nframes);
	head->wide_sums = palloc0_array(SpNumericBuffer, state->nframes);
	return head;
}

/* Sort the frames by the distance of their heads, in rows */
static void
init_heads(SpFusedState *state, const int64 *offsets)
{
	state->nheads = 0;
	state->heads = palloc0_array(SpHeadState, state->nframes);
	for (int i = 0; i < state->nframes; i++)
	{
		int			offset = list_nth_int(state->plan.frame_offsets, i);
		SpHeadState *head = intern_head(state, offset == SP_GROWING ?
										PG_INT64_MAX : offsets[offset]);

		if (state->measures[state->frames[i].measure].argtype == INT8OID)
			head->wides[head->nwides++] = state->frames[i];
		else
			head->integers[head->nintegers++] = state->frames[i];
	}
}

/* A reader of the ring for each head but the growing frames' */
static void
init_ring(SpFusedState *state)
{
	int64		span = 1;
	int			nreaders = 0;

	for (int i = 0; i < state->nheads; i++)
	{
		SpHeadState *head = &state->heads[i];

		head->reader = -1;
		if (head->preceding < PG_INT64_MAX)
		{
			span = Max(span, head->preceding + 1);
			head->reader = nreaders++;
		}
	}
	state->ring = sp_ring_create(state->scan_context, state->entry_size,
								 nreaders, span, (int64) work_mem * 1024);
}

/* First row asked for, or first after a rescan: fix offsets and ring */
static void
start_scan(SpFusedState *state)
{
	MemoryContext oldcontext;
	int64	   *offsets;
	ListCell   *lc;

	oldcontext = MemoryContextSwitchTo(state->scan_context);
	offsets = palloc0_array(int64, list_length(state->offsets) + 1);
	foreach(lc, state->offsets)
	{
		int			i = foreach_current_index(lc);

		offsets[i] = evaluate_offset(state, (ExprState *) lfirst(lc),
									 list_nth_int(state->plan.offset_flags, i));
	}
	init_heads(state, offsets);
	init_ring(state);
	MemoryContextSwitchTo(oldcontext);
	state->started = true;
}

/* ---------------------------------------------------------------------
 * Per row
 * ---------------------------------------------------------------------
 */

/* Have all partition keys the bits of the partition's first row? */
static inline bool
key_images_equal(SpFusedState *state, TupleTableSlot *row)
{
	TupleTableSlot *first = state->first_row;

	for (int i = 0; i < state->nkeys; i++)
	{
		SpKeyState *key = &state->keys[i];
		int			column = key->column;

		if (row->tts_isnull[column] != first->tts_isnull[column])
			return false;
		if (row->tts_isnull[column])
			continue;
		if (!key->image_decides)
			return false;
		if (key->typbyval)
		{
			if (row->tts_values[column] != first->tts_values[column])
				return false;
		}
		else if (!datum_image_eq(row->tts_values[column],
								 first->tts_values[column],
								 false, key->typlen))
			return false;
	}
	return true;
}

static bool
row_is_in_partition(SpFusedState *state, TupleTableSlot *row)
{
	ExprContext *econtext = state->css.ss.ps.ps_ExprContext;

	if (TupIsNull(state->first_row))
		return false;
	if (key_images_equal(state, row))
		return true;
	econtext->ecxt_innertuple = state->first_row;
	econtext->ecxt_outertuple = row;
	return ExecQual(state->keys_equal, econtext);
}

static void
begin_partition(SpFusedState *state, TupleTableSlot *row)
{
	ExecCopySlot(state->first_row, row);
	slot_getsomeattrs(state->first_row, state->last_attno);
	sp_ring_reset(state->ring);
	memset(state->prefix, 0, state->entry_size);
	state->position = 0;
	for (int i = 0; i < state->nmeasures; i++)
		state->last_nonnull[i] = -1;
}

/* Add this row's measures to the running sums.  Is none of them NULL? */
static inline bool
accumulate(SpFusedState *state, TupleTableSlot *row, const SpPendingRow *pending)
{
	ExprContext *econtext = state->css.ss.ps.ps_ExprContext;
	bool		all_present = true;

	econtext->ecxt_outertuple = row;
	for (int i = 0; i < state->nmeasures; i++)
	{
		const SpMeasureState *measure = &state->measures[i];
		char	   *cell = state->prefix + measure->cell;
		Datum		value;
		bool		isnull;

		if (pending)
		{
			value = pending->values[i];
			isnull = pending->isnull[i];
		}
		else if (measure->attno > 0)
		{
			value = row->tts_values[measure->attno - 1];
			isnull = row->tts_isnull[measure->attno - 1];
		}
		else
			value = ExecEvalExprSwitchContext(measure->expr, econtext, &isnull);

		if (isnull)
		{
			all_present = false;
			continue;
		}
		state->last_nonnull[i] = state->position;
		if (measure->argtype == INT4OID)
			*(uint64 *) cell += (int64) DatumGetInt32(value);
		else if (measure->argtype == INT8OID)
			*(int128 *) cell += DatumGetInt64(value);
		else
			*(uint64 *) cell += (int64) DatumGetInt16(value);
	}
	return all_present;
}

/*
 * The sums of all frames with one head: of the current entry, less the entry
 * before the head.
 */
static inline void
compute_sums(const SpFusedState *state, const SpHeadState *head,
			 const char *before_head, Datum *values)
{
	const char *prefix = state->prefix;
	const SpFrameState *frames = head->integers;
	int			nframes = head->nintegers;

	for (int i = 0; i < nframes; i++)
	{
		uint32		cell = frames[i].cell;

		values[frames[i].column] =
			UInt64GetDatum(*(const uint64 *) (prefix + cell) -
						   *(const uint64 *) (before_head + cell));
	}

	frames = head->wides;
	nframes = head->nwides;
	for (int i = 0; i < nframes; i++)
	{
		uint32		cell = frames[i].cell;

		values[frames[i].column] =
			NumericGetDatum(sp_int128_to_numeric(*(const int128 *) (prefix + cell) -
												 *(const int128 *) (before_head + cell),
												 &head->wide_sums[i]));
	}
}

/* Mark the frames with one head that hold no non-NULL value */
static void
mark_nulls(const SpFusedState *state, const SpHeadState *head, bool *isnull)
{
	int64		head_position = head->reader < 0 ? 0 :
		Max(state->position - head->preceding, 0);

	for (int i = 0; i < head->nintegers; i++)
		isnull[head->integers[i].column] =
			state->last_nonnull[head->integers[i].measure] < head_position;
	for (int i = 0; i < head->nwides; i++)
		isnull[head->wides[i].column] =
			state->last_nonnull[head->wides[i].measure] < head_position;
}

/* Fill the frame columns of the scan tuple; all_present as of accumulate() */
static inline void
compute_frames(SpFusedState *state, bool all_present, TupleTableSlot *result)
{
	bool		must_mark = !all_present || !state->results_not_null;

	for (int i = 0; i < state->nheads; i++)
	{
		const SpHeadState *head = &state->heads[i];

		compute_sums(state, head,
					 head->reader < 0 ? state->ring->zero :
					 sp_ring_read(state->ring, head->reader,
								  state->position - head->preceding - 1),
					 result->tts_values);
		if (must_mark)
			mark_nulls(state, head, result->tts_isnull);
	}
	state->results_not_null = all_present;
}

/* Fill the scan tuple */
static inline TupleTableSlot *
form_scan_tuple(SpFusedState *state, TupleTableSlot *row, bool all_present)
{
	TupleTableSlot *result = state->css.ss.ss_ScanTupleSlot;

	ExecClearTuple(result);
	for (int i = 0; i < state->npassed; i++)
	{
		const SpPassedOn *passed = &state->passed[i];

		result->tts_values[passed->to] = row->tts_values[passed->from];
		result->tts_isnull[passed->to] = row->tts_isnull[passed->from];
	}

	compute_frames(state, all_present, result);
	return ExecStoreVirtualTuple(result);
}

/*
 * sp_fused_exec
 *		The next row, or NULL at the end.
 */
static TupleTableSlot *
sp_fused_exec(CustomScanState *node)
{
	SpFusedState *state = (SpFusedState *) node;
	ExprContext *econtext = node->ss.ps.ps_ExprContext;
	SpPendingRow *pending = NULL;
	TupleTableSlot *row;
	TupleTableSlot *result;
	bool		all_present;

	if (state->done)
		return NULL;
	ResetExprContext(econtext);
	if (unlikely(!state->started))
		start_scan(state);

	if (state->ahead)
	{
		pending = sp_read_ahead_next(state->ahead);
		row = pending ? pending->slot : NULL;
	}
	else
		row = ExecProcNode(outerPlanState(node));
	if (TupIsNull(row))
	{
		state->done = true;
		return NULL;
	}
	slot_getsomeattrs(row, state->last_attno);

	if (!row_is_in_partition(state, row))
		begin_partition(state, row);
	all_present = accumulate(state, row, pending);
	result = form_scan_tuple(state, row, all_present);
	sp_ring_append(state->ring, state->prefix);
	state->position++;

	if (node->ss.ps.ps_ProjInfo == NULL)
		return result;
	econtext->ecxt_scantuple = result;
	return ExecProject(node->ss.ps.ps_ProjInfo);
}

/* ---------------------------------------------------------------------
 * End
 * ---------------------------------------------------------------------
 */

/* Release what start_scan() made, after noting its size for EXPLAIN */
static void
finish_scan(SpFusedState *state)
{
	if (state->ring)
	{
		state->memory_used = Max(state->memory_used, state->ring->memory_used);
		state->disk_used = Max(state->disk_used, state->ring->disk_used);
		sp_ring_close(state->ring);
		state->ring = NULL;
	}
	if (state->ahead)
		sp_read_ahead_reset(state->ahead);
	ExecClearTuple(state->first_row);
	MemoryContextReset(state->scan_context);
	state->started = false;
	state->done = false;
}

static void
sp_fused_end(CustomScanState *node)
{
	SpFusedState *state = (SpFusedState *) node;

	finish_scan(state);
	MemoryContextDelete(state->scan_context);
	ExecEndNode(outerPlanState(node));
}

static void
sp_fused_rescan(CustomScanState *node)
{
	PlanState  *child = outerPlanState(node);

	finish_scan((SpFusedState *) node);
	ExecClearTuple(node->ss.ss_ScanTupleSlot);

	/* a child with changed parameters rescans itself when next asked */
	if (child->chgParam == NULL)
		ExecReScan(child);
}
