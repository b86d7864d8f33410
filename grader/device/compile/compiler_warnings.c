// Kinds are recognised by the option that g++ names, and by a few words if an option has several
// meanings: both are older than the oldest supported g++.
//
//     naive.cu: In function 'void matmul_naive(const float*, …)':
//     naive.cu:8:13: warning: declaration of 'int K' shadows a parameter [-Wshadow]
//     naive.cu:3:20: note: shadowed declaration is here
//     naive.cu:12:13: warning: 'acc' is used uninitialized [-Wuninitialized]
//     naive.cu:15:9: warning: statement is a reference, not call, to function '__syncthreads'
#include "device/compile/compiler_warnings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/memory.h"
#include "base/text.h"
#include "device/compile/compiler_messages.h"

// --- Variables without a value, and barriers that are not calls ------------------------------

char *diagnostics_uninitialized(const char *shown) {
    char *text = xmalloc(strlen(shown) + 1);
    size_t used = 0;
    int lines = 0;
    bool wanted = false;
    struct compiler_message message;
    for (const char *next = shown; compiler_message_next(&next, &message); shown = next) {
        if (message.kind == MESSAGE_WARNING) {
            wanted = strstr(message.said, "[-Wuninitialized]") ||
                     strstr(message.said, "[-Wmaybe-uninitialized]");
        } else if (message.text[0] != ' ' && message.kind != MESSAGE_NOTE) {
            wanted = false;  // "tiled.cu: In function …"
        }
        if (wanted && lines++ < DIAGNOSTIC_LINES_MAX) {
            memcpy(text + used, shown, (size_t)(next - shown));
            used += (size_t)(next - shown);
        }
    }
    text[used] = '\0';
    return text;
}

// Reads one warning; false if it is about something else.
static bool unset_read(const struct compiler_message *message,
                       struct unset_variable *ret_variable) {
    static const char no_call[] = "statement is a reference, not call, to function '";
    bool waits = text_starts(message->said, no_call);
    const char *name = message->said + (waits ? strlen(no_call) : message->said[0] == '\'');
    const char *quote = strchr(name, '\'');
    if (name == message->said || !quote) {
        return false;
    }
    bool is = text_starts(quote, "' is used uninitialized");
    bool may = text_starts(quote, "' may be used uninitialized");
    waits = waits && text_starts(name, "__sync");
    *ret_variable = (struct unset_variable){
        .line = message->line, .column = message->column, .is_certain = is, .is_no_call = waits};
    (void)snprintf(ret_variable->name, sizeof ret_variable->name, "%.*s", (int)(quote - name),
                   name);
    return is || may || waits;
}

int diagnostics_unset(const char *shown, const char *kernel, struct unset_variable *list, int max) {
    int count = 0;
    bool in_kernel = false;
    struct compiler_message message;
    while (count < max && compiler_message_next(&shown, &message)) {
        if (message.kind != MESSAGE_WARNING && strstr(message.text, ": In ")) {
            in_kernel = strstr(message.text, kernel) != NULL;
        } else if (message.kind == MESSAGE_WARNING && unset_read(&message, &list[count])) {
            list[count].is_certain = list[count].is_certain && in_kernel;
            count++;
        }
    }
    return count;
}

// --- Other warnings --------------------------------------------------------------------------

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
            bool note = message.kind == MESSAGE_NOTE && strcmp(message.file, file) == 0;
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

// If both of a pair are in one line, the first is more specific.
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
        if (message.kind != MESSAGE_WARNING || !kind_find(message.text, &warning.kind)) {
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
