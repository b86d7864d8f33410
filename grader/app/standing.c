// A file of one line for each exercise: "race 5feceb66ffc86f38…".
#include "app/standing.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "exercise/exercise.h"

#define LINE_BYTES_MAX 128

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

struct standing standing_read(const struct places *places, const struct exercise *exercise) {
    struct standing standing = {.verdict = VERDICT_PASS};
    char path[PATH_BYTES_MAX];
    char verdict[32] = "";
    char hash[65] = "";
    char *text = NULL;
    size_t bytes = 0;
    if (!place_make(places, path, NULL, "build/last/%s", exercise->name) &&
        !file_read(path, LINE_BYTES_MAX, &text, &bytes, NULL) &&
        sscanf(text, "%31s %64s", verdict, hash) >= 1) {
        standing.known = verdict_parse(verdict, &standing.verdict);
    }
    free(text);
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

// True if the student has worked on the file that does not pass.
static bool is_begun(const struct standing *standing) {
    bool untouched =
        standing->verdict == VERDICT_NOT_STARTED || standing->verdict == VERDICT_MISSING;
    return standing->known && (standing->stale || !untouched);
}

struct progress_made progress_made(const struct places *places, const struct course *course) {
    struct progress_made made = {.passed = 0, .current = -1};
    int64_t latest = 0;
    int first = -1;
    for (int i = 0; i < course->exercise_count; i++) {
        const struct exercise *exercise = &course->exercises[i];
        struct standing standing = standing_read(places, exercise);
        if (standing_passed(&standing)) {
            made.passed++;
            continue;
        }
        first = first < 0 ? i : first;
        int64_t saved = is_begun(&standing) ? saved_at(places, exercise) : 0;
        if (saved > latest) {
            latest = saved;
            made.current = i;
        }
    }
    made.current = made.current < 0 ? first : made.current;
    return made;
}

enum status standing_keep(const struct places *places, const struct judgement *judgement,
                          struct error *err) {
    char path[PATH_BYTES_MAX];
    enum status status = place_make(places, path, err, "build/last");
    if (!status) {
        status = folder_make(path, err);
    }
    for (int i = 0; i < judgement->exercise_count && !status; i++) {
        const struct exercise_result *result = &judgement->exercises[i];
        char line[LINE_BYTES_MAX];
        (void)snprintf(line, sizeof line, "%s %s\n", verdict_name(result->verdict), result->sha256);
        status = place_make(places, path, err, "build/last/%s", result->exercise->name);
        if (!status) {
            status = file_write(path, line, strlen(line), err);
        }
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
