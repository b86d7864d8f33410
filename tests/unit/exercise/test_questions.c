// Questions and answers: what a page gives, which answers are right, what a file of answers may be.
#include "exercise/questions.h"

#include "scratch.h"
#include "suite.h"

#define HEAD "# Questions\n\nSome words.\n\n"
#define NUMBER                                                                                     \
    "## A warp\n\nHow many?\n\n- [x] 2 = `hits / (misses + 1)`: right,\n  because.\n"              \
    "- [ ] 1,024: no\n- [ ] *: any\n"
#define PLACE "## Where\n\nWhich?\n\n- [x] A[3][5] = `place(\"A\", 5, 3, 1)`: yes\n- [ ] *: no\n"
#define LETTER                                                                                     \
    "## What\n\nChoose:\n\n- [ ] the first one\n  of all: no\n- [x] 32: the number: yes\n"

static enum status page_read(const char *text, bool lines, struct questions **questions,
                             struct error *err) {
    struct scratch scratch = scratch_make();
    char path[PATH_BYTES_MAX];
    scratch_write(&scratch, "questions.md", text, path);
    enum status status = questions_read(path, lines, questions, err);
    size_t length = strlen(scratch.folder) + 1;
    if (status) {
        memmove(err->text, err->text + length, strlen(err->text + length) + 1);
    }
    scratch_remove(&scratch);
    return status;
}

static struct questions *page_good(const char *text, bool lines) {
    struct questions *questions = NULL;
    struct error err = {.text = ""};
    ck_assert_msg(!page_read(text, lines, &questions, &err), "%s", err.text);
    return questions;
}

START_TEST(page_becomes_questions) {
    struct questions *page = page_good(HEAD NUMBER PLACE LETTER, false);
    ck_assert_int_eq(page->count, 3);
    ck_assert(!page->withheld);
    ck_assert_str_eq(page->list[0].title, "A warp");
    ck_assert_int_eq(page->list[0].kind, QUESTION_VALUE);
    ck_assert_int_eq(page->list[0].answer_count, 3);
    ck_assert_str_eq(page->list[0].answer[0].text, "2");
    ck_assert_str_eq(page->list[0].answer[0].formula, "hits / (misses + 1)");
    ck_assert_ptr_null(page->list[0].answer[1].formula);
    ck_assert_int_eq(page->list[1].kind, QUESTION_VALUE);
    ck_assert_int_eq(page->list[2].kind, QUESTION_LETTER);
    ck_assert_int_eq(page->list[2].right, 1);
    ck_assert_str_eq(page->list[2].answer[0].text, "the first one of all");
    questions_free(page);
}
END_TEST

static const struct {
    const char *text;
    bool lines;
    const char *message;
} bad_pages[] = {
    {HEAD, false, "questions.md:4: the page has no questions"},
    {HEAD "## A\n\n- [x] 1: a\n- [x] 2: b\n", false,
     "questions.md:8: a question has two right answers"},
    {HEAD LETTER "## A\n\n- [ ] 1: a\n", false, "questions.md:14: a question has no right answer"},
    {HEAD "## A\n\n- [y] 1: a\n", false, "questions.md:7: a question has no right answer"},
    {HEAD NUMBER, true, "questions.md:12: a bug has two questions: the line, and the cause"},
};

START_TEST(bad_page_is_named_with_its_line) {
    struct questions *questions = NULL;
    struct error err = {.text = ""};
    ck_assert_int_eq(page_read(bad_pages[_i].text, bad_pages[_i].lines, &questions, &err),
                     STATUS_BAD_DATA);
    ck_assert_str_eq(err.text, bad_pages[_i].message);
}
END_TEST

// A kernel with 6 hits and 2 misses that loads B[1][2] wherever it is asked.
static bool number_of(const void *kernel, const char *name, double *ret_number) {
    (void)kernel;
    *ret_number = strcmp(name, "hits") == 0 ? 6.0 : 2.0;
    return strcmp(name, "hits") == 0 || strcmp(name, "misses") == 0 || strcmp(name, "zero") == 0;
}

