// Only for a GPU, which uses the toolkit's own header.
#ifndef TILEGRADE_STANDIN_CUDA_FP8_H
#define TILEGRADE_STANDIN_CUDA_FP8_H

#ifdef __TILEGRADE_EMU__
#error tilegrade_needs_gpu: <cuda_fp8.h>
#else
#include_next <cuda_fp8.h>
#endif

#endif
