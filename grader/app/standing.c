// A file of one line for each exercise: "race 5feceb66ffc86f38…", and after a grade also the
// points, the maximum, and the open points.
//
// A result is read with care: people may edit it, and an earlier version may have written it.
#include "app/standing.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>

#include "base/file.h"
#include "base/limits.h"
#include "exercise/exercise.h"

#define LINE_BYTES_MAX 200

// True if the student's file no longer has this hash.
static bool is_changed(const struct places *places, const struct exercise *exercise,
                       const char *hash) {
    char path[PATH_BYTES_MAX];
    char now[65] = "";
    char *text = NULL;
    size_t bytes = 0;
    if (!place_make(places, path, NULL, "student/%s.cu", exercise->name) &&
        !file_read(path, SOURCE_BYTES_MAX, &text, &bytes, NULL)) {
        sha256_hex(text, bytes, now);
    }
    free(text);
    return strcmp(now, hash) != 0;
}

// The stored record; `hash` becomes the hash of the judged file.
static struct standing kept_read(const struct places *places, const struct exercise *exercise,
                                 char hash[65]) {
    struct standing standing = {.verdict = VERDICT_PASS};
    struct standing graded = {.points = 0};
    char path[PATH_BYTES_MAX];
    char verdict[32] = "";
    char *text = NULL;
    size_t bytes = 0;
    hash[0] = '\0';
    if (!place_make(places, path, NULL, "build/last/%s", exercise->name) &&
        !file_read(path, LINE_BYTES_MAX, &text, &bytes, NULL)) {
        int parts = sscanf(text, "%31s %64s %" SCNd64 " %" SCNd64 " %" SCNd64, verdict, hash,
                           &graded.points, &graded.points_max, &graded.points_open);
        standing = parts == 5 ? graded : standing;
        standing.known = parts >= 1 && verdict_parse(verdict, &standing.verdict);
    }
    free(text);
    return standing;
}

struct standing standing_read(const struct places *places, const struct exercise *exercise) {
    char hash[65];
    struct standing standing = kept_read(places, exercise, hash);
    standing.stale = standing.known && is_changed(places, exercise, hash);
    return standing;
}

bool standing_passed(const struct standing *standing) {
    return standing->known && !standing->stale && standing->verdict == VERDICT_PASS;
}

// The time of the last save, in ns since 1970; 0: there is no file.
static int64_t saved_at(const struct places *places, const struct exercise *exercise) {
    char path[PATH_BYTES_MAX];
    struct stat info;
    if (place_make(places, path, NULL, "student/%s.cu", exercise->name) || stat(path, &info) != 0) {
        return 0;
    }
    return (int64_t)info.st_mtim.tv_sec * 1000000000 + info.st_mtim.tv_nsec;
}

// True if the student has worked on the file, and it does not pass.
static bool is_begun(const struct standing *standing) {
    bool untouched =
        standing->verdict == VERDICT_NOT_STARTED || standing->verdict == VERDICT_MISSING;
    return standing->known && (standing->stale || !untouched);
}

struct progress_made progress_made(const struct places *places, const struct course *course) {
    struct progress_made made = {.passed = 0, .current = -1};
    int64_t latest = 0;
    int first = -1;
    int first_optional = -1;
    for (int i = 0; i < course->exercise_count; i++) {
        const struct exercise *exercise = &course->exercises[i];
        struct standing standing = standing_read(places, exercise);
        if (standing_passed(&standing)) {
            made.passed++;
            continue;
        }
        int *unpassed = exercise->is_optional ? &first_optional : &first;
        *unpassed = *unpassed < 0 ? i : *unpassed;
        int64_t saved = is_begun(&standing) ? saved_at(places, exercise) : 0;
        if (saved > latest) {
            latest = saved;
            made.current = i;
        }
    }
    first = first < 0 ? first_optional : first;
    made.current = made.current < 0 ? first : made.current;
    return made;
}

static enum status one_keep(const struct places *places, const struct exercise_result *result,
                            bool graded, struct error *err) {
    char path[PATH_BYTES_MAX];
    char line[LINE_BYTES_MAX];
    char hash[65];
    struct standing before = kept_read(places, result->exercise, hash);
    bool same = strcmp(hash, result->sha256) == 0 && before.verdict == result->verdict;
    struct standing now = {.points = result->points,
                           .points_max = result->points_max,
                           .points_open = result->points_open};
    now = graded ? now : same ? before : (struct standing){.points_max = 0};
    int used = snprintf(line, sizeof line, "%s %s", verdict_name(result->verdict), result->sha256);
    if (now.points_max > 0) {
        used +=
            snprintf(line + used, sizeof line - (size_t)used, " %" PRId64 " %" PRId64 " %" PRId64,
                     now.points, now.points_max, now.points_open);
    }
    (void)snprintf(line + used, sizeof line - (size_t)used, "\n");
    enum status status = place_make(places, path, err, "build/last/%s", result->exercise->name);
    return status ? status : file_write(path, line, strlen(line), err);
}

enum status standing_keep(const struct places *places, const struct judgement *judgement,
                          struct error *err) {
    char path[PATH_BYTES_MAX];
    enum status status = place_make(places, path, err, "build/last");
    if (!status) {
        status = folder_make(path, err);
    }
    for (int i = 0; i < judgement->exercise_count && !status; i++) {
        status = one_keep(places, &judgement->exercises[i], judgement->measured, err);
    }
    return status;
}

enum status standing_forget(const struct places *places, const char *name, struct error *err) {
    char path[PATH_BYTES_MAX];
    enum status status = place_make(places, path, err, "build/last/%s", name);
    if (!status && unlink(path) != 0 && errno != ENOENT) {
        status = fail_errno(err, STATUS_SYSTEM, "%s", path);
    }
    return status;
}

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
