// Says in which parameter a kernel differs from the one that the grader calls.
#ifndef JUDGE_EXPLAIN_SIGNATURE_H
#define JUDGE_EXPLAIN_SIGNATURE_H

#include <stddef.h>

// Writes up to three lines: "yours:  (…)", "wanted: (…)", and the first parameter that differs.
// Leaves "" if the text has no such kernel, or its parameters look the same.
void explain_signature(const char *text, const char *kernel, char *lines, size_t bytes);

#endif
