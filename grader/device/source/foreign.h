// What has no place in a kernel file, because with it the file could reach past the checks of the
// CPU device, open other files, or claim to be another file.
#ifndef DEVICE_SOURCE_FOREIGN_H
#define DEVICE_SOURCE_FOREIGN_H

#include <stdbool.h>

#define SOURCE_WORD_MAX 64  // longer words are cut

enum source_problem {
    SOURCE_FINE,
    SOURCE_INCLUDE,       // of a path that begins with / or holds .., or of a name made by a macro
    SOURCE_BUILTIN,       // a function of g++ or of the grader, unknown to a GPU
    SOURCE_ATTRIBUTE,     // an attribute that changes how the file is compiled or linked
    SOURCE_THREAD_LOCAL,  // thread_local: CUDA has none, and here it would be shared memory
    SOURCE_MANAGED,       // __managed__: memory that outlives the launch
    SOURCE_LINE           // #line: the rest of the file would bear other line numbers
};

// Looks for the first include that may not be; without one, for the first of the other problems.
//
// Returns  what it is, with its line and the word itself; SOURCE_FINE leaves both alone.
enum source_problem source_foreign(const char *text, int *ret_line, char ret_word[SOURCE_WORD_MAX]);

// True for a word that no macro of ours expands to, so that in preprocessed text too it can only
// be the student's.
bool source_word_is_foreign(const char *word);

#endif
