// What people who wait read.
#include "app/terminal/progress.h"
#include "exercise/exercise.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "suite.h"  // last: Check has a macro called fail

static const struct exercise naive = {.name = "naive"};
static const struct exercise tiled = {.name = "tiled"};

static const struct {
    uint64_t elapsed_ms;
    double share;
    const char *text;
} guesses[] = {
    {2999, 0.5, ""},    // too early for a guess
    {60000, 0.04, ""},  // too little is done
    {10000, 0.5, "about 10 s left"},
    {11000, 0.5, "about 15 s left"},  // rounded up to fives
    {60000, 0.5, "about 60 s left"},
    {60000, 0.25, "about 3 min left"},
    {60000, 0.97, ""},  // a moment
    {60000, 1.0, ""},
};

START_TEST(time_left_is_guessed_from_the_share_that_is_done) {
    char text[PROGRESS_TEXT_MAX];
    progress_left(guesses[_i].elapsed_ms, guesses[_i].share, text);
    ck_assert_str_eq(text, guesses[_i].text);
}
END_TEST

START_TEST(the_share_grows_from_nothing_to_all) {
    struct progress progress;
    double last = 0.0;
    progress_begin(&progress, NULL, 2, true);
    for (int exercise = 0; exercise < 2; exercise++) {
        progress.exercises_done = exercise;
        for (int stage = STAGE_CASES; stage <= STAGE_SPEED; stage++) {
            for (int done = 0; done <= 4; done++) {
                double share = progress_share(&progress, (enum judge_stage)stage, done, 4);
                ck_assert(share >= last);
                last = share;
            }
        }
    }
    ck_assert(last == 1.0);
}
END_TEST

START_TEST(cases_are_all_there_is_without_speed) {
    struct progress progress;
    progress_begin(&progress, NULL, 1, false);
    ck_assert(progress_share(&progress, STAGE_CASES, 4, 4) == 1.0);
}
END_TEST

// What is written to a file, treated as a file or as a terminal.
static char *told(bool is_terminal, uint64_t silent_ms) {
    char *text = NULL;
    size_t bytes = 0;
    struct progress progress;
    FILE *out = open_memstream(&text, &bytes);
    ck_assert_ptr_nonnull(out);
    progress_begin(&progress, out, 2, false);
    progress.is_terminal = is_terminal;
    progress.told_ms -= silent_ms;
    progress_step(&progress, &naive, STAGE_CASES, 1, 4);
    progress_step(&progress, &tiled, STAGE_CASES, 2, 4);
    progress_clear(&progress);
    (void)fclose(out);
    return text;
}

START_TEST(a_terminal_has_one_line_that_is_written_over) {
    char *text = told(true, 0);
    ck_assert_str_eq(text,
                     "\r\033[K 12 %  naive: case 2 of 4\r\033[K 75 %  tiled: case 3 of 4\r\033[K");
    free(text);
}
END_TEST

static const struct exercise wide = {.name = "卷积"};

static const struct {
    unsigned short columns;
    const struct exercise *exercise;
    const char *text;
} windows[] = {
    {43, &naive, "\r\033[K 50 %  naive: case 3 of 4, about 60 s left"},
    {42, &naive, "\r\033[K 50 %  naive: case 3 of 4"},
    {26, &naive, "\r\033[K 50 %  naive: case 3 of 4"},
    {25, &naive, "\r\033[K 50 %  naive: case 3 of "},
    {12, &wide, "\r\033[K 50 %  卷积"},
    {11, &wide, "\r\033[K 50 %  卷"},
    {10, &wide, "\r\033[K 50 %  卷"},
    {0, &naive, "\r\033[K 50 %  naive: case 3 of 4, about 60 s left"},  // not known
};

START_TEST(the_line_leaves_a_column_of_a_narrow_terminal_free) {
    char text[2 * PROGRESS_TEXT_MAX] = "";
    struct winsize size = {.ws_row = 24, .ws_col = windows[_i].columns};
    struct progress progress;
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    ck_assert(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    FILE *out = fopen(ptsname(master), "r+");
    ck_assert_ptr_nonnull(out);
    ck_assert_int_eq(ioctl(master, TIOCSWINSZ, &size), 0);
    progress_begin(&progress, out, 1, false);
    progress.is_terminal = true;
    progress.began_ms -= 60000;
    progress_step(&progress, windows[_i].exercise, STAGE_CASES, 2, 4);
    ck_assert(read(master, text, sizeof text - 1) > 0);
    ck_assert_str_eq(text, windows[_i].text);
    (void)fclose(out);
    (void)close(master);
}
END_TEST

START_TEST(a_log_has_a_line_only_after_a_long_silence) {
    char *text = told(false, 0);
    ck_assert_str_eq(text, "");
    free(text);
    text = told(false, 31000);
    ck_assert_str_eq(text, " 12 %  naive: case 2 of 4\n");
    free(text);
}
END_TEST

START_TEST(who_wants_quiet_is_told_nothing) {
    struct progress progress;
    progress_begin(&progress, NULL, 1, false);
    progress_step(&progress, &naive, STAGE_CASES, 1, 4);
    progress_clear(&progress);
    ck_assert_ptr_null(progress.exercise);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("progress");
    TCase *tests = tcase_create("told");
    tcase_add_loop_test(tests, time_left_is_guessed_from_the_share_that_is_done, 0,
                        sizeof guesses / sizeof *guesses);
    tcase_add_test(tests, the_share_grows_from_nothing_to_all);
    tcase_add_test(tests, cases_are_all_there_is_without_speed);
    tcase_add_test(tests, a_terminal_has_one_line_that_is_written_over);
    tcase_add_loop_test(tests, the_line_leaves_a_column_of_a_narrow_terminal_free, 0,
                        sizeof windows / sizeof *windows);
    tcase_add_test(tests, a_log_has_a_line_only_after_a_long_silence);
    tcase_add_test(tests, who_wants_quiet_is_told_nothing);
    suite_add_tcase(suite, tests);
    return suite;
}
