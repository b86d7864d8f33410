// A small reader of C++ text.  It blanks out rather than tokenizes, so that offsets and lines stay
// those of the file.
#include "device/source/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool source_is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$';
}

bool source_is_space(char c) {
    return c == ' ' || c == SOURCE_JOINT || (c >= '\t' && c <= '\r');
}

// Turns [from, to) into spaces, but for line ends.
static void blank_range(char *text, size_t from, size_t to) {
    for (size_t i = from; i < to; i++) {
        if (text[i] != '\n') {
            text[i] = ' ';
        }
    }
}

// A backslash at the end of a line joins it with the next.
static void lines_join(char *text) {
    for (size_t i = 0; text[i] != '\0'; i++) {
        size_t end = i + 1;
        if (text[i] == '\\' && text[end] == '\r') {
            end++;
        }
        if (text[i] == '\\' && text[end] == '\n') {
            memset(text + i, SOURCE_JOINT, end + 1 - i);
        }
    }
}

// The end of a literal that starts at text[at] with its quote.  A line end closes a broken one.
static size_t literal_end(const char *text, size_t at) {
    char quote = text[at];
    for (at++; text[at] != '\0' && text[at] != '\n'; at++) {
        if (text[at] == '\\' && text[at + 1] != '\0') {
            at++;
        } else if (text[at] == quote) {
            return at + 1;
        }
    }
    return at;
}

// The end of R"mark(…)mark" whose quote is at text[at].
static size_t raw_literal_end(const char *text, size_t at) {
    char mark[20];
    size_t length = strcspn(text + at + 1, "( \n");
    if (length > 16 || text[at + 1 + length] != '(') {
        return literal_end(text, at);
    }
    (void)snprintf(mark, sizeof mark, ")%.*s\"", (int)length, text + at + 1);
    const char *close = strstr(text + at, mark);
    return close ? (size_t)(close - text) + strlen(mark) : strlen(text);
}

// True where the word that ends before text[at] is a prefix of raw literals; in FOOR"(" it is not.
static bool is_raw_prefix(const char *text, size_t at) {
    static const char *const prefixes[] = {"R", "LR", "uR", "UR", "u8R"};
    size_t start = at;
    while (start > 0 && source_is_word(text[start - 1])) {
        start--;
    }
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        if (strlen(prefixes[i]) == at - start &&
            strncmp(text + start, prefixes[i], at - start) == 0) {
            return true;
        }
    }
    return false;
}

static size_t comment_end(const char *text, size_t at) {
    if (text[at + 1] == '/') {
        return at + strcspn(text + at, "\n");
    }
    const char *close = strstr(text + at + 2, "*/");
    return close ? (size_t)(close - text) + 2 : strlen(text);
}

char *source_blank(const char *text) {
    char *blank = strdup(text);
    if (!blank) {
        return NULL;
    }
    lines_join(blank);
    size_t at = 0;
    while (blank[at] != '\0') {
        size_t end = at + 1;
        if (blank[at] == '/' && (blank[at + 1] == '/' || blank[at + 1] == '*')) {
            end = comment_end(blank, at);
            blank_range(blank, at, end);
        } else if (blank[at] == '"' && is_raw_prefix(blank, at)) {
            end = raw_literal_end(blank, at);
            blank_range(blank, at, end);
        } else if (blank[at] == '"' ||
                   (blank[at] == '\'' && (at == 0 || !source_is_word(blank[at - 1])))) {
            // A quote behind a digit groups digits: 16'384.
            end = literal_end(blank, at);
            blank_range(blank, at, end);
        }
        at = end;
    }
    return blank;
}

int source_line(const char *text, size_t offset) {
    int line = 1;
    for (size_t i = 0; i < offset && text[i] != '\0'; i++) {
        line += text[i] == '\n';
    }
    return line;
}

// The next place from `from` where name stands as a whole word, or NULL.
static const char *word_find(const char *text, const char *from, const char *name) {
    size_t length = strlen(name);
    for (const char *at = strstr(from, name); at && length > 0; at = strstr(at + 1, name)) {
        if ((at == text || !source_is_word(at[-1])) && !source_is_word(at[length])) {
            return at;
        }
    }
    return NULL;
}

// True where [from, to), the part of a declaration before the name, makes the name itself constant:
// const or constexpr, no pointer after it, and no = or ( which would make the name part of an
// expression.
static bool prefix_is_const(const char *from, const char *to) {
    bool is_const = false;
    while (from < to) {
        if (*from == '=' || *from == '(') {
            return false;
        }
        is_const = is_const && *from != '*' && *from != '&';
        size_t length = 0;
        while (from + length < to && source_is_word(from[length])) {
            length++;
        }
        is_const = is_const || (length == 5 && strncmp(from, "const", 5) == 0) ||
                   (length == 9 && strncmp(from, "constexpr", 9) == 0);
        from += length > 0 ? length : 1;
    }
    return is_const;
}

// True where [from, to) declares something that outlives a call: a word for that, and nothing that
// would make the name a parameter or part of an expression.
static bool prefix_is_lasting(const char *from, const char *to) {
    bool lasting = false;
    while (from < to) {
        if (*from == '=' || *from == '(') {
            return false;
        }
        size_t length = 0;
        while (from + length < to && source_is_word(from[length])) {
            length++;
        }
        lasting = lasting || (length == 6 && strncmp(from, "static", 6) == 0) ||
                  (length == 10 && strncmp(from, "__device__", 10) == 0);
        from += length > 0 ? length : 1;
    }
    return lasting;
}

bool source_declares_const(const char *blank, const char *name) {
    const char *at = word_find(blank, blank, name);
    bool found = false;
    for (; at; at = word_find(blank, at + 1, name)) {
        const char *start = at;
        while (start > blank && !strchr(";{}", start[-1])) {
            start--;
        }
        const char *next = at + strlen(name);
        while (source_is_space(*next)) {
            next++;
        }
        if (*next != '[' && *next != '=' && *next != '{') {
            continue;
        }
        if (prefix_is_const(start, at)) {
            found = true;
        } else if (prefix_is_lasting(start, at)) {
            return false;
        }
    }
    return found;
}

int source_word_line(const char *text, const char *name) {
    const char *at = word_find(text, text, name);
    return at ? source_line(text, (size_t)(at - text)) : 0;
}

int source_word_line_above(const char *text, const char *name, int line) {
    int last = 0;
    for (const char *at = word_find(text, text, name); at; at = word_find(text, at + 1, name)) {
        int here = source_line(text, (size_t)(at - text));
        if (here > line) {
            break;
        }
        last = here;
    }
    return last;
}
