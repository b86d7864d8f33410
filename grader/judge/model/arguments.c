// From the declaration of an exercise to what its worker needs.
#include "judge/model/arguments.h"

#include <stdio.h>
#include <string.h>

static void matrix_extents(const struct signature *signature, struct size size,
                           struct arguments *arguments) {
    for (int i = 0; i < 3 && signature->is_matmul; i++) {
        for (int d = 0; d < 2; d++) {
            arguments->extent[i][d] =
                (uint32_t)parameter_extent(signature, &signature->parameter[i], d, size);
        }
    }
}

static uint64_t argument_bits(const struct parameter *parameter, struct size size) {
    uint64_t bits = 0;
    float narrow = (float)parameter->value;
    if (parameter->kind == PARAMETER_SIZE) {
        return (uint64_t)(int64_t)size.at[parameter->size];
    }
    if (parameter->element == ELEMENT_DOUBLE) {
        memcpy(&bits, &parameter->value, sizeof parameter->value);
    } else if (parameter->element == ELEMENT_FLOAT) {
        memcpy(&bits, &narrow, sizeof narrow);
    } else {
        bits =
            parameter->value < 0 ? (uint64_t)(int64_t)parameter->value : (uint64_t)parameter->value;
    }
    return bits;
}

// A constant array is where the program has it.
static void constant_place(const struct build_report *report, struct argument *argument) {
    argument->is_missing = report != NULL;
    for (uint32_t i = 0; report && i < report->constant_count; i++) {
        const struct constant_array *constant = &report->constant[i];
        if (strcmp(constant->name, argument->name) == 0 && constant->bytes >= argument->bytes) {
            argument->is_missing = 0;
            argument->value = constant->address;
        }
    }
}

struct arguments arguments_of(const struct signature *signature, struct size size,
                              const struct build_report *report) {
    struct arguments arguments = {.count = (uint32_t)signature->parameter_count};
    struct signature_layout layout = signature_layout_of(signature, size);
    matrix_extents(signature, size, &arguments);
    for (int i = 0; i < signature->parameter_count; i++) {
        const struct parameter *parameter = &signature->parameter[i];
        struct argument *argument = &arguments.list[i];
        bool is_real = parameter->kind == PARAMETER_SCALAR && element_is_real(parameter->element);
        argument->kind = parameter->kind == PARAMETER_ARRAY      ? ARGUMENT_ARRAY
                         : parameter->kind == PARAMETER_CONSTANT ? ARGUMENT_CONSTANT
                         : is_real                               ? ARGUMENT_REAL
                                                                 : ARGUMENT_INTEGER;
        argument->one_bytes = (uint32_t)element_bytes(parameter->element);
        argument->is_input = parameter_is_array(parameter) && !parameter_is_output(parameter);
        (void)snprintf(argument->type, sizeof argument->type, "%s",
                       element_mangled(parameter->element));
        argument->at = layout.at[i];
        argument->bytes = layout.bytes[i];
        if (parameter_is_array(parameter)) {
            (void)snprintf(argument->name, sizeof argument->name, "%s", parameter->name);
        } else {
            argument->value = argument_bits(parameter, size);
        }
        if (parameter->kind == PARAMETER_CONSTANT) {
            constant_place(report, argument);
        }
    }
    return arguments;
}
