// Recursive descent over statements: see statements.h.
#include "judge/code/statements.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/memory.h"

#define TOKENS_FIRST 1024
#define DEPTH_MAX    64

struct code code_open(const char *text, size_t bytes) {
    struct cpp_lexer lexer = cpp_open(text, bytes);
    struct code code = {.text = text, .bytes = bytes};
    struct cpp_token token;
    int room = 0;
    bool directive = false;
    while (cpp_next(&lexer, &token)) {
        directive = (directive && !token.fresh) || cpp_is_directive(&token);
        if (directive) {
            continue;
        }
        if (code.count == room) {
            room = room > 0 ? 2 * room : TOKENS_FIRST;
            code.token = xrealloc(code.token, (size_t)room * sizeof *code.token);
        }
        code.token[code.count++] = token;
    }
    return code;
}

void code_done(struct code *code) {
    free(code->token);
    *code = (struct code){.count = 0};
}

int code_token_at(const struct code *code, int line, int column) {
    for (int i = 0; i < code->count; i++) {
        const struct cpp_token *token = &code->token[i];
        const char *start = token->at;
        while (token->line == line && start > code->text && start[-1] != '\n') {
            start--;
        }
        int at = 1 + (int)(token->at - start);
        if (token->line == line && at <= column && column < at + (int)token->bytes) {
            return i;
        }
    }
    return -1;
}

static bool opens(const struct cpp_token *token) {
    return cpp_begins(token, '(') || cpp_begins(token, '[') || cpp_begins(token, '{');
}

static bool closes(const struct cpp_token *token) {
    return cpp_begins(token, ')') || cpp_begins(token, ']') || cpp_begins(token, '}');
}

int code_partner(const struct code *code, int at) {
    int step = closes(&code->token[at]) ? -1 : 1;
    int depth = 0;
    for (int i = at; i >= 0 && i < code->count; i += step) {
        depth += opens(&code->token[i]);
        depth -= closes(&code->token[i]);
        if (depth == 0) {
            return i;
        }
    }
    return -1;
}

bool code_text(const struct code *code, int first, int end, char *text, size_t text_bytes) {
    size_t used = 0;
    for (int i = first; i < end; i++) {
        size_t gap = i > first && code->token[i].spaced;
        if (used + gap + code->token[i].bytes >= text_bytes) {
            return false;
        }
        if (gap > 0) {
            text[used++] = ' ';
        }
        cpp_copy(&code->token[i], text + used, text_bytes - used);
        used += strlen(text + used);
    }
    text[used] = '\0';
    return true;
}

bool code_same(const struct code *code, int a, int b, int count) {
    for (int i = 0; i < count; i++) {
        if (a + i >= code->count || b + i >= code->count ||
            !cpp_equal(&code->token[a + i], &code->token[b + i])) {
            return false;
        }
    }
    return true;
}

// --- Statements ---------------------------------------------------------------------------------

struct statement_search {
    const struct code *code;
    int target;
    int end;  // of the function's body
    bool found, failed;
    struct code_path *path;
};

static const struct cpp_token *token_of(const struct statement_search *search, int i) {
    return &search->code->token[i];
}

static bool holds(const struct statement_search *search, int first, int end) {
    return first <= search->target && search->target < end;
}

// Adds a construct around the statements that follow.  Once the place is found, nothing changes.
static void push(struct statement_search *search, struct around around) {
    if (search->found) {
        return;
    }
    if (search->path->count == CODE_PATH_MAX) {
        search->failed = true;
        return;
    }
    search->path->around[search->path->count++] = around;
}

static void pop_to(struct statement_search *search, int count) {
    if (!search->found) {
        search->path->count = count;
    }
}

static void found_in(struct statement_search *search, int first, int end, bool in_head) {
    if (!search->found && holds(search, first, end)) {
        search->found = true;
        search->path->statement_first = first;
        search->path->statement_end = end;
        search->path->in_head = in_head;
    }
}

static int statement(struct statement_search *search, int at, int depth);

// Up to the `;` outside of brackets.  A place in braces, as in a lambda, is not understood.
static int simple(struct statement_search *search, int at) {
    for (int i = at; i < search->end; i++) {
        if (opens(token_of(search, i))) {
            int close = code_partner(search->code, i);
            if (close < 0 || close >= search->end) {
                break;
            }
            search->failed |=
                cpp_begins(token_of(search, i), '{') && holds(search, i, close) && !search->found;
            i = close;
        } else if (cpp_begins(token_of(search, i), ';')) {
            found_in(search, at, i + 1, false);
            return i + 1;
        }
    }
    search->failed = true;
    return search->end;
}

