// The elements of arrays: what they are as doubles, and how many of them are drawn on several
// threads.
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
