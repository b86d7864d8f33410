// Says which part of A and B a kernel never reads, and which part of C it never writes: the cause
// of a wrong product that makes no illegal access.
//
// A map of accesses is a fact where sums are a guess, so it comes before them; but an element that
// is read may still not be multiplied, and only the sums show that.
#ifndef JUDGE_EXPLAIN_COVERAGE_H
#define JUDGE_EXPLAIN_COVERAGE_H

#include "base/size.h"
#include "emu/wire/coverage.h"
#include "judge/explain/evidence.h"

#define COVERAGE_TEXT_MAX 400

// "Columns 48..49 of A are never read (and rows 48..49 of B)."
//
// Returns  EXPLAINED_NOTHING if all of A and B was read, and text is "";
//          EXPLAINED_ALL_TERMS if nothing of A or nothing of B was; else EXPLAINED_TERMS.
enum explained explain_unread(const struct coverage *coverage, struct size size,
                              char text[COVERAGE_TEXT_MAX]);

// The same of C: "Rows 64..66 of C are never written."
enum explained explain_unwritten(const struct coverage_gap *gap, struct size size,
                                 char text[COVERAGE_TEXT_MAX]);

#endif
