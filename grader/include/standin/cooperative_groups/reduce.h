// Reductions of cooperative groups: our own on the CPU device, the toolkit's on a GPU.
#ifndef TILEGRADE_STANDIN_COOPERATIVE_GROUPS_REDUCE_H
#define TILEGRADE_STANDIN_COOPERATIVE_GROUPS_REDUCE_H

#ifdef __TILEGRADE_EMU__
#include "emu/cooperative_groups_reduce.h"
#else
#include_next <cooperative_groups/reduce.h>
#endif

#endif
