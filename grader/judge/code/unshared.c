// Looks at tokens: a type, a name and a [ in this order are a declaration.
#include "judge/code/unshared.h"

#include <stdbool.h>
#include <string.h>

#include "base/cpp_lexer.h"

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
