// Names a part of a matrix: wrong elements of C, parts of A and B that a kernel never reads, and
// parts of C that it never writes, which gives a wrong product without an illegal access.
//
// A map of accesses is a fact, while conclusions from sums are guesses, so the map comes first.
// But an element that is read may still not be multiplied, which only the sums show.
#ifndef JUDGE_CAUSE_REGIONS_H
#define JUDGE_CAUSE_REGIONS_H

#include <stdint.h>

#include "base/size.h"
#include "emu/wire/counts.h"
#include "judge/cause/output_seen.h"

#define REGION_TEXT_MAX 160

// Elements of C and the smallest rectangle around them.  All zero: no elements yet.
struct region {
    uint64_t count;
    int32_t row_first, row_last, column_first, column_last;
};

void region_add(struct region *region, int32_t row, int32_t column);

// "all of C", "rows 64 to 66", "C[64..66][0..15]" if the rectangle is full, else "12 of 2211
// elements".
void region_text(const struct region *region, struct size size, char text[REGION_TEXT_MAX]);

#define COVERAGE_TEXT_MAX 400

// "Columns 48..49 of A are never read (and rows 48..49 of B)."
//
// Returns  EXPLAINED_NOTHING if all of A and B was read, and text is "";
//          EXPLAINED_ALL_TERMS if nothing of A or nothing of B was; else EXPLAINED_TERMS.
enum explained explain_unread(const struct coverage *coverage, struct size size,
                              char text[COVERAGE_TEXT_MAX]);

// The same for C: "Rows 64..66 of C are never written."
enum explained explain_unwritten(const struct coverage_gap *gap, struct size size,
                                 char text[COVERAGE_TEXT_MAX]);

#endif
