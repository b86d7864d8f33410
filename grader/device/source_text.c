// A small reader of C++ text.  It blanks out rather than tokenizes, so that offsets and lines stay
// those of the file.
#include "device/source_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$';
}

static bool is_space(char c) {
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
    while (start > 0 && is_word(text[start - 1])) {
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
                   (blank[at] == '\'' && (at == 0 || !is_word(blank[at - 1])))) {
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

static size_t skip_space(const char *text, size_t at) {
    while (text[at] != '\n' && is_space(text[at])) {
        at++;
    }
    return at;
}

// The offset behind a word at text[at], joints within it skipped, or 0 where there is another.
static size_t word_end(const char *text, size_t at, const char *word) {
    while (*word != '\0') {
        if (text[at] == *word) {
            word++;
        } else if (text[at] != SOURCE_JOINT) {
            return 0;
        }
        at++;
    }
    return is_word(text[at]) ? 0 : at;
}

// The offset behind "#word", or 0 where the line at `at` is no such directive.
static size_t directive_end(const char *blank, size_t at, const char *word) {
    at = skip_space(blank, at);
    if (blank[at] == '#') {
        at++;
    } else if (blank[at] == '%' && blank[at + 1] == ':') {
        at += 2;
    } else {
        return 0;
    }
    return word_end(blank, skip_space(blank, at), word);
}

// Reads the name between <> or "" at text[at].  False: there is none.
static bool include_name(const char *text, size_t at, char *name, size_t name_bytes) {
    at = skip_space(text, at);
    char close = text[at] == '<' ? '>' : '"';
    if (text[at] != '<' && text[at] != '"') {
        return false;
    }
    char stop[] = {close, '\n', '\0'};
    size_t length = strcspn(text + at + 1, stop);
    if (text[at + 1 + length] != close) {
        return false;
    }
    (void)snprintf(name, name_bytes, "%.*s", (int)length, text + at + 1);
    return length < name_bytes;
}

// A name that is there, in plain letters, and no path out of our headers.  A comment before it is
// blank in one text and not in the other: such a name counts as made.
static bool name_is_plain(const char *text, size_t at) {
    char name[256] = "";
    return include_name(text, at, name, sizeof name) && name[0] != '/' && !strstr(name, "..") &&
           !strchr(name, '\\');
}

// The word before `at` on its line is one that asks whether a macro is there.
static bool asks_for_macro(const char *blank, size_t at) {
    static const char *const words[] = {"ifdef", "ifndef", "defined"};
    while (at > 0 && (blank[at - 1] == '(' || (blank[at - 1] != '\n' && is_space(blank[at - 1])))) {
        at--;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i]);
        if (at > length && memcmp(blank + at - length, words[i], length) == 0 &&
            !is_word(blank[at - length - 1])) {
            return true;
        }
    }
    return false;
}

// `__has_include` asks whether a file exists.  It is fine in `#ifdef __has_include`, and with a
// plain name.  Returns the place of one that is neither, 0 where there is none.
static size_t foreign_question(const char *text, const char *blank) {
    static const char *const words[] = {"__has_include_next", "__has_include", "__has_embed"};
    for (size_t at = 0; blank[at] != '\0'; at++) {
        size_t end = 0;
        for (size_t i = 0; i < sizeof words / sizeof *words && end == 0; i++) {
            bool whole = at == 0 || !is_word(blank[at - 1]);
            end = whole ? word_end(blank, at, words[i]) : 0;
        }
        if (end == 0) {
            continue;
        }
        size_t next = skip_space(blank, end);
        bool named = blank[next] == '(' && name_is_plain(text, next + 1);
        if (!named && !asks_for_macro(blank, at)) {
            return at;
        }
        at = end - 1;
    }
    return 0;
}

// `#pragma GCC dependency "file"` looks at the file's time; so does the operator _Pragma.
static bool is_dependency(const char *text, const char *blank, size_t at) {
    size_t end = word_end(blank, at, "_Pragma");
    if (end > 0) {
        end = skip_space(blank, end);
        const char *close = strchr(text + end, ')');
        return close && memmem(text + end, (size_t)(close - text) - end, "dependency", 10) != NULL;
    }
    end = directive_end(blank, at, "pragma");
    end = end > 0 ? word_end(blank, skip_space(blank, end), "GCC") : 0;
    return end > 0 && word_end(blank, skip_space(blank, end), "dependency") > 0;
}

bool source_foreign_include(const char *text, const char *blank, int *ret_line) {
    static const char *const words[] = {"include_next", "include", "import", "embed"};
    size_t found = foreign_question(text, blank);
    bool fresh = true;
    for (size_t at = 0; blank[at] != '\0' && found == 0; at++) {
        size_t end = 0;
        for (size_t i = 0; fresh && i < sizeof words / sizeof *words && end == 0; i++) {
            end = directive_end(blank, at, words[i]);
        }
        if ((end > 0 && !name_is_plain(text, end)) || is_dependency(text, blank, at)) {
            found = end > 0 ? end : at + 1;
        }
        fresh = blank[at] == '\n';
    }
    if (found > 0) {
        *ret_line = source_line(text, found);
    }
    return found > 0;
}

// The next place from `from` where name stands as a whole word, or NULL.
static const char *word_find(const char *text, const char *from, const char *name) {
    size_t length = strlen(name);
    for (const char *at = strstr(from, name); at && length > 0; at = strstr(at + 1, name)) {
        if ((at == text || !is_word(at[-1])) && !is_word(at[length])) {
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
        while (from + length < to && is_word(from[length])) {
            length++;
        }
        is_const = is_const || (length == 5 && strncmp(from, "const", 5) == 0) ||
                   (length == 9 && strncmp(from, "constexpr", 9) == 0);
        from += length > 0 ? length : 1;
    }
    return is_const;
}

bool source_declares_const(const char *blank, const char *name) {
    const char *at = word_find(blank, blank, name);
    for (; at; at = word_find(blank, at + 1, name)) {
        const char *start = at;
        while (start > blank && !strchr(";{}", start[-1])) {
            start--;
        }
        const char *next = at + strlen(name);
        while (is_space(*next)) {
            next++;
        }
        if ((*next == '[' || *next == '=' || *next == '{') && prefix_is_const(start, at)) {
            return true;
        }
    }
    return false;
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

bool ptx_tensor_instruction(const char *ptx, char *ret_name, size_t name_bytes) {
    static const char *const starts[] = {"mma.", "wmma.", "wgmma.", "tcgen05."};
    bool found = false;
    char *blank = source_blank(ptx);
    // Without memory for the copy the text is searched as it is: comments could then be taken for
    // code, never the reverse.
    const char *text = blank ? blank : ptx;
    for (const char *at = text; *at != '\0' && !found;) {
        size_t length = 0;
        while (is_word(at[length]) || at[length] == '.' || at[length] == '%') {
            length++;
        }
        for (size_t i = 0; i < sizeof starts / sizeof *starts && !found; i++) {
            if (strncmp(at, starts[i], strlen(starts[i])) == 0) {
                (void)snprintf(ret_name, name_bytes, "%.*s", (int)length, at);
                found = true;
            }
        }
        at += length > 0 ? length : 1;
    }
    free(blank);
    return found;
}
