// The translations are part of the programs: a program in a box, which sees few files, has them
// too, and they cannot be missing or have the wrong version.
#include "base/language.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/basics.h"
#include "base/memory.h"
#include "base/words.h"

static const struct texts *const languages[LANGUAGE_COUNT] = {
    [LANGUAGE_EN] = &texts_en,
    [LANGUAGE_ZH] = &texts_zh,
};

// The language at the start of "zh_CN.UTF-8" or "zh-Hans:en"; LANGUAGE_COUNT if we do not have it.
static enum language language_at(const char *name) {
    size_t length = strcspn(name, "_-.@:");
    for (int i = 0; i < LANGUAGE_COUNT; i++) {
        const char *own = languages[i]->language;
        if (length == strlen(own) && strncasecmp(name, own, length) == 0) {
            return (enum language)i;
        }
    }
    return LANGUAGE_COUNT;
}

enum status language_parse(const char *name, enum language *ret_language, struct error *err) {
    enum language language = language_at(name);
    if (language == LANGUAGE_COUNT || strchr(name, ':')) {
        return fail(err, STATUS_BAD_USAGE, "unknown language '%.32s'; the languages are: %s", name,
                    LANGUAGES_TEXT);
    }
    *ret_language = language;
    return STATUS_OK;
}

// The first of a list such as "de:zh_CN:en" that we have.
static enum language language_listed(const char *list) {
    for (const char *at = list; *at != '\0';) {
        enum language language = language_at(at);
        if (language != LANGUAGE_COUNT) {
            return language;
        }
        at += strcspn(at, ":");
        at += *at == ':';
    }
    return LANGUAGE_COUNT;
}

// A variable that is set and not empty; else NULL.
static const char *variable(const char *name) {
    const char *value = getenv(name);
    return value && *value != '\0' ? value : NULL;
}

enum status language_of_environment(enum language *ret_language, struct error *err) {
    static const char *const locales[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    const char *own = variable(LANGUAGE_VARIABLE);
    const char *list = variable("LANGUAGE");
    const char *locale = NULL;
    if (own) {
        return language_parse(own, ret_language, err);
    }
    for (size_t i = 0; !locale && i < COUNT(locales); i++) {
        locale = variable(locales[i]);
    }
    bool plain = locale && (strcmp(locale, "C") == 0 || strcmp(locale, "POSIX") == 0);
    enum language language = list && !plain ? language_listed(list) : LANGUAGE_COUNT;
    if (language == LANGUAGE_COUNT && locale) {
        language = language_at(locale);
    }
    *ret_language = language == LANGUAGE_COUNT ? LANGUAGE_EN : language;
    return STATUS_OK;
}

void language_use(enum language language) {
    if (setenv(LANGUAGE_VARIABLE, languages[language]->language, 1) != 0) {
        memory_end();
    }
    texts_use(languages[language]);
}

char *language_plain(const char *text) {
    size_t bytes = strlen(text) + WORDS_PLAIN_MAX;  // a translation is hardly longer than its key
    char *plain = xmalloc(bytes);
    words_render(NULL, text, plain, bytes);
    return plain;
}

enum status language_begin(struct error *err) {
    enum language language = LANGUAGE_EN;
    enum status status = language_of_environment(&language, err);
    if (!status) {
        language_use(language);
    }
    return status;
}
