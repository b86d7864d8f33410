// Only for a GPU, which uses the toolkit's own header.
#ifdef __TILEGRADE_EMU__
#error tilegrade_needs_gpu: <cuda_fp8.h>
#else
#include_next <cuda_fp8.h>
#endif
