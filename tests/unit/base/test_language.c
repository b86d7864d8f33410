// Which language is chosen: our own variable, then the system's, as gettext reads them.
#include "base/language.h"

#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "suite.h"

static void variable_set(const char *name, const char *value) {
    if (value) {
        (void)setenv(name, value, 1);
    } else {
        (void)unsetenv(name);
    }
}

// TILEGRADE_LANGUAGE, LANGUAGE, LC_ALL, LC_MESSAGES, LANG
static const struct {
    const char *own, *list, *all, *messages, *lang;
    enum language language;
} chosen[] = {
    {NULL, NULL, NULL, NULL, NULL, LANGUAGE_EN},
    {NULL, NULL, NULL, NULL, "zh_CN.UTF-8", LANGUAGE_ZH},
    {NULL, NULL, NULL, NULL, "zh", LANGUAGE_ZH},
    {NULL, NULL, NULL, NULL, "zh_CN@pinyin", LANGUAGE_ZH},
    {NULL, NULL, NULL, NULL, "zhuang", LANGUAGE_EN},
    {NULL, NULL, NULL, NULL, "de_DE.UTF-8", LANGUAGE_EN},
    {NULL, NULL, NULL, "zh_CN", "de_DE", LANGUAGE_ZH},
    {NULL, NULL, NULL, "en_US", "zh_CN", LANGUAGE_EN},
    {NULL, NULL, "C", "zh_CN", "zh_CN", LANGUAGE_EN},
    {NULL, NULL, "", "", "zh_CN", LANGUAGE_ZH},
    {NULL, "zh", NULL, NULL, NULL, LANGUAGE_ZH},
    {NULL, "zh", NULL, NULL, "en_US.UTF-8", LANGUAGE_ZH},
    {NULL, "en:zh", NULL, NULL, "zh_CN.UTF-8", LANGUAGE_EN},
    {NULL, "de:zh_CN:en", NULL, NULL, "de_DE.UTF-8", LANGUAGE_ZH},
    {NULL, "de", NULL, NULL, "zh_CN.UTF-8", LANGUAGE_ZH},
    {NULL, "::de:", NULL, NULL, NULL, LANGUAGE_EN},
    {NULL, "zh", "C", NULL, "zh_CN", LANGUAGE_EN},
    {NULL, "zh", NULL, NULL, "POSIX", LANGUAGE_EN},
    {"zh", "en", "C", NULL, NULL, LANGUAGE_ZH},
    {"en", "zh", "zh_CN.UTF-8", NULL, NULL, LANGUAGE_EN},
    {"", NULL, NULL, NULL, "zh_CN", LANGUAGE_ZH},
};

START_TEST(environment_chooses) {
    struct error err = {.text = ""};
    enum language language = LANGUAGE_COUNT;
    variable_set("TILEGRADE_LANGUAGE", chosen[_i].own);
    variable_set("LANGUAGE", chosen[_i].list);
    variable_set("LC_ALL", chosen[_i].all);
    variable_set("LC_MESSAGES", chosen[_i].messages);
    variable_set("LANG", chosen[_i].lang);
    ck_assert_int_eq(language_of_environment(&language, &err), STATUS_OK);
    ck_assert_int_eq(language, chosen[_i].language);
}
END_TEST

START_TEST(our_own_variable_may_not_be_wrong) {
    struct error err = {.text = ""};
    enum language language = LANGUAGE_COUNT;
    variable_set("TILEGRADE_LANGUAGE", "klingon");
    variable_set("LANG", "zh_CN");
    ck_assert_int_eq(language_of_environment(&language, &err), STATUS_BAD_USAGE);
    ck_assert_str_eq(err.text, "unknown language 'klingon'; the languages are: en, zh");
    ck_assert_int_eq(language, LANGUAGE_COUNT);
}
END_TEST

static const char *const unknown[] = {"", "z", "zhh", "chinese", "zh:en", "_zh"};

START_TEST(an_unknown_name_is_refused) {
    struct error err = {.text = ""};
    enum language language = LANGUAGE_COUNT;
    ck_assert_int_eq(language_parse(unknown[_i], &language, &err), STATUS_BAD_USAGE);
    ck_assert_ptr_nonnull(strstr(err.text, "; the languages are: en, zh"));
}
END_TEST

START_TEST(messages_follow_and_children_are_told) {
    struct error err = {.text = ""};
    ck_assert_str_eq(texts_language(), "en");
    language_use(LANGUAGE_ZH);
    ck_assert_str_eq(texts_language(), "zh");
    ck_assert_str_eq(getenv("TILEGRADE_LANGUAGE"), "zh");
    ck_assert_str_eq(text_of("data race"), "数据竞争");
    (void)fail(&err, STATUS_SYSTEM, "cannot start a process");
    ck_assert_str_eq(err.text, "无法启动进程");
    language_use(LANGUAGE_EN);
    ck_assert_str_eq(text_of("data race"), "data race");
}
END_TEST

SUITE() {
    Suite *suite = suite_create("language");
    TCase *tests = tcase_create("language");
    tcase_add_loop_test(tests, environment_chooses, 0, sizeof chosen / sizeof *chosen);
    tcase_add_test(tests, our_own_variable_may_not_be_wrong);
    tcase_add_loop_test(tests, an_unknown_name_is_refused, 0, sizeof unknown / sizeof *unknown);
    tcase_add_test(tests, messages_follow_and_children_are_told);
    suite_add_tcase(suite, tests);
    return suite;
}
