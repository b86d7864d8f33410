// Half precision: our own on the CPU device, the toolkit's on a GPU.
#ifdef __TILEGRADE_EMU__
#include "emu/cuda_fp16.h"
#else
#include_next <cuda_fp16.h>
#endif
