// "Is this file still the stub?" is asked of C tokens, not of bytes: a comment or a new line end is
// no start.
//
// Two files are equal only if a compiler would see the same tokens, so what is significant in a
// directive counts too: its end, and the blank that tells `#define F (x)` from `#define F(x)`.  In
// doubt the files differ: to call a finished kernel untouched would be worse than the opposite.
#include "exercise/stub.h"

#include <ctype.h>
#include <string.h>

struct scanner {
    const char *at;
    const char *end;
    bool line_start;      // nothing but blanks and comments since the last line end
    int directive_place;  // tokens seen of a directive, the # being the first; 0 outside
};

struct token {
    const char *at;  // NULL: no more tokens
    const char *end;
    bool is_raw;        // a raw string: line splices in it are characters
    bool is_line_end;   // the end of a directive
    bool glue_matters;  // the third token after #: is there a blank before it?
    bool is_glued;
};

// Behind any backslashes that join two lines.
static const char *splices_skip(const char *at, const char *end) {
    for (;;) {
        if (end - at >= 2 && at[0] == '\\' && at[1] == '\n') {
            at += 2;
        } else if (end - at >= 3 && at[0] == '\\' && at[1] == '\r' && at[2] == '\n') {
            at += 3;
        } else {
            return at;
        }
    }
}

// The character at a place, after splices; 0 at the end.
static char char_at(const char *at, const char *end) {
    at = splices_skip(at, end);
    return at < end ? *at : '\0';
}

// The place behind that character.
static const char *char_skip(const char *at, const char *end) {
    at = splices_skip(at, end);
    return at < end ? at + 1 : end;
}

static bool begins_with(const char *at, const char *end, const char *text) {
    for (; *text != '\0'; text++) {
        if (char_at(at, end) != *text || splices_skip(at, end) == end) {
            return false;
        }
        at = char_skip(at, end);
    }
    return true;
}

static const char *comment_skip(const char *at, const char *end) {
    if (begins_with(at, end, "//")) {
        while (splices_skip(at, end) < end && char_at(at, end) != '\n') {
            at = char_skip(at, end);
        }
        return at;
    }
    at = char_skip(char_skip(at, end), end);
    while (splices_skip(at, end) < end && !begins_with(at, end, "*/")) {
        at = char_skip(at, end);
    }
    return char_skip(char_skip(at, end), end);
}

// Skips blanks and comments; stops at a line end that closes a directive.  True where there was
// any.
static bool blanks_skip(struct scanner *scanner) {
    const char *start = scanner->at;
    for (;;) {
        const char *at = splices_skip(scanner->at, scanner->end);
        char letter = char_at(at, scanner->end);
        if (at == scanner->end || (letter == '\n' && scanner->directive_place > 0)) {
            break;
        }
        if (begins_with(at, scanner->end, "//") || begins_with(at, scanner->end, "/*")) {
            scanner->at = comment_skip(at, scanner->end);
        } else if (isspace((unsigned char)letter)) {
            scanner->line_start = scanner->line_start || letter == '\n';
            scanner->at = at + 1;
        } else {
            break;
        }
    }
    return scanner->at != start;
}

static bool is_word(char letter) {
    return isalnum((unsigned char)letter) || letter == '_' || (unsigned char)letter >= 0x80;
}

static const char *word_skip(const char *at, const char *end) {
    while (is_word(char_at(at, end))) {
        at = char_skip(at, end);
    }
    return at;
}

// A preprocessing number: digits, letters, points, and a sign behind e or p.
static const char *number_skip(const char *at, const char *end) {
    for (;;) {
        char letter = char_at(at, end);
        if (letter != '\0' && strchr("eEpP", letter)) {
            const char *behind = char_skip(at, end);
            char sign = char_at(behind, end);
            at = sign == '+' || sign == '-' ? char_skip(behind, end) : behind;
        } else if (is_word(letter) || letter == '.' ||
                   (letter == '\'' && is_word(char_at(char_skip(at, end), end)))) {
            at = char_skip(at, end);
        } else {
            return at;
        }
    }
}

static const char *quoted_skip(const char *at, const char *end) {
    char quote = char_at(at, end);
    at = char_skip(at, end);
    while (splices_skip(at, end) < end && char_at(at, end) != '\n') {
        char letter = char_at(at, end);
        at = char_skip(at, end);
        if (letter == quote) {
            break;
        }
        if (letter == '\\') {
            at = char_skip(at, end);
        }
    }
    return at;
}

