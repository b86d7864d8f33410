// Verifies the outputs of timed launches of a kernel that is not a matmul: every element of every
// launch is compared with the reference's, which had the same inputs in a separate process, and the
// first launch with each kind of inputs with expected.c.
//
// If the two kernels differ by more than rounding can explain, expected.c judges that launch.  So a
// kernel never counts as wrong only because it differs from the reference.
//
// Source  decisions/0049-timed-launches-of-any-kernel.md.
#ifndef JUDGE_SPEED_TIMED_EXPECTED_H
#define JUDGE_SPEED_TIMED_EXPECTED_H

#include "judge/run/launch_outcome.h"

struct pool;
struct timed_expected;

// Chooses how inputs are drawn at a size, by the seed of the options.
//
// Returns  *ret_expected unchanged for a product, whose outputs are not verified here.
// Errors   STATUS_BAD_DATA if expected.c has no result at this size.
// Owns     the caller frees *ret_expected.
enum status timed_expected_new(const struct judge_options *options, const struct exercise *exercise,
                               struct size size, struct timed_expected **ret_expected,
                               struct error *err);
void timed_expected_free(struct timed_expected *expected);

// True if no launch may have exact inputs.  For functions with exp, such inputs are two values far
// apart, outside of the range that the exercise declares, and an instruction may take longer on the
// resulting zeros than on any number of that range.
bool timed_expected_is_real_only(const struct timed_expected *expected);

// The specification for drawing a launch's arrays: [PARAMETERS_MAX].
const struct draw_spec *timed_expected_draw(const struct timed_expected *expected,
                                            enum timed_inputs inputs);

// The outputs of one launch of both sides, one array after the other.
struct timed_outputs {
    enum timed_inputs inputs;
    struct random_key key;  // of its inputs
    const char *student;    // NULL: that side has none
    const char *reference;
};

// Judges one launch; `readers` are threads that compare outputs.  An outcome is a pass, or the
// mistake in that side's outputs.
// Errors   those of expected_run.
enum status timed_expected_check(struct timed_expected *expected, struct pool *readers,
                                 const struct timed_outputs *outputs,
                                 struct run_outcome *ret_student, struct run_outcome *ret_reference,
                                 struct error *err);

#endif
