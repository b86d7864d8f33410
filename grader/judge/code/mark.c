// A line of code is looked at as characters: brackets are matched, nothing is parsed.  What is odd
// is marked by a single character, which is where the compiler points.
#include "judge/code/mark.h"

#include <string.h>

#include "base/text.h"

// The bracket that closes or opens the one at `at`; -1 if the line does not hold it.
static int partner_of(const char *source, int at) {
    bool back = source[at] == ']' || source[at] == ')';
    int step = back ? -1 : 1;
    int depth = 0;
    for (int i = at; i >= 0 && source[i] != '\0'; i += step) {
        depth += strchr("[(", source[i]) != NULL;
        depth -= strchr("])", source[i]) != NULL;
        if (depth == 0) {
            return i;
        }
    }
    return -1;
}

// From the end of `a.b[i][j]` or `f(x)` to its start; end itself if it is none.
static int start_of(const char *source, int end) {
    int at = end;
    while (at >= 0 && (source[at] == ']' || source[at] == ')')) {
        int open = partner_of(source, at);
        if (open <= 0) {
            return end;
        }
        at = open - 1;
    }
    int start = at + 1;
    while (at >= 0 && (text_is_word(source[at]) || source[at] == '.')) {
        start = at--;
    }
    return start <= end ? start : end;
}

static struct source_span span_of(int start, int end) {
    return (struct source_span){(uint32_t)start, (uint32_t)(end - start + 1)};
}

// The `=` of the first assignment outside of brackets; -1 if there is none.
static int assignment_find(const char *source) {
    int depth = 0;
    for (int i = 0; source[i] != '\0'; i++) {
        depth += strchr("[({", source[i]) != NULL;
        depth -= strchr("])}", source[i]) != NULL;
        char before = i > 0 ? source[i - 1] : ' ';
        bool shifts = i > 1 && strchr("<>", before) && source[i - 2] == before;
        bool compares = source[i + 1] == '=' || (strchr("=!<>", before) && !shifts);
        if (source[i] == '=' && depth == 0 && !compares) {
            return i;
        }
    }
    return -1;
}

// The left side of an assignment, without its operator.
static struct source_span left_side(const char *source, int assignment) {
    int end = assignment - 1;
    while (end >= 0 && strchr(" +-*/%&|^<>", source[end])) {
        end--;
    }
    return end < 0 ? span_of(assignment, assignment) : span_of(start_of(source, end), end);
}

static struct source_span right_side(const char *source, int assignment) {
    int start = assignment + 1;
    start += (int)strspn(source + start, " ");
    int end = start + (int)strcspn(source + start, ";") - 1;
    return end < start ? span_of(assignment, assignment) : span_of(start, end);
}

// Of `row < M ? A[i] : 0` a compiler points at the `?`: the only element after it, or length 0.
static struct source_span chosen_element(const char *source, int question) {
    struct source_span span = {0, 0};
    int depth = 0;
    for (int i = question + 1; source[i] != '\0' && source[i] != ';' && depth >= 0; i++) {
        depth += source[i] == '(';
        depth -= source[i] == ')';
        if (source[i] == ',' && depth == 0) {
            break;
        }
        int close = source[i] == '[' ? partner_of(source, i) : -1;
        if (close > 0 && source[close + 1] == '[') {
            close = partner_of(source, close + 1);
        }
        if (close > 0) {
            if (span.length > 0) {
                return (struct source_span){0, 0};
            }
            span = span_of(start_of(source, close), close);
            i = close;
        }
    }
    return span;
}

// True if a word that ends before `after` gets a value there: `float4 v = …`.
static bool is_declared(const char *source, int after) {
    after += (int)strspn(source + after, " ");
    return source[after] == '=' && source[after + 1] != '=';
}

struct source_span mark_find(const char *source, uint32_t column, enum access_kind access) {
    size_t length = strlen(source);
    int at = (int)column;
    if (column >= length || source[at] == '{') {  // a whole function is not an expression
        return (struct source_span){0, 0};
    }
    // The column of `+=` is that of its first character.
    int operator_bytes = (int)strspn(source + at, "+-*/%&|^<>");
    bool compound = operator_bytes > 0 && source[at + operator_bytes] == '=';
    at += compound ? operator_bytes : 0;
    int assignment = source[at] == '=' || source[at] == ')' ? assignment_find(source) : -1;
    if (assignment >= 0 && (access == ACCESS_WRITE || compound)) {
        return left_side(source, assignment);
    }
    if (source[at] == '=' && access == ACCESS_READ && assignment >= 0) {
        return right_side(source, assignment);
    }
    if (source[at] == ']' || source[at] == ')') {
        return span_of(start_of(source, at), at);
    }
    if (source[at] == '(') {
        int end = source[at + 1] == ')' ? at + 1 : at - 1;
        return end < 0 ? span_of(at, at) : span_of(start_of(source, end), end);
    }
    struct source_span chosen =
        source[at] == '?' ? chosen_element(source, at) : (struct source_span){0, 0};
    if (chosen.length > 0) {
        return chosen;
    }
    int end = at;
    while (text_is_word(source[at]) && text_is_word(source[end + 1])) {
        end++;
    }
    if (text_is_word(source[at]) && access == ACCESS_READ && is_declared(source, end + 1)) {
        return right_side(source, assignment_find(source));
    }
    return span_of(at, end);
}

bool mark_names(const char *source, struct source_span mark, const char *name) {
    size_t length = strlen(name);
    return length > 0 && mark.length >= length && strncmp(source + mark.start, name, length) == 0 &&
           (mark.length == length || !text_is_word(source[mark.start + length]));
}
