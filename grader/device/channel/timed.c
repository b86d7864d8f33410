// Checks of the fields of timed launches; see protocol.c for those of every launch.
#include "device/channel/timed.h"

#include <string.h>

#include "emu/wire/finding.h"

#define PAGE_BYTES         4096u
#define VECTOR_BYTES       16u
#define GPU_STATE_ALL      (GPU_STATE_CLOCKS | GPU_STATE_REASONS | GPU_STATE_HEAT | GPU_STATE_POWER)
#define CUBLAS_VERSION_MAX 9999999u

uint64_t timed_output_bytes(const struct arguments *arguments, uint32_t i) {
    uint64_t bytes = arguments->list[i].is_input ? 0 : arguments_global_bytes(arguments, i);
    return (bytes + VECTOR_BYTES - 1) / VECTOR_BYTES * VECTOR_BYTES;
}

struct timed_layout timed_layout_of(const struct arguments *arguments, uint32_t batch) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < arguments->count; i++) {
        bytes += timed_output_bytes(arguments, i);
    }
    struct timed_layout layout = {.stride = (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES};
    layout.total = layout.stride * batch;
    return layout;
}

// An array of a product is not drawn in this way, any other array is.
static bool draw_check(const struct draw_spec *spec, const struct argument *argument,
                       bool is_product) {
    bool is_array = argument->kind == ARGUMENT_ARRAY || argument->kind == ARGUMENT_CONSTANT;
    if (is_product || !is_array) {
        return spec->way == DRAW_NOTHING;
    }
    return spec->way > DRAW_NOTHING && spec->way < DRAW_WAY_COUNT &&
           spec->one_bytes == (int)argument->one_bytes && spec->bits >= 0 && spec->bits <= 53 &&
           spec->elements == argument->bytes / argument->one_bytes &&
           (spec->one_bytes != 2 || spec->digits == 0 || spec->digits == 8 || spec->digits == 11);
}

bool timed_request_check(const struct timed_request *timed, const struct arguments *arguments,
                         bool is_timed) {
    static const struct timed_request none;
    if (!is_timed) {
        return memcmp(timed, &none, sizeof none) == 0;
    }
    for (uint32_t i = 0; i < ARGUMENTS_MAX; i++) {
        bool is_product = i >= arguments->count || arguments_are_of_product(arguments);
        if (!draw_check(&timed->draw[i], &arguments->list[i], is_product)) {
            return false;
        }
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
