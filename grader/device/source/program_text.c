// Launches and declarations are recognised by their tokens, without a parser.
//
// A launch is `<<<` with a name before it and the first `>>>` after it that a parenthesis follows.
// The name may be a member of a namespace and have template arguments, which are found backwards.
// A directive is one statement: nothing that begins in a macro's text ends outside of it.
#include "device/source/program_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/memory.h"
#include "device/source/program_tokens.h"

// --- Changes ------------------------------------------------------------------------------------

// In place of the bytes from `from` to `to`, a text.
struct edit {
    const char *from, *to;
    char *text;  // owned
    size_t number;
};

struct edits {
    struct edit *edit;
    size_t count;
};

// Takes over `text`.
static void edit_add(struct edits *edits, const char *from, const char *to, char *text) {
    edits->edit = xrealloc(edits->edit, (edits->count + 1) * sizeof *edits->edit);
    edits->edit[edits->count] = (struct edit){from, to, text, edits->count};
    edits->count++;
}

static int edit_compare(const void *one, const void *other) {
    const struct edit *a = one;
    const struct edit *b = other;
    return a->from != b->from ? (a->from < b->from ? -1 : 1) : a->number < b->number ? -1 : 1;
}

static char *edits_apply(struct text text, struct edits *edits) {
    char *result = NULL;
    size_t bytes = 0;
    FILE *out = xopen_memstream(&result, &bytes);
    const char *at = text.at;
    if (edits->count > 0) {
        qsort(edits->edit, edits->count, sizeof *edits->edit, edit_compare);
    }
    for (size_t i = 0; i < edits->count; i++) {
        struct edit *edit = &edits->edit[i];
        if (edit->from >= at) {  // else a launch in the name of a kernel
            (void)fwrite(at, 1, (size_t)(edit->from - at), out);
            (void)fputs(edit->text, out);
            at = edit->to;
        }
        free(edit->text);
    }
    (void)fwrite(at, 1, (size_t)(text.at + text.bytes - at), out);
    free(edits->edit);
    xclose_memstream(out, &result);
    return result;
}

// --- Kernels ------------------------------------------------------------------------------------

static bool is_type_word(const struct tokens *tokens, size_t at) {
    static const char *const words[] = {"const", "volatile", "signed", "unsigned",
                                        "bool",  "char",     "short",  "int",
                                        "long",  "float",    "double", "size_t"};
    return cpp_is_any(&tokens->token[at].is, words, COUNT(words));
}

// The end of the parameter that begins at `at`: its comma, or `end`.
static size_t parameter_end(const struct tokens *tokens, size_t at, size_t end) {
    while (at < end && !is(tokens, at, ",")) {
        size_t next = opens(tokens, at)              ? brackets_skip(tokens, at)
                      : angles(tokens, at, '<') == 1 ? angles_skip(tokens, at)
                                                     : at + 1;
        at = next > at ? next : at + 1;
    }
    return at < end ? at : end;
}

// The types of the parameters between two parentheses.  *ret_default: one has a default value.
static char *parameters_read(const struct tokens *tokens, size_t open, bool *ret_default) {
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = xopen_memstream(&text, &bytes);
    size_t close = brackets_skip(tokens, open) - 1;
    for (size_t at = open + 1; at < close;) {
        size_t end = parameter_end(tokens, at, close);
        size_t last = at;
        while (last < end && !is(tokens, last, "=")) {
            last++;
        }
        *ret_default |= last < end;
        for (size_t i = at; i < last; i++) {
            bool name = i > at && is_word(tokens, i) && !is_type_word(tokens, i) &&
                        (i + 1 == last || begins(tokens, i + 1, '[')) && !is(tokens, i - 1, "::");
            char *word = token_copy(tokens, i);
            (void)fprintf(out, "%s ", name || strcmp(word, "__restrict__") == 0 ? "" : word);
            free(word);
        }
        (void)fputc(',', out);
        at = end + 1;
    }
    xclose_memstream(out, &text);
    return text;
}

