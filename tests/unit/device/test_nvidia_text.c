// What NVIDIA's tools print, read: outputs recorded on an H200 with CUDA 13.0 (Compute Sanitizer
// and Nsight Compute 2025.3), shortened; if nothing was recorded, the examples of the
// documentation.
#include <math.h>
#include <string.h>

#include "device/nvidia/ncu.h"
#include "device/nvidia/sanitizer.h"
#include "suite.h"  // last: Check has a macro called fail

#define FILE_NAME "submission.cu"

// --- compute-sanitizer ---------------------------------------------------------

static const char memcheck[] =
    "========= COMPUTE-SANITIZER\n"
    "========= Invalid __global__ read of size 4 bytes\n"
    "=========     at matmul_naive+0xa40 in submission.cu:12\n"
    "=========     by thread (4,0,0) in block (1,1,0)\n"
    "=========     Access to 0x7ff6b8801ac0 is out of bounds\n"
    "=========     and is 1 bytes after the nearest allocation at 0x7ff6b8801200 of size 2,240 "
    "bytes\n"
    "========= \n"
    "========= Invalid __global__ read of size 4 bytes\n"
    "=========     at matmul_naive+0xa40 in submission.cu:12\n"
    "=========     by thread (5,0,0) in block (1,1,0)\n"
    "=========     Access to 0x7ff6b8801ac4 is out of bounds\n"
    "========= \n"
    "========= Target application returned an error\n"
    "========= ERROR SUMMARY: 2 errors\n";

START_TEST(accesses_at_one_line_are_one_finding_with_a_count) {
    struct sanitizer_report report;
    sanitizer_parse(memcheck, FILE_NAME, &report);
    ck_assert(report.finished);
    ck_assert_int_eq(report.count, 1);
    const struct finding *finding = &report.finding[0];
    ck_assert_uint_eq(finding->kind, FINDING_OUT_OF_BOUNDS);
    ck_assert_uint_eq(finding->severity, SEVERITY_ERROR);
    ck_assert_uint_eq(finding->line, 12);
    ck_assert_uint_eq(finding->count, 2);
    ck_assert_uint_eq(finding->space, SPACE_GLOBAL);
    ck_assert_uint_eq(finding->access, ACCESS_READ);
    ck_assert_uint_eq(finding->access_bytes, 4);
    ck_assert_uint_eq(finding->thread[0], 4);
    ck_assert_uint_eq(finding->block[1], 1);
}
END_TEST

static const char misaligned[] =
    "========= COMPUTE-SANITIZER\n"
    "========= Invalid __global__ read of size 16 bytes\n"
    "=========     at load_four(const float *, int, int, int, int)+0x750 in submission.cu:14\n"
    "=========     by thread (0,14,0) in block (0,0,0)\n"
    "=========     Access to 0x7efc30801898 is misaligned\n"
    "=========     and is inside the nearest allocation at 0x7efc30801400 of size 2,436 bytes\n"
    "========= \n"
    "========= ERROR SUMMARY: 1 error\n";

START_TEST(a_wrong_alignment_is_no_access_outside) {
    struct sanitizer_report report;
    sanitizer_parse(misaligned, FILE_NAME, &report);
    ck_assert_int_eq(report.count, 1);
    ck_assert_uint_eq(report.finding[0].kind, FINDING_MISALIGNED);
    ck_assert_uint_eq(report.finding[0].line, 14);
    ck_assert_uint_eq(report.finding[0].access_bytes, 16);
}
END_TEST

static const char hazards[] =
    "========= COMPUTE-SANITIZER\n"
    "========= Warning: (Warp Level Programming) Potential WAR hazard detected at __shared__ 0x600 "
    "in block (0,1,0) :\n"
    "=========     Read Thread (15,8,0) at matmul_tiled+0x3e0 in submission.cu:25\n"
    "=========     Write Thread (0,8,0) at matmul_tiled+0x3a0 in submission.cu:19\n"
    "=========     Current Value : 0, Incoming Value : 0\n"
    "========= \n"
    "========= Error: Potential WAR hazard detected at __shared__ 0x100 in block (0,0,0) :\n"
    "=========     Read Thread (0,7,0) at matmul_tiled+0x3e0 in submission.cu:25\n"
    "=========     Write Thread (0,0,0) at matmul_tiled+0x3a0 in submission.cu:19\n"
    "=========     Current Value : 1, Incoming Value : 2\n"
    "========= \n"
    "========= RACECHECK SUMMARY: 2 hazards displayed (1 error, 1 warning)\n";

