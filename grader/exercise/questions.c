// Values, formulas and the marks of answers; then the page, which is cut into its parts in place;
// then answers.ini, which has its own tolerant reader: inih would stop at the first wrong line.
#include "exercise/questions.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/words.h"

#define NEAR       0.01  // a number with a smaller error counts as rounded
#define DIGITS_MAX 15

// --- Values --------------------------------------------------------------------------------------

static const char *blanks_skip(const char *at) {
    return at + strspn(at, " \t");
}

// "A[3][5]", "[3] [5]".
static bool element_read(const char *at, struct question_value *value) {
    while (isalnum((unsigned char)*at) || *at == '_') {
        at++;
    }
    for (at = blanks_skip(at); *at == '[' && value->rank < QUESTION_RANK_MAX;) {
        char *end = NULL;
        at = blanks_skip(at + 1);
        if (!isdigit((unsigned char)*at)) {
            return false;
        }
        value->index[value->rank++] = strtol(at, &end, 10);
        at = blanks_skip(end);
        if (*at != ']') {
            return false;
        }
        at = blanks_skip(at + 1);
    }
    return value->rank > 0 && *at == '\0';
}

// Reads digits with commas and a point; *at moves past them.
static bool decimal_read(const char **at, double *ret_number) {
    char digits[DIGITS_MAX + 1];
    size_t used = 0;
    for (; isdigit((unsigned char)**at) || **at == '.' || **at == ','; (*at)++) {
        if (**at != ',' && used < DIGITS_MAX) {
            digits[used++] = **at;
        }
    }
    digits[used] = '\0';
    char *end = NULL;
    *ret_number = strtod(digits, &end);
    *at = blanks_skip(*at);
    return used > 0 && used < DIGITS_MAX && *end == '\0';
}

// False if the text is neither a number nor an element.
static bool question_value_read(const char *text, struct question_value *ret_value) {
    struct question_value value = {.rank = 0};
    double under = 1.0;
    const char *at = blanks_skip(text);
    if (strchr(at, '[')) {
        if (!element_read(at, &value)) {
            return false;
        }
        *ret_value = value;
        return true;
    }
    bool negative = *at == '-';
    at += negative ? 1 : 0;
    if (!decimal_read(&at, &value.number)) {
        return false;
    }
    if (*at == '/') {
        at = blanks_skip(at + 1);
        if (!decimal_read(&at, &under) || under == 0.0) {
            return false;
        }
    }
    at = blanks_skip(at + (*at == '%'));
    value.number = (negative ? -value.number : value.number) / under;
    *ret_value = value;
    return *at == '\0';
}

// Are they equal, apart from rounding?
static bool question_value_same(const struct question_value *left,
                                const struct question_value *right) {
    if (left->rank != right->rank) {
        return false;
    }
    for (int i = 0; i < left->rank; i++) {
        if (left->index[i] != right->index[i]) {
            return false;
        }
    }
    return left->rank > 0 || fabs(left->number - right->number) <=
                                 NEAR * fmax(fabs(left->number), fabs(right->number));
}

// --- Formulas ------------------------------------------------------------------------------------

// False if the value does not follow from the kernel.
static bool formula_of(const struct question_answer *answer, const struct question_kernel *kernel,
                       struct question_value *ret_value) {
    char array[EXPRESSION_NAME_BYTES];
    int x = 0;
    int y = 0;
    int time = 0;
    int end = 0;
    struct question_value value = {.rank = 0};
    if (!answer->formula || !kernel) {
        return false;
    }
    if (sscanf(answer->formula, "place(\"%63[^\"]\", %d, %d, %d)%n", array, &x, &y, &time, &end) ==
            4 &&
        answer->formula[end] == '\0') {
        return kernel->place(kernel->context, array, x, y, time, ret_value);
    }
    if (expression_value(answer->formula, EXPRESSION_REAL, kernel->number, kernel->context,
                         &value.number, NULL)) {
        return false;
    }
    *ret_value = value;
    return true;
}

