// The way to draw the elements of one array before a launch of a kernel that is not a matmul.
// Every element is a function of a key and its index, so the judge can make any part of an array on
// the host, and the worker of a timed launch makes the same values on the GPU, bit for bit: this
// file is compiled as C, and before device/gpu/inputs.cu as CUDA C++.
#ifndef DEVICE_CHANNEL_ARRAY_FILL_H
#define DEVICE_CHANNEL_ARRAY_FILL_H

#ifdef __CUDACC__
#define DRAW_FUNCTION    static __device__
#define DRAW_ADD(a, b)   __dadd_rn(a, b)  // no FMA, which would round differently than the host
#define DRAW_TIMES(a, b) __dmul_rn(a, b)
#else
#include <math.h>
#include <string.h>
#define DRAW_FUNCTION    static inline
#define DRAW_ADD(a, b)   ((a) + (b))
#define DRAW_TIMES(a, b) ((a) * (b))
#endif

#define DRAW_STEP_HIGH 100.0     // exp of it is infinite in fp32
#define DRAW_STEP_LOW  (-900.0)  // exp of the difference is 0, in fp64 too
#define DRAW_STEP_FEW  128       // one high value among this many, a power of two

typedef unsigned long long draw_word;

enum draw_way {
    DRAW_NOTHING,  // the array is not drawn
    DRAW_SAME,     // every element has the bits of `pattern`
    DRAW_RANGE,    // uniform in [low, high]
    DRAW_WHOLE,    // whole numbers from low to high
    DRAW_ODD,  // odd whole numbers of `bits` bits, or 1, with a sign if `low` < 0; all negative if
               // `high` <= 0; times 2 to the power of `scale`
    DRAW_TWO_VALUES,  // DRAW_STEP_HIGH, for half of the elements or, with half of the keys, for
                      // few, or DRAW_STEP_LOW
    DRAW_REARRANGED,  // a permutation of 0 … elements - 1
    DRAW_BINADES,     // reals of all exponents up to `exponent` away from `scale`, zeros, -0
    DRAW_SPECIAL,     // infinities, -0 and so on; with `exponent` 1 also NaN and subnormals
    DRAW_WAY_COUNT
};

struct draw_spec {
    draw_word elements;
    draw_word pattern;
    draw_word stream;  // number of the first element in the key's sequence
    double low, high;
    double wide, some;  // DRAW_ODD: shares of elements with all bits, and of nonzero elements
    int way;            // enum draw_way
    int is_sorted;      // of ranges: values grow with the index
    int digits;         // of a real element: 24, 53, 11 (half), 8 (bf16); 0: a whole number
    int one_bytes;      // of an element
    int bits;
    int exponent, scale;
    int is_sparse;      // zeros, runs and pairs: see draw_sparse
    draw_word columns;  // of a matrix; of another array 1
};

// random_at of base/random.h.
DRAW_FUNCTION draw_word draw_random(draw_word key0, draw_word key1, draw_word index) {
    draw_word z = key0 + (index + 1) * 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    z = (z ^ (z >> 31)) ^ key1;
    z = (z ^ (z >> 32)) * 0xd6e8feb86659fd93ULL;
    return z ^ (z >> 32);
}

// Place i of a permutation: a Feistel network over the next power of four, walked until it ends
// inside.  Source: Black and Rogaway 2002, "Ciphers with Arbitrary Finite Domains".
DRAW_FUNCTION draw_word draw_place(const struct draw_spec *spec, draw_word key0, draw_word key1,
                                   draw_word i) {
    int half = 1;
    while (half < 31 && (1ULL << (2 * half)) < spec->elements) {
        half++;
    }
    const draw_word mask = (1ULL << half) - 1;
    do {
        for (draw_word round = 0; round < 4; round++) {
            draw_word right = i & mask;
            draw_word left = i >> half;
            draw_word bits = draw_random(key0, key1, spec->stream + (round << 40) + right);
            i = right << half | ((left ^ bits) & mask);
        }
    } while (i >= spec->elements);
    return i;
}

