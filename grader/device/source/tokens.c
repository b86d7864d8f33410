// The look at preprocessed text: source_made_foreign.
//
// gcc writes the string of `section("…")` into its assembly text without checking it: a newline in
// the string starts a new line there, which could be anything.  So it must be a plain name.
#include "device/source/foreign.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "device/source/fault.h"

// The shim's own sections, see cuda_emu.h.
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

// True if the next tokens are what __constant__ gives the attribute `section`: ("…" "7").
static bool is_own_section(struct scanner scanner) {
    struct cpp_token token;
    if (!next(&scanner, &token) || !next(&scanner, &token) ||
        !cpp_is(&token, "\"" OWN_SECTION "\"") || !next(&scanner, &token) ||
        token.kind != CPP_STRING || token.bytes < 3) {
        return false;
    }
    size_t digits = 0;
    while (isdigit((unsigned char)token.at[1 + digits])) {
        digits++;
    }
    return digits + 2 == token.bytes && next(&scanner, &token) && cpp_begins(&token, ')');
}

// True if a `thread_local` is what __shared__ becomes, and not made by another macro.
static bool is_shared(struct scanner scanner) {
    static const char *const rest[] = {"__attribute__", "(", "(", "used"};
    struct cpp_token token;
    for (size_t i = 0; i < COUNT(rest); i++) {
        if (!next(&scanner, &token) || !cpp_is(&token, rest[i])) {
            return false;
        }
    }
    return true;
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

static enum source_problem token_check(const struct scanner *scanner, struct source_words *words,
                                       const struct cpp_token *token) {
    static const char *const sections[] = {"section", "__section__"};
    static const char *const assembly[] = {"asm", "__asm", "__asm__"};
    enum source_problem problem = words_follow(words, token, scanner->lexer);
    if (problem != SOURCE_FINE || token->kind != CPP_WORD) {
        return problem;
    }
    if (cpp_is_any(token, assembly, COUNT(assembly))) {
        return SOURCE_ASM;
    }
    if (words->depth > 0 && cpp_is_any(token, sections, COUNT(sections)) &&
        !is_own_section(*scanner)) {
        return SOURCE_ATTRIBUTE;
    }
    if (cpp_is(token, "thread_local") && !is_shared(*scanner)) {
        return SOURCE_THREAD_LOCAL;
    }
    return cpp_is(token, "thread_local") && has_value(*scanner) ? SOURCE_SHARED : SOURCE_FINE;
}

enum source_problem source_made_foreign(const char *text, int *ret_line,
                                        char ret_word[SOURCE_WORD_MAX]) {
    struct scanner scanner = {.lexer = cpp_open(text, strlen(text)), .text = text};
    struct source_words words = {.text = NULL};
    struct cpp_token token;
    while (next(&scanner, &token)) {
        enum source_problem problem =
            scanner.is_submission ? token_check(&scanner, &words, &token) : SOURCE_FINE;
        if (problem != SOURCE_FINE) {
            *ret_line = token.line;
            cpp_copy(&token, ret_word, SOURCE_WORD_MAX);
            return problem;
        }
    }
    return SOURCE_FINE;
}
