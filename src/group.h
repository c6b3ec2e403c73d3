/*-------------------------------------------------------------------------
 *
 * group.h
 *	  The qualifying window functions of a run, as measures and frames.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SP_GROUP_H
#define SP_GROUP_H

#include "run.h"

/* A distinct summand; one running sum is kept for each */
typedef struct SpMeasure
{
	Oid			aggfnoid;		/* F_SUM_INT2, F_SUM_INT4 or F_SUM_INT8 */
	Expr	   *arg;			/* over the run's input */
	int			stage;			/* that evaluates it, 0 is the top */
} SpMeasure;

/* A frame offset of any node of the run, staying nodes included */
typedef struct SpOffset
{
	int			level;
	Expr	   *expr;
	bool		is_end;			/* of the frame end, not the start */
	bool		is_row_count;	/* ROWS or GROUPS: must not be negative */
} SpOffset;

#define SP_GROWING (-1)			/* in place of an offset's index */

/* One window function to compute */
typedef struct SpFrame
{
	SpFunction *function;
	int			measure;		/* index in measures */
	int			offset;			/* index in offsets, or SP_GROWING */
} SpFrame;

typedef struct SpGroup
{
	SpRun	   *run;
	List	   *measures;		/* SpMeasure, in order of evaluation */
	List	   *offsets;		/* SpOffset, in order of evaluation */
	List	   *frames;			/* SpFrame, in order of evaluation */
	int			nstages;		/* nodes whose reading ahead must be imitated;
								 * 0 where that cannot be noticed */
} SpGroup;

extern SpGroup *sp_group_build(SpRun *run);
extern int	sp_count_stages(const SpRun *run, int below_level);
extern bool sp_order_is_noticed(const SpRun *run);
extern SpLevel *sp_group_longest_order(const SpGroup *group);
extern SpFrame *sp_group_find_frame(const SpGroup *group, int function_number);

#endif							/* SP_GROUP_H */
