// Findings of several launches, put together: what one says of another.
#include "judge/run_findings.h"

#include <string.h>

#include "suite.h"  // last: Check has a macro called fail

static struct judged_finding list[FINDINGS_MAX];
static int count;

static void add(struct finding finding) {
    static struct findings one;
    finding.count = 1;
    one = (struct findings){.count = 1, .list = {finding}};
    run_findings_add(list, &count, &one, DEVICE_EMU, (struct size){1, 1, 1});
}

// A store, then a read, in shared memory; each pc is a line of its own.
static struct finding race_at(uint64_t pc, uint32_t flags) {
    return (struct finding){.kind = FINDING_RACE,
                            .severity = SEVERITY_ERROR,
                            .space = SPACE_SHARED,
                            .array = ARRAY_NONE,
                            .access = ACCESS_WRITE,
                            .other_access = ACCESS_READ,
                            .pc = pc,
                            .other_pc = pc + 1,
                            .flags = flags};
}

// The lines are not looked up: that needs a built program.
static void finish(enum verdict verdict) {
    static struct run_program program = {.kind = DEVICE_GPU};
    static char text[] = "";
    struct judge_source source = {.text = text};
    ck_assert_int_eq(run_findings_finish(&program, &source, verdict, list, &count, NULL),
                     STATUS_OK);
}

static bool speaks_of(int i, const char *words) {
    return strstr(list[i].clause, words) != NULL;
}

START_TEST(races_inside_warps_alone_want_syncwarp) {
    count = 0;
    add(race_at(1, FINDING_SAME_WARP));
    add(race_at(3, FINDING_SAME_WARP));
    finish(VERDICT_RACE);
    ck_assert_int_eq(count, 2);
    ck_assert(speaks_of(0, "`__syncwarp()` is missing") && speaks_of(1, "`__syncwarp()`"));
}
END_TEST

START_TEST(one_race_between_warps_wants_the_barrier_for_all) {
    count = 0;
    add(race_at(1, FINDING_SAME_WARP));
    add(race_at(3, 0));
    finish(VERDICT_RACE);
    ck_assert_int_eq(count, 2);
    ck_assert(speaks_of(0, "`__syncthreads()` is missing"));
    ck_assert(speaks_of(1, "`__syncthreads()` is missing"));
}
END_TEST

START_TEST(a_later_launch_with_more_warps_counts) {
    count = 0;
    add(race_at(1, FINDING_SAME_WARP));
    add(race_at(1, 0));
    finish(VERDICT_RACE);
    ck_assert_int_eq(count, 1);
    ck_assert(speaks_of(0, "`__syncthreads()` is missing"));
}
END_TEST

START_TEST(threads_that_returned_are_blamed_for_shared_memory_alone) {
    count = 0;
    struct finding read = {.kind = FINDING_UNINITIALIZED,
                           .severity = SEVERITY_ERROR,
                           .space = SPACE_SHARED,
                           .array = ARRAY_NONE,
                           .pc = 1};
    add(read);
    read.space = SPACE_GLOBAL;
    read.array = ARRAY_C;
    add(read);
    add((struct finding){.kind = FINDING_EXITED_BEFORE_BARRIER,
                         .severity = SEVERITY_WARNING,
                         .array = ARRAY_NONE,
                         .pc = 2});
    finish(VERDICT_UNINITIALIZED);
    ck_assert_int_eq(count, 3);
    ck_assert(speaks_of(0, "had run to the end"));
    ck_assert(!speaks_of(1, "had run to the end"));
}
END_TEST

int main(void) {
    Suite *suite = suite_create("run_findings");
    TCase *tests = tcase_create("run_findings");
    tcase_add_test(tests, races_inside_warps_alone_want_syncwarp);
    tcase_add_test(tests, one_race_between_warps_wants_the_barrier_for_all);
    tcase_add_test(tests, a_later_launch_with_more_warps_counts);
    tcase_add_test(tests, threads_that_returned_are_blamed_for_shared_memory_alone);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