// Behind R"delimiter( … )delimiter", `at` being the quote.
static const char *raw_skip(const char *at, const char *end) {
    const char *open = memchr(at, '(', (size_t)(end - at));
    if (!open) {
        return end;
    }
    size_t delimiter_bytes = (size_t)(open - at - 1);
    for (const char *close = open; close < end; close++) {
        if (*close == ')' && (size_t)(end - close) >= delimiter_bytes + 2 &&
            memcmp(close + 1, at + 1, delimiter_bytes) == 0 && close[delimiter_bytes + 1] == '"') {
            return close + delimiter_bytes + 2;
        }
    }
    return end;
}

static const char *punctuator_skip(const char *at, const char *end) {
    static const char *const longest_first[] = {
        "<<<", ">>>", "<<=", ">>=", "...", "->*", "<=>", "<<", ">>", "<=",
        ">=",  "==",  "!=",  "&&",  "||",  "++",  "--",  "->", "::", "##",
        "+=",  "-=",  "*=",  "/=",  "%=",  "&=",  "|=",  "^=", ".*"};
    for (size_t i = 0; i < sizeof longest_first / sizeof *longest_first; i++) {
        if (begins_with(at, end, longest_first[i])) {
            for (const char *letter = longest_first[i]; *letter != '\0'; letter++) {
                at = char_skip(at, end);
            }
            return at;
        }
    }
    return char_skip(at, end);
}

// Is the word a prefix that makes the quote behind it a raw string?  (R, LR, uR, UR, u8R)
static bool is_raw_prefix(const char *at, const char *end) {
    return end > at && end[-1] == 'R' && end - at <= 3;
}

// Finds the end of the token that starts at token->at.
static void token_measure(struct token *token, const char *end) {
    const char *at = token->at;
    char letter = char_at(at, end);
    if (isdigit((unsigned char)letter) ||
        (letter == '.' && isdigit((unsigned char)char_at(char_skip(at, end), end)))) {
        token->end = number_skip(at, end);
    } else if (is_word(letter)) {
        token->end = word_skip(at, end);
        char quote = char_at(token->end, end);
        if (quote == '"' && is_raw_prefix(at, token->end)) {
            token->is_raw = true;
            token->end = raw_skip(splices_skip(token->end, end), end);
        } else if ((quote == '"' || quote == '\'') && token->end - at <= 2) {
            token->end = quoted_skip(token->end, end);
        }
    } else if (letter == '"' || letter == '\'') {
        token->end = quoted_skip(at, end);
    } else {
        token->end = punctuator_skip(at, end);
    }
}

static struct token token_next(struct scanner *scanner) {
    struct token token = {0};
    bool blanks = blanks_skip(scanner);
    const char *at = splices_skip(scanner->at, scanner->end);
    if (at == scanner->end && scanner->directive_place == 0) {
        return token;
    }
    token.at = at;
    if (scanner->directive_place > 0 && (at == scanner->end || *at == '\n')) {
        token.is_line_end = true;
        token.end = at;
        scanner->directive_place = 0;
        return token;
    }
    token_measure(&token, scanner->end);
    if (scanner->directive_place > 0 || (scanner->line_start && *at == '#')) {
        scanner->directive_place++;
    }
    token.glue_matters = scanner->directive_place == 4;
    token.is_glued = !blanks;
    scanner->line_start = false;
    scanner->at = token.end;
    return token;
}

static bool tokens_equal(const struct token *a, const struct token *b) {
    if (a->is_line_end || b->is_line_end) {
        return a->is_line_end == b->is_line_end;
    }
    if (a->is_raw != b->is_raw || (a->glue_matters && a->is_glued != b->is_glued)) {
        return false;
    }
    if (a->is_raw) {
        return a->end - a->at == b->end - b->at &&
               memcmp(a->at, b->at, (size_t)(a->end - a->at)) == 0;
    }
    const char *left = splices_skip(a->at, a->end);
    const char *right = splices_skip(b->at, b->end);
    while (left < a->end && right < b->end && *left == *right) {
        left = splices_skip(left + 1, a->end);
        right = splices_skip(right + 1, b->end);
    }
    return left >= a->end && right >= b->end;
}

static struct scanner scanner_of(const char *text, size_t bytes) {
    if (bytes >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {  // a byte order mark
        text += 3;
        bytes -= 3;
    }
    return (struct scanner){.at = text, .end = text + bytes, .line_start = true};
}

bool token_streams_equal(const char *a, size_t a_bytes, const char *b, size_t b_bytes) {
    struct scanner left = scanner_of(a, a_bytes);
    struct scanner right = scanner_of(b, b_bytes);
    for (;;) {
        struct token x = token_next(&left);
        struct token y = token_next(&right);
        if (!x.at || !y.at) {
            return !x.at && !y.at;
        }
        if (!tokens_equal(&x, &y)) {
            return false;
        }
    }
}
