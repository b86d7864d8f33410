// Texts as JSON: each with its messages and their values, so that reports can write it in another
// language.
//
//   text     := [sentence, …]
//   sentence := "plain" | {"message": format, "values": [value, …], "context": …, "capital": true}
//   value    := number | sentence | text
#include "judge/result/parts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"

static json_t *text_json(const char *text, size_t bytes);

// A whole number, a real one, or as it is if it is neither.
static json_t *number_json(const struct words_value *value) {
    char digits[64];
    char *end = digits;
    size_t bytes = value->bytes < sizeof digits ? value->bytes : sizeof digits - 1;
    memcpy(digits, value->at, bytes);
    digits[bytes] = '\0';
    errno = 0;
    long long whole = strtoll(digits, &end, 10);
    if (end != digits && *end == '\0' && errno == 0) {
        return json_integer(whole);
    }
    double real = strtod(digits, &end);
    return end != digits && *end == '\0' && isfinite(real) ? json_real(real) : json_string(digits);
}

// One sentence is itself, and several are a list.
static json_t *value_json(const struct words_value *value) {
    if (value->is_number) {
        return number_json(value);
    }
    json_t *sentences = text_json(value->at, value->bytes);
    if (json_array_size(sentences) != 1) {
        return json_array_size(sentences) > 1 ? sentences
                                              : (json_decref(sentences), json_string(""));
    }
    json_t *only = json_incref(json_array_get(sentences, 0));
    json_decref(sentences);
    return only;
}

static json_t *message_json(const struct words_message *message) {
    bool failed = false;
    json_t *object = json_object();
    json_t *values = json_array();
    if (message->context_bytes > 0) {
        result_put(object, "context", json_stringn(message->context, message->context_bytes),
                   &failed);
    }
    result_put(object, "message", json_stringn(message->key, message->key_bytes), &failed);
    for (int i = 0; i < message->count; i++) {
        result_append(values, value_json(&message->value[i]), &failed);
    }
    if (message->count > 0) {
        result_put(object, "values", values, &failed);
    } else {
        json_decref(values);
    }
    if (message->is_capital) {
        result_put(object, "capital", json_true(), &failed);
    }
    if (failed) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static json_t *part_json(const char *part, size_t bytes) {
    struct words_message message;
    return words_read(part, bytes, &message) ? message_json(&message) : json_stringn(part, bytes);
}

// Several parts, such as lines of a compiler and a message, are the values of a message.
static json_t *sentence_json(const char *at, const char *end) {
    size_t part = words_part(at, (size_t)(end - at));
    if (at + part == end) {
        return part_json(at, part);
    }
    bool failed = false;
    json_t *object = json_object();
    json_t *values = json_array();
    size_t count = 0;
    for (; part > 0; part = words_part(at, (size_t)(end - at))) {
        result_append(values, part_json(at, part), &failed);
        at += part;
        count++;
    }
    char *format = calloc(count, 2);
    for (size_t i = 0; format && i < count; i++) {
        memcpy(format + 2 * i, "%s", 2);
    }
    result_put(object, "message", format ? json_stringn(format, 2 * count) : NULL, &failed);
    result_put(object, "values", values, &failed);
    free(format);
    if (failed) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static json_t *text_json(const char *text, size_t bytes) {
    const char *end = text + bytes;
    json_t *sentences = json_array();
    bool failed = false;
    while (text < end) {
        const char *at = text;
        for (size_t part; at < end && *at != WORDS_GAP; at += part) {
            part = words_part(at, (size_t)(end - at));
        }
        if (at > text) {
            result_append(sentences, sentence_json(text, at), &failed);
        }
        text = at + (at < end);
    }
    if (failed) {
        json_decref(sentences);
        return NULL;
    }
    return sentences;
}

void result_put_words(json_t *object, const char *key, const char *text, bool *failed) {
    char *clean = strdup(text);
    char *plain = NULL;
    if (clean) {
        words_clean(clean);
        plain = words_plain_new(clean);
    }
    if (!plain) {
        *failed = true;
        free(clean);
        return;
    }
    result_put_text(object, key, plain, failed);
    if (strpbrk(clean, WORDS_MARKS)) {
        json_t *texts = json_object_get(object, "texts");
        if (!texts) {
            texts = json_object();
            result_put(object, "texts", texts, failed);
        }
        result_put(texts, key, text_json(clean, strlen(clean)), failed);
    }
    free(plain);
    free(clean);
}
