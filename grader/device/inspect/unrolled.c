// Idea: the tokens after a #pragma are a loop; brackets after its keyword hold the condition.
#include "device/inspect/unrolled.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpp_lexer.h"

#define DIGITS_MAX 16

static unsigned number_of(const struct cpp_token *token) {
    char text[DIGITS_MAX];
    cpp_copy(token, text, sizeof text);
    return (unsigned)strtoul(text, NULL, 0);
}

// The number that a name stands for: `#define ONE 1`, `const int one = 1`; 0 if it is not found.
static unsigned value_of(const char *source, const struct cpp_token *name) {
    struct cpp_lexer lexer = cpp_open(source, strlen(source));
    struct cpp_token token;
    while (cpp_next(&lexer, &token)) {
        if (!cpp_equal(&token, name)) {
            continue;
        }
        struct cpp_lexer ahead = lexer;
        bool more = cpp_next(&ahead, &token);
        while (more &&
               (cpp_is(&token, "=") || cpp_begins(&token, '(') || cpp_begins(&token, '{'))) {
            more = cpp_next(&ahead, &token);
        }
        if (token.kind == CPP_NUMBER) {
            return number_of(&token);
        }
    }
    return 0;
}

// The factor of a #pragma; the lexer is past its #.  0 if it says nothing of unrolling.
static unsigned pragma_factor(const char *source, struct cpp_lexer lexer) {
    struct cpp_token token;
    if (!cpp_next(&lexer, &token) || !cpp_is(&token, "pragma") || !cpp_next(&lexer, &token) ||
        token.fresh) {
        return 0;
    }
    if (cpp_is(&token, "nounroll")) {
        return 1;
    }
    if (!cpp_is(&token, "unroll")) {
        return 0;
    }
    bool more = cpp_next(&lexer, &token);
    while (more && !token.fresh && cpp_begins(&token, '(')) {
        more = cpp_next(&lexer, &token);
    }
    if (!more || token.fresh) {
        return 0;  // as far as possible
    }
    return token.kind == CPP_NUMBER ? number_of(&token)
           : token.kind == CPP_WORD ? value_of(source, &token)
                                    : 0;
}

// Passes over what is between brackets, which begin with the next token of this kind.  Returns the
// line of the last one.
static int brackets_skip(struct cpp_lexer *lexer, char open, char close, int *ret_first) {
    struct cpp_token token;
    int depth = 0;
    *ret_first = lexer->line;
    while (cpp_next(lexer, &token)) {
        if (cpp_begins(&token, open)) {
            *ret_first = depth == 0 ? token.line : *ret_first;
            depth++;
        } else if (cpp_begins(&token, close) && --depth <= 0) {
            break;
        }
    }
    return token.line;
}

static void loop_add(struct unrolled *unrolled, unsigned factor, struct cpp_lexer lexer) {
    struct cpp_token token;
    int first = 0;
    do {  // other pragmas
        cpp_line_skip(&lexer);
        (void)cpp_next(&lexer, &token);
    } while (cpp_is_directive(&token));
    if (cpp_is(&token, "do")) {
        (void)brackets_skip(&lexer, '{', '}', &first);
    } else if (!cpp_is(&token, "for") && !cpp_is(&token, "while")) {
        return;
    }
    int last = brackets_skip(&lexer, '(', ')', &first);
    unrolled->loop[unrolled->count++] =
        (struct unrolled_loop){.first = first, .last = last, .factor = factor};
}

void unrolled_find(const char *source, struct unrolled *ret) {
    struct cpp_lexer lexer = cpp_open(source, strlen(source));
    struct cpp_token token;
    ret->count = 0;
    while (cpp_next(&lexer, &token) && ret->count < UNROLLED_MAX) {
        unsigned factor = cpp_is_directive(&token) ? pragma_factor(source, lexer) : 0;
        if (factor > 0) {
            loop_add(ret, factor, lexer);
        }
    }
}

unsigned unrolled_factor(const struct unrolled *unrolled, int line) {
    unsigned factor = 0;
    for (int i = 0; i < unrolled->count; i++) {
        const struct unrolled_loop *loop = &unrolled->loop[i];
        factor = line >= loop->first && line <= loop->last ? loop->factor : factor;
    }
    return factor;
}
