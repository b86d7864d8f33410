// What students and instructors read.
#include "app/terminal/terminal.h"

#include <stdlib.h>
#include <string.h>

#include "exercise/exercise.h"
#include "suite.h"

static char *text;
static size_t text_bytes;

static struct terminal open_terminal(bool colors) {
    struct terminal terminal = {.out = open_memstream(&text, &text_bytes),
                                .colors = colors,
                                .folder = "student",
                                .root = ".",
                                .options = " SEED=ff"};
    ck_assert_ptr_nonnull(terminal.out);
    return terminal;
}

static void closed_text_is(const struct terminal *terminal, const char *expected) {
    (void)fclose(terminal->out);
    ck_assert_str_eq(text, expected);
    free(text);
}

static const struct exercise exercise = {.name = "tiled", .lesson = "lessons/020_tiled"};

static const struct {
    const char *text;
    const char *clean;
} dirty[] = {
    {"plain", "plain"},
    {"a\tb", "a b"},
    {"a\nb", "a\nb"},
    {"\033[31mred\033[0m", "red"},
    {"\033]0;title\007x", "x"},
    {"\033]0;never ends", ""},
    {"\033", ""},
    {"\033[", ""},
    {"\033[12", ""},
    {"\033cx", "x"},
    {"a\rb\bc\177d", "a?b?c?d"},
    {"\xc2\x9b"
     "31m",
     "?31m"},
    {"\u202ex\xff", "?x?"},
    // Commands of CI systems, and near misses.
    {"a ##[error]b", "a ##?error]b"},
    {"###[group]##vso[task]", "###?group]##vso?task]"},
    {"#[a] ## [b] a ## b[0] #define f(x) x##y", "#[a] ## [b] a ## b[0] #define f(x) x##y"},
    {"gr\xc3\xb6\xc3\x9f", "gr\xc3\xb6\xc3\x9f"},
};

START_TEST(foreign_text_is_cleaned) {
    char clean[64];
    terminal_clean(dirty[_i].text, clean, sizeof clean);
    ck_assert_str_eq(clean, dirty[_i].clean);
}
END_TEST

START_TEST(clean_text_is_cut_at_its_room) {
    char clean[4];
    terminal_clean("abcdef", clean, sizeof clean);
    ck_assert_str_eq(clean, "abc");
}
END_TEST

START_TEST(text_is_wrapped_at_80_columns) {
    struct terminal terminal = open_terminal(false);
    terminal_wrap(&terminal, 2,
                  "aaaa aaaa aaaa aaaa aaaa aaaa aaaa aaaa aaaa aaaa aaaa aaaa aaaa aaaa aaaa aa "
                  "bbbb\n\nnew");
    closed_text_is(&terminal,
                   "  aaaa aaaa aaaa aaaa aaaa aaaa aaaa aaaa aaaa aaaa aaaa aaaa aaaa aaaa "
                   "aaaa aa\n  bbbb\n\n  new\n");
}
END_TEST

START_TEST(colors_only_where_asked_for) {
    struct terminal terminal = open_terminal(true);
    terminal_color(&terminal, COLOR_RED, "x%d", 1);
    closed_text_is(&terminal, "\033[1;31mx1\033[0m");
    terminal = open_terminal(false);
    terminal_color(&terminal, COLOR_RED, "x%d", 1);
    closed_text_is(&terminal, "x1");
}
END_TEST

// One race in an exercise, printed.
static void race_prints(struct judged_finding race, bool colors, const char *expected) {
    struct exercise_result *result = calloc(1, sizeof *result);
    ck_assert_ptr_nonnull(result);
    *result = (struct exercise_result){
        .exercise = &exercise, .verdict = VERDICT_RACE, .why.repeat_size = {1, 2, 3}};
    race.finding.kind = FINDING_RACE;
    race.finding.severity = SEVERITY_ERROR;
    race.size = (struct size){1, 2, 3};
    (void)snprintf(race.message, sizeof race.message, "It races. It was in the first block.");
    result->findings.list[result->findings.count++] = race;
    struct terminal terminal = open_terminal(colors);
    terminal_exercise(&terminal, result);
    closed_text_is(&terminal, expected);
    free(result);
}

