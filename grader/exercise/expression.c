// By recursive descent, one function a level; the first fault ends the evaluation.
#include "exercise/expression.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

#define DEPTH_MAX 8  // parentheses in parentheses

struct evaluation {
    const char *at;
    const struct expression_names *names;
    struct size size;
    int depth;
    enum expression_fault fault;
};

static int64_t sum_value(struct evaluation *evaluation);

static int64_t fail_at(struct evaluation *evaluation, enum expression_fault fault) {
    if (evaluation->fault == EXPRESSION_FINE) {
        evaluation->fault = fault;
    }
    return 0;
}

// The next character that is no blank.
static char next(struct evaluation *evaluation) {
    evaluation->at += strspn(evaluation->at, " \t");
    return *evaluation->at;
}

static int64_t number_value(struct evaluation *evaluation) {
    int64_t value = 0;
    while (isdigit((unsigned char)*evaluation->at)) {
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, *evaluation->at - '0', &value)) {
            return fail_at(evaluation, EXPRESSION_LARGE);
        }
        evaluation->at++;
    }
    return value;
}

static int64_t name_value(struct evaluation *evaluation) {
    size_t length = 0;
    while (isalnum((unsigned char)evaluation->at[length]) || evaluation->at[length] == '_') {
        length++;
    }
    for (int i = 0; i < evaluation->names->count; i++) {
        const char *name = evaluation->names->name[i];
        if (strlen(name) == length && memcmp(name, evaluation->at, length) == 0) {
            evaluation->at += length;
            return evaluation->size.at[i];
        }
    }
    return fail_at(evaluation, EXPRESSION_NAME);
}

static int64_t factor_value(struct evaluation *evaluation) {
    char first = next(evaluation);
    if (isdigit((unsigned char)first)) {
        return number_value(evaluation);
    }
    if (isalpha((unsigned char)first) || first == '_') {
        return name_value(evaluation);
    }
    if (first != '(') {
        return fail_at(evaluation, EXPRESSION_SYNTAX);
    }
    if (++evaluation->depth > DEPTH_MAX) {
        return fail_at(evaluation, EXPRESSION_LARGE);
    }
    evaluation->at++;
    int64_t value = sum_value(evaluation);
    if (evaluation->fault == EXPRESSION_FINE && next(evaluation) != ')') {
        return fail_at(evaluation, EXPRESSION_SYNTAX);
    }
    evaluation->at += evaluation->fault == EXPRESSION_FINE;
    evaluation->depth--;
    return value;
}

static int64_t product_value(struct evaluation *evaluation) {
    int64_t value = factor_value(evaluation);
    while (evaluation->fault == EXPRESSION_FINE &&
           (next(evaluation) == '*' || *evaluation->at == '/')) {
        bool divides = *evaluation->at++ == '/';
        int64_t factor = factor_value(evaluation);
        if (evaluation->fault != EXPRESSION_FINE) {
            break;
        }
        if (divides && factor == 0) {
            return fail_at(evaluation, EXPRESSION_DIVISION);
        }
        if (divides) {
            value = factor == -1 ? -value : value / factor;
        } else if (__builtin_mul_overflow(value, factor, &value)) {
            return fail_at(evaluation, EXPRESSION_LARGE);
        }
    }
    return value;
}

static int64_t sum_value(struct evaluation *evaluation) {
    int64_t value = product_value(evaluation);
    while (evaluation->fault == EXPRESSION_FINE &&
           (next(evaluation) == '+' || *evaluation->at == '-')) {
        bool subtracts = *evaluation->at++ == '-';
        int64_t term = product_value(evaluation);
        if (subtracts ? __builtin_sub_overflow(value, term, &value)
                      : __builtin_add_overflow(value, term, &value)) {
            return fail_at(evaluation, EXPRESSION_LARGE);
        }
    }
    return value;
}

enum expression_fault expression_value(const char *text, const struct expression_names *names,
                                       struct size size, int64_t *ret_value, const char **ret_at) {
    struct evaluation evaluation = {.at = text, .names = names, .size = size};
    int64_t value = sum_value(&evaluation);
    if (evaluation.fault == EXPRESSION_FINE && next(&evaluation) != '\0') {
        (void)fail_at(&evaluation, EXPRESSION_SYNTAX);
    }
    if (evaluation.fault == EXPRESSION_FINE) {
        *ret_value = value;
    } else if (ret_at) {
        *ret_at = evaluation.at;
    }
    return evaluation.fault;
}