static int block(struct statement_search *search, int at, int depth) {
    int close = code_partner(search->code, at);
    int before = search->path->count;
    if (close < 0 || close > search->end) {
        search->failed = true;
        return search->end;
    }
    for (int i = at + 1; i < close && !search->failed;) {
        i = statement(search, i, depth + 1);
    }
    pop_to(search, before);
    return close + 1;
}

// The parentheses after `if`, `for` …: returns the token after them; -1 if there are none.
static int head_read(struct statement_search *search, int at, struct around *around) {
    int open = at + 1;
    if (open < search->end && cpp_is(token_of(search, open), "constexpr")) {
        open++;
    }
    int close = open < search->end && cpp_begins(token_of(search, open), '(')
                    ? code_partner(search->code, open)
                    : -1;
    if (close < 0 || close >= search->end) {
        search->failed = true;
        return -1;
    }
    around->line = token_of(search, at)->line;
    around->head_first = open + 1;
    around->head_end = close;
    around->first = at;
    found_in(search, at, close, true);
    return close + 1;
}

// The body of the construct.
static int body(struct statement_search *search, int at, struct around around, int depth) {
    int before = search->path->count;
    push(search, around);
    int end = statement(search, at, depth + 1);
    if (search->found && before < search->path->count &&
        search->path->around[before].first == around.first) {
        search->path->around[before].end = end;
    }
    pop_to(search, before);
    return end;
}

// Does the body, at most one statement in braces, do nothing but leave the function or the loop?
static bool leaves(const struct statement_search *search, int first) {
    static const char *const words[] = {"return", "break", "continue"};
    int at = first + (cpp_begins(token_of(search, first), '{') ? 1 : 0);
    return at < search->end && cpp_is_any(token_of(search, at), words, COUNT(words));
}

static int if_statement(struct statement_search *search, int at, int depth) {
    struct around around = {.kind = AROUND_IF};
    bool found = search->found;
    int then = head_read(search, at, &around);
    if (then < 0) {
        return search->end;
    }
    search->path->in_if_head |= search->found && !found;
    bool empty = cpp_begins(token_of(search, then), ';');
    bool before = leaves(search, then);
    int end = body(search, then, around, depth);
    if (end < search->end && cpp_is(token_of(search, end), "else")) {
        around.kind = AROUND_ELSE;
        return body(search, end + 1, around, depth);
    }
    if (empty || before) {
        around.kind = empty ? AROUND_EMPTY : AROUND_LEAVE;
        around.end = end;
        push(search, around);  // until the block ends
    }
    return end;
}

static int loop(struct statement_search *search, int at, enum around_kind kind, int depth) {
    struct around around = {.kind = kind};
    int first = head_read(search, at, &around);
    return first < 0 ? search->end : body(search, first, around, depth);
}

static int do_statement(struct statement_search *search, int at, int depth) {
    struct around around = {
        .kind = AROUND_DO, .line = token_of(search, at)->line, .first = at, .head_first = at};
    around.head_end = at;
    return simple(search, body(search, at + 1, around, depth));
}

// Returns the token after the statement.
static int statement(struct statement_search *search, int at, int depth) {
    const struct cpp_token *token = token_of(search, at);
    if (depth > DEPTH_MAX || at >= search->end) {
        search->failed = true;
        return search->end;
    }
    if (cpp_begins(token, '{')) {
        return block(search, at, depth);
    }
    if (cpp_is(token, "if")) {
        return if_statement(search, at, depth);
    }
    if (cpp_is(token, "for") || cpp_is(token, "while")) {
        return loop(search, at, AROUND_LOOP, depth);
    }
    if (cpp_is(token, "switch")) {
        return loop(search, at, AROUND_SWITCH, depth);
    }
    return cpp_is(token, "do") ? do_statement(search, at, depth) : simple(search, at);
}

bool code_path_find(const struct code *code, int token, struct code_path *ret_path) {
    for (int i = 0; i < code->count && i <= token; i++) {
        int close = cpp_begins(&code->token[i], '{') ? code_partner(code, i) : -1;
        bool is_function = close > 0 && i > 0 && cpp_begins(&code->token[i - 1], ')');
        if (is_function && token < close) {
            int open = code_partner(code, i - 1);
            struct code_path path = {.body_first = i,
                                     .body_end = close + 1,
                                     .parameters_first = open + 1,
                                     .parameters_end = i - 1};
            struct statement_search search = {
                .code = code, .target = token, .end = close + 1, .path = &path};
            (void)block(&search, i, 0);
            *ret_path = path;
            return open >= 0 && search.found && !search.failed;
        }
        i = is_function ? close : i;
    }
    return false;
}
