// The tokens of a program's file, and the brackets in them, for the files that read it without a
// parser.
#ifndef DEVICE_SOURCE_PROGRAM_TOKENS_H
#define DEVICE_SOURCE_PROGRAM_TOKENS_H

#include <stdint.h>

#include "base/cpp_lexer.h"
#include "base/memory.h"
#include "base/text.h"

struct token {
    struct cpp_token is;
    bool in_directive;
};

struct tokens {
    struct token *token;
    size_t count;
};

static inline struct tokens tokens_open(struct text text) {
    struct cpp_lexer lexer = cpp_open(text.at, text.bytes);
    struct cpp_token next;
    struct tokens tokens = {.token = NULL};
    size_t room = 0;
    bool in_directive = false;
    while (cpp_next(&lexer, &next)) {
        in_directive = next.fresh ? cpp_is_directive(&next) : in_directive;
        if (tokens.count == room) {
            room = room > 0 ? 2 * room : 1024;
            tokens.token = xrealloc(tokens.token, room * sizeof *tokens.token);
        }
        tokens.token[tokens.count++] = (struct token){next, in_directive};
    }
    return tokens;
}

static inline bool is(const struct tokens *tokens, size_t at, const char *text) {
    return at < tokens->count && cpp_is(&tokens->token[at].is, text);
}

static inline bool begins(const struct tokens *tokens, size_t at, char letter) {
    return at < tokens->count && cpp_begins(&tokens->token[at].is, letter);
}

static inline bool is_word(const struct tokens *tokens, size_t at) {
    return at < tokens->count && tokens->token[at].is.kind == CPP_WORD;
}

// True if both tokens are outside of directives, or in the same one.
static inline bool meets(const struct tokens *tokens, size_t from, size_t at) {
    for (size_t i = from + 1; i <= at; i++) {
        if (tokens->token[i].is.fresh && tokens->token[i].in_directive) {
            return false;
        }
    }
    return tokens->token[from].in_directive == tokens->token[at].in_directive;
}

static inline bool opens(const struct tokens *tokens, size_t at) {
    return begins(tokens, at, '(') || begins(tokens, at, '[') || begins(tokens, at, '{');
}

static inline bool closes(const struct tokens *tokens, size_t at) {
    return begins(tokens, at, ')') || begins(tokens, at, ']') || begins(tokens, at, '}');
}

// The token after the bracket that closes the one at `at`; tokens->count if none does.
static inline size_t brackets_skip(const struct tokens *tokens, size_t at) {
    size_t depth = 0;
    for (; at < tokens->count; at++) {
        depth += opens(tokens, at);
        if (closes(tokens, at) && --depth == 0) {
            return at + 1;
        }
    }
    return at;
}

// The token that opens the bracket which the one at `at` closes; SIZE_MAX if none does.
static inline size_t brackets_skip_back(const struct tokens *tokens, size_t at) {
    size_t depth = 0;
    for (; at < tokens->count; at--) {  // 0 - 1 ends it
        depth += closes(tokens, at);
        if (opens(tokens, at) && --depth == 0) {
            return at;
        }
    }
    return SIZE_MAX;
}

// How many template argument lists a token opens, or closes.
static inline size_t angles(const struct tokens *tokens, size_t at, char letter) {
    const struct cpp_token *token = &tokens->token[at].is;
    size_t count = 0;
    bool only = token->kind == CPP_PUNCTUATOR;
    for (size_t i = 0; i < token->bytes && only; i++) {
        only = token->at[i] == letter;
        count += only;
    }
    return only ? count : 0;
}

// The < of the template arguments that end at `at`; SIZE_MAX if there is none.
static inline size_t angles_skip_back(const struct tokens *tokens, size_t at) {
    size_t depth = 0;
    for (; at < tokens->count; at--) {
        if (closes(tokens, at)) {
            at = brackets_skip_back(tokens, at);
            continue;
        }
        depth += angles(tokens, at, '>');
        size_t opened = angles(tokens, at, '<');
        if (opened > 0 && depth <= opened) {
            return depth == opened ? at : SIZE_MAX;
        }
        depth -= opened;
        if (is(tokens, at, ";") || opens(tokens, at)) {
            return SIZE_MAX;
        }
    }
    return SIZE_MAX;
}

// The token after the template arguments that begin at `at`; `at` if they do not end.
static inline size_t angles_skip(const struct tokens *tokens, size_t at) {
    size_t depth = 0;
    for (size_t i = at; i < tokens->count && !is(tokens, i, ";");) {
        if (opens(tokens, i)) {
            i = brackets_skip(tokens, i);
            continue;
        }
        depth += angles(tokens, i, '<');
        size_t closed = angles(tokens, i, '>');
        if (closed >= depth) {
            return i + 1;
        }
        depth -= closed;
        i++;
    }
    return at;
}

static inline char *token_copy(const struct tokens *tokens, size_t at) {
    const struct cpp_token *token = &tokens->token[at].is;
    char *text = xmalloc(token->bytes + 1);
    cpp_copy(token, text, token->bytes + 1);
    return text;
}

// True if a declaration with __device__ at `at` also says __managed__, or __constant__.
static inline bool has_beside(const struct tokens *tokens, size_t at, const char *word) {
    for (size_t i = at; i > 0 && is_word(tokens, i - 1) && meets(tokens, i - 1, at); i--) {
        if (is(tokens, i - 1, word)) {
            return true;
        }
    }
    for (size_t i = at + 1; i < tokens->count && is_word(tokens, i) && meets(tokens, at, i); i++) {
        if (is(tokens, i, word)) {
            return true;
        }
    }
    return false;
}

#endif