START_TEST(accesses_are_underlined_between_what_and_who) {
    struct judged_finding race = {.finding = {.line = 25, .other_line = 19, .count = 7},
                                  .shown.column = 20,
                                  .shown.mark = {7, 9},
                                  .other_shown.mark = {0, 10}};
    (void)snprintf(race.shown.text, sizeof race.shown.text, "acc += As[ty][k];");
    (void)snprintf(race.other_shown.text, sizeof race.other_shown.text, "As[ty][tx] = a;");
    race_prints(race, false,
                "student/tiled.cu:25:20: data race\n"
                "  It races.\n"
                "     25 | acc += As[ty][k];\n"
                "        |        ^^^^^^^^^\n"
                "     19 | As[ty][tx] = a;\n"
                "        | ^^^^^^^^^^\n"
                "  It was in the first block.\n"
                "  where   size 1x2x3\n"
                "  read    lessons/verdicts.md#race\n"
                "  again   make test EX=tiled SIZE=1x2x3 SEED=ff\n\n");
}
END_TEST

START_TEST(two_accesses_of_one_line_share_their_marks) {
    struct judged_finding race = {.finding = {.line = 9, .other_line = 9, .count = 1},
                                  .shown.mark = {8, 8},
                                  .other_shown.mark = {0, 4}};
    (void)snprintf(race.shown.text, sizeof race.shown.text, "p[i] += p[i + d];");
    (void)snprintf(race.other_shown.text, sizeof race.other_shown.text, "p[i] += p[i + d];");
    race_prints(race, true,
                "\033[1mstudent/tiled.cu:9: \033[0m\033[1;31mdata race\033[0m\n"
                "  It races.\n"
                "      9 | p[i] += p[i + d];\n"
                "        | \033[1;31m^^^^    ^^^^^^^^\033[0m\n"
                "  It was in the first block.\n"
                "  where   size 1x2x3\n"
                "  read    lessons/verdicts.md#race\n"
                "  again   make test EX=tiled SIZE=1x2x3 SEED=ff\n\n");
}
END_TEST

START_TEST(a_mark_far_right_is_moved_into_sight) {
    struct judged_finding race = {.finding = {.line = 9, .count = 1}, .shown.mark = {80, 4}};
    memset(race.shown.text, 'x', 100);
    memcpy(race.shown.text + 80, "B[k]", 4);
    race_prints(race, false,
                "student/tiled.cu:9: data race\n"
                "  It races.\n"
                "      9 | …"
                "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxB[k]…\n"
                "        |                                                                  "
                "^^^^\n"
                "  It was in the first block.\n"
                "  where   size 1x2x3\n"
                "  read    lessons/verdicts.md#race\n"
                "  again   make test EX=tiled SIZE=1x2x3 SEED=ff\n\n");
}
END_TEST

START_TEST(race_shows_both_lines_and_how_to_repeat_it) {
    struct exercise_result *result = calloc(1, sizeof *result);
    ck_assert_ptr_nonnull(result);
    *result = (struct exercise_result){.exercise = &exercise,
                                       .verdict = VERDICT_RACE,
                                       .complete = true,
                                       .why.headline = "not shown",
                                       .why.repeat_size = {1, 2, 3},
                                       .findings.count = 2};
    // the first finding is not a race
    result->findings.list[0].finding =
        (struct finding){.kind = FINDING_EXITED_BEFORE_BARRIER, .severity = SEVERITY_WARNING};
    struct judged_finding *race = &result->findings.list[1];
    race->finding = (struct finding){.kind = FINDING_RACE,
                                     .severity = SEVERITY_ERROR,
                                     .line = 25,
                                     .other_line = 19,
                                     .block = {1, 2, 0},
                                     .thread = {3, 4, 0},
                                     .other_thread = {5, 6, 0}};
    race->size = (struct size){1, 2, 3};
    (void)snprintf(race->message, sizeof race->message, "As[0][0] is read \033[2Jand stored.");
    (void)snprintf(race->lesson, sizeof race->lesson, "lessons/verdicts.md#race");
    (void)snprintf(race->shown.text, sizeof race->shown.text, "acc += As[ty][k];");
    (void)snprintf(race->other_shown.text, sizeof race->other_shown.text, "As[ty][tx] = a;");
    struct terminal terminal = open_terminal(false);
    terminal_exercise(&terminal, result);
    closed_text_is(&terminal,
                   "student/tiled.cu:25: data race\n"
                   "  As[0][0] is read and stored.\n"
                   "     25 | acc += As[ty][k];\n"
                   "     19 | As[ty][tx] = a;\n"
                   "  where   size 1x2x3, block (1,2,0) thread (3,4,0) and thread (5,6,0)\n"
                   "  read    lessons/verdicts.md#race\n"
                   "  again   make test EX=tiled SIZE=1x2x3 SEED=ff\n\n");
    free(result);
}
END_TEST

