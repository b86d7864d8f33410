// Only a GPU runs what this header declares; there the toolkit's own header is used.
#ifndef TILEGRADE_STANDIN_CUDA_PIPELINE_PRIMITIVES_H
#define TILEGRADE_STANDIN_CUDA_PIPELINE_PRIMITIVES_H

#ifdef __TILEGRADE_EMU__
#error tilegrade_needs_gpu: <cuda_pipeline_primitives.h>
#else
#include_next <cuda_pipeline_primitives.h>
#endif

#endif
