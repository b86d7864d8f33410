// Cooperative groups: our own on the CPU device, the toolkit's on a GPU.
#ifndef TILEGRADE_STANDIN_COOPERATIVE_GROUPS_H
#define TILEGRADE_STANDIN_COOPERATIVE_GROUPS_H

#ifdef __TILEGRADE_EMU__
#include "emu/cooperative_groups.h"
#else
#include_next <cooperative_groups.h>
#endif

#endif
