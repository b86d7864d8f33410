// bfloat16: our own on the CPU device, the toolkit's on a GPU.
#ifndef TILEGRADE_STANDIN_CUDA_BF16_H
#define TILEGRADE_STANDIN_CUDA_BF16_H

#ifdef __TILEGRADE_EMU__
#include "emu/cuda_bf16.h"
#else
#include_next <cuda_bf16.h>
#endif

#endif
