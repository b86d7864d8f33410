// Matrix multiplication by a warp: our own on the CPU device, the toolkit's on a GPU.
#ifdef __TILEGRADE_EMU__
#include "emu/mma.h"
#else
#include_next <mma.h>
#endif
