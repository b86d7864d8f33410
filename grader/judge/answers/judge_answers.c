// Marks answers.ini.  Counters, registers and accesses are read from result.json.  A repair is
// judged like an exercise, but without speed.
#include "judge/answers/judge_answers.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compose.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/words.h"
#include "exercise/assignment.h"
#include "exercise/questions.h"
#include "judge/diagnose/exercise_run.h"
#include "judge/model/judge_options.h"
#include "judge/model/judgement.h"
#include "judge/result/json_parts.h"
#include "judge/run/gpu_lease.h"
#include "judge/submission/submission.h"

static const json_t *counts_of(const json_t *exercise) {
    return json_object_get(exercise, "counts");
}

// Multiply-adds of a whole warp that a product needs; 0 for any other kernel.
static double products_of(const json_t *exercise) {
    const json_t *size = json_object_get(counts_of(exercise), "size");
    const json_t *kernel = json_object_get(exercise, "kernel");
    double products = 1.0 / WARP_LANES;
    const json_t *extent = NULL;
    size_t i = 0;
    if (kernel && !json_is_true(json_object_get(kernel, "product"))) {
        return 0.0;
    }
    json_array_foreach(size, i, extent) {
        products *= json_number_value(extent);
    }
    return products;
}

static double counter_of(const json_t *exercise, const char *name) {
    return json_number_value(json_object_get(counts_of(exercise), name));
}

// The same counts as in `make practice predict` (report/practice/predict.py); 0 for a kernel that
// is not a product.
static double wavefronts_per_product(const json_t *exercise) {
    double products = products_of(exercise);
    double wavefronts = counter_of(exercise, "global_load_wavefronts") +
                        counter_of(exercise, "shared_load_joined") +
                        counter_of(exercise, "shared_store_wavefronts");
    return products > 0.0 ? wavefronts / products : 0.0;
}

// A counter that is missing is 0: the kernel lacks that kind of access.
static bool kernel_number(const void *context, const char *name, double *ret_number) {
    const json_t *exercise = context;
    const json_t *student = json_object_get(json_object_get(exercise, "estimate"), "student");
    if (strcmp(name, "products") == 0) {
        *ret_number = products_of(exercise);
    } else if (strcmp(name, "p") == 0) {
        *ret_number = wavefronts_per_product(exercise);
    } else if (strcmp(name, "registers") == 0) {
        *ret_number = json_number_value(json_object_get(student, name));
    } else if (strcmp(name, "occupancy") == 0) {
        *ret_number = 100.0 * json_number_value(json_object_get(student, name));
    } else {
        *ret_number = counter_of(exercise, name);
    }
    return true;
}

static json_int_t integer_at(const json_t *array, size_t at) {
    return json_integer_value(json_array_get(array, at));
}

// The first byte that `thread` accesses of the array, by the accesses of one place in the kernel;
// -1 if it accesses none.  Steps that change the thread are followed one by one.
static json_int_t first_byte(const json_t *steps, size_t step, json_int_t who, json_int_t at,
                             json_int_t thread) {
    if (step == json_array_size(steps)) {
        return who == thread ? at : -1;
    }
    const json_t *one = json_array_get(steps, step);
    json_int_t count = integer_at(one, 1) != 0 ? integer_at(one, 0) : 1;
    json_int_t first = -1;
    for (json_int_t i = 0; i < count; i++) {
        json_int_t found = first_byte(steps, step + 1, who + i * integer_at(one, 1),
                                      at + i * integer_at(one, 2), thread);
        first = first < 0 || (found >= 0 && found < first) ? found : first;
    }
    return first;
}

static bool index_write(const json_t *array, json_int_t byte, struct question_value *value) {
    const json_t *extent = json_object_get(array, "extent");
    json_int_t bytes = json_integer_value(json_object_get(array, "element_bytes"));
    json_int_t element = bytes > 0 ? byte / bytes : -1;
    int rank = (int)json_array_size(extent);
    if (element < 0 || rank > QUESTION_RANK_MAX) {
        return false;
    }
    value->rank = rank > 0 ? rank : 1;
    for (int i = value->rank - 1; i > 0; i--) {
        json_int_t dimension = integer_at(extent, (size_t)i);
        if (dimension < 1) {
            return false;
        }
        value->index[i] = (long)(element % dimension);
        element /= dimension;
    }
    value->index[0] = (long)element;
    return true;
}

