// Texts and the kinds of their tokens, one letter each.
#include "base/cpp_lexer.h"

#include <stdlib.h>
#include <string.h>

#include "suite.h"  // last: Check has a macro called fail

#define KINDS "EWNSCRHP"  // the letters, in the order of enum cpp_kind

// The kinds of all tokens, each followed by its text.  A bar marks the first token of a line.
static void tokens_write(const char *text, char *list, size_t list_bytes) {
    struct cpp_lexer lexer = cpp_open(text, strlen(text));
    struct cpp_token token;
    size_t used = 0;
    list[0] = '\0';
    while (cpp_next(&lexer, &token)) {
        char copy[64];
        cpp_copy(&token, copy, sizeof copy);
        used += (size_t)snprintf(list + used, list_bytes - used, "%s%c%s", token.fresh ? "|" : " ",
                                 KINDS[token.kind], copy);
        ck_assert_uint_lt(used, list_bytes);
    }
    ck_assert_int_eq(token.kind, CPP_END);
}

static const struct {
    const char *text, *tokens;
} rows[] = {
    {"", ""},
    {" \n/* a */ // b", ""},
    {"a b\nc", "|Wa Wb|Wc"},
    {"ab$_\xc3\xa9"
     "0 ",
     "|Wab$_\xc3\xa9"
     "0"},
    {"a /* x\ny */ b", "|Wa Wb"},  // a comment is one blank
    {"/* x\n*/ #a", "|P# Wa"},
    {"a // b\\\nc\nd", "|Wa|Wd"},  // a spliced comment goes on
    {"a\\\nb\\\r\nc", "|Wabc"},
    {"a\\ \nb", "|Wa P\\|Wb"},  // no splice
    {"/\\\n/ a", ""},
    {"/\\\n* a *\\\n/ b", "|Wb"},
    {"a / / b /", "|Wa P/ P/ Wb P/"},
    {"/* a", ""},
    {"16'384 1e+3 0x1p-3f .5 1.x", "|N16'384 N1e+3 N0x1p-3f N.5 N1.x"},
    {"1'a' '", "|N1'a C' '"},
    {"1+2 x-1", "|N1 P+ N2 Wx P- N1"},
    {"'a' '\\'' '\"' \"'\"", "|C'a' C'\\'' C'\"' S\"'\""},
    {"L'\"' a u8\"x\" uR'x' b", "|CL'\"' Wa Su8\"x\" WuR C'x' Wb"},
    {"x'a'", "|Wx C'a'"},
    {"\"a\nb\" c", "|S\"a|Wb S\" c"},  // a line end closes a broken literal
    {"\"a\\\nb\" c", "|S\"ab\" Wc"},
    {"\"\\\"\" a", "|S\"\\\"\" Wa"},
    {"\"\\\\\" a", "|S\"\\\\\" Wa"},
    {"R\"(\")\" a", "|RR\"(\")\" Wa"},
    {"u8R\"x()\")x\" a", "|Ru8R\"x()\")x\" Wa"},
    {"FOOR\"(\" a", "|WFOOR S\"(\" Wa"},
    {"xR\"(\" a", "|WxR S\"(\" Wa"},
    {"R\"a b(\" c", "|SR\"a b(\" Wc"},                              // no blank in a delimiter
    {"R\"12345678901234567(\" c", "|SR\"12345678901234567(\" Wc"},  // or 17 characters
    {"R\"(", "|RR\"("},
    {"#include <a'b//c> d", "|P# Winclude H<a'b//c> Wd"},
    {"#include \"a/*b\" d", "|P# Winclude S\"a/*b\" Wd"},
    {"%:import <a>", "|P%: Wimport H<a>"},
    {"#include <a\nb>", "|P# Winclude P< Wa|Wb P>"},
    {"#define include <a>", "|P# Wdefine Winclude P< Wa P>"},
    {"include <a>", "|Winclude P< Wa P>"},
    {"__has_include(<a/*b>) c", "|W__has_include P( H<a/*b> P) Wc"},
    {"__has_include <a>", "|W__has_include P< Wa P>"},
    {"a<<<b>>>c->*d##e...", "|Wa P<<< Wb P>>> Wc P->* Wd P## We P..."},
    {"a[[b]]", "|Wa P[ P[ Wb P] P]"},
    {"\"", "|S\""},
    {"\\", "|P\\"},
};

START_TEST(a_text_has_these_tokens) {
    char list[256];
    tokens_write(rows[_i].text, list, sizeof list);
    ck_assert_str_eq(list, rows[_i].tokens);
}
END_TEST

// The token of that index.
static struct cpp_token token_of(const char *text, int index) {
    struct cpp_lexer lexer = cpp_open(text, strlen(text));
    struct cpp_token token;
    do {
        (void)cpp_next(&lexer, &token);
    } while (index-- > 0);
    return token;
}

