/*-------------------------------------------------------------------------
 *
 * fused_bounds.h
 *	  The frames of a SlidingPrefix node as windows with bounds.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SP_FUSED_BOUNDS_H
#define SP_FUSED_BOUNDS_H

#include "fused_exec.h"

extern bool sp_frame_needs_peers(int frameOptions);
extern bool sp_spool_is_needed(const SpFusedPlan *plan);
extern void sp_fused_init_windows(SpFusedState *state, const Datum *offsets);
extern int	sp_fused_assign_readers(SpFusedState *state);

#endif							/* SP_FUSED_BOUNDS_H */
