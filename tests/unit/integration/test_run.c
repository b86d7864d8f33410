// Judges an exercise that one of the devices cannot build, from the file to the verdict.  A script
// stands in for the compiler of the GPU device.  Run from the root of the checkout, with the
// program built.
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "build_folder.h"
#include "exercise/exercise.h"
#include "judge/diagnose/exercise_run.h"
#include "judge/model/judgement.h"
#include "sandbox/box.h"
#include "suite.h"

#define MISSING_TEXT "includes a header of the CUDA toolkit that is not on this machine"
#define MISSING_SCRIPT                                                                             \
    "#!/bin/sh\necho '{\"fault\": \"needs_gpu\", \"line\": 0, \"text\": \"" MISSING_TEXT           \
    "\", \"diagnostics\": \"\"}' >report.json\n"

static struct course *course;
static struct judge_options options;
static char scratch[PATH_BYTES_MAX];

static void program_link(const char *name) {
    char target[PATH_BYTES_MAX];
    char path[PATH_BYTES_MAX];
    ck_assert_int_eq(path_make(target, NULL, "%s/%s", build_folder(), name), STATUS_OK);
    ck_assert_int_eq(path_make(path, NULL, "%s/%s", scratch, name), STATUS_OK);
    ck_assert_int_eq(symlink(target, path), 0);
}

// All are used but the GPU's compiler.
static void setup(void) {
    char root[PATH_MAX] = "";
    char path[PATH_BYTES_MAX];
    struct error err;
    ck_assert_ptr_nonnull(getcwd(root, sizeof root));
    ck_assert_int_eq(box_scratch_make(NULL, scratch, NULL), STATUS_OK);
    program_link("tilegrade-inspect");
    program_link("emu-worker.o");
    program_link("libemu-worker.a");
    ck_assert_int_eq(path_make(path, NULL, "%s/tilegrade-nvrtc", scratch), STATUS_OK);
    ck_assert_int_eq(file_write(path, MISSING_SCRIPT, strlen(MISSING_SCRIPT), NULL), STATUS_OK);
    ck_assert_int_eq(chmod(path, 0755), 0);
    ck_assert_msg(course_open(root, &course, &err) == STATUS_OK, "%s", err.text);
    options = (struct judge_options){.course = course,
                                     .submission = open(scratch, O_PATH | O_DIRECTORY),
                                     .uses = {true, true},
                                     .machine = {.jobs = 1, .gpu = {.architecture = "sm_90"}}};
    ck_assert_int_eq(path_make(options.machine.paths.programs, NULL, "%s", scratch), STATUS_OK);
    ck_assert_int_eq(path_make(options.machine.paths.include, NULL, "%s/grader/include", root),
                     STATUS_OK);
    ck_assert_int_eq(path_make(options.machine.paths.shim, NULL, "%s/grader/emu/shim", root),
                     STATUS_OK);
}

static void teardown(void) {
    course_free(course);
    ck_assert_int_eq(folder_remove(scratch, NULL), STATUS_OK);
}

static const struct exercise *first_product(void) {
    int i = 0;
    while (!course->exercises[i].signature.is_matmul) {
        i++;
    }
    return &course->exercises[i];
}

// Judges a kernel of the first product that does nothing, with `first_line` before it.
static void judge(const char *first_line, struct exercise_result *result) {
    const char *name = first_product()->name;
    char path[PATH_BYTES_MAX];
    char text[1000];
    struct run_kernel kernel;
    struct error err = {.text = ""};
    memset(&kernel, 0, sizeof kernel);
    memset(result, 0, sizeof *result);
    result->exercise = first_product();
    (void)snprintf(result->file, sizeof result->file, "%s.cu", name);
    (void)snprintf(text, sizeof text,
                   "%s\n#include \"matmul.cuh\"\n"
                   "__global__ void matmul_%s(const float *A, const float *B, float *C, int M, "
                   "int N, int K)\n{\n}\n"
                   "LAUNCH_CONFIG(matmul_%s, M, N, K)\n{\n    launch->block = dim3(1);\n"
                   "    launch->grid = dim3(1);\n}\n",
                   first_line, name, name);
    ck_assert_int_eq(path_make(path, NULL, "%s/%s", scratch, result->file), STATUS_OK);
    ck_assert_int_eq(file_write(path, text, strlen(text), NULL), STATUS_OK);
    enum status status = run_exercise(&options, result, &kernel, &err);
    ck_assert_msg(status == STATUS_OK, "%s", err.text);
    run_kernel_done(&kernel);
}

// A file that neither device can build was never run: that must not pass with 0 cases.
START_TEST(a_file_that_the_gpu_s_compiler_cannot_read_here_is_not_judged) {
    static const char *const first_lines[] = {"#include <mma.h>", ""};
    static struct exercise_result result;
    judge(first_lines[_i], &result);
    ck_assert_int_eq(result.verdict, VERDICT_NEEDS_GPU);
    ck_assert(!result.complete);
    ck_assert_int_eq(result.cases.count, 0);
    ck_assert_msg(strstr(result.why.headline, MISSING_TEXT), "%s", result.why.headline);
    free(result.why.diagnostics);
}
END_TEST

// The near miss: without a GPU the same kernel is run, and found to write nothing.
START_TEST(without_a_gpu_only_the_cpu_device_is_asked) {
    static struct exercise_result result;
    options.uses[DEVICE_GPU] = false;
    judge("", &result);
    ck_assert_int_eq(result.verdict, VERDICT_NOT_WRITTEN);
    ck_assert(result.complete);
    ck_assert_int_gt(result.cases.count, 0);
    free(result.why.diagnostics);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("run");
    TCase *tests = tcase_create("run");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, a_file_that_the_gpu_s_compiler_cannot_read_here_is_not_judged, 0, 2);
    tcase_add_test(tests, without_a_gpu_only_the_cpu_device_is_asked);
    suite_add_tcase(suite, tests);
    return suite;
}
