// Reads texts as data, and writes them as people read them.  Nothing here trusts a text: a number
// that is none is shown as it is, and a format is never given to printf.
#include "base/words.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/translate.h"
#include "base/utf8.h"

#define DEPTH_MAX 12    // messages inside messages
#define KEY_MAX   1024  // bytes of a key that is looked up, with the final NUL

static bool is_open(char letter) {
    return letter == WORDS_OPEN || letter == WORDS_CAPITAL;
}

bool words_are_whole(const char *text) {
    int depth = 0;
    bool good = true;
    for (const char *at = text; *at != '\0' && good; at++) {
        bool inside = *at == WORDS_TEXT || *at == WORDS_NUMBER || *at == WORDS_CONTEXT;
        depth += is_open(*at) - (*at == WORDS_CLOSE);
        good = depth >= 0 && depth <= DEPTH_MAX && !(depth == 0 && inside);
    }
    return good && depth == 0;
}

// The end of what begins at `at`, outside of inner messages: the first mark of `ends`, or `end`.
static const char *end_find(const char *at, const char *end, const char *ends) {
    int depth = 0;
    for (; at < end; at++) {
        if (depth == 0 && strchr(ends, *at)) {
            return at;
        }
        depth += is_open(*at) - (*at == WORDS_CLOSE);
    }
    return end;
}

size_t words_part(const char *at, size_t bytes) {
    const char *end = at + bytes;
    if (bytes == 0 || *at == WORDS_GAP) {
        return bytes > 0;
    }
    if (is_open(*at)) {
        const char *close = end_find(at + 1, end, "\003");
        return (size_t)(close - at) + (close < end);
    }
    return (size_t)(end_find(at, end, "\001\006\007") - at);
}

bool words_read(const char *part, size_t bytes, struct words_message *ret_message) {
    static const char ends[] = {WORDS_TEXT, WORDS_NUMBER, WORDS_CLOSE, '\0'};
    const char *end = part + bytes;
    if (bytes == 0 || !is_open(*part)) {
        return false;
    }
    struct words_message message = {.is_capital = *part == WORDS_CAPITAL, .key = part + 1};
    const char *at = end_find(part + 1, end, ends);
    const char *context_end = memchr(message.key, WORDS_CONTEXT, (size_t)(at - message.key));
    if (context_end) {
        message.context = message.key;
        message.context_bytes = (size_t)(context_end - message.key);
        message.key = context_end + 1;
    }
    message.key_bytes = (size_t)(at - message.key);
    while (at < end && *at != WORDS_CLOSE && message.count < WORDS_VALUES_MAX) {
        const char *value_end = end_find(at + 1, end, ends);
        message.value[message.count++] =
            (struct words_value){at + 1, (size_t)(value_end - at) - 1, *at == WORDS_NUMBER};
        at = value_end;
    }
    *ret_message = message;
    return true;
}

bool words_are_alike(const char *text, const char *other) {
    struct words_message a = {.key = ""};
    struct words_message b = {.key = ""};
    bool is_message = words_read(text, words_part(text, strlen(text)), &a);
    return is_message == words_read(other, words_part(other, strlen(other)), &b) &&
           a.key_bytes == b.key_bytes && memcmp(a.key, b.key, a.key_bytes) == 0;
}

size_t words_sentence_end(const char *text) {
    return (size_t)(end_find(text, text + strlen(text), "\006") - text);
}

// --- Conversions ---------------------------------------------------------------------------------

static int number_read(const char **at) {
    int number = 0;
    for (; isdigit((unsigned char)**at) && number < 10000; (*at)++) {
        number = 10 * number + **at - '0';
    }
    return number;
}

// A width or a precision: digits, or "*", perhaps with the position of its value.
static int amount_read(const char **at, bool *ret_is_value) {
    *ret_is_value = **at == '*';
    if (*ret_is_value) {
        (*at)++;
        (void)number_read(at);
        *at += **at == '$';
        return -1;
    }
    return number_read(at);
}

