// Assignments: what a file gives, the message for each mistake, what a late hand-in costs, and how
// a course is narrowed.
#include "exercise/assignment.h"

#include "scratch.h"
#include "suite.h"

#define HEAD    "title = Homework\n"
#define PARTS   "[exercises]\nnaive =\n"
#define DUE     "due = 2026-12-01T23:59:00+01:00\n"
#define DUE_AT  1796165940
#define DAY     86400
#define EXAMPLE "lessons/assignments/hw.ini"

// Two exercises: 20 points, 5 of them for speed; 40 points, 10 for speed.
static struct course *course_make(void) {
    struct course *course = calloc(1, sizeof *course);
    ck_assert_ptr_nonnull(course);
    course->exercise_count = 3;
    course->exercises[0] =
        (struct exercise){.name = "naive", .number = 1, .points_max = 20000, .speed_points = 5000};
    course->exercises[1] =
        (struct exercise){.name = "tiled", .number = 2, .points_max = 40000, .speed_points = 10000};
    course->exercises[2] =
        (struct exercise){.name = "last", .number = 12, .points_max = 1000, .speed_points = 0};
    return course;
}

static enum status read_text(struct course *course, const char *text, struct assignment *assignment,
                             struct error *err) {
    struct scratch scratch = scratch_make();
    char path[PATH_BYTES_MAX];
    scratch_write(&scratch, EXAMPLE, text, path);
    (void)snprintf(course->root, sizeof course->root, "%s", scratch.folder);
    enum status status = assignment_read(course, "hw", assignment, err);
    size_t length = strlen(scratch.folder) + 1;
    if (status && strncmp(err->text, scratch.folder, length - 1) == 0) {
        memmove(err->text, err->text + length, strlen(err->text + length) + 1);
    }
    scratch_remove(&scratch);
    return status;
}

static struct assignment read_good(const char *text) {
    struct course *course = course_make();
    struct assignment assignment;
    struct error err = {.text = ""};
    ck_assert_msg(!read_text(course, text, &assignment, &err), "%s", err.text);
    course_free(course);
    return assignment;
}

START_TEST(every_key_is_read) {
    struct assignment hw =
        read_good(HEAD DUE "late_percent = 10\ngrace_days = 2\nfeedback = verdicts\n"
                           "show_reference = after_due\n[exercises]\ntiled = 30\nnaive =\n");
    ck_assert_str_eq(hw.name, "hw");
    ck_assert_str_eq(hw.title, "Homework");
    ck_assert_str_eq(hw.due_text, "2026-12-01T23:59:00+01:00");
    ck_assert_int_eq(hw.due, DUE_AT);
    ck_assert_int_eq(hw.late_percent, 10);
    ck_assert_int_eq(hw.grace_days, 2);
    ck_assert_int_eq(hw.feedback, FEEDBACK_VERDICTS);
    ck_assert_int_eq(hw.show_reference, REFERENCE_AFTER_DUE);
    ck_assert_int_eq(hw.part_count, 2);
    ck_assert_str_eq(hw.parts[0].name, "tiled");
    ck_assert_int_eq(hw.parts[0].points_max, 30000);
    ck_assert_int_eq(hw.parts[0].speed_points, 7500);
    ck_assert_int_eq(hw.parts[1].points_max, 20000);
    ck_assert_int_eq(hw.parts[1].speed_points, 5000);
}
END_TEST

START_TEST(only_title_and_exercises_are_needed) {
    struct assignment hw = read_good(HEAD PARTS);
    ck_assert_int_eq(hw.due, MOMENT_NONE);
    ck_assert_int_eq(hw.feedback, FEEDBACK_FULL);
    ck_assert_int_eq(hw.show_reference, REFERENCE_NEVER);
}
END_TEST

