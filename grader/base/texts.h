// Texts for people, in the language that was chosen: the English text in the sources is the key,
// and a table that tools/texts.py makes from grader/texts/zh.po holds its translation.
//
// Functions that take a format (fail, words_append …) look it up themselves.  `_("…")` is for a
// text that is passed on or chosen, `N_("…")` for one in a table, which is looked up where it is
// used.  All three are found by `make texts`.
#ifndef BASE_TEXTS_H
#define BASE_TEXTS_H

#include <stddef.h>

#define N_(english) english
#define _(english)  text_of(english)

// Where the same English needs another translation.
#define C_(context, english) text_in(context "\004" english, english)

struct text {
    const char *english;  // after its context and "\004", where C_ gives it one
    const char *translation;
};

struct texts {
    const char *language;        // "en", "zh"
    const struct text *entries;  // sorted by strcmp of the English; what is missing stays English
    size_t count;
};

extern const struct texts texts_en;
extern const struct texts texts_zh;  // build/texts/zh.c

// The translation, or `english` itself where there is none.  Never NULL.
const char *texts_find(const struct texts *texts, const char *english)
    __attribute__((format_arg(2)));

// Chooses the texts of the whole process: once, by main, before any thread starts.
void texts_use(const struct texts *texts);

// In the chosen language, which is English before texts_use.
const char *text_of(const char *english) __attribute__((format_arg(1)));
const char *text_in(const char *key, const char *english) __attribute__((format_arg(2)));
const char *texts_language(void);  // "en" or "zh"

// Bytes of the first sentence of a text in either language, without the blank behind it; all of it
// where it is one sentence.
size_t text_sentence(const char *text);

// What stands between two sentences: a blank, which Chinese has not.
const char *sentence_gap(void);

// Bytes of the longest start of text of at most bytes_max that cuts no character in UTF-8: for
// "%.*s".
int text_cut(const char *text, size_t bytes_max);

// Takes away what is left of a character in UTF-8 at the end of a text that was cut.
void text_end(char *text);

#endif
