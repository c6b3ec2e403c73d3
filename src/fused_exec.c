/*-------------------------------------------------------------------------
 *
 * fused_exec.c
 *	  Execution of the SlidingPrefix node.
 *
 * In:	rows of the child, sorted by partition.
 * Out: the same rows in the same order, with the results over their frames.
 *
 * With P[i] the sum of a measure over the rows 0 .. i of a partition, the sum
 * over a frame with head h and tail t is P[t] - P[h - 1].  For each row we
 *
 *	1. start anew when it begins another partition,
 *	2. evaluate each measure once and add it to the entry of running sums and
 *	   counts,
 *	3. for each window, fetch the entries at the ends of its frame from the ring,
 *	   and compute all results over it (fused_window.c),
 *	4. append the entry to the ring.
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

#include "compat.h"
#include "executor/executor.h"
#include "fused_bounds.h"
#include "fused_exec.h"
#include "fused_spool.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "permission.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

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
check_aggregates(const SpFusedPlan *plan)
{
	ListCell   *lc_agg,
			   *lc_head;

	forboth(lc_agg, plan->frame_aggs, lc_head, plan->frame_heads)
		sp_check_aggregate(lfirst_oid(lc_agg), lfirst_int(lc_head) != SP_UNBOUNDED);
}

/* The offset of another cell of the entry, if it is there */
static uint32
add_cell(SpFusedState *state, bool is_there, Size cell_size)
{
	uint32		offset = state->entry_size;

	if (!is_there)
		return SP_NO_CELL;
	state->entry_size += cell_size;
	return offset;
}

/*
 * Give each measure its cells in the prefix entry, those of 128 bits first.  A
 * measure that is always present needs no count.
 */
static void
lay_out_entry(SpFusedState *state)
{
	for (int i = 0; i < state->nmeasures; i++)
		state->measures[i].sum_cell =
			add_cell(state, sp_summand_is_wide(state->measures[i].summand), sizeof(int128));
	state->wide_size = state->entry_size;
	for (int i = 0; i < state->nmeasures; i++)
	{
		SpMeasureState *measure = &state->measures[i];

		if (measure->summand != SP_SUMMAND_NONE && !sp_summand_is_wide(measure->summand))
			measure->sum_cell = add_cell(state, true, sizeof(int64));
		measure->count_cell =
			add_cell(state, !list_nth_int(state->plan.always_present, i), sizeof(int64));
		measure->nan_cell =
			add_cell(state, measure->summand == SP_SUMMAND_NUMERIC, sizeof(int64));
	}
	state->prefix = palloc0(Max(state->entry_size, sizeof(int64)));
}

static void
init_measures(SpFusedState *state)
{
	PlanState  *parent = &state->css.ss.ps;

	state->nmeasures = list_length(state->plan.args);
	state->measures = palloc0_array(SpMeasureState, state->nmeasures);
	for (int i = 0; i < state->nmeasures; i++)
	{
		SpMeasureState *measure = &state->measures[i];
		Expr	   *arg = (Expr *) list_nth(state->plan.args, i);
		Expr	   *filter = (Expr *) list_nth(state->plan.filters, i);

		measure->summand = list_nth_int(state->plan.summands, i);
		if (measure->summand == SP_SUMMAND_NUMERIC)
			sp_numeric_typmod(list_nth_int(state->plan.typmods, i),
							  &measure->precision, &measure->scale);
		measure->filter = ExecInitQual(filter ? list_make1(filter) : NIL, parent);
		if (arg && IsA(arg, Var) && !filter && state->plan.nstages == 0)
			measure->attno = ((Var *) arg)->varattno;
		else
			measure->expr = ExecInitExpr(arg, parent);
		state->last_attno = Max(state->last_attno, measure->attno);
	}
	lay_out_entry(state);
}

/* Split the scan tuple's columns into those passed on and the frames */
static void
init_scan_columns(SpFusedState *state, const CustomScan *cscan)
{
	int			ncolumns = list_length(cscan->custom_scan_tlist);
	ListCell   *lc;

	state->passed = palloc0_array(SpPassedOn, ncolumns);
	state->frame_columns = palloc0_array(int, ncolumns);
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
			state->frame_columns[state->nframes++] = tle->resno - 1;
	}
}

static void
init_keys(SpFusedState *state)
{
	const SpFusedPlan *plan = &state->plan;

	state->partition = sp_keys_create(ExecGetResultType(outerPlanState(state)),
									  list_length(plan->part_cols), plan->part_cols,
									  plan->part_operators, plan->part_collations);
	state->last_attno = Max(state->last_attno, state->partition->last_attno);
}

