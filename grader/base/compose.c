// Writes texts as data: see compose.h.
#include "base/compose.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

#define MESSAGE_ROOM 512  // bytes that values leave to marks and numbers

struct draft {
    char text[WORDS_PLAIN_MAX];
    size_t used;
};

static void draft_add(struct draft *draft, const char *text, size_t bytes) {
    size_t room = sizeof draft->text - 1 - draft->used;
    bytes = bytes < room ? bytes : room;
    memcpy(draft->text + draft->used, text, bytes);
    draft->used += bytes;
    draft->text[draft->used] = '\0';
}

static void draft_add_mark(struct draft *draft, char mark) {
    draft_add(draft, &mark, 1);
}

// Foreign text cannot make a message.
static void draft_add_foreign(struct draft *draft, const char *text, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) {
        draft_add_mark(draft, strchr(WORDS_MARKS, text[i]) ? '?' : text[i]);
    }
}

static void draft_add_text(struct draft *draft, const char *text, int precision) {
    size_t used = draft->used + MESSAGE_ROOM;
    size_t room = used < sizeof draft->text ? sizeof draft->text - used : 0;
    room = precision >= 0 && (size_t)precision < room ? (size_t)precision : room;
    if (precision < 0 && strlen(text) <= room && words_are_whole(text)) {
        draft_add(draft, text, strlen(text));
    } else {
        draft_add_foreign(draft, text, (size_t)text_cut(text, room));
    }
}

// The value of one conversion, taken from the arguments.
static void draft_add_value(struct draft *draft, const struct words_conversion *conversion,
                            int precision, va_list *arguments) {
    char digits[40];
    bool is_long = conversion->length[0] == 'l' || conversion->length[0] == 'j' ||
                   conversion->length[0] == 'z' || conversion->length[0] == 't';
    _Static_assert(sizeof(long) == sizeof(long long) && sizeof(long) == sizeof(size_t) &&
                       sizeof(long) == sizeof(intmax_t),
                   "one kind of long");
    switch (conversion->type) {
    case 's':
        draft_add_mark(draft, WORDS_TEXT);
        draft_add_text(draft, va_arg(*arguments, const char *), precision);
        return;
    case 'c':
        digits[0] = (char)va_arg(*arguments, int);
        draft_add_mark(draft, WORDS_TEXT);
        draft_add_foreign(draft, digits, 1);
        return;
    case 'd':
    case 'i':
        (void)snprintf(digits, sizeof digits, "%lld",
                       is_long ? (long long)va_arg(*arguments, long) : va_arg(*arguments, int));
        break;
    case 'u':
    case 'x':
    case 'X':
    case 'o':
        (void)snprintf(digits, sizeof digits, "%llu",
                       is_long ? (unsigned long long)va_arg(*arguments, unsigned long)
                               : va_arg(*arguments, unsigned));
        break;
    case 'e':
    case 'f':
    case 'g':
        (void)snprintf(digits, sizeof digits, "%.17g", va_arg(*arguments, double));
        break;
    default:
        assert(!"a conversion that no text may have");
        return;
    }
    draft_add_mark(draft, WORDS_NUMBER);
    draft_add(draft, digits, strlen(digits));
}

static int star_add(struct draft *draft, va_list *arguments) {
    char digits[16];
    int number = va_arg(*arguments, int);
    (void)snprintf(digits, sizeof digits, "%d", number);
    draft_add_mark(draft, WORDS_NUMBER);
    draft_add(draft, digits, strlen(digits));
    return number;
}

static void draft_add_values(struct draft *draft, const char *format, va_list *arguments) {
    while ((format = strchr(format, '%')) != NULL) {
        struct words_conversion conversion;
        words_convert(format, &conversion);
        format += conversion.bytes;
        if (conversion.type == '%') {
            continue;
        }
        assert(conversion.position == 0);
        if (conversion.width_is_value) {
            (void)star_add(draft, arguments);
        }
        int precision = conversion.precision;
        if (conversion.precision_is_value) {
            precision = star_add(draft, arguments);
        }
        draft_add_value(draft, &conversion, precision, arguments);
    }
}

