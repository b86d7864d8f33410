// What answers are computed from: counters and accesses as result.json has them.  How much a repair
// changes.
#include "judge/answers/judge_answers.h"

#include "suite.h"

#define COUNTS                                                                                     \
    "'kernel': {'product': true},"                                                                 \
    "'counts': {'size': [64, 32, 16], 'shared_load_wavefronts': 2048,"                             \
    "'shared_load_joined': 1536, 'global_load_wavefronts': 256},"                                  \
    "'estimate': {'student': {'registers': 40, 'occupancy': 0.75}}"

// Two places load from B and one stores; threads are 16 x 2.  By the second, thread (x,y) loads
// B[16 + y][x], after a loop of 4 that does not change the thread.
#define MAPS                                                                                       \
    "'maps': {'list': [{'threads': [16, 2, 1], 'arrays': ["                                        \
    "{'name': 'A', 'element_bytes': 4, 'extent': [64, 16]},"                                       \
    "{'name': 'B', 'element_bytes': 4, 'extent': [64, 32]}],"                                      \
    "'accesses': [[0, 'store', 1, 7, 4, 0, 0, [[16, 1, 4]]],"                                      \
    "[0, 'load', 1, 8, 4, 0, 0, [[16, 1, 4]]],"                                                    \
    "[1, 'load', 1, 8, 4, 0, 2048, [[4, 0, 512], [16, 1, 4], [2, 16, 128]]]]}]}"

static json_t *exercise_of(const char *text) {
    char json[2048];
    (void)snprintf(json, sizeof json, "{%s}", text);
    for (char *at = json; *at != '\0'; at++) {
        *at = *at == '\'' ? '"' : *at;
    }
    json_t *exercise = json_loads(json, 0, NULL);
    ck_assert_ptr_nonnull(exercise);
    return exercise;
}

static double number_of(const json_t *exercise, const char *name) {
    struct question_kernel kernel;
    double number = -1.0;
    ck_assert(answers_kernel_of(exercise, &kernel));
    ck_assert(kernel.number(kernel.context, name, &number));
    return number;
}

START_TEST(numbers_are_those_of_the_result) {
    json_t *exercise = exercise_of(COUNTS);
    ck_assert_double_eq(number_of(exercise, "products"), 64 * 32 * 16 / 32);
    ck_assert_double_eq(number_of(exercise, "shared_load_wavefronts"), 2048);
    ck_assert_double_eq(number_of(exercise, "p"), 1.75);  // it stores nothing to shared memory
    ck_assert_double_eq(number_of(exercise, "registers"), 40);
    ck_assert_double_eq(number_of(exercise, "occupancy"), 75);
    ck_assert_double_eq(number_of(exercise, "global_load_sectors"), 0);  // it has none
    json_decref(exercise);
    exercise = exercise_of("'kernel': {'product': false}, 'counts': {'size': [64]}");
    ck_assert_double_eq(number_of(exercise, "products"), 0);
    ck_assert_double_eq(number_of(exercise, "p"), 0);
    json_decref(exercise);
}
END_TEST

START_TEST(kernel_without_counts_is_not_known) {
    struct question_kernel kernel;
    json_t *exercise = exercise_of("'kernel': {'product': true}");
    ck_assert(!answers_kernel_of(exercise, &kernel));
    ck_assert(!answers_kernel_of(NULL, &kernel));
    json_decref(exercise);
}
END_TEST

START_TEST(place_is_found_by_thread_and_time) {
    static const struct {
        const char *array;
        int x, y, time;
        bool found;
        long row, column;
    } places[] = {{"B", 5, 0, 0, true, 0, 5},  {"B", 5, 0, 1, true, 16, 5},
                  {"B", 5, 1, 0, true, 17, 5},  // the first place is of row 0 of the block alone
                  {"B", 5, 0, 2, false, 0, 0}, {"A", 5, 0, 0, false, 0, 0},
                  {"C", 5, 0, 0, false, 0, 0}};
    json_t *exercise = exercise_of(COUNTS "," MAPS);
    struct question_kernel kernel;
    ck_assert(answers_kernel_of(exercise, &kernel));
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct question_value value;
        ck_assert_int_eq(kernel.place(kernel.context, places[i].array, places[i].x, places[i].y,
                                      places[i].time, &value),
                         places[i].found);
        if (places[i].found) {
            ck_assert_int_eq(value.rank, 2);
            ck_assert_int_eq(value.index[0], places[i].row);
            ck_assert_int_eq(value.index[1], places[i].column);
        }
    }
    json_decref(exercise);
}
END_TEST

START_TEST(changed_lines_are_counted_once) {
    static const struct {
        const char *after;
        int changed;
    } texts[] = {{"a\nb\nc\n", 0}, {" a\r\n\nb \n\tc", 0}, {"a\nx\nc\n", 1}, {"a\nb\nx\nc\n", 1},
                 {"a\nc\n", 1},    {"x\ny\nz\n", 3},       {"", 3}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ck_assert_int_eq(answers_lines_changed("a\nb\nc\n", texts[i].after), texts[i].changed);
    }
}
END_TEST

SUITE() {
    Suite *suite = suite_create("answers_kernel");
    TCase *tcase = tcase_create("answers_kernel");
    tcase_add_test(tcase, numbers_are_those_of_the_result);
    tcase_add_test(tcase, kernel_without_counts_is_not_known);
    tcase_add_test(tcase, place_is_found_by_thread_and_time);
    tcase_add_test(tcase, changed_lines_are_counted_once);
    suite_add_tcase(suite, tcase);
    return suite;
}
