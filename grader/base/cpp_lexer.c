// Before every character the line splices are skipped, so that a splice hides no token.
// Source: ISO C++17, [lex.phases] and [lex.pptoken].
#include "base/cpp_lexer.h"

#include <ctype.h>
#include <string.h>

#include "base/basics.h"
#include "base/text.h"

#define RAW_DELIMITER_MAX 16

// --- Letters ------------------------------------------------------------------------------------

// Skips the line splices at a place.
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

// The character after any splices; '\0' at the end.
static char letter_at(const char *at, const char *end) {
    at = splices_skip(at, end);
    return at < end ? *at : '\0';
}

static const char *letter_skip(const char *at, const char *end) {
    at = splices_skip(at, end);
    return at < end ? at + 1 : end;
}

// The place after `text`; NULL if something else is there.
static const char *text_skip(const char *at, const char *end, const char *text) {
    for (; *text != '\0'; text++) {
        if (letter_at(at, end) != *text) {
            return NULL;
        }
        at = letter_skip(at, end);
    }
    return at;
}

// --- Tokens -------------------------------------------------------------------------------------

static const char *line_comment_skip(const char *at, const char *end) {
    while (splices_skip(at, end) < end && letter_at(at, end) != '\n') {
        at = letter_skip(at, end);
    }
    return at;
}

// `at` is past the opening mark.
static const char *block_comment_skip(const char *at, const char *end) {
    for (; splices_skip(at, end) < end; at = letter_skip(at, end)) {
        const char *close = text_skip(at, end, "*/");
        if (close) {
            return close;
        }
    }
    return end;
}

static const char *word_skip(const char *at, const char *end) {
    while (text_is_word(letter_at(at, end))) {
        at = letter_skip(at, end);
    }
    return at;
}

// Letters, digits, points, a sign after e or p, and a quote that groups digits.
static const char *number_skip(const char *at, const char *end) {
    for (;;) {
        char letter = letter_at(at, end);
        const char *next = letter_skip(at, end);
        char second = letter_at(next, end);
        if (letter != '\0' && strchr("eEpP", letter) && (second == '+' || second == '-')) {
            at = letter_skip(next, end);
        } else if (text_is_word(letter) || letter == '.' ||
                   (letter == '\'' && text_is_word(second))) {
            at = next;
        } else {
            return at;
        }
    }
}

// `at` is the opening quote.  A line end closes a broken literal.
static const char *literal_skip(const char *at, const char *end) {
    char quote = letter_at(at, end);
    at = letter_skip(at, end);
    while (splices_skip(at, end) < end && letter_at(at, end) != '\n') {
        char letter = letter_at(at, end);
        at = letter_skip(at, end);
        if (letter == quote) {
            break;
        }
        if (letter == '\\') {
            at = letter_skip(at, end);
        }
    }
    return at;
}

// `at` is the opening quote.  NULL if the delimiter is invalid; raw text is not spliced.
static const char *raw_literal_skip(const char *at, const char *end) {
    const char *delimiter = splices_skip(at, end) + 1;
    size_t bytes = 0;
    while (delimiter + bytes < end && !strchr("() \\\t\v\f\r\n", delimiter[bytes])) {
        bytes++;
    }
    if (bytes > RAW_DELIMITER_MAX || delimiter + bytes == end || delimiter[bytes] != '(') {
        return NULL;
    }
    for (const char *close = delimiter + bytes; close < end; close++) {
        if (*close == ')' && (size_t)(end - close) >= bytes + 2 &&
            memcmp(close + 1, delimiter, bytes) == 0 && close[bytes + 1] == '"') {
            return close + bytes + 2;
        }
    }
    return end;
}

static const char *header_skip(const char *at, const char *end) {
    for (; splices_skip(at, end) < end && letter_at(at, end) != '\n'; at = letter_skip(at, end)) {
        if (letter_at(at, end) == '>') {
            return letter_skip(at, end);
        }
    }
    return NULL;
}

