// Values and formulas, and the marks of answers: see questions.h.
#include "exercise/question_value.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define NEAR       0.01  // a number that is off by less was rounded
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

// Digits with commas between them and a point; *at moves past them.
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

bool question_value_read(const char *text, struct question_value *ret_value) {
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

bool question_value_same(const struct question_value *left, const struct question_value *right) {
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

// The answer that stands for all others; -1 if there is none.
static int other_find(const struct question *question) {
    for (int i = 0; i < question->answer_count; i++) {
        if (strcmp(question->answer[i].text, "*") == 0) {
            return i;
        }
    }
    return -1;
}

// "b", "B", "b)"; several letters are none.
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
    // With other tiles than the question's, a kernel's own elements differ from those in the text.
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

// True if "16, 20-24" has the line.
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
