// Answers of a worker: a good one is accepted, and each field that can be wrong is noticed.
#include <string.h>

#include "device/channel/protocol.h"
#include "product_arguments.h"
#include "suite.h"

// A request for 4x5x6 and an answer with one finding, both fine.
static void good_make(struct request *request, struct answer *answer) {
    memset(request, 0, sizeof *request);
    request->magic = PROTOCOL_MAGIC;
    request->kind = REQUEST_LAUNCH;
    request->nonce = 42;
    request->size = (struct size){4, 5, 6};
    request->arguments = product_arguments(4, 5, 6);
    request->flags = REQUEST_CHECK;
    request->shared.count = 2;
    memset(answer, 0, sizeof *answer);
    answer->magic = PROTOCOL_MAGIC;
    answer->kind = REQUEST_LAUNCH;
    answer->nonce = 42;
    answer->end = RUN_FINISHED;
    for (int i = 0; i < 3; i++) {
        answer->grid[i] = 2;
        answer->block[i] = 8;
    }
    answer->shared_bytes = 1024;
    answer->findings.count = 1;
    answer->findings.list[0] = (struct finding){.kind = FINDING_RACE,
                                                .severity = SEVERITY_ERROR,
                                                .flags = FINDING_SAME_WARP,
                                                .count = 3,
                                                .space = SPACE_SHARED,
                                                .array = 1,
                                                .offset = -4,
                                                .access = ACCESS_WRITE,
                                                .other_access = ACCESS_READ,
                                                .access_bytes = 4,
                                                .block = {1, 1, 1},
                                                .thread = {7, 7, 7}};
}

START_TEST(good_answer_is_taken) {
    struct request request;
    struct answer answer;
    good_make(&request, &answer);
    ck_assert(answer_check(&request, &answer, ANSWER_HEAD_BYTES));
}
END_TEST

START_TEST(a_trace_is_sent_where_it_was_asked_for_and_checked) {
    struct request request;
    struct answer answer;
    good_make(&request, &answer);
    ck_assert(!answer_check(&request, &answer, sizeof answer));
    request.flags = REQUEST_TRACE;
    memset(&answer.coverage, 0, sizeof answer.coverage);
    ck_assert(!answer_check(&request, &answer, ANSWER_HEAD_BYTES));
    ck_assert(answer_check(&request, &answer, sizeof answer));
    answer.trace.count = TRACE_BOXES_MAX + 1;
    ck_assert(!answer_check(&request, &answer, sizeof answer));
}
END_TEST

START_TEST(wrong_length_is_refused) {
    struct request request;
    struct answer answer;
    good_make(&request, &answer);
    ck_assert(!answer_check(&request, &answer, ANSWER_HEAD_BYTES - 1));
    ck_assert(!answer_check(&request, &answer, ANSWER_HEAD_BYTES + 1));
    ck_assert(!answer_check(&request, &answer, 0));
}
END_TEST

// Element [2][5] of A was not read; row 3 of C was not written.
static const struct coverage_gap one_missing = {.missing = 1, .first = {2, 5}, .last = {2, 5}};
static const struct coverage_gap last_row_missing = {
    .missing = 5, .first = {3, 0}, .last = {3, 4}, .row_count = 1, .rows = {3, 3}};

