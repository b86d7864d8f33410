// The cases of an expected.c that were made last: many kernels are judged with the same inputs when
// a course is checked, and a student's kernel after each save.  A case is a function of its plan,
// so it can be used again as it is.
#ifndef JUDGE_EXPECTED_MEMO_H
#define JUDGE_EXPECTED_MEMO_H

#include "judge/expected/case.h"

struct expected_memo;

struct expected_memo *expected_memo_new(void);        // NULL: no memory
void expected_memo_free(struct expected_memo *memo);  // NULL is fine

// Sets the form, the width, the key and the results of a case from one with the same plan.  False:
// there is none.  Owns: the results are the case's own, and stay when the memo forgets them.
bool expected_memo_find(struct expected_memo *memo, struct expected_case *made);

// Keeps a case that was just made.  Without room, those used longest ago are forgotten.
// A case that is too large, or was made like another one, is not kept.
void expected_memo_add(struct expected_memo *memo, const struct expected_case *made);

#endif
