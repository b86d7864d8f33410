// The elements of arrays: what they are as doubles, and how many of them are drawn on several
// threads; the initial values of outputs.
#include <math.h>
#include <string.h>

#include "base/pool.h"
#include "judge/expected/expected_case.h"

int draw_bits(enum element_type type) {
    return type == ELEMENT_DOUBLE ? 30 : element_is_small(type) ? element_digits(type) : 12;
}

double draw_small_value(int digits, uint16_t bits) {
    const int one = 1 << (digits - 1);
    const int infinity = 0x7fff >> (digits - 1);  // exponent of infinity and NaN
    int exponent = (bits & 0x7fff) >> (digits - 1);
    int fraction = bits & (one - 1);
    int least = 2 - infinity / 2 - digits;  // exponent of the last digit
    double value =
        exponent == 0 ? ldexp(fraction, least) : ldexp(fraction + one, exponent - 1 + least);
    if (exponent == infinity) {
        value = fraction == 0 ? (double)INFINITY : (double)NAN;
    }
    return bits >> 15 ? -value : value;
}

double draw_value(enum element_type type, const void *values, uint64_t i) {
    switch (type) {
    case ELEMENT_FLOAT:
        return (double)((const float *)values)[i];
    case ELEMENT_DOUBLE:
        return ((const double *)values)[i];
    case ELEMENT_HALF:
    case ELEMENT_BF16:
        return draw_small_value(element_digits(type), ((const uint16_t *)values)[i]);
    case ELEMENT_INT8:
        return ((const int8_t *)values)[i];
    case ELEMENT_INT16:
        return ((const int16_t *)values)[i];
    case ELEMENT_INT32:
        return ((const int32_t *)values)[i];
    case ELEMENT_INT64:
        return (double)((const int64_t *)values)[i];
    case ELEMENT_UINT8:
        return ((const uint8_t *)values)[i];
    case ELEMENT_UINT16:
        return ((const uint16_t *)values)[i];
    case ELEMENT_UINT32:
        return ((const uint32_t *)values)[i];
    default:
        return (double)((const uint64_t *)values)[i];
    }
}

#define PART_ELEMENTS (UINT64_C(1) << 20)

struct drawing {
    const struct draw_spec *spec;
    struct random_key key;
    uint64_t first, count;
    unsigned char *values;
};

static void part_draw(void *context, int item) {
    const struct drawing *drawing = context;
    const size_t bytes = (size_t)drawing->spec->one_bytes;
    uint64_t k = (uint64_t)item * PART_ELEMENTS;
    uint64_t end = drawing->count - k < PART_ELEMENTS ? drawing->count : k + PART_ELEMENTS;
    for (; k < end; k++) {
        draw_word bits = draw_element(drawing->spec, drawing->key.word[0], drawing->key.word[1],
                                      drawing->first + k);
        memcpy(drawing->values + k * bytes, &bits, bytes);  // little-endian
    }
}

void draw_elements(const struct draw_spec *spec, struct random_key key, uint64_t first,
                   uint64_t count, void *values) {
    struct drawing drawing = {spec, key, first, count, values};
    struct pool *pool = NULL;
    int parts = (int)((count + PART_ELEMENTS - 1) / PART_ELEMENTS);
    int threads = pool_processors() < POOL_THREADS_MAX ? pool_processors() : POOL_THREADS_MAX;
    if (parts > 1 && !pool_open(threads, 0, &pool, NULL)) {
        const struct pool_phase phase = {part_draw, parts};
        pool_start(pool, &phase, 1, &drawing);
        pool_wait(pool);
        pool_close(pool);
        return;
    }
    for (int i = 0; i < parts; i++) {
        part_draw(&drawing, i);
    }
}

#define SUM_ROOM          0.9     // of the exact range, for all inputs of a sum …
#define SUM_WIDEST        4095.0  // … whose elements are at most this large (of double: 2^30)
#define SUM_WIDEST_DOUBLE 1073741823.0