// Of a lesson with an exercise, of one without, and of a bug.
START_TEST(questions_are_given_to_the_course) {
    static const char *const pages[] = {"lessons/020_tiled", "lessons/000_machine",
                                        ASSIGNMENT_BUGS "/lost"};
    struct scratch scratch = scratch_make();
    struct course *course = course_make();
    struct assignment hw;
    struct error err = {.text = ""};
    char path[PATH_BYTES_MAX];
    char name[64];
    for (size_t i = 0; i < 3; i++) {
        (void)snprintf(name, sizeof name, "%s/" QUESTIONS_PAGE, pages[i]);
        scratch_write(&scratch, name, "## A\n", path);
    }
    scratch_write(&scratch, ASSIGNMENT_BUGS "/lost/tiled.cu", "", path);
    scratch_write(&scratch, EXAMPLE,
                  HEAD "points = 10\n[exercises]\ntiled = 2\n[questions]\ntiled = 1\nmachine = 1\n"
                       "[bugs]\nlost = 2\n",
                  path);
    (void)snprintf(course->root, sizeof course->root, "%s", scratch.folder);
    ck_assert_msg(!assignment_read(course, "hw", &hw, &err), "%s", err.text);
    assignment_narrow(&hw, course);
    ck_assert_int_eq(course->exercises[0].points_max, 3333);
    ck_assert_int_eq(course->page_count, 3);
    for (size_t i = 0; i < 3; i++) {
        ck_assert_str_eq(course->pages[i].folder, pages[i]);
        ck_assert_int_eq(course->pages[i].is_bug, i == 2);
        ck_assert_str_eq(course->pages[i].exercise, i == 2 ? "tiled" : "");
    }
    ck_assert_int_eq(course_answer_points(course), 6667);
    scratch_write(&scratch, EXAMPLE, HEAD PARTS "[questions]\ntiled = 1\n", path);
    course_free(course);
    course = course_make();
    (void)snprintf(course->root, sizeof course->root, "%s", scratch.folder);
    ck_assert_int_eq(assignment_read(course, "hw", &hw, &err), STATUS_BAD_DATA);
    ck_assert(strstr(err.text, ":5: 'tiled' is not in [exercises], so its questions cannot be"));
    scratch_remove(&scratch);
    course_free(course);
}
END_TEST

START_TEST(weights_share_the_points_of_the_whole) {
    struct assignment hw =
        read_good(HEAD "points = 100\n[exercises]\nnaive = 1\ntiled = 1\nlast = 1\n");
    ck_assert_int_eq(hw.parts[0].points_max, 33333);
    ck_assert_int_eq(hw.parts[1].points_max, 33333);
    ck_assert_int_eq(hw.parts[2].points_max, 33334);
    ck_assert_int_eq(hw.parts[1].speed_points, 8333);
    ck_assert_int_eq(hw.parts[2].speed_points, 0);
}
END_TEST

static const struct {
    const char *text;
    const char *message;
} bad_files[] = {
    {HEAD "dew = 1\n", EXAMPLE ":2: unknown key 'dew'"},
    {HEAD HEAD, EXAMPLE ":2: duplicate key 'title'"},
    {PARTS, EXAMPLE ":1: key 'title' is missing"},
    {HEAD, EXAMPLE ":1: no exercises are named in [exercises]"},
    {HEAD "due = 2026-12-01T23:59:00\n" PARTS,
     EXAMPLE ":2: bad due '2026-12-01T23:59:00': write a date with its offset from UTC, such as "
             "2026-12-01T23:59:00+01:00"},
    {HEAD DUE "late_percent = 101\n",
     EXAMPLE ":3: bad late_percent '101': write a whole number from 0 to 100"},
    {HEAD "late_percent = 10\n" PARTS,
     EXAMPLE ":1: late_percent needs a due date: add the key 'due'"},
    {HEAD "show_reference = after_due\n" PARTS,
     EXAMPLE ":1: after_due needs a due date: add the key 'due'"},
    {HEAD "feedback = none\n", EXAMPLE ":2: bad feedback 'none' (it can be: full verdicts points)"},
    {HEAD "[exercises]\nnaiv = 1\n", EXAMPLE ":3: there is no exercise 'naiv' in this course"},
    {HEAD PARTS "naive = 1\n", EXAMPLE ":4: duplicate exercise 'naive'"},
    {HEAD "points = 10\n" PARTS,
     EXAMPLE ":4: 'naive' has no weight, which decides its share of 'points'"},
    {HEAD PARTS "[questions]\nnaive = 2\n", EXAMPLE ":5: there are no questions on 'naive'"},
    {HEAD PARTS "[bugs]\nlost = 2\n",
     EXAMPLE ":5: there is no lessons/assignments/bugs/lost with questions.md"},
    {HEAD "[exercise]\n", EXAMPLE ":2: unknown section '[exercise]' (the sections are: [exercises] "
                                  "[questions] [bugs])"},
};

START_TEST(wrong_file_is_named_with_its_line) {
    struct course *course = course_make();
    struct assignment assignment;
    struct error err = {.text = ""};
    ck_assert_int_eq(read_text(course, bad_files[_i].text, &assignment, &err), STATUS_BAD_DATA);
    ck_assert_str_eq(err.text, bad_files[_i].message);
    course_free(course);
}
END_TEST

