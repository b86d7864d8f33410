// The exercises of a course are its lesson folders: a new folder is a new exercise.
#include <assert.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/words.h"
#include "exercise/exercise.h"

#define WORD_BYTES_MAX 256  // bytes of an item in a list of names
#define SEPARATORS     ", \t"

static int by_number(const void *left, const void *right) {
    const struct exercise *a = left;
    const struct exercise *b = right;
    return a->number != b->number ? (a->number > b->number) - (a->number < b->number)
                                  : strcmp(a->name, b->name);
}

// "020_tiled", or "02_tiled"; not "000_words", a page to read before the first exercise.
static bool has_number(const char *folder) {
    size_t digits = exercise_number_digits(folder);
    return digits > 0 && folder[digits] == '_' && strspn(folder, "0") < digits;
}

static enum status folder_read(struct course *course, const char *folder, struct error *err) {
    char path[PATH_BYTES_MAX];
    bool exists = false;
    enum status status = path_below(path, err, course->root, "lessons/%s/exercise.ini", folder);
    if (!status) {
        status = file_exists(path, &exists, err);
    }
    if (status) {
        return status;
    }
    if (!exists) {
        // A folder without a number, or with 0, holds only a page to read.  With another number, a
        // missing exercise is an error, so that no lesson disappears unnoticed.
        return !has_number(folder)
                   ? STATUS_OK
                   : fail(
                         err, STATUS_BAD_DATA,
                         "%s is missing; a folder without an exercise must not begin with a number",
                         path);
    }
    if (course->exercise_count == EXERCISES_MAX) {
        return fail(err, STATUS_BAD_DATA, "%s: more than %d exercises", path, EXERCISES_MAX);
    }
    status = exercise_read(path, &course->exercises[course->exercise_count], err);
    if (!status) {
        course->exercise_count++;
    }
    return status;
}

static enum status folders_read(struct course *course, struct error *err) {
    char path[PATH_BYTES_MAX];
    enum status status = path_below(path, err, course->root, "lessons");
    if (status) {
        return status;
    }
    DIR *folder = opendir(path);
    if (!folder) {
        return fail_errno(err, errno == ENOENT ? STATUS_BAD_DATA : STATUS_SYSTEM, "%s", path);
    }
    const struct dirent *entry = NULL;
    while (!status && (errno = 0, entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] != '.') {
            status = folder_read(course, entry->d_name, err);
        }
    }
    if (!status && errno != 0) {
        status = fail_errno(err, STATUS_SYSTEM, "%s", path);
    }
    (void)closedir(folder);
    return status;
}

static enum status twins_find(const struct course *course, struct error *err) {
    for (int i = 0; i < course->exercise_count; i++) {
        for (int j = 0; j < i; j++) {
            const struct exercise *a = &course->exercises[j];
            const struct exercise *b = &course->exercises[i];
            if (a->number == b->number || strcmp(a->name, b->name) == 0) {
                return fail(err, STATUS_BAD_DATA,
                            a->number == b->number ? N_("%s and %s have the same number")
                                                   : N_("%s and %s have the same name"),
                            a->lesson, b->lesson);
            }
        }
    }
    return STATUS_OK;
}

// `before` names an earlier exercise.  In a handout with only some exercises it may be absent.
static enum status before_check(const struct course *course, struct error *err) {
    for (int i = 0; i < course->exercise_count; i++) {
        const struct exercise *exercise = &course->exercises[i];
        const struct exercise *before =
            exercise->before[0] != '\0' ? course_find(course, exercise->before) : NULL;
        bool wrong = before ? before->number >= exercise->number : course->has_references;
        if (exercise->before[0] != '\0' && wrong) {
            return fail(err, STATUS_BAD_DATA,
                        before
                            ? N_("%s/exercise.ini: before = %s, which is not an earlier exercise")
                            : N_("%s/exercise.ini: before = %s, but there is no such exercise"),
                        exercise->lesson, exercise->before);
        }
    }
    return STATUS_OK;
}

enum status course_open(const char *root, struct course **ret_course, struct error *err) {
    struct course *course = xcalloc(1, sizeof *course);
    char references[PATH_BYTES_MAX];
    enum status status = path_make(course->root, err, "%s", root);
    if (!status) {
        status = path_below(references, err, root, "reference");
    }
    if (!status) {
        status = file_exists(references, &course->has_references, err);
    }
    if (!status) {
        status = folders_read(course, err);
    }
    for (int i = 0; i < course->exercise_count; i++) {
        course->exercises[i].root = course->root;
    }
    if (!status && course->exercise_count == 0) {
        status = fail(err, STATUS_BAD_DATA,
                      "no exercises found: there is no lessons/*/exercise.ini in %s", root);
    }
    if (!status) {
        qsort(course->exercises, (size_t)course->exercise_count, sizeof *course->exercises,
              by_number);
        status = twins_find(course, err);
    }
    if (!status) {
        status = before_check(course, err);
    }
    if (status) {
        course_free(course);
        return status;
    }
    *ret_course = course;
    return STATUS_OK;
}

void course_free(struct course *course) {
    free(course);
}

