// The verdict of one launch and its texts, from its worker's reply and its outputs.
#ifndef JUDGE_RUN_LAUNCH_OUTCOME_H
#define JUDGE_RUN_LAUNCH_OUTCOME_H

#include "judge/cause/regions.h"
#include "judge/model/judgement.h"
#include "judge/oracle/expected_check.h"
#include "judge/oracle/matmul_oracle.h"
#include "judge/run/run_worker.h"

// The outcome of one launch.
struct run_outcome {
    enum verdict verdict;
    struct findings findings;
    struct counts counts;         // with REQUEST_COUNT
    uint64_t shared_bytes;        // dynamic ones that the launch asked for
    uint32_t launch_count;        // launches that made the result
    uint64_t steps;               // accesses and barrier arrivals, of the CPU device
    struct run_limits limits;     // of the launch
    uint32_t block[3];            // threads of a block, in x, y and z; 0: not known
    bool unset;                   // the first wrong element is NaN or far too large: never set
    bool stop;                    // further cases would only cost time
    char text[ERROR_TEXT_MAX];    // what is wrong, if no finding says it: of the verdict in
                                  // text_verdict
    enum verdict text_verdict;    // PASS if there is no text
    int line;                     // that the text names; 0: none
    char cause[ORACLE_TEXT_MAX];  // of it: what a map of accesses or a probe proves, or ""
    char guess[ORACLE_TEXT_MAX];  // of it: what the wrong elements suggest, or ""
    enum explained explained;     // how specific cause and guess are
    bool lanes;                   // emu: outputs hold what a lane without a part in a shuffle gives
    bool olds;                    // emu: outputs hold what comes of a value that they held before
    bool blind;                   // emu: C is right, and parts of A or B were not seen to be read
    bool waits;                   // emu: another order of threads and blocks does not end
    char output[OUTPUT_SHOWN_MAX];  // what the kernel printed
    struct wrong_tiles wrong;       // where C of a small launch with exact inputs is not right
    struct wrong_cells cells;       // and what it holds there, if it is small enough
};

// Notes a verdict that no finding explains; the first in precedence keeps its text.
void run_outcome_add(struct run_outcome *outcome, enum verdict verdict, const char *text);

// True if nothing but processor time has ended a launch that was going on: without checkers and
// counter it might have ended by itself.
bool run_outcome_may_end(const struct run_outcome *outcome);

// How specific the texts about C are, if they are shown and not a finding.
enum explained run_outcome_explained(const struct run_outcome *outcome);

// The finding that gives the verdict; NULL if none does.
const struct finding *run_outcome_deciding(const struct run_outcome *outcome);

// True for a race of two blocks; false for NULL.
bool run_finding_is_between_blocks(const struct finding *finding);

// Notes which inputs a launch has changed: bit per parameter.
void run_outcome_add_changed(struct run_outcome *outcome, const struct signature *signature,
                             uint32_t changed);

// Adds what a reply says by itself, without the arrays, to *outcome.  The caller initialises
// *outcome as a pass.  program: what was launched.
void run_outcome_of_reply(const struct run_reply *reply, const struct run_program *program,
                          struct run_outcome *outcome);

// True if a kernel has read a place to which nothing had been stored, and more was found, which may
// come from the value that it found there.
bool run_outcome_may_follow_from_empty(const struct run_outcome *outcome);

// Adds the first read of an output to which nothing had been stored, of the same launch when these
// were looked for.
void run_outcome_add_old(struct run_outcome *outcome, const struct signature *signature,
                         const struct findings *findings);

// Drops of such an outcome what was not found when the same places held zeros.  zeros: that launch.
void run_outcome_blame_empty(struct run_outcome *outcome, const struct run_outcome *zeros);

// Says of a case that is right in the usual order, and not in the one of this outcome, that the
// order decides.  Atomic operations that nothing orders become the mistake.
void run_outcome_of_order(struct run_outcome *outcome, const struct signature *signature,
                          bool is_reverse);

// Adds the launch to the text where parts of C are left: a grid that is too small is the usual
// cause.
void run_outcome_add_launch(struct run_outcome *outcome, const struct answer *answer,
                            const struct signature *signature, struct size size);

// Adds a product that is not right, with the map of accesses; NULL if there is none.  A sum that
// takes its factors from elsewhere, or a NaN, has left out parts as well, and then these are no
// cause.
void run_outcome_add_product(struct run_outcome *outcome, const struct oracle_report *report,
                             const struct coverage *coverage, struct size size);

// Adds the wrong outputs of a kernel that is no matmul.
void run_outcome_add_outputs(struct run_outcome *outcome, const struct expected_report *report);

// Judges C of exact inputs, and adds what is wrong with it.  secret draws Freivalds' vectors.
void run_outcome_of_product(const struct matmul *matmul, struct random_key secret,
                            struct run_outcome *outcome);

#endif
