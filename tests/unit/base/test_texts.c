// The reader of catalogues: what it finds, and the broken files that it refuses.
#include "base/texts.h"

#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "suite.h"

// A catalogue of two texts, laid out as msgfmt does: head, keys, translations, bytes.
#define HEAD 20
static const struct {
    uint32_t words[5 + 8];
    char bytes[32];
} good = {
    .words = {0x950412de, 0, 2, HEAD, HEAD + 16, 3, 52, 3, 56, 4, 60, 3, 65},
    .bytes = "one\0two\0EINS\0ZWO\0",
};

static enum status read_changed(size_t word, uint32_t value, size_t bytes, struct texts *texts,
                                struct error *err) {
    static char copy[sizeof good];
    memcpy(copy, &good, sizeof good);
    memcpy(copy + 4 * word, &value, 4);
    return texts_read("de", copy, bytes, texts, err);
}

START_TEST(a_text_is_found_and_another_stays_english) {
    struct texts texts;
    struct error err = {""};
    ck_assert_int_eq(texts_read("de", &good, sizeof good, &texts, &err), STATUS_OK);
    ck_assert_str_eq(texts_find(&texts, "one"), "EINS");
    ck_assert_str_eq(texts_find(&texts, "two"), "ZWO");
    ck_assert_str_eq(texts_find(&texts, "three"), "three");
    ck_assert_str_eq(texts_find(&texts, "a"), "a");
    ck_assert_str_eq(texts_find(&texts, "zoo"), "zoo");
}
END_TEST

// word, its value, bytes of the file (0: all), what the message says
static const struct {
    uint32_t word, value;
    size_t bytes;
    const char *why;
} broken[] = {
    {0, 0x12345678, 0, "no .mo file"},
    {0, 0xde120495, 0, "no .mo file"},  // of a processor of the other byte order
    {1, 1, 0, "no .mo file"},           // with strings that depend on the system
    {0, 0x950412de, 19, "length"},
    {0, 0x950412de, 0xffffffff, "length"},
    {0, 0x950412de, 35, "a table"},
    {0, 0x950412de, 66, "a text goes past"},
    {0, 0x950412de, 68, "a text goes past"},  // all but the last NUL
    {2, 0x20000000, 0, "a table"},            // times 8 it is 0
    {2, 0xffffffff, 0, "a table"},
    {3, 0xfffffff0, 0, "a table"},
    {4, 80, 0, "a table"},
    {5, 0xffffffff, 0, "a text goes past"},
    {6, 0xffffffff, 0, "a text goes past"},
    {6, 84, 0, "a text goes past"},
    {5, 2, 0, "does not end"},
    {5, 4, 0, "does not end"},
    {9, 3, 0, "does not end"},
    {6, 56, 0, "order"},  // "two", "two"
};

START_TEST(a_broken_catalogue_is_refused) {
    struct texts texts = {.language = "as before"};
    struct error err = {""};
    size_t bytes = broken[_i].bytes > 0 ? broken[_i].bytes : sizeof good;
    ck_assert_int_eq(read_changed(broken[_i].word, broken[_i].value, bytes, &texts, &err),
                     STATUS_SYSTEM);
    ck_assert_str_eq(texts.language, "as before");
    ck_assert_ptr_nonnull(strstr(err.text, "the texts of language 'de' cannot be read"));
    ck_assert_msg(strstr(err.text, broken[_i].why) != NULL, "%s", err.text);
}
END_TEST

START_TEST(the_shortest_file_that_is_whole_is_taken) {
    struct texts texts;
    struct error err = {""};
    ck_assert_int_eq(read_changed(0, 0x950412de, 69, &texts, &err), STATUS_OK);
}
END_TEST

START_TEST(the_chinese_catalogue_is_whole) {
    struct texts texts;
    struct error err = {""};
    size_t bytes = 0;
    const void *catalogue = language_catalogue(LANGUAGE_ZH, &bytes);
    ck_assert_int_eq(texts_read("zh", catalogue, bytes, &texts, &err), STATUS_OK);
    ck_assert_str_eq(texts_find(&texts, "data race"), "数据竞争");
    ck_assert_str_eq(texts_find(&texts, ""), "");
}
END_TEST

START_TEST(every_cut_of_the_chinese_catalogue_is_refused) {
    struct texts texts;
    size_t bytes = 0;
    const void *catalogue = language_catalogue(LANGUAGE_ZH, &bytes);
    for (size_t cut = 0; cut < bytes; cut += 97) {
        char *copy = malloc(cut + 1);
        memcpy(copy, catalogue, cut);
        ck_assert_int_eq(texts_read("zh", copy, cut, &texts, NULL), STATUS_SYSTEM);
        free(copy);
    }
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

START_TEST(a_message_that_is_too_long_is_cut_between_characters) {
    static char name[3 * ERROR_TEXT_MAX + 1];
    struct error err;
    for (size_t i = 0; i < ERROR_TEXT_MAX; i++) {
        memcpy(name + 3 * i, "数", 3);
    }
    (void)fail(&err, STATUS_SYSTEM, "a%s", name);  // 1,023 bytes are a and 340 characters and 2
    ck_assert_uint_eq(strlen(err.text), 1 + 3 * ((ERROR_TEXT_MAX - 2) / 3));
}
END_TEST

static const struct {
    const char *text;
    size_t bytes;
} sentences[] = {
    {"One. Two.", 4}, {"One.", 4},       {"a 0.5 b. C", 8}, {"一。二。", 6},
    {"一。", 6},      {"一 a.b 二", 11}, {"", 0},           {"no end", 6},
};

START_TEST(the_first_sentence_is_found_in_both_languages) {
    ck_assert_uint_eq(text_sentence(sentences[_i].text), sentences[_i].bytes);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("texts");
    TCase *test = tcase_create("texts");
    tcase_add_test(test, a_text_is_found_and_another_stays_english);
    tcase_add_loop_test(test, a_broken_catalogue_is_refused, 0, sizeof broken / sizeof *broken);
    tcase_add_test(test, the_shortest_file_that_is_whole_is_taken);
    tcase_add_test(test, the_chinese_catalogue_is_whole);
    tcase_add_test(test, every_cut_of_the_chinese_catalogue_is_refused);
    tcase_add_loop_test(test, a_cut_text_ends_with_a_whole_character, 0,
                        sizeof ends / sizeof *ends);
    tcase_add_test(test, a_message_that_is_too_long_is_cut_between_characters);
    tcase_add_loop_test(test, the_first_sentence_is_found_in_both_languages, 0,
                        sizeof sentences / sizeof *sentences);
    suite_add_tcase(suite, test);
    return suite_run(suite);
}
