// A look at the text before any compiler opens it: files first, then words.
#include "device/source/foreign.h"

#include <stddef.h>
#include <string.h>

#include "base/array.h"
#include "base/cpp_lexer.h"

#define HEADER_NAME_MAX 256

// A look at the tokens of a file.
struct look {
    struct cpp_lexer lexer;  // past the current token
    bool asks;               // the last word asks whether a macro is defined
    bool in_pragma;          // in the line of a #pragma
    bool makes_pragma;       // a _Pragma of more than a string is in the file
    int pack_line;           // of the first pack(…) that may be its argument; 0 if there is none
    struct source_words words;
};

static struct cpp_token next_token(struct cpp_lexer lexer) {
    struct cpp_token next;
    (void)cpp_next(&lexer, &next);
    return next;
}

// --- Files --------------------------------------------------------------------------------------

// True for a header name that is written out and is not a path out of our headers.
static bool name_is_plain(const struct cpp_token *token) {
    bool quoted = token->kind == CPP_HEADER || (token->kind == CPP_STRING && *token->at == '"');
    if (!quoted || token->fresh || token->bytes < 2 || token->bytes >= HEADER_NAME_MAX + 2) {
        return false;
    }
    const char *name = token->at + 1;
    size_t bytes = token->bytes - 2;
    return name[bytes] == (token->kind == CPP_HEADER ? '>' : '"') && name[0] != '/' &&
           !memmem(name, bytes, "..", 2) && !memchr(name, '\\', bytes);
}

// Refuses `#include` and the like of any other name.  The lexer is past the #.  Returns the line; 0
// if it is allowed.
static int directive_line(struct cpp_lexer lexer) {
    static const char *const includes[] = {"include_next", "include", "import", "embed"};
    struct cpp_token word;
    if (!cpp_next(&lexer, &word) || word.fresh) {
        return 0;
    }
    if (cpp_is_any(&word, includes, COUNT(includes))) {
        struct cpp_token name = next_token(lexer);
        return name_is_plain(&name) ? 0 : lexer.line;
    }
    return 0;
}

// `__has_include` asks whether a file exists.  `#ifdef __has_include` is fine, and so is a
// plain name.
static bool is_foreign_question(const struct look *look, const struct cpp_token *token) {
    static const char *const questions[] = {"__has_include_next", "__has_include", "__has_embed"};
    if (!cpp_is_any(token, questions, COUNT(questions)) || (look->asks && !token->fresh)) {
        return false;
    }
    struct cpp_lexer ahead = look->lexer;
    struct cpp_token next;
    if (!cpp_next(&ahead, &next) || !cpp_begins(&next, '(')) {
        return true;
    }
    next = next_token(ahead);
    return !name_is_plain(&next);
}

// The line of a forbidden include that begins with this token; 0 if there is none.
static int include_line(struct look *look, const struct cpp_token *token) {
    static const char *const asking[] = {"ifdef", "ifndef", "defined"};
    if (cpp_is_directive(token)) {
        return directive_line(look->lexer);
    }
    if (is_foreign_question(look, token)) {
        return token->line;
    }
    look->asks = cpp_is_any(token, asking, COUNT(asking)) || (look->asks && cpp_begins(token, '('));
    return 0;
}

// --- Words --------------------------------------------------------------------------------------

// `#line 7`, or `# 7 "name"` as a preprocessor writes it; `#pragma`.
static enum source_problem directive_check(struct cpp_lexer lexer) {
    struct cpp_token word;
    if (!cpp_next(&lexer, &word) || word.fresh) {
        return SOURCE_FINE;
    }
    if (cpp_is(&word, "line") || word.kind == CPP_NUMBER) {
        return SOURCE_LINE;
    }
    return cpp_is(&word, "pragma") && words_pragma_is_foreign(lexer) ? SOURCE_PRAGMA : SOURCE_FINE;
}

// --- The operator _Pragma -----------------------------------------------------------------------

// True for `_Pragma("pack(1)")` and the like.  Follows also what a macro may make one of.
static bool is_lost_pragma(struct look *look, const struct cpp_token *token) {
    static const char *const kept[] = {"pack", "push_macro", "pop_macro"};
    static const char *const arguments[] = {"push", "pop"};
    struct cpp_lexer ahead = look->lexer;
    struct cpp_token next;
    look->in_pragma = !token->fresh && (look->in_pragma || cpp_is(token, "pragma"));
    if (!cpp_next(&ahead, &next) || !cpp_begins(&next, '(') || !cpp_next(&ahead, &next)) {
        return false;
    }
    if (cpp_is(token, "pack") && !look->in_pragma && look->pack_line == 0 &&
        (next.kind == CPP_NUMBER || cpp_is_any(&next, arguments, COUNT(arguments)))) {
        look->pack_line = token->line;
    }
    if (!cpp_is(token, "_Pragma")) {
        return false;
    }
    look->makes_pragma |= next.kind != CPP_STRING && next.kind != CPP_RAW_STRING;
    for (size_t i = 0; i < COUNT(kept); i++) {
        if (memmem(next.at, next.bytes, kept[i], strlen(kept[i]))) {
            return next.kind == CPP_STRING || next.kind == CPP_RAW_STRING;
        }
    }
    return false;
}

enum source_problem source_foreign(const char *text, int *ret_line,
                                   char ret_word[SOURCE_WORD_MAX]) {
    struct look look = {.lexer = cpp_open(text, strlen(text)), .words = {.text = text}};
    enum source_problem problem = SOURCE_FINE;
    struct cpp_token token;
    while (cpp_next(&look.lexer, &token)) {
        int line = include_line(&look, &token);
        if (line > 0) {
            *ret_line = line;
            return SOURCE_INCLUDE;
        }
        if (problem == SOURCE_FINE) {
            problem = cpp_is_directive(&token) ? directive_check(look.lexer)
                      : is_lost_pragma(&look, &token)
                          ? SOURCE_PRAGMA_OPERATOR
                          : words_follow(&look.words, &token, look.lexer);
            if (problem != SOURCE_FINE) {
                *ret_line = token.line;
                cpp_copy(&token, ret_word, SOURCE_WORD_MAX);
            }
        }
    }
    if (problem == SOURCE_FINE && look.makes_pragma && look.pack_line > 0) {
        *ret_line = look.pack_line;
        return SOURCE_PRAGMA_OPERATOR;
    }
    return problem;
}
