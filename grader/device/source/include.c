// Which files a kernel file includes, or asks for, by its text: see include.h.
#include "device/source/include.h"

#include <stdio.h>
#include <string.h>

#include "device/source/text.h"

static size_t skip_space(const char *text, size_t at) {
    while (text[at] != '\n' && source_is_space(text[at])) {
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
    return source_is_word(text[at]) ? 0 : at;
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
    while (at > 0 &&
           (blank[at - 1] == '(' || (blank[at - 1] != '\n' && source_is_space(blank[at - 1])))) {
        at--;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i]);
        if (at > length && memcmp(blank + at - length, words[i], length) == 0 &&
            !source_is_word(blank[at - length - 1])) {
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
            bool whole = at == 0 || !source_is_word(blank[at - 1]);
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