int64_t course_answer_points(const struct course *course) {
    int64_t points = 0;
    for (int i = 0; i < course->page_count; i++) {
        points += course->pages[i].points_max;
    }
    return points;
}

const struct exercise *course_find(const struct course *course, const char *name) {
    assert(name);
    for (int i = 0; i < course->exercise_count; i++) {
        if (strcmp(course->exercises[i].name, name) == 0) {
            return &course->exercises[i];
        }
    }
    return NULL;
}

size_t name_distance(const char *from, const char *to) {
    size_t row[NAME_BYTES_MAX + 1];
    size_t length = strnlen(to, NAME_BYTES_MAX);
    for (size_t j = 0; j <= length; j++) {
        row[j] = j;
    }
    for (size_t i = 0; i < NAME_BYTES_MAX && from[i] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < length; j++) {
            size_t change = diagonal + (from[i] != to[j]);
            size_t step = (row[j] < row[j + 1] ? row[j] : row[j + 1]) + 1;
            diagonal = row[j + 1];
            row[j + 1] = change < step ? change : step;
        }
    }
    return row[length];
}

// The exercise with a similar name; NULL if there is none.
static const char *name_meant(const struct course *course, const char *name) {
    const char *nearest = NULL;
    size_t best = NEAR_DISTANCE_MAX + 1;
    for (int i = 0; i < course->exercise_count; i++) {
        size_t distance = name_distance(name, course->exercises[i].name);
        if (distance < best && distance < strlen(name)) {
            best = distance;
            nearest = course->exercises[i].name;
        }
    }
    return nearest;
}

void course_names(const struct course *course, char *ret_names, size_t bytes) {
    size_t used = 0;
    ret_names[0] = '\0';
    for (int i = 0; i < course->exercise_count && used < bytes; i++) {
        used += (size_t)snprintf(ret_names + used, bytes - used, " %s", course->exercises[i].name);
    }
}

static enum status unknown(const struct course *course, const char *name, struct error *err) {
    char names[ERROR_TEXT_MAX / 2];
    const char *meant = name_meant(course, name);
    course_names(course, names, sizeof names);
    return meant ? fail(err, STATUS_BAD_USAGE,
                        "unknown exercise '%.64s': did you mean '%s'? (the exercises are:%s)", name,
                        meant, names)
                 : fail(err, STATUS_BAD_USAGE, "unknown exercise '%.64s' (the exercises are:%s)",
                        name, names);
}

const struct exercise *course_numbered(const struct course *course, const char *digits) {
    size_t length = strspn(digits, "0123456789");
    long number = length > 0 && length <= FOLDER_DIGITS_MAX ? strtol(digits, NULL, 10) : 0;
    for (int i = 0; i < course->exercise_count; i++) {
        const struct exercise *exercise = &course->exercises[i];
        bool in_tens = exercise_digits(exercise) == FOLDER_DIGITS_MAX;
        bool is_short = length < FOLDER_DIGITS_MAX && number < 10;
        if (number > 0 && exercise->number == (in_tens && is_short ? 10 * number : number)) {
            return exercise;
        }
    }
    return NULL;
}

// The exercise named by "tiled", "2", "020_tiled", "tiled.cu" or "student/tiled.cu".
static const struct exercise *exercise_named(const struct course *course, char *name) {
    char *slash = strrchr(name, '/');
    char *plain = slash ? slash + 1 : name;
    size_t length = strlen(plain);
    size_t digits = strspn(plain, "0123456789");
    if (length > 3 && strcmp(plain + length - 3, ".cu") == 0) {
        plain[length - 3] = '\0';
    }
    if (digits > 0 && plain[digits] == '\0') {
        return course_numbered(course, plain);
    }
    return course_find(course, digits > 0 && plain[digits] == '_' ? plain + digits + 1 : plain);
}

void course_leave_optional(struct course *course) {
    int kept = 0;
    for (int i = 0; i < course->exercise_count; i++) {
        if (!course->exercises[i].is_optional) {
            course->exercises[kept++] = course->exercises[i];
        }
    }
    course->exercise_count = kept > 0 ? kept : course->exercise_count;
}

enum status course_narrow(struct course *course, const char *names, struct error *err) {
    bool keep[EXERCISES_MAX] = {false};
    bool any = false;
    int kept = 0;
    for (const char *at = names + strspn(names, SEPARATORS); *at != '\0';) {
        char name[WORD_BYTES_MAX];
        char asked[WORD_BYTES_MAX];
        size_t length = strcspn(at, SEPARATORS);
        (void)snprintf(asked, sizeof asked, "%.*s", (int)length, at);
        memcpy(name, asked, sizeof name);
        const struct exercise *exercise = exercise_named(course, name);
        if (!exercise) {
            return unknown(course, asked, err);
        }
        keep[exercise - course->exercises] = true;
        at += length;
        at += strspn(at, SEPARATORS);
        any = true;
    }
    if (!any) {
        return unknown(course, names, err);
    }
    for (int i = 0; i < course->exercise_count; i++) {
        if (keep[i]) {
            memmove(&course->exercises[kept++], &course->exercises[i], sizeof *course->exercises);
        }
    }
    course->exercise_count = kept;
    return STATUS_OK;
}
