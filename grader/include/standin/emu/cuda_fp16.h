// Half precision on the CPU device.
#ifndef TILEGRADE_EMU_CUDA_FP16_H
#define TILEGRADE_EMU_CUDA_FP16_H

#include "small_pair.h"

#include "begin.h"

// 11 digits, exponents from -14 on.  Source: IEEE 754, binary16.
typedef tilegrade::small_float<11, -14> __half;
typedef tilegrade::small_pair<__half> __half2;
typedef __half half, __nv_half, nv_half;
typedef __half2 half2, __nv_half2, nv_half2;
TILEGRADE_SMALL(__half, __half2, half)

#define CUDART_INF_FP16        __ushort_as_half((unsigned short)0x7c00u)
#define CUDART_NAN_FP16        __ushort_as_half((unsigned short)0x7fffu)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bffu)
#define CUDART_ZERO_FP16       __ushort_as_half((unsigned short)0x0000u)
#define CUDART_ONE_FP16        __ushort_as_half((unsigned short)0x3c00u)

#include "end.h"

#endif
