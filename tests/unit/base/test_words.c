// Texts as data: composed once, read in every language, and never forged or broken.
#include <string.h>

#include "base/compose.h"
#include "suite.h"  // last: Check has a macro called fail

static const struct translation entries[] = {
    {"%s has %d rows and %s", "%3$s，%1$s 有 %2$d 行"},
    {"noun\004%s.", "%s，名词。"},
    {"one word", "一个词"},
};
static const struct texts other = {"zh", entries, sizeof entries / sizeof *entries};

static const char *in(const struct texts *texts, const char *text) {
    static char plain_text[WORDS_PLAIN_MAX];
    words_render(texts, text, plain_text, sizeof plain_text);
    return plain_text;
}

START_TEST(values_take_their_place_in_each_language) {
    char text[200];
    words_write(text, sizeof text, "%s has %d rows and %s", "As", -3, _("one word"));
    ck_assert_str_eq(in(&texts_en, text), "As has -3 rows and one word");
    ck_assert_str_eq(in(&other, text), "一个词，As 有 -3 行");
    words_sentence(text, sizeof text, "%s", "");
    words_sentence(text, sizeof text, "%s", C_("noun", "%s."));
    ck_assert_str_eq(in(&texts_en, text), "As has -3 rows and one word .");
    ck_assert_str_eq(in(&other, text), "一个词，As 有 -3 行，名词。");
}
END_TEST

START_TEST(numbers_look_as_printf_writes_them) {
    char text[400];
    char expected[200];
    words_write(text, sizeof text, "%5.1f|%-4u|%04x|%llu|%.6g|%c|%zu%%", 2.25, 7u, 0xabu,
                18446744073709551615ull, 1e20, '+', (size_t)9);
    (void)snprintf(expected, sizeof expected, "%5.1f|%-4u|%04x|%llu|%.6g|%c|%zu%%", 2.25, 7u, 0xabu,
                   18446744073709551615ull, 1e20, '+', (size_t)9);
    ck_assert_str_eq(plain(text), expected);
}
END_TEST

START_TEST(a_first_letter_becomes_a_capital_unless_a_value_begins) {
    char clause[100];
    char text[200];
    words_write(clause, sizeof clause, "line %d stores it", 3);
    words_write(text, sizeof text, "%s.", clause);
    words_capitalize(text);
    ck_assert_str_eq(plain(text), "Line 3 stores it.");
    words_write(clause, sizeof clause, "%s is stored", "tile");
    words_write(text, sizeof text, "%s.", clause);
    words_capitalize(text);
    ck_assert_str_eq(plain(text), "tile is stored.");
}
END_TEST

START_TEST(foreign_text_makes_no_message) {
    char text[200];
    char foreign[] = "\001one word\003";
    words_write(text, sizeof text, "the file %.40s", foreign);
    ck_assert_str_eq(in(&other, text), "the file ?one word?");
    foreign[9] = '\0';  // cut
    words_write(text, sizeof text, "the file %s", foreign);
    ck_assert_str_eq(in(&other, text), "the file ?one word");
    ck_assert(!words_are_whole(foreign));
    ck_assert_str_eq(in(&other, foreign), foreign);
    words_clean(foreign);
    ck_assert_str_eq(foreign, "?one word");
}
END_TEST

START_TEST(a_text_that_does_not_fit_is_plain_and_cut) {
    char text[24];
    for (size_t bytes = 1; bytes <= sizeof text; bytes++) {
        words_write(text, bytes, "%s has %d rows and %s", "As", 3, "é");
        ck_assert(words_are_whole(text));
        ck_assert_uint_lt(strlen(text), bytes);
        ck_assert_int_eq(strncmp(text, "As has 3 rows and é", strlen(text)), 0);
        words_sentence(text, bytes, "more of it");
        ck_assert(words_are_whole(text));
    }
}
END_TEST

START_TEST(a_message_with_wrong_values_is_no_harm) {
    ck_assert_str_eq(plain("\001%d and %s, %5$s%n\005x\003"), "x and , ");
    ck_assert_str_eq(plain("\001%.99999f\0051\003"), "1.0000000000000000000000000000000000000000");
}
END_TEST

// {line} and {other} change places, and one value is used twice.
START_TEST(named_values_take_their_place_in_each_language) {
    static const struct translation shuffled[] = {
        {"line {line}", "LINE {line}"},
        {"{here} stores {element} of {size} bytes, {here} is 100% of it",
         "{size} BYTES, {element}: {here} {nothing} {a"},
    };
    static const struct texts turned = {"zh", shuffled, 2};
    const struct words_named line = {"line", .number = 22};
    char here[40];
    char text[200];
    words_fill(here, sizeof here, _("line {line}"), &line, 1);
    const struct words_named values[] = {
        {"size", .number = -4}, {"here", .text = here}, {"element", .text = "{x}"}};
    words_fill(text, sizeof text,
               _("{here} stores {element} of {size} bytes, {here} is 100% of it"), values, 3);
    words_capitalize(text);
    ck_assert_str_eq(plain(text), "Line 22 stores {x} of -4 bytes, line 22 is 100% of it");
    ck_assert_str_eq(in(&turned, text), "-4 BYTES, {x}: LINE 22  {a");
    words_fill_sentence(text, sizeof text, "", values, 3);
    words_fill_sentence(text, sizeof text, _("More of {element}."), values, 3);
    ck_assert_str_eq(plain(text),
                     "Line 22 stores {x} of -4 bytes, line 22 is 100% of it More of {x}.");
    ck_assert_str_eq(plain("\001{a} and {b}\002x\003"), "x and ");
}
END_TEST

START_TEST(texts_are_alike_if_their_first_messages_are) {
    char one[100];
    char two[100];
    words_write(one, sizeof one, _("%d of %s"), 3, "A");
    words_write(two, sizeof two, _("%d of %s"), 17, "Bs");
    words_sentence(two, sizeof two, _("More."));
    ck_assert(words_are_alike(one, two));
    words_write(two, sizeof two, _("%d after %s"), 3, "A");
    ck_assert(!words_are_alike(one, two));
    ck_assert(!words_are_alike(one, ""));
    ck_assert(words_are_alike("", ""));
}
END_TEST

SUITE() {
    Suite *suite = suite_create("words");
    TCase *tests = tcase_create("words");
    tcase_add_test(tests, values_take_their_place_in_each_language);
    tcase_add_test(tests, numbers_look_as_printf_writes_them);
    tcase_add_test(tests, a_first_letter_becomes_a_capital_unless_a_value_begins);
    tcase_add_test(tests, foreign_text_makes_no_message);
    tcase_add_test(tests, a_text_that_does_not_fit_is_plain_and_cut);
    tcase_add_test(tests, a_message_with_wrong_values_is_no_harm);
    tcase_add_test(tests, named_values_take_their_place_in_each_language);
    tcase_add_test(tests, texts_are_alike_if_their_first_messages_are);
    suite_add_tcase(suite, tests);
    return suite;
}
