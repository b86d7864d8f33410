// Finds an element of an array that is chosen by a condition: `(k % 2 ? As : Bs)[i % 8]`.
//
// g++ makes two accesses of it, one for each array.  Where it also checks divisions, it computes
// the index for the first of them alone, and the second reads from a wrong place (seen in g++ 11
// and 12).
#ifndef JUDGE_CODE_CHOICE_H
#define JUDGE_CODE_CHOICE_H

#include <stdbool.h>

// True if `text` may have one.  A macro with a condition counts as one, whatever it is used for.
bool choice_is_indexed(const char *text);

#endif