struct draw_width draw_width_of_sum(const struct signature *signature, uint64_t elements) {
    bool is_double = expected_is_double(signature);
    double widest = is_double ? SUM_WIDEST_DOUBLE : SUM_WIDEST;
    double room = SUM_ROOM * (is_double ? 0x1p53 : 0x1p24) / (double)elements;  // of an element
    struct draw_width width = {.bits = is_double ? 30 : 12, .wide = 1, .some = 1};
    if (room < widest) {
        width.some = fmin(1, room / 2);
        width.wide = (room - width.some) / widest;
    }
    return width;
}

// The way in which array number `array` is drawn, for the host and for a GPU.
static struct draw_spec draw_spec_of(const struct parameter *parameter,
                                     const struct expected_inputs *inputs, struct draw_width width,
                                     uint32_t array, uint64_t elements) {
    const enum draw_form form = inputs->form;
    const struct draw *draw = &parameter->draw;
    struct draw_spec spec;
    bool is_number = element_is_real(parameter->element);
    bool is_real = form != DRAW_EXACT && form != DRAW_STEPS;
    // Equal ends: all elements must have this value, whatever the form.
    bool is_range = (is_real && (form == DRAW_REAL || form == DRAW_EQUAL || !draw->is_usual)) ||
                    draw->order == DRAW_SORTED || draw->low == draw->high;
    memset(&spec, 0, sizeof spec);
    spec.elements = elements;
    spec.stream = (uint64_t)array << 56;
    spec.low = draw->order == DRAW_ALIKE && is_real ? draw->high : draw->low;
    spec.high = draw->high;
    spec.wide = width.wide;
    spec.some = width.some;
    spec.bits = width.bits;
    spec.exponent = inputs->exponent;
    spec.scale = inputs->scale;
    spec.is_sparse = inputs->is_sparse && draw->order != DRAW_SORTED;
    spec.columns = 1;
    spec.digits = element_digits(parameter->element);
    spec.is_sorted = draw->order == DRAW_SORTED;
    spec.one_bytes = (int)element_bytes(parameter->element);
    spec.way = draw->order == DRAW_PERMUTATION ? DRAW_REARRANGED
               : !is_number                    ? DRAW_WHOLE
               : is_range                      ? DRAW_RANGE
               : form == DRAW_MANY             ? DRAW_BINADES
               : form == DRAW_ODDITY           ? DRAW_SPECIAL
               : form == DRAW_STEPS            ? DRAW_TWO_VALUES
                                               : DRAW_ODD;
    return spec;
}

// Cases on real inputs take the ranges of an array in turn.
static void range_take(struct draw *draw, uint32_t turn) {
    const uint32_t range = turn % (uint32_t)(1 + draw->more_count);
    if (range > 0) {
        draw->low = draw->more[range - 1].low;
        draw->high = draw->more[range - 1].high;
    }
}

void expected_specs(const struct signature *signature, const struct expected_inputs *inputs,
                    struct size size, struct draw_spec ret_spec[PARAMETERS_MAX]) {
    memset(ret_spec, 0, PARAMETERS_MAX * sizeof *ret_spec);
    for (int i = 0; i < signature->parameter_count; i++) {
        const struct parameter *parameter = &signature->parameter[i];
        struct draw_width width = inputs->width;
        if (!parameter_is_array(parameter)) {
            continue;
        }
        width.bits =
            width.bits < draw_bits(parameter->element) ? width.bits : draw_bits(parameter->element);
        if (inputs->wide >= 0 && inputs->wide != i) {
            width.wide = 0;
        }
        struct parameter drawn = *parameter;
        drawn.draw = parameter_draw(signature, parameter, size);
        if (inputs->form != DRAW_EXACT) {
            range_take(&drawn.draw, inputs->range);
        }
        ret_spec[i] = draw_spec_of(&drawn, inputs, width, (uint32_t)i,
                                   parameter_elements(signature, parameter, size));
        if (parameter->rank == 2) {
            ret_spec[i].columns = parameter_extent(signature, parameter, 1, size);
        }
        if (!parameter_is_input(parameter)) {
            ret_spec[i].way = DRAW_SAME;
            ret_spec[i].pattern = expected_poison_of(parameter->element);
        }
    }
}

// --- Initial values of outputs -------------------------------------------------------------------

static const struct parameter *parameter_at(const struct expected_case *made, int i) {
    return &made->plan.program->signature->parameter[i];
}

static int parameter_count(const struct expected_case *made) {
    return made->plan.program->signature->parameter_count;
}

