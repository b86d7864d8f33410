// Texts for people: their translation, and texts as data that can be read in every language.
//
// The English text in the sources is the key to a table of translations, which tools/texts.py makes
// from grader/texts/zh.po. Functions that take a format (fail, terminal_color …) look it up
// themselves. `_("…")` is for a text that is passed on or chosen, `N_("…")` for one in a table,
// which is looked up where it is used. texts.py finds all three.  Texts that results store are
// written by base/compose.h instead.
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#define N_(english) english
#define _(english)  text_of(english)

// A key of the table, even in a file that includes base/compose.h; text_of or texts_find finds it.
#define KEY_(english) english

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

// Bytes of the first sentence of a text in either language, without the blank after it.
size_t text_sentence(const char *text);

struct texts;

#define WORDS_OPEN    '\001'
#define WORDS_TEXT    '\002'
#define WORDS_CLOSE   '\003'
#define WORDS_CONTEXT '\004'  // gettext's own
#define WORDS_NUMBER  '\005'
#define WORDS_GAP     '\006'
#define WORDS_CAPITAL                                                                              \
    '\007'  // like OPEN, but capitalizes the first letter, unless a value starts it
#define WORDS_MARKS "\001\002\003\004\005\006\007"

#define WORDS_VALUES_MAX 16
#define WORDS_PLAIN_MAX  4096  // bytes of a text as people read it, with the final NUL

struct words_value {
    const char *at;
    size_t bytes;
    bool is_number;
};

struct words_message {
    const char *context, *key;  // key: the English format; context_bytes = 0 without a context
    size_t context_bytes, key_bytes;
    bool is_capital;
    int count;
    struct words_value value[WORDS_VALUES_MAX];
};

// A conversion of a format: "%2$-5.*lld".
struct words_conversion {
    size_t bytes;
    int position;  // from 1; 0 without one
    char flags[8];
    int width, precision;  // -1 without one
    bool width_is_value, precision_is_value;
    char length[3];  // "", "l", "ll" …
    char type;       // 's', 'd' …; '%' for "%%"
};

// True if the marks of the text make complete messages.  Any other text is foreign, and shown
// unchanged.
bool words_are_whole(const char *text);

// Bytes of the first part of such a text: a message, a gap, or the plain text before either.  0 at
// its end.
size_t words_part(const char *at, size_t bytes);

// Reads a part that is a message, borrowed from the text; false if the part is plain or a gap.
bool words_read(const char *part, size_t bytes, struct words_message *ret_message);

// True if two texts begin with the same message, whatever its values are, or neither begins with
// one.
bool words_are_alike(const char *text, const char *other);

// Bytes of the first sentence: up to the first gap.
size_t words_sentence_end(const char *text);

// Makes plain text of it fit for terminals and JSON, as text_clean does; messages stay.
void words_clean(char *text);

// Writes the text as people read it, as far as there is room.  texts: the language; NULL: the
// chosen one.
void words_render(const struct texts *texts, const char *text, char *plain, size_t bytes);

// The same in the chosen language; returns plain.
const char *words_plain(const char *text, char plain[WORDS_PLAIN_MAX]);

#endif
