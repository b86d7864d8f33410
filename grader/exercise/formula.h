// A formula in the numbers of a kernel, "shared_load_wavefronts / products": the right answer to a
// question about the student's own kernel.
#ifndef EXERCISE_FORMULA_H
#define EXERCISE_FORMULA_H

#include <stdbool.h>

#define FORMULA_NAME_BYTES 64  // of a name in it, with the final NUL

// Gives the number of that name; false if there is none.
typedef bool formula_number(const void *kernel, const char *name, double *ret_number);

// Evaluates + - * / with their usual order, parentheses, names and decimal numbers.  False if the
// text is no such formula, a name is unknown, or the value is not finite.
bool formula_value(const char *text, formula_number *number, const void *kernel, double *ret_value);

#endif
