// See outcome.h.
#include "class/run/outcome.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "class/folder.h"
#include "class/run/json.h"
#include "judge/result/result.h"

#define RESULT "result.json"
#define NOTE   "trouble.txt"

enum status class_job_path(const char *out, const char *pseudonym, const char *name,
                           char ret_path[PATH_BYTES_MAX], struct error *err) {
    return path_make(ret_path, err, "%s/jobs/%s/%s", out, pseudonym, name);
}

static void result_take(const json_t *root, const struct class_job *job,
                        struct class_outcome *outcome) {
    if (strcmp(class_json_text(root, "job"), job->key) != 0 ||
        !moment_parse(class_json_text(root, "graded_at"), &outcome->graded_at) ||
        !json_is_array(json_object_get(root, "exercises"))) {
        return;
    }
    outcome->points = json_integer_value(json_object_get(root, "points"));
    outcome->points_max = json_integer_value(json_object_get(root, "points_max"));
    outcome->points_open = json_integer_value(json_object_get(root, "points_open"));
    outcome->seconds = json_number_value(json_object_get(root, "seconds"));
    outcome->cpu_seconds = json_number_value(json_object_get(root, "cpu_seconds"));
    outcome->done = true;
}

static enum status trouble_read(const char *path, char trouble[TROUBLE_BYTES], struct error *err) {
    char *text = NULL;
    size_t bytes = 0;
    enum status status = file_read(path, FILE_BYTES_MAX, &text, &bytes, err);
    if (!status) {
        (void)snprintf(trouble, TROUBLE_BYTES, "%.*s", (int)strcspn(text, "\n"), text);
        text_clean(trouble);
        text_end(trouble);
        free(text);
    }
    return status == STATUS_BAD_DATA ? STATUS_OK : status;
}

enum status class_outcome_read(const char *out, const struct class_job *job,
                               struct class_outcome *ret_outcome, struct error *err) {
    char path[PATH_BYTES_MAX];
    json_t *root = NULL;
    struct class_outcome outcome = {.graded_at = MOMENT_NONE};
    enum status status = class_job_path(out, job->pseudonym, RESULT, path, err);
    if (!status) {
        status = class_json_read(path, FILE_BYTES_MAX, RESULT_SCHEMA, &root, err);
    }
    if (!status) {
        result_take(root, job, &outcome);
        json_decref(root);
    } else if (status == STATUS_BAD_DATA) {  // none, or not a whole one
        status = STATUS_OK;
    }
    if (!status && !outcome.done) {
        status = class_job_path(out, job->pseudonym, NOTE, path, err);
        if (!status) {
            status = trouble_read(path, outcome.trouble, err);
        }
    }
    if (!status) {
        *ret_outcome = outcome;
    }
    return status;
}

enum status class_trouble_write(const char *out, const char *pseudonym, const char *why,
                                struct error *err) {
    char path[PATH_BYTES_MAX];
    char text[TROUBLE_BYTES];
    enum status status = class_job_path(out, pseudonym, NOTE, path, err);
    if (status) {
        return status;
    }
    (void)snprintf(text, sizeof text, "%.*s", (int)sizeof text - 2, why);
    text_end(text);
    size_t bytes = strlen(text);
    memcpy(text + bytes, "\n", 2);
    return class_file_write(path, text, bytes + 1, err);
}

enum status class_outcome_remove(const char *out, const char *pseudonym, bool and_result,
                                 struct error *err) {
    char path[PATH_BYTES_MAX];
    enum status status = path_make(path, err, "%s/jobs/%s", out, pseudonym);
    DIR *folder = status ? NULL : opendir(path);
    if (status || !folder) {
        return status || errno == ENOENT ? status : fail_errno(err, STATUS_SYSTEM, "%s", path);
    }
    const struct dirent *entry = NULL;
    while (!status && (entry = readdir(folder)) != NULL) {
        const char *name = entry->d_name;
        bool is_part = text_starts(name, RESULT ".") || text_starts(name, NOTE ".");
        if (is_part || strcmp(name, NOTE) == 0 || (and_result && strcmp(name, RESULT) == 0)) {
            status = class_job_path(out, pseudonym, name, path, err);
            if (!status && unlink(path) != 0 && errno != ENOENT) {
                status = fail_errno(err, STATUS_SYSTEM, "%s: cannot remove", path);
            }
        }
    }
    (void)closedir(folder);
    return status;
}
