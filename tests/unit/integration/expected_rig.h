// Builds an expected.c and makes cases of it, for tests.  Run from the root of the checkout, with
// libexpected.a built.
#ifndef TESTS_UNIT_EXPECTED_RIG_H
#define TESTS_UNIT_EXPECTED_RIG_H

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "build_folder.h"
#include "judge/expected/expected_case.h"

struct expected_rig {
    struct judge_machine machine;
    struct signature signature;
    struct expected_program program;
};

// "x = in float [N]" …, one a line; the first line has the names of the sizes.
static inline void rig_declare(struct expected_rig *rig, const char *declaration) {
    char lines[1000];
    char *rest = NULL;
    struct error err = {.text = ""};
    struct ini ini = {.err = &err, .path = "exercise.ini"};
    memset(&rig->signature, 0, sizeof rig->signature);
    (void)snprintf(lines, sizeof lines, "%s", declaration);
    char *line = strtok_r(lines, "\n", &rest);
    ck_assert_msg(signature_sizes_read(&ini, line, &rig->signature), "%s", err.text);
    while ((line = strtok_r(NULL, "\n", &rest))) {
        char *value = strstr(line, " = ");
        ck_assert_ptr_nonnull(value);
        *value = '\0';
        bool is_input = strncmp(line, "[inputs] ", 9) == 0;
        int good = is_input ? signature_input_read(&ini, line + 9, value + 3, &rig->signature)
                            : signature_parameter_read(&ini, line, value + 3, &rig->signature);
        ck_assert_msg(good, "%s", err.text);
    }
}

static inline void rig_machine(struct expected_rig *rig) {
    char root[PATH_MAX] = "";
    memset(rig, 0, sizeof *rig);
    ck_assert_ptr_nonnull(getcwd(root, sizeof root));
    ck_assert_int_eq(path_make(rig->machine.paths.programs, NULL, "%s", build_folder()), STATUS_OK);
    ck_assert_int_eq(path_make(rig->machine.paths.include, NULL, "%s/grader/include", root),
                     STATUS_OK);
}

static inline enum status rig_build(struct expected_rig *rig, const char *declaration,
                                    const char *name, const char *text, struct error *err) {
    rig_machine(rig);
    rig_declare(rig, declaration);
    const struct expected_text read = {name, "lessons/200_x/expected.c", text, strlen(text)};
    return expected_build(&rig->machine, &rig->signature, &read, &rig->program, err);
}

static inline enum status rig_case(const struct expected_rig *rig, enum inputs_kind kind,
                                   struct size size, uint64_t key, uint32_t samples,
                                   struct expected_case *ret_case, struct error *err) {
    const struct expected_plan plan = {.program = &rig->program,
                                       .kind = kind,
                                       .key = {{key, key * 3 + 1}},
                                       .size = size,
                                       .samples = samples};
    return expected_case_make(&plan, ret_case, err);
}

#endif
