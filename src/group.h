/*-------------------------------------------------------------------------
 *
 * group.h
 *	  The qualifying window functions of a run, as measures and frames.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SP_GROUP_H
#define SP_GROUP_H

#include "aggregates.h"
#include "run.h"

/* A distinct argument and filter; its values are added up and counted */
typedef struct SpMeasure
{
	Expr	   *arg;			/* over the run's input; NULL in count(*) */
	Expr	   *filter;			/* likewise, or NULL */
	SpSummand	summand;
	int32		typmod;			/* of a numeric argument */
	bool		always_present; /* no row is left out or has no value */
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

/* In place of an offset's index */
#define SP_UNBOUNDED	(-1)
#define SP_CURRENT_ROW	(-2)

/* One window function to compute */
typedef struct SpFrame
{
	SpFunction *function;
	const SpAggregate *aggregate;
	int			measure;		/* index in measures */
	int			head;			/* index in offsets, or one of the above */
	int			tail;
	int			options;		/* FRAMEOPTION_... */
	const SpLevel *level;		/* of the function */
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

extern bool sp_measure_is_always_present(const SpRun *run, const WindowFunc *wfunc);
extern SpGroup *sp_group_build(SpRun *run);
extern int	sp_count_stages(const SpRun *run, int below_level);
extern bool sp_order_is_noticed(const SpRun *run);
extern SpLevel *sp_group_longest_order(const SpGroup *group);
extern SpFrame *sp_group_find_frame(const SpGroup *group, int function_number);

#endif							/* SP_GROUP_H */
