// Writes texts that can be read in every language (base/words.h), as results store them.
//
// In a file that includes this header `_("…")`, `N_("…")` and `C_("…", "…")` are messages of such a
// text, not their translations.  They take only literals; an entry of an N_ table is used directly.
#ifndef BASE_COMPOSE_H
#define BASE_COMPOSE_H

#include <stdarg.h>

#include "base/words.h"

#undef _
#undef N_
#undef C_
#define _(english)           "\001" english "\003"
#define N_(english)          _(english)
#define C_(context, english) "\001" context "\004" english "\003"

// Write a text, or add a sentence to one.  The format is a literal or a `_("…")`, and is a whole
// clause or sentence.  A value of "%s" may itself be such a text; a value of "%.63s" is foreign, so
// it is cut and cleaned.  An empty sentence adds nothing.  A text that does not fit is cut, and
// becomes plain text in the chosen language.
void words_write(char *text, size_t text_bytes, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void words_vwrite(char *text, size_t text_bytes, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));
void words_sentence(char *text, size_t text_bytes, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// A value for a slot of a message, such as "{line}": a text or a number.
struct words_named {
    const char *name;
    const char *text;  // NULL: the number
    long long number;
};

// The same for a message whose values have names.  All names must be among the values.
void words_fill(char *text, size_t text_bytes, const char *message,
                const struct words_named *values, size_t count);
void words_fill_sentence(char *text, size_t text_bytes, const char *message,
                         const struct words_named *values, size_t count);

// Writes a message without values whose English is known only at run time, such as strerror's.
void words_name(char *text, size_t text_bytes, const char *english);

// Makes the first letter of the text a capital, unless a value starts it: a name keeps its own.
void words_capitalize(char *text);

#endif