uint64_t expected_poison_of(enum element_type type) {
    static const uint64_t pattern[] = {
        [ELEMENT_FLOAT] = POISON_BITS, [ELEMENT_DOUBLE] = 0x7ff4a05eedf00d01,
        [ELEMENT_HALF] = 0x7d5e,       [ELEMENT_BF16] = 0x7fa5,
        [ELEMENT_INT8] = 0x5e,         [ELEMENT_INT16] = 0x5eed,
        [ELEMENT_INT32] = 0x5eedf00d,  [ELEMENT_INT64] = 0x5eedf00d5eedf00d,
        [ELEMENT_UINT8] = 0xde,        [ELEMENT_UINT16] = 0xdeed,
        [ELEMENT_UINT32] = 0xdeedf00d, [ELEMENT_UINT64] = 0xdeedf00d5eedf00d};
    return pattern[type];
}

void expected_poison(enum element_type type, uint64_t count, void *values) {
    const uint64_t pattern = expected_poison_of(type);
    uint64_t bytes = element_bytes(type);
    for (uint64_t i = 0; i < count; i++) {
        memcpy((unsigned char *)values + i * bytes, &pattern, bytes);
    }
}

static bool holds(enum element_type type, const void *values, uint64_t i, uint64_t pattern) {
    uint64_t bytes = element_bytes(type);
    return memcmp((const unsigned char *)values + i * bytes, &pattern, bytes) == 0;
}

bool expected_is_poison(enum element_type type, const void *values, uint64_t i) {
    return holds(type, values, i, expected_poison_of(type));
}

// Some values of a byte or two are right by chance, so each case has its own poison.
static bool has_few_values(enum element_type type) {
    return element_bytes(type) <= sizeof(uint16_t) && !element_is_real(type);
}

// Reals begin with a NaN, which no kernel can use unseen; in sparse cases, with an ordinary number.
static uint64_t poison_in(const struct expected_case *made, enum element_type type) {
    static const uint64_t ordinary[ELEMENT_BF16 + 1] = {[ELEMENT_FLOAT] = 0x3fc00000,
                                                        [ELEMENT_DOUBLE] = 0x3ff8000000000000,
                                                        [ELEMENT_HALF] = 0x3e00,
                                                        [ELEMENT_BF16] = 0x3fc0};
    if (made->plan.kind == INPUTS_SPARSE && element_is_real(type)) {
        return ordinary[type];  // 1.5
    }
    return expected_poison_of(type) ^ (has_few_values(type) ? made->plan.poison : 0);
}

void expected_output_poison(struct expected_case *made, int parameter) {
    const enum element_type type = parameter_at(made, parameter)->element;
    const uint64_t pattern = poison_in(made, type);
    const uint64_t bytes = element_bytes(type);
    const uint64_t elements = parameter_elements(made->plan.program->signature,
                                                 parameter_at(made, parameter), made->plan.size);
    for (uint64_t i = 0; i < elements; i++) {
        memcpy((unsigned char *)made->values[parameter] + i * bytes, &pattern, bytes);
    }
}

bool expected_may_be_stored(const struct expected_case *made) {
    bool found = false;
    for (int i = 0; i < parameter_count(made); i++) {
        const struct parameter *parameter = parameter_at(made, i);
        found = found || (parameter_is_array(parameter) && !parameter_is_input(parameter) &&
                          has_few_values(parameter->element) && !made->first[i]);
    }
    return found;
}

void expected_case_poison_again(struct expected_case *made, const void *const *after) {
    made->plan.poison ^= UINT16_MAX;
    for (int i = 0; i < parameter_count(made); i++) {
        if (parameter_is_array(parameter_at(made, i)) &&
            !parameter_is_input(parameter_at(made, i))) {
            made->first[i] = after[i];
            expected_output_poison(made, i);
        }
    }
}

bool expected_is_unwritten(const struct expected_case *made, int parameter, const void *values,
                           uint64_t i) {
    const enum element_type type = parameter_at(made, parameter)->element;
    const uint64_t poison = poison_in(made, type);
    const void *first = made->first[parameter];
    return holds(type, values, i, poison) &&
           (!first || holds(type, first, i, poison ^ (has_few_values(type) ? UINT16_MAX : 0)));
}
