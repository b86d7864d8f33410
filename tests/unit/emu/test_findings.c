// Findings of one launch: merged by kind and places, the gravest instance kept.
#include "emu/wire/finding.h"

#include "suite.h"

static struct findings findings;

static struct finding race_at(uint64_t pc, uint64_t other_pc) {
    return (struct finding){.kind = FINDING_RACE,
                            .severity = SEVERITY_ERROR,
                            .space = SPACE_SHARED,
                            .pc = pc,
                            .other_pc = other_pc};
}

START_TEST(first_instance_is_kept_and_counted) {
    findings_clear(&findings);
    struct finding f = race_at(1, 2);
    f.offset = 4;
    ck_assert(findings_add(&findings, &f));
    f.offset = 8;
    ck_assert(!findings_add(&findings, &f));
    ck_assert(findings_repeat(&findings, &f));
    ck_assert_uint_eq(findings.count, 1);
    ck_assert_uint_eq(findings.list[0].count, 3);
    ck_assert_int_eq(findings.list[0].offset, 4);
}
END_TEST

START_TEST(each_part_of_the_key_tells_findings_apart) {
    findings_clear(&findings);
    struct finding f = race_at(1, 2);
    findings_add(&findings, &f);
    f.other_pc = 3;
    ck_assert(!findings_repeat(&findings, &f));
    ck_assert(findings_add(&findings, &f));
    f.pc = 4;
    ck_assert(findings_add(&findings, &f));
    f.array = 1;
    ck_assert(findings_add(&findings, &f));
    f.space = SPACE_GLOBAL;
    ck_assert(findings_add(&findings, &f));
    f.kind = FINDING_UNINITIALIZED;
    ck_assert(findings_add(&findings, &f));
    ck_assert_uint_eq(findings.count, 6);
}
END_TEST

START_TEST(a_count_in_the_finding_is_added) {
    findings_clear(&findings);
    struct finding f = race_at(1, 2);
    f.count = 10;
    findings_add(&findings, &f);
    findings_add(&findings, &f);
    ck_assert_uint_eq(findings.list[0].count, 20);
}
END_TEST

START_TEST(error_takes_the_place_of_a_note) {
    findings_clear(&findings);
    struct finding f = race_at(1, 2);
    f.severity = SEVERITY_NOTE;
    f.flags = FINDING_SAME_VALUE;
    findings_add(&findings, &f);
    f.severity = SEVERITY_ERROR;
    f.flags = 0;
    f.offset = 8;
    ck_assert(!findings_repeat(&findings, &f));
    ck_assert(!findings_add(&findings, &f));
    f.severity = SEVERITY_NOTE;
    f.offset = 12;
    ck_assert(findings_repeat(&findings, &f));
    ck_assert_uint_eq(findings.count, 1);
    ck_assert_uint_eq(findings.list[0].severity, SEVERITY_ERROR);
    ck_assert_uint_eq(findings.list[0].flags, 0);
    ck_assert_int_eq(findings.list[0].offset, 8);
    ck_assert_uint_eq(findings.list[0].count, 3);
}
END_TEST

START_TEST(race_of_two_warps_takes_the_place_of_one_in_a_warp) {
    findings_clear(&findings);
    struct finding f = race_at(1, 2);
    f.flags = FINDING_SAME_WARP;
    findings_add(&findings, &f);
    f.flags = 0;
    findings_add(&findings, &f);
    f.flags = FINDING_SAME_WARP;
    findings_add(&findings, &f);
    ck_assert_uint_eq(findings.list[0].flags, 0);
    ck_assert_uint_eq(findings.list[0].count, 3);
}
END_TEST

