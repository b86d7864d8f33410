// Lists of the builtin functions, attributes and pragmas that CUDA has, which the words of a kernel
// file are compared with.
#ifndef DEVICE_SOURCE_WORDS_H
#define DEVICE_SOURCE_WORDS_H

#include <stdbool.h>

#include "base/cpp_lexer.h"

#define SOURCE_WORD_MAX 64  // longer words are cut

enum source_problem {
    SOURCE_FINE,
    SOURCE_INCLUDE,    // of a path that begins with / or contains .., or of a name made by a macro
    SOURCE_BUILTIN,    // a function of g++ or of the grader, unknown to a GPU
    SOURCE_ATTRIBUTE,  // an attribute that CUDA does not have
    SOURCE_PRAGMA,     // a #pragma that CUDA does not have
    SOURCE_PRAGMA_OPERATOR,  // _Pragma with what has an effect on the CPU device too
    SOURCE_THREAD_LOCAL,     // thread_local: CUDA has none, and here it would be shared memory
    SOURCE_MANAGED,          // __managed__: memory that outlives the launch
    SOURCE_LINE,             // #line: the rest of the file would have other line numbers
    SOURCE_ASM,              // inline assembly
    SOURCE_SHARED,           // a __shared__ variable with an initial value
    SOURCE_TENSOR_MAPS       // a parameter tensor_maps without __grid_constant__
};

// Where a look at the tokens of a file is.  Starts as {0}, apart from text.
struct source_words {
    const char *text;  // whose macros are not expanded; NULL if a preprocessor has done so
    bool attribute;    // the last word was __attribute__
    int depth;         // of brackets since an attribute began; 0 outside
    bool in_place;     // __grid_constant__ is before the type of this parameter
};

// Follows the next token of a file; `after` is past it.
//
// Returns  SOURCE_BUILTIN, SOURCE_ATTRIBUTE, SOURCE_THREAD_LOCAL, SOURCE_MANAGED,
//          SOURCE_TENSOR_MAPS or SOURCE_FINE.
enum source_problem words_follow(struct source_words *words, const struct cpp_token *token,
                                 struct cpp_lexer after);

// True if the words after `#pragma` name one that CUDA does not have.
bool words_pragma_is_foreign(struct cpp_lexer lexer);

#endif
