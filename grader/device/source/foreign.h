// What a kernel file must not contain, because it could bypass the checks of the CPU device, open
// other files, or pretend to be another file.
#ifndef DEVICE_SOURCE_FOREIGN_H
#define DEVICE_SOURCE_FOREIGN_H

#include <stdbool.h>

#define SOURCE_WORD_MAX 64  // longer words are cut

enum source_problem {
    SOURCE_FINE,
    SOURCE_INCLUDE,    // of a path that begins with / or contains .., or of a name made by a macro
    SOURCE_BUILTIN,    // a function of g++ or of the grader, unknown to a GPU
    SOURCE_ATTRIBUTE,  // an attribute that changes how the file is compiled or linked
    SOURCE_THREAD_LOCAL,  // thread_local: CUDA has none, and here it would be shared memory
    SOURCE_MANAGED,       // __managed__: memory that outlives the launch
    SOURCE_LINE           // #line: the rest of the file would have other line numbers
};

// Looks for the first forbidden include; without one, for the first of the other problems.
//
// Returns  what it is, with its line and the word; SOURCE_FINE changes neither.
enum source_problem source_foreign(const char *text, int *ret_line, char ret_word[SOURCE_WORD_MAX]);

// True for a forbidden word that no macro of ours expands to, so that it is the student's in
// preprocessed text too.
bool source_word_is_foreign(const char *word);

#endif
