// Declarations are recognised by their tokens, without a parser; the compiler decides on meanings.
#include "device/source/declarations.h"

#include <string.h>

#include "base/basics.h"
#include "base/cpp_lexer.h"

int source_name_line(const char *text, const char *name) {
    struct cpp_lexer lexer = cpp_open(text, strlen(text));
    struct cpp_token token;
    while (cpp_next(&lexer, &token)) {
        if (token.kind == CPP_WORD && cpp_is(&token, name)) {
            return token.line;
        }
    }
    return 0;
}

bool source_builds_names(const char *text) {
    static const char *const words[] = {"asm", "__asm", "__asm__"};
    struct cpp_lexer lexer = cpp_open(text, strlen(text));
    struct cpp_token token;
    bool pasted = false;
    bool assembled = false;
    while (!pasted && !assembled && cpp_next(&lexer, &token)) {
        pasted = cpp_is(&token, "##") || cpp_is(&token, "%:%:");
        for (size_t i = 0; token.kind == CPP_WORD && i < COUNT(words); i++) {
            assembled |= cpp_is(&token, words[i]);
        }
    }
    return pasted || assembled;
}

int source_name_line_above(const char *text, const char *name, int line) {
    struct cpp_lexer lexer = cpp_open(text, strlen(text));
    struct cpp_token token;
    int last = 0;
    while (cpp_next(&lexer, &token) && token.line <= line) {
        if (token.kind == CPP_WORD && cpp_is(&token, name)) {
            last = token.line;
        }
    }
    return last;
}

// A declaration, as far as its name.
struct source_declaration {
    bool is_const;       // const or constexpr, and no pointer or reference after it
    bool is_lasting;     // it outlives a call
    bool is_expression;  // a = or ( came first: the name is a parameter or part of an expression
    bool is_value;       // inside a variable's value, up to the next comma or semicolon
    int depth;           // of parentheses and braces in it
};

static bool holds(const struct cpp_token *token, char letter) {
    return token->kind == CPP_PUNCTUATOR && memchr(token->at, letter, token->bytes);
}

// Follows a value.  After the comma comes the next variable of the same declaration.
static void value_follow(struct source_declaration *declaration, const struct cpp_token *token) {
    bool ends = declaration->depth == 0 && cpp_begins(token, ',');
    declaration->depth += cpp_begins(token, '(') || cpp_begins(token, '{');
    declaration->depth -= cpp_begins(token, ')') || cpp_begins(token, '}');
    if (cpp_begins(token, ';') || declaration->depth < 0) {
        *declaration = (struct source_declaration){false};
    } else if (ends) {
        declaration->is_value = false;
        declaration->is_expression = false;
    }
}

static void declaration_follow(struct source_declaration *declaration,
                               const struct cpp_token *token) {
    if (declaration->is_value) {
        value_follow(declaration, token);
    } else if (cpp_begins(token, ';') || cpp_begins(token, '{') || cpp_begins(token, '}')) {
        *declaration = (struct source_declaration){false};
    } else if (holds(token, '=') || holds(token, '(')) {
        declaration->is_value = !declaration->is_expression && cpp_begins(token, '=');
        declaration->is_expression = true;
    } else if (holds(token, '*') || holds(token, '&')) {
        declaration->is_const = false;
    } else if (cpp_is(token, "const") || cpp_is(token, "constexpr")) {
        declaration->is_const = true;
    } else if (cpp_is(token, "static") || cpp_is(token, "__device__")) {
        declaration->is_lasting = true;
    }
}

static bool is_variable(struct cpp_lexer lexer) {
    struct cpp_token next;
    return cpp_next(&lexer, &next) &&
           (cpp_begins(&next, '[') || cpp_begins(&next, '=') || cpp_begins(&next, '{'));
}

bool source_declares_const(const char *text, const char *name) {
    struct cpp_lexer lexer = cpp_open(text, strlen(text));
    struct source_declaration declaration = {false};
    struct cpp_token token;
    bool found = false;
    while (cpp_next(&lexer, &token)) {
        if (token.kind == CPP_WORD && cpp_is(&token, name) && is_variable(lexer) &&
            !declaration.is_expression) {
            if (!declaration.is_const && declaration.is_lasting) {
                return false;
            }
            found = found || declaration.is_const;
        }
        declaration_follow(&declaration, &token);
    }
    return found;
}
