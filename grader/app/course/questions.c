// Pages of questions without answers, and the file that answers are written into: see questions.h.
#include "app/course/questions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "base/text.h"
#include "base/translate.h"
#include "exercise/answers.h"
#include "exercise/assignment.h"
#include "exercise/questions.h"

static const char intro[] = N_("The answers to these questions bring points. Write them into "
                               "`student/answers.ini`, which is handed in with the kernels.");

// Copies a page line by line, without its answers.
static void page_write(FILE *stream, const char *raw, const struct texts *texts,
                       const struct questions *questions) {
    const struct question *question = NULL;
    size_t bytes = 0;
    int number = 0;
    bool in_head = false;
    bool in_answers = false;
    for (const char *line; (line = text_line(&raw, &bytes)) != NULL;) {
        bool begins = text_starts(line, "## ");
        bool answers = question && (text_starts(line, "- [x] ") || text_starts(line, "- [ ] "));
        if (begins) {
            question = &questions->list[number++];
        }
        if (answers && !in_answers && question->kind == QUESTION_LETTER) {
            for (int i = 0; i < question->answer_count; i++) {
                (void)fprintf(stream, "- [ ] %s\n", question->answer[i].text);
            }
            (void)fputc('\n', stream);
        }
        in_answers = !begins && (in_answers || answers);
        in_head = !begins && (in_head || text_starts(line, "# "));
        if (text_starts(line, "# ") && !question) {
            (void)fprintf(stream, "%.*s\n\n" QUESTIONS_WITHHELD "\n\n%s\n\n", (int)bytes, line,
                          texts_find(texts, intro));
        } else if (!in_answers && !in_head) {
            (void)fprintf(stream, "%.*s\n", (int)bytes, line);
        }
    }
}

static enum status page_withhold(const char *path, const struct texts *texts, bool is_bug,
                                 struct error *err) {
    char *raw = NULL;
    char *text = NULL;
    size_t bytes = 0;
    struct questions *questions = NULL;
    enum status status = questions_read(path, is_bug, &questions, err);
    if (!status) {
        status = file_read(path, FILE_BYTES_MAX, &raw, &bytes, err);
    }
    if (!status) {
        FILE *stream = open_memstream(&text, &bytes);
        if (stream) {
            page_write(stream, raw, texts, questions);
        }
        status = stream && stream_close(stream, &text)
                     ? file_write(path, text, strlen(text), err)
                     : fail(err, STATUS_NO_MEMORY, "%s: no memory", path);
    }
    free(text);
    free(raw);
    questions_free(questions);
    return status;
}

enum status questions_withhold(const char *folder, bool is_bug, struct error *err) {
    const struct {
        const char *file;
        const struct texts *texts;
    } pages[] = {{QUESTIONS_PAGE, &texts_en}, {QUESTIONS_PAGE_ZH, &texts_zh}};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < COUNT(pages) && !status; i++) {
        char path[PATH_BYTES_MAX];
        bool exists = false;
        status = path_make(path, err, "%s/%s", folder, pages[i].file);
        if (!status) {
            status = file_exists(path, &exists, err);
        }
        if (!status && exists) {
            status = page_withhold(path, pages[i].texts, is_bug, err);
        }
    }
    return status;
}

static const char *form_of(const struct question *question) {
    switch (question->kind) {
    case QUESTION_LETTER:
        return _("one letter, from a on");
    case QUESTION_LINE:
        return _("the number of a line");
    case QUESTION_VALUE:
        break;
    }
    for (int i = 0; i < question->answer_count; i++) {
        if (strchr(question->answer[i].text, '[')) {
            return _("an element, such as A[3][5]");
        }
    }
    return _("a number");
}

static enum status section_write(const struct course *course, const struct question_page *page,
                                 FILE *stream, struct error *err) {
    char path[PATH_BYTES_MAX];
    bool exists = false;
    struct questions *questions = NULL;
    enum status status = path_below(path, err, course->root, "%s/" QUESTIONS_PAGE_ZH, page->folder);
    if (!status) {
        status = file_exists(path, &exists, err);
    }
    if (!status && (!exists || strcmp(texts_language(), "zh") != 0)) {
        status = path_below(path, err, course->root, "%s/" QUESTIONS_PAGE, page->folder);
    }
    if (!status) {
        status = questions_read(path, page->is_bug, &questions, err);
    }
    if (!status) {
        (void)fprintf(stream, "\n[%s]\n", page->name);
        for (int i = 0; i < questions->count; i++) {
            (void)fprintf(stream, "; %s: %s\n%d =\n", questions->list[i].title,
                          form_of(&questions->list[i]), i + 1);
        }
        if (page->is_bug) {
            (void)fputs("; ", stream);
            (void)fprintf(stream, _("Repair student/%s.cu, too; it is handed in as well."),
                          page->name);
            (void)fputc('\n', stream);
        }
    }
    questions_free(questions);
    return status;
}

enum status answers_template_write(const struct course *course, const char *title, const char *out,
                                   struct error *err) {
    char path[PATH_BYTES_MAX];
    char *text = NULL;
    size_t bytes = 0;
    enum status status = path_make(path, err, "%s/student/" ANSWERS_FILE, out);
    FILE *stream = open_memstream(&text, &bytes);
    if (!stream) {
        return fail(err, STATUS_NO_MEMORY, "%s: no memory", path);
    }
    (void)fprintf(stream, "; %s\n; %s\n; %s\n", title,
                  _("Write each answer after its =. Hand this file in with your kernels."),
                  _("If a question has several answers, the last one counts."));
    for (int i = 0; i < course->page_count && !status; i++) {
        status = section_write(course, &course->pages[i], stream, err);
    }
    if (!stream_close(stream, &text)) {
        return fail(err, STATUS_NO_MEMORY, "%s: no memory", path);
    }
    if (!status) {
        status = file_write(path, text, strlen(text), err);
    }
    free(text);
    return status;
}