static bool place_of(const void *kernel, const char *array, int x, int y, int time,
                     struct question_value *ret_value) {
    (void)kernel;
    ck_assert_str_eq(array, "A");
    ck_assert(x == 5 && y == 3 && time == 1);
    *ret_value = (struct question_value){.rank = 2, .index = {1, 2}};
    return true;
}

static const struct question_kernel own = {NULL, number_of, place_of};

#define WRONG   (-1)  // and any other answer
#define UNKNOWN (-2)  // not of the form

static const struct {
    int question;
    bool with_kernel;
    const char *typed;
    int answer;
} typed[] = {
    {0, false, "2", 0},
    {0, false, " 2.0 ", 0},
    {0, false, "4/2", 0},
    {0, false, "2.01", 0},
    {0, false, "2.1", 2},
    {0, false, "1024", 1},
    {0, false, "-2", 2},
    {0, false, "2 %", 0},
    {0, false, "two", UNKNOWN},
    {0, false, "2 or 3", UNKNOWN},
    {0, false, "2/0", UNKNOWN},
    {0, false, "nan", UNKNOWN},
    {0, false, "0x2", UNKNOWN},
    {0, false, "1.2.3", UNKNOWN},
    {0, false, "", UNKNOWN},
    {0, true, "2", 0},
    {0, true, "6/3", 0},
    {1, false, "A[3][5]", 0},
    {1, false, "[3] [ 5 ]", 0},
    {1, false, "A[5][3]", 1},
    {1, false, "A[3]", 1},
    {1, false, "A[3][5]]", UNKNOWN},
    {1, false, "A[3][x]", UNKNOWN},
    {1, false, "8", 1},
    {1, true, "A[1][2]", 0},
    {1, true, "A[3][5]", 0},
    {1, true, "A[2][1]", 1},
    {2, false, "b", 1},
    {2, false, "B)", 1},
    {2, false, "a", 0},
    {2, false, "c", UNKNOWN},
    {2, false, "a b", UNKNOWN},
    {2, false, "ab", UNKNOWN},
    {2, false, "32", UNKNOWN},
};

START_TEST(answer_is_marked) {
    struct questions *page = page_good(HEAD NUMBER PLACE LETTER, false);
    const struct question *question = &page->list[typed[_i].question];
    struct question_mark mark =
        question_mark(question, typed[_i].typed, typed[_i].with_kernel ? &own : NULL);
    ck_assert_int_eq(mark.understood, typed[_i].answer != UNKNOWN);
    ck_assert_int_eq(mark.answer, typed[_i].answer == UNKNOWN ? -1 : typed[_i].answer);
    ck_assert_int_eq(mark.right, typed[_i].answer == question->right);
    questions_free(page);
}
END_TEST

START_TEST(right_value_is_that_of_the_own_kernel) {
    struct questions *page = page_good(
        "## A\n\n- [x] 2 = `hits * 3 - misses`: yes\n- [ ] 16: no\n## B\n\n- [x] 7 = `hits / "
        "nothing`: yes\n",
        false);
    struct question_mark mark = question_mark(&page->list[0], "16", &own);
    ck_assert(mark.right);
    ck_assert_str_eq(mark.value, "16");
    ck_assert(!question_mark(&page->list[0], "2", &own).right);
    mark = question_mark(&page->list[1], "7", &own);  // a counter that there is not
    ck_assert(mark.right);
    ck_assert_str_eq(mark.value, "7");
    questions_free(page);
}
END_TEST

START_TEST(line_of_a_bug_is_marked) {
    struct questions *page = page_good(
        "## Line\n\n- [x] 7, 10-12: yes\n- [ ] 8: no\n- [ ] *: no\n## Why\n\n- [x] race: yes\n"
        "- [ ] crash: no\n",
        true);
    static const struct {
        const char *typed;
        int answer;
    } lines[] = {{"7", 0}, {"11", 0}, {"12", 0}, {"13", 2}, {"8", 1}, {"9", 2}, {"1", 2}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        ck_assert_int_eq(question_mark(&page->list[0], lines[i].typed, NULL).answer,
                         lines[i].answer);
    }
    ck_assert(!question_mark(&page->list[0], "7-12", NULL).understood);
    ck_assert(!question_mark(&page->list[0], "line 7", NULL).understood);
    ck_assert(question_mark(&page->list[1], "a", NULL).right);
    questions_free(page);
}
END_TEST

