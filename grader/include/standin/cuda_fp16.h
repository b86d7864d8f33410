// Half precision: our own on the CPU device, the toolkit's on a GPU.
#ifndef TILEGRADE_STANDIN_CUDA_FP16_H
#define TILEGRADE_STANDIN_CUDA_FP16_H

#ifdef __TILEGRADE_EMU__
#include "emu/cuda_fp16.h"
#else
#include_next <cuda_fp16.h>
#endif

#endif
