// Matrix multiplication by a warp: our own on the CPU device, the toolkit's on a GPU.
#ifndef TILEGRADE_STANDIN_MMA_H
#define TILEGRADE_STANDIN_MMA_H

#ifdef __TILEGRADE_EMU__
#include "emu/mma.h"
#else
#include_next <mma.h>
#endif

#endif
