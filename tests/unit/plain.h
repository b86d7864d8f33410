// Texts of results as people read them, for the tests of their words.
#ifndef TESTS_PLAIN_H
#define TESTS_PLAIN_H

#include "base/words.h"

// In the chosen language.  Borrowed until the fourth call after this one.
static inline const char *plain(const char *text) {
    static char texts[4][WORDS_PLAIN_MAX];
    static unsigned calls;
    return words_plain(text, texts[calls++ % 4]);
}

#endif
