// The tokens of C++ text, as a compiler sees them before it expands macros.
//
// Line splices (a backslash at a line's end), comments, raw strings, digit separators and header
// names are understood; trigraphs are not, as compilers ignore them too.
#ifndef BASE_CPP_LEXER_H
#define BASE_CPP_LEXER_H

#include <stdbool.h>
#include <stddef.h>

enum cpp_kind {
    CPP_END,         // the end of the text
    CPP_WORD,        // an identifier or keyword
    CPP_NUMBER,      // a preprocessing number: 16'384, 0x1p-3f
    CPP_STRING,      // with its prefix: u8"…"; a line end closes a broken one
    CPP_CHARACTER,   // the same in single quotes
    CPP_RAW_STRING,  // R"x(…)x", with its prefix
    CPP_HEADER,      // <stdio.h> after #include or in __has_include
    CPP_PUNCTUATOR   // an operator, or any other character
};

struct cpp_token {
    enum cpp_kind kind;
    const char *at;  // borrowed from the text; line splices in it are still there
    size_t bytes;
    int line;     // where it begins
    bool fresh;   // the first token of its line, or CPP_END
    bool spaced;  // a blank or a comment is before it
};

// To look ahead, copy the lexer and read from the copy.
struct cpp_lexer {
    const char *at;
    const char *end;
    int line;    // at `at`
    bool fresh;  // no token yet on this line
    enum { CPP_NO_HEADER, CPP_DIRECTIVE, CPP_QUESTION, CPP_HEADER_NEXT } header;
};

struct cpp_lexer cpp_open(const char *text, size_t bytes);

// The next token.  False, with CPP_END, at the end.
bool cpp_next(struct cpp_lexer *lexer, struct cpp_token *ret_token);

// Skips the rest of the current line, without its end.
void cpp_line_skip(struct cpp_lexer *lexer);

// True if the token, without line splices, is that text.
bool cpp_is(const struct cpp_token *token, const char *text);
bool cpp_is_any(const struct cpp_token *token, const char *const *texts, size_t count);

// True if the token is a punctuator that begins with this character; `<:` is a [, and so on.
bool cpp_begins(const struct cpp_token *token, char letter);

// True if the token is the # of a directive, or the digraph %: in its place.
bool cpp_is_directive(const struct cpp_token *token);

// True if two tokens are the same apart from line splices.  In a raw string a splice is ordinary
// text.
bool cpp_equal(const struct cpp_token *a, const struct cpp_token *b);

// Copies the token without line splices, cut to the size of the buffer.
void cpp_copy(const struct cpp_token *token, char *text, size_t text_bytes);

#endif
