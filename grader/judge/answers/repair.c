// A repair is judged as an exercise is, without speed: see repair.h.
#include "judge/answers/repair.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "base/words.h"
#include "judge/model/judgement.h"
#include "judge/model/options.h"
#include "judge/run/gpu_lease.h"
#include "judge/run/run.h"

const char answers_repair_title[] = N_("the kernel repaired");

#define LINES_MAX 2000  // of a kernel file that is compared

struct kernel_lines {
    int count;
    struct {
        const char *at;
        size_t bytes;
    } list[LINES_MAX];
};

// The lines that have more than blanks.
static void lines_cut(const char *text, struct kernel_lines *lines) {
    size_t bytes = 0;
    lines->count = 0;
    for (const char *line; lines->count < LINES_MAX && (line = text_line(&text, &bytes));) {
        size_t blanks = 0;
        while (blanks < bytes && isspace((unsigned char)line[blanks])) {
            blanks++;
        }
        if (blanks < bytes) {
            lines->list[lines->count].at = line;
            lines->list[lines->count++].bytes = bytes;
        }
    }
}

// Equal but for blanks?
static bool line_equal(const struct kernel_lines *left, int i, const struct kernel_lines *right,
                       int j) {
    const char *a = left->list[i].at;
    const char *b = right->list[j].at;
    const char *a_end = a + left->list[i].bytes;
    const char *b_end = b + right->list[j].bytes;
    for (;;) {
        while (a < a_end && isspace((unsigned char)*a)) {
            a++;
        }
        while (b < b_end && isspace((unsigned char)*b)) {
            b++;
        }
        if (a == a_end || b == b_end) {
            return a == a_end && b == b_end;
        }
        if (*a++ != *b++) {
            return false;
        }
    }
}

// By the longest common subsequence, a row at a time.
int answers_lines_changed(const char *before, const char *after) {
    struct kernel_lines *left = malloc(sizeof *left);
    struct kernel_lines *right = malloc(sizeof *right);
    int *row = calloc(LINES_MAX + 1, sizeof *row);
    int changed = -1;
    if (left && right && row) {
        lines_cut(before, left);
        lines_cut(after, right);
        for (int i = 0; i < left->count; i++) {
            int diagonal = 0;
            for (int j = 0; j < right->count; j++) {
                int above = row[j + 1];
                int best = above > row[j] ? above : row[j];
                row[j + 1] = line_equal(left, i, right, j) ? diagonal + 1 : best;
                diagonal = above;
            }
        }
        int most = left->count > right->count ? left->count : right->count;
        changed = most - row[right->count];
    }
    free(left);
    free(right);
    free(row);
    return changed;
}

static enum status few_changed(const struct judge_options *options,
                               const struct question_page *page, const char *repaired,
                               bool *ret_few, struct error *err) {
    char path[PATH_BYTES_MAX];
    char *text = NULL;
    size_t bytes = 0;
    enum status status =
        path_below(path, err, options->course->root, "%s/%s.cu", page->folder, page->exercise);
    if (!status) {
        status = file_read(path, SOURCE_BYTES_MAX, &text, &bytes, err);
    }
    int changed = status ? 0 : answers_lines_changed(text, repaired);
    free(text);
    *ret_few = changed <= REPAIR_LINES_MAX;
    return changed < 0 ? fail(err, STATUS_NO_MEMORY, "no memory for a result") : status;
}

enum status answers_repair_judge(const struct judge_options *options,
                                 const struct question_page *page, struct answer_result *row,
                                 struct error *err) {
    struct judge_options alone = *options;
    struct run_kernel kernel;
    struct exercise_result *result = calloc(1, sizeof *result);
    bool few = false;
    memset(&kernel, 0, sizeof kernel);
    if (!result) {
        return fail(err, STATUS_NO_MEMORY, "no memory for a result");
    }
    alone.extras = (struct judge_extras){.no_references = options->extras.no_references};
    alone.uses[DEVICE_EMU] = true;
    alone.uses[DEVICE_GPU] = false;
    alone.machine.lease = NULL;
    result->exercise = course_find(options->course, page->exercise);
    (void)snprintf(result->file, sizeof result->file, "%s.cu", page->name);
    enum status status = result->exercise ? run_exercise(&alone, result, &kernel, err)
                                          : STATUS_OK;  // left out by --exercise
    if (!status && result->exercise && result->verdict != VERDICT_MISSING) {
        (void)snprintf(row->given, sizeof row->given, "%s", verdict_name(result->verdict));
        if (result->verdict == VERDICT_PASS) {
            status = few_changed(options, page, kernel.source.text, &few, err);
            row->right = few;
        }
    }
    run_worker_stop(&kernel.worker);
    run_kernel_done(&kernel);
    free(result->why.diagnostics);
    free(result->source);
    free(result);
    return status;
}