START_TEST(hazards_of_two_lines_are_one_race) {
    struct sanitizer_report report;
    sanitizer_parse(hazards, FILE_NAME, &report);
    ck_assert(report.finished);
    ck_assert_int_eq(report.count, 1);
    const struct finding *finding = &report.finding[0];
    ck_assert_uint_eq(finding->kind, FINDING_RACE);
    ck_assert_uint_eq(finding->severity, SEVERITY_ERROR);
    ck_assert_uint_eq(finding->line, 25);
    ck_assert_uint_eq(finding->access, ACCESS_READ);
    ck_assert_uint_eq(finding->other_line, 19);
    ck_assert_uint_eq(finding->other_access, ACCESS_WRITE);
    ck_assert_uint_eq(finding->space, SPACE_SHARED);
    ck_assert_uint_eq(finding->thread[0], 15);
    ck_assert_uint_eq(finding->other_thread[1], 8);
    ck_assert_uint_eq(finding->block[1], 1);
    ck_assert_uint_eq(finding->count, 2);
}
END_TEST

// The documentation's form of an analysis.
static const char analysis[] =
    "========= COMPUTE-SANITIZER\n"
    "========= Error: Race reported between Write access at sumKernel(int *, int *)+0x90 in "
    "/home/user/submission.cu:41\n"
    "=========     and Read access at sumKernel(int *, int *)+0x100 in "
    "/home/user/submission.cu:51 [508 hazards]\n"
    "=========\n"
    "========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)\n";

START_TEST(an_analysis_names_both_lines_and_counts_hazards) {
    struct sanitizer_report report;
    sanitizer_parse(analysis, FILE_NAME, &report);
    ck_assert_int_eq(report.count, 1);
    ck_assert_uint_eq(report.finding[0].line, 41);
    ck_assert_uint_eq(report.finding[0].access, ACCESS_WRITE);
    ck_assert_uint_eq(report.finding[0].other_line, 51);
    ck_assert_uint_eq(report.finding[0].other_access, ACCESS_READ);
    ck_assert_uint_eq(report.finding[0].count, 508);
}
END_TEST

// The documentation's forms.
static const char others[] = "========= COMPUTE-SANITIZER\n"
                             "========= Uninitialized __global__ memory read of size 4 bytes\n"
                             "=========     at vectorAdd(int *)+0x70 in submission.cu:41\n"
                             "=========     by thread (31,0,0) in block (1,0,0)\n"
                             "=========     Address 0x7f2b60c00000\n"
                             "=========\n"
                             "========= Barrier error detected. Divergent thread(s) in block.\n"
                             "=========     at barrier(int)+0xb0 in submission.cu:60\n"
                             "=========     by thread (0,0,0) in block (2,0,0)\n"
                             "=========\n"
                             "========= ERROR SUMMARY: 2 errors\n";

START_TEST(reads_before_writes_and_barriers_are_findings_too) {
    struct sanitizer_report report;
    sanitizer_parse(others, FILE_NAME, &report);
    ck_assert_int_eq(report.count, 2);
    ck_assert_uint_eq(report.finding[0].kind, FINDING_UNINITIALIZED);
    ck_assert_uint_eq(report.finding[0].line, 41);
    ck_assert_uint_eq(report.finding[0].thread[0], 31);
    ck_assert_uint_eq(report.finding[1].kind, FINDING_BARRIER_DIVERGENCE);
    ck_assert_uint_eq(report.finding[1].line, 60);
    ck_assert_uint_eq(report.finding[1].block[0], 2);
}
END_TEST

START_TEST(a_clean_run_has_a_summary_and_nothing_else) {
    struct sanitizer_report report;
    sanitizer_parse("========= COMPUTE-SANITIZER\n{\"ms\": 0.1}\n"
                    "========= ERROR SUMMARY: 0 errors\n",
                    FILE_NAME, &report);
    ck_assert(report.finished);
    ck_assert_int_eq(report.count, 0);
}
END_TEST

START_TEST(a_tool_that_did_not_work_is_no_clean_run) {
    struct sanitizer_report report;
    sanitizer_parse("========= COMPUTE-SANITIZER\n========= Error launching target app.\n",
                    FILE_NAME, &report);
    ck_assert(!report.finished);
    sanitizer_parse("", FILE_NAME, &report);
    ck_assert(!report.finished);
}
END_TEST

// A kernel can print anything, and a file with another name is not the student's.
START_TEST(lines_of_the_kernel_and_of_other_files_say_nothing) {
    struct sanitizer_report report;
    sanitizer_parse("Invalid __global__ read of size 4 bytes\n"
                    "    at matmul_naive+0xa40 in submission.cu:12\n"
                    "========= Invalid __global__ read of size 4 bytes\n"
                    "=========     at matmul_naive+0xa40 in other_submission.cu:12\n"
                    "=========     by thread (4,0,0) in block (1,1,0)\n"
                    "========= \n",
                    FILE_NAME, &report);
    ck_assert_int_eq(report.count, 0);
}
END_TEST

