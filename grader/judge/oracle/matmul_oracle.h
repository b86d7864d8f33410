// Freivalds' test: is C = A B, row by row, in the time of three matrix-vector products?
//
// Is C the product of A and B?  Pure functions over matrices in the judge's own memory.
#ifndef JUDGE_ORACLE_MATMUL_ORACLE_H
#define JUDGE_ORACLE_MATMUL_ORACLE_H

#include <stdint.h>

#include "exercise/exercise.h"
#include "judge/cause/output_seen.h"
#include "judge/model/inputs.h"
#include "judge/model/verdict.h"

// Marks the rows of C that differ from A B, for exact inputs.
//
// With random vectors x the test compares C x and A (B x) in integers modulo 2^64.  A right row is
// never marked.  A wrong row whose errors are below 2^26 escapes one vector with a chance of at
// most 2^-38 (an error is at most 2^25 times an odd number, so its product with x takes 2^39 values
// evenly), all three with 2^-114.  A row with an element that is not finite, not an integer, or at
// least 2^25 in magnitude is marked immediately.
//
// Shapes   ret_wrong_rows [M] of 0 or 1.
// Returns  the number of rows marked.
// Source   Freivalds 1979, "Fast probabilistic algorithms".
uint64_t freivalds_check(struct random_key key, const struct matmul *matmul,
                         uint8_t *ret_wrong_rows);

#define ORACLE_TEXT_MAX 512

struct oracle_report {
    enum verdict verdict;      // PASS, NOT_WRITTEN, LOW_PRECISION or WRONG_RESULT
    uint64_t wrong_count;      // wrong elements; 0 with a bad verdict: not all were compared
                               // compared
    uint64_t unwritten_count;  // elements that still hold the poison
    int32_t row, column;       // the first wrong element; for NOT_WRITTEN the first unwritten one
    float got;
    double want;
    // One sentence on what is wrong: "C[1][0] is 5 and should be 9 (wrong: row 1)."  "" with PASS.
    char evidence[ORACLE_TEXT_MAX];
    // The cause, in one or two sentences: "The terms k = 48 and 49 are missing." "" if it is not
    // known.
    char cause[ORACLE_TEXT_MAX];
    enum explained explained;  // the kind of cause
};

// Judges C against A and B.
//
// EXACT: every element is compared with the exact integer product if M N K is at most
//        ORACLE_FULL_MAX.  Above that, Freivalds' test over 64-bit integers (three random vectors)
//        decides, and only if a product fails it, up to 64 wrong rows are computed in full.
//        No tolerance, so no false alarm.
// REAL:  !(|got - want| <= gamma_{K+1} (|A||B|)) for an element, or T > 8 over at least 256
//        elements, is wrong; want is fp64.  Above ORACLE_FULL_MAX, 64 random rows are judged.
// precision to which a kernel may round A and B first (exercise.h): REAL inputs have only the error
// bound of that format.  A C with an unwritten element is NOT_WRITTEN, whatever else is wrong with
// it.
// key    draws Freivalds' vectors and the rows; may be the key of the inputs.
struct oracle_report oracle_check(enum precision precision, enum inputs_kind kind,
                                  struct random_key key, const struct matmul *matmul);

// The root mean square error that 256 or more elements of a product of REAL inputs may have.
double oracle_rms_max(enum precision precision, int32_t k);

// Says what is wrong with one row of a product of REAL inputs whose errors are known to be too
// large, if oracle_check has found nothing in the rows that it judges.
struct oracle_report oracle_explain_row(enum precision precision, const struct matmul *matmul,
                                        int32_t row);

#define ORACLE_FULL_MAX (200ull * 1000 * 1000)  // multiply-adds compared element by element

#endif
