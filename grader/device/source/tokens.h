// The preprocessed file, read for words that reach the assembler as they are.
#ifndef DEVICE_SOURCE_TOKENS_H
#define DEVICE_SOURCE_TOKENS_H

enum token_problem {
    TOKEN_FINE,
    TOKEN_ASM,        // inline assembly, or asm("…") that is more than the name of a symbol
    TOKEN_BUILTIN,    // a function of g++ that a macro of the file spells
    TOKEN_ATTRIBUTE,  // an attribute that names a section or symbol, with more than a name in it
    TOKEN_SHARED      // a __shared__ variable with an initial value
};

// Goes through `g++ -E` output.
//
// Returns  the first problem, with its line in the student's file, 0 where it stands elsewhere.
enum token_problem tokens_check(const char *text, int *ret_line);

#endif
