// Exercise files: what is read from a right one, and the message for each kind of mistake.
#include "exercise/exercise.h"

#include "base/words.h"
#include "scratch.h"
#include "suite.h"

#define GOOD                                                                                       \
    "title = Sum of products\npoints = 10\nspeed_points = 2\ntile = 8\n"                           \
    "[cases]\none = 1\nragged = 9x10x11\n[timed]\n2048 = 0.95 0.30\n[counted]\n64 = 0.97 0\n"

static enum status read_text(const char *text, struct exercise *exercise, struct error *err) {
    struct scratch scratch = scratch_make();
    char path[PATH_BYTES_MAX];
    scratch_write(&scratch, "lessons/07_sum/exercise.ini", text, path);
    enum status status = exercise_read(path, exercise, err);
    // the message without the folder, whose name is random
    size_t length = strlen(scratch.folder) + 1;
    if (status && strncmp(err->text, scratch.folder, length - 1) == 0) {
        memmove(err->text, err->text + length, strlen(err->text + length) + 1);
    }
    scratch_remove(&scratch);
    return status;
}

START_TEST(good_file_is_read) {
    struct exercise exercise;
    struct error err;
    ck_assert_int_eq(read_text("; a comment\n# another\n\n" GOOD, &exercise, &err), STATUS_OK);
    ck_assert_str_eq(exercise.name, "sum");
    ck_assert_str_eq(exercise.lesson, "lessons/07_sum");
    ck_assert_int_eq(exercise.number, 7);
    ck_assert_str_eq(exercise.title, "Sum of products");
    ck_assert_int_eq(exercise.points_max, 10000);
    ck_assert_int_eq(exercise.speed_points, 2000);
    ck_assert_int_eq(exercise.tile, 8);
    ck_assert_int_eq(exercise.case_count, 2);
    ck_assert_str_eq(exercise.cases[1].name, "ragged");
    ck_assert_int_eq(exercise.cases[1].size.k, 11);
    ck_assert_int_eq(exercise.timed_count, 1);
    ck_assert_int_eq(exercise.timed[0].size.n, 2048);
    ck_assert_double_eq(exercise.timed[0].zero, 0.30);
    ck_assert_int_eq(exercise.timed[0].weight, 1);
    ck_assert_double_eq(exercise.counted[0].full, 0.97);
}
END_TEST

START_TEST(texts_are_in_the_chosen_language_or_in_english) {
    struct exercise exercise;
    struct error err;
    ck_assert_int_eq(read_text("title.zh = 乘积之和\nlearned = How.\n" GOOD, &exercise, &err),
                     STATUS_OK);
    ck_assert_str_eq(exercise_title(&exercise), "Sum of products");
    texts_use(&texts_zh);
    ck_assert_str_eq(exercise_title(&exercise), "乘积之和");
    ck_assert_str_eq(exercise_learned(&exercise), "How.");
    texts_use(&texts_en);
}
END_TEST

START_TEST(weights_are_read_behind_the_ratios) {
    struct exercise exercise;
    struct error err;
    ck_assert_int_eq(read_text(GOOD "1024 = 0.9 0.5 7\n128 = 0.9   0.5  \n", &exercise, &err),
                     STATUS_OK);
    ck_assert_int_eq(exercise.counted_count, 3);
    ck_assert_int_eq(exercise.counted[1].weight, 7);
    ck_assert_int_eq(exercise.counted[2].weight, 1);
}
END_TEST

START_TEST(carriage_returns_and_no_last_line_end_are_fine) {
    struct exercise exercise;
    struct error err;
    ck_assert_int_eq(
        read_text("title = T\r\npoints = 1\r\ntile = 1\r\nspeed_points = 0\r\n[cases]\r\n"
                  "one = 1x1x1\r\nragged = 3",
                  &exercise, &err),
        STATUS_OK);
    ck_assert_str_eq(exercise.title, "T");
}
END_TEST

