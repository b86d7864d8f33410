// One launch of a kernel, judged: inputs made, C poisoned, launched, read back, compared.
#ifndef JUDGE_RUN_CASE_H
#define JUDGE_RUN_CASE_H

#include "judge/cases.h"
#include "judge/explain_coverage.h"
#include "judge/oracle.h"
#include "judge/run_worker.h"
#include "judge/wrong_tiles.h"

// What one launch came to.
struct run_outcome {
    enum verdict verdict;
    struct findings findings;
    struct counts counts;           // with REQUEST_COUNT
    uint64_t shared_bytes;          // dynamic ones that the launch asked for
    uint32_t launch_count;          // launches that made the product
    bool stop;                      // further cases would only cost time
    char text[ERROR_TEXT_MAX];      // what is wrong, where no finding says it: of the verdict in
                                    // text_verdict
    enum verdict text_verdict;      // PASS where there is no text
    int line;                       // of it, where the text speaks of one; else 0
    char cause[COVERAGE_TEXT_MAX];  // of it: what a map of accesses proves, or ""
    char guess[ORACLE_TEXT_MAX];    // of it: what the wrong elements suggest, or ""
    enum explained explained;       // how much cause and guess tell
    bool blind;                     // emu: C is right, and parts of A or B were not seen to be read
    char output[OUTPUT_SHOWN_MAX];  // what the kernel printed
    struct wrong_tiles wrong;       // where C of a small launch with exact inputs is not right
};

// Runs one case with REQUEST_ flags.  A wrong kernel is an outcome; errors are trouble of ours.
enum status run_case(struct run_worker *worker, const struct planned_case *planned, uint32_t flags,
                     struct run_outcome *ret_outcome, struct error *err);

// What a reply says by itself, without the matrices: added to *outcome, which begins as a pass. For
// launches that are asked for in another way (judge/timed_launch.c).
void run_outcome_of_reply(const struct run_reply *reply, struct run_outcome *outcome);

// Notes a verdict that no finding explains; the first in precedence keeps its text.
void run_outcome_add(struct run_outcome *outcome, enum verdict verdict, const char *text);

// Judges C of exact inputs A and B, and says what is wrong with it.  secret draws Freivalds'
// vectors.
enum status run_outcome_of_product(struct size size, struct random_key secret, const float *a,
                                   const float *b, const float *c, struct run_outcome *outcome,
                                   struct error *err);

#endif