START_TEST(more_lines_than_there_is_room_for_are_cut) {
    char text[20000] = "";
    size_t used = 0;
    for (int i = 1; i <= 2 * SANITIZER_FINDINGS_MAX; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "========= Invalid __shared__ write of size 4 bytes\n"
                                 "=========     at matmul+0x1 in submission.cu:%d\n========= \n",
                                 i);
    }
    struct sanitizer_report report;
    sanitizer_parse(text, FILE_NAME, &report);
    ck_assert_int_eq(report.count, SANITIZER_FINDINGS_MAX);
}
END_TEST

// --- ncu -----------------------------------------------------------------------

static const char ncu[] =
    "==WARNING== Note: Running with unmodified GPU clocks.\n"
    "==PROF== Connected to process 1232 (tilegrade-gpu-once)\n"
    "{\"grid\": [128, 128, 1], \"ms\": 1453.000977}\n"
    "==PROF== Disconnected from process 1232\n"
    "\"ID\",\"Kernel Name\",\"Block "
    "Size\",\"gpu__time_duration.sum\",\"sectors.sum\",\"rate.pct\"\n"
    "\"\",\"\",\"\",\"ns\",\"sector\",\"%\"\n"
    "\"0\",\"matmul_\"\"naive\"\"\",\"(32, 32, 1)\",\"22,415,616\",\"4,294,967,296\",\"61.37\"\n";

START_TEST(metrics_are_read_by_name_with_commas_between_thousands) {
    static const char *const names[] = {"sectors.sum", "rate.pct", "not.there", "Kernel Name"};
    double values[4];
    ck_assert_int_eq(ncu_parse(ncu, names, 4, values), NCU_FINE);
    ck_assert(values[0] == 4294967296.0);
    ck_assert(values[1] == 61.37);
    ck_assert(isnan(values[2]));
    ck_assert(isnan(values[3]));
}
END_TEST

// A product of two launches, after the LAUNCH_CONFIG that lists them.
START_TEST(launches_of_a_product_are_added_up) {
    static const char text[] =
        "\"ID\",\"Kernel Name\",\"a.sum\",\"b.sum\"\n\"\",\"\",\"\",\"\"\n"
        "\"0\",\"matmul_x_launch_config(int)\",\"7\",\"7\"\n"
        "\"1\",\"sum_parts(int)\",\"1,000\",\"n/a\"\n\"2\",\"add_parts(int)\",\"34\",\"1\"\n";
    static const char *const names[] = {"a.sum", "b.sum"};
    double values[2];
    ck_assert_int_eq(ncu_parse(text, names, 2, values), NCU_FINE);
    ck_assert(values[0] == 1034.0);
    ck_assert(isnan(values[1]));
}
END_TEST

START_TEST(a_lack_of_permission_is_told_from_other_trouble) {
    static const char *const names[] = {"sectors.sum"};
    double values[1];
    ck_assert_int_eq(ncu_parse("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to "
                               "access NVIDIA GPU Performance Counters\n",
                               names, 1, values),
                     NCU_NO_PERMISSION);
    ck_assert_int_eq(ncu_parse("==ERROR== Failed to initialize the profiler\n", names, 1, values),
                     NCU_NO_TABLE);
    ck_assert_int_eq(ncu_parse("\"ID\",\"a\"\n\"\",\"\"\n", names, 1, values), NCU_NO_TABLE);
    ck_assert_int_eq(ncu_parse("", names, 1, values), NCU_NO_TABLE);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("nvidia_text");
    TCase *tests = tcase_create("text");
    tcase_add_test(tests, accesses_at_one_line_are_one_finding_with_a_count);
    tcase_add_test(tests, a_wrong_alignment_is_no_access_outside);
    tcase_add_test(tests, hazards_of_two_lines_are_one_race);
    tcase_add_test(tests, an_analysis_names_both_lines_and_counts_hazards);
    tcase_add_test(tests, reads_before_writes_and_barriers_are_findings_too);
    tcase_add_test(tests, a_clean_run_has_a_summary_and_nothing_else);
    tcase_add_test(tests, a_tool_that_did_not_work_is_no_clean_run);
    tcase_add_test(tests, lines_of_the_kernel_and_of_other_files_say_nothing);
    tcase_add_test(tests, more_lines_than_there_is_room_for_are_cut);
    tcase_add_test(tests, metrics_are_read_by_name_with_commas_between_thousands);
    tcase_add_test(tests, launches_of_a_product_are_added_up);
    tcase_add_test(tests, a_lack_of_permission_is_told_from_other_trouble);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