#define PATH "lessons/07_sum/exercise.ini"

static const struct {
    const char *text;
    const char *message;
} bad_files[] = {
    {"title = T\ntyle = 8\n", PATH ":2: unknown key 'tyle'"},
    {"Title = T\n", PATH ":1: unknown key 'Title'"},
    {"title = T\n\ntitle = U\n", PATH ":3: duplicate key 'title'"},
    {"points = 40 ; whole\n", PATH ":1: a comment must be on a line of its own"},
    {"points = 4.5\n", PATH ":1: bad points '4.5': write a whole number from 1 to 10000"},
    {"points = -1\n", PATH ":1: bad points '-1': write a whole number from 1 to 10000"},
    {"points =\n", PATH ":1: bad points '': write a whole number from 1 to 10000"},
    {"tile = 0\n", PATH ":1: bad tile '0': write a whole number from 1 to 256"},
    {"tile = 257\n", PATH ":1: bad tile '257': write a whole number from 1 to 256"},
    {"title =\n", PATH ":1: the title must have 1 to 79 bytes"},
    {"title = T\nwhat is this\n", PATH ":2: expected `name = value`"},
    {"title = T\n  more\n", PATH ":2: a line must not begin with a blank"},
    {"[case]\none = 1\n",
     PATH ":1: unknown section '[case]' (the sections are: [parameters] [inputs] "
          "[work] [cases] [timed] [counted])"},
    {"[cases]\none = 1\none = 1\n", PATH ":3: duplicate case 'one'"},
    {"[cases]\nOne = 1\n", PATH ":2: bad case name 'One': use lower-case letters, digits and _"},
    {"[cases]\none = 2\n", PATH ":2: case 'one' must be 1x1x1, not '2'"},
    {"[cases]\nbig = 99999\n",
     PATH ":2: bad size '99999': write MxNxK, such as 67x33x129, each from 1 to 16384"},
    {"[cases]\nbig = 512\n", PATH ":2: case 'big' is too large to run on any device: its work is "
                                  "134217728, and the limit is 100000000"},
    {"[timed]\n64 = 0.98 0.3\n",
     PATH ":2: the ratio `full` is 0.98; it must be above 0 and at most 0.97"},
    {"[timed]\n64 = nan 0.3\n",
     PATH ":2: the ratio `full` is nan; it must be above 0 and at most 0.97"},
    {"[timed]\n64 = 0.5 0.5\n",
     PATH ":2: the ratio `zero` is 0.5; it must be at least 0 and below `full`"},
    {"[timed]\n64 = 0.5 nan\n",
     PATH ":2: the ratio `zero` is nan; it must be at least 0 and below `full`"},
    {"[counted]\n64 = 0.5\n", PATH ":2: bad ratios '0.5': write `full zero`, such as 0.95 0.30"},
    {"[counted]\n64 = 0.5 0.1\n64x64x64 = 0.5 0.1\n", PATH ":3: duplicate size '64x64x64'"},
    {"[timed]\n64 = 0.5 0.1 0\n", PATH ":2: bad weight '0': write a whole number from 1 to 100"},
    {"[timed]\n64 = 0.5 0.1 1 2\n",
     PATH ":2: bad weight '1 2': write a whole number from 1 to 100"},
    {"[timed]\n64 = 0.5 0.1x\n",
     PATH ":2: bad ratios '0.5 0.1x': write `full zero`, such as 0.95 0.30"},
    {"[timed]\n64 = 0.5 0.1 1.5\n",
     PATH ":2: bad weight '1.5': write a whole number from 1 to 100"},
    {"[counted]\n64 = 0.5 0.1\n1025 = 0.5 0.1\n",
     PATH ":3: size '1025' is too large to count on the CPU; the limit is the work of "
          "1024x1024x1024"},
    {"before = Tiled\n", PATH ":1: bad before 'Tiled': write the name of an exercise"},
    {"before = a\nbefore = b\n", PATH ":2: duplicate key 'before'"},
    {"precision = fp64\n", PATH ":1: bad precision 'fp64' (it can be: fp32 tf32 fp16)"},
    {"multiprocessors = 0\n",
     PATH ":1: bad multiprocessors '0': write a whole number from 1 to 1024"},
    {"against = cutlass\n", PATH ":1: bad against 'cutlass': write cublas"},
    {"kind = kernel\n", PATH ":1: bad kind 'kernel': write program"},
    {"title = T\npoints = 1\nspeed_points = 0\ntile = 8\nkind = program\n[cases]\none = 1\n",
     PATH ":1: `kind = program`: it needs `sizes` and [parameters]"},
    {"title = T\npoints = 1\nspeed_points = 1\ntile = 8\nkind = program\nsizes = N\n", PATH
     ":1: `kind = program`: its speed is not judged: write `speed_points = 0`, without [timed] "
     "and [counted]"},
    {"title = T\npoints = 1\nspeed_points = 0\ntile = 8\nkind = program\nsizes = N\ndevice = "
     "gpu\n",
     PATH ":1: `kind = program`: it runs on the CPU device: remove `device`"},
    {"", PATH ":1: key 'title' is missing"},
    {"title = T\npoints = 1\nspeed_points = 0\ntile = 8\n[cases]\none = 1\n",
     PATH ":1: case 'ragged' is missing in [cases]"},
    {"title = T\npoints = 1\nspeed_points = 0\ntile = 8\n[cases]\nragged = 9\n",
     PATH ":1: case 'one' is missing in [cases]"},
    {"title = T\npoints = 1\nspeed_points = 0\ntile = 8\n[cases]\nragged = 9x16x9\none = 1\n",
     PATH ":6: case 'ragged' has a size that is a multiple of the tile size, 8"},
    {"title = T\npoints = 1\nspeed_points = 2\ntile = 8\n[cases]\nragged = 9\none = 1\n",
     PATH ":3: speed_points exceed points, which include them"},
    {"title = T\npoints = 2\nspeed_points = 2\ntile = 8\n[cases]\nragged = 9\none = 1\n[timed]\n8 "
     "= 0.5 0.1\n",
     PATH ":3: speed_points require a size in [counted]"},
};

