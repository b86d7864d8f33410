// The exercises of a course are its lesson folders: a new folder is a new exercise.
#include "base/translate.h"
#include "exercise/exercise.h"

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

static int by_number(const void *left, const void *right) {
    const struct exercise *a = left;
    const struct exercise *b = right;
    return a->number != b->number ? (a->number > b->number) - (a->number < b->number)
                                  : strcmp(a->name, b->name);
}

// "02_tiled".
static bool has_number(const char *folder) {
    return isdigit((unsigned char)folder[0]) && isdigit((unsigned char)folder[1]) &&
           folder[2] == '_';
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
        // A folder without a number holds only a page to read.  If its name has a number, a missing
        // exercise is an error, so that no lesson vanishes in silence.
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

// `before` names an exercise that comes earlier.
static enum status before_check(const struct course *course, struct error *err) {
    for (int i = 0; i < course->exercise_count; i++) {
        const struct exercise *exercise = &course->exercises[i];
        const struct exercise *before =
            exercise->before[0] != '\0' ? course_find(course, exercise->before) : NULL;
        if (exercise->before[0] != '\0' && (!before || before->number >= exercise->number)) {
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
    struct course *course = calloc(1, sizeof *course);
    if (!course) {
        return fail(err, STATUS_NO_MEMORY, "%s: no memory", root);
    }
    enum status status = path_make(course->root, err, "%s", root);
    if (!status) {
        status = folders_read(course, err);
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

const struct exercise *course_find(const struct course *course, const char *name) {
    assert(name);
    for (int i = 0; i < course->exercise_count; i++) {
        if (strcmp(course->exercises[i].name, name) == 0) {
            return &course->exercises[i];
        }
    }
    return NULL;
}