// Each case spoils one field of a good answer.
#define SPOILS(X)                                                                                  \
    X("magic", answer.magic++)                                                                     \
    X("kind", answer.kind = REQUEST_SETUP)                                                         \
    X("nonce", answer.nonce++)                                                                     \
    X("end", answer.end = RUN_END_COUNT)                                                           \
    X("bad_launch", answer.bad_launch = BAD_LAUNCH_COUNT)                                          \
    X("bad_launch of a launch that finished", answer.bad_launch = BAD_LAUNCH_GRID_ZERO)            \
    X("bad launch without a reason", answer.end = RUN_BAD_LAUNCH)                                  \
    X("finished with no block", answer.grid[2] = 0)                                                \
    X("finished with 1025 threads", answer.block[0] = 1025)                                        \
    X("finished with too much shared memory", answer.shared_bytes = SHARED_OPTIN_MAX + 1)          \
    X("more processes than asked for", answer.processes = 2)                                       \
    X("inputs_changed: C is no input", answer.timed.inputs_changed = 4)                            \
    X("timed.cublas_version", answer.timed.cublas_version = 10000000)                              \
    X("an unknown part of the GPU's state", answer.timed.state.known = 16)                         \
    X("guard_damaged", answer.guard_damaged = 1u << GLOBAL_ARRAY_COUNT)                            \
    X("hands_over", answer.hands_over = 2)                                                         \
    X("five launches", answer.launch_count = PLAN_LAUNCHES_MAX + 1)                                \
    X("a launch behind the last", (answer.launch_count = 2, answer.launch = 2))                    \
    X("finished with too much workspace", answer.workspace_bytes = WORKSPACE_BYTES_MAX + 1)        \
    X("finding.block of no launch",                                                                \
      (answer.other_grid[2] = 5, answer.findings.list[0].block[2] = 5))                            \
    X("finding.thread of no launch",                                                               \
      (answer.other_block[0] = 9, answer.findings.list[0].thread[0] = 9))                          \
    X("elapsed_ns", answer.elapsed_ns = ~0ull)                                                     \
    X("first count", answer.counts.global_load_requests = ~0ull)                                   \
    X("last count", answer.counts.threads = 1ull << 62)                                            \
    X("text without an end", memset(answer.text, 'x', sizeof answer.text))                         \
    X("findings.count", answer.findings.count = FINDINGS_MAX + 1)                                  \
    X("finding.kind", answer.findings.list[0].kind = FINDING_KIND_COUNT)                           \
    X("finding of host code", answer.findings.list[0].kind = FINDING_HOST)                         \
    X("finding of host code with a name that is none",                                             \
      (request.flags |= REQUEST_HOST, answer.findings.list[0].of_program.name[0] = '-'))           \
    X("finding.severity", answer.findings.list[0].severity = SEVERITY_COUNT)                       \
    X("finding.flags", answer.findings.list[0].flags = 1u << 31)                                   \
    X("finding.count 0", answer.findings.list[0].count = 0)                                        \
    X("finding.count", answer.findings.list[0].count = ~0ull)                                      \
    X("finding.space", answer.findings.list[0].space = SPACE_COUNT)                                \
    X("finding.array past the table", answer.findings.list[0].array = 2)                           \
    X("finding.array of global memory", (answer.findings.list[0].space = SPACE_GLOBAL,             \
                                         answer.findings.list[0].array = GLOBAL_ARRAY_COUNT))      \
    X("finding.array of no memory", answer.findings.list[0].space = SPACE_NONE)                    \
    X("finding.access", answer.findings.list[0].access = ACCESS_KIND_COUNT)                        \
    X("finding.other_access", answer.findings.list[0].other_access = ACCESS_KIND_COUNT)            \
    X("finding.access_bytes 3", answer.findings.list[0].access_bytes = 3)                          \
    X("finding.access_bytes 2048", answer.findings.list[0].access_bytes = 2048)                    \
    X("finding.count_waiting", answer.findings.list[0].count_waiting = THREADS_MAX + 1)            \
    X("finding.count_absent", answer.findings.list[0].count_absent = THREADS_MAX + 1)              \
    X("finding.count_other", answer.findings.list[0].count_other = THREADS_MAX + 1)                \
    X("finding.other_array",                                                                       \
      (answer.findings.list[0].count_other = 1, answer.findings.list[0].other_array = 2))          \
    X("finding.init_number",                                                                       \
      (answer.findings.list[0].inits = 2, answer.findings.list[0].init_number = 2))                \
    X("finding.absent_other", answer.findings.list[0].absent_other = THREADS_MAX + 1)              \
    X("finding.block", answer.findings.list[0].block[2] = 2)                                       \
    X("finding.other_block", answer.findings.list[0].other_block[0] = 2)                           \
    X("finding.thread", answer.findings.list[0].thread[0] = 8)                                     \
    X("finding.other_thread", answer.findings.list[0].other_thread[1] = 8)                         \
    X("coverage without checks", (request.flags = 0, answer.coverage.gap[0] = one_missing))        \
    X("coverage of a launch that stopped",                                                         \
      (answer.end = RUN_STOPPED, answer.coverage.gap[0] = one_missing))                            \
    X("a box of nothing", answer.coverage.gap[0].last[0] = 1)                                      \
    X("coverage: row 4 of 4",                                                                      \
      (answer.coverage.gap[0] = one_missing, answer.coverage.gap[0].last[0] = 4))                  \
    X("coverage: column 6 of 6",                                                                   \
      (answer.coverage.gap[0] = one_missing, answer.coverage.gap[0].last[1] = 6))                  \
    X("coverage: last before first",                                                               \
      (answer.coverage.gap[0] = one_missing, answer.coverage.gap[0].first[0] = 3))                 \
    X("coverage: more than the box",                                                               \
      (answer.coverage.gap[0] = one_missing, answer.coverage.gap[0].missing = 2))                  \
    X("coverage: a whole row of which one element is missing",                                     \
      (answer.coverage.gap[0] = one_missing, answer.coverage.gap[0].row_count = 1))                \
    X("coverage: more rows than between first and last",                                           \
      (answer.coverage.gap[2] = last_row_missing, answer.coverage.gap[2].missing = 20,             \
       answer.coverage.gap[2].first[0] = 0, answer.coverage.gap[2].row_count = 2))                 \
    X("coverage: column 5 of 5 of C",                                                              \
      (answer.coverage.gap[2] = last_row_missing, answer.coverage.gap[2].column_count = 1,         \
       answer.coverage.gap[2].columns[0] = 5, answer.coverage.gap[2].columns[1] = 5))              \
    X("crash cause", (answer.findings.list[0].kind = FINDING_CRASH,                                \
                      answer.findings.list[0].detail = CRASH_CAUSE_COUNT))

