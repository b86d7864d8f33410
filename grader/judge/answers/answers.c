// Marks answers.ini: see answers.h.
#include "judge/answers/answers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compose.h"
#include "base/file.h"
#include "exercise/assignment.h"
#include "exercise/questions.h"
#include "judge/answers/kernel.h"
#include "judge/answers/repair.h"
#include "judge/model/judgement.h"
#include "judge/model/options.h"
#include "judge/result/parts.h"
#include "judge/source/submitted.h"

struct marking {
    const struct judge_options *options;
    const struct course *course;
    struct judgement *judgement;
    struct answers *answers;  // NULL: nothing was handed in
    struct error *err;
};

static enum status memory_fail(const struct marking *marking) {
    return fail(marking->err, STATUS_NO_MEMORY, "no memory for a result");
}

// The file as it was handed in; NULL, and a sentence in the result, if there is none.
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
        struct answers *answers = malloc(sizeof *answers);
        if (!answers) {
            status = fail(err, STATUS_NO_MEMORY, "no memory for a result");
        } else {
            answers_parse(source.text, answers);
            *ret_answers = answers;
        }
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

// What the formulas of a page need of the kernel; NULL: it is not right, or was not judged.
static json_t *kernel_json(const struct judgement *judgement, const char *name, bool *failed) {
    for (int i = 0; i < judgement->exercise_count; i++) {
        const struct exercise_result *result = &judgement->exercises[i];
        const struct speed_outcome *speed = &result->speed;
        if (strcmp(result->exercise->name, name) != 0 || result->verdict != VERDICT_PASS ||
            speed->alone_size.m == 0) {
            continue;
        }
        json_t *kernel = json_object();
        result_put(kernel, "kernel", result_kernel_json(&result->exercise->signature, failed),
                   failed);
        result_put(kernel, "counts",
                   result_counts_json(&speed->alone, result->exercise, speed->alone_size, failed),
                   failed);
        if (speed->estimate.made) {
            result_put(kernel, "estimate",
                       result_estimate_json(&speed->estimate, result->exercise, failed), failed);
        }
        if (result->maps) {
            result_put(kernel, "maps", result_index_maps_json(result->maps), failed);
        }
        return kernel;
    }
    return NULL;
}

static enum status page_path(const struct marking *marking, const struct question_page *page,
                             const char *file, char path[PATH_BYTES_MAX]) {
    return path_below(path, marking->err, marking->course->root, "%s/%s", page->folder, file);
}

// The page in Chinese, for its titles; NULL if there is none like the English one.
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

// Marks the last answer to a question that has the form that the question asks for.  Those after it
// are wrong lines; if there is no such answer, the last of them is in the row.
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

// Adds the row of part `number` of a page, which has so many, with its share of the points.
static struct answer_result *row_add(struct answers_result *result,
                                     const struct question_page *page, int number, int parts) {
    struct answer_result *row = &result->list[result->count++];
    *row = (struct answer_result){.page = page,
                                  .number = number,
                                  .points_max = page->points_max * number / parts -
                                                page->points_max * (number - 1) / parts};
    return row;
}

// Adds what a marked row brings.
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
    bool failed = false;
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
    json_t *numbers = kernel_json(marking->judgement, page->name, &failed);
    struct answer_result *list =
        failed ? NULL
               : realloc(result->list, (size_t)(result->count + parts) * sizeof *result->list);
    if (list) {
        bool known = answers_kernel_of(numbers, &kernel);
        result->list = list;
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
    }
    json_decref(numbers);
    questions_free(chinese);
    questions_free(questions);
    return list ? status : memory_fail(marking);
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
        result->points = 0;  // those of a repaired kernel wait for the rest
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
