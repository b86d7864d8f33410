// The translation of a text, by binary search; and texts as data, written and read.  Nothing here
// trusts a text: a malformed number is shown unchanged, and a format is never given to printf.
#include "base/words.h"

#include <assert.h>
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compose.h"
#include "base/text.h"

const struct texts texts_en = {.language = "en"};

// Global, because messages are made in every layer and on every thread, and a language parameter in
// every function would only be noise.  It is written once, before threads are started, and affects
// only words (grader/decisions/0018-texts.md).
static const struct texts *chosen = &texts_en;

static int entry_compare(const void *english, const void *entry) {
    return strcmp(english, ((const struct translation *)entry)->english);
}

const char *texts_find(const struct texts *texts, const char *english) {
    const struct translation *found =
        texts->count > 0
            ? bsearch(english, texts->entries, texts->count, sizeof *texts->entries, entry_compare)
            : NULL;
    return found ? found->translation : english;
}

void texts_use(const struct texts *texts) {
    chosen = texts;
}

const char *text_of(const char *english) {
    return texts_find(chosen, english);
}

const char *text_in(const char *key, const char *english) {
    const char *found = texts_find(chosen, key);
    return found == key ? english : found;
}

const char *texts_language(void) {
    return chosen->language;
}

static const struct texts *texts_chosen(void) {
    return chosen;
}

size_t text_sentence(const char *text) {
    for (const char *at = text; *at != '\0'; at++) {
        if (at[0] == '.' && at[1] == ' ') {
            return (size_t)(at - text) + 1;
        }
        if (strncmp(at, "。", strlen("。")) == 0) {
            return (size_t)(at - text) + strlen("。");
        }
    }
    return strlen(text);
}

// The separator of two sentences: a blank, but nothing in Chinese.
static const char *texts_gap(const struct texts *texts) {
    return strcmp(texts->language, "zh") == 0 ? "" : " ";
}

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

// The end of the part that begins at `at`: the first mark of `ends` outside inner messages, or
// `end`.
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

// Reads the conversion that begins at a '%'.
static void words_convert(const char *at, struct words_conversion *ret_conversion) {
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

// Bytes of the name in the slot at `at`, such as "{line}"; 0 if no slot is there.
static size_t words_slot(const char *at) {
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

// The number of the value with that name in a message with this format, from 0; -1 if it has none.
static int words_slot_find(const char *format, const char *name, size_t bytes) {
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

// Formats a number as its conversion requires; any other text is shown unchanged.
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

// The message as data.  "%s" alone is not a message; it becomes its value.
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
