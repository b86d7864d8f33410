// Finds the classic slip: the stub's __shared__ array is declared without the word.
#ifndef JUDGE_CODE_UNSHARED_H
#define JUDGE_CODE_UNSHARED_H

#include "base/limits.h"

struct unshared {
    char name[NAME_BYTES_MAX];
    int line;  // of its declaration in `text`; 0: there is none
};

// The first array that the stub declares with __shared__, and the text only without.
struct unshared unshared_find(const char *stub, const char *text);

#endif
