// bfloat16: our own on the CPU device, the toolkit's on a GPU.
#ifdef __TILEGRADE_EMU__
#include "emu/cuda_bf16.h"
#else
#include_next <cuda_bf16.h>
#endif
