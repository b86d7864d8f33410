// A file of tests: defines one suite, which the program of its folder runs (main.c).
#ifndef TESTS_UNIT_SUITE_H
#define TESTS_UNIT_SUITE_H

#include "plain.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

// Check's old name for ck_abort_msg; in this project fail() says why a call failed (base/error.h).
#undef fail

struct suite_file {
    const char *path;  // tests/unit/judge/test_oracle.c
    Suite *(*make)(void);
};

// `SUITE() { … return suite; }` ends a file of tests.  The linker makes a list of all files of a
// program, so that no list can lack one.
#define SUITE()                                                                                    \
    static Suite *suite_make(void);                                                                \
    static const struct suite_file suite_file                                                      \
        __attribute__((section("suite_files"), used)) = {__FILE__, suite_make};                    \
    static Suite *suite_make(void)

#endif
