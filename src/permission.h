/*-------------------------------------------------------------------------
 *
 * permission.h
 *	  The checks that the server makes before it calls a function.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SP_PERMISSION_H
#define SP_PERMISSION_H

#include "postgres.h"

extern void sp_check_function(Oid funcid, Oid roleid);
extern void sp_check_aggregate(Oid aggfnoid, bool moving);

#endif							/* SP_PERMISSION_H */