static const char *punctuator_skip(const char *at, const char *end) {
    static const char *const longest_first[] = {
        "<<<", ">>>", "<<=", ">>=", "...", "->*", "<=>", "<<", ">>", "<=", ">=", "==",
        "!=",  "&&",  "||",  "++",  "--",  "->",  "::",  "##", "+=", "-=", "*=", "/=",
        "%=",  "&=",  "|=",  "^=",  ".*",  "%:",  "<:",  ":>", "<%", "%>"};
    const char *rest = text_skip(at, end, "<::");
    if (rest && letter_at(rest, end) != ':' && letter_at(rest, end) != '>') {
        return letter_skip(at, end);  // a < before ::
    }
    for (size_t i = 0; i < COUNT(longest_first); i++) {
        const char *next = text_skip(at, end, longest_first[i]);
        if (next) {
            return next;
        }
    }
    return letter_skip(at, end);
}

// Measures a word, or a literal with the word as its prefix.
static void word_measure(struct cpp_token *token, const char *end) {
    static const char *const raw_prefixes[] = {"R", "LR", "uR", "UR", "u8R"};
    static const char *const prefixes[] = {"L", "u", "U", "u8"};
    const char *next = word_skip(token->at, end);
    char quote = letter_at(next, end);
    token->kind = CPP_WORD;
    token->bytes = (size_t)(next - token->at);
    if (quote == '"' && cpp_is_any(token, raw_prefixes, COUNT(raw_prefixes))) {
        const char *raw_end = raw_literal_skip(next, end);
        token->kind = raw_end ? CPP_RAW_STRING : CPP_STRING;
        next = raw_end ? raw_end : literal_skip(next, end);
    } else if ((quote == '"' || quote == '\'') && cpp_is_any(token, prefixes, COUNT(prefixes))) {
        token->kind = quote == '"' ? CPP_STRING : CPP_CHARACTER;
        next = literal_skip(next, end);
    }
    token->bytes = (size_t)(next - token->at);
}

static void token_measure(struct cpp_token *token, const char *end, bool is_header) {
    const char *at = token->at;
    char letter = *at;
    const char *next = is_header && letter == '<' ? header_skip(at, end) : NULL;
    if (next) {
        token->kind = CPP_HEADER;
    } else if (isdigit((unsigned char)letter) ||
               (letter == '.' && isdigit((unsigned char)letter_at(letter_skip(at, end), end)))) {
        token->kind = CPP_NUMBER;
        next = number_skip(at, end);
    } else if (text_is_word(letter)) {
        word_measure(token, end);
        return;
    } else if (letter == '"' || letter == '\'') {
        token->kind = letter == '"' ? CPP_STRING : CPP_CHARACTER;
        next = literal_skip(at, end);
    } else {
        token->kind = CPP_PUNCTUATOR;
        next = punctuator_skip(at, end);
    }
    token->bytes = (size_t)(next - at);
}

// --- The lexer ----------------------------------------------------------------------------------

struct cpp_lexer cpp_open(const char *text, size_t bytes) {
    return (struct cpp_lexer){.at = text, .end = text + bytes, .line = 1, .fresh = true};
}

static void move_to(struct cpp_lexer *lexer, const char *at) {
    for (; lexer->at < at; lexer->at++) {
        lexer->line += *lexer->at == '\n';
    }
}

// Skips blanks and comments.  True if there was one.
static bool blanks_skip(struct cpp_lexer *lexer) {
    const char *end = lexer->end;
    bool any = false;
    for (;; any = true) {
        const char *at = splices_skip(lexer->at, end);
        const char *line_comment = text_skip(at, end, "//");
        const char *block_comment = text_skip(at, end, "/*");
        if (line_comment) {
            at = line_comment_skip(line_comment, end);
        } else if (block_comment) {
            at = block_comment_skip(block_comment, end);
        } else if (at < end && isspace((unsigned char)*at)) {
            lexer->fresh = lexer->fresh || *at == '\n';
            at++;
        } else {
            move_to(lexer, at);
            return any;
        }
        move_to(lexer, at);
    }
}

