// Compares texts and tokens, not types: it only helps a reader, and the compiler has decided
// already.
#include "judge/code/kernel_text.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/basics.h"
#include "base/compose.h"
#include "base/cpp_lexer.h"
#include "base/limits.h"
#include "base/text.h"
#include "judge/code/statements.h"

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

// --- The only store to an array ------------------------------------------------------------------

static const char *const assigns[] = {"=",  "+=", "-=", "*=", "/=",  "%=", "++",
                                      "--", "&=", "|=", "^=", "<<=", ">>="};

// An access to the array: its last token, and what it does.
struct array_use {
    enum { USE_READS, USE_STORES, USE_DECLARES, USE_UNKNOWN } kind;
    int brackets, last;
};

static bool is_token(const struct code *code, int i, const char *text) {
    return i >= 0 && i < code->count && cpp_is(&code->token[i], text);
}

static bool is_assign(const struct code *code, int i) {
    return i >= 0 && i < code->count && cpp_is_any(&code->token[i], assigns, COUNT(assigns));
}

// The use of the name at token i, in a function.
static struct array_use use_at(const struct code *code, int i) {
    static const char *const before[] = {"return", "else", "do"};
    struct array_use use = {.kind = USE_READS, .last = i};
    while (is_token(code, use.last + 1, "[")) {
        use.last = code_partner(code, use.last + 1);
        if (use.last < 0) {
            return (struct array_use){.kind = USE_UNKNOWN};
        }
        use.brackets++;
    }
    bool member = is_token(code, use.last + 1, ".") && use.last + 2 < code->count;
    bool atomic = is_token(code, i - 1, "&") && is_token(code, i - 2, "(") && i > 2 &&
                  strncmp(code->token[i - 3].at, "atomic", strlen("atomic")) == 0;
    bool cast = is_token(code, i - 1, "&") && is_token(code, i - 2, ")");  // `*(float4 *)&As[0]`
    int open = cast ? code_partner(code, i - 2) : -1;
    bool read_through = open > 0 && is_token(code, open - 1, "*");
    bool reference = is_token(code, i - 1, "=") && is_token(code, i - 3, "&");
    bool typed = i > 0 && code->token[i - 1].kind == CPP_WORD &&
                 !cpp_is_any(&code->token[i - 1], before, COUNT(before));
    if (use.brackets == 0 || reference ||
        (is_token(code, i - 1, "&") && !atomic && !read_through)) {
        use.kind = USE_UNKNOWN;
    } else if (typed) {
        use.kind = USE_DECLARES;
    } else if (atomic || is_assign(code, use.last + (member ? 3 : 1)) ||
               is_token(code, i - 1, "++") || is_token(code, i - 1, "--")) {
        use.kind = USE_STORES;
    }
    return use;
}

// False for a macro that is more than a number.
static bool is_plain_name(const struct code *code, const struct cpp_token *name) {
    struct cpp_lexer lexer = cpp_open(code->text, code->bytes);
    struct cpp_token token;
    bool defines = false;
    while (cpp_next(&lexer, &token)) {
        if (defines && cpp_equal(&token, name)) {
            bool number = cpp_next(&lexer, &token) && token.kind == CPP_NUMBER;
            return number && (!cpp_next(&lexer, &token) || token.fresh);
        }
        defines = cpp_is(&token, "define");
    }
    return true;
}

// Does nothing in the loop around it change the index of this store?
static bool is_index_fixed(const struct code *code, const struct around *loop, int first, int end) {
    for (int i = first; i < end; i++) {
        bool is_word = code->token[i].kind == CPP_WORD && !is_token(code, i - 1, ".");
        if (is_word && (is_token(code, i + 1, "(") || !is_plain_name(code, &code->token[i]))) {
            return false;
        }
        for (int k = loop->first; is_word && k < loop->end; k++) {
            bool same = cpp_equal(&code->token[k], &code->token[i]);
            bool changes = is_assign(code, k + 1) || is_token(code, k - 1, "++") ||
                           is_token(code, k - 1, "--") || is_token(code, k - 1, "&");
            if (same && (changes || is_token(code, k + 1, "["))) {
                return false;
            }
        }
    }
    return true;
}

