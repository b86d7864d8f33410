// Looks in the preprocessed file for words that reach the assembler unchanged.
#ifndef DEVICE_SOURCE_TOKENS_H
#define DEVICE_SOURCE_TOKENS_H

enum token_problem {
    TOKEN_FINE,
    TOKEN_ASM,        // inline assembly, or asm("…") that is more than the name of a symbol
    TOKEN_BUILTIN,    // a builtin function whose name a macro of the file makes
    TOKEN_ATTRIBUTE,  // an attribute that names a section or symbol, with more than a name in it
    TOKEN_SHARED      // a __shared__ variable with an initial value
};

// Goes through `g++ -E` output.
//
// Returns  the first problem, with its line in the student's file, or 0 if it is in another file.
enum token_problem tokens_check(const char *text, int *ret_line);

#endif
