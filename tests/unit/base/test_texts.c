// Texts and their translations, and where a text may be cut.
#include "base/words.h"

#include <string.h>

#include "base/error.h"
#include "suite.h"

START_TEST(a_text_is_found_and_another_stays_english) {
    static const struct translation entries[] = {{"one", "EINS"}, {"two", "ZWO"}};
    static const struct texts texts = {"de", entries, 2};
    ck_assert_str_eq(texts_find(&texts, "one"), "EINS");
    ck_assert_str_eq(texts_find(&texts, "two"), "ZWO");
    ck_assert_str_eq(texts_find(&texts, "three"), "three");
    ck_assert_str_eq(texts_find(&texts, "a"), "a");
    ck_assert_str_eq(texts_find(&texts, "zoo"), "zoo");
    ck_assert_str_eq(texts_find(&texts, ""), "");
    ck_assert_str_eq(texts_find(&texts_en, "one"), "one");
}
END_TEST

// The search is binary.
START_TEST(the_chinese_texts_are_in_order) {
    ck_assert_uint_gt(texts_zh.count, 1000);
    for (size_t i = 1; i < texts_zh.count; i++) {
        ck_assert_int_lt(strcmp(texts_zh.entries[i - 1].english, texts_zh.entries[i].english), 0);
    }
    ck_assert_str_eq(texts_find(&texts_zh, "data race"), "数据竞争");
    ck_assert_str_eq(texts_find(&texts_zh, ""), "");
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

SUITE() {
    Suite *suite = suite_create("texts");
    TCase *test = tcase_create("texts");
    tcase_add_test(test, a_text_is_found_and_another_stays_english);
    tcase_add_test(test, the_chinese_texts_are_in_order);
    tcase_add_test(test, a_message_that_is_too_long_is_cut_between_characters);
    tcase_add_loop_test(test, the_first_sentence_is_found_in_both_languages, 0,
                        sizeof sentences / sizeof *sentences);
    suite_add_tcase(suite, test);
    return suite;
}
