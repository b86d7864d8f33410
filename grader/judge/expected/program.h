// An expected.c, compiled, and run on the arrays of one case.
#ifndef JUDGE_EXPECTED_PROGRAM_H
#define JUDGE_EXPECTED_PROGRAM_H

#include <stddef.h>

#include "judge/build/program.h"
#include "judge/expected/function.h"

struct expected_program {
    struct run_program build;  // its folder, and the machine
    struct expected_function function;
};

// Compiles the text of an expected.c in the sandbox.
// Errors   STATUS_BAD_DATA "lessons/…/expected.c:12: does not compile: …", with a remedy; those of
//          run_step.
// Owns     the caller ends *ret_program with expected_program_done.
enum status expected_build(const struct judge_machine *machine,
                           const struct expected_function *function, const char *text,
                           size_t bytes, struct expected_program *ret_program, struct error *err);
void expected_program_done(struct expected_program *program);

// The arguments of a call, parameter by parameter.
struct expected_arguments {
    const void *values[EXPECTED_ARRAYS_MAX];  // of an array, before the launch; NULL for an output
    uint64_t elements[EXPECTED_ARRAYS_MAX];
    double real[EXPECTED_ARRAYS_MAX];    // of a scalar of a floating type
    int64_t whole[EXPECTED_ARRAYS_MAX];  // of a size, or a whole scalar
    uint32_t samples;                    // of each EACH loop; 0: all outputs
    uint64_t key[2];                     // draws the samples
};

// The results of one call, in memory that nothing changes any more.
struct expected_results {
    int fd;
    unsigned char *memory;
    uint64_t bytes;
    struct expected_request request;
    int array[EXPECTED_ARRAYS_MAX];  // of a parameter: its place in request.array; -1: no array
    uint64_t notes[EXPECTED_NOTES];    // enum expected_note: how often …
    uint64_t note_pc[EXPECTED_NOTES];  // … and where first
};

// Calls the function in the sandbox.
// Errors   STATUS_BAD_DATA if it does not end, writes outside, and so on: its line and a remedy;
//          STATUS_SYSTEM, STATUS_NO_MEMORY.
// Owns     the caller ends *ret_results with expected_results_done.
enum status expected_run(const struct expected_program *program,
                         const struct expected_arguments *arguments,
                         struct expected_results *ret_results, struct error *err);
void expected_results_done(struct expected_results *results);

// The line of expected.c that an address is in; 0 if it is unknown.
int expected_line(const struct expected_program *program, uint64_t pc);

// The results of an output of a floating type [elements], and of whole numbers: the two that are the
// same where an element was computed.
const struct expected_result *expected_numbers(const struct expected_results *results,
                                               int parameter);
const void *expected_wholes(const struct expected_results *results, int parameter, int run);

// The first element from `first` that may have been computed; `elements` if there is none.  Large
// outputs of which few elements were computed are crossed quickly.
uint64_t expected_next(const struct expected_results *results, int parameter, uint64_t first);

#endif
