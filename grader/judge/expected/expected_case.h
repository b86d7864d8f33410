// One case of an exercise with an expected.c: its inputs, the results of a right kernel, and
// whether an element after a launch is right.  An input is a function of a key, its array and its
// index, so any part of an array can be made alone.
#ifndef JUDGE_EXPECTED_EXPECTED_CASE_H
#define JUDGE_EXPECTED_EXPECTED_CASE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/random.h"
#include "device/channel/array_fill.h"
#include "exercise/signature.h"
#include "judge/expected/expected_program.h"
#include "judge/model/inputs.h"

// The ways to draw the values of floating-point arrays.
enum draw_form {
    DRAW_REAL,    // uniform in [low, high]
    DRAW_EXACT,   // odd whole numbers, secretly wide or narrow; positive if low >= 0
    DRAW_STEPS,   // one of two values: exponentials of differences are exactly 0 or 1
    DRAW_MANY,    // of arrays without a line in [inputs]: many binades; of others: DRAW_REAL
    DRAW_EQUAL,   // DRAW_REAL, but all elements of the array `wide` are equal
    DRAW_ODDITY,  // of arrays without a line in [inputs]: infinities and so on; others: DRAW_REAL
};

// The width of the whole numbers of DRAW_EXACT: `wide` of them are odd and have all of `bits` bits;
// the others are +1 or -1, but only `some` of them are nonzero.
struct draw_width {
    int bits;  // 1: all are +1 or -1
    double wide, some;
};

// The largest width of an element of a type: too wide for the next smaller format.
int draw_bits(enum element_type type);

// Makes elements [first, first + count) of an array, on several threads if there are many.
// Shapes  values [count], of the type that the array is drawn for.
void draw_elements(const struct draw_spec *spec, struct random_key key, uint64_t first,
                   uint64_t count, void *values);

// The value of one half (11 digits) or bf16 (8); draw_small_bits is the way back.
double draw_small_value(int digits, uint16_t bits);

// Element i of an array as a double; whole numbers beyond 2^53 are rounded.
double draw_value(enum element_type type, const void *values, uint64_t i);

// The parts of a case.
struct expected_plan {
    const struct expected_program *program;
    enum inputs_kind kind;
    struct random_key key;
    struct size size;
    uint32_t samples;                    // of each EACH loop; 0: all outputs
    const struct expected_picks *picks;  // [EXPECTED_LOOPS_MAX], in place of samples; or NULL
    uint64_t period_bytes;               // of inputs that repeat if they are longer; 0: none does
    uint32_t range;                      // REAL: of the ranges of an array, this one
    const struct expected_case *like;    // a case of this size: its width of inputs is tried first
    bool is_large;                       // whole numbers are also scaled, if that is exact
    bool no_trials;   // expected.c is not called again to find the cause of a wrong result
    bool no_cause;    // the cause is not looked for at all, as it would not be shown
    uint16_t poison;  // changes the initial values of outputs that have few values: 1 or 2 bytes
};

struct expected_case {
    struct expected_plan plan;
    char size[SIZE_TEXT_MAX];  // "1000", for messages
    enum draw_form form;       // how inputs were finally drawn
    struct draw_width width;   // … and how wide
    int32_t wide;              // DRAW_EXACT: the parameter whose values are wide; -1: all
    int exponent;              // DRAW_MANY: the largest; DRAW_ODDITY: 1: with NaN
    int scale;                 // DRAW_MANY: the exponent in the middle; DRAW_EXACT: of the unit
    double slack;              // added to the bound of each sum that is rounded
    struct random_key key;     // of the inputs
    // Of each array before the launch: outputs are poisoned, or NULL if inputs repeat.
    void *values[PARAMETERS_MAX];
    const void *first[PARAMETERS_MAX];  // outputs of a launch with another poison; NULL: none
    struct expected_results results;
    struct expected_results plain;  // all outputs, as plain values; fd -1: there are none
    bool is_begun;  // `results` has only some outputs, or none: see expected_case_complete
};

// The way in which inputs are drawn.
struct expected_inputs {
    enum draw_form form;
    struct draw_width width;
    int32_t wide;  // as in struct expected_case
    int exponent, scale;
    bool is_sparse;
    uint32_t range;
};

// The contents of each array before a launch, for the host and for a GPU; DRAW_NOTHING for a
// parameter that is not an array.
void expected_specs(const struct signature *signature, const struct expected_inputs *inputs,
                    struct size size, struct draw_spec ret_spec[PARAMETERS_MAX]);

