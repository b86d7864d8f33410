// The inputs of an exercise with an expected.c.  Every element is a function of a key, its array
// and its index, so any part of an array can be made alone.
#ifndef JUDGE_EXPECTED_DRAW_H
#define JUDGE_EXPECTED_DRAW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/random.h"
#include "device/channel/array_fill.h"
#include "exercise/signature.h"

// How the values of floating arrays are drawn.
enum draw_form {
    DRAW_REAL,   // uniform in [low, high]
    DRAW_EXACT,  // odd whole numbers, secretly wide or narrow; positive if low >= 0
    DRAW_STEPS,  // one of two values: exponentials of differences are exactly 0 or 1
};

// The width of the whole numbers of DRAW_EXACT: `wide` of them are odd and have all of `bits` bits;
// the others are +1 or -1, except that only `some` of them are not 0.
struct draw_width {
    int bits;  // 1: all are +1 or -1
    double wide, some;
};

// The widest that an element of a type may be: too wide for the next smaller format.
int draw_bits(enum element_type type);

// How array number `array` is drawn, for the host and for a GPU.
struct draw_spec draw_spec_of(const struct parameter *parameter, enum draw_form form,
                              struct draw_width width, uint32_t array, uint64_t elements);

// Makes elements [first, first + count) of an array, on several threads if they are many.
// Shapes  values [count], of the type that the array is drawn for.
void draw_elements(const struct draw_spec *spec, struct random_key key, uint64_t first,
                   uint64_t count, void *values);

// The value of one half (11 digits) or bf16 (8); draw_small_bits is the way back.
double draw_small_value(int digits, uint16_t bits);

// Element i of an array as a double; whole numbers beyond 2^53 are rounded.
double draw_value(enum element_type type, const void *values, uint64_t i);

#endif
