// Calls between host and device that nvcc refuses, and g++, which compiles both as one, does not.
//
// Functions are known by their names alone.  So a name counts only if all its declarations are on
// one side and each is certain: not in a class, nor under a condition of the preprocessor, nor with
// a macro of the program in it, nor constexpr.
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "device/source/program_text.h"
#include "device/source/program_tokens.h"

enum { SIDE_HOST = 1, SIDE_DEVICE = 2, SIDE_KERNEL = 4, SIDE_UNSURE = 8, SIDE_MACRO = 16 };

// Reads the functions of a text.
struct reading {
    struct tokens tokens;
    struct program_names *names;
    unsigned char *side;         // of the function in whose body a token is; 0: unsure
    unsigned char *conditional;  // under a condition of the preprocessor, beyond an include guard
};

static unsigned *name_find(const struct program_names *names, const struct tokens *tokens,
                           size_t at) {
    for (size_t i = 0; i < names->count; i++) {
        if (is(tokens, at, names->name[i].name)) {
            return &names->name[i].sides;
        }
    }
    return NULL;
}

static unsigned sides_of(const struct reading *reading, size_t at) {
    const unsigned *sides = name_find(reading->names, &reading->tokens, at);
    return sides ? *sides : 0;
}

static void name_add(struct program_names *names, const struct tokens *tokens, size_t at,
                     unsigned sides) {
    unsigned *known = name_find(names, tokens, at);
    if (known) {
        *known |= sides;
        return;
    }
    names->name = xrealloc(names->name, (names->count + 1) * sizeof *names->name);
    names->name[names->count++] = (struct program_name){token_copy(tokens, at), sides};
}

void program_names_done(struct program_names *names) {
    for (size_t i = 0; i < names->count; i++) {
        free(names->name[i].name);
    }
    free(names->name);
    *names = (struct program_names){.name = NULL};
}

void program_macros_read(struct text text, struct program_names *names) {
    struct tokens tokens = tokens_open(text);
    for (size_t i = 1; i + 1 < tokens.count; i++) {
        if (is(&tokens, i, "define") && cpp_is_directive(&tokens.token[i - 1].is)) {
            name_add(names, &tokens, i + 1, SIDE_MACRO | SIDE_UNSURE);
        }
    }
    free(tokens.token);
}

static struct reading reading_open(struct text text, struct program_names *names) {
    struct reading reading = {.tokens = tokens_open(text), .names = names};
    const struct tokens *tokens = &reading.tokens;
    size_t depth = 0;
    reading.side = xcalloc(tokens->count + 1, 1);
    reading.conditional = xcalloc(tokens->count + 1, 1);
    const bool guarded = is(tokens, 1, "ifndef") && cpp_is_directive(&tokens->token[0].is);
    for (size_t i = 0; i < tokens->count; i++) {
        static const char *const begin[] = {"if", "ifdef", "ifndef"};
        if (i > 0 && cpp_is_directive(&tokens->token[i - 1].is)) {
            depth += cpp_is_any(&tokens->token[i].is, begin, COUNT(begin));
            depth -= depth > 0 && is(tokens, i, "endif");
        }
        reading.conditional[i] = depth > guarded;
    }
    return reading;
}

static void reading_done(struct reading *reading) {
    free(reading->tokens.token);
    free(reading->side);
    free(reading->conditional);
}

static bool has_directive(const struct tokens *tokens, size_t from, size_t to) {
    for (size_t i = from; i < to; i++) {
        if (tokens->token[i].in_directive && !is(tokens, i, "pragma") && i > 0 &&
            cpp_is_directive(&tokens->token[i - 1].is)) {
            return true;
        }
    }
    return false;
}

// The { of the body after the parameters that end before `at`; SIZE_MAX for a mere declaration.
static size_t body_find(const struct tokens *tokens, size_t at) {
    for (; at < tokens->count && !is(tokens, at, ";") && !is(tokens, at, "=");) {
        bool ends = begins(tokens, at - 1, ')') || begins(tokens, at - 1, '}') ||
                    (is_word(tokens, at - 1) && !is(tokens, at, "("));
        if (begins(tokens, at, '{') && ends) {
            return at;
        }
        at = opens(tokens, at) ? brackets_skip(tokens, at) : at + 1;
    }
    return SIZE_MAX;
}

