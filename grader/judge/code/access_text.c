// Finds in the text of a kernel the access that a finding names: brackets are matched, nothing is
// parsed.  A name is a variable if the function declares it; macros, constants of the file and
// calls are not.
#include "judge/code/access_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/compose.h"
#include "base/memory.h"
#include "base/text.h"
#include "judge/submission/submission.h"

// The bracket that closes or opens the one at `at`; -1 if it is not on the line.
static int partner_of(const char *source, int at) {
    bool back = source[at] == ']' || source[at] == ')';
    int step = back ? -1 : 1;
    int depth = 0;
    for (int i = at; i >= 0 && source[i] != '\0'; i += step) {
        depth += strchr("[(", source[i]) != NULL;
        depth -= strchr("])", source[i]) != NULL;
        if (depth == 0) {
            return i;
        }
    }
    return -1;
}

// From the end of `a.b[i][j]` or `f(x)` to its start; `end` itself for any other text.
static int start_of(const char *source, int end) {
    int at = end;
    while (at >= 0 && (source[at] == ']' || source[at] == ')')) {
        int open = partner_of(source, at);
        if (open <= 0) {
            return end;
        }
        at = open - 1;
    }
    int start = at + 1;
    while (at >= 0 && (text_is_word(source[at]) || source[at] == '.')) {
        start = at--;
    }
    return start <= end ? start : end;
}

static struct source_span span_of(int start, int end) {
    return (struct source_span){(uint32_t)start, (uint32_t)(end - start + 1)};
}

// The `=` of the first assignment outside of brackets; -1 if there is none.
static int assignment_find(const char *source) {
    int depth = 0;
    for (int i = 0; source[i] != '\0'; i++) {
        depth += strchr("[({", source[i]) != NULL;
        depth -= strchr("])}", source[i]) != NULL;
        char before = i > 0 ? source[i - 1] : ' ';
        bool shifts = i > 1 && strchr("<>", before) && source[i - 2] == before;
        bool compares = source[i + 1] == '=' || (strchr("=!<>", before) && !shifts);
        if (source[i] == '=' && depth == 0 && !compares) {
            return i;
        }
    }
    return -1;
}

// The left side of an assignment, without the operator.
static struct source_span left_side(const char *source, int assignment) {
    int end = assignment - 1;
    while (end >= 0 && strchr(" +-*/%&|^<>", source[end])) {
        end--;
    }
    return end < 0 ? span_of(assignment, assignment) : span_of(start_of(source, end), end);
}

static struct source_span right_side(const char *source, int assignment) {
    int start = assignment + 1;
    start += (int)strspn(source + start, " ");
    int end = start + (int)strcspn(source + start, ";") - 1;
    return end < start ? span_of(assignment, assignment) : span_of(start, end);
}

// Of `row < M ? A[i] : 0` a compiler points at the `?`: the only element after it, or length 0.
static struct source_span chosen_element(const char *source, int question) {
    struct source_span span = {0, 0};
    int depth = 0;
    for (int i = question + 1; source[i] != '\0' && source[i] != ';' && depth >= 0; i++) {
        depth += source[i] == '(';
        depth -= source[i] == ')';
        if (source[i] == ',' && depth == 0) {
            break;
        }
        int close = source[i] == '[' ? partner_of(source, i) : -1;
        if (close > 0 && source[close + 1] == '[') {
            close = partner_of(source, close + 1);
        }
        if (close > 0) {
            if (span.length > 0) {
                return (struct source_span){0, 0};
            }
            span = span_of(start_of(source, close), close);
            i = close;
        }
    }
    return span;
}

// True if a word that ends before `after` gets a value there: `float4 v = …`.
static bool is_declared(const char *source, int after) {
    after += (int)strspn(source + after, " ");
    return source[after] == '=' && source[after + 1] != '=';
}