void words_convert(const char *at, struct words_conversion *ret_conversion) {
    struct words_conversion found = {.width = -1, .precision = -1};
    const char *start = at++;
    const char *digits = at;
    int position = number_read(&digits);
    if (*digits == '$') {
        found.position = position;
        at = digits + 1;
    }
    for (size_t i = 0; *at != '\0' && strchr("-+ #0", *at) && i + 1 < sizeof found.flags; i++) {
        found.flags[i] = *at++;
    }
    if (*at == '*' || isdigit((unsigned char)*at)) {
        found.width = amount_read(&at, &found.width_is_value);
    }
    if (*at == '.') {
        at++;
        found.precision = amount_read(&at, &found.precision_is_value);
    }
    for (size_t i = 0; *at != '\0' && strchr("hlzjtL", *at) && i + 1 < sizeof found.length; i++) {
        found.length[i] = *at++;
    }
    found.type = *at;
    at += *at != '\0';
    found.bytes = (size_t)(at - start);
    *ret_conversion = found;
}

// --- Slots ---------------------------------------------------------------------------------------

size_t words_slot(const char *at) {
    size_t bytes = *at == '{' ? strspn(at + 1, "abcdefghijklmnopqrstuvwxyz_") : 0;
    return bytes > 0 && at[1 + bytes] == '}' ? bytes : 0;
}

// The next slot of a format; NULL if there is none.
static const char *slot_next(const char *at) {
    while ((at = strchr(at, '{')) != NULL && words_slot(at) == 0) {
        at++;
    }
    return at;
}

int words_slot_find(const char *format, const char *name, size_t bytes) {
    int number = 0;
    for (const char *at = format; (at = slot_next(at)) != NULL; at++) {
        if (words_slot(at) == bytes && memcmp(at + 1, name, bytes) == 0) {
            return number;
        }
        const char *first = format;  // the first place with this name
        while (strncmp(first, at, words_slot(at) + 2) != 0) {
            first = slot_next(first + 1);
        }
        number += first == at;
    }
    return -1;
}

// --- As people read it ---------------------------------------------------------------------------

struct page {
    const struct texts *texts;
    char *text;
    size_t used, bytes;
    bool capital;  // the next letter of a message becomes a capital
    int depth;
};

static void page_add(struct page *page, const char *text, size_t bytes) {
    size_t room = page->bytes - page->used - 1;
    size_t taken = bytes < room ? bytes : room;
    memcpy(page->text + page->used, text, taken);
    page->used += taken;
    page->capital = page->capital && bytes == 0;
}

static void page_add_letters(struct page *page, const char *text, size_t bytes) {
    if (page->capital && bytes > 0) {
        char first = (char)toupper((unsigned char)*text);
        page_add(page, &first, 1);
        text++;
        bytes--;
    }
    page_add(page, text, bytes);
}

static void page_add_text(struct page *page, const char *text, size_t bytes);

// A number as its conversion wants it; what is no number is shown as it is.
static void page_add_number(struct page *page, const struct words_conversion *conversion,
                            const struct words_value *value) {
    char digits[64];
    char spec[48];
    char text[128];
    char *end = digits;
    (void)snprintf(digits, sizeof digits, "%.*s", (int)value->bytes, value->at);
    int width = conversion->width > 40 ? 40 : conversion->width;
    int precision = conversion->precision > 40 ? 40 : conversion->precision;
    char number[16] = "";
    (void)snprintf(spec, sizeof spec, "%%%s", conversion->flags);
    if (width >= 0) {
        (void)snprintf(number, sizeof number, "%d", width);
    }
    size_t used = strlen(spec);
    (void)snprintf(spec + used, sizeof spec - used, "%s", number);
    if (precision >= 0) {
        used = strlen(spec);
        (void)snprintf(spec + used, sizeof spec - used, ".%d", precision);
    }
    used = strlen(spec);
    text[0] = '\0';
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    if (strchr("eEfFgGaA", conversion->type) && conversion->type != '\0') {
        double real = strtod(digits, &end);
        (void)snprintf(spec + used, sizeof spec - used, "%c", conversion->type);
        (void)snprintf(text, sizeof text, spec, real);
    } else if (strchr("di", conversion->type) && conversion->type != '\0') {
        long long whole = strtoll(digits, &end, 10);
        (void)snprintf(spec + used, sizeof spec - used, "lld");
        (void)snprintf(text, sizeof text, spec, whole);
    } else if (strchr("uxXo", conversion->type) && conversion->type != '\0') {
        unsigned long long whole = strtoull(digits, &end, 10);
        (void)snprintf(spec + used, sizeof spec - used, "ll%c", conversion->type);
        (void)snprintf(text, sizeof text, spec, whole);
    }
#pragma GCC diagnostic pop
    bool good = end != digits && *end == '\0';
    page_add(page, good ? text : digits, strlen(good ? text : digits));
}

