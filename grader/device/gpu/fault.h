// What the driver says of a launch that went wrong, as an answer to the judge.  Pure.
#ifndef DEVICE_GPU_FAULT_H
#define DEVICE_GPU_FAULT_H

#include <stdbool.h>

#include "device/gpu/cuda_api.h"
#include "device/channel/protocol.h"

// Fills end, text and, where the driver's word is exact, one finding.  name and sentence are the
// driver's.
//
// Returns  false where the result is no fault of a kernel (a lost GPU, an ECC error …): our
// trouble; *answer is as it was. Source   CUDA Driver API, CUresult.  All of these but
// LAUNCH_OUT_OF_RESOURCES end the context.
bool gpu_fault_answer(cuda_result result, const char *name, const char *sentence,
                      struct answer *answer);

// The answer to a launch that was still running at its limit.
void gpu_late_answer(uint64_t limit_ms, struct answer *answer);

#endif