struct source_span mark_find(const char *source, uint32_t column, enum access_kind access) {
    size_t length = strlen(source);
    int at = (int)column;
    if (column >= length || source[at] == '{') {  // a whole function is not an expression
        return (struct source_span){0, 0};
    }
    // The column of `+=` is that of its first character.
    int operator_bytes = (int)strspn(source + at, "+-*/%&|^<>");
    bool compound = operator_bytes > 0 && source[at + operator_bytes] == '=';
    at += compound ? operator_bytes : 0;
    int assignment = source[at] == '=' || source[at] == ')' ? assignment_find(source) : -1;
    if (assignment >= 0 && (access == ACCESS_WRITE || compound)) {
        return left_side(source, assignment);
    }
    if (source[at] == '=' && access == ACCESS_READ && assignment >= 0) {
        return right_side(source, assignment);
    }
    if (source[at] == ']' || source[at] == ')') {
        return span_of(start_of(source, at), at);
    }
    if (source[at] == '(') {
        int end = source[at + 1] == ')' ? at + 1 : at - 1;
        return end < 0 ? span_of(at, at) : span_of(start_of(source, end), end);
    }
    struct source_span chosen =
        source[at] == '?' ? chosen_element(source, at) : (struct source_span){0, 0};
    if (chosen.length > 0) {
        return chosen;
    }
    int end = at;
    while (text_is_word(source[at]) && text_is_word(source[end + 1])) {
        end++;
    }
    if (text_is_word(source[at]) && access == ACCESS_READ && is_declared(source, end + 1)) {
        return right_side(source, assignment_find(source));
    }
    return span_of(at, end);
}

bool mark_names(const char *source, struct source_span mark, const char *name) {
    size_t length = strlen(name);
    return length > 0 && mark.length >= length && strncmp(source + mark.start, name, length) == 0 &&
           (mark.length == length || !text_is_word(source[mark.start + length]));
}

// Operators that change a variable.
static const char *const changes[] = {"=",  "+=", "-=", "*=", "/=",  "%=", "++",
                                      "--", "&=", "|=", "^=", "<<=", ">>="};

static const struct cpp_token *at(const struct index_watch *watch, int i) {
    return &watch->code.token[i];
}

static bool is(const struct index_watch *watch, int i, const char *text) {
    return i >= 0 && i < watch->code.count && cpp_is(at(watch, i), text);
}

// --- Variables ----------------------------------------------------------------------------------

// A word that ends a type, or begins a list of names: "int row", "float *p", ", col =".
static bool follows_type(const struct index_watch *watch, int i) {
    static const char *const others[] = {"return", "else",   "case",   "goto",   "sizeof",
                                         "do",     "delete", "new",    "throw",  "operator",
                                         "using",  "break",  "struct", "typedef"};
    const struct cpp_token *before = at(watch, i - 1);
    if (cpp_is(before, ",")) {
        return is(watch, i + 1, "=") || is(watch, i + 1, ";") || is(watch, i + 1, ",");
    }
    return before->kind == CPP_WORD && !cpp_is_any(before, others, COUNT(others));
}

// The last declaration of this name before `end`; -1 if the function has none.  If two are visible,
// the later one is the inner one.
static int declaration_of(const struct index_watch *watch, const struct cpp_token *name, int end) {
    static const char *const after[] = {"=", ";", ",", ")", ":"};
    for (int i = end - 1; i > watch->path.parameters_first; i--) {
        bool inside = i < watch->path.parameters_end || i > watch->path.body_first;
        bool parameter_end = i + 1 == watch->path.parameters_end;
        if (inside && cpp_equal(at(watch, i), name) && follows_type(watch, i) &&
            (parameter_end || cpp_is_any(at(watch, i + 1), after, COUNT(after)))) {
            return i;
        }
    }
    return -1;
}

// Where the variable that token i names is declared; -1 if it names none.
static int variable_at(const struct index_watch *watch, int i) {
    static const char *const uses[] = {"(", ".", "->", "[", "::", "<"};
    const struct cpp_token *token = at(watch, i);
    if (token->kind != CPP_WORD || is(watch, i - 1, ".") || is(watch, i - 1, "->") ||
        is(watch, i - 1, "::")) {
        return -1;
    }
    // `row < M` has a < too, but in an expression it has blanks around it.
    bool used = i + 1 < watch->code.count && cpp_is_any(at(watch, i + 1), uses, COUNT(uses) - 1);
    return used ? -1 : declaration_of(watch, token, watch->place);
}

