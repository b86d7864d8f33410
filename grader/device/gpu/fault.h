// The driver's report of a launch that failed, as an answer to the judge.  Pure.
#ifndef DEVICE_GPU_FAULT_H
#define DEVICE_GPU_FAULT_H

#include <stdbool.h>

#include "device/gpu/cuda_api.h"
#include "device/channel/protocol.h"

// Fills end, text and, if the driver's report is exact, one finding.  name and sentence are the
// driver's.
//
// Returns  false if the result is not a fault of a kernel (a lost GPU, an ECC error …): our
//          trouble; *answer is as it was.
// Source   CUDA Driver API, CUresult.  All of these results except LAUNCH_OUT_OF_RESOURCES end the
//          context.
bool gpu_fault_answer(cuda_result result, const char *name, const char *sentence,
                      struct answer *answer);

// The answer to a launch that was still running at its limit.
void gpu_late_answer(uint64_t limit_ms, struct answer *answer);

#endif
