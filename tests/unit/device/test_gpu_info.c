// The description of the GPUs, read by the judge from another process, and the driver's words for
// faults.
#include <stdlib.h>
#include <string.h>

#include "device/gpu/gpu_info.h"
#include "device/gpu/launch.h"
#include "suite.h"  // last: Check has a macro called fail

#define GPU                                                                                        \
    "{\"index\": 0, \"name\": \"NVIDIA H200\", \"uuid\": \"GPU-1\", \"architecture\": \"sm_90\", " \
    "\"multiprocessors\": 132, \"clock_khz\": 1980000, \"memory_bytes\": 150754820096, "           \
    "\"l2_bytes\": 62914560, \"pageable_memory_access\": true}"
#define REST                                                                                       \
    "\"driver_version\": 13000, \"driver_reason\": \"\", \"nvrtc_major\": 13, \"nvrtc_minor\": "   \
    "0, "                                                                                          \
    "\"nvrtc_path\": \"/x/libnvrtc.so.13\", \"nvrtc_reason\": \"\", \"toolkit_headers\": true"

static struct gpu_info info;
static struct error err;

START_TEST(a_gpu_is_read_with_all_its_fields) {
    ck_assert_int_eq(gpu_info_parse("{" REST ", \"gpus\": [" GPU "]}", &info, &err), STATUS_OK);
    ck_assert_int_eq(info.driver_version, 13000);
    ck_assert_int_eq(info.nvrtc_major, 13);
    ck_assert_str_eq(info.nvrtc_path, "/x/libnvrtc.so.13");
    ck_assert(info.toolkit_headers);
    ck_assert_int_eq(info.gpu_count, 1);
    ck_assert_str_eq(info.gpus[0].name, "NVIDIA H200");
    ck_assert_str_eq(info.gpus[0].uuid, "GPU-1");
    ck_assert_str_eq(info.gpus[0].architecture, "sm_90");
    ck_assert_int_eq(info.gpus[0].multiprocessors, 132);
    ck_assert_int_eq(info.gpus[0].clock_khz, 1980000);
    ck_assert_int_eq(info.gpus[0].memory_bytes, 150754820096);
    ck_assert_int_eq(info.gpus[0].l2_bytes, 62914560);
    ck_assert(info.gpus[0].pageable_memory_access);
}
END_TEST

START_TEST(no_gpu_is_an_ordinary_answer) {
    ck_assert_int_eq(gpu_info_parse("{" REST ", \"gpus\": []}", &info, &err), STATUS_OK);
    ck_assert_int_eq(info.gpu_count, 0);
}
END_TEST

// Replaces the first `from` of the good text by `to`.
static enum status parse_changed(const char *from, const char *to) {
    static const char good[] = "{" REST ", \"gpus\": [" GPU "]}";
    static char text[2 * sizeof good];
    const char *at = strstr(good, from);
    ck_assert_ptr_nonnull(at);
    (void)snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, to, at + strlen(from));
    return gpu_info_parse(text, &info, &err);
}

START_TEST(what_the_probe_does_not_write_is_refused) {
    info.gpu_count = 77;
    ck_assert_int_eq(gpu_info_parse("", &info, &err), STATUS_SYSTEM);
    ck_assert_int_eq(gpu_info_parse("[]", &info, &err), STATUS_SYSTEM);
    ck_assert_int_eq(gpu_info_parse("{}", &info, &err), STATUS_SYSTEM);
    ck_assert_int_eq(parse_changed("\"gpus\": [", "\"gpus\": [3, "), STATUS_SYSTEM);
    ck_assert_int_eq(parse_changed("13000", "\"13000\""), STATUS_SYSTEM);
    ck_assert_int_eq(parse_changed("sm_90", "sm_90 -I/etc"), STATUS_SYSTEM);
    ck_assert_int_eq(parse_changed("sm_90", "sm_"), STATUS_SYSTEM);
    ck_assert_int_eq(parse_changed("\"index\": 0", "\"index\": -1"), STATUS_SYSTEM);
    ck_assert_int_eq(parse_changed("132", "1e9"), STATUS_SYSTEM);
    ck_assert_int_eq(
        parse_changed("GPU-1", "GPU-0123456789012345678901234567890123456789012345678"),
        STATUS_SYSTEM);
    ck_assert_int_eq(info.gpu_count, 77);  // untouched
    ck_assert_int_eq(parse_changed("sm_90", "sm_120"), STATUS_OK);
}
END_TEST

START_TEST(more_gpus_than_there_is_room_for_are_refused) {
    static char text[32 << 10] = "{" REST ", \"gpus\": [" GPU;
    for (int i = 1; i < GPUS_MAX; i++) {
        (void)strncat(text, "," GPU, sizeof text - strlen(text) - 1);
    }
    size_t length = strlen(text);
    (void)strncat(text, "]}", sizeof text - length - 1);
    ck_assert_int_eq(gpu_info_parse(text, &info, &err), STATUS_OK);
    ck_assert_int_eq(info.gpu_count, GPUS_MAX);
    text[length] = '\0';
    (void)strncat(text, "," GPU "]}", sizeof text - length - 1);
    ck_assert_int_eq(gpu_info_parse(text, &info, &err), STATUS_SYSTEM);
}
END_TEST

