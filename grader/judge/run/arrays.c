// A product's inputs are made here; those of another exercise come with its expected results.
#include "judge/run/arrays.h"

#include <stdlib.h>
#include <string.h>

#include "judge/expected/store.h"
#include "judge/model/arguments.h"

static enum status memory_fail(struct size size, struct error *err) {
    char text[SIZE_TEXT_MAX];
    size_format(size, text);
    return fail(err, STATUS_NO_MEMORY, "no memory for the matrices of size %s", text);
}

static enum status product_make(const struct planned_case *planned, struct arrays *arrays,
                                struct error *err) {
    for (int i = 0; i < MATRIX_COUNT; i++) {
        arrays->before[i] = arrays->own[i] = malloc(arrays->arguments.list[i].bytes);
        if (!arrays->own[i]) {
            return memory_fail(planned->size, err);
        }
    }
    inputs_fill(planned->inputs, planned->key, planned->size, arrays->own[ARRAY_A],
                arrays->own[ARRAY_B]);
    poison_fill(arrays->own[ARRAY_C], size_elements_c(planned->size));
    return STATUS_OK;
}

static enum status other_make(const struct run_program *program, const struct planned_case *planned,
                              struct arrays *arrays, struct error *err) {
    struct expected_plan plan = {.kind = planned->inputs,
                                 .key = planned->key,
                                 .size = planned->size,
                                 .samples = planned->samples,
                                 .no_trials = planned->no_trials};
    enum status status =
        expected_store_get(program->machine, program->exercise, &plan.program, err);
    if (!status) {
        status = expected_case_make(&plan, &arrays->made, err);
    }
    if (status) {
        return status;
    }
    arrays->is_made = true;
    for (int i = 0; i < PARAMETERS_MAX; i++) {
        arrays->before[i] = arrays->made.values[i];
    }
    return STATUS_OK;
}

enum status arrays_make(const struct run_program *program, const struct planned_case *planned,
                        struct arrays *ret_arrays, struct error *err) {
    const struct signature *signature = &program->exercise->signature;
    *ret_arrays =
        (struct arrays){.signature = signature,
                        .planned = planned,
                        .arguments = arguments_of(signature, planned->size, &program->report)};
    enum status status = signature->is_matmul ? product_make(planned, ret_arrays, err)
                                              : other_make(program, planned, ret_arrays, err);
    for (uint32_t i = 0; i < ret_arrays->arguments.count && !status; i++) {
        uint64_t bytes = arguments_global_bytes(&ret_arrays->arguments, i);
        ret_arrays->after[i] = bytes > 0 ? malloc(bytes) : NULL;
        if (bytes > 0 && !ret_arrays->after[i]) {
            status = memory_fail(planned->size, err);
        }
    }
    if (status) {
        arrays_done(ret_arrays);
    }
    return status;
}

void arrays_done(struct arrays *arrays) {
    for (int i = 0; i < ARGUMENTS_MAX; i++) {
        free(arrays->own[i]);
        free(arrays->after[i]);
        arrays->own[i] = arrays->after[i] = NULL;
    }
    if (arrays->is_made) {
        expected_case_done(&arrays->made);
        arrays->is_made = false;
    }
}

enum status arrays_fetch(const struct run_worker *worker, struct arrays *arrays,
                         struct error *err) {
    enum status status = STATUS_OK;
    for (uint32_t i = 0; i < arrays->arguments.count && !status; i++) {
        if (arrays->after[i]) {
            status =
                session_fetch(&worker->session, &arrays->arguments.list[i], arrays->after[i], err);
        }
    }
    return status;
}

uint32_t arrays_changed(const struct arrays *arrays) {
    uint32_t changed = 0;
    for (uint32_t i = 0; i < arrays->arguments.count; i++) {
        const struct argument *argument = &arrays->arguments.list[i];
        if (arrays->after[i] && argument->is_input &&
            memcmp(arrays->before[i], arrays->after[i], argument->bytes) != 0) {
            changed |= 1u << i;
        }
    }
    return changed;
}

bool arrays_hold_lane_junk(const struct arrays *arrays) {
    bool found = false;
    for (uint32_t i = 0; i < arrays->arguments.count && !found; i++) {
        const struct argument *argument = &arrays->arguments.list[i];
        bool floats = arrays->signature->parameter[i].element == ELEMENT_FLOAT;
        const uint32_t *bits = arrays->after[i];
        for (uint64_t e = 0; bits && floats && !argument->is_input && e < argument->bytes / 4;
             e++) {
            found = found || bits[e] == LANE_JUNK_BITS;
        }
    }
    return found;
}
