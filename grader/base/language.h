// The language of texts for people, set by an option, by our own environment variable, or by the
// system's variables.
#ifndef BASE_LANGUAGE_H
#define BASE_LANGUAGE_H

#include "base/error.h"

// language_use sets it too, so that the programs that we start use the same language.
#define LANGUAGE_VARIABLE "TILEGRADE_LANGUAGE"
#define LANGUAGES_TEXT    "en, zh"

enum language { LANGUAGE_EN, LANGUAGE_ZH, LANGUAGE_COUNT };

// "zh", "zh_CN.UTF-8", "EN".  Errors: STATUS_BAD_USAGE with the list of languages.
enum status language_parse(const char *name, enum language *ret_language, struct error *err);

// The language of TILEGRADE_LANGUAGE.  If it is not set, the language is found as gettext finds it,
// from LC_ALL, LC_MESSAGES and LANG, with LANGUAGE first unless they ask for C; otherwise it is
// English.  Errors: as language_parse, only for TILEGRADE_LANGUAGE.
enum status language_of_environment(enum language *ret_language, struct error *err);

// Makes it the language of this process (texts_use) and of those that it starts.
void language_use(enum language language);

// A text of base/words.h in the chosen language.  Owns: the caller frees it.
char *language_plain(const char *text);

// For a program that another of our programs started: language_of_environment and language_use.
enum status language_begin(struct error *err);

#endif
