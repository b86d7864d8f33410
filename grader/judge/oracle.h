// Is C the product of A and B?  Pure functions over matrices in the judge's own memory.
#ifndef JUDGE_ORACLE_H
#define JUDGE_ORACLE_H

#include "judge/inputs.h"
#include "judge/verdict.h"

struct oracle_report {
    enum verdict verdict;       // PASS, NOT_WRITTEN, LOW_PRECISION or WRONG_RESULT
    uint64_t wrong_count;       // elements that are not right (all of them where only Freivalds ran: 0 = unknown)
    uint64_t unwritten_count;   // elements that still hold the poison
    int32_t row, column;        // the first wrong element
    float got;
    double want;
    char explanation[512];      // "C[1][0] = … ; the terms k = 48 and 49 are missing." or ""
};

// Judges C [M][N] against A [M][K] and B [K][N].
//
// EXACT: every element is compared with the exact integer product while M N K is at most ORACLE_FULL_MAX; above that
//        Freivalds' test over 64-bit integers (three random vectors) decides, and only a product that fails it is computed in full
//        for the rows that are wrong.  No tolerance, so no false alarm.
// REAL:  !(|got - want| <= gamma_{K+1} (|A||B|)) for an element, or T > 8 over at least 256 elements, is wrong; want is fp64.
// key    draws Freivalds' vectors.
// Errors STATUS_NO_MEMORY.
enum status oracle_check(enum inputs_kind kind, struct random_key key, struct size size, const float *a, const float *b,
                         const float *c, struct oracle_report *ret_report, struct error *err);

#define ORACLE_FULL_MAX (200ull * 1000 * 1000) // multiply-adds compared element by element

#endif
