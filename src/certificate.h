/*-------------------------------------------------------------------------
 *
 * certificate.h
 *	  Verdicts on window functions: rewritten, or the reason why not.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SP_CERTIFICATE_H
#define SP_CERTIFICATE_H

typedef enum SpReason
{
	SP_QUALIFIES,
	/* of one window function and its frame */
	SP_RUN_CONDITION,
	SP_NOT_PERMITTED,
	SP_NOT_AN_AGGREGATE,
	SP_INEXACT_SUM,
	SP_AGGREGATE,
	SP_NUMERIC_SCALE,
	SP_VOLATILE_ARGUMENT,
	SP_SUBPLAN_ARGUMENT,
	SP_PARTITION_KEY,
	SP_RANGE_KEY,
	/* of the windowagg strategy */
	SP_ONLY_FUSED,
	SP_OFFSET_UNKNOWN,
	SP_OFFSET_INVALID,
	SP_OFFSET_TOO_LARGE,
	SP_HELPER_FORBIDDEN,
	SP_TOO_MANY_COLUMNS,
	/* of the function among the others of its run */
	SP_SHARED_WINDOW,
	SP_READING_AHEAD,
	SP_GROWING_ALONE,
	SP_NARROW,
} SpReason;

struct List;
struct SpRun;
struct SpStrategy;
struct WindowAgg;

extern struct SpRun *sp_certified_run(struct WindowAgg *top,
									  const struct List *rtable,
									  const struct SpStrategy *strategy);
extern bool sp_frame_is_growing(const struct WindowAgg *node);
extern bool sp_frame_adds_to_key(int frameOptions);
extern bool sp_frame_ends_with_row(int frameOptions);
extern bool sp_frame_is_plain_sum(Oid aggfnoid, int frameOptions);
extern int64 sp_frame_width(const struct WindowAgg *node);
extern const char *sp_reason_code(SpReason reason);
extern const char *sp_reason_sentence(SpReason reason);

#endif							/* SP_CERTIFICATE_H */
