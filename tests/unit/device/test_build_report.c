// Builds as data: plans, reports, and places of addresses, as the judge reads them.
#include <string.h>

#include "base/file.h"
#include "device/build_report.h"
#include "device/compile/build_plan.h"
#include "sandbox/box.h"
#include "suite.h"

static char scratch[PATH_BYTES_MAX];

static void setup(void) {
    ck_assert_int_eq(box_scratch_make(NULL, scratch, NULL), STATUS_OK);
}

static void teardown(void) {
    ck_assert_int_eq(folder_remove(scratch, NULL), STATUS_OK);
}

// One report that is right; each row replaces a part of it.
#define REPORT                                                                                     \
    "{\"fault\": \"none\", \"line\": 3, \"text\": \"t\", \"diagnostics\": \"d\", "                 \
    "\"threads_max\": 256, \"bounds_line\": 12, \"registers\": 40, \"shared\": "                   \
    "[{\"name\": \"As\", "                                                                         \
    "\"offset\": 65536, \"bytes\": 64, \"element_bytes\": 4, \"extent\": [4, 4], \"dynamic\": "    \
    "false}]}"

static const struct {
    const char *from, *to;
} spoils[] = {
    {"\"none\"", "\"fine\""},
    {"\"none\"", "0"},
    {"3,", "-1,"},
    {"3,", "1e9,"},
    {"3,", "99999999,"},
    {"\"t\"", "7"},
    {"\"As\"", "\"A s\""},
    {"\"As\"", "\"\""},
    {"65536", "-65536"},
    {"64,", "99999999999,"},
    {"256", "1025"},
    {"256", "-1"},
    {"12,", "\"12\","},
    {"40", "256"},
    {"40", "-1"},
    {"[4, 4]", "[1,1,1,1,1]"},
    {"[4, 4]", "[-4]"},
    {"[4, 4]", "4"},
    {"false", "0"},
    {"\"line\": 3", "\"line\": 3, \"line\": 4"},
    {"\"shared\": [", "\"shared\": {}, \"x\": ["},
    {"}]}", "}]"},
};

START_TEST(report_that_cannot_be_one_is_refused) {
    char text[1024];
    const char *at = strstr(REPORT, spoils[_i].from);
    ck_assert_ptr_nonnull(at);
    (void)snprintf(text, sizeof text, "%.*s%s%s", (int)(at - REPORT), REPORT, spoils[_i].to,
                   at + strlen(spoils[_i].from));
    struct build_report report;
    struct error err = {.text = ""};
    ck_assert_msg(build_report_parse(text, strlen(text), &report, &err) == STATUS_SYSTEM, "%s",
                  text);
    ck_assert_ptr_nonnull(strstr(err.text, BUILD_REPORT));
}
END_TEST

START_TEST(report_is_read_as_written) {
    struct build_report report;
    struct build_report again;
    char path[PATH_BYTES_MAX];
    char *text = NULL;
    size_t bytes = 0;
    ck_assert_int_eq(build_report_parse(REPORT, strlen(REPORT), &report, NULL), STATUS_OK);
    ck_assert_int_eq(path_make(path, NULL, "%s/r.json", scratch), STATUS_OK);
    ck_assert_int_eq(build_report_write(path, &report, NULL), STATUS_OK);
    ck_assert_int_eq(file_read(path, 100000, &text, &bytes, NULL), STATUS_OK);
    ck_assert_int_eq(build_report_parse(text, bytes, &again, NULL), STATUS_OK);
    ck_assert_int_eq(again.line, 3);
    ck_assert_uint_eq(again.threads_max, 256);
    ck_assert_int_eq(again.bounds_line, 12);
    ck_assert_int_eq(again.registers, 40);
    ck_assert_str_eq(again.diagnostics, "d");
    ck_assert_int_eq(memcmp(&report.shared, &again.shared, sizeof again.shared), 0);
    free(text);
    build_report_done(&report);
    build_report_done(&again);
}
END_TEST

