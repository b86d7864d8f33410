// Compares texts and tokens, not types: it only helps a reader, and the compiler has decided
// already.
#include "judge/code/kernel_text.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/compose.h"
#include "base/cpp_lexer.h"
#include "base/limits.h"
#include "base/text.h"

#define LIST_MAX         16
#define PARAMETER_BYTES  80
#define PARAMETERS_BYTES 640

// The parameters of an exercise's kernel.
struct wanted {
    char text[SIGNATURE_TEXT_BYTES];
    char list[LIST_MAX][PARAMETER_BYTES];
    int count;
};

// Finds the kernel's parameters, past their opening bracket.
static bool parameters_find(const char *text, const char *kernel, struct cpp_lexer *ret_lexer) {
    struct cpp_lexer lexer = cpp_open(text, strlen(text));
    struct cpp_token token;
    bool named = false;
    while (cpp_next(&lexer, &token)) {
        if (named && cpp_begins(&token, '(')) {
            *ret_lexer = lexer;
            return true;
        }
        named = cpp_is(&token, kernel);
    }
    return false;
}

// Splits at the commas, and makes each run of blanks one blank; returns the number of parts.
static int parameters_split(struct cpp_lexer lexer, char list[LIST_MAX][PARAMETER_BYTES]) {
    struct cpp_token token;
    int count = 0;
    bool open = false;  // the last part of the list continues
    while (cpp_next(&lexer, &token) && !cpp_begins(&token, ')')) {
        if (cpp_begins(&token, ',')) {
            open = false;
            continue;
        }
        if (!open && count == LIST_MAX) {
            break;
        }
        size_t used = open ? strlen(list[count - 1]) : 0;
        count += !open;
        if (open && token.spaced && used + 1 < PARAMETER_BYTES) {
            list[count - 1][used++] = ' ';
        }
        open = true;
        cpp_copy(&token, list[count - 1] + used, PARAMETER_BYTES - used);
    }
    return count;
}

static struct wanted wanted_of(const struct signature *signature) {
    struct wanted wanted;
    signature_parameters(signature, wanted.text);
    wanted.count = parameters_split(cpp_open(wanted.text, strlen(wanted.text)), wanted.list);
    return wanted;
}

// The type alone, without blanks and __restrict__, with "const" in front.
static void type_of(const char *parameter, char type[PARAMETER_BYTES]) {
    size_t end = strlen(parameter);
    while (end > 0 && text_is_word(parameter[end - 1])) {
        end--;
    }
    end = end > 0 ? end : strlen(parameter);
    bool is_const = false;
    size_t used = 0;
    char rest[PARAMETER_BYTES];
    for (size_t i = 0; i < end;) {
        size_t length = 0;
        while (i + length < end && text_is_word(parameter[i + length])) {
            length++;
        }
        bool skipped = text_is(parameter + i, length, "const");
        is_const = is_const || skipped;
        skipped = skipped || text_starts(parameter + i, "__restrict");
        length = length > 0 ? length : 1;
        if (!skipped && parameter[i] != ' ') {
            memcpy(rest + used, parameter + i, length);
            used += length;
        }
        i += length;
    }
    rest[used] = '\0';
    (void)snprintf(type, PARAMETER_BYTES, "%s%.70s", is_const ? "const " : "", rest);
}

// The first parameter that differs, from 0; the number of wanted parameters if none does.
static int difference_find(const struct wanted *wanted, char list[LIST_MAX][PARAMETER_BYTES],
                           int count) {
    for (int i = 0; i < wanted->count; i++) {
        char mine[PARAMETER_BYTES];
        char theirs[PARAMETER_BYTES];
        if (i >= count) {
            return i;
        }
        type_of(list[i], mine);
        type_of(wanted->list[i], theirs);
        if (strcmp(mine, theirs) != 0) {
            return i;
        }
    }
    return wanted->count;
}

bool workspace_is_unset(const char *text) {
    struct cpp_lexer lexer = cpp_open(text, strlen(text));
    struct cpp_token token;
    bool is_used = false;
    while (cpp_next(&lexer, &token)) {
        if (cpp_is(&token, "workspace_bytes")) {
            return false;
        }
        is_used = is_used || cpp_is(&token, "workspace");
    }
    return is_used;
}

bool signature_has_workspace(const struct signature *signature, const char *text,
                             const char *kernel) {
    char list[LIST_MAX][PARAMETER_BYTES];
    char last[PARAMETER_BYTES];
    const struct wanted wanted = wanted_of(signature);
    struct cpp_lexer lexer;
    int count = parameters_find(text, kernel, &lexer) ? parameters_split(lexer, list) : 0;
    if (count != wanted.count + 1 || difference_find(&wanted, list, count) < wanted.count) {
        return false;
    }
    type_of(list[wanted.count], last);
    return strcmp(last, "float*") == 0;
}

void explain_signature(const struct signature *signature, const char *text, const char *kernel,
                       char *lines, size_t bytes) {
    char list[LIST_MAX][PARAMETER_BYTES];
    char yours[PARAMETERS_BYTES] = "";
    const struct wanted wanted = wanted_of(signature);
    lines[0] = '\0';
    struct cpp_lexer lexer;
    bool found = parameters_find(text, kernel, &lexer);
    int count = found ? parameters_split(lexer, list) : 0;
    int different = found ? difference_find(&wanted, list, count) : wanted.count;
    if (!found || (different == wanted.count && count == wanted.count) ||
        signature_has_workspace(signature, text, kernel)) {
        return;
    }
    size_t used = 0;
    for (int i = 0; i < count && used < sizeof yours - PARAMETER_BYTES - 2; i++) {
        used +=
            (size_t)snprintf(yours + used, sizeof yours - used, "%s%s", i > 0 ? ", " : "", list[i]);
    }
    char why[2 * PARAMETER_BYTES + 48];
    if (count != wanted.count) {
        words_write(why, sizeof why, _("it has %d parameters, not %d"), count, wanted.count);
    } else {
        words_write(why, sizeof why, _("parameter %d differs: %s, not %s"), different + 1,
                    list[different], wanted.list[different]);
    }
    words_write(lines, bytes, _("yours:  (%s)\nwanted: (%s)\n%s\n"), yours, wanted.text, why);
}

