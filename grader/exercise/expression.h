// Whole-number expressions in the sizes of a launch: "2*R+1", "(H-2)*(W-2)", "N/256".
#ifndef EXERCISE_EXPRESSION_H
#define EXERCISE_EXPRESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/size.h"

// Why an expression has no value.
enum expression_fault {
    EXPRESSION_FINE,
    EXPRESSION_SYNTAX,
    EXPRESSION_NAME,      // of no size
    EXPRESSION_DIVISION,  // by zero
    EXPRESSION_LARGE      // beyond 64 bits, or too many parentheses
};

struct expression_names {
    int count;
    const char *name[SIZE_RANK_MAX];
};

// Evaluates text: + - * / with their usual order, parentheses, names, whole numbers.  / rounds
// towards 0.  *ret_at is where the fault is; NULL if it is not wanted.
enum expression_fault expression_value(const char *text, const struct expression_names *names,
                                       struct size size, int64_t *ret_value, const char **ret_at);

#endif
