// gcc writes the string of `section("…")`, `alias("…")` and the like into its assembly text without
// looking at it: a line end in the string starts a new line there, and that line could be anything.
// So these strings must be plain names.  What a macro hides is plain here, as the text is
// preprocessed.  The rule holds for every file, ours too, as a `#line` can make a student's text
// look like a header's.
#include "device/source/tokens.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "device/source/fault.h"
#include "device/source/words.h"

struct scanner {
    const char *at;
    bool is_submission;
    int line;
};

static bool is_word(char letter) {
    return isalnum((unsigned char)letter) || letter == '_' || letter == '$' ||
           (unsigned char)letter >= 0x80;
}

static void next(struct scanner *scanner) {
    scanner->line += *scanner->at == '\n';
    scanner->at++;
}

// `# 12 "submission.cu" 2`: what follows is line 12 of that file.  Other # lines are pragmas.
static void marker_read(struct scanner *scanner) {
    char name[64] = "";
    int line = 0;
    if (sscanf(scanner->at, "# %d \"%63[^\"\n]\"", &line, name) == 2) {
        scanner->is_submission = strcmp(name, BUILD_SOURCE) == 0;
        scanner->line = line - 1;  // the end of this line counts it up
    }
    while (*scanner->at != '\0' && *scanner->at != '\n') {
        scanner->at++;
    }
}

// The shim's own sections, see cuda_emu.h.  Any other could hold what nobody has looked at: in
// ".text.x" constants are code.
#define OWN_SECTION "tilegrade_constant."

// Steps over "…" or '…' and says whether it held nothing but the letters of a name.
static bool literal_skip(struct scanner *scanner) {
    char quote = *scanner->at;
    bool plain = true;
    next(scanner);
    while (*scanner->at != '\0' && *scanner->at != quote) {
        plain = plain && (isalnum((unsigned char)*scanner->at) || strchr("_.", *scanner->at));
        if (*scanner->at == '\\' && scanner->at[1] != '\0') {
            next(scanner);
        }
        next(scanner);
    }
    if (*scanner->at == quote) {
        next(scanner);
    }
    return plain;
}

// Steps over R"x(…)x".  at stands on the quote.
static void raw_skip(struct scanner *scanner) {
    char end[32] = ")";
    size_t length = strcspn(scanner->at + 1, "(\n");
    if (length > 16) {
        return;  // no raw string: delimiters are shorter
    }
    memcpy(end + 1, scanner->at + 1, length);
    memcpy(end + 1 + length, "\"", 2);
    const char *close = strstr(scanner->at, end);
    const char *stop = close ? close + strlen(end) : scanner->at + strlen(scanner->at);
    while (scanner->at < stop) {
        next(scanner);
    }
}

static bool is_raw_prefix(const char *word, size_t length) {
    static const char *const prefixes[] = {"R", "LR", "uR", "UR", "u8R"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        if (strlen(prefixes[i]) == length && memcmp(word, prefixes[i], length) == 0) {
            return true;
        }
    }
    return false;
}

static void space_skip(struct scanner *scanner) {
    while (*scanner->at != '\0' && strchr(" \t\n\r\v\f", *scanner->at)) {
        next(scanner);
        if (*scanner->at == '#' && scanner->at[-1] == '\n') {
            marker_read(scanner);
        }
    }
}

// The strings in the parentheses behind an attribute's name.  False where one is more than a name,
// or does not begin as it must.
static bool strings_check(struct scanner *scanner, const char *start) {
    bool plain = true;
    space_skip(scanner);
    if (*scanner->at != '(') {
        return true;  // an ordinary word of the program
    }
    next(scanner);
    space_skip(scanner);
    while (*scanner->at == '"') {
        plain = plain && strncmp(scanner->at + 1, start, strlen(start)) == 0;
        plain = literal_skip(scanner) && plain;
        start = "";  // the strings are one
        space_skip(scanner);
    }
    // u8"…", R"(…)": nobody writes a name so.
    return plain && !(is_word(*scanner->at) && strchr("uULR", *scanner->at) &&
                      (scanner->at[1] == '"' || scanner->at[1] == '8' || scanner->at[1] == 'R'));
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

static enum token_problem word_check(struct scanner *scanner, const char *word, size_t length) {
    static const char *const attributes[] = {"section", "alias", "weakref", "ifunc", "symver"};
    bool reserved = length > 2 && word[0] == '_' && word[1] == '_';
    if (word_is(word, length, "asm") && (reserved || length == 3)) {
        // `asm volatile (…)`, or a text that is more than the name of a symbol.
        space_skip(scanner);
        return *scanner->at == '(' && strings_check(scanner, "") ? TOKEN_FINE : TOKEN_ASM;
    }
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        if (word_is(word, length, attributes[i])) {
            return strings_check(scanner, i == 0 ? OWN_SECTION : "") ? TOKEN_FINE : TOKEN_ATTRIBUTE;
        }
    }
    // What the file says plainly was refused before; here a macro of the file has made the word.
    char cut[SOURCE_WORD_MAX];
    (void)snprintf(cut, sizeof cut, "%.*s", (int)length, word);
    return source_word_is_foreign(cut) && scanner->is_submission ? TOKEN_BUILTIN : TOKEN_FINE;
}

// What follows the `thread_local` that stands for __shared__: true where the declaration has a `=`.
// A braced initial value looks like the members of a struct, and g++ refuses it where it is not 0.
static bool has_value(const char *at) {
    int depth = 0;
    for (; *at != '\0' && (depth > 0 || *at != ';'); at++) {
        depth += strchr("([{", *at) ? 1 : strchr(")]}", *at) ? -1 : 0;
        if (depth == 0 && *at == '=') {
            return true;
        }
    }
    return false;
}

enum token_problem tokens_check(const char *text, int *ret_line) {
    struct scanner scanner = {.at = text, .line = 1};
    if (*text == '#') {
        marker_read(&scanner);
    }
    while (*scanner.at != '\0') {
        const char *start = scanner.at;
        int line = scanner.line;
        if (is_word(*start)) {
            size_t length = 0;
            while (is_word(start[length])) {
                length++;
            }
            scanner.at += length;
            if (*scanner.at == '"' && is_raw_prefix(start, length)) {
                raw_skip(&scanner);
                continue;
            }
            // 1'000: the quote belongs to the number.
            if (*scanner.at == '\'' && isdigit((unsigned char)*start)) {
                next(&scanner);
                continue;
            }
            enum token_problem problem = word_check(&scanner, start, length);
            if (length == strlen("thread_local") && strncmp(start, "thread_local", length) == 0 &&
                scanner.is_submission && has_value(scanner.at)) {
                problem = TOKEN_SHARED;
            }
            if (problem != TOKEN_FINE) {
                *ret_line = scanner.is_submission ? line : 0;
                return problem;
            }
        } else if (*start == '"' || *start == '\'') {
            (void)literal_skip(&scanner);
        } else if (strchr(" \t\n\r\v\f", *start)) {
            space_skip(&scanner);
        } else {
            next(&scanner);
        }
    }
    return TOKEN_FINE;
}
