// The numbers of a reference as JSON: see reference_facts.h.
#include "judge/speed/reference_facts.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

#define SCHEMA    "tilegrade/reference/v1"
#define BYTES_MAX (1u << 20)
#define WRITING   (JSON_COMPACT | JSON_SORT_KEYS)

struct reference_size *reference_facts_find(struct reference_facts *facts, struct size size) {
    for (int i = 0; i < facts->size_count; i++) {
        if (size_equal(facts->size[i].size, size)) {
            return &facts->size[i];
        }
    }
    return NULL;
}

// The digest of an object that has none yet.  False without memory.
static bool digest_of(const json_t *object, char digest[REFERENCE_KEY_BYTES]) {
    char *text = json_dumps(object, WRITING);
    if (text) {
        sha256_hex(text, strlen(text), digest);
    }
    free(text);
    return text != NULL;
}

// --- Reading -----------------------------------------------------------------

// An integer that is not negative; anything else makes *good false.
static uint64_t number_read(const json_t *object, const char *key, bool *good) {
    const json_t *value = json_object_get(object, key);
    json_int_t number = json_integer_value(value);
    *good = *good && json_is_integer(value) && number >= 0;
    return *good ? (uint64_t)number : 0;
}

static struct size size_read(const json_t *object, bool *good) {
    struct size size = {.m = 1};
    const json_t *array = json_object_get(object, "size");
    size_t count = json_array_size(array);
    *good = *good && count >= 1 && count <= SIZE_RANK_MAX;
    for (size_t i = 0; *good && i < count; i++) {
        json_int_t value = json_integer_value(json_array_get(array, i));
        *good = value >= 1 && value <= INT32_MAX;
        size.at[i] = *good ? (int32_t)value : 1;
    }
    return size;
}

static void plan_read(const json_t *object, struct reference_facts *facts, bool *good) {
    int at = facts->plan_count++;
    facts->plan_size[at] = size_read(object, good);
    facts->plan[at] = (struct planned_launch){
        .is_valid = true,
        .is_one = json_is_true(json_object_get(object, "is_one")),
        .blocks = number_read(object, "blocks", good),
        .block_threads = (int)number_read(object, "block_threads", good),
    };
}

static void counted_read(const json_t *object, struct reference_facts *facts, bool *good) {
    struct reference_size *counted = &facts->size[facts->size_count++];
    const json_t *counts = json_object_get(object, "counts");
    counted->size = size_read(object, good);
    counted->shared_bytes = number_read(object, "shared_bytes", good);
    counted->launch_count = (uint32_t)number_read(object, "launch_count", good);
#define FIELD_READ(field, text) counted->counts.field = number_read(counts, #field, good);
    COUNT_FIELDS(FIELD_READ)
    COUNT_JUDGE_FIELDS(FIELD_READ)
#undef FIELD_READ
}

static bool text_read(const json_t *object, const char *key, char *text, size_t bytes) {
    const char *value = json_string_value(json_object_get(object, key));
    return value && snprintf(text, bytes, "%s", value) < (int)bytes;
}

static bool facts_parse(json_t *object, struct reference_facts *facts) {
    char schema[64];
    char stated[REFERENCE_KEY_BYTES];
    char digest[REFERENCE_KEY_BYTES];
    const json_t *plans = json_object_get(object, "plans");
    const json_t *sizes = json_object_get(object, "sizes");
    bool good = text_read(object, "schema", schema, sizeof schema) && strcmp(schema, SCHEMA) == 0 &&
                text_read(object, "digest", stated, sizeof stated) &&
                json_object_del(object, "digest") == 0 && digest_of(object, digest) &&
                strcmp(stated, digest) == 0 &&
                text_read(object, "key", facts->key, sizeof facts->key) &&
                text_read(object, "missing", facts->missing, sizeof facts->missing) &&
                json_array_size(plans) <= EXERCISE_TIMED_MAX &&
                json_array_size(sizes) <= REFERENCE_SIZES_MAX;
    for (size_t i = 0; good && i < json_array_size(plans); i++) {
        plan_read(json_array_get(plans, i), facts, &good);
    }
    for (size_t i = 0; good && i < json_array_size(sizes); i++) {
        counted_read(json_array_get(sizes, i), facts, &good);
    }
    return good;
}

