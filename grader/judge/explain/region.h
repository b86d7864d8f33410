// Which part of C is concerned, in words.
#ifndef JUDGE_EXPLAIN_REGION_H
#define JUDGE_EXPLAIN_REGION_H

#include <stdint.h>

#include "base/size.h"

#define REGION_TEXT_MAX 160

// Elements of C and the smallest rectangle around them.  All zero: none yet.
struct region {
    uint64_t count;
    int32_t row_first, row_last, column_first, column_last;
};

void region_add(struct region *region, int32_t row, int32_t column);

// "all of C", "rows 64 to 66", "C[64..66][0..15]" where the rectangle is full, else "12 of 2211
// elements".
void region_text(const struct region *region, struct size size, char text[REGION_TEXT_MAX]);

#endif
