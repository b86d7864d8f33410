// Texts for people, in the language that was chosen: the English text in the sources is the key,
// and a catalogue in GNU gettext's format (.mo) holds its translation.
//
// Functions that take a format (fail, words_append …) look it up themselves.  `_("…")` is for a
// text that is passed on or chosen, `N_("…")` for one in a table, which is looked up where it is
// used.  All three are found by `make texts`.
#ifndef BASE_TEXTS_H
#define BASE_TEXTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define N_(english) english
#define _(english)  text_of(english)

// Where the same English needs another translation.
#define C_(context, english) text_in(context "\004" english, english)

// A catalogue; what it points to is borrowed.
struct texts {
    const char *language;   // "en", "zh"
    const char *catalogue;  // the bytes of a .mo file; NULL: every text stays English
    uint32_t count;         // of texts
    uint32_t keys;          // where the table of English texts starts
    uint32_t translations;  // where the table of their translations starts
};

// Checks a .mo file whole, so that looking up needs no check.  The bytes stay the caller's and must
// outlive *ret_texts, and so must `language`.
// Errors   STATUS_SYSTEM: what is wrong with it.
// Source   GNU gettext manual, "The Format of GNU MO Files".
enum status texts_read(const char *language, const void *bytes, size_t byte_count,
                       struct texts *ret_texts, struct error *err);

// The translation, or `english` itself where there is none.  Never NULL.
const char *texts_find(const struct texts *texts, const char *english)
    __attribute__((format_arg(2)));

// Chooses the catalogue of the whole process: once, by main, before any thread starts.
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
