// A TODO is open if the student's file continues after it as the stub does.
#include "exercise/stub.h"

#include "suite.h"

static const char stub[] = "kernel {\n"
                           "    int row = 1;\n"
                           "    // TODO 1 (about 2 lines): copy\n"
                           "\n"
                           "    // TODO 2 (about 2 lines): multiply\n"
                           "    for (;;) {\n"
                           "        // TODO 3 (about 1 line): store\n"
                           "    }\n"
                           "}\n";

static const struct {
    const char *text;
    int open;  // the digits of the open TODOs, one after the other
} files[] = {
    {stub, 123},
    // line ends and indentation of an editor
    {"// TODO 1 copy\r\n\t// TODO 2 (about 2 lines): multiply\r\n  for (;;) {\r\n", 12},
    // written below, and below the next one
    {"// TODO 1 copy\n  copy();\n// TODO 2\nfor (;;) {\n// TODO 3\n}\n", 23},
    {"// TODO 1 copy\n  copy();\n// TODO 2\nfor (;;) {\n// TODO 3\nstore();\n}\n", 2},
    {"// TODO 1\ncopy();\n// TODO 2\nmultiply();\nfor (;;) {\n// TODO 3\nstore();\n}\n", 0},
    // comments in another language, and one of the student's alone
    {"kernel {\nint row = 1;  // hang\n// TODO 1: fuzhi\n// TODO 2: cheng\n// ?\nfor (;;) {  // "
     "lun\n"
     "// TODO 3: cun\n}\n}\n",
     123},
    // a TODO whose comment is gone is not counted
    {"copy();\nfor (;;) {\n    }\n", 0},
    {"// TODO 3", 0},
    {"", 0},
};

START_TEST(open_are_those_below_which_nothing_was_written) {
    int number[TODOS_MAX];
    int digits = 0;
    int count = todo_open(stub, files[_i].text, number);
    for (int i = 0; i < count; i++) {
        digits = 10 * digits + number[i];
    }
    ck_assert_int_eq(digits, files[_i].open);
}
END_TEST

START_TEST(a_line_belongs_to_the_todo_above_it) {
    static const char text[] = "a\n// TODO 1 x\nb\n  // TODO 2 y\nc\n";
    static const int todos[] = {0, 1, 1, 2, 2, 2};  // of lines 1 to 6
    for (int line = 1; line <= 6; line++) {
        ck_assert_int_eq(todo_at(text, line), todos[line - 1]);
    }
    ck_assert_int_eq(todo_at("copy();\n", 1), 0);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("todo");
    TCase *tests = tcase_create("open");
    tcase_add_loop_test(tests, open_are_those_below_which_nothing_was_written, 0,
                        (int)(sizeof files / sizeof *files));
    tcase_add_test(tests, a_line_belongs_to_the_todo_above_it);
    suite_add_tcase(suite, tests);
    return suite;
}
