// What the maps of accesses say: whole rows and columns, boxes, and what is scattered.
#include "judge/cause/regions.h"

#include <string.h>

#include "suite.h"  // last: Check has a macro called fail

static const struct size size_50 = {.m = 50, .n = 50, .k = 50};

static struct coverage_gap columns_of(uint32_t first, uint32_t last, uint32_t rows) {
    uint32_t count = last - first + 1;
    return (struct coverage_gap){.missing = (uint64_t)count * rows,
                                 .first = {0, first},
                                 .last = {rows - 1, last},
                                 .column_count = count,
                                 .columns = {first, last}};
}

static struct coverage_gap rows_of(uint32_t first, uint32_t last, uint32_t columns) {
    uint32_t count = last - first + 1;
    return (struct coverage_gap){.missing = (uint64_t)count * columns,
                                 .first = {first, 0},
                                 .last = {last, columns - 1},
                                 .row_count = count,
                                 .rows = {first, last}};
}

static struct coverage_gap whole_of(uint32_t rows, uint32_t columns) {
    struct coverage_gap gap = rows_of(0, rows - 1, columns);
    gap.column_count = columns;
    gap.columns[1] = columns - 1;
    return gap;
}

static struct coverage_gap box_of(uint64_t missing, uint32_t row, uint32_t column,
                                  uint32_t last_row, uint32_t last_column) {
    return (struct coverage_gap){
        .missing = missing, .first = {row, column}, .last = {last_row, last_column}};
}

static void unread_is(struct coverage_gap a, struct coverage_gap b, struct size size,
                      enum explained explained, const char *expected) {
    const struct coverage coverage = {.gap = {[ARRAY_A] = a, [ARRAY_B] = b}};
    char text[COVERAGE_TEXT_MAX];
    ck_assert_int_eq(explain_unread(&coverage, size, text), explained);
    ck_assert_str_eq(plain(text), expected);
}

static const struct coverage_gap nothing = {.missing = 0};

START_TEST(a_tile_count_rounded_down_is_told_by_columns_of_a_and_rows_of_b) {
    unread_is(columns_of(48, 49, 50), rows_of(48, 49, 50), size_50, EXPLAINED_TERMS,
              "Columns 48..49 of A are never read (and rows 48..49 of B).");
    unread_is(columns_of(16, 16, 1), rows_of(16, 16, 1), (struct size){1, 1, 17}, EXPLAINED_TERMS,
              "Column 16 of A is never read (and row 16 of B).");
}
END_TEST

START_TEST(a_gap_of_one_input_is_told_alone) {
    unread_is(nothing, rows_of(48, 49, 50), size_50, EXPLAINED_TERMS,
              "Rows 48..49 of B are never read.");
    unread_is(columns_of(49, 49, 50), nothing, size_50, EXPLAINED_TERMS,
              "Column 49 of A is never read.");
    unread_is(rows_of(49, 49, 50), columns_of(32, 49, 50), size_50, EXPLAINED_TERMS,
              "Row 49 of A is never read (and columns 32..49 of B).");
}
END_TEST

START_TEST(nothing_unread_is_nothing_to_say) {
    unread_is(nothing, nothing, size_50, EXPLAINED_NOTHING, "");
}
END_TEST

START_TEST(an_input_that_is_never_read_is_named_whole) {
    // At K = 1 the one column of A and the one row of B are the whole matrices.
    unread_is(whole_of(1, 1), whole_of(1, 1), (struct size){1, 1, 1}, EXPLAINED_ALL_TERMS,
              "A and B are never read.");
    unread_is(whole_of(5, 1), nothing, (struct size){5, 3, 1}, EXPLAINED_ALL_TERMS,
              "A is never read.");
    unread_is(nothing, whole_of(50, 50), size_50, EXPLAINED_ALL_TERMS, "B is never read.");
    unread_is(columns_of(48, 49, 50), whole_of(50, 50), size_50, EXPLAINED_ALL_TERMS,
              "Columns 48..49 of A are never read (and B).");
}
END_TEST