// Adds the tokens as one value.  Returns its item, or -1 if there is no room or no name.
static int item_add(struct index_watch *watch, int first, int end, int declared) {
    struct watch_item item = {.first = first, .end = end, .declared = declared};
    for (int i = 0; i < watch->count; i++) {
        const struct watch_item *there = &watch->item[i];
        if (there->end - there->first == end - first &&
            code_same(&watch->code, there->first, first, end - first)) {
            return i;
        }
    }
    if (watch->count == WATCH_ITEMS_MAX ||
        !code_text(&watch->code, first, end, item.name, sizeof item.name)) {
        return -1;
    }
    watch->item[watch->count] = item;
    return watch->count++;
}

static void variables_add(struct index_watch *watch, int first, int end) {
    for (int i = first; i < end; i++) {
        int declared = variable_at(watch, i);
        if (declared >= 0) {
            (void)item_add(watch, i, i + 1, declared);
        }
    }
}

bool watch_is_fixed(const struct index_watch *watch, int item) {
    const struct watch_item *variable = &watch->item[item];
    if (variable->declared < 0) {
        return false;
    }
    for (int i = watch->path.body_first; i < watch->path.body_end; i++) {
        if (i == variable->declared || !cpp_equal(at(watch, i), at(watch, variable->declared))) {
            continue;
        }
        if (cpp_is_any(at(watch, i + 1), changes, COUNT(changes)) || is(watch, i - 1, "++") ||
            is(watch, i - 1, "--") || is(watch, i - 1, "&")) {
            return false;
        }
    }
    return true;
}

char watch_size_letter(const struct index_watch *watch, int item) {
    for (int i = 0; i < 3; i++) {
        if (item >= 0 && watch->size[i] == item) {
            return "MNK"[i];
        }
    }
    return '\0';
}

// --- The index ----------------------------------------------------------------------------------

// True for an expression that can be evaluated twice: it has no calls and changes nothing.
static bool is_pure(const struct index_watch *watch, int first, int end) {
    static const char *const fine[] = {"+", "-", "*",  "/",  "%", "(",
                                       ")", ".", "<<", ">>", "&", "|"};
    for (int i = first; i < end; i++) {
        const struct cpp_token *token = at(watch, i);
        bool calls = token->kind == CPP_WORD && is(watch, i + 1, "(") && i + 1 < end;
        bool known = token->kind == CPP_WORD || token->kind == CPP_NUMBER ||
                     cpp_is_any(token, fine, COUNT(fine));
        if (calls || !known) {
            return false;
        }
    }
    return first < end;
}

// Removes the parentheses around the whole expression.
static void strip(const struct index_watch *watch, int *first, int *end) {
    while (*end - *first > 2 && is(watch, *first, "(") &&
           code_partner(&watch->code, *first) == *end - 1) {
        (*first)++;
        (*end)--;
    }
}

// The next token outside of brackets that is this operator, from `i` on; `end` if there is none.
static int operator_find(const struct index_watch *watch, int i, int end, const char *text) {
    for (; i < end; i++) {
        if (is(watch, i, "(") || is(watch, i, "[")) {
            i = code_partner(&watch->code, i);
            if (i < 0) {
                return end;
            }
        } else if (is(watch, i, text)) {
            return i;
        }
    }
    return end;
}

// Is this one token a parameter of the function?
static bool is_parameter(const struct index_watch *watch, int first, int end) {
    int declared = end == first + 1 ? variable_at(watch, first) : -1;
    return declared >= 0 && declared < watch->path.parameters_end;
}