static bool kernel_place(const void *context, const char *array, int x, int y, int time,
                         struct question_value *ret_value) {
    const json_t *maps = json_object_get(context, "maps");
    const json_t *map = json_array_get(json_object_get(maps, "list"), 0);
    const json_t *arrays = json_object_get(map, "arrays");
    json_int_t thread = y * integer_at(json_object_get(map, "threads"), 0) + x;
    const json_t *access = NULL;
    size_t i = 0;
    struct question_value value = {.rank = 0};
    json_array_foreach(json_object_get(map, "accesses"), i, access) {
        const json_t *held = json_array_get(arrays, (size_t)integer_at(access, 2));
        const char *kind = json_string_value(json_array_get(access, 1));
        const char *name = json_string_value(json_object_get(held, "name"));
        if (!kind || !name || strcmp(kind, "load") != 0 || strcmp(name, array) != 0) {
            continue;
        }
        json_int_t byte = first_byte(json_array_get(access, 7), 0, integer_at(access, 5),
                                     integer_at(access, 6), thread);
        if (byte >= 0 && time-- == 0) {
            if (!index_write(held, byte, &value)) {
                return false;
            }
            *ret_value = value;
            return true;
        }
    }
    return false;
}

bool answers_kernel_of(const json_t *exercise, struct question_kernel *ret_kernel) {
    if (!counts_of(exercise)) {
        return false;
    }
    *ret_kernel = (struct question_kernel){exercise, kernel_number, kernel_place};
    return true;
}

const char answers_repair_title[] = KEY_("the kernel repaired");

#define LINES_MAX 2000  // lines of a kernel file that is compared

struct kernel_lines {
    int count;
    struct {
        const char *at;
        size_t bytes;
    } list[LINES_MAX];
};

// The lines that contain more than blanks.
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

// Are the lines equal apart from blanks?
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

// Uses the longest common subsequence, a row at a time.
int answers_lines_changed(const char *before, const char *after) {
    struct kernel_lines *left = xmalloc(sizeof *left);
    struct kernel_lines *right = xmalloc(sizeof *right);
    int *row = xcalloc(LINES_MAX + 1, sizeof *row);
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
    int changed = most - row[right->count];
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
    return status;
}