// The value with that number, if there is one.
static void page_add_value(struct page *page, const struct words_message *message, int number,
                           const struct words_conversion *conversion) {
    if (number < 0 || number >= message->count) {
        return;
    }
    const struct words_value *value = &message->value[number];
    if (value->is_number && conversion) {
        page_add_number(page, conversion, value);
    } else {
        page_add_text(page, value->at, value->bytes);
    }
}

static void page_fill_slots(struct page *page, const struct words_message *message,
                            const char *format, const char *english) {
    for (const char *slot; (slot = slot_next(format)) != NULL;) {
        size_t bytes = words_slot(slot);
        page_add_letters(page, format, (size_t)(slot - format));
        page_add_value(page, message, words_slot_find(english, slot + 1, bytes), NULL);
        format = slot + bytes + 2;
    }
    page_add_letters(page, format, strlen(format));
}

static void page_fill(struct page *page, const struct words_message *message, const char *format) {
    int next = 0;
    for (const char *at = format; *at != '\0';) {
        size_t letters = strcspn(at, "%");
        struct words_conversion conversion;
        page_add_letters(page, at, letters);
        at += letters;
        if (*at == '\0') {
            break;
        }
        words_convert(at, &conversion);
        at += conversion.bytes;
        if (conversion.type == '%') {
            page_add(page, "%", 1);
            continue;
        }
        next += conversion.width_is_value + conversion.precision_is_value;
        int index = conversion.position > 0 ? conversion.position - 1 : next++;
        page_add_value(page, message, index, &conversion);
    }
}

static void page_add_message(struct page *page, const struct words_message *message) {
    char key[KEY_MAX];
    size_t before = message->context_bytes + (message->context != NULL);
    size_t bytes = before + message->key_bytes;
    if (bytes >= sizeof key) {
        page_add(page, message->key, message->key_bytes);
        return;
    }
    memcpy(key, message->key - before, bytes);
    key[bytes] = '\0';
    const char *format = texts_find(page->texts, key);
    format += format == key ? before : 0;
    page->capital |= message->is_capital;
    if (slot_next(key + before)) {
        page_fill_slots(page, message, format, key + before);
    } else {
        page_fill(page, message, format);
    }
}

static void page_add_text(struct page *page, const char *text, size_t bytes) {
    const char *end = text + bytes;
    struct words_message message;
    page->depth++;
    for (size_t part = 0; (part = words_part(text, (size_t)(end - text))) > 0; text += part) {
        if (*text == WORDS_GAP) {
            const char *gap = texts_gap(page->texts);
            page_add(page, gap, strlen(gap));
        } else if (words_read(text, part, &message)) {
            page_add_message(page, &message);
        } else {
            page_add(page, text, part);
        }
    }
    page->depth--;
}

void words_render(const struct texts *texts, const char *text, char *plain, size_t bytes) {
    struct page page = {.texts = texts ? texts : texts_chosen(), .text = plain, .bytes = bytes};
    if (words_are_whole(text)) {
        page_add_text(&page, text, strlen(text));
    } else {
        page_add(&page, text, strlen(text));
    }
    plain[page.used] = '\0';
    text_end(plain);
}

const char *words_plain(const char *text, char plain[WORDS_PLAIN_MAX]) {
    words_render(NULL, text, plain, WORDS_PLAIN_MAX);
    return plain;
}

char *words_plain_new(const char *text) {
    size_t bytes = strlen(text) + WORDS_PLAIN_MAX;  // a translation is hardly longer than its key
    char *plain = malloc(bytes);
    if (plain) {
        words_render(NULL, text, plain, bytes);
    }
    return plain;
}

void words_clean(char *text) {
    bool is_whole = words_are_whole(text);
    char *end = text;
    for (char *at = text; *at != '\0';) {
        size_t bytes = strcspn(at, WORDS_MARKS);
        char mark = at[bytes];
        at[bytes] = '\0';
        text_clean(at);
        size_t clean = strlen(at);
        memmove(end, at, clean);
        end += clean;
        at += bytes;
        if (mark != '\0') {
            *end++ = is_whole ? mark : '?';
            at++;
        }
    }
    *end = '\0';
}
