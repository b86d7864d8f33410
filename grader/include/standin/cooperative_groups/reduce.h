// Only a GPU runs what this header declares; there the toolkit's own header is used.
#ifndef TILEGRADE_STANDIN_COOPERATIVE_GROUPS_REDUCE_H
#define TILEGRADE_STANDIN_COOPERATIVE_GROUPS_REDUCE_H

#ifdef __TILEGRADE_EMU__
#error tilegrade_needs_gpu: <cooperative_groups/reduce.h>
#else
#include_next <cooperative_groups/reduce.h>
#endif

#endif