// Judges NAME.cu of the submission as the exercise of the bug, on the CPU device: the repair is
// right if it passes and differs from the kernel with the bug in at most REPAIR_LINES_MAX lines.
static enum status answers_repair_judge(const struct judge_options *options,
                                        const struct question_page *page, struct answer_result *row,
                                        struct error *err) {
    struct judge_options alone = *options;
    struct run_kernel kernel;
    struct exercise_result *result = xcalloc(1, sizeof *result);
    bool few = false;
    memset(&kernel, 0, sizeof kernel);
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

struct marking {
    const struct judge_options *options;
    const struct course *course;
    struct judgement *judgement;
    struct answers *answers;  // NULL: nothing was handed in
    struct error *err;
};

// The file as it was handed in; if there is none, NULL and a sentence in the result.
static enum status answers_read(int submission, struct answers_result *result,
                                struct answers **ret_answers, struct error *err) {
    struct submitted source;
    enum status status = submitted_read(submission, ANSWERS_FILE, &source, err);
    if (status) {
        return status;
    }
    bool is_text = source.text && source.bytes <= ANSWERS_BYTES_MAX &&
                   !memchr(source.text, '\0', source.bytes);
    memcpy(result->sha256, source.sha256, sizeof result->sha256);
    if (is_text) {
        struct answers *answers = xmalloc(sizeof *answers);
        answers_parse(source.text, answers);
        *ret_answers = answers;
    } else {
        result->state = ANSWERS_MISSING;
        words_write(result->note, sizeof result->note,
                    source.absent ? _("Answers were not handed in: there is no file answers.ini "
                                      "next to the kernels.")
                                  : _("Answers were not handed in: answers.ini must be a text file "
                                      "of at most 64 KiB, with exactly that name."));
    }
    submitted_done(&source);
    return status;
}

// The kernel's numbers that the formulas of a page need; NULL: the kernel is not right, or was not
// judged.
static json_t *kernel_json(const struct judgement *judgement, const char *name) {
    for (int i = 0; i < judgement->exercise_count; i++) {
        const struct exercise_result *result = &judgement->exercises[i];
        const struct speed_outcome *speed = &result->speed;
        if (strcmp(result->exercise->name, name) != 0 || result->verdict != VERDICT_PASS ||
            speed->alone_size.m == 0) {
            continue;
        }
        json_t *kernel = json_pack(
            "{s:o, s:o}", "kernel", result_kernel_json(&result->exercise->signature), "counts",
            result_counts_json(&speed->alone, result->exercise, speed->alone_size));
        if (speed->estimate.made) {
            kernel = result_with(kernel, "estimate",
                                 result_estimate_json(&speed->estimate, result->exercise));
        }
        if (result->maps) {
            kernel = result_with(kernel, "maps", result_index_maps_json(result->maps));
        }
        assert(kernel);  // all its numbers are finite
        return kernel;
    }
    return NULL;
}

static enum status page_path(const struct marking *marking, const struct question_page *page,
                             const char *file, char path[PATH_BYTES_MAX]) {
    return path_below(path, marking->err, marking->course->root, "%s/%s", page->folder, file);
}

// The page in Chinese, for its titles; NULL if no Chinese page matches the English one.
static enum status chinese_read(const struct marking *marking, const struct question_page *page,
                                int count, struct questions **ret_questions) {
    char path[PATH_BYTES_MAX];
    bool exists = false;
    struct questions *questions = NULL;
    enum status status = page_path(marking, page, QUESTIONS_PAGE_ZH, path);
    if (!status) {
        status = file_exists(path, &exists, marking->err);
    }
    if (!status && exists) {
        status = questions_read(path, page->is_bug, &questions, marking->err);
    }
    if (!status && questions && questions->count != count) {
        questions_free(questions);
        questions = NULL;
    }
    *ret_questions = questions;
    return status;
}

// Marks the last answer to a question that has the requested form.  Answers after it are wrong
// lines; if no answer has the form, the row shows the last one.
static void answer_mark(const struct marking *marking, const struct question *question,
                        const struct question_kernel *kernel, struct answer_result *row) {
    const struct given_answer *answer = NULL;
    while (marking->answers &&
           (answer = answers_before(marking->answers, answer, row->page->name, row->number))) {
        struct question_mark mark = question_mark(question, answer->text, kernel);
        if (mark.understood || row->unread_line == 0) {
            (void)snprintf(row->given, sizeof row->given, "%s", answer->text);
            row->unread_line = mark.understood ? 0 : answer->line;
        }
        if (mark.understood) {
            row->right = mark.right;
            return;
        }
        answers_fault(marking->answers, answer->line);
    }
}

// Adds the row of part `number` of a page with `count` parts, with its share of the points.
static struct answer_result *row_add(struct answers_result *result,
                                     const struct question_page *page, int number, int parts) {
    struct answer_result *row = &result->list[result->count++];
    *row = (struct answer_result){.page = page,
                                  .number = number,
                                  .points_max = page->points_max * number / parts -
                                                page->points_max * (number - 1) / parts};
    return row;
}

// Adds the points of a marked row.
static void points_add(struct answers_result *result, struct answer_result *row) {
    row->points = row->right ? row->points_max : 0;
    result->points += row->points;
    result->points_max += row->points_max;
}

// Marks one question in its row.
static void question_mark_row(const struct marking *marking, const struct question *question,
                              const struct question *chinese, const struct question_kernel *kernel,
                              struct answer_result *row) {
    (void)snprintf(row->title, sizeof row->title, "%s", question->title);
    (void)snprintf(row->title_zh, sizeof row->title_zh, "%s", chinese ? chinese->title : "");
    answer_mark(marking, question, kernel, row);
    points_add(&marking->judgement->answers, row);
}

// The repaired kernel of a bug, as the last row of its page.
static enum status repair_mark(const struct marking *marking, struct answer_result *row) {
    (void)snprintf(row->title, sizeof row->title, "%s", answers_repair_title);
    (void)snprintf(row->title_zh, sizeof row->title_zh, "%s",
                   texts_find(&texts_zh, answers_repair_title));
    enum status status = answers_repair_judge(marking->options, row->page, row, marking->err);
    points_add(&marking->judgement->answers, row);
    return status;
}

static enum status page_mark(struct marking *marking, const struct question_page *page) {
    struct answers_result *result = &marking->judgement->answers;
    char path[PATH_BYTES_MAX];
    struct questions *questions = NULL;
    struct questions *chinese = NULL;
    struct question_kernel kernel;
    enum status status = page_path(marking, page, QUESTIONS_PAGE, path);
    if (!status) {
        status = questions_read(path, page->is_bug, &questions, marking->err);
    }
    if (!status) {
        status = chinese_read(marking, page, questions->count, &chinese);
    }
    if (status) {
        questions_free(questions);
        return status;
    }
    int parts = questions->count + page->is_bug;
    json_t *numbers = kernel_json(marking->judgement, page->name);
    bool known = answers_kernel_of(numbers, &kernel);
    result->list = xrealloc(result->list, (size_t)(result->count + parts) * sizeof *result->list);
    for (int i = 0; i < questions->count; i++) {
        question_mark_row(marking, &questions->list[i], chinese ? &chinese->list[i] : NULL,
                          known ? &kernel : NULL, row_add(result, page, i + 1, parts));
    }
    if (page->is_bug) {
        status = repair_mark(marking, row_add(result, page, parts, parts));
    }
    if (questions->withheld && marking->answers) {
        result->state = ANSWERS_WITHHELD;
    }
    json_decref(numbers);
    questions_free(chinese);
    questions_free(questions);
    return status;
}

// Answers to no question of the assignment are wrong lines too.
static void unknown_answers_find(struct marking *marking) {
    const struct answers_result *result = &marking->judgement->answers;
    for (int i = 0; i < marking->answers->count; i++) {
        const struct given_answer *answer = &marking->answers->list[i];
        bool known = false;
        for (int j = 0; j < result->count && !known; j++) {
            known = result->list[j].number == answer->number &&
                    strcmp(result->list[j].page->name, answer->section) == 0;
        }
        if (!known) {
            answers_fault(marking->answers, answer->line);
        }
    }
}

// Names the wrong lines, and says how a line must be.
static void faults_write(const struct answers *answers, struct answers_result *result) {
    char lines[16 * ANSWERS_FAULTS_MAX] = "";
    size_t used = 0;
    result->fault_count = answers->fault_count;
    for (int i = 0; i < answers->fault_count && i < ANSWERS_FAULTS_MAX; i++) {
        used += (size_t)snprintf(lines + used, sizeof lines - used, "%s%d", i > 0 ? ", " : "",
                                 answers->fault_line[i]);
    }
    if (answers->fault_count > ANSWERS_FAULTS_MAX) {
        (void)snprintf(lines + used, sizeof lines - used, " ...");
    }
    if (answers->fault_count > 0) {
        words_write(result->note, sizeof result->note,
                    _("answers.ini:%s: these lines do not count. Write the number of a question, "
                      "=, and its answer, below the question's own [section]: a "
                      "number, an element such as A[3][5], or one letter."),
                    lines);
    }
}

enum status judge_answers(const struct judge_options *options, struct judgement *judgement,
                          struct error *err) {
    struct answers_result *result = &judgement->answers;
    struct marking marking = {
        .options = options, .course = options->course, .judgement = judgement, .err = err};
    enum status status = STATUS_OK;
    if (options->course->page_count == 0) {
        return STATUS_OK;
    }
    result->state = ANSWERS_MARKED;
    status = answers_read(options->submission, result, &marking.answers, err);
    for (int i = 0; i < options->course->page_count && !status; i++) {
        status = page_mark(&marking, &options->course->pages[i]);
    }
    if (!status && marking.answers) {
        unknown_answers_find(&marking);
        faults_write(marking.answers, result);
    }
    free(marking.answers);
    if (result->state == ANSWERS_WITHHELD) {
        result->points = 0;  // the points of a repaired kernel come later
        result->points_open = result->points_max;
        for (int i = 0; i < result->count; i++) {
            result->list[i].points = 0;
        }
    }
    return status;
}

void judge_answers_done(struct judgement *judgement) {
    free(judgement->answers.list);
    judgement->answers.list = NULL;
}