// This also holds on a machine with neither driver nor NVRTC.
START_TEST(the_probe_writes_what_the_judge_reads) {
    char *text = NULL;
    ck_assert_int_eq(gpu_info_probe(&text, &err), STATUS_OK);
    ck_assert_msg(gpu_info_parse(text, &info, &err) == STATUS_OK, "%s", text);
    ck_assert_int_eq(info.gpu_count == 0, info.driver_reason[0] != '\0');
    ck_assert_int_eq(info.nvrtc_major == 0, info.nvrtc_reason[0] != '\0');
    free(text);
}
END_TEST

static const struct {
    cuda_result result;
    enum run_end end;
    enum finding_kind kind;
    uint32_t detail;
} faults[] = {
    {CUDA_RESULT_ILLEGAL_ADDRESS, RUN_CRASHED, FINDING_OUT_OF_BOUNDS, 0},
    {CUDA_RESULT_MISALIGNED_ADDRESS, RUN_CRASHED, FINDING_MISALIGNED, 0},
    {CUDA_RESULT_ASSERT, RUN_CRASHED, FINDING_CRASH, CRASH_ASSERT},
    {CUDA_RESULT_HARDWARE_STACK_ERROR, RUN_CRASHED, FINDING_CRASH, CRASH_STACK_OVERFLOW},
    {CUDA_RESULT_ILLEGAL_INSTRUCTION, RUN_CRASHED, FINDING_CRASH, CRASH_TRAP},
    {CUDA_RESULT_LAUNCH_FAILED, RUN_CRASHED, FINDING_CRASH, CRASH_SIGNAL},
    {CUDA_RESULT_LAUNCH_TIMEOUT, RUN_STOPPED, FINDING_TIME_LIMIT, 0},
};

START_TEST(each_fault_of_a_kernel_is_an_answer_that_the_judge_accepts) {
    struct request request = {.magic = PROTOCOL_MAGIC, .kind = REQUEST_LAUNCH};
    struct answer answer = {.magic = PROTOCOL_MAGIC, .kind = REQUEST_LAUNCH};
    ck_assert(gpu_fault_answer(faults[_i].result, "CUDA_ERROR_X", "a sentence", &answer));
    ck_assert_int_eq(answer.end, faults[_i].end);
    ck_assert_int_eq(answer.findings.count, 1);
    ck_assert_int_eq(answer.findings.list[0].kind, faults[_i].kind);
    ck_assert_int_eq(answer.findings.list[0].detail, faults[_i].detail);
    ck_assert_int_eq(answer.findings.list[0].severity, SEVERITY_ERROR);
    ck_assert_str_eq(answer.text, "a sentence (CUDA_ERROR_X)");
    ck_assert(answer_check(&request, &answer, ANSWER_HEAD_BYTES));
}
END_TEST

START_TEST(a_lost_gpu_is_no_fault_of_a_kernel) {
    static const cuda_result ours[] = {1, 2, 46, 100, 214, 220, 700 + 9, 999};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
        struct answer answer = {.end = RUN_FINISHED};
        ck_assert(!gpu_fault_answer(ours[i], "n", "s", &answer));
        ck_assert_int_eq(answer.end, RUN_FINISHED);
        ck_assert_int_eq(answer.findings.count, 0);
    }
}
END_TEST

START_TEST(a_launch_that_outlasts_its_limit_is_stopped) {
    struct request request = {.magic = PROTOCOL_MAGIC, .kind = REQUEST_LAUNCH};
    struct answer answer = {.magic = PROTOCOL_MAGIC, .kind = REQUEST_LAUNCH};
    gpu_late_answer(500, &answer);
    ck_assert_int_eq(answer.end, RUN_STOPPED);
    ck_assert_int_eq(answer.findings.list[0].kind, FINDING_TIME_LIMIT);
    ck_assert_str_eq(answer.text, "the kernel still ran after 500 ms");
    ck_assert(answer_check(&request, &answer, ANSWER_HEAD_BYTES));
}
END_TEST

SUITE() {
    Suite *suite = suite_create("gpu_info");
    TCase *tests = tcase_create("gpu_info");
    tcase_add_test(tests, a_gpu_is_read_with_all_its_fields);
    tcase_add_test(tests, no_gpu_is_an_ordinary_answer);
    tcase_add_test(tests, what_the_probe_does_not_write_is_refused);
    tcase_add_test(tests, more_gpus_than_there_is_room_for_are_refused);
    tcase_add_test(tests, the_probe_writes_what_the_judge_reads);
    tcase_add_loop_test(tests, each_fault_of_a_kernel_is_an_answer_that_the_judge_accepts, 0,
                        (int)(sizeof faults / sizeof *faults));
    tcase_add_test(tests, a_lost_gpu_is_no_fault_of_a_kernel);
    tcase_add_test(tests, a_launch_that_outlasts_its_limit_is_stopped);
    suite_add_tcase(suite, tests);
    return suite;
}