static void value_write(const char *written, const struct question_value *value,
                        char text[QUESTION_VALUE_BYTES]) {
    size_t used = strcspn(written, "[");
    if (value->rank == 0) {
        (void)snprintf(text, QUESTION_VALUE_BYTES, value->number < 1e4 ? "%.4g" : "%.0f",
                       value->number);
        return;
    }
    (void)snprintf(text, QUESTION_VALUE_BYTES, "%.*s", (int)used, written);
    for (int i = 0; i < value->rank && used < QUESTION_VALUE_BYTES; i++) {
        used +=
            (size_t)snprintf(text + used, QUESTION_VALUE_BYTES - used, "[%ld]", value->index[i]);
    }
}

// --- Marks ---------------------------------------------------------------------------------------

// The answer "*" for all other values; -1 if there is none.
static int other_find(const struct question *question) {
    for (int i = 0; i < question->answer_count; i++) {
        if (strcmp(question->answer[i].text, "*") == 0) {
            return i;
        }
    }
    return -1;
}

// "b", "B", "b)"; several letters are not an answer.
static void letter_mark(const struct question *question, const char *at,
                        struct question_mark *mark) {
    int place = tolower((unsigned char)*at) - 'a';
    at += *at != '\0' ? 1 : 0;
    at += *at == ')' || *at == '.';
    mark->understood = place >= 0 && place < question->answer_count && *blanks_skip(at) == '\0';
    mark->answer = mark->understood ? place : -1;
}

static void value_mark(const struct question *question, const char *typed,
                       const struct question_kernel *kernel, struct question_mark *mark) {
    const struct question_answer *right =
        question->right >= 0 ? &question->answer[question->right] : NULL;
    struct question_value given;
    struct question_value value;
    struct question_value own;
    mark->understood = question_value_read(typed, &given);
    if (!mark->understood || !right || !question_value_read(right->text, &value)) {
        return;
    }
    bool has_own = formula_of(right, kernel, &own);
    if (has_own) {
        value_write(right->text, &own, mark->value);
    }
    // If a kernel's tiles differ from the question's, its elements differ from those in the text.
    if ((has_own && question_value_same(&given, &own)) ||
        ((!has_own || given.rank > 0) && question_value_same(&given, &value))) {
        mark->answer = question->right;
        return;
    }
    mark->answer = other_find(question);
    for (int i = 0; i < question->answer_count; i++) {
        if (i != question->right && question_value_read(question->answer[i].text, &value) &&
            question_value_same(&given, &value)) {
            mark->answer = i;
            return;
        }
    }
}

// True if a text such as "16, 20-24" contains the line.
static bool lines_have(const char *text, long line) {
    while (isdigit((unsigned char)*text)) {
        char *end = NULL;
        long first = strtol(text, &end, 10);
        long last = *end == '-' ? strtol(end + 1, &end, 10) : first;
        if (first <= line && line <= last) {
            return true;
        }
        text = end + strspn(end, ", ");
    }
    return false;
}

static void line_mark(const struct question *question, const char *typed,
                      struct question_mark *mark) {
    char *end = NULL;
    long line = isdigit((unsigned char)*typed) ? strtol(typed, &end, 10) : 0;
    mark->understood = line > 0 && *blanks_skip(end) == '\0';
    mark->answer = mark->understood ? other_find(question) : -1;
    for (int i = 0; mark->understood && i < question->answer_count; i++) {
        if (lines_have(question->answer[i].text, line)) {
            mark->answer = i;
            break;
        }
    }
}

struct question_mark question_mark(const struct question *question, const char *typed,
                                   const struct question_kernel *kernel) {
    struct question_mark mark = {.answer = -1};
    typed = blanks_skip(typed);
    if (question->right >= 0 && question->kind == QUESTION_VALUE) {
        (void)snprintf(mark.value, sizeof mark.value, "%s", question->answer[question->right].text);
    }
    switch (question->kind) {
    case QUESTION_LETTER:
        letter_mark(question, typed, &mark);
        break;
    case QUESTION_VALUE:
        value_mark(question, typed, kernel, &mark);
        break;
    case QUESTION_LINE:
        line_mark(question, typed, &mark);
        break;
    }
    mark.right = mark.answer >= 0 && mark.answer == question->right;
    return mark;
}

#define PAGE_BYTES_MAX (256 << 10)

