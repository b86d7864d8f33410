// `tilegrade regrade`: computes the points of a stored result again, row by row, and shows the
// differences.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "app/commands/judging.h"
#include "app/terminal/terminal.h"
#include "app/terminal/terminal_text.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/words.h"
#include "judge/result/json_parts.h"
#include "judge/result/regrade_result.h"
#include "judge/result/result.h"

static enum status result_read(const char *path, json_t **ret_result, struct error *err) {
    char *text = NULL;
    size_t bytes = 0;
    json_error_t why;
    enum status status = file_read(path, FILE_BYTES_MAX, &text, &bytes, err);
    if (status) {
        return status;
    }
    json_t *result = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &why);
    free(text);
    if (!result) {
        return fail(err, STATUS_BAD_DATA, "%s:%d: not JSON: %s", path, why.line, why.text);
    }
    *ret_result = result;
    return STATUS_OK;
}

// "36 of 40", "36 of 40 -> 38.5 of 40", or "30 of 40, 10 open".
static void points_print(int64_t stored, int64_t stored_max, int64_t points, int64_t points_max,
                         int64_t points_open) {
    char texts[5][POINTS_TEXT_BYTES];
    points_format(stored, texts[0]);
    points_format(stored_max, texts[1]);
    points_format(points, texts[2]);
    points_format(points_max, texts[3]);
    points_format(points_open, texts[4]);
    if (stored != points || stored_max != points_max) {
        (void)printf(_("%s of %s -> %s of %s"), texts[0], texts[1], texts[2], texts[3]);
    } else if (points_open > 0) {
        (void)printf(_("%s of %s, %s open"), texts[2], texts[3], texts[4]);
    } else {
        (void)printf(_("%s of %s"), texts[2], texts[3]);
    }
}

static void row_print(const struct terminal *terminal, const struct regrade_row *row) {
    char what[SIZE_TEXT_MAX + 32];
    (void)snprintf(what, sizeof what, "%s", _("correctness"));
    if (row->size.m > 0) {
        char size[SIZE_TEXT_MAX];
        size_format(row->size, size);
        (void)snprintf(what, sizeof what, _("speed at %s"), size);
    }
    (void)printf("  %-16s ", row->exercise);
    terminal_left(terminal, what, 26);
    (void)putchar(' ');
    if (row->open) {
        (void)printf("%s\n", _("open"));
    } else {
        points_print(row->stored, row->stored_max, row->points, row->points_max, 0);
        (void)printf("\n");
    }
    if (row->why[0] != '\0') {
        terminal_wrap(terminal, 4, row->why);
    }
}

static enum status result_write(const json_t *result, const char *out, struct error *err) {
    char path[PATH_BYTES_MAX];
    char *text = json_dumps(result, JSON_INDENT(2) | JSON_REAL_PRECISION(RESULT_REAL_DIGITS));
    enum status status = path_make(path, err, "%s/result.json", out);
    if (!status) {
        status = file_write(path, text, strlen(text), err);
    }
    if (!status) {
        (void)printf(_("  written: %s\n"), path);
    }
    free(text);
    return status;
}

static void regrade_print(const char *path, const struct regrade *regrade) {
    struct terminal terminal = terminal_of(stdout, "", "");
    for (int i = 0; i < regrade->row_count; i++) {
        row_print(&terminal, &regrade->row[i]);
    }
    (void)printf("  %s ", _("points"));
    points_print(regrade->stored, regrade->stored_max, regrade->points, regrade->points_max,
                 regrade->points_open);
    (void)printf(
        "\n  %s: %s\n", path,
        regrade->differs
            ? _("the points differ: the grader, the thresholds or the file has changed since then")
            : _("nothing differs, down to the last bit"));
}

// The course with the points of the assignment that the result names, if it names one.
static enum status course_of(const struct app *app, const json_t *result,
                             struct course **ret_course, struct error *err) {
    const char *name =
        json_string_value(json_object_get(json_object_get(result, "assignment"), "name"));
    struct assignment *assignment = xcalloc(1, sizeof *assignment);
    struct course *course = xmalloc(sizeof *course);
    *course = *app->course;
    enum status status = name ? assignment_read(course, name, assignment, err) : STATUS_OK;
    if (!status && name) {
        assignment_narrow(assignment, course);
    }
    free(assignment);
    if (status) {
        free(course);
        return status;
    }
    *ret_course = course;
    return STATUS_OK;
}

enum status cmd_regrade(const struct app *app, enum exit_code *ret_code, struct error *err) {
    char out[PATH_BYTES_MAX];
    char path[PATH_BYTES_MAX];
    json_t *result = NULL;
    struct course *course = NULL;
    struct regrade *regrade = xcalloc(1, sizeof *regrade);
    enum status status = app->options->result
                             ? path_make(path, err, "%s", app->options->result)
                             : place_make(app->places, path, err, "build/grade/result.json");
    if (!status && app->options->out) {
        status = judging_out_make(app, NULL, out, err);
    }
    if (!status) {
        status = result_read(path, &result, err);
    }
    if (!status) {
        status = course_of(app, result, &course, err);
    }
    if (!status) {
        struct error why = {.text = ""};
        status = regrade_result(course, result, regrade, &why);
        status = status ? fail(err, status, "%s: %s", path, why.text) : STATUS_OK;
    }
    if (!status) {
        regrade_print(path, regrade);
        if (app->options->job) {
            (void)json_object_set_new(result, "job", result_text(app->options->job));
        }
        status = app->options->out ? result_write(result, out, err) : STATUS_OK;
        *ret_code = regrade->differs ? EXIT_KERNELS : EXIT_ALL_WELL;
    }
    json_decref(result);
    course_free(course);
    free(regrade);
    return status;
}