START_TEST(wrong_file_is_named_with_its_line) {
    struct exercise exercise;
    struct error err = {.text = ""};
    ck_assert_int_eq(read_text(bad_files[_i].text, &exercise, &err), STATUS_BAD_DATA);
    ck_assert_str_eq(err.text, bad_files[_i].message);
}
END_TEST

START_TEST(line_that_is_too_long_is_no_other_line) {
    char text[600] = "title = ";
    struct exercise exercise;
    struct error err;
    memset(text + 8, 'x', 500);
    ck_assert_int_eq(read_text(text, &exercise, &err), STATUS_BAD_DATA);
    ck_assert_str_eq(err.text, PATH ":1: the line has more than 197 characters");
}
END_TEST

START_TEST(folder_name_must_have_number_and_name) {
    static const char *const folders[] = {"sum", "7_sum",   "07-sum", "07_Sum",
                                          "07_", "07_2sum", "0070_s"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char path[PATH_BYTES_MAX];
        struct exercise exercise;
        struct error err;
        ck_assert_int_eq(path_make(path, NULL, "lessons/%s/exercise.ini", folders[i]), STATUS_OK);
        ck_assert_int_eq(exercise_read(path, &exercise, &err), STATUS_BAD_DATA);
        ck_assert_ptr_nonnull(strstr(err.text, "the folder must have a name like 020_tiled"));
    }
}
END_TEST