// The last word of a parameter is its name.
static const char *name_of(const char *parameter) {
    const char *name = parameter + strlen(parameter);
    while (name > parameter && text_is_word(name[-1])) {
        name--;
    }
    return name;
}

// True if names [first, end) of the list are the wanted names in another order.
static bool is_reordered(const struct wanted *wanted, char list[LIST_MAX][PARAMETER_BYTES],
                         int first, int end) {
    bool moved = false;
    for (int i = first; i < end; i++) {
        bool known = false;
        for (int j = first; j < end; j++) {
            known = known || strcmp(name_of(list[j]), name_of(wanted->list[i])) == 0;
        }
        if (!known) {
            return false;
        }
        moved = moved || strcmp(name_of(list[i]), name_of(wanted->list[i])) != 0;
    }
    return moved;
}

void explain_parameter_order(const char *text, const char *kernel, bool sizes, char *sentences) {
    char list[LIST_MAX][PARAMETER_BYTES];
    const struct wanted wanted = wanted_of(signature_of_matmul());
    struct cpp_lexer lexer;
    if (!parameters_find(text, kernel, &lexer) || parameters_split(lexer, list) != wanted.count) {
        return;
    }
    if (sizes && is_reordered(&wanted, list, 3, wanted.count)) {
        words_sentence(sentences, ERROR_TEXT_MAX,
                       "The last parameters are handed over as M, N, K, but the kernel calls them "
                       "%s, %s, %s.",
                       name_of(list[3]), name_of(list[4]), name_of(list[5]));
    }
    if (is_reordered(&wanted, list, 0, 2)) {
        words_sentence(sentences, ERROR_TEXT_MAX,
                       "The first two parameters are handed over as A, B, but the kernel calls "
                       "them %s, %s.",
                       name_of(list[0]), name_of(list[1]));
    }
}

// A declaration of an array.
struct array_declaration {
    struct cpp_token name;
    bool is_shared;  // or extern
};

static bool declaration_next(struct cpp_lexer *lexer, struct array_declaration *ret_declaration) {
    struct cpp_token token;
    struct cpp_token before = {.kind = CPP_PUNCTUATOR, .at = ";", .bytes = 1};
    struct cpp_token before_that = before;
    bool is_shared = false;
    while (cpp_next(lexer, &token)) {
        bool typed = before_that.kind == CPP_WORD && !cpp_is(&before_that, "return") &&
                     !cpp_is(&before_that, "else");
        if (cpp_begins(&token, '[') && before.kind == CPP_WORD && (typed || is_shared)) {
            *ret_declaration = (struct array_declaration){before, is_shared};
            return true;
        }
        if (cpp_begins(&token, ';') || cpp_begins(&token, '{') || cpp_begins(&token, '}')) {
            is_shared = false;
        }
        is_shared = is_shared || cpp_is(&token, "__shared__") || cpp_is(&token, "extern");
        before_that = before;
        before = token;
    }
    return false;
}

// The line where the array is declared, if it is never declared with __shared__; else 0.
static int plain_line(const char *text, const struct cpp_token *name) {
    struct cpp_lexer lexer = cpp_open(text, strlen(text));
    struct array_declaration declaration;
    int line = 0;
    while (declaration_next(&lexer, &declaration)) {
        if (!cpp_equal(&declaration.name, name)) {
            continue;
        }
        if (declaration.is_shared) {
            return 0;
        }
        line = line > 0 ? line : declaration.name.line;
    }
    return line;
}

struct unshared unshared_find(const char *stub, const char *text) {
    struct unshared found = {.line = 0};
    struct cpp_lexer lexer = cpp_open(stub, strlen(stub));
    struct array_declaration declaration;
    while (found.line == 0 && declaration_next(&lexer, &declaration)) {
        if (declaration.is_shared) {
            found.line = plain_line(text, &declaration.name);
            cpp_copy(&declaration.name, found.name, sizeof found.name);
        }
    }
    return found;
}

bool choice_is_indexed(const char *text) {
    struct cpp_lexer lexer = cpp_open(text, strlen(text));
    struct cpp_token token;
    uint64_t chooses = 0;  // bit 0: a ? is in the innermost parentheses; bit 1: in the next, …
    bool ended = false;    // the token before ends parentheses with a ?
    bool in_macro = false;
    bool is_first = false;  // the next token is a directive's name
    while (cpp_next(&lexer, &token)) {
        if (token.fresh) {
            in_macro = false;
        }
        in_macro = in_macro || (is_first && cpp_is(&token, "define"));
        is_first = token.fresh && cpp_is_directive(&token);
        if (ended && cpp_begins(&token, '[')) {
            return true;
        }
        ended = false;
        if (cpp_is(&token, "(")) {
            chooses <<= 1;
        } else if (cpp_is(&token, ")")) {
            ended = chooses & 1;
            chooses = chooses >> 1 | (uint64_t)ended;
        } else if (cpp_is(&token, "?")) {
            if (in_macro) {
                return true;
            }
            chooses |= 1;
        }
    }
    return false;
}
