// Where the programs are that a test starts.
#ifndef TESTS_UNIT_BUILD_FOLDER_H
#define TESTS_UNIT_BUILD_FOLDER_H

#include <check.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

// The build folder, from build/tests/unit-judge.
static inline const char *build_folder(void) {
    static char path[PATH_MAX];
    ssize_t bytes = readlink("/proc/self/exe", path, sizeof path - 1);
    ck_assert_int_gt(bytes, 0);
    path[bytes] = '\0';
    *strrchr(path, '/') = '\0';
    *strrchr(path, '/') = '\0';
    return path;
}

#endif
