// Stand-in: a kernel needs no header for this, on both devices.
#ifndef TILEGRADE_STANDIN_SM_30_INTRINSICS_H
#define TILEGRADE_STANDIN_SM_30_INTRINSICS_H
#endif