START_TEST(race_of_two_blocks_takes_the_place_of_one_in_a_block) {
    findings_clear(&findings);
    struct finding f = race_at(1, 2);
    findings_add(&findings, &f);
    f.flags = FINDING_BETWEEN_BLOCKS;
    findings_add(&findings, &f);
    f.flags = 0;
    findings_add(&findings, &f);
    ck_assert_uint_eq(findings.list[0].flags, FINDING_BETWEEN_BLOCKS);
    f.severity = SEVERITY_NOTE;
    f.flags = FINDING_BETWEEN_BLOCKS;
    findings_add(&findings, &f);
    ck_assert_uint_eq(findings.list[0].severity, SEVERITY_ERROR);
}
END_TEST

START_TEST(two_stores_of_two_blocks_are_as_those_of_one) {
    findings_clear(&findings);
    struct finding f = race_at(1, 2);
    f.access = f.other_access = ACCESS_WRITE;
    findings_add(&findings, &f);
    f.flags = FINDING_BETWEEN_BLOCKS;
    findings_add(&findings, &f);
    ck_assert_uint_eq(findings.list[0].flags, 0);
}
END_TEST

START_TEST(a_full_list_counts_what_it_drops) {
    findings_clear(&findings);
    for (uint64_t pc = 1; pc <= FINDINGS_MAX + 5; pc++) {
        struct finding f = race_at(pc, 0);
        findings_add(&findings, &f);
    }
    struct finding f = race_at(1, 0);
    findings_add(&findings, &f);
    ck_assert_uint_eq(findings.count, FINDINGS_MAX);
    ck_assert_uint_eq(findings.dropped, 5);
    ck_assert_uint_eq(findings.list[0].count, 2);
    f = race_at(1000, 0);
    ck_assert(findings_repeat(&findings, &f));
    ck_assert_uint_eq(findings.dropped, 6);
}
END_TEST

START_TEST(a_list_full_of_notes_hides_no_error) {
    findings_clear(&findings);
    for (uint64_t pc = 1; pc <= FINDINGS_MAX; pc++) {
        struct finding note = race_at(pc, 0);
        note.severity = SEVERITY_NOTE;
        findings_add(&findings, &note);
    }
    struct finding error = race_at(1000, 0);
    ck_assert(!findings_repeat(&findings, &error));
    ck_assert(findings_add(&findings, &error));
    ck_assert_uint_eq(findings.list[FINDINGS_MAX - 1].pc, 1000);
    ck_assert_uint_eq(findings.list[FINDINGS_MAX - 1].count, 1);
    ck_assert_uint_eq(findings.dropped, 1);
}
END_TEST

START_TEST(thread_index_comes_from_the_linear_one) {
    const uint32_t block[3] = {4, 3, 2};
    uint32_t thread[3];
    findings_thread(block, 23, thread);
    ck_assert_uint_eq(thread[0], 3);
    ck_assert_uint_eq(thread[1], 2);
    ck_assert_uint_eq(thread[2], 1);
}
END_TEST

START_TEST(kinds_have_the_names_of_result_json) {
    ck_assert_str_eq(finding_kind_name(FINDING_RACE), "race");
    ck_assert_str_eq(finding_kind_name(FINDING_OUTPUT_LIMIT), "output_limit");
    ck_assert_str_eq(finding_kind_name(FINDING_KIND_COUNT), "unknown");
}
END_TEST

SUITE() {
    const TTest *const tests[] = {
        first_instance_is_kept_and_counted,
        each_part_of_the_key_tells_findings_apart,
        a_count_in_the_finding_is_added,
        error_takes_the_place_of_a_note,
        race_of_two_warps_takes_the_place_of_one_in_a_warp,
        race_of_two_blocks_takes_the_place_of_one_in_a_block,
        two_stores_of_two_blocks_are_as_those_of_one,
        a_full_list_counts_what_it_drops,
        a_list_full_of_notes_hides_no_error,
        thread_index_comes_from_the_linear_one,
        kinds_have_the_names_of_result_json,
    };
    Suite *suite = suite_create("findings");
    TCase *tcase = tcase_create("findings");
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        tcase_add_test(tcase, tests[i]);
    }
    suite_add_tcase(suite, tcase);
    return suite;
}