START_TEST(each_spoiled_field_is_refused) {
    struct request request;
    struct answer answer;
#define SPOIL(name, change)                                                                        \
    good_make(&request, &answer);                                                                  \
    (void)(change);                                                                                \
    ck_assert_msg(!answer_check(&request, &answer, ANSWER_HEAD_BYTES), "%s was taken", name);
    SPOILS(SPOIL)
#undef SPOIL
}
END_TEST

// Near misses: values just inside each limit.
#define ALLOWED(X)                                                                                 \
    X("the last mbarrier of two",                                                                  \
      (answer.findings.list[0].inits = 2, answer.findings.list[0].init_number = 1,                 \
       answer.findings.list[0].count_other = 1, answer.findings.list[0].other_array = 1))          \
    X("no array", answer.findings.list[0].array = ARRAY_NONE)                                      \
    X("C",                                                                                         \
      (answer.findings.list[0].space = SPACE_GLOBAL, answer.findings.list[0].array = ARRAY_C))     \
    X("host code that was asked for",                                                              \
      (request.flags |= REQUEST_HOST, answer.findings.list[0].kind = FINDING_HOST,                 \
       answer.findings.list[0].of_program.name[0] = 'd'))                                          \
    X("full list", answer.findings.count = 1)                                                      \
    X("stopped with an empty grid", (answer.end = RUN_STOPPED, answer.findings.count = 0,          \
                                     memset(answer.grid, 0, sizeof answer.grid)))                  \
    X("bad launch with its reason",                                                                \
      (answer.end = RUN_BAD_LAUNCH, answer.bad_launch = BAD_LAUNCH_BLOCK_ZERO))                    \
    X("text that is full", memset(answer.text, 'x', sizeof answer.text - 1))                       \
    X("all guards", answer.guard_damaged = 15)                                                     \
    X("blocks that hand values over", answer.hands_over = 1)                                       \
    X("all launches", (answer.launch_count = PLAN_LAUNCHES_MAX, answer.launch = 3))                \
    X("all of the workspace", answer.workspace_bytes = WORKSPACE_BYTES_MAX)                        \
    X("a block of another launch",                                                                 \
      (answer.other_grid[2] = 6, answer.findings.list[0].block[2] = 5))                            \
    X("a thread of another launch",                                                                \
      (answer.other_block[0] = 10, answer.findings.list[0].thread[0] = 9))                         \
    X("the workspace", (answer.findings.list[0].space = SPACE_GLOBAL,                              \
                        answer.findings.list[0].array = ARRAY_WORKSPACE))                          \
    X("an element not read", answer.coverage.gap[0] = one_missing)                                 \
    X("a row not written", answer.coverage.gap[2] = last_row_missing)                              \
    X("all processes", request.processes = answer.processes = 4)                                   \
    X("16 bytes", answer.findings.list[0].access_bytes = 16)                                       \
    X("1024 bytes", answer.findings.list[0].access_bytes = 1024)                                   \
    X("all of the shared memory", answer.shared_bytes = SHARED_OPTIN_MAX)