// True for a regular file that no other user can have written.
static bool is_own(const char *path) {
    struct stat info;
    return lstat(path, &info) == 0 && S_ISREG(info.st_mode) &&
           (info.st_uid == geteuid() || info.st_uid == 0) &&
           (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

enum status reference_facts_read(const char *path, bool own, struct reference_facts *ret_facts,
                                 struct error *err) {
    char *text = NULL;
    size_t bytes = 0;
    if (own && !is_own(path)) {
        return fail(err, STATUS_BAD_DATA, "%s: absent, or another user can write it", path);
    }
    enum status status = file_read(path, BYTES_MAX, &text, &bytes, err);
    if (status) {
        return status;
    }
    struct reference_facts *facts = calloc(1, sizeof *facts);
    json_t *object = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, NULL);
    free(text);
    if (!facts) {
        status = fail(err, STATUS_NO_MEMORY, "no memory");
    } else if (!object || !facts_parse(object, facts)) {
        status =
            fail(err, STATUS_BAD_DATA, "%s: damaged: take lessons/ from the handout again", path);
    } else {
        *ret_facts = *facts;
    }
    json_decref(object);
    free(facts);
    return status;
}

// --- Writing -----------------------------------------------------------------

// Adds a value and takes it over; either may be NULL.
static void put(json_t *object, const char *key, json_t *value, bool *failed) {
    *failed |= json_object_set_new(object, key, value) != 0;
}

static json_t *size_json(struct size size) {
    int rank = size_rank(size);
    json_t *list = json_array();
    for (int i = 0; i < rank; i++) {
        (void)json_array_append_new(list, json_integer(size.at[i]));
    }
    return list;
}

static json_t *plans_json(const struct reference_facts *facts, bool *failed) {
    json_t *array = json_array();
    for (int i = 0; i < facts->plan_count; i++) {
        const struct planned_launch *plan = &facts->plan[i];
        *failed |=
            json_array_append_new(array, json_pack("{s:o, s:b, s:I, s:i}", "size",
                                                   size_json(facts->plan_size[i]), "is_one",
                                                   plan->is_one, "blocks", (json_int_t)plan->blocks,
                                                   "block_threads", plan->block_threads)) != 0;
    }
    return array;
}

static json_t *counted_json(const struct reference_size *counted, bool *failed) {
    json_t *object = json_object();
    json_t *counts = json_object();
#define FIELD_PUT(field, text)                                                                     \
    put(counts, #field, json_integer((json_int_t)counted->counts.field), failed);
    COUNT_FIELDS(FIELD_PUT)
    COUNT_JUDGE_FIELDS(FIELD_PUT)
#undef FIELD_PUT
    put(object, "counts", counts, failed);
    put(object, "size", size_json(counted->size), failed);
    put(object, "shared_bytes", json_integer((json_int_t)counted->shared_bytes), failed);
    put(object, "launch_count", json_integer(counted->launch_count), failed);
    return object;
}

static json_t *sizes_json(const struct reference_facts *facts, bool *failed) {
    json_t *array = json_array();
    for (int i = 0; i < facts->size_count; i++) {
        *failed |= json_array_append_new(array, counted_json(&facts->size[i], failed)) != 0;
    }
    return array;
}

enum status reference_facts_write(const char *path, const struct reference_facts *facts,
                                  struct error *err) {
    char digest[REFERENCE_KEY_BYTES];
    bool failed = false;
    json_t *object = json_object();
    put(object, "schema", json_string(SCHEMA), &failed);
    put(object, "key", json_string(facts->key), &failed);
    put(object, "missing", json_string(facts->missing), &failed);
    put(object, "plans", plans_json(facts, &failed), &failed);
    put(object, "sizes", sizes_json(facts, &failed), &failed);
    failed = failed || !digest_of(object, digest);
    if (!failed) {
        put(object, "digest", json_string(digest), &failed);
    }
    char *text = failed ? NULL : json_dumps(object, WRITING);
    enum status status =
        text ? file_write(path, text, strlen(text), err) : fail(err, STATUS_NO_MEMORY, "no memory");
    free(text);
    json_decref(object);
    return status;
}