START_TEST(page_without_answers_is_withheld) {
    struct questions *page = page_good(
        HEAD QUESTIONS_WITHHELD "\n\n## A\n\nHow many?\n\n## B\n\n- [ ] this one\n- [ ] that one\n",
        false);
    ck_assert(page->withheld);
    ck_assert_int_eq(page->list[1].kind, QUESTION_LETTER);
    ck_assert(question_mark(&page->list[1], "b", NULL).understood);
    ck_assert(!question_mark(&page->list[1], "b", NULL).right);
    ck_assert(!question_mark(&page->list[1], "c", NULL).understood);
    ck_assert(question_mark(&page->list[0], "7", NULL).understood);
    questions_free(page);
}
END_TEST

static const struct given_answer *last_of(const struct answers *answers, const char *section,
                                          int number) {
    return answers_before(answers, NULL, section, number);
}

START_TEST(file_of_answers_is_read_line_by_line) {
    static struct answers answers;
    answers_parse("\xef\xbb\xbf; mine\r\n[tiled]\r\n 1 = A[3][5] \r\n2=b\n3 =\n2 = c\n"
                  "[naive]\n2 = 7\n",
                  &answers);
    ck_assert_int_eq(answers.fault_count, 0);
    ck_assert_str_eq(last_of(&answers, "tiled", 1)->text, "A[3][5]");
    ck_assert_str_eq(last_of(&answers, "tiled", 2)->text, "c");
    ck_assert_int_eq(last_of(&answers, "tiled", 2)->line, 6);
    ck_assert_ptr_null(last_of(&answers, "tiled", 3));
    const struct given_answer *last = last_of(&answers, "tiled", 2);
    ck_assert_str_eq(answers_before(&answers, last, "tiled", 2)->text, "b");
    ck_assert_ptr_null(answers_before(&answers, last, "naive", 2));
    ck_assert_str_eq(last_of(&answers, "naive", 2)->text, "7");
    ck_assert_ptr_null(last_of(&answers, "naive", 1));
}
END_TEST

START_TEST(wrong_lines_cost_only_themselves) {
    static struct answers answers;
    answers_parse("1 = a\n[tiled]\n1 = a\nb\n2 : b\n= c\n0 = d\nthree = e\n[tiled\n4 = f\n"
                  "5 = 12345678901234567890123456789012345678901234567890123456789012345678901234"
                  "567890\n",
                  &answers);
    ck_assert_int_eq(answers.fault_count, 8);
    static const int lines[] = {1, 4, 5, 6, 7, 8, 9, 11};
    ck_assert_mem_eq(answers.fault_line, lines, sizeof lines);
    ck_assert_int_eq(answers.count, 2);
    ck_assert_str_eq(last_of(&answers, "tiled", 4)->text, "f");
    answers_fault(&answers, 3);
    ck_assert_int_eq(answers.fault_line[1], 3);
    ck_assert_int_eq(answers.fault_line[7], 9);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("questions");
    TCase *tcase = tcase_create("questions");
    tcase_add_test(tcase, page_becomes_questions);
    tcase_add_loop_test(tcase, bad_page_is_named_with_its_line, 0,
                        (int)(sizeof bad_pages / sizeof *bad_pages));
    tcase_add_loop_test(tcase, answer_is_marked, 0, (int)(sizeof typed / sizeof *typed));
    tcase_add_test(tcase, right_value_is_that_of_the_own_kernel);
    tcase_add_test(tcase, line_of_a_bug_is_marked);
    tcase_add_test(tcase, page_without_answers_is_withheld);
    tcase_add_test(tcase, file_of_answers_is_read_line_by_line);
    tcase_add_test(tcase, wrong_lines_cost_only_themselves);
    suite_add_tcase(suite, tcase);
    return suite;
}
