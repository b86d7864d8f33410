// Findings of several launches, put together: which finding explains another.
#include "emu/wire/finding.h"
#include "judge/compile/program_build.h"
#include "judge/run/findings_merge.h"
#include "judge/run/launch_outcome.h"
#include "judge/say/finding_text.h"

#include <string.h>

#include "judge/model/judged_finding.h"

#include "suite.h"  // last: Check has a macro called fail

static struct finding_list findings;

static void add(struct finding finding) {
    static struct findings one;
    finding.count = 1;
    one = (struct findings){.count = 1, .list = {finding}};
    run_findings_add(&findings, &one, DEVICE_EMU, (struct size){1, 1, 1});
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
    struct submitted source = {.text = text};
    ck_assert_int_eq(run_findings_finish(&program, &source, verdict, &findings, NULL), STATUS_OK);
}

static bool speaks_of(int i, const char *words) {
    return strstr(plain(findings.list[i].clause), words) != NULL;
}

START_TEST(races_inside_warps_alone_want_syncwarp) {
    findings.count = 0;
    add(race_at(1, FINDING_SAME_WARP));
    add(race_at(3, FINDING_SAME_WARP));
    finish(VERDICT_RACE);
    ck_assert_int_eq(findings.count, 2);
    ck_assert(speaks_of(0, "`__syncwarp()` is missing") && speaks_of(1, "`__syncwarp()`"));
}
END_TEST

START_TEST(one_race_between_warps_wants_the_barrier_for_all) {
    findings.count = 0;
    add(race_at(1, FINDING_SAME_WARP));
    add(race_at(3, 0));
    finish(VERDICT_RACE);
    ck_assert_int_eq(findings.count, 2);
    ck_assert(speaks_of(0, "`__syncthreads()` is missing"));
    ck_assert(speaks_of(1, "`__syncthreads()` is missing"));
}
END_TEST

START_TEST(a_later_launch_with_more_warps_counts) {
    findings.count = 0;
    add(race_at(1, FINDING_SAME_WARP));
    add(race_at(1, 0));
    finish(VERDICT_RACE);
    ck_assert_int_eq(findings.count, 1);
    ck_assert(speaks_of(0, "`__syncthreads()` is missing"));
}
END_TEST

START_TEST(threads_that_returned_are_blamed_for_shared_memory_alone) {
    findings.count = 0;
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
    ck_assert_int_eq(findings.count, 3);
    ck_assert(speaks_of(0, "had returned"));
    ck_assert(!speaks_of(1, "had returned"));
}
END_TEST

// An error in shared array 0, at lines of its own; run_findings_finish looks up none on a GPU.
static struct finding shared_at(enum finding_kind kind, uint32_t line, uint32_t other_line) {
    return (struct finding){.kind = kind,
                            .severity = SEVERITY_ERROR,
                            .space = SPACE_SHARED,
                            .pc = line,
                            .other_pc = other_line,
                            .line = line,
                            .other_line = other_line};
}

static struct finding race_in(uint32_t line, uint32_t other_line) {
    struct finding race = shared_at(FINDING_RACE, line, other_line);
    race.access = ACCESS_WRITE;
    race.other_access = ACCESS_READ;
    return race;
}

START_TEST(a_cell_read_too_early_follows_from_the_race) {
    findings.count = 0;
    add(race_in(13, 22));
    add(shared_at(FINDING_UNINITIALIZED, 22, 0));
    finish(VERDICT_RACE);
    ck_assert_int_eq(findings.count, 1);
    ck_assert_int_eq(findings.list[0].finding.kind, FINDING_RACE);
}
END_TEST

START_TEST(a_cell_read_at_another_line_or_array_is_its_own_mistake) {
    findings.count = 0;
    add(race_in(13, 22));
    add(shared_at(FINDING_UNINITIALIZED, 30, 0));
    struct finding other = shared_at(FINDING_UNINITIALIZED, 22, 0);
    other.array = 1;
    add(other);
    finish(VERDICT_RACE);
    ck_assert_int_eq(findings.count, 3);
}
END_TEST

START_TEST(what_threads_at_two_barriers_do_next_is_not_told) {
    findings.count = 0;
    add(shared_at(FINDING_BARRIER_DIVERGENCE, 20, 28));
    add(race_in(13, 22));
    add(shared_at(FINDING_UNINITIALIZED, 22, 0));
    struct finding race = race_in(40, 40);
    race.space = SPACE_GLOBAL;
    race.array = ARRAY_C;
    race.other_access = ACCESS_WRITE;
    add(race);
    finish(VERDICT_BARRIER_DIVERGENCE);
    ck_assert_int_eq(findings.count, 2);  // the race in C is a separate mistake
    ck_assert_int_eq(findings.list[0].finding.kind, FINDING_BARRIER_DIVERGENCE);
    ck_assert_int_eq(findings.list[1].finding.kind, FINDING_RACE);
    ck_assert_int_eq(findings.list[1].finding.space, SPACE_GLOBAL);
}
END_TEST

