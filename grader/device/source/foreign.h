// What a kernel file must not contain, because it could bypass the checks of the CPU device, open
// other files, or pretend to be another file.
#ifndef DEVICE_SOURCE_FOREIGN_H
#define DEVICE_SOURCE_FOREIGN_H

#include "device/source/words.h"

// Looks for the first forbidden include; without one, for the first of the other problems.
//
// Returns  what it is, with its line and the word; SOURCE_FINE changes neither.
enum source_problem source_foreign(const char *text, int *ret_line, char ret_word[SOURCE_WORD_MAX]);

// The same for `g++ -E` output, where macros hide nothing: all but includes, pragmas and lines.
enum source_problem source_made_foreign(const char *text, int *ret_line,
                                        char ret_word[SOURCE_WORD_MAX]);

#endif
