// A result is read with care: people may edit it, and an earlier version may have written it.
#include "app/last_test.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "app/standing.h"
#include "base/file.h"
#include "base/limits.h"

static uint32_t number_at(const json_t *list, size_t at) {
    json_int_t value = json_integer_value(json_array_get(list, at));
    return value > 0 && value <= UINT32_MAX ? (uint32_t)value : 0;
}

static struct size size_of(const json_t *list) {
    struct size size = {(int32_t)number_at(list, 0), (int32_t)number_at(list, 1),
                        (int32_t)number_at(list, 2)};
    bool good = size.m > 0 && size.n > 0 && size.k > 0;
    return good ? size : (struct size){0, 0, 0};
}

static const char *text_at(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static void entry_read(const json_t *entry, struct last_test *last) {
    size_t i;
    json_t *finding;
    last->known = verdict_parse(text_at(entry, "verdict"), &last->verdict);
    last->stale = false;
    last->size = size_of(json_object_get(entry, "repeat_size"));
    json_array_foreach(json_object_get(entry, "findings"), i, finding) {
        json_int_t line = json_integer_value(json_object_get(finding, "line"));
        if (last->line == 0 && line > 0 && line < UINT32_MAX &&
            strcmp(text_at(finding, "severity"), "error") == 0) {
            last->line = (uint32_t)line;
            for (size_t axis = 0; axis < 3; axis++) {
                last->block[axis] = number_at(json_object_get(finding, "block"), axis);
                last->thread[axis] = number_at(json_object_get(finding, "thread"), axis);
            }
            if (last->size.m == 0) {
                last->size = size_of(json_object_get(finding, "size"));
            }
        }
    }
}

struct last_test last_test_of(const struct places *places, const struct exercise *exercise) {
    struct standing standing = standing_read(places, exercise);
    struct last_test last = {
        .known = standing.known, .stale = standing.stale, .verdict = standing.verdict};
    char path[PATH_BYTES_MAX];
    char *text = NULL;
    size_t bytes = 0;
    if (!place_make(places, path, NULL, "student/%s.cu", exercise->name) &&
        !file_read(path, SOURCE_BYTES_MAX, &text, &bytes, NULL)) {
        sha256_hex(text, bytes, last.sha256);
    }
    free(text);
    json_t *result = NULL;
    if (!place_make(places, path, NULL, "build/test/result.json")) {
        result = json_load_file(path, 0, NULL);
    }
    size_t i;
    json_t *entry;
    json_array_foreach(json_object_get(result, "exercises"), i, entry) {
        if (strcmp(text_at(entry, "name"), exercise->name) == 0 &&
            strcmp(text_at(entry, "sha256"), last.sha256) == 0) {
            entry_read(entry, &last);
        }
    }
    json_decref(result);
    return last;
}
