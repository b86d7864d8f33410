// One run of NVIDIA's tools, with all that it prints.
#ifndef JUDGE_NVIDIA_TOOL_RUN_H
#define JUDGE_NVIDIA_TOOL_RUN_H

#include "device/build/plan.h"

struct gpu_lease;

// Runs the tool in `folder`, with the leased GPU locked, and with limits only: it has to look into
// the process that it starts, which the sandbox forbids.  No host code of a submission runs,
// because a cubin holds none.
//
// Errors  STATUS_UNAVAILABLE: it could not be started; STATUS_SYSTEM: it did not end in time, or
//         printed without end.
// Owns    the caller frees *ret_output.
enum status tool_run(const struct build_step *step, const char *folder, struct gpu_lease *lease,
                     char **ret_output, struct error *err);

#endif
