// Characters of UTF-8: read, cut, made fit to show.
#include "base/text.h"

#include <string.h>

#include "suite.h"  // last: Check has a macro called fail

static const struct {
    const char *text;
    uint32_t character;
    size_t bytes;
} characters[] = {
    {"a", 'a', 1},
    {"", 0, 1},
    {"\x7f", 0x7f, 1},
    {"\xc2\x80", 0x80, 2},
    {"\xdf\xbf", 0x7ff, 2},
    {"\xe0\xa0\x80", 0x800, 3},
    {"\xef\xbf\xbd", 0xfffd, 3},
    {"\xee\x80\x80", 0xe000, 3},
    {"\xf0\x90\x80\x80", 0x10000, 4},
    {"\xf4\x8f\xbf\xbf", 0x10ffff, 4},
    // Each is one step past a limit: a tail byte alone, overlong, surrogates, too large, cut short.
    {"\x80", UTF8_BAD, 1},
    {"\xc1\xbf", UTF8_BAD, 1},
    {"\xe0\x9f\xbf", UTF8_BAD, 1},
    {"\xed\xa0\x80", UTF8_BAD, 1},
    {"\xed\xbf\xbf", UTF8_BAD, 1},
    {"\xf0\x8f\xbf\xbf", UTF8_BAD, 1},
    {"\xf4\x90\x80\x80", UTF8_BAD, 1},
    {"\xf8\x90\x80\x80", UTF8_BAD, 1},
    {"\xff", UTF8_BAD, 1},
    {"\xe2\x80", UTF8_BAD, 1},
    {"\xc3(", UTF8_BAD, 1},
};

START_TEST(a_character_is_read_if_it_is_well_formed) {
    size_t bytes = 0;
    ck_assert_uint_eq(utf8_read(characters[_i].text, &bytes), characters[_i].character);
    ck_assert_uint_eq(bytes, characters[_i].bytes);
}
END_TEST

static const struct {
    const char *dirty, *clean;
} texts[] = {
    {"plain\n\tx", "plain\n x"},
    {"\x1b[31mred\x7f\r", "?[31mred??"},
    {"gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f"},
    {"gr\xfc\xdf", "gr??"},
    {"\xc2\x9b"
     "31m",
     "?31m"},
    {"\xe2\x80\xa6\xf0\x9f\x99\x82", "\xe2\x80\xa6\xf0\x9f\x99\x82"},
    {"\xed\xa0\x80", "???"},
    {"\xc0\xaf\xf5", "???"},
    {"cut \xe2\x80", "cut ??"},
    // Right to left, isolates, an Arabic mark, separators, a tag, a joiner, what has no width.
    {"a\u202eb\u2066c\u061cd", "a?b?c?d"},
    {"a\u2028b\u2029\U000e0041", "a?b??"},
    {"\ufeffa\u200b\u200d\u2060\u00ad\ufe0f", "?a?????"},
    // Near misses: visible neighbours of those.
    {"\u00ae\u061b\u2027\u2030\u205e", "\u00ae\u061b\u2027\u2030\u205e"},
    {"\u3000\u3163\ufe10\uff01\ufffd\U0001f642", "\u3000\u3163\ufe10\uff01\ufffd\U0001f642"},
    {"", ""},
};

START_TEST(foreign_text_is_made_fit_to_show) {
    char text[64];
    (void)snprintf(text, sizeof text, "%s", texts[_i].dirty);
    text_clean(text);
    ck_assert_str_eq(text, texts[_i].clean);
}
END_TEST

static const struct {
    const char *cut;
    const char *whole;
} ends[] = {
    {"", ""},
    {"abc", "abc"},
    {"数", "数"},
    {"a数", "a数"},
    {"a\xe6\x95", "a"},
    {"a\xe6", "a"},
    {"\xe6\x95", ""},
    {"gr\xc3", "gr"},
    {"\xf0\x9f\x98", ""},
    {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},
    {"\x80\x80\x80", "\x80\x80\x80"},
};

START_TEST(a_cut_text_ends_with_a_whole_character) {
    char text[16];
    (void)snprintf(text, sizeof text, "%s", ends[_i].cut);
    text_end(text);
    ck_assert_str_eq(text, ends[_i].whole);
}
END_TEST

START_TEST(a_cut_leaves_whole_characters) {
    ck_assert_int_eq(text_cut("a数b", 5), 5);
    ck_assert_int_eq(text_cut("a数b", 4), 4);
    ck_assert_int_eq(text_cut("a数b", 3), 1);
    ck_assert_int_eq(text_cut("a数b", 9), 5);
    ck_assert_int_eq(text_cut("a", 0), 0);
}
END_TEST

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof *(array)))

SUITE() {
    Suite *suite = suite_create("utf8");
    TCase *tests = tcase_create("utf8");
    tcase_add_loop_test(tests, a_character_is_read_if_it_is_well_formed, 0, COUNT_OF(characters));
    tcase_add_loop_test(tests, foreign_text_is_made_fit_to_show, 0, COUNT_OF(texts));
    tcase_add_loop_test(tests, a_cut_text_ends_with_a_whole_character, 0, COUNT_OF(ends));
    tcase_add_test(tests, a_cut_leaves_whole_characters);
    suite_add_tcase(suite, tests);
    return suite;
}
