// Decides whether the arrays after a launch are right, and explains what is wrong with them.
#ifndef JUDGE_ORACLE_EXPECTED_CHECK_H
#define JUDGE_ORACLE_EXPECTED_CHECK_H

#include "judge/cause/output_seen.h"
#include "judge/model/verdict.h"

struct expected_report {
    enum verdict verdict;  // PASS, NOT_WRITTEN, LOW_PRECISION or WRONG_RESULT
    int parameter;         // the first wrong element, for NOT_WRITTEN the first unwritten one
    uint64_t element;      // … row-major
    double got, want;
    uint64_t wrong_count, unwritten_count, compared;
    // One sentence on what is wrong: "y[99] is 5 and should be 9 (wrong: only the last element)."
    char evidence[EXPECTED_TEXT_MAX];
    char cause[EXPECTED_TEXT_MAX];  // in one or two sentences; "" if it is not known
    enum explained explained;
    bool is_untouched;  // nothing at all was written to that output
    bool is_pattern;    // the wrong elements are rows, columns or parts of blocks
    bool of_old_value;  // the initial output went into each wrong element
};

// Judges all outputs.  after[i] are the elements of output i after the launch.
// Errors  those of expected_run, if a check of expected.c judges the outputs, and of
//         expected_case_complete.
enum status expected_check(struct expected_case *made, const void *const *after,
                           struct expected_report *ret_report, struct error *err);

#endif
