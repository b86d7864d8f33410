// Stubs are cut as marked, and whether a file is still the stub is decided by its tokens.
#include "exercise/stub.h"

#include "scratch.h"
#include "suite.h"

START_TEST(cut_becomes_a_todo_with_counted_lines) {
    char *stub = NULL;
    struct error err;
    ck_assert_int_eq(
        stub_cut(
            "r.cu",
            "a\n    //@cut 1 do this\n    one;\n    // why\n\n    two {\n    }\n    //@end\nb\n"
            "  //@cut 2 do that\n  three;\n  //@stub spare = 0;\n  //@end\n",
            &stub, &err),
        STATUS_OK);
    ck_assert_str_eq(stub, "a\n    // TODO 1 (about 2 lines): do this\nb\n"
                           "  // TODO 2 (about 1 line): do that\n  spare = 0;\n");
    free(stub);
}
END_TEST

static const struct {
    const char *reference;
    const char *message;
} bad_references[] = {
    {"a\n", "r.cu: there is no //@cut, so nothing is left for the student to do"},
    {"//@end\n", "r.cu:1: //@end without //@cut"},
    {"//@cut 1 x\na\n//@cut 2 y\n", "r.cu:3: //@cut inside the cut that begins in line 1"},
    {"a\n//@cut 1 x\nb\n", "r.cu:2: //@cut without //@end"},
    {"//@cut 2 x\na\n//@end\n", "r.cu:1: expected `//@cut 1 what to do`"},
    {"//@cut 1\na\n//@end\n", "r.cu:1: expected `//@cut 1 what to do`"},
    {"//@cut\na\n//@end\n", "r.cu:1: expected `//@cut 1 what to do`"},
    {"//@cut 1 x\n// only words\n//@end\n", "r.cu:3: the cut contains no code"},
    {"//@stub x\n", "r.cu:1: //@stub outside a cut"},
    {"//@cut 1 x\na\n//@end\n//@cut 2 x\na\n//@end\n//@cut 3 x\na\n//@end\n"
     "//@cut 4 x\na\n//@end\n//@cut 5 x\na\n//@end\n",
     "r.cu:13: more than 4 cuts"},
};

START_TEST(bad_marks_are_named_with_their_line) {
    char *stub = NULL;
    struct error err;
    ck_assert_int_eq(stub_cut("r.cu", bad_references[_i].reference, &stub, &err), STATUS_BAD_DATA);
    ck_assert_str_eq(err.text, bad_references[_i].message);
    ck_assert_ptr_null(stub);
}
END_TEST

START_TEST(unmarked_reference_has_all_code_and_no_mark) {
    char *text = stub_unmark("a\n//@cut 1 x\nb\n//@stub c\n//@end\nd //@end no mark", "");
    ck_assert_str_eq(text, "a\nb\nd //@end no mark");
    free(text);
    text = stub_unmark("a  // A\n//@cut 1 x\nb  // B\n\n//@stub c\n//@end\nd  // D\n"
                       "//@cut 2 y\ne\n//@end\n",
                       "a  // \u7532\n// TODO 1\nc\nd  // \u4e01\n// TODO 2\n");
    ck_assert_str_eq(text, "a  // \u7532\nb  // B\n\nd  // \u4e01\ne\n");
    free(text);
}
END_TEST

static const struct {
    const char *spoken;
    int line;  // that differs from the stub
} spoken_stubs[] = {
    {"a();  // \u7532\n// \u4e59\n\n  // TODO 1: \u4e19\nb();\n", 0},
    {"a();\n\n\n  // TODO 1\nb();  // \u4e01\n", 0},
    {"c();\n\n\n  // TODO 1\nb();\n", 1},
    {"a();\n\n  // TODO 1\nb();\n", 3},
    {"a();\n\n\n  // TODO 2\nb();\n", 4},
    {"a();\n\n\n  // TODO 1\n  b();\n", 5},
    {"a();\n\n\n  // TODO 1\nb();\n// \u4e01\n", 6},
    {"a();\n", 2},
    {"", 1},
};

START_TEST(a_stub_in_chinese_has_the_same_code_in_each_line) {
    static const char stub[] = "a();  // one\n// two\n\n  // TODO 1: three\nb();\n";
    ck_assert_int_eq(stub_line_differs(stub, spoken_stubs[_i].spoken), spoken_stubs[_i].line);
}
END_TEST