START_TEST(what_a_store_out_of_bounds_leaves_is_not_told) {
    findings.count = 0;
    struct finding bounds = shared_at(FINDING_OUT_OF_BOUNDS, 13, 0);
    bounds.access = ACCESS_WRITE;
    add(bounds);
    add(shared_at(FINDING_UNINITIALIZED, 22, 0));
    add(race_in(13, 22));
    add(race_in(14, 22));
    finish(VERDICT_OUT_OF_BOUNDS);
    ck_assert_int_eq(findings.count, 2);  // a race at another line stays
    ck_assert_int_eq(findings.list[1].finding.line, 14);
}
END_TEST

START_TEST(a_read_out_of_bounds_leaves_no_cell_empty) {
    findings.count = 0;
    struct finding bounds = shared_at(FINDING_OUT_OF_BOUNDS, 13, 0);
    bounds.access = ACCESS_READ;
    add(bounds);
    add(shared_at(FINDING_UNINITIALIZED, 22, 0));
    finish(VERDICT_OUT_OF_BOUNDS);
    ck_assert_int_eq(findings.count, 2);
}
END_TEST

START_TEST(an_index_past_its_row_explains_its_line) {
    findings.count = 0;
    struct finding bounds = shared_at(FINDING_OUT_OF_BOUNDS, 22, 0);
    bounds.detail = OUTSIDE_ROW;
    bounds.space = SPACE_NONE;
    bounds.array = ARRAY_NONE;
    add(bounds);
    add(race_in(13, 22));
    add(shared_at(FINDING_UNINITIALIZED, 22, 0));
    finish(VERDICT_OUT_OF_BOUNDS);
    ck_assert_int_eq(findings.count, 1);
}
END_TEST

START_TEST(notes_and_warnings_stay_beside_an_error) {
    findings.count = 0;
    add(shared_at(FINDING_BARRIER_DIVERGENCE, 20, 28));
    struct finding note = race_in(13, 13);
    note.severity = SEVERITY_NOTE;
    note.other_access = ACCESS_WRITE;
    add(note);
    finish(VERDICT_BARRIER_DIVERGENCE);
    ck_assert_int_eq(findings.count, 2);
}
END_TEST

// Stopped with that detail, after so many races.
static bool may_end(uint32_t budget, uint32_t races) {
    static struct run_outcome outcome;
    outcome = (struct run_outcome){.verdict = VERDICT_TIME_LIMIT};
    outcome.findings.count = 1 + races;
    outcome.findings.list[0] =
        (struct finding){.kind = FINDING_TIME_LIMIT, .severity = SEVERITY_ERROR, .detail = budget};
    outcome.findings.list[1] = race_at(1, 0);
    return run_outcome_may_end(&outcome);
}

START_TEST(only_a_launch_that_the_clock_alone_has_stopped_may_end) {
    ck_assert(may_end(BUDGET_TIME, 0));
    ck_assert(!may_end(BUDGET_ACCESSES, 0));
    ck_assert(!may_end(BUDGET_LOOP, 0));
    ck_assert(!may_end(BUDGET_TIME, 1));
}
END_TEST

// The verdict of a launch that a thread's arrival stopped, after so many races.
static enum verdict arrived_early(uint32_t cause, uint32_t races) {
    static const struct exercise exercise;
    static struct run_reply reply;
    const struct run_program program = {.exercise = &exercise};
    static struct run_outcome outcome;
    outcome = (struct run_outcome){.verdict = VERDICT_PASS};
    reply = (struct run_reply){.fate = FATE_ANSWERED, .answer = {.end = RUN_STOPPED}};
    reply.answer.findings.count = 1 + races;
    reply.answer.findings.list[0] =
        (struct finding){.kind = FINDING_CRASH, .severity = SEVERITY_ERROR, .detail = cause};
    reply.answer.findings.list[1] = race_at(1, 0);
    run_outcome_of_reply(&reply, &program, &outcome);
    return outcome.verdict;
}

START_TEST(an_arrival_that_is_too_early_follows_from_a_race) {
    ck_assert_int_eq(arrived_early(CRASH_MBARRIER_ARRIVALS, 1), VERDICT_RACE);
    ck_assert_int_eq(arrived_early(CRASH_MBARRIER_ARRIVALS, 0), VERDICT_CRASH);
    ck_assert_int_eq(arrived_early(CRASH_MBARRIER_PARITY, 1), VERDICT_CRASH);
}
END_TEST

static struct finding empty_read(void) {
    return (struct finding){.kind = FINDING_UNINITIALIZED,
                            .severity = SEVERITY_ERROR,
                            .space = SPACE_GLOBAL,
                            .array = ARRAY_WORKSPACE,
                            .pc = 1};
}

static struct finding outside_at(int64_t offset) {
    return (struct finding){
        .kind = FINDING_OUT_OF_BOUNDS, .severity = SEVERITY_ERROR, .pc = 2, .offset = offset};
}

