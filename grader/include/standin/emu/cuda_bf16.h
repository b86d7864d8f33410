// bfloat16 on the CPU device: the upper half of a float.
#ifndef TILEGRADE_EMU_CUDA_BF16_H
#define TILEGRADE_EMU_CUDA_BF16_H

#include "small_pair.h"

#include "begin.h"

typedef tilegrade::small_float<8, -126> __nv_bfloat16;
typedef tilegrade::small_pair<__nv_bfloat16> __nv_bfloat162;
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
TILEGRADE_SMALL(__nv_bfloat16, __nv_bfloat162, bfloat16)

#include "end.h"

#endif