START_TEST(a_token_knows_its_line_and_the_blank_before_it) {
    const char *text = "a\\\n\\\nb/**/c\nR\"(\n)\" d(e \\\nf";
    static const struct {
        int line;
        bool spaced;
    } wanted[] = {{1, false}, {3, true}, {4, true}, {5, true}, {5, false}, {5, false}, {6, true}};
    for (int i = 0; i < (int)(sizeof wanted / sizeof *wanted); i++) {
        struct cpp_token token = token_of(text, i);
        ck_assert_int_eq(token.line, wanted[i].line);
        ck_assert_int_eq(token.spaced, wanted[i].spaced);
    }
}
END_TEST

START_TEST(splices_do_not_count_but_in_raw_strings) {
    struct cpp_token a = token_of("a\\\nb", 0);
    struct cpp_token b = token_of("ab\\\n", 0);
    ck_assert(cpp_equal(&a, &b) && cpp_is(&a, "ab"));
    ck_assert(!cpp_is(&a, "a") && !cpp_is(&a, "abc") && !cpp_is(&a, "a\\\nb"));
    a = token_of("R\"(a\\\nb)\"", 0);
    b = token_of("R\"(ab)\"", 0);
    ck_assert(!cpp_equal(&a, &b) && cpp_equal(&b, &b));
    a = token_of("\"a\"", 0);
    b = token_of("\"ab\"", 0);
    ck_assert(!cpp_equal(&a, &b));
}
END_TEST

START_TEST(a_copy_is_cut_where_the_buffer_ends) {
    struct cpp_token token = token_of("ab\\\ncd", 0);
    char copy[4];
    cpp_copy(&token, copy, sizeof copy);
    ck_assert_str_eq(copy, "abc");
}
END_TEST

START_TEST(only_the_first_of_a_line_opens_a_directive) {
    struct cpp_token token = token_of(" # a", 0);
    ck_assert(cpp_is_directive(&token) && cpp_begins(&token, '#'));
    token = token_of("\n%:a", 0);
    ck_assert(cpp_is_directive(&token));
    token = token_of("a # b", 1);
    ck_assert(!cpp_is_directive(&token) && cpp_begins(&token, '#'));
    token = token_of("##", 0);
    ck_assert(!cpp_is_directive(&token));
    token = token_of("\"#\"", 0);
    ck_assert(!cpp_is_directive(&token) && !cpp_begins(&token, '"'));
}
END_TEST

START_TEST(the_rest_of_a_line_can_be_skipped) {
    const char *text = "# 1 \"a\nb";
    struct cpp_lexer lexer = cpp_open(text, strlen(text));
    struct cpp_token token;
    ck_assert(cpp_next(&lexer, &token));
    cpp_line_skip(&lexer);
    ck_assert(cpp_next(&lexer, &token) && cpp_is(&token, "b") && token.fresh && token.line == 2);
    cpp_line_skip(&lexer);
    ck_assert(!cpp_next(&lexer, &token) && token.fresh);
}
END_TEST

// Every prefix of an awkward text ends somewhere in a comment, a literal, a splice or a directive.
START_TEST(no_text_is_read_past_its_end) {
    static const char text[] = "#define F(x) R\"d(\\\n)\" /* c */ \\\n 1.e+5'0 'q\\'' \"s\\\"\" // "
                               "end\n#include <a>\n<<<a>>>b \xc3\xa9 \0 u8R\"(";
    for (size_t length = 0; length < sizeof text; length++) {
        char *exact = malloc(length > 0 ? length : 1);
        ck_assert_ptr_nonnull(exact);
        memcpy(exact, text, length);
        struct cpp_lexer lexer = cpp_open(exact, length);
        struct cpp_token token;
        size_t end = 0;
        while (cpp_next(&lexer, &token)) {
            ck_assert(token.bytes > 0 && (size_t)(token.at - exact) >= end);
            end = (size_t)(token.at - exact) + token.bytes;
        }
        ck_assert_uint_le(end, length);
        free(exact);
    }
}
END_TEST

SUITE() {
    Suite *suite = suite_create("cpp_lexer");
    TCase *tests = tcase_create("cpp_lexer");
    tcase_add_loop_test(tests, a_text_has_these_tokens, 0, (int)(sizeof rows / sizeof *rows));
    tcase_add_test(tests, a_token_knows_its_line_and_the_blank_before_it);
    tcase_add_test(tests, splices_do_not_count_but_in_raw_strings);
    tcase_add_test(tests, a_copy_is_cut_where_the_buffer_ends);
    tcase_add_test(tests, only_the_first_of_a_line_opens_a_directive);
    tcase_add_test(tests, the_rest_of_a_line_can_be_skipped);
    tcase_add_test(tests, no_text_is_read_past_its_end);
    suite_add_tcase(suite, tests);
    return suite;
}