// What the words of a declaration say about its side.
static unsigned sides_read(const struct reading *reading, size_t from, size_t name) {
    static const char *const unsure[] = {"constexpr", "consteval", "operator", "friend",
                                         "typedef",   "using",     "return",   "else"};
    const struct tokens *tokens = &reading->tokens;
    unsigned sides = 0;
    bool host = false;
    for (size_t i = from; i < name; i++) {
        sides |= is(tokens, i, "__global__") ? SIDE_KERNEL : 0;
        sides |= is(tokens, i, "__device__") ? SIDE_DEVICE : 0;
        host |= is(tokens, i, "__host__");
        if (tokens->token[i].in_directive || sides_of(reading, i) & SIDE_MACRO ||
            cpp_is_any(&tokens->token[i].is, unsure, COUNT(unsure))) {
            sides |= SIDE_UNSURE;
        }
    }
    return sides | (host || (sides & ~SIDE_UNSURE) == 0 ? SIDE_HOST : 0);
}

// Reads one declaration and its body.  Returns the token after it.
static size_t declaration_read(struct reading *reading, size_t from, size_t to, bool in_class) {
    static const char *const with_arguments[] = {"__launch_bounds__", "__attribute__", "alignas",
                                                 "__declspec",        "decltype",      "asm"};
    const struct tokens *tokens = &reading->tokens;
    size_t at = from;
    while (at < to && !is(tokens, at, ";") && !is(tokens, at, "=") && !closes(tokens, at)) {
        bool attribute =
            at > from && is_word(tokens, at - 1) &&
            cpp_is_any(&tokens->token[at - 1].is, with_arguments, COUNT(with_arguments));
        size_t angle = angles(tokens, at, '<') == 1 ? angles_skip(tokens, at) : at;
        if (begins(tokens, at, '(') && !attribute) {
            break;
        }
        if (begins(tokens, at, '{')) {
            return brackets_skip(tokens, at);
        }
        at = opens(tokens, at) ? brackets_skip(tokens, at) : angle > at ? angle : at + 1;
    }
    if (!begins(tokens, at, '(') || at < from + 2 || !is_word(tokens, at - 1)) {
        while (at < to && !is(tokens, at, ";") && !begins(tokens, at, '}')) {
            at = opens(tokens, at) ? brackets_skip(tokens, at) : at + 1;
        }
        return at + 1;
    }
    size_t end = brackets_skip(tokens, at);
    size_t body = body_find(tokens, end);
    size_t after = body == SIZE_MAX ? end : brackets_skip(tokens, body);
    unsigned sides = sides_read(reading, from, at - 1);
    bool of_template = from > 0 && angles(tokens, from - 1, '>') > 0;
    bool unsure = in_class || reading->conditional[from] || is(tokens, at - 2, "::");
    name_add(reading->names, tokens, at - 1, sides | (unsure ? SIDE_UNSURE : 0));
    if (body != SIZE_MAX && !(sides & SIDE_UNSURE) && !has_directive(tokens, from, after)) {
        bool mixed = (sides & SIDE_HOST) && sides != SIDE_HOST;
        unsigned char side = mixed                ? 0
                             : sides == SIDE_HOST ? (in_class || of_template ? 0 : SIDE_HOST)
                                                  : SIDE_DEVICE;
        memset(reading->side + body, side, after - body);
    }
    return after;
}

// Reads the declarations of a namespace or class.
static void scope_read(struct reading *reading, size_t from, size_t to, bool in_class) {
    static const char *const classes[] = {"struct", "class", "union", "enum"};
    const struct tokens *tokens = &reading->tokens;
    for (size_t at = from; at < to;) {
        if (tokens->token[at].in_directive || is(tokens, at, ";") || closes(tokens, at)) {
            at++;
        } else if (is(tokens, at, "namespace") || (is(tokens, at, "extern") && at + 1 < to &&
                                                   tokens->token[at + 1].is.kind == CPP_STRING)) {
            while (at < to && !begins(tokens, at, '{') && !is(tokens, at, ";") &&
                   !begins(tokens, at, '(')) {
                at++;
            }
            at += !begins(tokens, at, '(');
        } else if (is(tokens, at, "template") && angles_skip(tokens, at + 1) > at + 1) {
            at = angles_skip(tokens, at + 1);
        } else if (cpp_is_any(&tokens->token[at].is, classes, COUNT(classes))) {
            size_t open = at;
            while (open < to && !begins(tokens, open, '{') && !begins(tokens, open, '(') &&
                   !is(tokens, open, ";")) {
                open++;
            }
            if (begins(tokens, open, '{')) {
                size_t end = brackets_skip(tokens, open);
                scope_read(reading, open + 1, end - 1, true);
                at = end;
            } else {
                at = declaration_read(reading, at, to, in_class);
            }
        } else {
            size_t next = declaration_read(reading, at, to, in_class);
            at = next > at ? next : at + 1;
        }
    }
}

void program_functions_read(struct text text, struct program_names *names) {
    struct reading reading = reading_open(text, names);
    scope_read(&reading, 0, reading.tokens.count, false);
    reading_done(&reading);
}