START_TEST(course_is_in_order_of_number) {
    struct scratch scratch = scratch_make();
    char path[PATH_BYTES_MAX];
    struct course *course = NULL;
    scratch_write(&scratch, "lessons/10_last/exercise.ini", GOOD, path);
    scratch_write(&scratch, "lessons/02_second/exercise.ini", GOOD, path);
    scratch_write(&scratch, "lessons/01_first/exercise.ini", GOOD, path);
    scratch_write(&scratch, "lessons/reading/lesson.md", "no exercise\n", path);
    ck_assert_int_eq(course_open(scratch.folder, &course, NULL), STATUS_OK);
    ck_assert_int_eq(course->exercise_count, 3);
    ck_assert_str_eq(course->exercises[0].name, "first");
    ck_assert_str_eq(course->exercises[2].name, "last");
    ck_assert_ptr_eq(course_find(course, "second"), &course->exercises[1]);
    ck_assert_ptr_null(course_find(course, "secon"));
    course_free(course);
    scratch_remove(&scratch);
}
END_TEST

static const struct {
    const char *first;  // the folders of the lessons
    const char *second;
    const char *typed;
    int place;  // -1: none
} numbers[] = {
    {"01_first", "02_second", "2", 1},     {"01_first", "02_second", "02", 1},
    {"01_first", "20_second", "2", -1},    {"02_first", "20_second", "2", 0},
    {"005_first", "050_second", "5", 1},   {"005_first", "050_second", "05", 1},
    {"005_first", "050_second", "005", 0}, {"005_first", "050_second", "50", 1},
    {"010_first", "100_second", "10", 0},  {"010_first", "020_second", "3", -1},
    {"010_first", "020_second", "x", -1},  {"010_first", "020_second", "0000000000000010", -1},
};

START_TEST(number_as_people_type_it) {
    struct scratch scratch = scratch_make();
    char path[PATH_BYTES_MAX];
    char name[PATH_BYTES_MAX];
    struct course *course = NULL;
    struct error err = {.text = ""};
    (void)snprintf(name, sizeof name, "lessons/%s/exercise.ini", numbers[_i].first);
    scratch_write(&scratch, name, GOOD, path);
    (void)snprintf(name, sizeof name, "lessons/%s/exercise.ini", numbers[_i].second);
    scratch_write(&scratch, name, GOOD, path);
    ck_assert_msg(!course_open(scratch.folder, &course, &err), "%s", err.text);
    const struct exercise *found = course_numbered(course, numbers[_i].typed);
    ck_assert_int_eq(found ? found - course->exercises : -1, numbers[_i].place);
    course_free(course);
    scratch_remove(&scratch);
}
END_TEST

START_TEST(lesson_without_exercise_file_is_refused) {
    struct scratch scratch = scratch_make();
    char path[PATH_BYTES_MAX];
    struct course *course = NULL;
    struct error err;
    scratch_write(&scratch, "lessons/01_first/exercise.ini", GOOD, path);
    scratch_write(&scratch, "lessons/05_reading/lesson.md", "no exercise\n", path);
    ck_assert_int_eq(course_open(scratch.folder, &course, &err), STATUS_BAD_DATA);
    ck_assert_ptr_nonnull(strstr(err.text, "lessons/05_reading/exercise.ini is missing"));
    scratch_remove(&scratch);
}
END_TEST

START_TEST(two_of_one_number_or_name_are_refused) {
    static const char *const twins[][3] = {
        {"lessons/01_b/exercise.ini", "lessons/01_a/exercise.ini",
         "lessons/01_a and lessons/01_b have the same number"},
        {"lessons/01_a/exercise.ini", "lessons/02_a/exercise.ini",
         "lessons/01_a and lessons/02_a have the same name"}};
    for (size_t i = 0; i < 2; i++) {
        struct scratch scratch = scratch_make();
        char path[PATH_BYTES_MAX];
        struct course *course = NULL;
        struct error err;
        scratch_write(&scratch, twins[i][0], GOOD, path);
        scratch_write(&scratch, twins[i][1], GOOD, path);
        ck_assert_int_eq(course_open(scratch.folder, &course, &err), STATUS_BAD_DATA);
        ck_assert_str_eq(err.text, twins[i][2]);
        scratch_remove(&scratch);
    }
}
END_TEST