START_TEST(a_full_box_and_single_elements_are_named_by_their_indices) {
    unread_is(box_of(32, 0, 48, 15, 49), nothing, size_50, EXPLAINED_TERMS,
              "A[0..15][48..49] is never read.");
    unread_is(nothing, box_of(1, 3, 5, 3, 5), size_50, EXPLAINED_TERMS, "B[3][5] is never read.");
}
END_TEST

START_TEST(scattered_elements_are_counted) {
    unread_is(box_of(12, 0, 0, 49, 49), nothing, size_50, EXPLAINED_TERMS,
              "12 of 2500 elements of A are never read.");
    // Every second column, and one more element.
    struct coverage_gap gap = columns_of(1, 49, 50);
    gap.column_count = 25;
    gap.missing = 25 * 50;
    unread_is(gap, nothing, size_50, EXPLAINED_TERMS, "25 of 50 columns of A are never read.");
    gap.missing++;
    unread_is(gap, nothing, size_50, EXPLAINED_TERMS, "1251 of 2500 elements of A are never read.");
}
END_TEST

static void unwritten_is(struct coverage_gap gap, struct size size, enum explained explained,
                         const char *expected) {
    char text[COVERAGE_TEXT_MAX];
    ck_assert_int_eq(explain_unwritten(&gap, size, text), explained);
    ck_assert_str_eq(plain(text), expected);
}

START_TEST(a_wrong_grid_is_told_by_rows_and_columns_of_c) {
    const struct size size = {.m = 67, .n = 33, .k = 129};
    unwritten_is(rows_of(64, 66, 33), size, EXPLAINED_TERMS, "Rows 64..66 of C are never written.");
    unwritten_is(columns_of(32, 32, 67), size, EXPLAINED_TERMS, "Column 32 of C is never written.");
    struct coverage_gap both = rows_of(64, 66, 33);
    both.column_count = 1;
    both.columns[0] = both.columns[1] = 32;
    both.missing = 3 * 33 + 67 - 3;
    both.first[0] = 0;
    unwritten_is(both, size, EXPLAINED_TERMS, "Rows 64..66 and column 32 of C are never written.");
    unwritten_is(whole_of(67, 33), size, EXPLAINED_ALL_TERMS, "C is never written.");
    unwritten_is(nothing, size, EXPLAINED_NOTHING, "");
}
END_TEST

START_TEST(the_longest_text_fits) {
    const struct size size = {.m = 16384, .n = 16384, .k = 16384};
    struct coverage_gap gap = {.missing = 2ull * 16000 * 16384 - 16000ull * 16000,
                               .first = {10000, 10000},
                               .last = {16383, 16383},
                               .row_count = 16000,
                               .rows = {1, 16382},
                               .column_count = 16000,
                               .columns = {1, 16382}};
    unread_is(gap, gap, size, EXPLAINED_TERMS,
              "16000 of 16384 rows and 16000 of 16384 columns of A are never read (and 16000 of "
              "16384 rows and 16000 of 16384 columns of B).");
}
END_TEST

SUITE() {
    Suite *suite = suite_create("explain_coverage");
    TCase *tests = tcase_create("texts");
    tcase_add_test(tests, a_tile_count_rounded_down_is_told_by_columns_of_a_and_rows_of_b);
    tcase_add_test(tests, a_gap_of_one_input_is_told_alone);
    tcase_add_test(tests, nothing_unread_is_nothing_to_say);
    tcase_add_test(tests, an_input_that_is_never_read_is_named_whole);
    tcase_add_test(tests, a_full_box_and_single_elements_are_named_by_their_indices);
    tcase_add_test(tests, scattered_elements_are_counted);
    tcase_add_test(tests, a_wrong_grid_is_told_by_rows_and_columns_of_c);
    tcase_add_test(tests, the_longest_text_fits);
    suite_add_tcase(suite, tests);
    return suite;
}
