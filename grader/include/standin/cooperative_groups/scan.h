// Scans of cooperative groups: our own on the CPU device, the toolkit's on a GPU.
#ifdef __TILEGRADE_EMU__
#include "emu/cooperative_groups_reduce.h"
#else
#include_next <cooperative_groups/scan.h>
#endif
