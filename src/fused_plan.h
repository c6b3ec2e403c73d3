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
	List	   *measures;		/* Expr, over the child's output */
	List	   *measure_aggs;	/* Oid of the aggregate each belongs to */
	List	   *offsets;		/* Expr, in order of evaluation */
	List	   *offset_flags;	/* int */
	List	   *frame_measures; /* int, index in measures */
	List	   *frame_offsets;	/* int, index in offsets or SP_GROWING */
	List	   *part_cols;		/* int, column of the child */
	List	   *part_operators; /* Oid */
	List	   *part_collations;	/* Oid */
	List	   *order_cols;		/* int, column of the child */
	List	   *stages;			/* int, by measure; NIL: read no row ahead */
	int			nstages;
} SpFusedPlan;

extern const CustomScanMethods sp_fused_scan_methods;

extern void sp_fused_plan_store(CustomScan *cscan, const SpFusedPlan *plan);
extern void sp_fused_plan_load(const CustomScan *cscan, SpFusedPlan *plan);

#endif							/* SP_FUSED_PLAN_H */
