// Only a GPU runs what this header declares; there the toolkit's own header is used.
#ifndef TILEGRADE_STANDIN_CUDA_FP16_H
#define TILEGRADE_STANDIN_CUDA_FP16_H

#ifdef __TILEGRADE_EMU__
#error tilegrade_needs_gpu: <cuda_fp16.h>
#else
#include_next <cuda_fp16.h>
#endif

#endif