// The verdict of a launch that read an empty word and had that finding, if one with zeros in the
// words had the other one; its kind is FINDING_KIND_COUNT if it had none.
static enum verdict blamed(struct finding seen, struct finding with_zeros) {
    static struct run_outcome outcome;
    static struct run_outcome zeros;
    static struct findings proved;
    outcome = (struct run_outcome){.text_verdict = VERDICT_WRONG_RESULT};
    outcome.findings.count = 2;
    outcome.findings.list[0] = seen;
    outcome.findings.list[1] = empty_read();
    outcome.verdict = finding_verdict(&seen);
    zeros = (struct run_outcome){.findings.count = with_zeros.kind != FINDING_KIND_COUNT};
    zeros.findings.list[0] = with_zeros;
    ck_assert(run_outcome_may_follow_from_empty(&outcome));
    run_outcome_blame_empty(&outcome, &zeros, &proved);
    ck_assert(!run_outcome_may_follow_from_empty(&zeros));
    return outcome.verdict;
}

START_TEST(what_an_empty_word_leads_to_is_not_told) {
    const struct finding none = {.kind = FINDING_KIND_COUNT};
    struct finding race = race_at(2, 3);
    struct finding there = race;
    ck_assert_int_eq(blamed(outside_at(-1024), none), VERDICT_UNINITIALIZED);
    ck_assert_int_eq(blamed(outside_at(-1024), outside_at(64)), VERDICT_UNINITIALIZED);
    ck_assert_int_eq(blamed(outside_at(64), outside_at(64)), VERDICT_OUT_OF_BOUNDS);
    ck_assert_int_eq(blamed(race, none), VERDICT_UNINITIALIZED);
    there.offset = 4;
    ck_assert_int_eq(blamed(race, there), VERDICT_RACE);
    race.array = ARRAY_WORKSPACE;
    race.parties = PARTIES_ATOMICS;
    ck_assert_int_eq(blamed(race, race), VERDICT_UNINITIALIZED);
}
END_TEST

// True if an empty word and the finding `seen` need no launch with zeros, after one that had the
// finding `proved`.
static bool is_proved(struct finding seen, struct finding proved) {
    static struct run_outcome outcome;
    static struct findings known;
    outcome = (struct run_outcome){.findings.count = 2};
    outcome.findings.list[0] = empty_read();
    outcome.findings.list[1] = seen;
    findings_clear(&known);
    findings_add(&known, &proved);
    return run_outcome_is_proved(&outcome, &known);
}

START_TEST(a_race_that_zeros_have_shown_needs_no_other_launch) {
    struct finding there = race_at(2, 3);
    ck_assert(is_proved(race_at(2, 3), there));
    there.offset = 4;
    ck_assert(is_proved(race_at(2, 3), there));
    ck_assert(!is_proved(race_at(2, 3), race_at(3, 3)));
    ck_assert(!is_proved(outside_at(64), outside_at(64)));
    there.array = ARRAY_WORKSPACE;
    there.parties = PARTIES_ATOMICS;
    ck_assert(!is_proved(there, there));
}
END_TEST

START_TEST(a_finding_leaves_no_cause_of_wrong_elements_to_tell) {
    static struct run_outcome outcome;
    outcome = (struct run_outcome){.findings.count = 1};
    outcome.findings.list[0] = race_at(2, 3);
    ck_assert(run_outcome_is_decided(&outcome));
    outcome.findings.list[0].severity = SEVERITY_NOTE;
    ck_assert(!run_outcome_is_decided(&outcome));
    outcome.findings.list[0] = (struct finding){
        .kind = FINDING_CRASH, .severity = SEVERITY_ERROR, .detail = CRASH_CONVERSION};
    ck_assert(!run_outcome_is_decided(&outcome));
}
END_TEST

SUITE() {
    Suite *suite = suite_create("run_findings");
    TCase *tests = tcase_create("run_findings");
    tcase_add_test(tests, only_a_launch_that_the_clock_alone_has_stopped_may_end);
    tcase_add_test(tests, an_arrival_that_is_too_early_follows_from_a_race);
    tcase_add_test(tests, what_an_empty_word_leads_to_is_not_told);
    tcase_add_test(tests, a_race_that_zeros_have_shown_needs_no_other_launch);
    tcase_add_test(tests, a_finding_leaves_no_cause_of_wrong_elements_to_tell);
    tcase_add_test(tests, races_inside_warps_alone_want_syncwarp);
    tcase_add_test(tests, one_race_between_warps_wants_the_barrier_for_all);
    tcase_add_test(tests, a_later_launch_with_more_warps_counts);
    tcase_add_test(tests, threads_that_returned_are_blamed_for_shared_memory_alone);
    tcase_add_test(tests, a_cell_read_too_early_follows_from_the_race);
    tcase_add_test(tests, a_cell_read_at_another_line_or_array_is_its_own_mistake);
    tcase_add_test(tests, what_threads_at_two_barriers_do_next_is_not_told);
    tcase_add_test(tests, what_a_store_out_of_bounds_leaves_is_not_told);
    tcase_add_test(tests, a_read_out_of_bounds_leaves_no_cell_empty);
    tcase_add_test(tests, an_index_past_its_row_explains_its_line);
    tcase_add_test(tests, notes_and_warnings_stay_beside_an_error);
    suite_add_tcase(suite, tests);
    return suite;
}
