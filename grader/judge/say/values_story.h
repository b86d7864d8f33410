// The values of the variables of a finding's thread, in sentences: "thread (1, 0, 0) has no element
// of C (1x1), but it reads B[0][1]: here col = 1, k = 0, N = 1".
#ifndef JUDGE_SAY_VALUES_STORY_H
#define JUDGE_SAY_VALUES_STORY_H

#include "judge/code/access_text.h"

// Writes the values into an explained finding, and sentences about them: the index that is too
// large, the condition that let it pass, the size that differs from the product's.
//
// noted    the values that the thread noted: of the index, then of watch->item.
// Returns  false if they do not fit the finding; then nothing is changed.
bool values_explain(struct judged_finding *finding, const struct index_watch *watch, uint32_t count,
                    const int64_t *noted);

#endif