DRAW_FUNCTION double draw_range(const struct draw_spec *spec, draw_word word, draw_word i) {
    // In (0, 1), never 0.
    double part = DRAW_TIMES(DRAW_ADD((double)(word >> 11), 0.5), 0x1p-53);
    if (spec->is_sorted) {
        part = DRAW_ADD((double)i, part) / (double)spec->elements;
    }
    if (spec->way == DRAW_WHOLE) {
        double count = DRAW_ADD(DRAW_ADD(spec->high, -spec->low), 1.0);
        double value = floor(DRAW_ADD(spec->low, DRAW_TIMES(part, count)));
        return value > spec->high ? spec->high : value;
    }
    if (spec->low == -1 && spec->high == 1 && spec->one_bytes == 4) {
        // An odd multiple of 2^-24, so that all bits of the significand are used.
        return (floor(part * 0x1p24) * 2 + 1 - 0x1p24) * 0x1p-24;
    }
    return DRAW_ADD(spec->low, DRAW_TIMES(part, DRAW_ADD(spec->high, -spec->low)));
}

DRAW_FUNCTION double draw_odd(const struct draw_spec *spec, draw_word word) {
    double share = (double)(word >> 40) * 0x1p-24;
    double value = 1;
    if (share < spec->wide && spec->bits > 1) {
        draw_word half = 1ULL << (spec->bits - 1);
        value = (double)(half | (word >> 1 & (half - 1)) | 1);
    } else if (share >= spec->some) {
        value = 0;
    }
    value = spec->scale == 0 ? value : ldexp(value, spec->scale);
    return spec->low < 0 && ((word & 1) || spec->high <= 0) ? -value : value;
}

DRAW_FUNCTION double draw_double(draw_word bits) {
    union {
        double value;
        draw_word bits;
    } both;
    both.bits = bits;
    return both.value;
}

// A sign, an exponent, and all digits; one element in 16 is 0 or -0.
DRAW_FUNCTION double draw_binades(const struct draw_spec *spec, draw_word word) {
    int exponent = (int)((word >> 8 & 4095) % (draw_word)(2 * spec->exponent + 1)) -
                   spec->exponent + spec->scale;
    double part = DRAW_TIMES((double)(word >> 20), 0x1p-44);
    double value = (word & 15) == 0 ? 0.0 : ldexp(DRAW_ADD(1.0, part), exponent);
    return word & 16 ? -value : value;
}

// Half of the elements are in (-1, 1), so that a neighbour's value shows.
DRAW_FUNCTION double draw_special(const struct draw_spec *spec, draw_word word) {
    double sign = word & 16 ? -1.0 : 1.0;
    switch ((int)(word & 15)) {
    case 0:
        return draw_double(word & 16 ? 0xfff0000000000000ULL : 0x7ff0000000000000ULL);
    case 1:
        return DRAW_TIMES(sign, 0.0);
    case 2:
        return DRAW_TIMES(sign, 131072.0);  // half ends at 65504
    case 3:
        return DRAW_TIMES(sign, 0x1p-70);
    case 4:
        return spec->exponent == 1 ? draw_double(0x7ff8000000000000ULL) : sign;
    case 5:
        return spec->exponent == 1 ? DRAW_TIMES(sign, 0x1p-149) : DRAW_TIMES(sign, 0x1p-126);
    case 6:
        return spec->exponent == 1 ? DRAW_TIMES(sign, 0x1.fffffep127) : DRAW_TIMES(sign, 0x1p120);
    case 7:
        return DRAW_TIMES(sign, 16777216.0);
    default:
        return DRAW_TIMES(sign, DRAW_TIMES(DRAW_ADD((double)(word >> 41), 0.5), 0x1p-23));
    }
}

// If there are few high values, they are in only one part of a row, so the maximum of a single part
// is noticed.
DRAW_FUNCTION double draw_step(const struct draw_spec *spec, draw_word key1, draw_word word) {
    draw_word mask = key1 & 1 ? DRAW_STEP_FEW - 1 : 1;
    double high = spec->is_sparse ? 0.0 : DRAW_STEP_HIGH;
    return (word & mask) == mask ? high : DRAW_STEP_LOW;
}

// True for a quarter of the places, the first row and column of each piece of a matrix, and a
// diagonal, so that corners of pieces are 0.
DRAW_FUNCTION int draw_is_hole(draw_word word, draw_word row, draw_word column) {
    return row % 8 == 0 || column % 8 == 0 || row % 8 == column % 8 || (word >> 56 & 3) == 0;
}