// True if the declaration that contains the token is a template.
static bool in_template(const struct tokens *tokens, size_t at) {
    for (size_t i = at; i > 0; i--) {
        size_t before = i - 1;
        if (tokens->token[before].in_directive != tokens->token[at].in_directive) {
            if (tokens->token[at].in_directive) {
                return false;
            }
            continue;  // a directive between two lines of a declaration
        }
        if (is(tokens, before, "template")) {
            return true;
        }
        if (is(tokens, before, ";") || begins(tokens, before, '}') || begins(tokens, before, '{')) {
            return false;
        }
    }
    return false;
}

// The declared name after an attribute such as __global__ or __device__, and the token after it and
// its template arguments; false if no declaration follows.
static bool declarator_find(const struct tokens *tokens, size_t at, size_t *ret_name,
                            size_t *ret_next) {
    static const char *const with_arguments[] = {
        "__launch_bounds__", "__attribute__",     "__align__",
        "__maxnreg__",       "__cluster_dims__",  "alignas",
        "__declspec",        "__builtin_align__", "decltype"};
    size_t name = SIZE_MAX;
    for (size_t i = at + 1; i < tokens->count && meets(tokens, at, i);) {
        if (is_word(tokens, i) &&
            cpp_is_any(&tokens->token[i].is, with_arguments, COUNT(with_arguments)) &&
            begins(tokens, i + 1, '(')) {
            i = brackets_skip(tokens, i + 1);
        } else if (begins(tokens, i, '[') && begins(tokens, i + 1, '[')) {
            i = brackets_skip(tokens, i);  // [[maybe_unused]]
        } else if (is_word(tokens, i)) {
            name = i++;
        } else if (angles(tokens, i, '<') == 1 && angles_skip(tokens, i) > i) {
            i = angles_skip(tokens, i);
        } else if (is(tokens, i, "*") || is(tokens, i, "&") || is(tokens, i, "&&") ||
                   is(tokens, i, "::") || is(tokens, i, "...")) {
            i++;
        } else {
            *ret_name = name;
            *ret_next = i;
            return name != SIZE_MAX;
        }
    }
    return false;
}

static void kernel_add(struct program_kernels *kernels, char *name, char *parameters,
                       bool needs_call) {
    for (size_t i = 0; i < kernels->count; i++) {
        struct program_kernel *kernel = &kernels->kernel[i];
        if (strcmp(kernel->name, name) == 0) {
            kernel->needs_call |= needs_call || strcmp(kernel->parameters, parameters) != 0;
            free(name);
            free(parameters);
            return;
        }
    }
    kernels->kernel = xrealloc(kernels->kernel, (kernels->count + 1) * sizeof *kernels->kernel);
    kernels->kernel[kernels->count++] = (struct program_kernel){name, parameters, needs_call};
}

void program_kernels_read(struct text text, struct program_kernels *kernels) {
    struct tokens tokens = tokens_open(text);
    for (size_t i = 0; i < tokens.count; i++) {
        size_t name = 0;
        size_t next = 0;
        if (is(&tokens, i, "__global__") && declarator_find(&tokens, i, &name, &next) &&
            begins(&tokens, next, '(')) {
            bool needs_call = in_template(&tokens, i);
            char *parameters = parameters_read(&tokens, next, &needs_call);
            kernel_add(kernels, token_copy(&tokens, name), parameters, needs_call);
        }
    }
    free(tokens.token);
}

void program_kernels_done(struct program_kernels *kernels) {
    for (size_t i = 0; i < kernels->count; i++) {
        free(kernels->kernel[i].name);
        free(kernels->kernel[i].parameters);
    }
    free(kernels->kernel);
    *kernels = (struct program_kernels){.kernel = NULL};
}

// --- Launches -----------------------------------------------------------------------------------

