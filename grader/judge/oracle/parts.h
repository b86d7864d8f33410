// The two oracles of oracle_check, and what they share.
#ifndef JUDGE_ORACLE_PARTS_H
#define JUDGE_ORACLE_PARTS_H

#include "judge/oracle/oracle.h"

// Multiply-adds to compute all wrong rows of a product again, which takes a second; where there are
// more, ORACLE_ROWS_MAX of them are looked at, and no cause is given.
#define ORACLE_WRONG_MAX (4ull * 1000 * 1000 * 1000)
#define ORACLE_ROWS_MAX  64  // rows looked at in products too large to compute in full

struct matmul_launch {
    struct matmul matmul;
    struct random_key key;
    enum precision precision;
};

// Each writes a whole report. oracle_check decides NOT_WRITTEN before it calls them.
enum status oracle_exact(const struct matmul_launch *product, struct oracle_report *ret_report,
                         struct error *err);
enum status oracle_real(const struct matmul_launch *product, struct oracle_report *ret_report,
                        struct error *err);

// "3", "0.25", "NaN", "Inf".
#define NUMBER_TEXT_MAX 32
void number_text(double number, char text[NUMBER_TEXT_MAX]);

#endif