static const char *const equal_texts[][2] = {
    {"", ""},
    {"", " \n\t// nothing\n/* at all */"},
    {"a = b + 1;", "a=b+1 ;"},
    {"a = 1;\n", "a = 1;\r\n"},
    {"a; // one\n", "a; /* two\n lines */\n"},
    {"\xef\xbb\xbf"
     "a",
     "a"},
    {"int ab;", "int a\\\nb;"},
    {"#define T 16\nx", "  #  define T   16 // sixteen\nx"},
    {"#define F(x) x\n", "#define F(x)  x"},
    {"\"a b\"", "\"a b\""},
    {"R\"(a\nb)\"", "R\"(a\nb)\""},
    {"a /* ' */ b", "a b"},
    {"a // it's\n b", "a b"},
};

static const char *const different_texts[][2] = {
    {"a", ""},
    {"a b", "ab"},
    {"a + +b", "a ++b"},
    {"\"a b\"", "\"a  b\""},
    {"\"//\"", "\"\""},
    {"'a'", "'b'"},
    {"1.0f", "1.0"},
    {"1e+5", "1e5"},
    {"#define T 16\n-1", "#define T 16 -1"},
    {"#define F(x) x\n", "#define F (x) x\n"},
    {"R\"(a\\\nb)\"", "R\"(ab)\""},
    {"R\"x(a)x\"", "R\"x(b)x\""},
    {"a; /* b", "a; b"},
    {"A[row*K+k]", "A[row*K+K]"},
    {"for (;;) {}", "for (;;) {} /**/;"},
    {"u8\"x\"", "u8 \"x\""},
};

START_TEST(tokens_are_equal) {
    const char *a = equal_texts[_i][0];
    const char *b = equal_texts[_i][1];
    ck_assert_msg(token_streams_equal(a, strlen(a), b, strlen(b)), "'%s' and '%s'", a, b);
    ck_assert(token_streams_equal(b, strlen(b), a, strlen(a)));
}
END_TEST

START_TEST(tokens_differ) {
    const char *a = different_texts[_i][0];
    const char *b = different_texts[_i][1];
    ck_assert_msg(!token_streams_equal(a, strlen(a), b, strlen(b)), "'%s' and '%s'", a, b);
    ck_assert(!token_streams_equal(b, strlen(b), a, strlen(a)));
}
END_TEST

// Every prefix of an awkward text ends somewhere in a comment, string, splice or directive.
START_TEST(every_prefix_equals_itself_and_is_never_read_past) {
    static const char text[] = "#define F(x) R\"d(\\\n)\" /* c */ \\\n 1.e+5'0 'q\\'' \"s\\\"\" // "
                               "end\n<<<a>>>b \xc3\xa9 \0 u8R\"(";
    for (size_t length = 0; length < sizeof text; length++) {
        char *exact = malloc(length + 1);
        ck_assert_ptr_nonnull(exact);
        memcpy(exact, text, length);
        ck_assert(token_streams_equal(exact, length, text, length));
        free(exact);
    }
}
END_TEST

SUITE() {
    Suite *suite = suite_create("stub");
    TCase *tests = tcase_create("stub");
    tcase_add_test(tests, cut_becomes_a_todo_with_counted_lines);
    tcase_add_loop_test(tests, bad_marks_are_named_with_their_line, 0,
                        (int)(sizeof bad_references / sizeof *bad_references));
    tcase_add_test(tests, unmarked_reference_has_all_code_and_no_mark);
    tcase_add_loop_test(tests, a_stub_in_chinese_has_the_same_code_in_each_line, 0,
                        (int)(sizeof spoken_stubs / sizeof *spoken_stubs));
    tcase_add_loop_test(tests, tokens_are_equal, 0,
                        (int)(sizeof equal_texts / sizeof *equal_texts));
    tcase_add_loop_test(tests, tokens_differ, 0,
                        (int)(sizeof different_texts / sizeof *different_texts));
    tcase_add_test(tests, every_prefix_equals_itself_and_is_never_read_past);
    suite_add_tcase(suite, tests);
    return suite;
}
