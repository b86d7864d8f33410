// One case of an exercise with an expected.c: its inputs, and the results that a right kernel has.
#ifndef JUDGE_EXPECTED_CASE_H
#define JUDGE_EXPECTED_CASE_H

#include "judge/expected/draw.h"
#include "judge/expected/program.h"
#include "judge/model/inputs.h"

// What a case is made of.
struct expected_plan {
    const struct expected_program *program;
    enum inputs_kind kind;
    struct random_key key;
    struct size size;
    uint32_t samples;                  // of each EACH loop; 0: all outputs
    const struct expected_case *like;  // of this size too: its width of inputs is tried first
    bool no_trials;  // the cause of a wrong result is not searched by more calls of expected.c
};

struct expected_case {
    struct expected_plan plan;
    char size[SIZE_TEXT_MAX];      // "1000", for messages
    enum draw_form form;           // how inputs were drawn in the end …
    struct draw_width width;       // … and how wide
    int32_t wide;                  // DRAW_EXACT: the parameter whose values are wide; -1: all
    struct random_key key;         // of the inputs
    void *values[PARAMETERS_MAX];  // of each array before the launch; outputs are poisoned
    struct expected_results results;
};

// How inputs are drawn.
struct expected_inputs {
    enum draw_form form;
    struct draw_width width;
    int32_t wide;  // as in struct expected_case
};

// What each array of a launch holds before it, for the host and for a GPU; DRAW_NOTHING for what is
// no array.
void expected_specs(const struct signature *signature, const struct expected_inputs *inputs,
                    struct size size, struct draw_spec ret_spec[PARAMETERS_MAX]);

// Draws inputs and computes the results.
//
// EXACT  whole numbers, as wide as they can be while every partial sum in any order is exact.  The
//        result is then known bit for bit, unless the function divides or calls exp and the like.
// REAL   values in their range; inputs for which rounding decides a comparison are drawn again.
//
// Errors  STATUS_BAD_DATA if expected.c has no result here: it does not write an output, leaves the
//         exact range with the narrowest inputs, or gives NaN, or rounding always decides a
//         comparison.  Those of expected_run.
// Owns    the caller ends *ret_case with expected_case_done.
enum status expected_case_make(const struct expected_plan *plan, struct expected_case *ret_case,
                               struct error *err);
void expected_case_done(struct expected_case *made);

// Makes the case of a launch whose inputs are given: their key is the plan's.  There are no results
// yet.  Owns: as above.
enum status expected_case_draw(const struct expected_plan *plan,
                               const struct expected_inputs *inputs, struct expected_case *ret_case,
                               struct error *err);
// Computes its results.  Errors: those of expected_run.
enum status expected_case_results(struct expected_case *made, struct error *err);
// Computes its outputs as plain values: see expected_values_build.
// Owns: the caller ends *ret_values with expected_results_done.
enum status expected_case_values(const struct expected_case *made,
                                 struct expected_results *ret_values, struct error *err);

// What an output holds before a launch: an element "never written".
void expected_poison(enum element_type type, uint64_t count, void *values);
bool expected_is_poison(enum element_type type, const void *values, uint64_t i);

#endif