// In a function of the host, a lambda for the device is one of the device, a class is unsure.
static void lambdas_read(struct reading *reading) {
    const struct tokens *tokens = &reading->tokens;
    for (size_t i = 0; i + 1 < tokens->count; i++) {
        if (reading->side[i] != SIDE_HOST || !is(tokens, i, "__device__")) {
            continue;
        }
        size_t open = i + 1;
        while (open < tokens->count && !begins(tokens, open, '{') && !is(tokens, open, ";")) {
            open = opens(tokens, open) ? brackets_skip(tokens, open) : open + 1;
        }
        bool host = has_beside(tokens, i, "__host__");
        bool lambda = begins(tokens, i + 1, '(') || begins(tokens, i + 1, '{');
        if (begins(tokens, open, '{')) {
            memset(reading->side + open, lambda && !host ? SIDE_DEVICE : 0,
                   brackets_skip(tokens, open) - open);
        }
    }
}

// True if the name of a call may be that of a parameter or a variable of its function.
static bool is_hidden(const struct reading *reading, size_t at) {
    const struct tokens *tokens = &reading->tokens;
    size_t from = at;
    while (from > 0 && reading->side[from - 1] == reading->side[at]) {
        from--;
    }
    while (from > 0 && !is(tokens, from - 1, ";") && !begins(tokens, from - 1, '}')) {
        from--;
    }
    for (size_t i = from; i <= at || (i < tokens->count && reading->side[i] == reading->side[at]);
         i++) {
        if (cpp_equal(&tokens->token[i].is, &tokens->token[at].is) && i != at &&
            !begins(tokens, i + 1, '(')) {
            return true;
        }
    }
    return false;
}

// True if the token is the name of a plain call: not a member, not in a namespace, not declared.
static bool is_call(const struct tokens *tokens, size_t at) {
    static const char *const joins[] = {".", "->", "::", ".*"};
    static const char *const before[] = {"return", "else", "do", "case", "throw", "not"};
    size_t next = angles(tokens, at + 1, '<') == 1 ? angles_skip(tokens, at + 1) : at + 1;
    return is_word(tokens, at) && at > 0 && next < tokens->count && begins(tokens, next, '(') &&
           !cpp_is_any(&tokens->token[at - 1].is, joins, COUNT(joins)) &&
           (!is_word(tokens, at - 1) ||
            cpp_is_any(&tokens->token[at - 1].is, before, COUNT(before))) &&
           !is(tokens, at - 1, ">") && !is(tokens, at - 1, "~") && !is(tokens, at - 1, "new");
}

// Names that CUDA or C++ has on both sides.
static bool is_of_both(const struct tokens *tokens, size_t at) {
    static const char *const names[] = {
        "min",   "max",   "abs",   "fabs",  "sqrt",  "rsqrt", "pow",      "exp", "log",  "sin",
        "cos",   "floor", "ceil",  "round", "clamp", "swap",  "lerp",     "fma", "fmin", "fmax",
        "fabsf", "sqrtf", "fminf", "fmaxf", "isnan", "isinf", "saturate", "sign"};
    return cpp_is_any(&tokens->token[at].is, names, COUNT(names));
}

bool program_call_find(struct text text, struct program_names *names,
                       struct program_call *ret_call) {
    static const char *const library[] = {"rand",   "srand",      "exit",   "fprintf",
                                          "scanf",  "fopen",      "getenv", "puts",
                                          "system", "cudaMemcpy", "fscanf", "perror"};
    struct reading reading = reading_open(text, names);
    const struct tokens *tokens = &reading.tokens;
    bool found = false;
    scope_read(&reading, 0, tokens->count, false);
    lambdas_read(&reading);
    for (size_t i = 0; i < tokens->count && !found; i++) {
        unsigned sides = reading.side[i] ? sides_of(&reading, i) : 0;
        bool device = reading.side[i] == SIDE_DEVICE;
        if (reading.side[i] == 0 || tokens->token[i].in_directive || !is_call(tokens, i) ||
            is_of_both(tokens, i)) {
            continue;
        }
        bool foreign =
            device && sides == 0 && cpp_is_any(&tokens->token[i].is, library, COUNT(library));
        bool host = device && sides == SIDE_HOST;
        bool kernel = sides == SIDE_KERNEL;
        found = (foreign || host || kernel || (!device && sides == SIDE_DEVICE)) &&
                !is_hidden(&reading, i);
        if (found) {
            ret_call->kind = kernel ? CALLS_KERNEL : device ? CALLS_HOST : CALLS_DEVICE;
            ret_call->line = tokens->token[i].is.line;
            cpp_copy(&tokens->token[i].is, ret_call->name, sizeof ret_call->name);
        }
    }
    reading_done(&reading);
    return found;
}