static void
init_read_ahead(SpFusedState *state)
{
	int		   *stages = palloc_array(int, state->nmeasures);

	for (int i = 0; i < state->nmeasures; i++)
		stages[i] = list_nth_int(state->plan.stages, i);
	state->ahead = sp_read_ahead_create(&state->css.ss.ps, outerPlanState(state),
										state->plan.nstages, state->nmeasures,
										state->measures, stages);
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
	else if (sp_spool_is_needed(&state->plan))
	{
		/* measures read the child's slot, or that of a row that is held */
		node->ss.ps.outeropsset = true;
		node->ss.ps.outeropsfixed = false;
	}
	init_measures(state);
	init_scan_columns(state, cscan);
	init_keys(state);
	if (state->plan.nstages > 0)
		init_read_ahead(state);
	if (sp_spool_is_needed(&state->plan))
		state->spool = sp_spool_create(state, estate);
	foreach(lc, state->plan.offsets)
		state->offsets = lappend(state->offsets,
								 ExecInitExpr((Expr *) lfirst(lc), &node->ss.ps));
	state->scan_context = AllocSetContextCreate(CurrentMemoryContext,
												"SlidingPrefix scan",
												ALLOCSET_DEFAULT_SIZES);
}

/*
 * Evaluate one frame offset and refuse it as a WindowAgg does.  An offset from
 * a key is refused by the key's type, when it is first added.
 */
static Datum
evaluate_offset(SpFusedState *state, int offset)
{
	int			flags = list_nth_int(state->plan.offset_flags, offset);
	const char *bound = (flags & SP_OFFSET_IS_END) ? "ending" : "starting";
	Datum		value;
	bool		isnull;
	int16		typlen;
	bool		typbyval;

	value = ExecEvalExprSwitchContext((ExprState *) list_nth(state->offsets, offset),
									  state->css.ss.ps.ps_ExprContext, &isnull);
	if (isnull)
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("frame %s offset must not be null", bound)));
	if ((flags & SP_OFFSET_IS_ROW_COUNT) && DatumGetInt64(value) < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PRECEDING_OR_FOLLOWING_SIZE),
				 errmsg("frame %s offset must not be negative", bound)));
	get_typlenbyval(exprType((Node *) list_nth(state->plan.offsets, offset)),
					&typlen, &typbyval);
	return datumCopy(value, typbyval, typlen);
}

/* The ring.  Where no frame looks ahead, the widest tells how far back it is read */
static void
init_ring(SpFusedState *state)
{
	int64		span = 1;
	int64		memory = (int64) work_mem * 1024;

	for (int i = 0; i < state->nwindows; i++)
	{
		SpWindowState *window = &state->windows[i];

		if (window->head.kind == SP_BOUND_ROW)
			span = Max(span, 1 - window->head.shift);
		span = Max(span, 1 - window->tail.shift);
	}
	if (state->spool)
	{
		span = PG_INT64_MAX;
		memory = sp_spool_start(state->spool, memory);
	}
	state->ring = sp_ring_create(state->scan_context, Max(state->entry_size, sizeof(int64)),
								 sp_fused_assign_readers(state), span, memory);
}

/* First row asked for, or first after a rescan: fix offsets and ring */
static void
start_scan(SpFusedState *state)
{
	MemoryContext oldcontext;
	Datum	   *offsets;

	oldcontext = MemoryContextSwitchTo(state->scan_context);
	offsets = palloc0_array(Datum, list_length(state->offsets) + 1);
	for (int i = 0; i < list_length(state->offsets); i++)
		offsets[i] = evaluate_offset(state, i);
	sp_fused_init_windows(state, offsets);
	init_ring(state);
	MemoryContextSwitchTo(oldcontext);
	state->started = true;
}

/* ---------------------------------------------------------------------
 * Per row
 * ---------------------------------------------------------------------
 */

static void
begin_partition(SpFusedState *state, TupleTableSlot *row)
{
	sp_keys_remember(state->partition, row);
	sp_ring_reset(state->ring);
	memset(state->prefix, 0, state->entry_size);
	state->position = 0;
}

/*
 * sp_fused_accumulate
 *		Add a row's measures to the running sums.  Do all of them have a value?
 *
 * They are evaluated in econtext, unless the row is pending.
 */
