// The table of work by place.
#include "emu/wire/counts.h"

#include <string.h>

#include "judge/compile/program_build.h"
#include "suite.h"  // last: Check has a macro called fail

// Parts of a launch, in any order, add up to the same table, even if the table is too small for
// all.
START_TEST(tables_add_up_in_any_order) {
    static struct counts part[3];
    static struct counts forward;
    static struct counts backward;
    memset(part, 0, sizeof part);
    memset(&forward, 0, sizeof forward);
    memset(&backward, 0, sizeof backward);
    for (uint64_t i = 0; i < 150; i++) {
        struct count_line line = {.pc = 1 + i * 37 % 100, .kind = i % COUNT_KINDS, .requests = i};
        count_lines_put(&part[i % 3].lines, &line);
        count_lines_put_flops(&part[i % 3].lines, i * 37 % 100, i);
        part[i % 3].flops += i;
    }
    for (int i = 0; i < 3; i++) {
        counts_add(&forward, &part[i]);
        counts_add(&backward, &part[2 - i]);
    }
    ck_assert_mem_eq(&forward, &backward, sizeof forward);
    ck_assert_uint_eq(forward.lines.count, COUNT_LINES_MAX);
    ck_assert_uint_eq(forward.lines.flops_count, COUNT_LINES_MAX);
    ck_assert_uint_eq(forward.flops, 149 * 150 / 2);
    ck_assert(count_lines_check(&forward.lines));
    forward.lines.access[1].pc = forward.lines.access[0].pc;
    forward.lines.access[1].kind = forward.lines.access[0].kind;
    ck_assert(!count_lines_check(&forward.lines));  // one place is there twice
    backward.lines.access[0].ideal = 1;
    ck_assert(!count_lines_check(&backward.lines));  // the ideal is above the actual number
}
END_TEST

START_TEST(places_of_one_line_are_put_together) {
    static struct count_lines lines;
    static struct line_work work[LINE_WORKS_MAX];
    const struct count_line places[] = {
        {.pc = 1, .kind = COUNT_SHARED_LOAD, .line = 7, .requests = 1, .units = 2, .ideal = 1},
        {.pc = 2, .kind = COUNT_GLOBAL_LOAD, .line = 5, .requests = 3, .bytes = 12, .lanes = 3},
        {.pc = 3, .kind = COUNT_SHARED_LOAD, .line = 7, .requests = 10, .units = 20, .ideal = 10}};
    memset(&lines, 0, sizeof lines);
    for (int i = 0; i < 3; i++) {
        count_lines_put(&lines, &places[i]);
    }
    count_lines_put_flops(&lines, 6, 100);
    count_lines_put_flops(&lines, 7, 200);
    ck_assert_int_eq(run_lines_merge(&lines, work), 3);
    ck_assert_uint_eq(work[0].line, 5);
    ck_assert_uint_eq(work[0].kind[COUNT_GLOBAL_LOAD].bytes, 12);
    ck_assert_uint_eq(work[1].line, 6);
    ck_assert_uint_eq(work[1].flops, 100);
    ck_assert_uint_eq(work[2].kind[COUNT_SHARED_LOAD].requests, 11);
    ck_assert_uint_eq(work[2].kind[COUNT_SHARED_LOAD].units, 22);
    ck_assert_uint_eq(work[2].kind[COUNT_GLOBAL_LOAD].requests, 0);
    ck_assert_uint_eq(work[2].flops, 200);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("count_lines");
    TCase *tests = tcase_create("table");
    tcase_add_test(tests, tables_add_up_in_any_order);
    tcase_add_test(tests, places_of_one_line_are_put_together);
    suite_add_tcase(suite, tests);
    return suite;
}