// The first token of the expression that ends before `end`, and its last name.
static size_t callee_find(const struct tokens *tokens, size_t end, size_t *ret_name) {
    static const char *const joins[] = {"::", ".", "->"};
    size_t first = SIZE_MAX;
    size_t at = end - 1;
    *ret_name = SIZE_MAX;
    for (;;) {
        if (at < tokens->count && angles(tokens, at, '>') > 0) {
            at = angles_skip_back(tokens, at) - 1;
        }
        for (bool call = false; begins(tokens, at, ']') || (begins(tokens, at, ')') && !call);) {
            call = begins(tokens, at, ')');  // one: `if (x) (*f)<<<1, 1>>>()`
            first = brackets_skip_back(tokens, at);
            at = first - 1;
        }
        if (is_word(tokens, at) && !is(tokens, at, "return")) {
            *ret_name = *ret_name == SIZE_MAX ? at : *ret_name;
            first = at--;
        }
        if (at < tokens->count && is(tokens, at, "template")) {
            first = at--;
        }
        if (at >= tokens->count || first == SIZE_MAX ||
            !cpp_is_any(&tokens->token[at].is, joins, COUNT(joins))) {
            return first;
        }
        first = at--;
        bool goes_on = at < tokens->count && ((is_word(tokens, at) && !is(tokens, at, "return")) ||
                                              closes(tokens, at) || angles(tokens, at, '>') > 0);
        if (!goes_on) {
            return first;  // ::f
        }
    }
}

// The >>> of a launch, which a parenthesis follows; SIZE_MAX if there is none.
static size_t launch_end(const struct tokens *tokens, size_t at) {
    for (size_t i = at + 1; i < tokens->count && meets(tokens, at, i);) {
        if (is(tokens, i, ">>>") && begins(tokens, i + 1, '(')) {
            return i;
        }
        if (is(tokens, i, ";") || closes(tokens, i)) {
            return SIZE_MAX;
        }
        i = opens(tokens, i) ? brackets_skip(tokens, i) : i + 1;
    }
    return SIZE_MAX;
}

static const char *token_end(const struct token *token) {
    return token->is.at + token->is.bytes;
}

static bool needs_call(const struct tokens *tokens, size_t name,
                       const struct program_kernels *kernels) {
    for (size_t i = 0; i < kernels->count && name < tokens->count; i++) {
        if (is(tokens, name, kernels->kernel[i].name)) {
            return kernels->kernel[i].needs_call;
        }
    }
    return false;
}

static void launch_edit(const struct tokens *tokens, size_t at,
                        const struct program_kernels *kernels, struct edits *edits) {
    size_t name = SIZE_MAX;
    size_t first = at > 0 && meets(tokens, at - 1, at) ? callee_find(tokens, at, &name) : SIZE_MAX;
    size_t end = first < at && meets(tokens, first, at) ? launch_end(tokens, at) : SIZE_MAX;
    if (end == SIZE_MAX) {
        return;
    }
    const char *begin = tokens->token[first].is.at;
    const char *callee_end = token_end(&tokens->token[at - 1]);
    int bytes = (int)(callee_end - begin);
    bool any = needs_call(tokens, name, kernels);
    edit_add(edits, begin, callee_end,
             xasprintf("::tilegrade::launch%s(::tilegrade::config(", any ? "_any" : ""));
    edit_add(edits, tokens->token[at].is.at, token_end(&tokens->token[at]), xstrdup(""));
    edit_add(edits, tokens->token[end].is.at, token_end(&tokens->token[end]),
             any ? xasprintf("), [](auto... tilegrade_argument) { %.*s(tilegrade_argument...); })",
                             bytes, begin)
                 : xasprintf("), %.*s)", bytes, begin));
}

// --- Variables ----------------------------------------------------------------------------------

// True if the attribute at `at` belongs to a variable.
static bool is_variable(const struct tokens *tokens, size_t at) {
    size_t name = 0;
    size_t next = 0;
    if (!declarator_find(tokens, at, &name, &next)) {
        return false;
    }
    for (size_t i = at; i < next; i++) {
        if (is(tokens, i, "operator") || is(tokens, i, "__global__") || is(tokens, i, "~") ||
            is(tokens, i, "__shared__")) {
            return false;
        }
    }
    bool by_pointer = begins(tokens, next, '(') && is(tokens, next + 1, "*");  // float (*f)(float)
    return by_pointer || is(tokens, next, ";") || is(tokens, next, "=") || is(tokens, next, ",") ||
           begins(tokens, next, '[') || begins(tokens, next, '{');
}

