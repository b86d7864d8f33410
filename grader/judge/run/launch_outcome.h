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
    bool left_out;  // no bound is proved for the inputs of the case: it was not run
    enum verdict verdict;
    struct findings findings;
    struct counts counts;           // with REQUEST_COUNT
    uint64_t shared_bytes;          // dynamic shared memory that the launch requested
    uint32_t launch_count;          // launches that made the result
    uint64_t steps;                 // accesses and barrier arrivals, of the CPU device
    struct run_limits limits;       // of the launch
    uint32_t block[3];              // threads of a block, in x, y and z; 0: not known
    uint64_t threads;               // of the only launch, if elements are unwritten; else 0
    int unwritten;                  // the output that the text of VERDICT_NOT_WRITTEN is about
    bool is_untouched;              // … and nothing at all was written to it
    bool unset;                     // the first wrong element is NaN or far too large: never set
    bool stop;                      // further cases would only waste time
    char text[ERROR_TEXT_MAX];      // the mistake, if no finding names it: of the verdict in
                                    // text_verdict
    size_t launch_at;               // where sentences about the launch begin in text
    enum verdict text_verdict;      // PASS if there is no text
    int line;                       // line that the text names; 0: none
    char cause[ORACLE_TEXT_MAX];    // the cause, as proved by a map or a probe, or ""
    char guess[ORACLE_TEXT_MAX];    // the cause that the wrong elements suggest, or ""
    enum explained explained;       // how specific cause and guess are
    bool is_pattern;                // the wrong elements of an output are rows, columns or blocks
    bool lanes;                     // emu: outputs contain a value from a lane outside a shuffle
    bool olds;                      // emu: outputs contain results of their old values
    bool blind;                     // emu: C is right, but no read of parts of A or B was seen
    bool hands_over;                // emu: its blocks hand values to each other
    bool waits;                     // emu: in another order of threads and blocks it does not end
    char output[OUTPUT_SHOWN_MAX];  // the output of the kernel
    struct wrong_tiles wrong;       // the wrong places of C, in a small launch with exact inputs
    struct wrong_cells cells;       // the values of C there, if it is small enough
};

// Notes a verdict that no finding explains; the first in precedence keeps its text.
void run_outcome_add(struct run_outcome *outcome, enum verdict verdict, const char *text);

// True if only the limit of processor time ended a running launch: without checkers and counter it
// might have ended by itself.
bool run_outcome_may_end(const struct run_outcome *outcome);

// The specificity of the texts about C, if these are shown instead of a finding.
enum explained run_outcome_explained(const struct run_outcome *outcome);

// True if a finding gives the verdict, whatever the outputs are: no cause of wrong elements is
// shown then.
bool run_outcome_is_decided(const struct run_outcome *outcome);

// The finding that gives the verdict; NULL if none does.
const struct finding *run_outcome_deciding(const struct run_outcome *outcome);

// True for a race of two blocks; false for NULL.
bool run_finding_is_between_blocks(const struct finding *finding);

// True if the outcome is a launch that was cut short, and an earlier one has a mistake at a line of
// a launch that ended: the first is less specific, and often a consequence.
bool run_outcome_is_less_than_found(const struct run_outcome *outcome,
                                    const struct run_outcome *before);
// True if the race that decides the earlier outcome was within a block, and now is between two
// blocks, which no barrier orders.
bool run_outcome_shows_two_blocks(const struct run_outcome *outcome,
                                  const struct run_outcome *before);

// Notes the inputs that a launch has changed: a bit per parameter.
void run_outcome_add_changed(struct run_outcome *outcome, const struct signature *signature,
                             uint32_t changed);

// Adds the information of a reply, without the arrays, to *outcome.  The caller initialises
// *outcome as a pass. program: the launched program.
void run_outcome_of_reply(const struct run_reply *reply, const struct run_program *program,
                          struct run_outcome *outcome);

// The outputs have been judged.  If they are wrong, leaves out conversions that C++ does not
// define: the wrong elements say more.
void run_outcome_prefer_result(struct run_outcome *outcome);

// True if a kernel has read an unset place, and other findings may come from the value that it read
// there.
bool run_outcome_may_follow_from_empty(const struct run_outcome *outcome);

// True if the outcome is not that of such a value: its other findings are races, all of them in
// `proved`.
bool run_outcome_is_proved(const struct run_outcome *outcome, const struct findings *proved);

// Adds the first read of an unset output, from the launch that looked for such reads.
void run_outcome_add_old(struct run_outcome *outcome, const struct signature *signature,
                         const struct findings *findings);

// Drops from such an outcome the findings that do not occur if the same places hold zeros. zeros:
// the launch with zeros.  Those that are left show a mistake at a larger size too: adds them to
// `proved`.
void run_outcome_blame_empty(struct run_outcome *outcome, const struct run_outcome *zeros,
                             struct findings *proved);

// Reports that the order decides, for a case that is right in the usual order but not in this
// outcome's order.  Unordered atomic operations become the mistake.
void run_outcome_of_order(struct run_outcome *outcome, const struct signature *signature,
                          bool is_reverse);

// Adds the launch to the text if parts of C are unwritten: the usual cause is a grid that is too
// small.
void run_outcome_add_launch(struct run_outcome *outcome, const struct answer *answer,
                            const struct signature *signature, struct size size);

// Adds a product that is not right, with the map of accesses; NULL if there is none.  A sum with
// factors from elsewhere, or a NaN, also leaves out parts, which are then not the cause.
void run_outcome_add_product(struct run_outcome *outcome, const struct oracle_report *report,
                             const struct coverage *coverage, struct size size);

// Adds the wrong outputs of a kernel that is not a matmul.
void run_outcome_add_outputs(struct run_outcome *outcome, const struct expected_report *report);

// Judges C of exact inputs, and adds its mistakes. secret draws Freivalds' vectors.
void run_outcome_of_product(const struct matmul *matmul, struct random_key secret,
                            struct run_outcome *outcome);

#endif
