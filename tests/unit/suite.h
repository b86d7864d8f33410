// Runs a Check suite as the whole of a test program.
#ifndef TESTS_UNIT_SUITE_H
#define TESTS_UNIT_SUITE_H

#include "plain.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

// Check's old name for ck_abort_msg; in this project fail() says why a call failed (base/error.h).
#undef fail

// Runs every test of suite (and frees it).
//
// Returns  the exit code of the program: EXIT_SUCCESS only if at least one check ran and none
// failed.
static inline int suite_run(Suite *suite) {
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int run = srunner_ntests_run(runner);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    if (run == 0) {
        fprintf(stderr, "no check ran\n");
    }
    return run > 0 && failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
