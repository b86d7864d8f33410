// The position of an access in its line, so that a terminal can underline it.
#ifndef JUDGE_CODE_MARK_H
#define JUDGE_CODE_MARK_H

#include "judge/model/finding.h"

// Finds the expression that a compiler's column belongs to: `As[ty][k]` for the column of its last
// bracket, the left side for that of an assignment that stores, its right side for one that loads.
//
// at       bytes from the start of source.
// Returns  length 0 if at is outside of source.
struct source_span mark_find(const char *source, uint32_t at, enum access_kind access);

// True if the marked text is name, or begins with it: "As[ty][k]" with "As".
bool mark_names(const char *source, struct source_span mark, const char *name);

#endif
