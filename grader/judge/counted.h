// Speed without a GPU: the work that a kernel does, counted, against the reference's.  Pure and
// deterministic.
#ifndef JUDGE_COUNTED_H
#define JUDGE_COUNTED_H

#include <stdbool.h>

#include "base/size.h"
#include "emu/counts.h"
#include "judge/verdict.h"

// A kind of work.  Each is lower for a better kernel.
enum counted_metric {
    COUNTED_SECTORS,     // 32-byte sectors of global memory
    COUNTED_WAVEFRONTS,  // passes through shared memory
    COUNTED_BYTES,       // bytes of global memory asked for
    COUNTED_METRIC_COUNT
};

// True where the counts hold at least what every product must do: each element of A and B loaded
// once and each of C stored (or added to) once.  Fewer means that the counter did not see all of
// the kernel's work (structures passed by value), so nothing can be said of its speed.
bool counted_is_complete(struct size size, const struct counts *counts);

// What people call a kind of work.
const char *counted_metric_text(enum counted_metric metric);

// The work of one kind that a launch did.  Bytes are not divided by the FLOP, which both kernels
// share.
uint64_t counted_work(const struct counts *counts, enum counted_metric metric);

// Reference work / student's work, the worst over the kinds of work that the reference does at all;
// a kind that the student avoids counts as no limit.  *ret_metric: which kind it was.  1 where no
// kind can be compared.
double counted_ratio(const struct counts *student, const struct counts *reference,
                     enum counted_metric *ret_metric);

#endif