START_TEST(unknown_assignment_lists_those_that_there_are) {
    struct scratch scratch = scratch_make();
    struct course *course = course_make();
    struct assignment assignment;
    struct error err = {.text = ""};
    char path[PATH_BYTES_MAX];
    scratch_write(&scratch, EXAMPLE, HEAD PARTS, path);
    (void)snprintf(course->root, sizeof course->root, "%s", scratch.folder);
    ck_assert_int_eq(assignment_read(course, "../assignments/hw", &assignment, &err),
                     STATUS_BAD_USAGE);
    ck_assert_str_eq(err.text, "unknown assignment '../assignments/hw' (the assignments are: hw)");
    scratch_remove(&scratch);
    course_free(course);
}
END_TEST

// --- Late ----------------------------------------------------------------------------------------

START_TEST(model_answer_waits_until_no_hand_in_brings_points) {
    struct assignment hw = {.due = DUE_AT, .late_percent = 30, .grace_days = 1};
    int64_t time = 0;
    ck_assert(!assignment_reference_time(&hw, 0, &time));
    hw.show_reference = REFERENCE_AFTER_DUE;
    ck_assert(assignment_reference_time(&hw, 2, &time));
    ck_assert_int_eq(time, DUE_AT + 6 * DAY);  // then 90 % are deducted, and a second later all
    hw.late_percent = 0;
    ck_assert(assignment_reference_time(&hw, 0, &time));
    ck_assert_int_eq(time, DUE_AT + DAY);
    hw.show_reference = REFERENCE_ALWAYS;
    ck_assert(assignment_reference_time(&hw, 0, &time));
    ck_assert_int_eq(time, 0);
}
END_TEST

// --- Narrowing -----------------------------------------------------------------------------------

START_TEST(assignment_leaves_its_exercises_in_the_order_of_the_course) {
    struct course *course = course_make();
    struct assignment hw = read_good(HEAD "[exercises]\nlast = 2\nnaive = 40\n");
    assignment_narrow(&hw, course);
    ck_assert_int_eq(course->exercise_count, 2);
    ck_assert_str_eq(course->exercises[0].name, "naive");
    ck_assert_int_eq(course->exercises[0].points_max, 40000);
    ck_assert_int_eq(course->exercises[0].speed_points, 10000);
    ck_assert_str_eq(course->exercises[1].name, "last");
    course_free(course);
}
END_TEST

static const struct {
    const char *names;
    int count;
    const char *first;  // or the message
} lists[] = {
    {"tiled", 1, "tiled"},
    {"tiled,naive", 2, "naive"},
    {"naive, tiled,naive", 2, "naive"},
    {"naive tiled", 2, "naive"},
    {"2", 1, "tiled"},
    {"02_tiled", 1, "tiled"},
    {"12", 1, "last"},
    {"student/tiled.cu", 1, "tiled"},
    {"tiled.cu", 1, "tiled"},
    {"tild", 0,
     "unknown exercise 'tild': did you mean 'tiled'? (the exercises are: naive tiled last)"},
    {"naive,ninety", 0, "unknown exercise 'ninety' (the exercises are: naive tiled last)"},
    {"3", 0, "unknown exercise '3' (the exercises are: naive tiled last)"},
    {",", 0, "unknown exercise ',' (the exercises are: naive tiled last)"},
};

START_TEST(names_leave_their_exercises) {
    struct course *course = course_make();
    struct error err = {.text = ""};
    enum status status = course_narrow(course, lists[_i].names, &err);
    if (lists[_i].count == 0) {
        ck_assert_int_eq(status, STATUS_BAD_USAGE);
        ck_assert_str_eq(err.text, lists[_i].first);
    } else {
        ck_assert_msg(!status, "%s", err.text);
        ck_assert_int_eq(course->exercise_count, lists[_i].count);
        ck_assert_str_eq(course->exercises[0].name, lists[_i].first);
    }
    course_free(course);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("assignment");
    TCase *test_case = tcase_create("assignment");
    tcase_add_test(test_case, every_key_is_read);
    tcase_add_test(test_case, only_title_and_exercises_are_needed);
    tcase_add_test(test_case, questions_are_given_to_the_course);
    tcase_add_test(test_case, weights_share_the_points_of_the_whole);
    tcase_add_loop_test(test_case, wrong_file_is_named_with_its_line, 0,
                        sizeof bad_files / sizeof bad_files[0]);
    tcase_add_test(test_case, unknown_assignment_lists_those_that_there_are);
    tcase_add_test(test_case, model_answer_waits_until_no_hand_in_brings_points);
    tcase_add_test(test_case, assignment_leaves_its_exercises_in_the_order_of_the_course);
    tcase_add_loop_test(test_case, names_leave_their_exercises, 0, sizeof lists / sizeof lists[0]);
    suite_add_tcase(suite, test_case);
    return suite;
}