// In `a * b` with one `*`, the stride is a parameter, else the second factor.
static bool term_split(const struct index_watch *watch, int first, int end,
                       struct watch_parts *ret_parts) {
    int times = operator_find(watch, first, end, "*");
    if (times == end || operator_find(watch, times + 1, end, "*") != end ||
        operator_find(watch, first, end, "/") != end ||
        operator_find(watch, first, end, "%") != end) {
        return false;
    }
    int part[4] = {first, times, times + 1, end};
    strip(watch, &part[0], &part[1]);
    strip(watch, &part[2], &part[3]);
    bool swapped = is_parameter(watch, part[0], part[1]) && !is_parameter(watch, part[2], part[3]);
    ret_parts->row_first = part[swapped ? 2 : 0];
    ret_parts->row_end = part[swapped ? 3 : 1];
    ret_parts->stride_first = part[swapped ? 0 : 2];
    ret_parts->stride_end = part[swapped ? 1 : 3];
    return part[0] < part[1] && part[2] < part[3];
}

bool watch_split(const struct index_watch *watch, int first, int end,
                 struct watch_parts *ret_parts) {
    strip(watch, &first, &end);
    int plus = operator_find(watch, first, end, "+");
    if (plus == end || operator_find(watch, first, end, "-") != end ||
        !is_pure(watch, first, end)) {
        return false;
    }
    struct watch_parts parts;
    if (term_split(watch, first, plus, &parts) &&
        is_parameter(watch, parts.stride_first, parts.stride_end)) {
        parts.column_first = plus + 1;
        parts.column_end = end;
        *ret_parts = parts;
        return parts.column_first < end;
    }
    // The row may come last.
    int last = plus;
    for (int i = plus; i < end; i = operator_find(watch, i + 1, end, "+")) {
        last = i;
    }
    if (term_split(watch, last + 1, end, &parts) &&
        is_parameter(watch, parts.stride_first, parts.stride_end)) {
        parts.column_first = first;
        parts.column_end = last;
        *ret_parts = parts;
        return true;
    }
    // If no parameter is the stride, the row is the first term that is a product.
    if (term_split(watch, first, plus, &parts)) {
        parts.column_first = plus + 1;
        parts.column_end = end;
        *ret_parts = parts;
        return parts.column_first < end;
    }
    return false;
}

static void parts_add(struct index_watch *watch) {
    struct watch_parts parts;
    if (watch->brackets != 1 ||
        !watch_split(watch, watch->wrapped_first, watch->wrapped_end, &parts)) {
        return;
    }
    int first[] = {parts.row_first, parts.stride_first, parts.column_first};
    int end[] = {parts.row_end, parts.stride_end, parts.column_end};
    int *item[] = {&watch->row, &watch->stride, &watch->column};
    for (size_t i = 0; i < COUNT(item); i++) {
        strip(watch, &first[i], &end[i]);
        int declared = end[i] == first[i] + 1 ? variable_at(watch, first[i]) : -1;
        *item[i] = item_add(watch, first[i], end[i], declared);
    }
    if (watch->row < 0 || watch->stride < 0 || watch->column < 0) {
        watch->row = watch->stride = watch->column = -1;
    }
}

// --- The place ----------------------------------------------------------------------------------

// The divisor of the only division in the line.
static bool divisor_find(struct index_watch *watch, int line) {
    static const char *const divides[] = {"/", "%", "/=", "%="};
    int found = -1;
    for (int i = 0; i + 2 < watch->code.count; i++) {
        bool here = at(watch, i)->line == line && cpp_is_any(at(watch, i), divides, COUNT(divides));
        if (here && at(watch, i + 1)->kind != CPP_NUMBER) {
            if (found >= 0) {
                return false;
            }
            found = i + 1;
        }
    }
    if (found < 0) {
        return false;
    }
    watch->place = watch->wrapped_first = found;
    watch->wrapped_end = found + 1;
    if (is(watch, found, "(")) {
        watch->wrapped_end = code_partner(&watch->code, found) + 1;
    }
    return watch->wrapped_end > found && !is(watch, watch->wrapped_end, "(") &&
           !is(watch, watch->wrapped_end, ".") && !is(watch, watch->wrapped_end, "[");
}

