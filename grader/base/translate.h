// Texts for people, in the chosen language.  The English text in the sources is the key to a table
// of translations, which tools/texts.py makes from grader/texts/zh.po.
//
// Functions that take a format (fail, terminal_color …) look it up themselves.  `_("…")` is for a
// text that is passed on or chosen, `N_("…")` for one in a table, which is looked up where it is
// used. `make texts` finds all three.  What results store is written by base/compose.h instead.
#ifndef BASE_TRANSLATE_H
#define BASE_TRANSLATE_H

#include <stddef.h>

#define N_(english) english
#define _(english)  text_of(english)

// For an English text whose translation depends on the context.
#define C_(context, english) text_in(context "\004" english, english)

struct translation {
    const char *english;  // with its context and "\004" in front, if C_ gives it one
    const char *translation;
};

struct texts {
    const char *language;  // "en", "zh"
    const struct translation
        *entries;  // sorted by strcmp of the English; missing texts stay English
    size_t count;
};

extern const struct texts texts_en;
extern const struct texts texts_zh;  // build/texts/zh.c

// The translation, or `english` itself if there is none.  Never NULL.
const char *texts_find(const struct texts *texts, const char *english)
    __attribute__((format_arg(2)));

// Chooses the texts of the whole process: once, by main, before any thread starts.
void texts_use(const struct texts *texts);

// In the chosen language, which is English before texts_use.
const char *text_of(const char *english) __attribute__((format_arg(1)));
const char *text_in(const char *key, const char *english) __attribute__((format_arg(2)));
const char *texts_language(void);  // "en" or "zh"
const struct texts *texts_chosen(void);

// Bytes of the first sentence of a text in either language, without the blank after it.
size_t text_sentence(const char *text);

// The separator of two sentences: a blank, but nothing in Chinese.
const char *texts_gap(const struct texts *texts);

#endif