struct questions_reader {
    const char *path;
    int line;
    bool lines;
    struct questions *questions;
    struct question *question;  // the current question; NULL before the first
    char *item;                 // the current answer; NULL: none
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

// Adds a line to the current answer, after a blank (none in Chinese).
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
    struct questions *questions = xcalloc(1, sizeof *questions);
    struct questions_reader reader = {
        .path = path, .lines = lines, .questions = questions, .err = err};
    enum status status = file_read(path, PAGE_BYTES_MAX, &questions->text, &bytes, err);
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

#define BYTE_ORDER_MARK "\xef\xbb\xbf"
#define NUMBER_MAX      999

void answers_fault(struct answers *answers, int line) {
    int at = answers->fault_count < ANSWERS_FAULTS_MAX ? answers->fault_count : ANSWERS_FAULTS_MAX;
    answers->fault_count++;
    while (at > 0 && answers->fault_line[at - 1] > line) {
        if (at < ANSWERS_FAULTS_MAX) {
            answers->fault_line[at] = answers->fault_line[at - 1];
        }
        at--;
    }
    if (at < ANSWERS_FAULTS_MAX) {
        answers->fault_line[at] = line;
    }
}

static size_t trimmed(const char *text, size_t bytes) {
    while (bytes > 0 && isspace((unsigned char)text[bytes - 1])) {
        bytes--;
    }
    return bytes;
}

// "[tiled]"; false if it is not a section.
static bool section_read(const char *line, size_t bytes, char section[NAME_BYTES_MAX]) {
    size_t length = bytes > 2 && line[bytes - 1] == ']' ? bytes - 2 : 0;
    if (length == 0 || length >= NAME_BYTES_MAX) {
        return false;
    }
    memcpy(section, line + 1, length);
    section[length] = '\0';
    return true;
}

// "5 = b"; false if it is not an answer.
static bool pair_read(const char *line, size_t bytes, struct given_answer *answer) {
    char *end = NULL;
    const char *equals = memchr(line, '=', bytes);
    long number = isdigit((unsigned char)*line) ? strtol(line, &end, 10) : 0;
    if (!equals || number < 1 || number > NUMBER_MAX || end + strspn(end, " \t") != equals) {
        return false;
    }
    const char *text = equals + 1 + strspn(equals + 1, " \t");
    size_t length = text < line + bytes ? (size_t)(line + bytes - text) : 0;
    if (length >= sizeof answer->text) {
        return false;
    }
    memcpy(answer->text, text, length);
    answer->text[length] = '\0';
    answer->number = (int)number;
    return true;
}

void answers_parse(const char *text, struct answers *ret_answers) {
    char section[NAME_BYTES_MAX] = "";
    size_t bytes = 0;
    int number = 0;
    memset(ret_answers, 0, sizeof *ret_answers);
    text += text_starts(text, BYTE_ORDER_MARK) ? strlen(BYTE_ORDER_MARK) : 0;
    for (const char *line; (line = text_line(&text, &bytes)) != NULL;) {
        struct given_answer answer = {.line = ++number};
        bool good = true;
        size_t blanks = strspn(line, " \t");
        blanks = blanks < bytes ? blanks : bytes;
        line += blanks;
        bytes = trimmed(line, bytes - blanks);
        if (bytes == 0 || *line == ';' || *line == '#') {
            continue;
        }
        if (*line == '[') {
            good = section_read(line, bytes, section);
        } else {
            good = section[0] != '\0' && ret_answers->count < ANSWERS_MAX &&
                   pair_read(line, bytes, &answer);
            if (good) {
                memcpy(answer.section, section, sizeof section);
                ret_answers->list[ret_answers->count++] = answer;
            }
        }
        if (!good) {
            answers_fault(ret_answers, number);
        }
    }
}

const struct given_answer *answers_before(const struct answers *answers,
                                          const struct given_answer *other, const char *section,
                                          int number) {
    ptrdiff_t end = other ? other - answers->list : answers->count;
    for (ptrdiff_t i = end - 1; i >= 0; i--) {
        const struct given_answer *answer = &answers->list[i];
        if (answer->number == number && answer->text[0] != '\0' &&
            strcmp(answer->section, section) == 0) {
            return answer;
        }
    }
    return NULL;
}