START_TEST(wrong_result_says_the_same_sentence_once) {
    struct exercise_result *result = calloc(1, sizeof *result);
    ck_assert_ptr_nonnull(result);
    *result = (struct exercise_result){
        .exercise = &exercise,
        .file = "tiled.cu",
        .verdict = VERDICT_WRONG_RESULT,
        .why.headline = "tiled.cu: size 1x1x1: C[0][0] is 0 and should be 3.",
        .why.detail = "C[0][0] is 0 and should be 3. The term k = 0 is missing.",
        .why.repeat_size = {1, 1, 1}};
    struct terminal terminal = open_terminal(false);
    terminal_exercise(&terminal, result);
    closed_text_is(&terminal, "tiled: wrong result\n"
                              "  C[0][0] is 0 and should be 3.\n"
                              "  The term k = 0 is missing.\n"
                              "  where   size 1x1x1\n"
                              "  read    lessons/verdicts.md#wrong_result\n"
                              "  again   make test EX=tiled SIZE=1x1x1 SEED=ff\n\n");
    free(result);
}
END_TEST

START_TEST(warning_stands_beside_a_pass) {
    struct exercise_result *result = calloc(1, sizeof *result);
    ck_assert_ptr_nonnull(result);
    *result = (struct exercise_result){
        .exercise = &exercise, .verdict = VERDICT_PASS, .cases.count = 2, .findings.count = 2};
    result->cases.list[0].verdict = result->cases.list[1].verdict = VERDICT_PASS;
    result->cases.list[1].size = (struct size){2, 1, 1};
    for (int i = 0; i < 2; i++) {  // both of one kind: the first is enough
        struct judged_finding *judged = &result->findings.list[i];
        judged->finding = (struct finding){
            .kind = FINDING_EXITED_BEFORE_BARRIER, .severity = SEVERITY_WARNING, .line = 7};
        judged->size = (struct size){1, 1, 1};
        (void)snprintf(judged->message, sizeof judged->message, "Gone, in the first block.");
        (void)snprintf(judged->lesson, sizeof judged->lesson, "lessons/verdicts.md#x");
    }
    struct terminal terminal = open_terminal(false);
    terminal_exercise(&terminal, result);
    closed_text_is(&terminal, "tiled: pass (2 of 2 cases)\n"
                              "student/tiled.cu:7: warning: threads exited before a barrier\n"
                              "  Gone, in the first block.\n"
                              "  where   size 1x1x1\n"
                              "  read    lessons/verdicts.md#x\n\n");
    free(result);
}
END_TEST

START_TEST(warning_follows_a_failure_without_a_cause) {
    struct exercise_result *result = calloc(1, sizeof *result);
    ck_assert_ptr_nonnull(result);
    *result = (struct exercise_result){.exercise = &exercise,
                                       .file = "tiled.cu",
                                       .verdict = VERDICT_WRONG_RESULT,
                                       .why.headline = "tiled.cu: size 1x1x1: C[0][0] is 0.",
                                       .why.repeat_size = {1, 1, 1},
                                       .findings.count = 1};
    result->findings.list[0].finding =
        (struct finding){.kind = FINDING_RACE, .severity = SEVERITY_WARNING};
    result->findings.list[0].size = (struct size){1, 1, 1};
    (void)snprintf(result->findings.list[0].message, sizeof result->findings.list[0].message,
                   "Same value, in the first block.");
    struct terminal terminal = open_terminal(false);
    terminal_exercise(&terminal, result);
    closed_text_is(&terminal, "tiled: wrong result\n"
                              "  C[0][0] is 0.\n"
                              "  where   size 1x1x1\n"
                              "  warning: the same value is stored twice\n"
                              "  Same value, in the first block.\n"
                              "  where   size 1x1x1\n"
                              "  read    lessons/verdicts.md#wrong_result\n"
                              "  again   make test EX=tiled SIZE=1x1x1 SEED=ff\n\n");
    free(result);
}
END_TEST

