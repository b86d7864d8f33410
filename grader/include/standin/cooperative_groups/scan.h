// Scans of cooperative groups: our own on the CPU device, the toolkit's on a GPU.
#ifndef TILEGRADE_STANDIN_COOPERATIVE_GROUPS_SCAN_H
#define TILEGRADE_STANDIN_COOPERATIVE_GROUPS_SCAN_H

#ifdef __TILEGRADE_EMU__
#include "emu/cooperative_groups_reduce.h"
#else
#include_next <cooperative_groups/scan.h>
#endif

#endif
