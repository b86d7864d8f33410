// Kinds are told by the option that g++ names, and by a few words if an option has several
// meanings: both are older than the oldest g++ that is supported.
//
//     naive.cu: In function 'void matmul_naive(const float*, …)':
//     naive.cu:8:13: warning: declaration of 'int K' shadows a parameter [-Wshadow]
//     naive.cu:3:20: note: shadowed declaration is here
#include "device/build/gxx_warnings.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "device/build/gxx_message.h"

// `except`: words of right code that the option warns of too.
static const struct {
    const char *option, *words, *except;
    enum compiler_warning_kind kind;
} wanted[] = {
    {"-Wempty-body", "", NULL, WARNING_EMPTY_BODY},
    {"-Wcomma-subscript", "", NULL, WARNING_COMMA_INDEX},
    {"-Wparentheses", "assignment used as truth value", NULL, WARNING_ASSIGNED_TRUTH},
    {"-Wparentheses", "comparison in operand of", NULL, WARNING_BIT_PRECEDENCE},
    {"-Wparentheses", "'&&' within '||'", NULL, WARNING_AND_IN_OR},
    {"-Wparentheses", "inside '<<'", NULL, WARNING_SHIFT_PRECEDENCE},
    {"-Wparentheses", "inside '>>'", NULL, WARNING_SHIFT_PRECEDENCE},
    {"-Wparentheses", "mathematical meaning", NULL, WARNING_CHAINED},
    {"-Wlogical-op", "of equal expressions", NULL, WARNING_EQUAL_SIDES},
    {"-Waddress", "reference, not call", NULL, WARNING_NO_CALL},
    {"-Wunused-value", "statement has no effect", NULL, WARNING_NO_EFFECT},
    {"-Wunused-value", "value computed is not used", NULL, WARNING_NO_EFFECT},
    {"-Wunused-value", "left operand of comma", NULL, WARNING_DROPPED},
    {"-Wmisleading-indentation", "does not guard", NULL, WARNING_INDENTED},
    {"-Wdangling-else", "", NULL, WARNING_DANGLING_ELSE},
    {"-Wshadow", "shadows a", NULL, WARNING_SHADOWED},
    {"-Wtype-limits", "unsigned expression", NULL, WARNING_UNSIGNED},
    {"-Wtype-limits", "is always", NULL, WARNING_SAME_TRUTH},
    {"-Wtautological-compare", "always evaluates", NULL, WARNING_SAME_TRUTH},
    {"-Wsequence-point", "may be undefined", NULL, WARNING_CHANGED_TWICE},
    {"-Wreturn-type", "", NULL, WARNING_NO_RETURN},
    {"-Wfloat-conversion", "conversion from '", "to 'float'", WARNING_FRACTION_LOST},
    {"-Wunused-variable", "unused variable", NULL, WARNING_UNUSED},
    {"-Wunused-but-set-variable", "set but not used", NULL, WARNING_UNREAD},
};

// "[-Wshadow]" or "[-Wshadow=local]" at the end of a message.
static bool has_option(const char *text, const char *option) {
    const char *at = strrchr(text, '[');
    size_t length = strlen(option);
    return at && strncmp(at + 1, option, length) == 0 && strchr("]=", at[1 + length]);
}

static bool kind_find(const char *text, enum compiler_warning_kind *ret_kind) {
    for (size_t i = 0; i < COUNT(wanted); i++) {
        if (has_option(text, wanted[i].option) && strstr(text, wanted[i].words) &&
            !(wanted[i].except && strstr(text, wanted[i].except))) {
            *ret_kind = wanted[i].kind;
            return true;
        }
    }
    return false;
}

// The last word of the first quotation: K of 'int K', a of 'float a [4]'.
static void name_read(const char *text, char *name, size_t bytes) {
    const char *open = strchr(text, '\'');
    const char *close = open ? strchr(open + 1, '\'') : NULL;
    name[0] = '\0';
    if (!close) {
        return;
    }
    const char *bracket = memchr(open, '[', (size_t)(close - open));
    const char *end = bracket ? bracket : close;
    while (end > open + 1 && !text_is_word(end[-1])) {
        end--;
    }
    const char *start = end;
    while (start > open + 1 && text_is_word(start[-1])) {
        start--;
    }
    (void)snprintf(name, bytes, "%.*s", (int)(end - start), start);
}

// The line of the note after a warning; 0 if none follows, or it is about another file.
static int note_line(const char *after, const char *file) {
    struct compiler_message message;
    while (compiler_message_next(&after, &message)) {
        if (message.kind) {
            bool note = strcmp(message.kind, "note") == 0 && strcmp(message.file, file) == 0;
            return note ? message.line : 0;
        }
    }
    return 0;
}

// "tiled.cu: In function '…':", before all messages about that function.
static void function_read(const char *text, const char *kernel, bool *is_kernel) {
    const char *in = strstr(text, ": In ");
    const char *name = in ? strstr(in, kernel) : NULL;
    if (in && text[0] != ' ') {
        *is_kernel = name && name[strlen(kernel)] == '(';
    }
}

// Of these pairs in one line the first says more.
static bool covers(enum compiler_warning_kind first, enum compiler_warning_kind later) {
    return first == later || (first == WARNING_COMMA_INDEX && later == WARNING_DROPPED) ||
           (first == WARNING_EMPTY_BODY && later == WARNING_INDENTED) ||
           (first == WARNING_NO_CALL && later == WARNING_NO_EFFECT);
}

static bool is_known(const struct compiler_warning *list, int count,
                     const struct compiler_warning *warning) {
    for (int i = 0; i < count; i++) {
        if (list[i].line == warning->line && covers(list[i].kind, warning->kind)) {
            return true;
        }
    }
    return false;
}

int diagnostics_warnings(const char *shown, const char *kernel, struct compiler_warning *list,
                         int max) {
    int count = 0;
    bool is_in_kernel = false;
    struct compiler_message message;
    while (count < max && compiler_message_next(&shown, &message)) {
        struct compiler_warning warning = {.line = message.line};
        if (!message.kind) {
            function_read(message.text, kernel, &is_in_kernel);
            continue;
        }
        if (strcmp(message.kind, "warning") != 0 || !kind_find(message.text, &warning.kind)) {
            continue;
        }
        warning.is_in_kernel = is_in_kernel;
        warning.other_line = note_line(shown, message.file);
        name_read(message.text, warning.name, sizeof warning.name);
        bool of_ours = warning.kind == WARNING_SHADOWED && warning.other_line == 0;
        if (!of_ours && !is_known(list, count, &warning)) {
            list[count++] = warning;
        }
    }
    return count;
}
