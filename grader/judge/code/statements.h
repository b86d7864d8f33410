// The statements of a kernel file by their tokens: the conditions and loops around a place.
//
// Only the shape of statements is parsed.  A place whose shape is not understood has no path.
#ifndef JUDGE_CODE_STATEMENTS_H
#define JUDGE_CODE_STATEMENTS_H

#include <stdbool.h>

#include "base/cpp_lexer.h"
#include "base/error.h"

#define CODE_PATH_MAX 24

// The tokens of a file without its directives.
struct code {
    const char *text;  // borrowed
    size_t bytes;
    int count;
    struct cpp_token *token;  // owned; they borrow from the text
};

// Owns: the caller frees with code_done.
struct code code_open(const char *text, size_t bytes);
void code_done(struct code *code);

// The token at that byte of that line, both from 1; -1 if there is none.
int code_token_at(const struct code *code, int line, int column);

// The bracket that closes or opens the one at `at`; -1 if there is none.
int code_partner(const struct code *code, int at);

// Copies tokens first to end - 1 as written, with one blank for each run of blanks.  False if they
// do not fit.
bool code_text(const struct code *code, int first, int end, char *text, size_t text_bytes);

// Are the tokens from a and from b the same?
bool code_same(const struct code *code, int a, int b, int count);

// A construct around a place, or before it in an enclosing block.
enum around_kind {
    AROUND_IF,    // the `if` guards the place
    AROUND_ELSE,  // … or in its `else`
    AROUND_LOOP,  // in the body of a `for` or `while`
    AROUND_DO,    // … of a `do`
    AROUND_SWITCH,
    AROUND_LEAVE,  // before it: `if (…) return;`, or break or continue
    AROUND_EMPTY,  // before it: `if (…);`
};

struct around {
    enum around_kind kind;
    int line;                  // of its first token
    int head_first, head_end;  // the tokens in its parentheses
    int first, end;            // the statement's tokens
};

struct code_path {
    int parameters_first, parameters_end;  // of the function: tokens in the parentheses
    int body_first, body_end;              // its body, with the braces
    int statement_first, statement_end;    // the simple statement, or the head, with the place
    bool in_head;                          // of a loop or condition
    bool in_if_head;                       // of an `if`
    int count;
    struct around around[CODE_PATH_MAX];  // from the outermost
};

// False if the token is in no function, or the shape around it is not understood.
bool code_path_find(const struct code *code, int token, struct code_path *ret_path);

#endif