// Says whether the next token may be a header name.
static void header_follow(struct cpp_lexer *lexer, const struct cpp_token *token) {
    static const char *const directives[] = {"include", "include_next", "import", "embed"};
    static const char *const questions[] = {"__has_include", "__has_include_next", "__has_embed"};
    bool is_word = token->kind == CPP_WORD;
    if (cpp_is_directive(token)) {
        lexer->header = CPP_DIRECTIVE;
    } else if ((lexer->header == CPP_DIRECTIVE && is_word && !token->fresh &&
                cpp_is_any(token, directives, COUNT(directives))) ||
               (lexer->header == CPP_QUESTION && cpp_begins(token, '('))) {
        lexer->header = CPP_HEADER_NEXT;
    } else if (is_word && cpp_is_any(token, questions, COUNT(questions))) {
        lexer->header = CPP_QUESTION;
    } else {
        lexer->header = CPP_NO_HEADER;
    }
}

bool cpp_next(struct cpp_lexer *lexer, struct cpp_token *ret_token) {
    bool spaced = blanks_skip(lexer);
    bool ends = lexer->at == lexer->end;
    *ret_token = (struct cpp_token){
        .at = lexer->at, .line = lexer->line, .fresh = lexer->fresh || ends, .spaced = spaced};
    if (ends) {
        return false;
    }
    token_measure(ret_token, lexer->end, lexer->header == CPP_HEADER_NEXT);
    move_to(lexer, ret_token->at + ret_token->bytes);
    lexer->fresh = false;
    header_follow(lexer, ret_token);
    return true;
}

void cpp_line_skip(struct cpp_lexer *lexer) {
    const char *end = memchr(lexer->at, '\n', (size_t)(lexer->end - lexer->at));
    lexer->at = end ? end : lexer->end;
}

// --- What a token is ----------------------------------------------------------------------------

bool cpp_is(const struct cpp_token *token, const char *text) {
    const char *end = token->at + token->bytes;
    const char *rest = text_skip(token->at, end, text);
    return rest && splices_skip(rest, end) == end;
}

bool cpp_is_any(const struct cpp_token *token, const char *const *texts, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (cpp_is(token, texts[i])) {
            return true;
        }
    }
    return false;
}

bool cpp_begins(const struct cpp_token *token, char letter) {
    static const struct {
        const char *digraph;
        char letter;
    } others[] = {{"<:", '['}, {":>", ']'}, {"<%", '{'}, {"%>", '}'}};
    for (size_t i = 0; i < COUNT(others); i++) {
        if (cpp_is(token, others[i].digraph)) {
            return letter == others[i].letter;
        }
    }
    return token->kind == CPP_PUNCTUATOR && *token->at == letter;
}

bool cpp_is_directive(const struct cpp_token *token) {
    return token->fresh && token->kind == CPP_PUNCTUATOR &&
           (cpp_is(token, "#") || cpp_is(token, "%:"));
}

bool cpp_equal(const struct cpp_token *a, const struct cpp_token *b) {
    const char *left = a->at;
    const char *left_end = a->at + a->bytes;
    const char *right = b->at;
    const char *right_end = b->at + b->bytes;
    if (a->kind != b->kind) {
        return false;
    }
    if (a->kind == CPP_RAW_STRING) {
        return a->bytes == b->bytes && memcmp(left, right, a->bytes) == 0;
    }
    while (left < left_end && right < right_end && *left == *right) {
        left = splices_skip(left + 1, left_end);
        right = splices_skip(right + 1, right_end);
    }
    return left >= left_end && right >= right_end;
}

void cpp_copy(const struct cpp_token *token, char *text, size_t text_bytes) {
    const char *end = token->at + token->bytes;
    size_t used = 0;
    for (const char *at = token->at; used + 1 < text_bytes && splices_skip(at, end) < end;) {
        text[used++] = letter_at(at, end);
        at = letter_skip(at, end);
    }
    text[used] = '\0';
}
