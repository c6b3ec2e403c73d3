/*-------------------------------------------------------------------------
 *
 * run.h
 *	  Runs: chains of directly linked WindowAgg nodes over one partitioning.
 *
 * In the expressions of a run there are two kinds of Var:
 *
 *	OUTER_VAR, attno c	column c of the run's input
 *	INDEX_VAR, attno k	result of the run's window function number k (from 1)
 *
 *-------------------------------------------------------------------------
 */
#ifndef SP_RUN_H
#define SP_RUN_H

#include "postgres.h"

#include "certificate.h"
#include "nodes/plannodes.h"
#include "nodes/primnodes.h"

/* One WindowAgg of a run; level 0 is the top */
typedef struct SpLevel
{
	WindowAgg  *node;			/* as the planner made it */
	AttrNumber *part_cols;		/* partition columns, in the run's input */
	AttrNumber *ord_cols;		/* order columns, in the run's input */
} SpLevel;

/* One distinct window function of a run */
typedef struct SpFunction
{
	int			number;			/* attno of the INDEX_VARs that stand for it */
	int			level;			/* level of the node that computes it */
	WindowFunc *wfunc;			/* arguments over the run's input */
	SpReason	verdict;
} SpFunction;

/* winref of the WindowAggs that a replacement consists of; others count from 1 */
#define SP_SUMS_WINREF	0x7FFF0001
#define SP_LAGS_WINREF	0x7FFF0002

typedef struct SpRun
{
	List	   *levels;			/* SpLevel, top first */
	List	   *functions;		/* SpFunction, by number */
	List	   *targetlist;		/* the top node's, over input and functions */
	Plan	   *input;			/* child of the bottom node */
	const List *rtable;			/* of the statement */
} SpRun;

extern SpRun *sp_run_build(WindowAgg *top, const List *rtable, int max_levels);
extern void sp_run_drop_junk(SpRun *run);
extern bool sp_node_is_replacement(const WindowAgg *node);
extern bool sp_node_has_condition(const WindowAgg *node);
extern bool sp_level_has_function(const SpRun *run, int level, bool qualifying);
extern bool sp_level_keeps_aggregate(const SpRun *run, int level);
extern SpLevel *sp_function_level(const SpRun *run, const SpFunction *function);

#endif							/* SP_RUN_H */
