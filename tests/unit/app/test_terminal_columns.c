// Chinese on a terminal: two columns a character, lines broken between characters.
#include <stdlib.h>
#include <string.h>

#include "app/terminal/terminal_text.h"
#include "base/language.h"
#include "suite.h"

static char *shown;
static size_t shown_bytes;

static struct terminal open_terminal(void) {
    struct terminal terminal = {.out = open_memstream(&shown, &shown_bytes)};
    ck_assert_ptr_nonnull(terminal.out);
    return terminal;
}

static void shows(const struct terminal *terminal, const char *expected) {
    (void)fclose(terminal->out);
    ck_assert_str_eq(shown, expected);
    free(shown);
}

static const struct {
    const char *text;
    int columns;
} widths[] = {
    {"", 0},
    {"abc", 3},
    {"数", 2},
    {"数据a竞争", 9},
    {"，。（）“”", 10},  // the quotes take one column each
    {"…", 1},
    {"gr\xc3\xb6\xc3\x9f", 4},
    {"\xf0\x9f\x98\x80", 2},
    {"\xff", 1},
    {"\xe6\x95", 2},  // cut short: each byte counts by itself
    {"a\xe6z", 3},
};

START_TEST(a_chinese_character_takes_two_columns) {
    ck_assert_int_eq(terminal_columns(widths[_i].text, strlen(widths[_i].text)),
                     widths[_i].columns);
}
END_TEST

static const struct {
    const char *text;
    int columns;
    size_t bytes;
} cuts[] = {
    {"abc", 2, 2},  {"abc", 3, 3},  {"abc", 9, 3},  {"数据", 1, 0}, {"数据", 2, 3},
    {"数据", 3, 3}, {"数据", 4, 6}, {"a数b", 2, 1}, {"a数b", 3, 4}, {"", 5, 0},
};

START_TEST(a_text_is_cut_between_characters) {
    ck_assert_uint_eq(terminal_cut(cuts[_i].text, cuts[_i].columns), cuts[_i].bytes);
}
END_TEST

// What stays together: a word of letters, or a character with the marks that belong to it.
static const struct {
    const char *text;
    const char *word;
} words[] = {
    {"ab cd", "ab"},
    {"ab\ncd", "ab"},
    {" ab", ""},
    {"", ""},
    {"数据", "数"},
    {"数，据", "数，"},
    {"数。）据", "数。）"},
    {"（数据）", "（数"},
    {"“（数据", "“（数"},
    {"ab数", "ab"},
    {"ab。数", "ab。"},
    {"tiled.cu:22", "tiled.cu:22"},
    {"（ab）数", "（ab）"},
};

START_TEST(marks_stay_with_what_they_belong_to) {
    size_t bytes = terminal_word(words[_i].text);
    ck_assert_uint_eq(bytes, strlen(words[_i].word));
    ck_assert_int_eq(strncmp(words[_i].text, words[_i].word, bytes), 0);
}
END_TEST

static const struct {
    const char *before, *after;
    bool joins;
} breaks[] = {
    {"核函数", "的", true},  {"是这样：", "A 的", true}, {"naive", "（朴素）", true},
    {"的 4", "个数", false}, {"on a", "line", false},    {"到 ty", "TM", false},
};

START_TEST(lines_are_joined_without_a_blank_in_chinese) {
    ck_assert_int_eq(terminal_joins(breaks[_i].before, breaks[_i].after), breaks[_i].joins);
}
END_TEST

START_TEST(chinese_is_wrapped_at_80_columns) {
    struct terminal terminal = open_terminal();
    terminal_wrap(&terminal, 2,
                  "线程以任意顺序运行，所以快的线程可能覆盖慢的线程还要读取的内容，这里正好到行末。"
                  "下一句 As[3][0] 被读取。");
    shows(&terminal,
          "  线程以任意顺序运行，所以快的线程可能覆盖慢的线程还要读取的内容，这里正好到行\n"
          "  末。下一句 As[3][0] 被读取。\n");
}
END_TEST

// A line that a CI system would take for a command begins with a mark, even after a line break and
// after unusual blanks; "a::b" and "std::move" are not commands.
START_TEST(no_wrapped_line_is_a_command) {
    struct terminal terminal = open_terminal();
    terminal_wrap(&terminal, 2,
                  "aaaa aaaa aaaa aaaa aaaa aaaa aaaa aaaa aaaa aaaa aaaa aaaa aaaa aaaa aaaa "
                  "::notice::one\n\u3000::error::two\n  ::warning::\nstd::move a::b\n:one:");
    shows(&terminal,
          "  aaaa aaaa aaaa aaaa aaaa aaaa aaaa aaaa aaaa aaaa aaaa aaaa aaaa aaaa aaaa\n"
          "  \u2502 ::notice::one\n  \u2502 \u3000::error::two\n  \u2502 ::warning::\n"
          "  std::move a::b\n  :one:\n");
}
END_TEST

