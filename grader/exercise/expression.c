// By recursive descent, one function a level; the first fault ends the evaluation.  A long double
// holds every whole number of 64 bits, so one evaluator is enough for both kinds of numbers.
#include "exercise/expression.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 8  // parentheses in parentheses

_Static_assert(LDBL_MANT_DIG >= 64, "whole numbers of 64 bits are exact");

struct evaluation {
    const char *at;
    expression_number *number;
    const void *context;  // of number
    bool is_whole;
    int depth;
    enum expression_fault fault;
};

static long double sum_value(struct evaluation *evaluation);

static long double fail_at(struct evaluation *evaluation, enum expression_fault fault) {
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

static long double checked(struct evaluation *evaluation, long double value) {
    bool fits = evaluation->is_whole ? value >= -0x1p63L && value < 0x1p63L : isfinite(value);
    return fits ? value : fail_at(evaluation, EXPRESSION_LARGE);
}

static long double number_value(struct evaluation *evaluation) {
    char *end = NULL;
    long double value = strtold(evaluation->at, &end);
    // What else it read of "1.5" or "1e3" is no operator, so a fault follows.
    evaluation->at =
        evaluation->is_whole ? evaluation->at + strspn(evaluation->at, "0123456789") : end;
    return checked(evaluation, value);
}

static long double name_value(struct evaluation *evaluation) {
    char name[EXPRESSION_NAME_BYTES];
    double value = 0;
    size_t length = 0;
    while (isalnum((unsigned char)evaluation->at[length]) || evaluation->at[length] == '_') {
        length++;
    }
    if (length >= sizeof name) {
        return fail_at(evaluation, EXPRESSION_NAME);
    }
    memcpy(name, evaluation->at, length);
    name[length] = '\0';
    if (!evaluation->number(evaluation->context, name, &value)) {
        return fail_at(evaluation, EXPRESSION_NAME);
    }
    evaluation->at += length;
    return value;
}

static long double factor_value(struct evaluation *evaluation) {
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
    long double value = sum_value(evaluation);
    if (evaluation->fault == EXPRESSION_FINE && next(evaluation) != ')') {
        return fail_at(evaluation, EXPRESSION_SYNTAX);
    }
    evaluation->at += evaluation->fault == EXPRESSION_FINE;
    evaluation->depth--;
    return value;
}

static long double product_value(struct evaluation *evaluation) {
    long double value = factor_value(evaluation);
    while (evaluation->fault == EXPRESSION_FINE &&
           (next(evaluation) == '*' || *evaluation->at == '/')) {
        bool divides = *evaluation->at++ == '/';
        long double factor = factor_value(evaluation);
        if (evaluation->fault != EXPRESSION_FINE) {
            break;
        }
        if (divides && factor == 0) {
            return fail_at(evaluation, EXPRESSION_DIVISION);
        }
        value = divides ? value / factor : value * factor;
        value = checked(evaluation, evaluation->is_whole ? truncl(value) : value);
    }
    return value;
}

static long double sum_value(struct evaluation *evaluation) {
    long double value = product_value(evaluation);
    while (evaluation->fault == EXPRESSION_FINE &&
           (next(evaluation) == '+' || *evaluation->at == '-')) {
        bool subtracts = *evaluation->at++ == '-';
        long double term = product_value(evaluation);
        value = checked(evaluation, subtracts ? value - term : value + term);
    }
    return value;
}

enum expression_fault expression_value(const char *text, enum expression_kind kind,
                                       expression_number *number, const void *context,
                                       double *ret_value, const char **ret_at) {
    struct evaluation evaluation = {
        .at = text, .number = number, .context = context, .is_whole = kind == EXPRESSION_WHOLE};
    long double value = sum_value(&evaluation);
    if (evaluation.fault == EXPRESSION_FINE && next(&evaluation) != '\0') {
        (void)fail_at(&evaluation, EXPRESSION_SYNTAX);
    }
    if (evaluation.fault == EXPRESSION_FINE) {
        *ret_value = (double)value;
    } else if (ret_at) {
        *ret_at = evaluation.at;
    }
    return evaluation.fault;
}
