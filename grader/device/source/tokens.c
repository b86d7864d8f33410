// gcc writes the string of `section("…")`, `alias("…")` and the like into its assembly text without
// checking it: a newline in the string starts a new line there, which could be anything.  So these
// strings must be plain names.  Macros hide nothing here, because the text is preprocessed.  The
// rule holds for all files, ours too, because `#line` can make a student's text pass for a header.
#include "device/source/tokens.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/cpp_lexer.h"
#include "base/text.h"
#include "device/source/fault.h"
#include "device/source/foreign.h"

// The shim's own sections, see cuda_emu.h.  No other section is checked: in ".text.x",
// for example, constants are code.
#define OWN_SECTION "tilegrade_constant."

// To look ahead, read on with a copy.
struct scanner {
    struct cpp_lexer lexer;
    const char *text;
    bool is_submission;
};

// `# 12 "submission.cu" 2`: what follows is line 12 of that file.  Other lines with # are pragmas.
static void marker_read(struct scanner *scanner, const char *marker) {
    char name[64] = "";
    int line = 0;
    cpp_line_skip(&scanner->lexer);
    if (sscanf(marker, "# %d \"%63[^\"\n]\"", &line, name) == 2) {
        scanner->is_submission = strcmp(name, BUILD_SOURCE) == 0;
        scanner->lexer.line = line - 1;  // the end of this line counts it up
    }
}

// The next token of the program.  A # from a macro is never the first character of its line.
static bool next(struct scanner *scanner, struct cpp_token *token) {
    for (;;) {
        scanner->lexer.header = CPP_NO_HEADER;  // the preprocessor left no directives
        if (!cpp_next(&scanner->lexer, token)) {
            return false;
        }
        if (!cpp_begins(token, '#') || (token->at > scanner->text && token->at[-1] != '\n')) {
            return true;
        }
        marker_read(scanner, token->at);
    }
}

// True if the token is a string without a prefix that begins with `start` and contains only letters
// of a name.
static bool is_name(const struct cpp_token *token, const char *start) {
    const char *quote = token->at + token->bytes - 1;
    if (token->kind != CPP_STRING || *token->at != '"' || quote == token->at || *quote != '"' ||
        !text_starts(token->at + 1, start)) {
        return false;
    }
    for (const char *at = token->at + 1; at < quote; at++) {
        if (!isalnum((unsigned char)*at) && !strchr("_.", *at)) {
            return false;
        }
    }
    return true;
}

// The strings in the parentheses after an attribute's name.  False if one is more than a name, or
// does not begin as it must.
static bool strings_check(struct scanner scanner, const char *start) {
    struct cpp_token token;
    if (!next(&scanner, &token) || !cpp_begins(&token, '(')) {
        return true;  // an ordinary word of the program
    }
    bool plain = true;
    while (next(&scanner, &token) && (token.kind == CPP_STRING || token.kind == CPP_RAW_STRING)) {
        plain = plain && is_name(&token, start);
        start = "";  // the strings are one
    }
    return plain;
}

// Compares a word with a name, with or without its underscores: "__section__", "__asm".
static bool word_is(const char *word, size_t length, const char *name) {
    while (length > 0 && *word == '_') {
        word++;
        length--;
    }
    while (length > 0 && word[length - 1] == '_') {
        length--;
    }
    return length == strlen(name) && memcmp(word, name, length) == 0;
}

static enum token_problem word_check(const struct scanner *scanner, const struct cpp_token *token) {
    static const char *const attributes[] = {"section", "alias", "weakref", "ifunc", "symver"};
    const char *word = token->at;
    size_t length = token->bytes;
    bool reserved = length > 2 && text_starts(word, "__");
    if (word_is(word, length, "asm") && (reserved || length == 3)) {
        // `asm volatile (…)`, or a text that is more than the name of a symbol.
        struct scanner ahead = *scanner;
        struct cpp_token opening;
        bool opens = next(&ahead, &opening) && cpp_begins(&opening, '(');
        return opens && strings_check(*scanner, "") ? TOKEN_FINE : TOKEN_ASM;
    }
    for (size_t i = 0; i < COUNT(attributes); i++) {
        if (word_is(word, length, attributes[i])) {
            const char *start = i == 0 ? OWN_SECTION : "";
            return strings_check(*scanner, start) ? TOKEN_FINE : TOKEN_ATTRIBUTE;
        }
    }
    // The plain word was refused before, so here a macro of the file has made it.
    char cut[SOURCE_WORD_MAX];
    cpp_copy(token, cut, sizeof cut);
    return source_word_is_foreign(cut) && scanner->is_submission ? TOKEN_BUILTIN : TOKEN_FINE;
}

// Looks at the declaration after the `thread_local` that __shared__ becomes: true if it has a `=`.
// A braced initial value looks like the members of a struct, and g++ refuses it unless it is 0.
static bool has_value(struct scanner scanner) {
    struct cpp_token token;
    int depth = 0;
    while (next(&scanner, &token) && (depth > 0 || !cpp_begins(&token, ';'))) {
        depth += cpp_begins(&token, '(') || cpp_begins(&token, '[') || cpp_begins(&token, '{');
        depth -= cpp_begins(&token, ')') || cpp_begins(&token, ']') || cpp_begins(&token, '}');
        if (depth == 0 && token.kind == CPP_PUNCTUATOR && memchr(token.at, '=', token.bytes)) {
            return true;
        }
    }
    return false;
}

enum token_problem tokens_check(const char *text, int *ret_line) {
    struct scanner scanner = {.lexer = cpp_open(text, strlen(text)), .text = text};
    struct cpp_token token;
    while (next(&scanner, &token)) {
        if (token.kind != CPP_WORD) {
            continue;
        }
        enum token_problem problem = word_check(&scanner, &token);
        if (scanner.is_submission && cpp_is(&token, "thread_local") && has_value(scanner)) {
            problem = TOKEN_SHARED;
        }
        if (problem != TOKEN_FINE) {
            *ret_line = scanner.is_submission ? token.line : 0;
            return problem;
        }
    }
    return TOKEN_FINE;
}