// Draws inputs and computes the results.
//
// EXACT whole numbers, as wide as possible with every partial sum exact in any order.  The
//        result is then known bit for bit, unless the function divides or calls exp and the like.
// REAL   values in their range; inputs for which rounding decides a comparison are drawn again.
// EQUAL, BINADES, SPECIAL  as REAL, where the bound is proved for these inputs.
// SPARSE as EXACT, with zeros, runs and pairs; outputs begin with ordinary numbers.
//
// Errors  STATUS_UNAVAILABLE if the last four kinds are not for this function.
//         STATUS_BAD_DATA if expected.c has no result here: it does not write an output, leaves the
//         exact range with the narrowest inputs, or gives NaN, or rounding always decides a
//         comparison.  Those of expected_run.
// Owns    the caller ends *ret_case with expected_case_done.
enum status expected_case_make(const struct expected_plan *plan, struct expected_case *ret_case,
                               struct error *err);
void expected_case_done(struct expected_case *made);

// Makes the case of a launch whose inputs are given: their key is the plan's.  There are no results
// yet, and the plan may get picks before they are computed.  Owns: as above.
struct expected_case expected_case_draw(const struct expected_plan *plan,
                                        const struct expected_inputs *inputs);
// Computes its results.  Errors: those of expected_run.
enum status expected_case_results(struct expected_case *made, struct error *err);
// Computes its outputs as plain values.
// Errors  STATUS_UNAVAILABLE if the program has none.  Those of expected_run.
enum status expected_case_plain(struct expected_case *made, struct error *err);

// True if the outputs after[i] have the bits of the plain values, which any honest order of exact
// steps gives, so that nothing more need be known.  False says nothing.
bool expected_plain_agree(const struct expected_case *made, const void *const *after);

// Large cases are made with plain values alone; this computes the numbers that they lack.
// Errors  those of expected_case_make.
enum status expected_case_complete(struct expected_case *made, struct error *err);

// The widest inputs of so many elements whose magnitudes all together are in the range in which
// whole numbers are exact, half of it for wide elements: every partial sum is exact if an output
// is a sum in which each input is used once.
struct draw_width draw_width_of_sum(const struct signature *signature, uint64_t elements);

// The initial value of an output's elements, which means "never written".
void expected_poison(enum element_type type, uint64_t count, void *values);
uint64_t expected_poison_of(enum element_type type);
void expected_output_poison(struct expected_case *made, int parameter);
bool expected_is_poison(enum element_type type, const void *values, uint64_t i);

// A value of a byte or two may be the poison although it was stored.  True if the outputs have such
// elements, and no other launch has told yet.
bool expected_may_be_stored(const struct expected_case *made);
// Gives these outputs another poison; after[i] are those of the launch before, which the caller
// owns.
void expected_case_poison_again(struct expected_case *made, const void *const *after);
// True for an element that has the poison now, and in the launch before.
bool expected_is_unwritten(const struct expected_case *made, int parameter, const void *values,
                           uint64_t i);

struct expected_memo;

struct expected_memo *expected_memo_new(void);
void expected_memo_free(struct expected_memo *memo);  // NULL is fine

// Sets the form, the width, the key and the results of a case from one with the same plan.  False:
// there is none.  Owns: the results are the case's own, and stay when the memo forgets them.
bool expected_memo_find(struct expected_memo *memo, struct expected_case *made);
// Keeps a case that was just made; cases that are too large, or were made like another one, are not
// kept.
void expected_memo_add(struct expected_memo *memo, const struct expected_case *made);
// True if a case was added whose function has no EACH, comparisons and exponentials.
bool expected_memo_is_sum(const struct expected_memo *memo);

// The result of comparing one element.
enum element_state {
    ELEMENT_RIGHT,
    ELEMENT_WRONG,
    ELEMENT_UNWRITTEN,   // it still holds the poison of an output
    ELEMENT_NOT_SAMPLED  // expected.c has not computed it
};
enum element_state expected_compare(const struct expected_case *made, int parameter,
                                    const void *values, uint64_t element);

// True if this value of an element that was computed is right.
bool expected_is_right(const struct expected_case *made, int parameter, uint64_t element,
                       const void *value);

// The value that an element should have, and the error that a right kernel may have (0: none).
double expected_want(const struct expected_case *made, int parameter, uint64_t element,
                     double *ret_bound);

#endif
