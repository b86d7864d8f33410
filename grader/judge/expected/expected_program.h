// An expected.c: compiled when it is first needed, and run on the arrays of one case in a process
// that answers one call after the other, because starting it in its sandbox costs more than most
// calls.
#ifndef JUDGE_EXPECTED_EXPECTED_PROGRAM_H
#define JUDGE_EXPECTED_EXPECTED_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

#include "exercise/signature.h"
#include "include/expected/wire.h"
#include "judge/compile/program_build.h"
#include "sandbox/box.h"

#define EXPECTED_SECONDS_MAX 20          // usual processor time of a call
#define EXPECTED_NUMBERS     "expected"  // the program, in its folder

struct expected_memo;
struct expected_process;

struct expected_program {
    struct run_program build;           // its folder, and the machine
    const struct signature *signature;  // borrowed
    char name[NAME_BYTES_MAX];          // of the exercise
    bool is_check;                      // its function judges outputs and computes none
    char path[PATH_BYTES_MAX];          // "lessons/200_transpose/expected.c", for messages
    uint32_t seconds_max;               // processor time of a call
    bool has_plain;                     // it can also compute plain values, see expected_arguments
    struct expected_process *process;  // that runs it; owned by the first program, copies borrow it
    struct expected_memo *memo;  // for its cases (expected_case.h); owned and borrowed likewise
};

// The text of an expected.c, borrowed.
struct expected_text {
    const char *name;  // of the exercise
    const char *path;  // for messages
    const char *text;
    size_t bytes;
};

// Compiles it in the sandbox.  It has one of two functions, which takes the
// parameters of exercise.ini, constant arrays too, in their order:
//   void <exercise>(const number *x, number *y, …)            computes the outputs;
//   int check_<exercise>(const float *x, const float *y, …)   judges them, if several are right.
// A check function has the types of exercise.ini; an inout array is passed twice, with its contents
// before the launch and then after it.  The function returns 0 if the outputs are right, else 1 +
// the element of the first output where they are wrong, or -1.
// Errors   STATUS_BAD_DATA "lessons/…/expected.c:12: does not compile: …", with a remedy.
//          Those of run_step.
// Owns     the caller ends *ret_program with expected_program_done.
enum status expected_build(const struct judge_machine *machine, const struct signature *signature,
                           const struct expected_text *text, struct expected_program *ret_program,
                           struct error *err);
void expected_program_done(struct expected_program *program);

// True if the arithmetic of right kernels is double.
bool expected_is_double(const struct signature *signature);

// The arguments of a call.
struct expected_arguments {
    struct size size;
    const void *values[PARAMETERS_MAX];  // of an array, before the launch; NULL for an output;
                                         // of one longer than period_bytes, its first ones
    const void *after[PARAMETERS_MAX];   // of an output, for a check function
    uint64_t period_bytes;               // of inputs that repeat; 0: they do not
    uint32_t samples;                    // of each EACH loop; 0: all outputs
    struct random_key key;               // draws the samples
    const struct expected_picks *picks;  // [EXPECTED_LOOPS_MAX] in place of samples; NULL: none
    // If the program has_plain: plain floats (or doubles) instead of numbers, a hundred times as
    // fast, and the same results if every step is exact.
    bool is_plain;
    struct expected_trial *trial;  // the change to try, and its result; NULL: none
    double *tape;                  // [trial->tape_max] gets the terms; or NULL
};

// The results of one call, in memory that nothing changes any more.
struct expected_results {
    int fd;
    unsigned char *memory;
    uint64_t bytes;
    struct expected_request request;
    int array[PARAMETERS_MAX];         // of a parameter: its place in request.array; -1: no array
    int64_t refused;                   // the result of a check function
    uint64_t each_loops;               // loops of EACH that were begun
    bool is_rounded;                   // whole numbers have results of all EXPECTED_RUNS
    char said[EXPECTED_SAID_BYTES];    // the sentence of a check function; "" if it has none
    char why[ERROR_TEXT_MAX];          // the reason why it failed with these outputs
    uint64_t notes[EXPECTED_NOTES];    // enum expected_note: how often …
    uint64_t note_pc[EXPECTED_NOTES];  // … and where first
};

// Calls the function in the sandbox.
// Errors   STATUS_BAD_DATA if it does not end, writes outside, and so on: its line and a remedy;
//          STATUS_SYSTEM.
// Owns     the caller ends *ret_results with expected_results_done.
enum status expected_run(const struct expected_program *program,
                         const struct expected_arguments *arguments,
                         struct expected_results *ret_results, struct error *err);
void expected_results_done(struct expected_results *results);

// The line of expected.c that an address is in; 0 if it is unknown.
int expected_line(const struct expected_program *program, uint64_t pc);

// The outputs of a run with plain values.
const void *expected_raw(const struct expected_results *results, int parameter);

// The results of an output of a floating type [elements], and of whole numbers: the first two runs
// are equal if an element was computed, and the others follow if is_rounded.
const struct expected_result *expected_numbers(const struct expected_results *results,
                                               int parameter);
const void *expected_wholes(const struct expected_results *results, int parameter, int run);

// Are whole numbers made from floating-point numbers, and does this value lie between those of all
// roundings down and of all roundings up?
bool expected_rounds_to(const struct expected_results *results, int parameter, uint64_t element,
                        const void *value);

// The first element from `first` that may have been computed; `elements` if there is none.  Large
// outputs of which few elements were computed are crossed quickly.
uint64_t expected_next(const struct expected_results *results, int parameter, uint64_t first);
// The next one after an element that expected_next, or this function, has returned.
uint64_t expected_after(const struct expected_results *results, int parameter, uint64_t element);

struct expected_process {
    int socket_fd;    // open while box is not NULL
    struct box *box;  // NULL: none runs
};

// How a call ended.
enum expected_end_of_call {
    CALL_RETURNED,  // and the process waits for the next call
    CALL_ENDED,     // the process ended in this call; the answer may say why
    CALL_LATE,      // no answer by the deadline; it was killed
};

struct expected_process *expected_process_new(void);
void expected_process_free(struct expected_process *process);  // ends it; NULL is fine

struct expected_store {
    int count;
    struct expected_program *program[EXERCISES_MAX];  // owned
};

// The function of an exercise, from expected.c beside its lesson; machine->expected keeps it.
// Errors: STATUS_BAD_DATA: there is none, or it does not compile; those of expected_build.
enum status expected_store_get(const struct judge_machine *machine, const struct exercise *exercise,
                               const struct expected_program **ret_program, struct error *err);
void expected_store_done(struct expected_store *store);

#endif
