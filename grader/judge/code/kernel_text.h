// Facts that the text of a kernel file shows: a parameter that differs from the grader's, a shared
// array declared without __shared__, an array chosen by a condition.
#ifndef JUDGE_CODE_KERNEL_TEXT_H
#define JUDGE_CODE_KERNEL_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/limits.h"
#include "exercise/signature.h"

// Writes up to three lines: "yours:  (…)", "wanted: (…)", and the first parameter that differs.
// Leaves "" if the text has no such kernel, or its parameters look the same.
void explain_signature(const struct signature *signature, const char *text, const char *kernel,
                       char *lines, size_t bytes);

// True if the kernel has the parameters of its exercise, and then `float *workspace` by any name.
bool signature_has_workspace(const struct signature *signature, const char *text,
                             const char *kernel);

// True if the text has a workspace, but no launch->workspace_bytes: then it is a null pointer.
bool workspace_is_unset(const char *text);

// For a product: adds a sentence if the kernel names its parameters A and B (with `sizes`, M, N and
// K) in another order than they are passed.  Adds nothing otherwise.
void explain_parameter_order(const char *text, const char *kernel, bool sizes, char *sentences);

struct unshared {
    char name[NAME_BYTES_MAX];
    int line;  // of its declaration in `text`; 0: there is none
};

// The first array that the stub declares with __shared__, and the text only without it.
struct unshared unshared_find(const char *stub, const char *text);

#define CONDITION_BYTES 128

// A condition around a statement, or one before it that leaves the kernel or a loop.
struct text_condition {
    int line;
    char text[CONDITION_BYTES];
};

// The only statement of a file that stores to an array, in a kernel.
struct only_store {
    int line;  // 0: there is none, or others may store too, or a condition is too long
    int conditions;
    struct text_condition outermost, innermost;
    int loop_line;  // of the innermost loop, if no loop around it changes the index; else 0
    char element[NAME_BYTES_MAX];  // "z[first]"
};

// Only direct accesses such as `z[i] = …` and atomicAdd(&z[i], …) are understood: a name that is
// used in any other way may be stored to elsewhere.  parameter: the number of the array among the
// parameters of all kernels, from 0; -1: it is declared once, in a kernel.
struct only_store only_store_find(const char *text, const char *array, int parameter);

// True if `text` may index an array that a condition chooses: `(c ? As : Bs)[i]`.  A macro with a
// condition counts, whatever its use.
bool choice_is_indexed(const char *text);

#endif
