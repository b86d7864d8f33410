// By recursive descent, one function a level; after the first fault all values are ignored.
#include "exercise/formula.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 8  // parentheses in parentheses

struct formula {
    const char *at;
    formula_number *number;
    const void *kernel;
    int depth;
    bool failed;
};

static double sum_value(struct formula *formula);

static char next(struct formula *formula) {
    formula->at += strspn(formula->at, " ");
    return *formula->at;
}

static double name_value(struct formula *formula) {
    char name[FORMULA_NAME_BYTES];
    double value = 0.0;
    size_t length = 0;
    while (isalnum((unsigned char)formula->at[length]) || formula->at[length] == '_') {
        length++;
    }
    if (length == 0 || length >= sizeof name) {
        formula->failed = true;
        return 0.0;
    }
    memcpy(name, formula->at, length);
    name[length] = '\0';
    formula->at += length;
    formula->failed = formula->failed || !formula->number(formula->kernel, name, &value);
    return value;
}

static double factor_value(struct formula *formula) {
    char first = next(formula);
    if (isdigit((unsigned char)first)) {
        char *end = NULL;
        double value = strtod(formula->at, &end);
        formula->at = end;
        return value;
    }
    if (first != '(') {
        return name_value(formula);
    }
    if (++formula->depth > DEPTH_MAX) {
        formula->failed = true;
        return 0.0;
    }
    formula->at++;
    double value = sum_value(formula);
    formula->failed = formula->failed || next(formula) != ')';
    formula->at += formula->failed ? 0 : 1;
    formula->depth--;
    return value;
}

static double product_value(struct formula *formula) {
    double value = factor_value(formula);
    while (!formula->failed && (next(formula) == '*' || *formula->at == '/')) {
        bool divides = *formula->at++ == '/';
        double factor = factor_value(formula);
        value = divides ? value / factor : value * factor;
    }
    return value;
}

static double sum_value(struct formula *formula) {
    double value = product_value(formula);
    while (!formula->failed && (next(formula) == '+' || *formula->at == '-')) {
        bool subtracts = *formula->at++ == '-';
        double term = product_value(formula);
        value = subtracts ? value - term : value + term;
    }
    return value;
}

bool formula_value(const char *text, formula_number *number, const void *kernel,
                   double *ret_value) {
    struct formula formula = {.at = text, .number = number, .kernel = kernel};
    double value = sum_value(&formula);
    if (formula.failed || next(&formula) != '\0' || !isfinite(value)) {
        return false;
    }
    *ret_value = value;
    return true;
}
