// See draw.h.
#include "judge/expected/draw.h"

#include <math.h>
#include <string.h>

#define STEP_HIGH 100.0     // exp of it is infinite in fp32 …
#define STEP_LOW  (-900.0)  // … and of the difference 0, in fp64 too

int draw_bits(enum element_type type) {
    return type == ELEMENT_DOUBLE ? 30 : type == ELEMENT_HALF ? 11 : 12;
}

double draw_half_value(uint16_t bits) {
    int exponent = bits >> 10 & 31;
    int fraction = bits & 1023;
    double value = exponent == 0 ? ldexp(fraction, -24) : ldexp(fraction + 1024, exponent - 25);
    if (exponent == 31) {
        value = fraction == 0 ? (double)INFINITY : (double)NAN;
    }
    return bits >> 15 ? -value : value;
}

uint16_t draw_half(double value) {
    uint16_t sign = signbit(value) ? 0x8000 : 0;
    double size = fabs(value);
    int exponent = 0;
    if (isnan(value)) {
        return 0x7e00;
    }
    if (size >= 65520) {
        return sign | 0x7c00;
    }
    (void)frexp(size, &exponent);
    exponent = exponent < -13 ? -13 : exponent;
    double steps = nearbyint(ldexp(size, 11 - exponent));  // of 2^(exponent - 11), at most 2048
    // 1024 steps are the next exponent's fraction 0, so the carry is right by itself.
    return (uint16_t)(sign + (uint16_t)steps + (uint16_t)((exponent + 13) * 1024));
}

double draw_value(enum element_type type, const void *values, uint64_t i) {
    switch (type) {
    case ELEMENT_FLOAT:
        return (double)((const float *)values)[i];
    case ELEMENT_DOUBLE:
        return ((const double *)values)[i];
    case ELEMENT_HALF:
        return draw_half_value(((const uint16_t *)values)[i]);
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

static void whole_store(enum element_type type, int64_t value, void *values, uint64_t i) {
    uint64_t bytes = element_bytes(type);
    memcpy((unsigned char *)values + i * bytes, &value, bytes);  // little-endian
}

static void store(enum element_type type, double value, void *values, uint64_t i) {
    switch (type) {
    case ELEMENT_FLOAT:
        ((float *)values)[i] = (float)value;
        break;
    case ELEMENT_DOUBLE:
        ((double *)values)[i] = value;
        break;
    case ELEMENT_HALF:
        ((uint16_t *)values)[i] = draw_half(value);
        break;
    default:
        whole_store(type, (int64_t)value, values, i);
    }
}

// In (0, 1), never 0.
static double unit_of(uint64_t word) {
    return ((double)(word >> 11) + 0.5) * 0x1p-53;
}

static double exact_of(const struct draw *draw, struct draw_width width, uint64_t word) {
    double share = (double)(word >> 40) * 0x1p-24;
    int bits = width.bits;
    bool negative = draw->low < 0 && (word & 1);
    double value = 1;
    if (share < width.wide && bits > 1) {
        uint64_t half = UINT64_C(1) << (bits - 1);
        value = (double)(half | (word >> 1 & (half - 1)) | 1);
    } else if (share >= width.some) {
        value = 0;
    }
    return negative ? -value : value;
}

// Place i of a permutation of `elements`: a Feistel network over the next power of four, walked
// until it ends inside.  Source: Black and Rogaway 2002, "Ciphers with Arbitrary Finite Domains".
static uint64_t permuted(struct random_key key, uint64_t stream, uint64_t elements, uint64_t i) {
    int half = 1;
    while (half < 31 && (UINT64_C(1) << (2 * half)) < elements) {
        half++;
    }
    uint64_t mask = (UINT64_C(1) << half) - 1;
    do {
        for (uint64_t round = 0; round < 4; round++) {
            uint64_t right = i & mask;
            uint64_t left = i >> half;
            i = right << half | ((left ^ random_at(key, stream + (round << 40) + right)) & mask);
        }
    } while (i >= elements);
    return i;
}

static double ranged(const struct parameter *parameter, uint64_t word, uint64_t elements,
                     uint64_t i) {
    const struct draw *draw = &parameter->draw;
    double part = unit_of(word);
    if (draw->order == DRAW_SORTED) {
        part = ((double)i + part) / (double)elements;
    }
    if (!element_is_real(parameter->element)) {
        double value = floor(draw->low + part * (draw->high - draw->low + 1));
        return value > draw->high ? draw->high : value;
    }
    if (draw->low == -1 && draw->high == 1 && parameter->element == ELEMENT_FLOAT) {
        // An odd multiple of 2^-24, so that all bits of the significand are used.
        return (floor(part * 0x1p24) * 2 + 1 - 0x1p24) * 0x1p-24;
    }
    return draw->low + part * (draw->high - draw->low);
}

void draw_fill(const struct parameter *parameter, enum draw_form form, struct draw_width width,
               struct random_key key, uint32_t array, uint64_t elements, uint64_t first,
               uint64_t count, void *values) {
    uint64_t stream = (uint64_t)array << 56;
    const struct draw *draw = &parameter->draw;
    bool is_number = element_is_real(parameter->element);
    for (uint64_t k = 0; k < count; k++) {
        uint64_t i = first + k;
        uint64_t word = random_at(key, stream + i);
        double value = 0;
        if (draw->order == DRAW_PERMUTATION) {
            value = (double)permuted(key, stream, elements, i);
        } else if (!is_number || form == DRAW_REAL || draw->order == DRAW_SORTED) {
            value = ranged(parameter, word, elements, i);
        } else if (form == DRAW_STEPS) {
            value = word & 1 ? STEP_HIGH : STEP_LOW;
        } else {
            value = exact_of(draw, width, word);
        }
        store(parameter->element, value, values, k);
    }
}