START_TEST(what_does_not_apply_may_be_left_out) {
    struct exercise exercise;
    struct error err;
    ck_assert_int_eq(read_text(GOOD, &exercise, &err), STATUS_OK);
    ck_assert_str_eq(exercise.before, "");
    ck_assert_int_eq(exercise.precision, PRECISION_FP32);
    ck_assert(!exercise.against_cublas);
    ck_assert_int_eq(exercise.multiprocessors, 0);
    ck_assert_int_eq(exercise.largest, 0);
    ck_assert_int_eq(read_text("before = other_one\nprecision = tf32\nagainst = cublas\n"
                               "multiprocessors = 132\nlargest = 4000000\n" GOOD,
                               &exercise, &err),
                     STATUS_OK);
    ck_assert(exercise.against_cublas);
    ck_assert_int_eq(exercise.multiprocessors, 132);
    ck_assert_int_eq(exercise.largest, 4000000);
    ck_assert_str_eq(exercise.before, "other_one");
    ck_assert_int_eq(exercise.precision, PRECISION_TF32);
}
END_TEST

START_TEST(the_step_before_is_an_earlier_exercise) {
    static const char *const befores[][3] = {
        {"before = first\n" GOOD, ""},
        // A handout, which has no references, may have some of the exercises.
        {"before = other\n" GOOD, ""},
        {"before = other\n" GOOD,
         "lessons/02_second/exercise.ini: before = other, but there is no such exercise",
         "reference/first.cu"},
        {"before = second\n" GOOD,
         "lessons/02_second/exercise.ini: before = second, which is not an earlier exercise"},
    };
    for (size_t i = 0; i < sizeof befores / sizeof *befores; i++) {
        struct scratch scratch = scratch_make();
        char path[PATH_BYTES_MAX];
        struct course *course = NULL;
        struct error err = {.text = ""};
        scratch_write(&scratch, "lessons/01_first/exercise.ini", GOOD, path);
        scratch_write(&scratch, "lessons/02_second/exercise.ini", befores[i][0], path);
        if (befores[i][2]) {
            scratch_write(&scratch, befores[i][2], "", path);
        }
        enum status status = course_open(scratch.folder, &course, &err);
        ck_assert_int_eq(status, befores[i][1][0] == '\0' ? STATUS_OK : STATUS_BAD_DATA);
        ck_assert_str_eq(err.text, befores[i][1]);
        course_free(course);
        scratch_remove(&scratch);
    }
}
END_TEST

SUITE() {
    Suite *suite = suite_create("exercise");
    TCase *tests = tcase_create("exercise");
    tcase_add_test(tests, good_file_is_read);
    tcase_add_test(tests, texts_are_in_the_chosen_language_or_in_english);
    tcase_add_test(tests, weights_are_read_behind_the_ratios);
    tcase_add_test(tests, carriage_returns_and_no_last_line_end_are_fine);
    tcase_add_loop_test(tests, wrong_file_is_named_with_its_line, 0,
                        (int)(sizeof bad_files / sizeof *bad_files));
    tcase_add_test(tests, line_that_is_too_long_is_no_other_line);
    tcase_add_test(tests, folder_name_must_have_number_and_name);
    tcase_add_test(tests, course_is_in_order_of_number);
    tcase_add_loop_test(tests, number_as_people_type_it, 0, sizeof numbers / sizeof *numbers);
    tcase_add_test(tests, lesson_without_exercise_file_is_refused);
    tcase_add_test(tests, what_does_not_apply_may_be_left_out);
    tcase_add_test(tests, the_step_before_is_an_earlier_exercise);
    tcase_add_test(tests, two_of_one_number_or_name_are_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
