// Says in which parameter a kernel differs from the one that the grader calls.
#ifndef JUDGE_CODE_SIGNATURE_H
#define JUDGE_CODE_SIGNATURE_H

#include <stdbool.h>
#include <stddef.h>

#include "exercise/signature.h"

// Writes up to three lines: "yours:  (…)", "wanted: (…)", and the first parameter that differs.
// Leaves "" if the text has no such kernel, or its parameters look the same.
void explain_signature(const struct signature *signature, const char *text, const char *kernel,
                       char *lines, size_t bytes);

// True if the kernel has the parameters of its exercise, and then `float *workspace` by any name.
bool signature_has_workspace(const struct signature *signature, const char *text,
                             const char *kernel);

// Of a product: adds a sentence if the kernel has A and B as the names of its parameters, or with
// `sizes` M, N
// and K, and in another order than they are handed over.  Adds nothing otherwise.
void explain_parameter_order(const char *text, const char *kernel, bool sizes, char *sentences);

#endif