START_TEST(a_text_hangs_behind_its_columns) {
    struct terminal terminal = open_terminal();
    terminal_hang(&terminal, 70, "数据竞争越界 ab cd");
    shows(&terminal, "数据竞争越\n                                                                "
                     "      界 ab cd\n");
    terminal = open_terminal();
    terminal_hang(&terminal, 70, "a_word_that_is_longer_than_its_line");
    shows(&terminal, "a_word_that_is_longer_than_its_line\n");
}
END_TEST

START_TEST(clean_text_ends_with_a_whole_character) {
    char clean[6];
    terminal_clean("a数据", clean, sizeof clean);
    ck_assert_str_eq(clean, "a数");
}
END_TEST

START_TEST(columns_are_filled_up) {
    struct terminal terminal = open_terminal();
    terminal_left(&terminal, "数据", 6);
    terminal_right(&terminal, "数据", 6);
    terminal_left(&terminal, "数据", 3);
    terminal_right(&terminal, "ab", 4);
    terminal_label(&terminal, "重试", "x");
    shows(&terminal, "数据    数据数据  ab  重试    x\n");
}
END_TEST

// The rows of a grade: a wrong kernel and a right one that was timed.
static void graded_make(struct exercise_result result[2]) {
    static const struct exercise wide = {.name =
                                             "an_exercise_whose_name_is_as_long_as_they_may_be"};
    result[0] = (struct exercise_result){.exercise = &wide,
                                         .verdict = VERDICT_BARRIER_DIVERGENCE,
                                         .complete = true,
                                         .points = 100125,
                                         .points_max = 1000000};
    result[1] = (struct exercise_result){.exercise = &wide,
                                         .verdict = VERDICT_PASS,
                                         .complete = true,
                                         .speed.complete = true,
                                         .points = 9000,
                                         .points_max = 10000,
                                         .speed.count = 1};
    static struct speed_result speed;
    result[1].speed.list = &speed;
    speed = (struct speed_result){.size = {4096, 4096, 4096},
                                  .verdict = SPEED_MARGINAL,
                                  .ratio = 0.91,
                                  .low = 0.9,
                                  .high = 0.92,
                                  .pairs = 81,
                                  .points = 1000,
                                  .points_max = 2000};
}

START_TEST(a_table_in_chinese_is_aligned) {
    struct exercise_result *result = calloc(2, sizeof *result);
    ck_assert_ptr_nonnull(result);
    graded_make(result);
    const struct judgement judgement = {.exercise_count = 2,
                                        .exercises = result,
                                        .points = 109125,
                                        .points_max = 1010000,
                                        .complete = true,
                                        .device_text = "X1",
                                        .sandbox_text = "none",
                                        .seed_text = "ff"};
    struct terminal terminal = open_terminal();
    language_use(LANGUAGE_ZH);
    terminal_grade(&terminal, &judgement);
    language_use(LANGUAGE_EN);
    free(result);
    shows(&terminal,
          "  an_exercise_whose_name 并非所有线程都到达屏障                100.125 / 1000\n"
          "  an_exercise_whose_name 通过                                        9 / 10\n"
          "    4096x4096x4096   临界     时间 0.910 (0.900-0.920，81 对)           1 / 2\n"
          "      阅读 lessons/verdicts.md#marginal\n"
          "  分数                   109.125 / 1010\n"
          "  设备 X1；速度依据时间；种子 ff\n"
          "  沙箱：none\n");
}
END_TEST

SUITE() {
    Suite *suite = suite_create("terminal columns");
    TCase *tests = tcase_create("terminal columns");
    tcase_add_loop_test(tests, a_chinese_character_takes_two_columns, 0,
                        sizeof widths / sizeof *widths);
    tcase_add_loop_test(tests, a_text_is_cut_between_characters, 0, sizeof cuts / sizeof *cuts);
    tcase_add_loop_test(tests, marks_stay_with_what_they_belong_to, 0,
                        sizeof words / sizeof *words);
    tcase_add_loop_test(tests, lines_are_joined_without_a_blank_in_chinese, 0,
                        sizeof breaks / sizeof *breaks);
    tcase_add_test(tests, chinese_is_wrapped_at_80_columns);
    tcase_add_test(tests, no_wrapped_line_is_a_command);
    tcase_add_test(tests, a_text_hangs_behind_its_columns);
    tcase_add_test(tests, clean_text_ends_with_a_whole_character);
    tcase_add_test(tests, columns_are_filled_up);
    tcase_add_test(tests, a_table_in_chinese_is_aligned);
    suite_add_tcase(suite, tests);
    return suite;
}