static void variable_edit(const struct tokens *tokens, size_t at, struct edits *edits) {
    bool managed = is(tokens, at, "__managed__");
    if (!is_variable(tokens, at)) {
        return;
    }
    if (has_beside(tokens, at, "extern")) {  // the definition has the section
        edit_add(edits, tokens->token[at].is.at, token_end(&tokens->token[at]), xstrdup(""));
        return;
    }
    bool constant = has_beside(tokens, at, "__constant__") || is(tokens, at, "__constant__");
    if (in_template(tokens, at)) {
        edit_add(edits, tokens->token[at].is.at, token_end(&tokens->token[at]),
                 xstrdup(constant ? "__tilegrade_template_constant__"
                                  : "__tilegrade_template_variable__"));
        return;
    }
    if (constant) {
        return;
    }
    const char *text = managed                                 ? "__tilegrade_managed__"
                       : has_beside(tokens, at, "__managed__") ? ""
                                                               : "__tilegrade_variable__";
    edit_add(edits, tokens->token[at].is.at, token_end(&tokens->token[at]), xstrdup(text));
}

// A kernel that is passed as `(const void *)kernel` keeps its type: without it, nothing says how
// large its arguments are.
static void cast_edit(const struct tokens *tokens, size_t at, struct edits *edits) {
    static const char *const casts[] = {"reinterpret_cast", "static_cast"};
    static const char *const words[] = {"const", "void", "*"};
    size_t first = at + 2;
    size_t end = first;
    if (first + 1 >= tokens->count || !begins(tokens, at + 1, '(')) {
        return;
    }
    if (cpp_is_any(&tokens->token[first].is, casts, COUNT(casts))) {
        while (end < tokens->count && !begins(tokens, end, '(') && meets(tokens, at, end)) {
            end++;
        }
    } else if (begins(tokens, first, '(')) {
        end = first + 1;
        while (end < tokens->count && cpp_is_any(&tokens->token[end].is, words, COUNT(words))) {
            end++;
        }
        end += end < tokens->count && begins(tokens, end, ')') && end > first + 1;
        end = end > first + 1 && begins(tokens, end - 1, ')') ? end : first;
    }
    if (end > first && end < tokens->count) {
        edit_add(edits, tokens->token[first].is.at, token_end(&tokens->token[end - 1]),
                 xstrdup(""));
    }
}

char *program_text(struct text text, const struct program_kernels *kernels) {
    struct tokens tokens = tokens_open(text);
    struct edits edits = {.edit = NULL};
    static const char *const attributes[] = {"__device__", "__managed__", "__constant__"};
    static const char *const pointers[] = {"cudaLaunchKernel", "cudaLaunchCooperativeKernel"};
    for (size_t i = 0; i < tokens.count; i++) {
        if (is(&tokens, i, "<<<")) {
            launch_edit(&tokens, i, kernels, &edits);
        } else if (cpp_is_any(&tokens.token[i].is, attributes, COUNT(attributes))) {
            variable_edit(&tokens, i, &edits);
        } else if (cpp_is_any(&tokens.token[i].is, pointers, COUNT(pointers))) {
            cast_edit(&tokens, i, &edits);
        }
    }
    char *result = edits_apply(text, &edits);
    free(tokens.token);
    return result;
}

bool program_include_next(struct cpp_lexer *lexer, char *ret_name, size_t name_bytes,
                          bool *ret_is_quoted) {
    struct cpp_token token;
    bool included = false;
    while (cpp_next(lexer, &token)) {
        bool is_name = token.kind == CPP_STRING || token.kind == CPP_HEADER;
        if (included && is_name && token.bytes > 2 && token.bytes < name_bytes) {
            cpp_copy(&token, ret_name, name_bytes);
            size_t length = strlen(ret_name);
            *ret_is_quoted = ret_name[0] == '"';
            memmove(ret_name, ret_name + 1, length);
            ret_name[length - 2] = '\0';
            return true;
        }
        included = token.kind == CPP_WORD && !token.fresh && cpp_is(&token, "include");
    }
    return false;
}
