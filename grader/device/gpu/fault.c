// The driver says that a kernel failed, never where: place and thread are found on the CPU device.
#include "device/gpu/fault.h"

#include <stdio.h>

#include "base/array.h"

static void finding_add(struct answer *answer, enum finding_kind kind, uint32_t detail) {
    struct finding *finding = &answer->findings.list[0];
    answer->findings.count = 1;
    *finding = (struct finding){.kind = kind,
                                .severity = SEVERITY_ERROR,
                                .detail = detail,
                                .count = 1,
                                .space = SPACE_UNKNOWN,
                                .array = ARRAY_NONE};
}

// One row for each result that a kernel can cause.
static const struct fault {
    cuda_result result;
    enum finding_kind kind;
    enum crash_cause cause;
} faults[] = {
    {CUDA_RESULT_ILLEGAL_ADDRESS, FINDING_OUT_OF_BOUNDS, CRASH_NONE},
    {CUDA_RESULT_MISALIGNED_ADDRESS, FINDING_MISALIGNED, CRASH_NONE},
    {CUDA_RESULT_ASSERT, FINDING_CRASH, CRASH_ASSERT},
    {CUDA_RESULT_HARDWARE_STACK_ERROR, FINDING_CRASH, CRASH_STACK_OVERFLOW},
    {CUDA_RESULT_ILLEGAL_INSTRUCTION, FINDING_CRASH, CRASH_TRAP},
    {CUDA_RESULT_INVALID_ADDRESS_SPACE, FINDING_CRASH, CRASH_WILD_POINTER},
    {CUDA_RESULT_INVALID_PC, FINDING_CRASH, CRASH_WILD_POINTER},
    // A trap, a stack overflow into unmapped memory, and an access past the end of shared memory
    // all give this result.
    {CUDA_RESULT_LAUNCH_FAILED, FINDING_CRASH, CRASH_SIGNAL},
};

bool gpu_fault_answer(cuda_result result, const char *name, const char *sentence,
                      struct answer *answer) {
    if (result == CUDA_RESULT_LAUNCH_TIMEOUT) {
        answer->end = RUN_STOPPED;
        finding_add(answer, FINDING_TIME_LIMIT, 0);
        (void)snprintf(answer->text, sizeof answer->text, "%s (%s)", sentence, name);
        return true;
    }
    for (size_t i = 0; i < COUNT(faults); i++) {
        if (faults[i].result == result) {
            answer->end = RUN_CRASHED;
            finding_add(answer, faults[i].kind, faults[i].cause);
            (void)snprintf(answer->text, sizeof answer->text, "%s (%s)", sentence, name);
            return true;
        }
    }
    return false;
}

void gpu_late_answer(uint64_t limit_ms, struct answer *answer) {
    answer->end = RUN_STOPPED;
    finding_add(answer, FINDING_TIME_LIMIT, 0);
    (void)snprintf(answer->text, sizeof answer->text, "the kernel still ran after %llu ms",
                   (unsigned long long)limit_ms);
}
