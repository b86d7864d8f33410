// The verdicts, in order of precedence: if several apply, the first is the verdict.
#ifndef JUDGE_MODEL_VERDICT_H
#define JUDGE_MODEL_VERDICT_H

#include <stdbool.h>

#include "base/words.h"

// X(enumerator, name in result.json and anchor in lessons/verdicts.md, title for people)
#define VERDICTS(X)                                                                                \
    X(VERDICT_MISSING, "missing", N_("missing"))                                                   \
    X(VERDICT_NOT_STARTED, "not_started", N_("not started"))                                       \
    X(VERDICT_NOT_ALLOWED, "not_allowed", N_("not allowed"))                                       \
    X(VERDICT_BUILD_ERROR, "build_error", N_("does not compile"))                                  \
    X(VERDICT_NO_KERNEL, "no_kernel", N_("no kernel"))                                             \
    X(VERDICT_BAD_SIGNATURE, "bad_signature", N_("wrong parameter list"))                          \
    X(VERDICT_NEEDS_GPU, "needs_gpu", N_("needs a GPU"))                                           \
    X(VERDICT_BAD_LAUNCH, "bad_launch", N_("bad launch configuration"))                            \
    X(VERDICT_TIME_LIMIT, "time_limit", N_("does not end"))                                        \
    X(VERDICT_OUTPUT_LIMIT, "output_limit", N_("prints too much"))                                 \
    X(VERDICT_MEMORY_LIMIT, "memory_limit", N_("needs too much memory"))                           \
    X(VERDICT_CRASH, "crash", N_("crashed"))                                                       \
    X(VERDICT_HOST, "host", N_("a mistake of the host code"))                                      \
    X(VERDICT_MISALIGNED, "misaligned", N_("misaligned access"))                                   \
    X(VERDICT_OUT_OF_BOUNDS, "out_of_bounds", N_("out of bounds"))                                 \
    X(VERDICT_BARRIER_DIVERGENCE, "barrier_divergence", N_("barrier not reached by all threads"))  \
    X(VERDICT_RACE, "race", N_("data race"))                                                       \
    X(VERDICT_UNINITIALIZED, "uninitialized", N_("uninitialized read"))                            \
    X(VERDICT_INPUTS_CHANGED, "inputs_changed", N_("inputs changed"))                              \
    X(VERDICT_NOT_WRITTEN, "not_written", N_("part of the output not written"))                    \
    X(VERDICT_LOW_PRECISION, "low_precision", N_("precision below fp32"))                          \
    X(VERDICT_WRONG_RESULT, "wrong_result", N_("wrong result"))                                    \
    X(VERDICT_NO_ANSWER, "no_answer", N_("no answer"))                                             \
    X(VERDICT_PASS, "pass", N_("pass"))
#define VERDICT_ENUMERATOR(enumerator, name, title) enumerator,
enum verdict { VERDICTS(VERDICT_ENUMERATOR) VERDICT_COUNT };
#undef VERDICT_ENUMERATOR

const char *verdict_name(enum verdict verdict);
const char *verdict_title(enum verdict verdict);
bool verdict_parse(const char *name, enum verdict *ret_verdict);  // false: no such name

// The verdict that comes first in the list.
static inline enum verdict verdict_first(enum verdict a, enum verdict b) {
    return a < b ? a : b;
}

// Speed, in addition to a verdict of pass.
#define SPEED_VERDICTS(X)                                                                          \
    X(SPEED_FAST, "fast", N_("fast"))                                                              \
    X(SPEED_MARGINAL, "marginal", N_("marginal"))                                                  \
    X(SPEED_UNSTEADY, "unsteady", N_("unsteady"))                                                  \
    X(SPEED_SLOW, "slow", N_("slow"))

#define SPEED_ENUMERATOR(enumerator, name, title) enumerator,
enum speed_verdict { SPEED_VERDICTS(SPEED_ENUMERATOR) SPEED_VERDICT_COUNT };
#undef SPEED_ENUMERATOR
const char *speed_verdict_name(enum speed_verdict verdict);   // in result.json
const char *speed_verdict_title(enum speed_verdict verdict);  // for people

#endif
