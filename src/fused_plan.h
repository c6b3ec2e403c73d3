/*-------------------------------------------------------------------------
 *
 * fused_plan.h
 *	  What the planner tells the SlidingPrefix node, and how a plan holds it.
 *
 * Scan tuple columns are of two kinds: an OUTER_VAR passes on a column of the
 * child; any other expression is there for EXPLAIN, and its value is that of
 * the next frame.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SP_FUSED_PLAN_H
#define SP_FUSED_PLAN_H

#include "nodes/extensible.h"
#include "strategy.h"

#define SP_CUSTOM_NAME "SlidingPrefix"

/* flags of an offset */
#define SP_OFFSET_IS_END		0x01
#define SP_OFFSET_IS_ROW_COUNT	0x02

typedef struct SpFusedPlan
{
	List	   *args;			/* Expr by measure, over the child's output, or NULL */
	List	   *filters;		/* Expr by measure, likewise */
	List	   *summands;		/* int by measure, SpSummand */
	List	   *typmods;		/* int by measure, of numeric arguments */
	List	   *always_present; /* int by measure, a boolean */
	List	   *offsets;		/* Expr, in order of evaluation */
	List	   *offset_flags;	/* int */
	List	   *frame_aggs;		/* Oid by frame */
	List	   *frame_measures; /* int by frame, number of the measure */
	List	   *frame_heads;	/* int by frame, index in offsets or SP_... */
	List	   *frame_tails;	/* int by frame, likewise */
	List	   *frame_options;	/* int by frame: FRAMEOPTION_... */
	List	   *frame_orders;	/* int by frame: index in orders */
	List	   *frame_ranges;	/* by frame: NIL, or Oids of the in_range functions
								 * of head and tail and of their collation, and
								 * Oids that stand for booleans: ascending, NULLS
								 * FIRST */
	List	   *part_cols;		/* int, column of the child */
	List	   *part_operators; /* Oid */
	List	   *part_collations;	/* Oid */
	List	   *order_cols;		/* int, column of the child; of the longest
								 * ORDER BY */
	List	   *orders;			/* each distinct ORDER BY: lists of columns,
								 * equality operators and collations */
	List	   *stages;			/* int, by measure; NIL: read no row ahead */
	int			nstages;
} SpFusedPlan;

extern const CustomScanMethods sp_fused_scan_methods;

extern void sp_fused_plan_store(CustomScan *cscan, const SpFusedPlan *plan);
extern void sp_fused_plan_load(const CustomScan *cscan, SpFusedPlan *plan);

#endif							/* SP_FUSED_PLAN_H */
