// Arguments: from the declaration of an exercise to the form that its worker needs. Inputs: the
// form of each term is decided once per k; then rows are filled in one sweep.
#include "judge/model/inputs.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/basics.h"
#include "base/limits.h"
#include "device/channel/array_fill.h"

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

// A constant array is at its address in the program.
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

#define QUIET_BIT 0x00400000u

const char *inputs_kind_name(enum inputs_kind kind) {
    static const char *const names[INPUTS_KINDS] = {"exact", "real",    "binades",
                                                    "equal", "special", "sparse"};
    return names[kind];
}

int32_t inputs_big_terms(int32_t k) {
    return exact_big_terms(k);
}

FAST static void row_store(const int32_t *integers, int32_t count, float *row) {
    for (int32_t i = 0; i < count; i++) {
        row[i] = (float)integers[i];
    }
}

static void fill_exact(struct random_key key, struct size size, float *a, float *b) {
    uint8_t role[SIZE_DIMENSION_MAX];
    int32_t integers[SIZE_DIMENSION_MAX];
    exact_roles(key, size.k, role);
    for (int32_t i = 0; i < size.m; i++) {
        exact_row_a(key, i, size.k, role, integers);
        row_store(integers, size.k, a + (size_t)i * (size_t)size.k);
    }
    for (int32_t k = 0; k < size.k; k++) {
        exact_row_b(key, k, size.n, (enum exact_role)role[k], integers);
        row_store(integers, size.n, b + (size_t)k * (size_t)size.n);
    }
}

// An odd integer below 2^24 in magnitude is exact in fp32, and so is its product with 2^-24.
static inline float uniform(uint32_t bits) {
    int32_t odd = (int32_t)(bits >> 8) * 2 + 1 - (1 << 24);
    return (float)odd * 0x1p-24f;
}

FAST void inputs_real(struct random_key key, uint64_t stream, uint64_t first, int32_t count,
                      float *elements) {
    int32_t odd = (int32_t)(first % 2);  // the first element is the second half of its number
    if (odd == 1 && count > 0) {
        elements[0] = uniform((uint32_t)(random_at(key, stream + first / 2) >> 32));
    }
    for (int32_t i = odd; i + 1 < count; i += 2) {
        uint64_t word = random_at(key, stream + (first + (uint64_t)i) / 2);
        elements[i] = uniform((uint32_t)word);
        elements[i + 1] = uniform((uint32_t)(word >> 32));
    }
    if (count > odd && (count - odd) % 2 == 1) {
        uint64_t last = first + (uint64_t)count - 1;
        elements[count - 1] = uniform((uint32_t)random_at(key, stream + last / 2));
    }
}

static void fill_real(struct random_key key, uint64_t stream, int32_t rows, int32_t columns,
                      float *elements) {
    for (int32_t i = 0; i < rows; i++) {
        uint64_t first = (uint64_t)i * (uint64_t)columns;
        inputs_real(key, stream, first, columns, elements + first);
    }
}

static void fill_binades(struct random_key key, uint64_t stream, uint64_t count, float *elements) {
    const struct draw_spec spec = {
        .way = DRAW_BINADES, .digits = 24, .one_bytes = 4, .exponent = INPUTS_EXPONENT};
    for (uint64_t i = 0; i < count; i++) {
        uint32_t bits = (uint32_t)draw_element(&spec, key.word[0], key.word[1], stream + i);
        memcpy(&elements[i], &bits, sizeof bits);
    }
}

static void fill_holes(struct random_key key, uint64_t stream, int32_t rows, int32_t columns,
                       float *elements) {
    for (int32_t i = 0; i < rows; i++) {
        for (int32_t j = 0; j < columns; j++) {
            uint64_t at = (uint64_t)i * (uint64_t)columns + (uint64_t)j;
            uint64_t word = random_at(key, STREAM_HOLES + stream + at);
            elements[at] = draw_is_hole(word, (uint64_t)i, (uint64_t)j) ? 0.0f : elements[at];
        }
    }
}

void inputs_fill(enum inputs_kind kind, struct random_key key, struct size size, float *a,
                 float *b) {
    assert(size.m <= SIZE_DIMENSION_MAX && size.n <= SIZE_DIMENSION_MAX);
    assert(size.k <= SIZE_DIMENSION_MAX);
    if (kind == INPUTS_EXACT || kind == INPUTS_SPARSE) {
        fill_exact(key, size, a, b);
    }
    if (kind == INPUTS_EXACT) {
        return;
    }
    if (kind == INPUTS_SPARSE) {
        fill_holes(key, 0, size.m, size.k, a);
        fill_holes(key, (uint64_t)size.m * (uint64_t)size.k, size.k, size.n, b);
    } else if (kind == INPUTS_BINADES) {
        fill_binades(key, STREAM_A, (uint64_t)size.m * (uint64_t)size.k, a);
        fill_binades(key, STREAM_B, (uint64_t)size.k * (uint64_t)size.n, b);
    } else {
        fill_real(key, STREAM_A, size.m, size.k, a);
        fill_real(key, STREAM_B, size.k, size.n, b);
    }
}

// Without zeros, so that two whole numbers whose product is an int are ints, which a right kernel
// may make of them.
static void scale(float factor, int32_t rows, int32_t columns, float *elements) {
    for (size_t i = 0; i < (size_t)rows * (size_t)columns; i++) {
        const bool is_zero = elements[i] == 0.0f && factor != 1.0f;
        elements[i] = is_zero ? factor : elements[i] * factor;
    }
}

void inputs_scale(uint32_t number, struct size size, float *a, float *b) {
    static const float factors[INPUTS_SCALES][2] = {
        {1.0f, 1.0f}, {0x1p-80f, 0x1p80f}, {0x1p80f, 0x1p-80f}, {0x1p28f, 0x1p28f}};
    scale(factors[number][0], size.m, size.k, a);
    scale(factors[number][1], size.k, size.n, b);
}

void poison_fill(float *c, size_t count) {
    const uint32_t poison = POISON_BITS;
    for (size_t i = 0; i < count; i++) {
        memcpy(&c[i], &poison, sizeof poison);
    }
}

void inputs_old_c(enum inputs_kind kind, float *c, size_t count) {
    poison_fill(c, count);
    for (size_t i = 0; kind == INPUTS_SPARSE && i < count; i++) {
        c[i] = 1.5f;
    }
}

static uint32_t bits_of(float element) {
    uint32_t bits = 0;
    memcpy(&bits, &element, sizeof bits);
    return bits;
}

bool poison_is(float element) {
    return bits_of(element) == POISON_BITS;
}

bool poison_was_read(float element) {
    return bits_of(element) == (POISON_BITS | QUIET_BIT);
}
