// Expressions with + - * / in their usual order, parentheses, names and numbers.  Whole ones are in
// the sizes of a launch, "2*R+1", "(H-2)*(W-2)", "N/256"; real ones in the numbers of a kernel,
// "shared_load_wavefronts / products".
#ifndef EXERCISE_EXPRESSION_H
#define EXERCISE_EXPRESSION_H

#include <stdbool.h>

#define EXPRESSION_NAME_BYTES 64  // of a name in it, with the final NUL

enum expression_kind { EXPRESSION_WHOLE, EXPRESSION_REAL };

// Why an expression has no value.
enum expression_fault {
    EXPRESSION_FINE,
    EXPRESSION_SYNTAX,
    EXPRESSION_NAME,      // that has no number
    EXPRESSION_DIVISION,  // by zero
    EXPRESSION_LARGE      // beyond 64 bits, not finite, or too many parentheses
};

// Gives the number of that name; false if there is none.
typedef bool expression_number(const void *context, const char *name, double *ret_number);

// Evaluates text.  / of whole numbers rounds towards 0.  *ret_at is where the fault is; NULL if it
// is not wanted.
enum expression_fault expression_value(const char *text, enum expression_kind kind,
                                       expression_number *number, const void *context,
                                       double *ret_value, const char **ret_at);

#endif
