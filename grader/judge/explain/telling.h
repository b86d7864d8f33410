// The explanation of a finding by values, while it is made.  Internal to values.c and
// telling_conditions.c.
#ifndef JUDGE_EXPLAIN_TELLING_H
#define JUDGE_EXPLAIN_TELLING_H

#include "judge/code/watch.h"

// The dimension in which an access leaves its array.
struct excess {
    int item;             // of the index; -1: not known
    int64_t limit;        // it should be below
    bool is_row;          // else column
    bool has_no_element;  // the thread has no element of C
    bool is_along_k;      // it is a column of A or a row of B
};

struct telling {
    struct judged_finding *finding;
    const struct index_watch *watch;
    const int64_t *number;  // of watch->item
    int64_t rows, columns;  // of the array; 0: not A, B or C
    bool is_wrong_stride;   // the index multiplies a row, not 0, by another number than columns
    struct excess excess;
    bool shows[WATCH_ITEMS_MAX];
    char more[ERROR_TEXT_MAX];
};

static inline const struct cpp_token *telling_token(const struct telling *telling, int i) {
    return &telling->watch->code.token[i];
}

static inline bool telling_knows(const struct telling *telling, int item) {
    return item >= 0 && telling->number[item] != VALUE_NONE;
}

// True if the tokens from first on, before end, hold those of the item.
bool telling_mentions(const struct telling *telling, int item, int first, int end);

// Adds to telling->more which condition let the thread with the excess pass, or that none looks at
// it; marks the values that show it.
void telling_conditions(struct telling *telling);

#endif