START_TEST(near_misses_are_taken) {
    struct request request;
    struct answer answer;
#define ALLOW(name, change)                                                                        \
    good_make(&request, &answer);                                                                  \
    (void)(change);                                                                                \
    ck_assert_msg(answer_check(&request, &answer, ANSWER_HEAD_BYTES), "%s was refused", name);
    ALLOWED(ALLOW)
#undef ALLOW
}
END_TEST

START_TEST(requests_are_checked_too) {
    struct request request;
    struct answer answer;
    good_make(&request, &answer);
    ck_assert(request_check(&request, REQUEST_HEAD_BYTES));
    ck_assert(!request_check(&request, sizeof request));
    ck_assert(!request_check(&request, 4));
    request.size.m = 0;
    ck_assert(!request_check(&request, REQUEST_HEAD_BYTES));
    request.size.m = SIZE_DIMENSION_MAX + 1;
    ck_assert(!request_check(&request, REQUEST_HEAD_BYTES));
    request.size.m = SIZE_DIMENSION_MAX;
    ck_assert(request_check(&request, REQUEST_HEAD_BYTES));
    request.processes = LAUNCH_SHARES_MAX;
    ck_assert(request_check(&request, REQUEST_HEAD_BYTES));
    request.processes = LAUNCH_SHARES_MAX + 1;
    ck_assert(!request_check(&request, REQUEST_HEAD_BYTES));
    request.processes = 1;
    request.threads_max = THREADS_MAX + 1;
    ck_assert(!request_check(&request, REQUEST_HEAD_BYTES));
    request.threads_max = THREADS_MAX;
    request.timed.batch = 1;  // only for timed launches
    ck_assert(!request_check(&request, REQUEST_HEAD_BYTES));
    request.kind = REQUEST_GO;
    ck_assert(request_check(&request, REQUEST_HEAD_BYTES));
    request.timed.by = TIMED_BY_COUNT;
    ck_assert(!request_check(&request, REQUEST_HEAD_BYTES));
    request.timed.by = TIMED_BY_CUBLAS_FP16;
    ck_assert(request_check(&request, REQUEST_HEAD_BYTES));
    request.timed.inputs = TIMED_INPUTS_COUNT;
    ck_assert(!request_check(&request, REQUEST_HEAD_BYTES));
    request.timed.inputs = TIMED_REAL;
    ck_assert(request_check(&request, REQUEST_HEAD_BYTES));
    request.timed.batch = TIMED_BATCH_MAX + 1;
    ck_assert(!request_check(&request, REQUEST_HEAD_BYTES));
    request.timed = (struct timed_request){.batch = 0};
    ck_assert(!request_check(&request, REQUEST_HEAD_BYTES));
    request.kind = REQUEST_LAUNCH;
    request.flags = 1u << 20;
    ck_assert(!request_check(&request, REQUEST_HEAD_BYTES));
    request.kind = REQUEST_SETUP;
    ck_assert(request_check(&request, sizeof request));
    request.shared.count = SHARED_ARRAYS_MAX + 1;
    ck_assert(!request_check(&request, sizeof request));
}
END_TEST