bool
sp_fused_accumulate(SpFusedState *state, TupleTableSlot *row, ExprContext *econtext,
					const SpPendingRow *pending)
{
	bool		all_present = true;

	econtext->ecxt_outertuple = row;
	for (int i = 0; i < state->nmeasures; i++)
	{
		const SpMeasureState *measure = &state->measures[i];
		Datum		value;
		bool		absent;

		if (pending)
		{
			value = pending->values[i];
			absent = pending->isnull[i];
		}
		else if (measure->attno > 0)
		{
			value = row->tts_values[measure->attno - 1];
			absent = row->tts_isnull[measure->attno - 1];
		}
		else
			value = sp_evaluate_measure(measure, econtext, &absent);

		if (absent)
			all_present = false;
		else
			sp_add_value(measure, value, state->prefix);
	}
	return all_present;
}

/* The entries at the ends of a frame that does not look ahead */
static inline SpStretch
frame_stretch(const SpFusedState *state, const SpWindowState *window)
{
	int64		head = window->head.kind == SP_BOUND_FIRST ? 0 :
		Max(state->position + window->head.shift, 0);
	int64		tail = state->position + window->tail.shift;
	SpStretch	stretch;

	stretch.nrows = Max(tail - head, 0);
	if (state->entry_size == 0)
	{
		stretch.low = stretch.high = state->prefix;
		return stretch;
	}
	stretch.low = sp_ring_read(state->ring, window->readers[SP_READ_HEAD], head - 1);
	if (window->tail.shift == 1)
		stretch.high = state->prefix;
	else if (stretch.nrows == 0)
		stretch.high = stretch.low;
	else
		stretch.high = sp_ring_read(state->ring, window->readers[SP_READ_TAIL], tail - 1);
	return stretch;
}

/*
 * Fill the result columns of the scan tuple.  A frame that ends with the
 * current row has a value of each measure if that row has.
 */
static inline void
compute_results(SpFusedState *state, bool all_present, TupleTableSlot *result)
{
	MemoryContext context = state->css.ss.ps.ps_ExprContext->ecxt_per_tuple_memory;
	bool		must_mark = !all_present || !state->results_not_null;

	for (int i = 0; i < state->nwindows; i++)
	{
		const SpWindowState *window = &state->windows[i];
		SpStretch	stretch = frame_stretch(state, window);

		sp_window_compute(window, &stretch, context, result->tts_values);
		if (must_mark || window->tail.shift != 1 || window->head.shift > 0)
			sp_window_mark_nulls(window, &stretch, result->tts_isnull);
	}
	state->results_not_null = all_present;
}

/*
 * sp_fused_pass_on
 *		Put the columns of the child that are passed on into the scan tuple.
 */
void
sp_fused_pass_on(const SpFusedState *state, const TupleTableSlot *row,
				 TupleTableSlot *result)
{
	for (int i = 0; i < state->npassed; i++)
	{
		const SpPassedOn *passed = &state->passed[i];

		result->tts_values[passed->to] = row->tts_values[passed->from];
		result->tts_isnull[passed->to] = row->tts_isnull[passed->from];
	}
}

/* The scan tuple of the next row, or NULL at the end, where no frame looks ahead */
static TupleTableSlot *
next_scan_tuple(SpFusedState *state)
{
	TupleTableSlot *result = state->css.ss.ss_ScanTupleSlot;
	ExprContext *econtext = state->css.ss.ps.ps_ExprContext;
	SpPendingRow *pending = NULL;
	TupleTableSlot *row;
	bool		all_present;

	if (state->ahead)
	{
		pending = sp_read_ahead_next(state->ahead);
		row = pending ? pending->slot : NULL;
	}
	else
		row = ExecProcNode(outerPlanState(state));
	if (TupIsNull(row))
		return NULL;
	slot_getsomeattrs(row, state->last_attno);

	if (!sp_keys_equal(state->partition, row, econtext->ecxt_per_tuple_memory))
		begin_partition(state, row);
	all_present = sp_fused_accumulate(state, row, econtext, pending);
	ExecClearTuple(result);
	sp_fused_pass_on(state, row, result);
	compute_results(state, all_present, result);
	ExecStoreVirtualTuple(result);
	if (state->entry_size > 0)
		sp_ring_append(state->ring, state->prefix);
	state->position++;
	return result;
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
	TupleTableSlot *result;

	if (state->done)
		return NULL;
	ResetExprContext(econtext);
	if (unlikely(!state->started))
		start_scan(state);

	result = state->spool ? sp_spool_next(state) : next_scan_tuple(state);
	if (result == NULL)
	{
		state->done = true;
		return NULL;
	}
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
	if (state->spool)
		sp_spool_finish(state->spool);
	sp_keys_forget(state->partition);
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
