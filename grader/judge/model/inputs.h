// The inputs of a launch: the arguments of an exercise at a size, the inputs of a case, and the
// poison in C.
#ifndef JUDGE_MODEL_INPUTS_H
#define JUDGE_MODEL_INPUTS_H

#include <stdbool.h>

#include "base/random.h"
#include "base/size.h"
#include "device/build_report.h"
#include "emu/wire/launch_plan.h"
#include "exercise/signature.h"

// The arguments at a size.  Constant arrays are at the addresses in the build's report; an array
// that is missing in the program, or too small, has is_missing set. report: NULL if nothing is
// launched on the CPU device.
struct arguments arguments_of(const struct signature *signature, struct size size,
                              const struct build_report *report);

enum inputs_kind {
    INPUTS_EXACT,
    INPUTS_REAL,
    INPUTS_BINADES,  // reals of many exponents, with zeros and -0
    INPUTS_EQUAL,    // reals; all elements of one array are equal
    INPUTS_SPECIAL,  // infinities and so on, for what copies elements or adds two
    INPUTS_SPARSE,   // whole numbers with many zeros and runs; outputs begin with ordinary numbers
    INPUTS_KINDS
};
const char *inputs_kind_name(enum inputs_kind kind);  // "exact", "real", …

// Fills A and B.
//
// EXACT: integers whose every partial sum, in any order, is exact in fp32 (sum over k of |a||b| <
//        2^24), never 0, and too wide for TF32, FP16 and BF16.  For each k, one factor is an odd
//        signed 12-bit integer and the other is +1 or -1; secret bits decide which matrix has the
// wide factor.  If K is large, only floor((2^24 - 1 - K) / 4094) secret values of k have a wide
// factor; for the others both factors are +1 or -1.
// REAL:  uniform in (-1, 1): odd multiples of 2^-24, so that all 24 bits of the significand are
//        used.
// BINADES: exponents from -INPUTS_EXPONENT to INPUTS_EXPONENT, one element of 16 is 0 or -0.  No
//        partial sum overflows, and each term is far above the least normal number, so that the
//        bound of REAL holds.
// SPARSE: as EXACT, with zeros in half of the places, among them the first row and column, the
//        corners and the diagonal of each piece of 8 x 8.
//
// Shapes   a [M][K], b [K][N].
// Source   grader/decisions/, "Exact inputs".
void inputs_fill(enum inputs_kind kind, struct random_key key, struct size size, float *a,
                 float *b);

// Whole numbers up to 2^(this + 1) are an int, which a right kernel may make of them.
#define INPUTS_EXPONENT 29

// Scales the factors of BINADES: neither, A down and B up, A up and B down, or both up.  Products
// are below 2^117, and at least 2^-58.
#define INPUTS_SCALES 4
void inputs_scale(uint32_t number, struct size size, float *a, float *b);

// Makes elements [first, first + count) of a REAL matrix, in row-major order.  stream is STREAM_A
// or STREAM_B.
void inputs_real(struct random_key key, uint64_t stream, uint64_t first, int32_t count,
                 float *elements);

// The matrices of a launch, row-major: A [M][K], B [K][N], and C [M][N] after the launch.
// Borrowed.
struct matmul {
    struct size size;
    const float *a, *b, *c;
};

// The number of terms, of the K terms of an exact sum, that have a 12-bit factor.
int32_t inputs_big_terms(int32_t k);

// The largest factor of exact inputs, and the smallest of the big ones.
#define INPUTS_BIG_MAX EXACT_BIG_MAX
#define INPUTS_BIG_MIN EXACT_BIG_MIN

// Fills count elements with a NaN that means "never written".  It is a signalling NaN: any
// arithmetic with it gives another NaN, so C += sum can be distinguished from a C that was never
// touched.
#define POISON_BITS 0x7fa05eedu  // exponent all ones, quiet bit 0: a signalling NaN
void poison_fill(float *c, size_t count);

// Fills C before a launch: with poison, or for SPARSE with 1.5, which is no right result, so that a
// kernel shows itself that uses old values of C if they are ordinary numbers.
void inputs_old_c(enum inputs_kind kind, float *c, size_t count);

// True if the element still holds that NaN, bit for bit.
bool poison_is(float element);

// True if the element is the result of adding to that NaN on x86-64 or aarch64: the old C was read.
bool poison_was_read(float element);

// First index of further uses of one key (see base/random.h).
#define STREAM_FREIVALDS (UINT64_C(3) << 60)
#define STREAM_ROWS      (UINT64_C(4) << 60)
#define STREAM_HOLES     (UINT64_C(6) << 60)

#endif