static const struct {
    uint32_t grid[3], block[3];
    uint64_t shared_bytes, static_bytes;
    enum bad_launch reason;
    uint32_t threads_max;  // of __launch_bounds__
} launches[] = {
    {{1, 1, 1}, {1, 1, 1}, 0, 0, BAD_LAUNCH_NONE, 0},
    {{2147483647, 65535, 65535}, {16, 1, 64}, 0, 0, BAD_LAUNCH_NONE, 0},
    {{1, 1, 1}, {1024, 1, 1}, 49152, 0, BAD_LAUNCH_NONE, 0},
    {{1, 1, 1}, {32, 32, 1}, 1024, 48128, BAD_LAUNCH_NONE, 0},
    {{1, 1, 1}, {0, 1, 1}, 0, 0, BAD_LAUNCH_BLOCK_ZERO, 0},
    {{1, 1, 1}, {16, 16, 0}, 0, 0, BAD_LAUNCH_BLOCK_ZERO, 0},
    {{1, 1, 1}, {33, 32, 1}, 0, 0, BAD_LAUNCH_BLOCK_TOO_LARGE, 0},
    {{1, 1, 1}, {1025, 1, 1}, 0, 0, BAD_LAUNCH_BLOCK_TOO_LARGE, 0},
    {{1, 1, 1}, {1u << 31, 1u << 31, 1u << 31}, 0, 0, BAD_LAUNCH_BLOCK_TOO_LARGE, 0},
    {{1, 1, 1}, {0xffffffff, 0xffffffff, 0xffffffff}, 0, 0, BAD_LAUNCH_BLOCK_TOO_LARGE, 0},
    {{1, 1, 1}, {1, 1, 65}, 0, 0, BAD_LAUNCH_BLOCK_DIMENSION, 0},
    {{0, 1, 1}, {1, 1, 1}, 0, 0, BAD_LAUNCH_GRID_ZERO, 0},
    {{1, 1, 0}, {1, 1, 1}, 0, 0, BAD_LAUNCH_GRID_ZERO, 0},
    {{2147483648u, 1, 1}, {1, 1, 1}, 0, 0, BAD_LAUNCH_GRID_TOO_LARGE, 0},
    {{1, 65536, 1}, {1, 1, 1}, 0, 0, BAD_LAUNCH_GRID_TOO_LARGE, 0},
    {{1, 1, 65536}, {1, 1, 1}, 0, 0, BAD_LAUNCH_GRID_TOO_LARGE, 0},
    {{1, 1, 1}, {1, 1, 1}, 232448, 0, BAD_LAUNCH_NONE, 0},
    {{1, 1, 1}, {1, 1, 1}, 183296, 49152, BAD_LAUNCH_NONE, 0},
    {{1, 1, 1}, {1, 1, 1}, 232449, 0, BAD_LAUNCH_SHARED, 0},
    {{1, 1, 1}, {1, 1, 1}, 183297, 49152, BAD_LAUNCH_SHARED, 0},
    {{1, 1, 1}, {1, 1, 1}, 0, 49153, BAD_LAUNCH_SHARED, 0},
    {{1, 1, 1}, {1, 1, 1}, ~0ull, 48128, BAD_LAUNCH_SHARED, 0},
    {{1, 1, 1}, {16, 8, 2}, 0, 0, BAD_LAUNCH_NONE, 256},
    {{1, 1, 1}, {16, 8, 2}, 0, 0, BAD_LAUNCH_BOUNDS, 255},
};

START_TEST(launch_configurations) {
    enum bad_launch got =
        launch_config_check(launches[_i].grid, launches[_i].block, launches[_i].shared_bytes,
                            launches[_i].static_bytes, launches[_i].threads_max);
    ck_assert_msg(got == launches[_i].reason, "row %d: got '%s'", _i, bad_launch_text(got));
}
END_TEST

START_TEST(arrays_start_on_pages_and_do_not_overlap) {
    struct arguments product = product_arguments(1, 1, 1);
    ck_assert_uint_eq(product.list[ARRAY_A].at, 0);
    ck_assert_uint_eq(product.list[ARRAY_B].at, 4096);
    ck_assert_uint_eq(product.list[ARRAY_C].at, 8192);
    ck_assert_uint_eq(arguments_memory_bytes(&product), 12288);
    // 32 x 32 floats fill exactly one page.
    product = product_arguments(32, 32, 32);
    ck_assert_uint_eq(product.list[ARRAY_B].at, 4096);
    product = product_arguments(SIZE_DIMENSION_MAX, SIZE_DIMENSION_MAX, SIZE_DIMENSION_MAX);
    ck_assert_uint_eq(arguments_memory_bytes(&product), 3ull << 30);
}
END_TEST

START_TEST(texts_of_bad_launches) {
    ck_assert_str_eq(plain(bad_launch_text(BAD_LAUNCH_BLOCK_ZERO)), "a block dimension is 0");
    ck_assert_str_eq(bad_launch_text(BAD_LAUNCH_COUNT), "unknown");
}
END_TEST

SUITE() {
    Suite *suite = suite_create("protocol");
    TCase *cases = tcase_create("protocol");
    tcase_add_test(cases, good_answer_is_taken);
    tcase_add_test(cases, a_trace_is_sent_where_it_was_asked_for_and_checked);
    tcase_add_test(cases, wrong_length_is_refused);
    tcase_add_test(cases, each_spoiled_field_is_refused);
    tcase_add_test(cases, near_misses_are_taken);
    tcase_add_test(cases, requests_are_checked_too);
    tcase_add_loop_test(cases, launch_configurations, 0, (int)(sizeof launches / sizeof *launches));
    tcase_add_test(cases, arrays_start_on_pages_and_do_not_overlap);
    tcase_add_test(cases, texts_of_bad_launches);
    suite_add_tcase(suite, cases);
    return suite;
}
