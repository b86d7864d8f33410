// Looks at tokens: a ? in parentheses, also within further ones, that a [ follows.
#include "judge/code/choice.h"

#include <stdint.h>
#include <string.h>

#include "base/cpp_lexer.h"

bool choice_is_indexed(const char *text) {
    struct cpp_lexer lexer = cpp_open(text, strlen(text));
    struct cpp_token token;
    uint64_t chooses = 0;  // bit 0: a ? is in the innermost parentheses; bit 1: in those around, …
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
