// Only a GPU runs what this header declares; there the toolkit's own header is used.
#ifndef TILEGRADE_STANDIN_COOPERATIVE_GROUPS_H
#define TILEGRADE_STANDIN_COOPERATIVE_GROUPS_H

#ifdef __TILEGRADE_EMU__
#error tilegrade_needs_gpu: <cooperative_groups.h>
#else
#include_next <cooperative_groups.h>
#endif

#endif
