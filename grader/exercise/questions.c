// The page is cut into its parts in place.  See questions.h.
#include "exercise/questions.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "base/translate.h"
#include "exercise/question_value.h"

#define PAGE_BYTES_MAX (256 << 10)

struct questions_reader {
    const char *path;
    int line;
    bool lines;
    struct questions *questions;
    struct question *question;  // that is being read; NULL before the first
    char *item;                 // the answer that is being read; NULL: none
    char *item_end;
    struct error *err;
};

static enum status page_fail(const struct questions_reader *reader, const char *why) {
    return fail(reader->err, STATUS_BAD_DATA, "%s:%d: %s", reader->path, reader->line, why);
}

// "TEXT = `FORMULA`: REASON", or "TEXT" alone if the answers are withheld.
static enum status item_end(struct questions_reader *reader) {
    struct question *question = reader->question;
    char *item = reader->item;
    reader->item = NULL;
    if (!item) {
        return STATUS_OK;
    }
    *reader->item_end = '\0';
    if (question->answer_count == QUESTION_ANSWERS_MAX) {
        return page_fail(reader, _("a question has too many answers"));
    }
    struct question_answer *answer = &question->answer[question->answer_count++];
    *answer = (struct question_answer){.right = item[3] == 'x', .text = item + 6};
    char *formula = strstr(item, " = `");
    char *colon = strstr(item, ": ");
    if (formula && (!colon || formula < colon)) {
        char *end = strstr(formula + 4, "`: ");
        if (end) {
            *formula = '\0';
            *end = '\0';
            answer->formula = formula + 4;
            colon = NULL;
        }
    }
    if (colon) {
        *colon = '\0';
    }
    return STATUS_OK;
}

static bool is_value(const char *text) {
    struct question_value value;
    return question_value_read(text, &value);
}

static enum status question_end(struct questions_reader *reader) {
    struct question *question = reader->question;
    enum status status = item_end(reader);
    if (status || !question) {
        return status;
    }
    bool typed = true;
    question->right = -1;
    for (int i = 0; i < question->answer_count; i++) {
        const struct question_answer *answer = &question->answer[i];
        typed = typed && (strcmp(answer->text, "*") == 0 || is_value(answer->text));
        if (answer->right && question->right >= 0) {
            return page_fail(reader, _("a question has two right answers"));
        }
        question->right = answer->right ? i : question->right;
    }
    bool first = question == reader->questions->list;
    question->kind = reader->lines && first ? QUESTION_LINE
                     : typed                ? QUESTION_VALUE
                                            : QUESTION_LETTER;
    return question->right < 0 && !reader->questions->withheld
               ? page_fail(reader, _("a question has no right answer"))
               : STATUS_OK;
}

static enum status question_begin(struct questions_reader *reader, char *title) {
    struct questions *questions = reader->questions;
    enum status status = question_end(reader);
    if (!status && questions->count == QUESTIONS_MAX) {
        status = page_fail(reader, _("the page has too many questions"));
    }
    if (!status) {
        reader->question = &questions->list[questions->count++];
        reader->question->title = title;
    }
    return status;
}

// Adds a line to the answer that is being read: a blank in between, but not in Chinese.
static void item_continue(struct questions_reader *reader, const char *line) {
    line += strspn(line, " ");
    if (((unsigned char)reader->item_end[-1] & 0x80) == 0 || ((unsigned char)*line & 0x80) == 0) {
        *reader->item_end++ = ' ';
    }
    size_t length = strlen(line);
    memmove(reader->item_end, line, length);
    reader->item_end += length;
}

static enum status line_read(struct questions_reader *reader, char *line) {
    if (text_starts(line, "## ")) {
        return question_begin(reader, line + 3);
    }
    if (strcmp(line, QUESTIONS_WITHHELD) == 0) {
        reader->questions->withheld = true;
    }
    if (reader->question && (text_starts(line, "- [x] ") || text_starts(line, "- [ ] "))) {
        enum status status = item_end(reader);
        reader->item = line;
        reader->item_end = line + strlen(line);
        return status;
    }
    if (reader->item && *line != '\0') {
        item_continue(reader, line);
    }
    return STATUS_OK;
}

enum status questions_read(const char *path, bool lines, struct questions **ret_questions,
                           struct error *err) {
    size_t bytes = 0;
    struct questions *questions = calloc(1, sizeof *questions);
    struct questions_reader reader = {
        .path = path, .lines = lines, .questions = questions, .err = err};
    enum status status = questions ? file_read(path, PAGE_BYTES_MAX, &questions->text, &bytes, err)
                                   : fail(err, STATUS_NO_MEMORY, "%s: no memory", path);
    char *at = status ? NULL : questions->text;
    while (!status && *at != '\0') {
        size_t length = strcspn(at, "\n");
        char *next = at + length + (at[length] == '\n');
        at[length] = '\0';
        reader.line++;
        status = line_read(&reader, at);
        at = next;
    }
    if (!status) {
        status = question_end(&reader);
    }
    if (!status && questions->count == 0) {
        status = page_fail(&reader, _("the page has no questions"));
    }
    if (!status && lines && questions->count != 2) {
        status = page_fail(&reader, _("a bug has two questions: the line, and the cause"));
    }
    if (status) {
        questions_free(questions);
        return status;
    }
    *ret_questions = questions;
    return STATUS_OK;
}

void questions_free(struct questions *questions) {
    if (questions) {
        free(questions->text);
    }
    free(questions);
}
