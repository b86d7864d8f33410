// A folder of its own for a test that needs files.
#ifndef TESTS_UNIT_SCRATCH_H
#define TESTS_UNIT_SCRATCH_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

struct scratch {
    char folder[64];
};

static inline struct scratch scratch_make(void) {
    struct scratch scratch = {"/tmp/tilegrade-test-XXXXXX"};
    ck_assert_ptr_nonnull(mkdtemp(scratch.folder));
    return scratch;
}

static inline void scratch_remove(const struct scratch *scratch) {
    ck_assert_int_eq(folder_remove(scratch->folder, NULL), STATUS_OK);
}

// Writes folder/name, and makes the folders in between; its path goes to `path`.
static inline void scratch_write(const struct scratch *scratch, const char *name, const char *text,
                                 char path[PATH_BYTES_MAX]) {
    char parent[PATH_BYTES_MAX];
    ck_assert_int_eq(path_make(path, NULL, "%s/%s", scratch->folder, name), STATUS_OK);
    memcpy(parent, path, sizeof parent);
    *strrchr(parent, '/') = '\0';
    ck_assert_int_eq(folder_make(parent, NULL), STATUS_OK);
    ck_assert_int_eq(file_write(path, text, strlen(text), NULL), STATUS_OK);
}

#endif