START_TEST(places_are_parsed_with_care) {
    struct build_place places[3] = {{9, 9}, {9, 9}, {9, 9}};
    build_locate_parse("12 5\n0 6\n7 1\n", 3, places);
    ck_assert(places[0].line == 12 && places[1].line == 0 && places[2].line == 7);
    ck_assert(places[0].column == 5 && places[1].column == 0 && places[2].column == 1);
    build_locate_parse("12 5\ngarbage 3 4\n", 3, places);
    ck_assert(places[0].line == 12 && places[1].line == 0 && places[2].line == 0);
    ck_assert(places[0].column == 5 && places[1].column == 0 && places[2].column == 0);
    build_locate_parse("", 3, places);
    ck_assert(places[0].line == 0 && places[1].line == 0 && places[2].line == 0);
}
END_TEST

START_TEST(failed_link_is_our_trouble) {
    int codes[BUILD_STEPS_MAX] = {0, 0, 0, 0, 0, 0, 1};
    char *outputs[BUILD_STEPS_MAX] = {"", "", "", "", "", "", "ld: cannot find -lm"};
    struct build_report report;
    struct error err = {.text = ""};
    ck_assert_int_eq(build_report_read(&(struct build_folder){scratch, "matmul_x", DEVICE_EMU},
                                       codes, outputs, 7, &report, &err),
                     STATUS_SYSTEM);
    ck_assert_str_eq(err.text, "build step 'link' failed with code 1: ld: cannot find -lm");
}
END_TEST

START_TEST(link_without_a_hook_needs_a_gpu) {
    int codes[BUILD_STEPS_MAX] = {0, 0, 0, 0, 0, 0, 1};
    char *outputs[BUILD_STEPS_MAX] = {
        "",
        "",
        "",
        "",
        "",
        "",
        "/usr/bin/ld: kernel.o: in function `matmul_x':\n"
        "/t/submission.cu:18: undefined reference to `emu_new_intrinsic'\n"};
    struct build_report report;
    ck_assert_int_eq(build_report_read(&(struct build_folder){scratch, "matmul_x", DEVICE_EMU},
                                       codes, outputs, 7, &report, NULL),
                     STATUS_OK);
    ck_assert_int_eq(report.fault, BUILD_FAULT_NEEDS_GPU);
    ck_assert_int_eq(report.line, 18);
    ck_assert_str_eq(plain(report.text),
                     "uses something that only a GPU can run (emu_new_intrinsic)");
    build_report_done(&report);
}
END_TEST

START_TEST(plan_of_the_gpu_and_its_worker) {
    static const struct device_paths paths = {.include = "/i", .programs = "/p"};
    struct build_plan plan;
    struct build_step step;
    struct error err;
    ck_assert_int_eq(build_plan_make(DEVICE_GPU, &paths, "matmul_x", "sm_90", &plan, &err),
                     STATUS_OK);
    ck_assert_int_eq(plan.step_count, 1);
    ck_assert_str_eq(plan.step[0].argument[1], BUILD_SOURCE);
    ck_assert_str_eq(plan.step[0].argument[2], "matmul_x");
    ck_assert_str_eq(plan.step[0].argument[3], "sm_90");
    ck_assert_str_eq(plan.step[0].argument[4], "kernel.cubin");
    ck_assert_str_eq(plan.step[0].argument[5], paths.include);
    ck_assert_ptr_null(plan.step[0].argument[6]);
    build_plan_done(&plan);
    step = build_worker_command(&(struct build_folder){"/s", "matmul_x", DEVICE_GPU}, &paths, 2);
    ck_assert_str_eq(step.argument[1], "/s/kernel.cubin");
    ck_assert_str_eq(step.argument[2], "matmul_x");
    ck_assert_str_eq(step.argument[3], "2");
    build_step_done(&step);
    step = build_worker_command(&(struct build_folder){"/s", "matmul_x", DEVICE_EMU}, &paths, 0);
    ck_assert_str_eq(step.argument[0], "/s/worker");
    ck_assert_ptr_null(step.argument[1]);
    build_step_done(&step);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("build_report");
    TCase *cases = tcase_create("build_report");
    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_loop_test(cases, report_that_cannot_be_one_is_refused, 0,
                        (int)(sizeof spoils / sizeof *spoils));
    tcase_add_test(cases, report_is_read_as_written);
    tcase_add_test(cases, places_are_parsed_with_care);
    tcase_add_test(cases, failed_link_is_our_trouble);
    tcase_add_test(cases, link_without_a_hook_needs_a_gpu);
    tcase_add_test(cases, plan_of_the_gpu_and_its_worker);
    suite_add_tcase(suite, cases);
    return suite;
}
