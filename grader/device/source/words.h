// Words that have no place in a kernel file, because behind them the file could reach past the
// checks of the CPU device, or say that it is another file.
#ifndef DEVICE_SOURCE_WORDS_H
#define DEVICE_SOURCE_WORDS_H

#include <stdbool.h>

#define SOURCE_WORD_MAX 64  // longer words are cut

enum source_word {
    SOURCE_WORD_FINE,
    SOURCE_WORD_BUILTIN,       // a function of g++ or of the grader, unknown to a GPU
    SOURCE_WORD_ATTRIBUTE,     // an attribute that changes how the file is compiled or linked
    SOURCE_WORD_THREAD_LOCAL,  // thread_local: CUDA has none, and here it would be shared memory
    SOURCE_WORD_MANAGED,       // __managed__: memory that outlives the launch
    SOURCE_WORD_LINE           // #line: the rest of the file would bear other line numbers
};

// Looks for the first such word; blank is what source_blank made of the text.
//
// Returns  what it is, with its line and the word itself; SOURCE_WORD_FINE leaves both alone.
enum source_word source_words_check(const char *text, const char *blank, int *ret_line,
                                    char ret_word[SOURCE_WORD_MAX]);

// True for a word that no macro of ours expands to, so that in preprocessed text too it can only
// be the student's.
bool source_word_is_foreign(const char *word);

#endif
