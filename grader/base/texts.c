// The one thing of the whole process: messages are made in every layer and on every thread, and a
// parameter for the language in each of them would say nothing.  It is written once, before threads
// are there, and decides nothing but words (grader/decisions/0017-texts.md).
#include "base/texts.h"

#include <string.h>

#define MO_MAGIC     0x950412deu
#define MO_REVISION  0u
#define HEADER_BYTES 20u
#define ENTRY_BYTES  8u  // length, place
#define BYTES_MAX    (16u << 20)

static struct texts chosen = {.language = "en"};

static uint32_t word_at(const char *bytes, size_t place) {
    uint32_t word;
    memcpy(&word, bytes + place, sizeof word);
    return word;
}

static const char *entry_text(const char *bytes, uint32_t table, uint32_t i) {
    return bytes + word_at(bytes, (size_t)table + (size_t)i * ENTRY_BYTES + 4);
}

// A table of `count` texts lies in the file, and so does each of them, with its final NUL.
static const char *table_fault(const char *bytes, size_t byte_count, uint32_t table,
                               uint32_t count) {
    if (table > byte_count || count > (byte_count - table) / ENTRY_BYTES) {
        return "a table goes past its end";
    }
    for (uint32_t i = 0; i < count; i++) {
        size_t length = word_at(bytes, (size_t)table + (size_t)i * ENTRY_BYTES);
        size_t place = word_at(bytes, (size_t)table + (size_t)i * ENTRY_BYTES + 4);
        if (place >= byte_count || length >= byte_count - place) {
            return "a text goes past its end";
        }
        if (strnlen(bytes + place, length + 1) != length) {
            return "a text does not end where it should";
        }
    }
    return NULL;
}

// The search is binary.
static const char *order_fault(const struct texts *texts) {
    for (uint32_t i = 1; i < texts->count; i++) {
        if (strcmp(entry_text(texts->catalogue, texts->keys, i - 1),
                   entry_text(texts->catalogue, texts->keys, i)) >= 0) {
            return "its texts are not in order";
        }
    }
    return NULL;
}

static const char *fault_of(size_t byte_count, struct texts *texts) {
    if (byte_count < HEADER_BYTES || byte_count > BYTES_MAX) {
        return "its length cannot be";
    }
    if (word_at(texts->catalogue, 0) != MO_MAGIC || word_at(texts->catalogue, 4) != MO_REVISION) {
        return "it is no .mo file of revision 0 for this processor";
    }
    texts->count = word_at(texts->catalogue, 8);
    texts->keys = word_at(texts->catalogue, 12);
    texts->translations = word_at(texts->catalogue, 16);
    const char *fault = table_fault(texts->catalogue, byte_count, texts->keys, texts->count);
    if (!fault) {
        fault = table_fault(texts->catalogue, byte_count, texts->translations, texts->count);
    }
    return fault ? fault : order_fault(texts);
}

enum status texts_read(const char *language, const void *bytes, size_t byte_count,
                       struct texts *ret_texts, struct error *err) {
    struct texts texts = {.language = language, .catalogue = bytes};
    const char *fault = fault_of(byte_count, &texts);
    if (fault) {
        return fail(err, STATUS_SYSTEM, "the texts of language '%.16s' cannot be read: %s",
                    language, fault);
    }
    *ret_texts = texts;
    return STATUS_OK;
}

const char *texts_find(const struct texts *texts, const char *english) {
    uint32_t low = 0;
    uint32_t high = english[0] == '\0' ? 0 : texts->count;  // "" is the file's own header
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = strcmp(english, entry_text(texts->catalogue, texts->keys, middle));
        if (order == 0) {
            return entry_text(texts->catalogue, texts->translations, middle);
        }
        if (order < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return english;
}

void texts_use(const struct texts *texts) {
    chosen = *texts;
}

const char *text_of(const char *english) {
    return texts_find(&chosen, english);
}

const char *text_in(const char *key, const char *english) {
    const char *found = texts_find(&chosen, key);
    return found == key ? english : found;
}

const char *texts_language(void) {
    return chosen.language;
}

void text_end(char *text) {
    size_t length = strlen(text);
    size_t tail = 0;  // continuation bytes at the end
    while (tail < 3 && tail < length && ((unsigned char)text[length - 1 - tail] & 0xc0) == 0x80) {
        tail++;
    }
    if (tail == length) {
        return;
    }
    unsigned char lead = (unsigned char)text[length - 1 - tail];
    size_t wanted = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc0 ? 1 : 0;
    if (wanted > tail) {
        text[length - 1 - tail] = '\0';
    }
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

const char *sentence_gap(void) {
    return strcmp(chosen.language, "zh") == 0 ? "" : " ";
}

int text_cut(const char *text, size_t bytes_max) {
    size_t bytes = strnlen(text, bytes_max + 1);
    if (bytes <= bytes_max) {
        return (int)bytes;
    }
    bytes = bytes_max;
    while (bytes > 0 && ((unsigned char)text[bytes] & 0xc0) == 0x80) {
        bytes--;
    }
    return (int)bytes;
}