// The last index of the marked tokens.
static bool index_find(struct index_watch *watch, int first, int end) {
    for (int i = end - 1; i > first; i--) {
        int open = is(watch, i, "]") ? code_partner(&watch->code, i) : -1;
        if (open < first) {
            continue;
        }
        watch->wrapped_first = open + 1;
        watch->wrapped_end = i;
        watch->brackets = 1;
        while (open > first && is(watch, open - 1, "]")) {
            open = code_partner(&watch->code, open - 1);
            watch->brackets++;
        }
        watch->place = open - 1;
        return watch->wrapped_first < i && open > 0;
    }
    return false;
}

// The condition that a finding names; for a `for`, its second part.
static bool guard_find(struct index_watch *watch, const struct judged_finding *finding) {
    struct code_path path;
    int barrier =
        code_token_at(&watch->code, (int)finding->finding.line, (int)finding->shown.column);
    if (barrier < 0 || !code_path_find(&watch->code, barrier, &path)) {
        return false;
    }
    for (int i = path.count - 1; i >= 0; i--) {
        const struct around *around = &path.around[i];
        if (around->line != (int)finding->guard.line || around->kind == AROUND_EMPTY ||
            around->kind == AROUND_SWITCH) {
            continue;
        }
        int first = operator_find(watch, around->head_first, around->head_end, ";");
        bool is_for = first < around->head_end;
        watch->wrapped_first = is_for ? first + 1 : around->head_first;
        watch->wrapped_end =
            is_for ? operator_find(watch, first + 1, around->head_end, ";") : around->head_end;
        watch->place = watch->wrapped_first;
        watch->holds = around->kind != AROUND_LEAVE && around->kind != AROUND_ELSE;
        return watch->wrapped_end > watch->wrapped_first;
    }
    return false;
}

static bool place_find(struct index_watch *watch, const struct judged_finding *finding) {
    int line = (int)finding->finding.line;
    if (finding->finding.kind == FINDING_BARRIER_DIVERGENCE) {
        return guard_find(watch, finding);
    }
    if (finding->finding.kind == FINDING_CRASH) {
        return finding->finding.detail == CRASH_DIVISION_BY_ZERO && divisor_find(watch, line);
    }
    int indent = (int)submitted_indent(watch->code.text, watch->code.bytes, (unsigned)line);
    int column = indent + (int)finding->shown.mark.start + 1;
    int first = code_token_at(&watch->code, line, column);
    int last = code_token_at(&watch->code, line, column + (int)finding->shown.mark.length - 1);
    return finding->shown.mark.length > 0 && first >= 0 && last >= first &&
           index_find(watch, first, last + 1);
}

// True if the index has no side effects, so that its variables are the same before and after it.
// Calls may be of macros and of functions that only compute.
static bool changes_nothing(const struct index_watch *watch, int first, int end) {
    static const char *const computes[] = {"min", "max", "ceil_div", "__ldg", "int", "unsigned"};
    for (int i = first; i < end; i++) {
        char name[VALUE_NAME_MAX];
        cpp_copy(at(watch, i), name, sizeof name);
        bool calls = at(watch, i)->kind == CPP_WORD && is(watch, i + 1, "(");
        bool is_macro = strpbrk(name, "abcdefghijklmnopqrstuvwxyz") == NULL;
        if (cpp_is_any(at(watch, i), changes, COUNT(changes)) ||
            (calls && !is_macro && !cpp_is_any(at(watch, i), computes, COUNT(computes)))) {
            return false;
        }
    }
    return true;
}

// --- All of it ----------------------------------------------------------------------------------

// The parameters of the kernel that the grader calls.
static void sizes_add(struct index_watch *watch, const char *kernel) {
    const struct code_path *path = &watch->path;
    int name[6];
    int count = 0;
    if (!is(watch, path->parameters_first - 2, kernel)) {
        return;
    }
    for (int i = path->parameters_first; i < path->parameters_end; i++) {
        bool ends = i + 1 == path->parameters_end || is(watch, i + 1, ",");
        if (ends && count < 6) {
            name[count++] = i;
        }
    }
    for (int i = 0; i < 3 && count == 6; i++) {
        watch->matrix[i] = name[i];
        int declared = declaration_of(watch, at(watch, name[3 + i]), watch->place);
        watch->size[i] = item_add(watch, name[3 + i], name[3 + i] + 1, declared);
        watch->sizes_line = at(watch, name[3])->line;
    }
}