static void store_describe(const struct code *code, const struct code_path *path, int i, int last,
                           struct only_store *store) {
    bool fixed = code_text(code, i, last + 1, store->element, sizeof store->element);
    store->line = code->token[i].line;
    for (int k = 0; k < path->count; k++) {
        const struct around *around = &path->around[k];
        if (around->kind == AROUND_LOOP || around->kind == AROUND_DO) {
            fixed = fixed && is_index_fixed(code, around, i + 1, last + 1);
            store->loop_line = fixed ? around->line : 0;
        } else if (around->kind != AROUND_EMPTY) {
            store->innermost.line = around->line;
            if (!code_text(code, around->head_first, around->head_end, store->innermost.text,
                           sizeof store->innermost.text)) {
                store->line = 0;
            }
            store->outermost = store->conditions++ == 0 ? store->innermost : store->outermost;
        }
    }
}

static bool is_of_kernel(const struct code *code, const struct code_path *path) {
    int i = path->parameters_first - 2;
    while (i >= 0 && !is_token(code, i, "}") && !is_token(code, i, ";")) {
        if (is_token(code, i--, "__global__")) {
            return true;
        }
    }
    return false;
}

static bool is_parameter(const struct code *code, int i) {
    bool ends = is_token(code, i + 1, ",") || is_token(code, i + 1, ")");
    bool restricted =
        i > 0 && strncmp(code->token[i - 1].at, "__restrict", strlen("__restrict")) == 0;
    return ends && (restricted || is_token(code, i - 1, "*"));
}

// Does each kernel of the file have the array as this parameter, or leaves it without a name?
static bool all_kernels_have(const struct code *code, const char *name, int position) {
    for (int i = 0; i < code->count; i++) {
        if (!is_token(code, i, "__global__")) {
            continue;
        }
        int open = i;
        while (open < code->count && !is_token(code, open, "(")) {
            open++;
        }
        int close = open < code->count ? code_partner(code, open) : -1;
        int number = 0;
        int last = open + 1;
        for (int k = open + 1; k <= close; k++) {
            bool ends = k == close || is_token(code, k, ",");
            last = ends && number == position ? k - 1 : last;
            number += ends;
        }
        bool unnamed = is_token(code, last, "*") ||
                       strncmp(code->token[last].at, "__restrict", strlen("__restrict")) == 0;
        if (number <= position || (!unnamed && !is_token(code, last, name))) {
            return false;
        }
    }
    return true;
}

// How often the name occurs in the text, also in macros, but not as a member.
static int occurrences_of(const char *text, const char *name) {
    struct cpp_lexer lexer = cpp_open(text, strlen(text));
    struct cpp_token token;
    bool member = false;
    int count = 0;
    while (cpp_next(&lexer, &token)) {
        count += cpp_is(&token, name) && !member;
        member = cpp_is(&token, ".") || cpp_is(&token, "->");
    }
    return count;
}

struct only_store only_store_find(const char *text, const char *array, int parameter) {
    struct code code = code_open(text, strlen(text));
    struct only_store store = {.line = 0};
    int stores = 0;
    int declared = 0;
    int brackets = 0;
    int seen = 0;
    bool known = parameter < 0 || all_kernels_have(&code, array, parameter);
    for (int i = 0; i < code.count && known; i++) {
        struct code_path path;
        if (!is_token(&code, i, array) || is_token(&code, i - 1, ".") ||
            is_token(&code, i - 1, "->")) {
            continue;
        }
        seen++;
        if (!code_path_find(&code, i, &path)) {
            known = is_parameter(&code, i);
            continue;
        }
        struct array_use use = use_at(&code, i);
        brackets = brackets == 0 ? use.brackets : brackets;
        known = use.kind != USE_UNKNOWN && use.brackets == brackets;
        declared += use.kind == USE_DECLARES;
        if (use.kind == USE_STORES && stores++ == 0) {
            known = known && is_of_kernel(&code, &path);
            store_describe(&code, &path, i, use.last, &store);
        }
    }
    known = known && seen == occurrences_of(text, array) && stores == 1 && store.line > 0 &&
            declared == (parameter < 0);
    code_done(&code);
    return known ? store : (struct only_store){.line = 0};
}
