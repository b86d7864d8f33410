// Checks of a kernel file before any compiler sees it: the bytes of the submitted file, the files
// that it includes, its words, and the words of the preprocessed text.
#ifndef DEVICE_SOURCE_SOURCE_CHECK_H
#define DEVICE_SOURCE_SOURCE_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/cpp_lexer.h"
#include "device/build_report.h"

#define SOURCE_WORD_MAX 64  // longer words are cut

enum source_problem {
    SOURCE_FINE,
    SOURCE_INCLUDE,          // a path that begins with / or contains .., or a name from a macro
    SOURCE_BUILTIN,          // a function of g++ or of the grader, unknown to a GPU
    SOURCE_ATTRIBUTE,        // an attribute that CUDA does not have
    SOURCE_PRAGMA,           // a #pragma that CUDA does not have
    SOURCE_PRAGMA_OPERATOR,  // _Pragma with an effect on the CPU device too
    SOURCE_THREAD_LOCAL,     // thread_local: CUDA has none, and here it would be shared memory
    SOURCE_MANAGED,          // __managed__: memory that outlives the launch
    SOURCE_LINE,             // #line: the rest of the file would have other line numbers
    SOURCE_ASM,              // inline assembly
    SOURCE_SHARED,           // a __shared__ variable with an initial value
    SOURCE_TENSOR_MAPS       // a parameter tensor_maps without __grid_constant__
};

// A position in the tokens of a file.  Starts as {0}, apart from text.
struct source_words {
    const char *text;  // text with unexpanded macros; NULL if they are expanded
    bool attribute;    // the last word was __attribute__
    int depth;         // of brackets since an attribute began; 0 outside
    bool in_place;     // __grid_constant__ is before the type of this parameter
};

// Looks for the first forbidden include; if there is none, for the first of the other problems.
//
// Returns  the problem, with its line and the word; SOURCE_FINE changes neither.
enum source_problem source_foreign(const char *text, int *ret_line, char ret_word[SOURCE_WORD_MAX]);

// The same for `g++ -E` output, where macros hide nothing: all checks except includes, pragmas and
// lines.
enum source_problem source_made_foreign(const char *text, int *ret_line,
                                        char ret_word[SOURCE_WORD_MAX]);

// Checks the bytes of a kernel file and makes the copy for the compilers: without a byte order
// mark, which NVRTC refuses, with a final newline, and without blanks between a backslash and the
// end of its line.
//
// Returns  the copy, of *ret_count bytes, if the file may be compiled; else NULL, with a fault in
//          the report.
//          Faults are the student's: a file that is too large, empty or not text (NUL bytes,
//          UTF-16), or that includes a path.  Latin-1 bytes and CRLF are fine.
// Owns     the caller frees the copy.  report has no diagnostics.
char *source_prepare(const char *bytes, size_t count, size_t *ret_count,
                     struct build_report *ret_report);

// Reports what source_foreign or source_made_foreign found; nothing for SOURCE_FINE.
void source_refuse(enum source_problem problem, int line, const char *word,
                   struct build_report *report);

#endif
