// Asynchronous copies into shared memory; on a GPU, the toolkit's own header is used.
#ifdef __TILEGRADE_EMU__
#include "emu/cuda_pipeline.h"
#else
#include_next <cuda_pipeline.h>
#endif
