// Checks of the fields of timed launches; see protocol.c for those of every launch.
#include "device/channel/timed.h"

#include <string.h>

#include "emu/wire/finding.h"

#define PAGE_BYTES         4096u
#define GPU_STATE_ALL      (GPU_STATE_CLOCKS | GPU_STATE_REASONS | GPU_STATE_HEAT | GPU_STATE_POWER)
#define CUBLAS_VERSION_MAX 9999999u

struct timed_layout timed_layout_of(const struct arguments *arguments, uint32_t batch) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < arguments->count; i++) {
        bytes += arguments->list[i].is_input ? 0 : arguments_global_bytes(arguments, i);
    }
    struct timed_layout layout = {.stride = (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES};
    layout.total = layout.stride * batch;
    return layout;
}

bool timed_request_check(const struct timed_request *timed, bool is_timed) {
    static const struct timed_request none;
    if (!is_timed) {
        return memcmp(timed, &none, sizeof none) == 0;
    }
    return timed->batch >= 1 && timed->batch <= TIMED_BATCH_MAX && timed->by < TIMED_BY_COUNT &&
           timed->inputs < TIMED_INPUTS_COUNT;
}

bool timed_answer_check(const struct timed_answer *timed, const struct arguments *arguments) {
    const struct gpu_state *state = &timed->state;
    uint32_t inputs = 0;
    for (uint32_t i = 0; i < arguments->count; i++) {
        inputs |= arguments->list[i].is_input ? 1u << i : 0;
    }
    return (timed->inputs_changed & ~inputs) == 0 && timed->cublas_version <= CUBLAS_VERSION_MAX &&
           (state->known & ~GPU_STATE_ALL) == 0;
}