START_TEST(output_of_the_kernel_is_shown_clean) {
    struct exercise_result *result = calloc(1, sizeof *result);
    ck_assert_ptr_nonnull(result);
    *result = (struct exercise_result){.exercise = &exercise,
                                       .verdict = VERDICT_PASS,
                                       .cases.count = 1,
                                       .output.text = "a\033[2J\nb\n",
                                       .output.size = {1, 2, 3}};
    result->cases.list[0].verdict = VERDICT_PASS;
    struct terminal terminal = open_terminal(false);
    terminal_exercise(&terminal, result);
    closed_text_is(&terminal, "tiled: pass (1 of 1 cases)\n"
                              "  the kernel printed (size 1x2x3):\n    \u2502 a\n    \u2502 b\n"
                              "\n");
    free(result);
}
END_TEST

START_TEST(messages_of_the_compiler_can_be_clicked) {
    struct exercise_result *result = calloc(1, sizeof *result);
    ck_assert_ptr_nonnull(result);
    char messages[] = "tiled.cu:4:2: error: bad\n    4 | tiled.cu\n";
    *result = (struct exercise_result){.exercise = &exercise,
                                       .file = "tiled.cu",
                                       .verdict = VERDICT_BUILD_ERROR,
                                       .why.headline = "tiled.cu:4: does not compile: bad",
                                       .why.diagnostics = messages};
    struct terminal terminal = open_terminal(false);
    terminal_exercise(&terminal, result);
    closed_text_is(&terminal, "student/tiled.cu:4: does not compile\n"
                              "  bad\n"
                              "    student/tiled.cu:4:2: error: bad\n"
                              "    \u2502     4 | tiled.cu\n"
                              "  read    lessons/verdicts.md#build_error\n"
                              "  again   make test EX=tiled SEED=ff\n\n");
    free(result);
}
END_TEST

START_TEST(grade_shows_points_without_rounding) {
    struct exercise_result *result = calloc(1, sizeof *result);
    ck_assert_ptr_nonnull(result);
    *result = (struct exercise_result){.exercise = &exercise,
                                       .verdict = VERDICT_PASS,
                                       .complete = true,
                                       .speed.complete = true,
                                       .points = 33501,
                                       .points_max = 40000,
                                       .speed.count = 1};
    result->speed.list = &(struct speed_result){.size = {64, 64, 64},
                                                .verdict = SPEED_MARGINAL,
                                                .ratio = 0.91,
                                                .low = 0.9,
                                                .high = 0.92,
                                                .pairs = 81,
                                                .points = 3501,
                                                .points_max = 10000};
    struct judgement judgement = {.exercise_count = 1,
                                  .exercises = result,
                                  .points = 33501,
                                  .points_max = 40000,
                                  .complete = true,
                                  .device_text = "X1",
                                  .sandbox_text = "none",
                                  .seed_text = "ff"};
    struct terminal terminal = open_terminal(false);
    terminal_grade(&terminal, &judgement);
    closed_text_is(&terminal,
                   "  tiled                  pass                                   33.501 of 40\n"
                   "    64x64x64         marginal time 0.910 (0.900-0.920, 81 pairs)   "
                   " 3.501 of 10\n"
                   "      read lessons/verdicts.md#marginal\n"
                   "  points                 33.501 of 40\n"
                   "  device X1; speed by time; seed ff\n"
                   "  sandbox: none\n");
    free(result);
}
END_TEST

// A judgement of one wrong kernel whose name, title and points are as long as possible.
static void widest_make(struct exercise_result *result, struct judgement *judgement) {
    static const struct exercise wide = {.name = "an_exercise_whose_name_is_as_long_as_they_may_be",
                                         .lesson = "lessons/09_wide"};
    *result = (struct exercise_result){.exercise = &wide,
                                       .file = "wide.cu",
                                       .verdict = VERDICT_BARRIER_DIVERGENCE,
                                       .complete = true,
                                       .points = 100125,
                                       .points_max = 1000000,
                                       .why.headline = "wide.cu:3: not all threads come here.",
                                       .cases.count = 2,
                                       .cases.list = {{.size = {1, 1, 1}, .verdict = VERDICT_PASS},
                                                      {.size = {67, 33, 129},
                                                       .inputs = INPUTS_REAL,
                                                       .device = DEVICE_GPU,
                                                       .verdict = VERDICT_BARRIER_DIVERGENCE}}};
    *judgement = (struct judgement){.exercise_count = 1,
                                    .exercises = result,
                                    .points = 100125,
                                    .points_max = 1000000,
                                    .complete = true,
                                    .device_text = "X1",
                                    .sandbox_text = "none",
                                    .seed_text = "ff"};
}

