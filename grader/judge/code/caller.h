// Says with which arguments a helper function was called.
#ifndef JUDGE_CODE_CALLER_H
#define JUDGE_CODE_CALLER_H

#include "judge/code/watch.h"

// Adds "The call is in line 49, with row = blockIdx.y * BM + a_row." if the access is in a helper
// function and only one call of it hands over this array; of the parameters those that are in the
// index.  Adds nothing otherwise.
void explain_caller(const struct index_watch *watch, struct judged_finding *finding,
                    char sentences[ERROR_TEXT_MAX]);

#endif