// The message as data.  "%s" alone is no message, but its value.
static void draft_write(struct draft *draft, const char *format, va_list *arguments) {
    size_t key_bytes = strlen(format);
    draft->text[0] = '\0';
    draft->used = 0;
    if (strcmp(format, "%s") == 0) {
        draft_add_text(draft, va_arg(*arguments, const char *), -1);
        return;
    }
    if (format[0] == WORDS_OPEN) {
        format++;
        key_bytes -= 2;
    }
    draft_add_mark(draft, WORDS_OPEN);
    draft_add(draft, format, key_bytes);
    draft_add_values(draft, format, arguments);
    draft_add_mark(draft, WORDS_CLOSE);
}

// The value of a slot.
static void draft_add_named(struct draft *draft, const char *name, size_t bytes,
                            const struct words_named *values, size_t count) {
    char digits[24];
    size_t i = 0;
    while (i < count && (strncmp(values[i].name, name, bytes) != 0 || values[i].name[bytes])) {
        i++;
    }
    assert(i < count);
    if (values[i].text) {
        draft_add_mark(draft, WORDS_TEXT);
        draft_add_text(draft, values[i].text, -1);
    } else {
        (void)snprintf(digits, sizeof digits, "%lld", values[i].number);
        draft_add_mark(draft, WORDS_NUMBER);
        draft_add(draft, digits, strlen(digits));
    }
}

// The message as data.  An empty one is nothing.
static void draft_fill(struct draft *draft, const char *message, const struct words_named *values,
                       size_t count) {
    size_t key_bytes = strlen(message);
    draft->text[0] = '\0';
    draft->used = 0;
    if (key_bytes == 0) {
        return;
    }
    if (message[0] == WORDS_OPEN) {
        message++;
        key_bytes -= 2;
    }
    draft_add_mark(draft, WORDS_OPEN);
    draft_add(draft, message, key_bytes);
    int known = 0;  // values that are written
    for (const char *at = message; (at = strchr(at, '{')) != NULL; at++) {
        size_t bytes = words_slot(at);
        if (bytes > 0 && words_slot_find(message, at + 1, bytes) == known) {
            draft_add_named(draft, at + 1, bytes, values, count);
            known++;
        }
    }
    draft_add_mark(draft, WORDS_CLOSE);
}

static void put(char *text, size_t text_bytes, const struct draft *draft) {
    if (draft->used < text_bytes) {
        memcpy(text, draft->text, draft->used + 1);
    } else {
        words_render(NULL, draft->text, text, text_bytes);
    }
}

void words_vwrite(char *text, size_t text_bytes, const char *format, va_list arguments) {
    struct draft draft;
    va_list copy;  // a parameter of this type may be a pointer
    va_copy(copy, arguments);
    draft_write(&draft, format, &copy);
    va_end(copy);
    put(text, text_bytes, &draft);
}

void words_write(char *text, size_t text_bytes, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    words_vwrite(text, text_bytes, format, arguments);
    va_end(arguments);
}

static void put_sentence(char *text, size_t text_bytes, const struct draft *draft) {
    size_t end = strlen(text);
    if (draft->used == 0 || end + 2 >= text_bytes) {
        return;
    }
    if (end > 0) {
        text[end++] = WORDS_GAP;
    }
    put(text + end, text_bytes - end, draft);
}

void words_sentence(char *text, size_t text_bytes, const char *format, ...) {
    struct draft draft;
    va_list arguments;
    va_start(arguments, format);
    draft_write(&draft, format, &arguments);
    va_end(arguments);
    put_sentence(text, text_bytes, &draft);
}

void words_fill(char *text, size_t text_bytes, const char *message,
                const struct words_named *values, size_t count) {
    struct draft draft;
    draft_fill(&draft, message, values, count);
    put(text, text_bytes, &draft);
}

void words_fill_sentence(char *text, size_t text_bytes, const char *message,
                         const struct words_named *values, size_t count) {
    struct draft draft;
    draft_fill(&draft, message, values, count);
    put_sentence(text, text_bytes, &draft);
}

void words_name(char *text, size_t text_bytes, const char *english) {
    struct draft draft = {.used = 0};
    draft_add_mark(&draft, WORDS_OPEN);
    draft_add_foreign(&draft, english, strlen(english));
    draft_add_mark(&draft, WORDS_CLOSE);
    put(text, text_bytes, &draft);
}

void words_capitalize(char *text) {
    if (text[0] == WORDS_OPEN) {
        text[0] = WORDS_CAPITAL;
    }
}