static char *graded(enum verbosity verbosity) {
    struct exercise_result *result = calloc(1, sizeof *result);
    struct judgement judgement;
    ck_assert_ptr_nonnull(result);
    widest_make(result, &judgement);
    struct terminal terminal = open_terminal(false);
    terminal.verbosity = verbosity;
    terminal_grade(&terminal, &judgement);
    (void)fclose(terminal.out);
    free(result);
    return text;
}

START_TEST(the_widest_table_fits_80_columns) {
    char *shown = graded(VERBOSITY_VERBOSE);
    for (char *line = strtok(shown, "\n"); line; line = strtok(NULL, "\n")) {
        ck_assert_msg(strlen(line) <= TERMINAL_COLUMNS, "%zu columns: %s", strlen(line), line);
    }
    free(shown);
}
END_TEST

START_TEST(quiet_is_verdicts_and_points_alone) {
    char *shown = graded(VERBOSITY_QUIET);
    ck_assert_str_eq(shown, "  an_exercise_whose_name barrier not reached by all threads"
                            "    100.125 of 1000\n"
                            "  points                 100.125 of 1000\n");
    free(shown);
}
END_TEST

START_TEST(verbose_tells_every_case) {
    char *shown = graded(VERBOSITY_VERBOSE);
    ck_assert_ptr_nonnull(strstr(shown, "  1 case: barrier not reached by all threads\n"
                                        "    67x33x129 (real) (GPU)\n"
                                        "  1 case: pass\n"
                                        "    1x1x1\n"));
    free(shown);
}
END_TEST

START_TEST(slow_says_which_work_decided) {
    struct exercise_result *result = calloc(1, sizeof *result);
    ck_assert_ptr_nonnull(result);
    *result = (struct exercise_result){.exercise = &exercise,
                                       .verdict = VERDICT_PASS,
                                       .complete = true,
                                       .speed.complete = true,
                                       .points_max = 10000,
                                       .speed.count = 1};
    result->speed.list = &(struct speed_result){
        .size = {64, 64, 64},
        .verdict = SPEED_SLOW,
        .counted = true,
        .ratio = 0.125,
        .points_max = 10000,
        .counts = {.global_load_sectors = 70, .global_store_sectors = 10, .global_load_bytes = 9},
        .reference_counts = {.global_load_sectors = 10, .global_load_bytes = 8}};
    struct judgement judgement = {.exercise_count = 1,
                                  .exercises = result,
                                  .points_max = 10000,
                                  .complete = true,
                                  .counted = true,
                                  .device_text = "emu",
                                  .sandbox_text = "none",
                                  .seed_text = "ff"};
    struct terminal terminal = open_terminal(false);
    terminal_grade(&terminal, &judgement);
    closed_text_is(
        &terminal,
        "  tiled                  pass                                        0 of 10\n"
        "    64x64x64         slow     work 0.125                                0 of 10\n"
        "      sectors of global memory: 8.0 times the reference's (80 and 10)\n"
        "      read lessons/verdicts.md#slow\n"
        "  points                 0 of 10\n"
        "  device emu; speed by counted work; seed ff\n"
        "  sandbox: none\n");
    free(result);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("terminal");
    TCase *tests = tcase_create("terminal");
    tcase_add_loop_test(tests, foreign_text_is_cleaned, 0, (int)(sizeof dirty / sizeof *dirty));
    tcase_add_test(tests, clean_text_is_cut_at_its_room);
    tcase_add_test(tests, text_is_wrapped_at_80_columns);
    tcase_add_test(tests, colors_only_where_asked_for);
    tcase_add_test(tests, accesses_are_underlined_between_what_and_who);
    tcase_add_test(tests, two_accesses_of_one_line_share_their_marks);
    tcase_add_test(tests, a_mark_far_right_is_moved_into_sight);
    tcase_add_test(tests, race_shows_both_lines_and_how_to_repeat_it);
    tcase_add_test(tests, wrong_result_says_the_same_sentence_once);
    tcase_add_test(tests, warning_stands_beside_a_pass);
    tcase_add_test(tests, warning_follows_a_failure_without_a_cause);
    tcase_add_test(tests, output_of_the_kernel_is_shown_clean);
    tcase_add_test(tests, messages_of_the_compiler_can_be_clicked);
    tcase_add_test(tests, grade_shows_points_without_rounding);
    tcase_add_test(tests, slow_says_which_work_decided);
    tcase_add_test(tests, the_widest_table_fits_80_columns);
    tcase_add_test(tests, quiet_is_verdicts_and_points_alone);
    tcase_add_test(tests, verbose_tells_every_case);
    suite_add_tcase(suite, tests);
    return suite;
}
