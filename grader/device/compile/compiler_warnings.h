// The warnings of g++ about a file that it compiles.  They help to explain a wrong kernel.  None
// decides a verdict, except for a variable that is certainly unset.
#ifndef DEVICE_COMPILE_COMPILER_WARNINGS_H
#define DEVICE_COMPILE_COMPILER_WARNINGS_H

#include <stdbool.h>

#include "base/error.h"

// From messages as shown, only the warnings about variables that are used before they have a value,
// at most DIAGNOSTIC_LINES_MAX lines.  No checker sees such a use if the variable is in a register.
// "" if there are none.  Owns: the caller frees it.
char *diagnostics_uninitialized(const char *shown);

// A variable that is read before it has a value; or a barrier that is not a call, `__syncthreads;`.
struct unset_variable {
    char name[64];
    int line, column;
    bool is_certain;  // the kernel itself always reads it unset; else it may be a false positive
    bool is_no_call;
};

// Reads such variables from messages as shown, at most max.  Returns their number.
int diagnostics_unset(const char *shown, const char *kernel, struct unset_variable *list, int max);

// One kind for each sentence that a student may read.
enum compiler_warning_kind {
    WARNING_EMPTY_BODY,        // if (…);
    WARNING_COMMA_INDEX,       // A[row, k]
    WARNING_ASSIGNED_TRUTH,    // if (row = M)
    WARNING_BIT_PRECEDENCE,    // a & b == c
    WARNING_AND_IN_OR,         // a && b || c
    WARNING_SHIFT_PRECEDENCE,  // a << b + c
    WARNING_CHAINED,           // 0 <= row < M
    WARNING_EQUAL_SIDES,       // row < M && row < M
    WARNING_NO_EFFECT,         // a + b;
    WARNING_NO_CALL,           // f;
    WARNING_DROPPED,           // a, b
    WARNING_INDENTED,          // a second line below a for without { }
    WARNING_DANGLING_ELSE,     // else of the inner if
    WARNING_SHADOWED,          // a second K
    WARNING_UNSIGNED,          // unsigned k; k >= 0
    WARNING_SAME_TRUTH,        // another comparison with only one possible result
    WARNING_CHANGED_TWICE,     // i = i++
    WARNING_NO_RETURN,         // a function with a result that returns none
    WARNING_FRACTION_LOST,     // int acc; acc += a * b
    WARNING_UNUSED,            // a variable that nothing uses
    WARNING_UNREAD,            // a variable that nothing reads
};

// The kinds from here on are frequent in right kernels too.
#define WARNING_FIRST_WEAK WARNING_UNUSED

struct compiler_warning {
    enum compiler_warning_kind kind;
    int line;
    int other_line;     // of the shadowed declaration, of the indented line; 0 if there is none
    char name[64];      // of the variable or keyword the variable or keyword; "" if there is none
    bool is_in_kernel;  // not in LAUNCH_CONFIG or another function
};

// Reads the warnings from messages as shown (diagnostics_show), at most max, in their order; equal
// warnings about one line only once.  Returns their number.
int diagnostics_warnings(const char *shown, const char *kernel, struct compiler_warning *list,
                         int max);

#endif