// Keys: the least one alone, then runs of equal ones among others, of 8 up to 4096, which come
// first in one run of 8192 and last in the next.
DRAW_FUNCTION double draw_runs(const struct draw_spec *spec, draw_word key0, draw_word key1,
                               draw_word i) {
    const draw_word other = spec->stream + (1ULL << 50);
    const int shift = 3 + 3 * (int)(draw_random(key0, key1, other + (i >> 13)) & 3);
    const int is_run = (i >> shift & 1) == (i >> 13 & 1);
    const draw_word place = is_run ? 2 * other - spec->stream + (i >> shift) : spec->stream + i;
    return i < spec->elements / 4 ? spec->low : draw_range(spec, draw_random(key0, key1, place), i);
}

// Values that a kernel may take for something else than values.  A matrix has holes.  Another array
// begins with a quarter of -0 and one of 0; in the third quarter, two neighbours are 0 together.
DRAW_FUNCTION double draw_sparse(const struct draw_spec *spec, draw_word key0, draw_word key1,
                                 draw_word i) {
    const draw_word part = 4 * i / spec->elements;
    const draw_word word = draw_random(key0, key1, spec->stream + i);
    const double value = draw_odd(spec, word);
    if (i + 1 == spec->elements || spec->low > 0 || spec->high < 0) {
        return value;
    }
    if (spec->columns > 1 || part == 3) {
        return draw_is_hole(word, i / spec->columns, i % spec->columns) ? 0.0 : value;
    }
    if (part < 2) {
        return part == 0 && spec->low < 0 ? -0.0 : 0.0;
    }
    const double first = draw_odd(spec, draw_random(key0, key1, spec->stream + i / 2 * 2));
    return i % 2 == 1 && spec->low < 0 ? -first : first;
}

// The 16 bits of a number with this many digits (11 for half, 8 for bf16), from a value, rounded to
// nearest: a sign, an exponent of 16 - digits bits, and all digits but the first.
DRAW_FUNCTION unsigned draw_small_bits(int digits, double value) {
    const unsigned one = 1u << (digits - 1);  // adds 1 to the exponent
    const int most = 1 << (15 - digits);      // numbers are below 2^most
    const int least = 3 - most;               // the smallest numbers are fractions of 2^least
    const unsigned infinity = 0x8000u - one;
    unsigned sign = value < 0 ? 0x8000u : 0u;
    double size = fabs(value);
    int exponent = 0;
    if (!(size == size)) {
        return infinity | one >> 1;
    }
    (void)frexp(size < 0x1p1000 ? size : 0x1p1000, &exponent);
    exponent = size == 0 || exponent < least ? least : exponent;
    if (exponent > most) {
        return sign | infinity;
    }
    double steps = nearbyint(ldexp(size, digits - exponent));  // at most 2 one
    // A carry gives the next exponent with fraction 0, which is right, also for infinity.
    return (sign + (unsigned)steps + (unsigned)(exponent - least) * one) & 0xffffu;
}

DRAW_FUNCTION draw_word draw_bits_of(const struct draw_spec *spec, double value) {
    union {
        double wide;
        float narrow;
        draw_word bits;
    } both;
    both.bits = 0;
    if (spec->digits == 0) {
        return (draw_word)(long long)value;
    }
    if (spec->one_bytes == 2) {
        return draw_small_bits(spec->digits, value);
    }
    if (spec->one_bytes == 4) {
        both.narrow = (float)value;
    } else {
        both.wide = value;
    }
    return both.bits;
}

// The bits of element i, in the low bytes of the result.
DRAW_FUNCTION draw_word draw_element(const struct draw_spec *spec, draw_word key0, draw_word key1,
                                     draw_word i) {
    if (spec->way == DRAW_SAME) {
        return spec->pattern;
    }
    if (spec->way == DRAW_REARRANGED) {
        return draw_bits_of(spec, (double)draw_place(spec, key0, key1, i));
    }
    draw_word word = draw_random(key0, key1, spec->stream + i);
    if (spec->is_sparse && spec->way == DRAW_WHOLE) {
        return draw_bits_of(spec, draw_runs(spec, key0, key1, i));
    }
    if (spec->is_sparse && spec->way == DRAW_ODD) {
        return draw_bits_of(spec, draw_sparse(spec, key0, key1, i));
    }
    double value = spec->way == DRAW_TWO_VALUES ? draw_step(spec, key1, word)
                   : spec->way == DRAW_ODD      ? draw_odd(spec, word)
                   : spec->way == DRAW_BINADES  ? draw_binades(spec, word)
                   : spec->way == DRAW_SPECIAL  ? draw_special(spec, word)
                                                : draw_range(spec, word, i);
    return draw_bits_of(spec, value);
}

#endif