// The part of the statement before the place, such as the condition of `row < M ?  A[i] : 0`: from
// the last assignment on.
static int choice_first(const struct index_watch *watch) {
    static const char *const assigns[] = {"=", "+=", "-=", "*=", "/="};
    int first = watch->path.in_head ? watch->place : watch->path.statement_first;
    int from = watch->place;
    for (int i = watch->place - 1; i >= first && from == watch->place; i--) {
        from = cpp_is_any(at(watch, i), assigns, COUNT(assigns)) ? i + 1 : from;
    }
    return from;
}

struct index_watch watch_choose(const char *text, size_t bytes,
                                const struct judged_finding *finding, const char *kernel) {
    struct index_watch watch = {
        .row = -1, .stride = -1, .column = -1, .matrix = {-1, -1, -1}, .size = {-1, -1, -1}};
    watch.code = code_open(text, bytes);
    if (place_find(&watch, finding) &&
        changes_nothing(&watch, watch.wrapped_first, watch.wrapped_end) &&
        code_path_find(&watch.code, watch.place, &watch.path) &&
        watch.place > watch.path.body_first) {
        parts_add(&watch);
        variables_add(&watch, watch.place, watch.wrapped_end);
        for (int i = watch.path.count - 1; i >= 0; i--) {
            variables_add(&watch, watch.path.around[i].head_first, watch.path.around[i].head_end);
        }
        variables_add(&watch, choice_first(&watch), watch.place);
        if (watch.count > 0) {
            sizes_add(&watch, kernel);
        }
    }
    return watch;
}

void watch_done(struct index_watch *watch) {
    code_done(&watch->code);
    watch->count = 0;
}

static void tokens_put(const struct index_watch *watch, int first, int end, FILE *out) {
    const char *start = at(watch, first)->at;
    const struct cpp_token *last = at(watch, end - 1);
    (void)fwrite(start, 1, (size_t)(last->at + last->bytes - start), out);
}

char *watch_write(const struct index_watch *watch) {
    const struct code *code = &watch->code;
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = xopen_memstream(&text, &bytes);
    const char *start = at(watch, watch->wrapped_first)->at;
    const struct cpp_token *last = at(watch, watch->wrapped_end - 1);
    const char *end = last->at + last->bytes;
    (void)fwrite(code->text, 1, (size_t)(start - code->text), out);
    (void)fputs("__tilegrade_note((", out);
    tokens_put(watch, watch->wrapped_first, watch->wrapped_end, out);
    (void)fputc(')', out);
    for (int i = 0; i < watch->count; i++) {
        (void)fputs(", (", out);
        // On one line, so that other lines keep their numbers.
        (void)fputs(watch->item[i].name, out);
        (void)fputc(')', out);
    }
    (void)fputc(')', out);
    (void)fwrite(end, 1, code->bytes - (size_t)(end - code->text), out);
    xclose_memstream(out, &text);
    return text;
}

#define CALLED_MAX   12
#define ARGUMENT_MAX 96  // bytes shown of an argument

// Tokens of each part of a list, without the commas.
struct list {
    int count;
    int first[CALLED_MAX], end[CALLED_MAX];
};

static const struct cpp_token *caller_token(const struct index_watch *watch, int i) {
    return &watch->code.token[i];
}

// Splits the tokens from first to end - 1 at the commas outside of brackets.
static bool list_read(const struct index_watch *watch, int first, int end, struct list *ret_list) {
    *ret_list = (struct list){.count = 0};
    int from = first;
    for (int i = first; i <= end; i++) {
        bool opens =
            i < end && (cpp_is(caller_token(watch, i), "(") ||
                        cpp_is(caller_token(watch, i), "[") || cpp_is(caller_token(watch, i), "{"));
        if (opens) {
            i = code_partner(&watch->code, i);
            if (i < 0) {
                return false;
            }
        } else if (i == end || cpp_is(caller_token(watch, i), ",")) {
            if (ret_list->count == CALLED_MAX || from == i) {
                return false;
            }
            ret_list->first[ret_list->count] = from;
            ret_list->end[ret_list->count++] = i;
            from = i + 1;
        }
    }
    return true;
}

