// Verifies the outputs of timed launches on separate threads, while the GPU does the next pair.
//
// Outputs of real inputs are verified as timed_check.c explains.  Exact inputs use Freivalds' test,
// as in matmul_oracle.h: C x is compared with A (B x) in integers modulo 2^64, row by row, with
// three secret random vectors.  A and B are never stored: each row is made from its key when it is
// needed.
//
// The vectors have 32 random bits per element, so that a product takes one multiplication of the
// processor.  A wrong row has an error of less than 2^26 somewhere, whose 2^32 products are all
// different modulo 2^64: it escapes one vector with a chance of at most 2^-32, all three with
// 2^-96.
#ifndef JUDGE_SPEED_TIMED_CHECK_H
#define JUDGE_SPEED_TIMED_CHECK_H

#include <stddef.h>

#include "base/random.h"
#include "base/size.h"
#include "device/channel/protocol.h"
#include "exercise/exercise.h"

#define TIMED_SIDES 2  // sides with the same inputs: student and reference

struct timed_check;

// Prepares for pairs of launches of one size, `batch` launches a side.
// Owns     the caller frees *ret_check.   Errors  STATUS_SYSTEM.
//
// precision  to which a kernel may round real inputs.
enum status timed_check_new(struct size size, int batch, enum precision precision,
                            struct timed_check **ret_check, struct error *err);
void timed_check_free(struct timed_check *check);

// Sets that the inputs are drawn from now on: A [M][K] and B [K][N] of floats or halves, which are
// whole numbers below 4096 if they are exact, and whose product's magnitudes are below 2^24.
//
// spec     [2], borrowed while the check lives.
void timed_check_draw(struct timed_check *check, enum element_type element,
                      const struct draw_spec *spec);

// Begins to verify one pair; waits first for the one before it.
//
// inputs   the kind of inputs.
// key      of the inputs of the first launch of the batch (exact_batch_key has the others).
// secret   of the vectors; no worker may ever learn it.
// outputs  of each side: C of launch j at j * stride bytes; borrowed until the next wait; NULL:
//          none.
void timed_check_start(struct timed_check *check, enum timed_inputs inputs, struct random_key key,
                       struct random_key secret, const void *const outputs[TIMED_SIDES],
                       size_t stride);

// Waits for the end of the pair. ret_wrong[side]: the first launch of the batch whose output is
// wrong, or -1 if all are right.
void timed_check_wait(struct timed_check *check, int ret_wrong[TIMED_SIDES]);

// A wrong row of that output; only for real inputs.
int32_t timed_check_wrong_row(const struct timed_check *check, int side);

#endif
