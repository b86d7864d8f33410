// Only for a GPU, which uses the toolkit's own header.
#ifndef TILEGRADE_STANDIN_MMA_H
#define TILEGRADE_STANDIN_MMA_H

#ifdef __TILEGRADE_EMU__
#error tilegrade_needs_gpu: <mma.h>
#else
#include_next <mma.h>
#endif

#endif
