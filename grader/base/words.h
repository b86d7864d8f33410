// A text as data: messages with their values, from which it can be written in every language.
//
// Such a text is an ordinary string in which control characters mark the parts of a message:
// its English format, which is the key of the catalogue, and its values.  A value may be a text
// itself.  Several sentences are separated by a gap, which is a blank in English and nothing in
// Chinese.  What is not marked (a name, a line of a compiler) is the same in every language.
//
//   text     := part*
//   part     := plain | GAP | OPEN key value* CLOSE      CAPITAL instead of OPEN: see below
//   value    := TEXT text | NUMBER digits
//   key      := [context '\4'] English format
//
// A format has conversions of printf, whose values follow in their order, or names in braces:
// "{line} stores {element}".  Then the values are in the order in which their names first occur in
// the English, and a '%' is itself.
//
// Files that write such texts include base/compose.h.
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

struct texts;

#define WORDS_OPEN    '\001'
#define WORDS_TEXT    '\002'
#define WORDS_CLOSE   '\003'
#define WORDS_CONTEXT '\004'  // gettext's own
#define WORDS_NUMBER  '\005'
#define WORDS_GAP     '\006'
#define WORDS_CAPITAL                                                                              \
    '\007'  // as OPEN: its first letter becomes a capital, unless a value starts it
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

// True if the marks of the text make complete messages.  A text in which they do not is foreign,
// and shown as it is.
bool words_are_whole(const char *text);

// Bytes of the first part of such a text: a message, a gap, or the plain text before either.  0 at
// its end.
size_t words_part(const char *at, size_t bytes);

// The message that a part is, borrowed from the text; false if the part is plain or a gap.
bool words_read(const char *part, size_t bytes, struct words_message *ret_message);

// Reads the conversion that begins at a '%'.
void words_convert(const char *at, struct words_conversion *ret_conversion);

// Bytes of the name in the slot that `at` begins with, "{line}"; 0 if it begins with none.
size_t words_slot(const char *at);

// The number of the value with that name in a message with this format, from 0; -1 if it has none.
int words_slot_find(const char *format, const char *name, size_t bytes);

// True if two texts begin with the same message, whatever its values are, or with none.
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

// Owns: the caller frees it.  NULL: no memory.
char *words_plain_new(const char *text);

#endif
