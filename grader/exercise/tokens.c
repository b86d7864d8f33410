// "Is this file still the stub?" is asked of C++ tokens, not of bytes: a new comment or line end
// does not begin an exercise.
//
// Two files are equal only if a compiler would see the same tokens, so the end of a directive
// counts too, and so does the blank that tells `#define F (x)` from `#define F(x)`.  In doubt the
// files differ: to call a finished kernel untouched would be worse than the opposite.
#include "exercise/stub.h"

#include <string.h>

#include "base/cpp_lexer.h"

#define GLUE_PLACE 4  // the third token after #: is there a blank before it?

static struct cpp_lexer lexer_of(const char *text, size_t bytes) {
    size_t mark = bytes >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;  // byte order mark
    return cpp_open(text + mark, bytes - mark);
}

bool token_streams_equal(const char *a, size_t a_bytes, const char *b, size_t b_bytes) {
    struct cpp_lexer left = lexer_of(a, a_bytes);
    struct cpp_lexer right = lexer_of(b, b_bytes);
    struct cpp_token x;
    struct cpp_token y;
    int place = 0;  // in a directive, the # being 1; 0 outside
    bool more;
    do {
        more = cpp_next(&left, &x);
        if (cpp_next(&right, &y) != more) {
            return false;
        }
        bool counts = place > 0 || cpp_is_directive(&x) || cpp_is_directive(&y);
        if ((counts && x.fresh != y.fresh) || !cpp_equal(&x, &y)) {
            return false;
        }
        place = cpp_is_directive(&x) ? 1 : x.fresh || place == 0 ? 0 : place + 1;
        if (place == GLUE_PLACE && x.spaced != y.spaced) {
            return false;
        }
    } while (more);
    return true;
}