// True for a call of the helper; a declaration has a type before the name.
static bool is_call(const struct index_watch *watch, int i, const struct cpp_token *name) {
    const struct cpp_token *before = caller_token(watch, i - 1);
    return cpp_equal(caller_token(watch, i), name) && cpp_is(caller_token(watch, i + 1), "(") &&
           i + 2 != watch->path.parameters_first &&
           (before->kind != CPP_WORD || cpp_is(before, "return")) && !cpp_is(before, "*") &&
           !cpp_is(before, "&");
}

// The parameter that the access indexes; -1 if it indexes something else.
static int array_parameter(const struct index_watch *watch, const struct list *parameters) {
    for (int p = 0; p < parameters->count; p++) {
        if (cpp_equal(caller_token(watch, parameters->end[p] - 1),
                      caller_token(watch, watch->place))) {
            return p;
        }
    }
    return -1;
}

// The only call that passes the array, and its arguments. -1: there is none, or more than one.
static int call_find(const struct index_watch *watch, const struct judged_finding *finding,
                     const struct list *parameters, struct list *ret_arguments) {
    const struct cpp_token *name = caller_token(watch, watch->path.parameters_first - 2);
    int array = array_parameter(watch, parameters);
    int found = -1;
    for (int i = 1; array >= 0 && i + 1 < watch->code.count; i++) {
        struct list arguments;
        if (!is_call(watch, i, name)) {
            continue;
        }
        int close = code_partner(&watch->code, i + 1);
        if (close < 0 || !list_read(watch, i + 2, close, &arguments) ||
            arguments.count != parameters->count) {
            return -1;
        }
        int only = arguments.first[array];
        bool here = finding->finding.call_line == 0 ||
                    caller_token(watch, i)->line == (int)finding->finding.call_line;
        if (here && arguments.end[array] == only + 1 &&
            cpp_is(caller_token(watch, only), finding->array)) {
            if (found >= 0) {
                return -1;
            }
            found = i;
            *ret_arguments = arguments;
        }
    }
    return found;
}

// True if the index uses the parameter.
static bool is_used(const struct index_watch *watch, const struct cpp_token *parameter) {
    for (int i = watch->wrapped_first; i < watch->wrapped_end; i++) {
        if (cpp_equal(caller_token(watch, i), parameter)) {
            return true;
        }
    }
    return false;
}

void explain_caller(const struct index_watch *watch, struct judged_finding *finding,
                    char sentences[ERROR_TEXT_MAX]) {
    struct list parameters;
    struct list arguments;
    char text[CLAUSE_MAX] = "";
    size_t used = 0;
    if (watch->matrix[0] >= 0 || finding->array[0] == '\0' ||
        !list_read(watch, watch->path.parameters_first, watch->path.parameters_end, &parameters)) {
        return;
    }
    int call = call_find(watch, finding, &parameters, &arguments);
    for (int p = 0; call >= 0 && p < parameters.count; p++) {
        const struct cpp_token *parameter = caller_token(watch, parameters.end[p] - 1);
        char name[VALUE_NAME_MAX];
        char argument[ARGUMENT_MAX];
        cpp_copy(parameter, name, sizeof name);
        if (!is_used(watch, parameter) ||
            !code_text(&watch->code, arguments.first[p], arguments.end[p], argument,
                       sizeof argument) ||
            used + sizeof name + sizeof argument + 8 > sizeof text) {
            continue;
        }
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s = %s", used > 0 ? ", " : "",
                                 name, argument);
    }
    finding->names_call = used > 0;
    if (used > 0) {
        words_sentence(sentences, ERROR_TEXT_MAX, "The call is in line %d, with %s.",
                       caller_token(watch, call)->line, text);
    }
}
