// Findings announced before an answer: they stand, whatever the answer says.
#include <string.h>

#include "device/channel/session.h"
#include "suite.h"

static struct request request;
static struct answer answer;
static struct announced announced;

// An answer without a finding, to a request for 4x5x6.
static void setup(void) {
    memset(&request, 0, sizeof request);
    memset(&answer, 0, sizeof answer);
    memset(&announced, 0, sizeof announced);
    request.size = (struct size){4, 5, 6};
    request.nonce = 7;
    answer.end = RUN_FINISHED;
    for (int i = 0; i < 3; i++) {
        answer.grid[i] = 2;
        answer.block[i] = 8;
    }
}

static struct announcement race_at(uint64_t pc, enum finding_severity severity) {
    return (struct announcement){
        .magic = ANNOUNCEMENT_MAGIC,
        .run = ANNOUNCED_ALONE,
        .nonce = 7,
        .finding = {
            .kind = FINDING_RACE, .severity = severity, .pc = pc, .count = 1, .block = {1, 1, 1}}};
}

static void announce(struct announcement message) {
    ck_assert(announced_add(&announced, &request, &message, sizeof message));
}

START_TEST(missing_finding_is_added) {
    announce(race_at(100, SEVERITY_ERROR));
    announce(race_at(200, SEVERITY_WARNING));
    answer.findings.count = 1;
    answer.findings.list[0] = race_at(200, SEVERITY_WARNING).finding;
    answer.findings.list[0].count = 5;
    ck_assert(announced_settle(&announced, &request, &answer));
    ck_assert_uint_eq(answer.findings.count, 2);
    ck_assert_uint_eq(answer.findings.list[0].count, 5);  // the one kept before is unchanged
    ck_assert_uint_eq(answer.findings.list[1].pc, 100);
}
END_TEST

START_TEST(weakened_finding_is_an_error_again) {
    announce(race_at(100, SEVERITY_NOTE));
    announce(race_at(100, SEVERITY_ERROR));
    answer.findings.count = 1;
    answer.findings.list[0] = race_at(100, SEVERITY_NOTE).finding;
    ck_assert(announced_settle(&announced, &request, &answer));
    ck_assert_uint_eq(answer.findings.count, 1);
    ck_assert_uint_eq(answer.findings.list[0].severity, SEVERITY_ERROR);
}
END_TEST

START_TEST(findings_of_a_share_or_of_the_configuration_forbid_some_answers) {
    struct announcement message = race_at(100, SEVERITY_ERROR);
    message.run = ANNOUNCED_IN_SHARE;
    announce(message);
    answer.processes = 2;
    ck_assert(!announced_settle(&announced, &request, &answer));
    answer.processes = 1;
    ck_assert(announced_settle(&announced, &request, &answer));
    ck_assert_uint_eq(answer.findings.count, 0);  // one process has seen all, and found nothing
    message.run = ANNOUNCED_IN_CONFIG;
    announce(message);
    ck_assert(!announced_settle(&announced, &request, &answer));
    answer.end = RUN_BAD_LAUNCH;
    ck_assert(announced_settle(&announced, &request, &answer));
}
END_TEST

START_TEST(trouble_says_nothing_about_the_kernel) {
    announce(race_at(100, SEVERITY_ERROR));
    memset(&answer, 0, sizeof answer);
    answer.end = RUN_TROUBLE;
    ck_assert(announced_settle(&announced, &request, &answer));
    ck_assert_uint_eq(answer.findings.count, 0);
}
END_TEST

START_TEST(impossible_finding_spoils_the_answer) {
    struct announcement message = race_at(100, SEVERITY_ERROR);
    message.finding.block[0] = 2;
    announce(message);
    ck_assert(!announced_settle(&announced, &request, &answer));
}
END_TEST

START_TEST(only_announcements_of_this_request_count) {
    struct announcement message = race_at(100, SEVERITY_ERROR);
    ck_assert(!announced_add(&announced, &request, &message, sizeof message - 1));
    message.nonce = 8;
    ck_assert(!announced_add(&announced, &request, &message, sizeof message));
    message.nonce = 6;  // late: of a process that was left behind
    announce(message);
    message.nonce = 7;
    message.run = ANNOUNCEMENT_RUN_COUNT;
    ck_assert(!announced_add(&announced, &request, &message, sizeof message));
    message.run = ANNOUNCED_ALONE;
    message.magic++;
    ck_assert(!announced_add(&announced, &request, &message, sizeof message));
    ck_assert_uint_eq(announced.alone.count, 0);
}
END_TEST

START_TEST(endless_announcements_end) {
    struct announcement message = race_at(100, SEVERITY_ERROR);
    int taken = 0;
    while (announced_add(&announced, &request, &message, sizeof message)) {
        ck_assert_int_lt(++taken, 10000);
    }
    ck_assert_int_gt(taken, FINDINGS_MAX * LAUNCH_SHARES_MAX);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("announced");
    TCase *cases = tcase_create("announced");
    tcase_add_checked_fixture(cases, setup, NULL);
    tcase_add_test(cases, missing_finding_is_added);
    tcase_add_test(cases, weakened_finding_is_an_error_again);
    tcase_add_test(cases, findings_of_a_share_or_of_the_configuration_forbid_some_answers);
    tcase_add_test(cases, trouble_says_nothing_about_the_kernel);
    tcase_add_test(cases, impossible_finding_spoils_the_answer);
    tcase_add_test(cases, only_announcements_of_this_request_count);
    tcase_add_test(cases, endless_announcements_end);
    suite_add_tcase(suite, cases);
    return suite;
}
