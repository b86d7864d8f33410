// Sentences about the values of a finding's variables: the index that is too large, and the
// condition that should have kept the thread out.  A sentence is written only if it follows from
// the values or the tokens.
#include "judge/say/values_story.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/basics.h"
#include "base/compose.h"
#include "judge/code/access_text.h"
#include "judge/say/finding_facts.h"

// The dimension in which an access exceeds its array.
struct excess {
    int item;             // item of the index; -1: unknown
    int64_t limit;        // the item should be below this
    bool is_row;          // else column
    bool has_no_element;  // the thread has no element of C
    bool is_along_k;      // it is a column of A or a row of B
};

struct telling {
    struct judged_finding *finding;
    const struct index_watch *watch;
    const int64_t *number;  // of watch->item
    int64_t rows, columns;  // of the array; 0: not A, B or C
    bool is_wrong_stride;   // the index multiplies a nonzero row by a number other than columns
    struct excess excess;
    bool shows[WATCH_ITEMS_MAX];
    char more[ERROR_TEXT_MAX];
};

static inline const struct cpp_token *telling_token(const struct telling *telling, int i) {
    return &telling->watch->code.token[i];
}

static inline bool telling_knows(const struct telling *telling, int item) {
    return item >= 0 && telling->number[item] != VALUE_NONE;
}

// One comparison of a condition with a variable in it.
struct condition_comparison {
    int first, end;  // its tokens
    int other;       // the item on the other side
    bool is_true;    // with the values here
};

static bool compares(const char *operator, int64_t left, int64_t right) {
    bool equal = operator[1] == '=';
    return operator[0] == '<' ? left < right || (equal && left == right)
                              : left> right ||(equal &&left == right);
}

// The item whose tokens end at `end`, or begin at `first`, and are a whole operand; -1 if there is
// none.
static int operand_find(const struct telling *telling, int first, int end, bool from_end) {
    static const char *const around[] = {"(", ")", "&&", "||", "!", ";", ",", "?"};
    const struct index_watch *watch = telling->watch;
    for (int i = 0; i < watch->count; i++) {
        const struct watch_item *item = &watch->item[i];
        int length = item->end - item->first;
        int begin = from_end ? end - length : first;
        int edge = from_end ? begin - 1 : begin + length;
        bool alone = edge < first || edge >= end ||
                     cpp_is_any(telling_token(telling, edge), around, COUNT(around));
        if (begin >= first && begin + length <= end && alone && telling_knows(telling, i) &&
            code_same(&watch->code, item->first, begin, length)) {
            return i;
        }
    }
    return -1;
}

// The first comparison of the item with another one; false if there is none.
static bool comparison_find(const struct telling *telling, int item, int first, int end,
                            struct condition_comparison *ret_comparison) {
    static const char *const operators[] = {"<", "<=", ">", ">="};
    const struct watch_item *items = telling->watch->item;
    for (int i = first + 1; i + 1 < end; i++) {
        for (size_t o = 0; o < COUNT(operators); o++) {
            if (!cpp_is(telling_token(telling, i), operators[o])) {
                continue;
            }
            int left = operand_find(telling, first, i, true);
            int right = operand_find(telling, i + 1, end, false);
            if (left < 0 || right < 0 || (left != item && right != item)) {
                continue;
            }
            *ret_comparison = (struct condition_comparison){
                .first = i - (items[left].end - items[left].first),
                .end = i + 1 + (items[right].end - items[right].first),
                .other = left == item ? right : left,
                .is_true = compares(operators[o], telling->number[left], telling->number[right])};
            return true;
        }
    }
    return false;
}

// True if the tokens [first, end) contain those of the item.
static bool telling_mentions(const struct telling *telling, int item, int first, int end) {
    const struct watch_item *wanted = &telling->watch->item[item];
    int length = wanted->end - wanted->first;
    for (int i = first; i + length <= end; i++) {
        if (code_same(&telling->watch->code, wanted->first, i, length)) {
            return true;
        }
    }
    return false;
}

// The condition that should have kept the thread out. passes: its value for threads that come here.
struct check {
    const struct around *around;
    int line, first, end;
    bool passes;
};

// One sentence about a condition and the excess.
static void check_tell(struct telling *telling, const struct check *check) {
    struct condition_comparison comparison;
    char text[3 * VALUE_NAME_MAX];
    int item = telling->excess.item;
    bool loops = check->around && check->around->kind == AROUND_LOOP;
    char *more = telling->more;
    if (!comparison_find(telling, item, check->first, check->end, &comparison) ||
        !code_text(&telling->watch->code, comparison.first, comparison.end, text, sizeof text)) {
        if (!loops) {
            words_sentence(more, ERROR_TEXT_MAX, "The check in line %d let it pass.", check->line);
        }
        return;
    }
    // If the thread has no element of C, the check is wrong; else it may be meant for another
    // array.
    if (!loops && !telling->excess.has_no_element &&
        telling->number[comparison.other] != telling->excess.limit) {
        return;
    }
    // A loop over the products goes far enough, but its variable is used as a row or a column.
    if (loops && !telling->excess.is_along_k &&
        telling->number[comparison.other] == telling->finding->size.k) {
        return;
    }
    telling->shows[comparison.other] = true;
    if (loops && comparison.is_true) {
        words_sentence(more, ERROR_TEXT_MAX, "The loop in line %d goes that far: %s is true there.",
                       check->line, text);
    } else if (!loops && comparison.is_true == check->passes) {
        words_sentence(more, ERROR_TEXT_MAX,
                       comparison.is_true
                           ? _("The check in line %d let it pass, because %s is true here.")
                           : _("The check in line %d let it pass, because %s is false here."),
                       check->line, text);
    } else if (!loops) {
        words_sentence(more, ERROR_TEXT_MAX,
                       comparison.is_true
                           ? _("The check in line %d let it pass, although %s is true here.")
                           : _("The check in line %d let it pass, although %s is false here."),
                       check->line, text);
    }
}

// The condition of `row < M ?  A[i] : 0` around the place; false if there is none. *ret_odd: the
// statement has other conditions.
static bool choice_find(const struct telling *telling, struct check *ret_check, bool *ret_odd) {
    static const char *const odd[] = {"?", ":", "&&", "||"};
    static const char *const before[] = {"=", "+=", "-=", "*=", "return"};
    const struct index_watch *watch = telling->watch;
    int first = watch->path.statement_first;
    int question = -1;
    bool passes = true;
    *ret_odd = watch->path.in_head;
    for (int i = first; i < watch->place; i++) {
        bool colon = cpp_is(telling_token(telling, i), ":");
        *ret_odd |= cpp_is_any(telling_token(telling, i), odd, COUNT(odd));
        question = cpp_is(telling_token(telling, i), "?") ? i : question;
        passes = question == i || (passes && !colon);
    }
    if (question < 0 || watch->path.in_head) {
        return false;
    }
    int from = question;
    while (from > first && !cpp_is_any(telling_token(telling, from - 1), before, COUNT(before)) &&
           !cpp_is(telling_token(telling, from - 1), "?") &&
           !cpp_is(telling_token(telling, from - 1), ":")) {
        from--;
    }
    *ret_check = (struct check){.line = telling_token(telling, from)->line,
                                .first = from,
                                .end = question,
                                .passes = passes};
    return from < question;
}

// The nearest condition that mentions the item.
static bool check_find(const struct telling *telling, int item, struct check *ret_check) {
    const struct code_path *path = &telling->watch->path;
    bool odd = false;
    if (choice_find(telling, ret_check, &odd) &&
        telling_mentions(telling, item, ret_check->first, ret_check->end)) {
        return true;
    }
    for (int i = path->count - 1; i >= 0; i--) {
        const struct around *around = &path->around[i];
        bool decides = around->kind == AROUND_IF || around->kind == AROUND_LOOP ||
                       around->kind == AROUND_LEAVE || around->kind == AROUND_EMPTY;
        if (decides && telling_mentions(telling, item, around->head_first, around->head_end)) {
            *ret_check = (struct check){.around = around,
                                        .line = around->line,
                                        .first = around->head_first,
                                        .end = around->head_end,
                                        .passes = around->kind != AROUND_LEAVE};
            return true;
        }
    }
    return false;
}

// Is a variable of the excess in the condition?
static bool looks_at_part(const struct telling *telling, int first, int end) {
    const struct watch_item *item = &telling->watch->item[telling->excess.item];
    for (int i = item->first; i < item->end; i++) {
        for (int j = first; j < end && telling_token(telling, i)->kind == CPP_WORD; j++) {
            if (cpp_equal(telling_token(telling, i), telling_token(telling, j))) {
                return true;
            }
        }
    }
    return false;
}

// Reports that the condition tests something else, if it compares a variable.
static bool unlooked_tell(struct telling *telling, int line, int first, int end) {
    const struct index_watch *watch = telling->watch;
    struct condition_comparison comparison;
    for (int v = 0; v < watch->count && !looks_at_part(telling, first, end); v++) {
        if (watch_size_letter(watch, v) == '\0' &&
            comparison_find(telling, v, first, end, &comparison)) {
            telling->shows[v] = true;
            words_sentence(telling->more, ERROR_TEXT_MAX,
                           "The check in line %d does not look at %s.", line,
                           watch->item[telling->excess.item].name);
            return true;
        }
    }
    return false;
}

// Tells of a thread that no condition on this variable kept out.
static void unchecked_tell(struct telling *telling) {
    const struct index_watch *watch = telling->watch;
    struct check choice;
    bool odd = false;
    // The only condition around this access is meant for it.
    if (choice_find(telling, &choice, &odd)) {
        for (int i = watch->path.statement_first; i < choice.first; i++) {
            if (cpp_is(telling_token(telling, i), "?")) {
                return;
            }
        }
        (void)unlooked_tell(telling, choice.line, choice.first, choice.end);
        return;
    }
    if (odd || !telling->excess.has_no_element) {
        return;
    }
    for (int i = watch->path.count - 1; i >= 0; i--) {
        const struct around *around = &watch->path.around[i];
        bool is_if = around->kind == AROUND_IF || around->kind == AROUND_LEAVE;
        if (is_if && unlooked_tell(telling, around->line, around->head_first, around->head_end)) {
            return;
        }
        if (around->kind != AROUND_LOOP) {
            return;  // the condition is not understood
        }
    }
    words_sentence(telling->more, ERROR_TEXT_MAX, "No check keeps it out.");
}

// Adds to telling->more the condition that let the thread with the excess pass, or that no
// condition tests it; marks the values that show this.
static void telling_conditions(struct telling *telling) {
    struct check check;
    if (!check_find(telling, telling->excess.item, &check)) {
        unchecked_tell(telling);
    } else if (check.around && check.around->kind == AROUND_EMPTY) {
        for (int i = 0; i < telling->watch->count; i++) {
            telling->shows[i] |= telling_mentions(telling, i, check.first, check.end);
        }
        words_sentence(telling->more, ERROR_TEXT_MAX,
                       "The `if` in line %d ends at its `;`, so it keeps no thread out.",
                       check.line);
    } else {
        for (int i = 0; i < telling->watch->count; i++) {
            telling->shows[i] |= watch_size_letter(telling->watch, i) == '\0' &&
                                 telling_mentions(telling, i, check.first, check.end);
        }
        check_tell(telling, &check);
    }
}

static int64_t element_bytes_of(const struct telling *telling) {
    const struct signature *signature = finding_signature(telling->finding);
    uint32_t array = telling->finding->finding.array;
    bool has = telling->finding->finding.space == SPACE_GLOBAL &&
               array < (uint32_t)signature->parameter_count;
    return has ? (int64_t)element_bytes(signature->parameter[array].element) : 0;
}

// --- Which index --------------------------------------------------------------------------------

static void extents_find(struct telling *telling) {
    const struct finding *seen = &telling->finding->finding;
    struct size size = telling->finding->size;
    if (seen->space == SPACE_GLOBAL && seen->array < MATRIX_COUNT &&
        finding_signature(telling->finding)->is_matmul) {
        telling->rows = seen->array == ARRAY_B ? size.k : size.m;
        telling->columns = seen->array == ARRAY_A ? size.k : size.n;
        return;
    }
    const struct signature *signature = finding_signature(telling->finding);
    if (seen->space == SPACE_GLOBAL && seen->array < (uint32_t)signature->parameter_count &&
        signature->parameter[seen->array].rank <= 2) {
        const struct parameter *parameter = &signature->parameter[seen->array];
        bool has_rows = parameter->rank == 2;
        telling->rows = has_rows ? (int64_t)parameter_extent(signature, parameter, 0, size) : 0;
        telling->columns = (int64_t)parameter_extent(signature, parameter, has_rows ? 1 : 0, size);
    }
}

// True if the index belongs to the array itself, and is `row * stride + column` with these values.
static bool splits(const struct telling *telling, int64_t index) {
    const struct index_watch *watch = telling->watch;
    const struct finding *seen = &telling->finding->finding;
    if (telling->rows == 0 || !telling_knows(telling, watch->row) ||
        !telling_knows(telling, watch->stride) || !telling_knows(telling, watch->column) ||
        index < INT32_MIN || index > INT32_MAX ||
        seen->offset != index * element_bytes_of(telling)) {
        return false;
    }
    int64_t product = 0;
    int64_t sum = 0;
    return !__builtin_mul_overflow(telling->number[watch->row], telling->number[watch->stride],
                                   &product) &&
           !__builtin_add_overflow(product, telling->number[watch->column], &sum) && sum == index;
}

// Does the function use this matrix with this variable as the row, or as the column?
static bool indexes(const struct telling *telling, int matrix, const struct cpp_token *name,
                    bool is_row) {
    const struct index_watch *watch = telling->watch;
    const struct code *code = &watch->code;
    int token = watch->matrix[matrix];
    for (int i = watch->path.body_first; token >= 0 && i + 1 < watch->path.body_end; i++) {
        struct watch_parts parts;
        if (!cpp_is(telling_token(telling, i + 1), "[") ||
            !cpp_equal(telling_token(telling, i), telling_token(telling, token)) ||
            !watch_split(watch, i + 2, code_partner(code, i + 1), &parts)) {
            continue;
        }
        int first = is_row ? parts.row_first : parts.column_first;
        int end = is_row ? parts.row_end : parts.column_end;
        if (end == first + 1 && cpp_equal(telling_token(telling, first), name)) {
            return true;
        }
    }
    return false;
}

// Sets the excess of an access whose stride is the length of a row.
static void excess_find(struct telling *telling) {
    const struct index_watch *watch = telling->watch;
    uint32_t array = telling->finding->finding.array;
    struct excess *excess = &telling->excess;
    bool by_row = telling->number[watch->row] >= telling->rows;
    if (!by_row && telling->number[watch->column] < telling->columns) {
        return;
    }
    excess->is_row = by_row;
    excess->item = by_row ? watch->row : watch->column;
    excess->limit = by_row ? telling->rows : telling->columns;
    bool of_c = array == ARRAY_C || (array == ARRAY_A && by_row) || (array == ARRAY_B && !by_row);
    const struct watch_item *item = &watch->item[excess->item];
    const struct cpp_token *name = telling_token(telling, item->first);
    // A variable that is both a column of B and a row of C is misplaced, not too large.
    excess->has_no_element = of_c && item->declared >= 0 && watch_is_fixed(watch, excess->item) &&
                             indexes(telling, ARRAY_C, name, by_row) &&
                             !indexes(telling, by_row ? ARRAY_B : ARRAY_A, name, !by_row);
    excess->is_along_k = !of_c;
}

// --- Sizes --------------------------------------------------------------------------------------

static int64_t size_of(struct size size, char letter) {
    return letter == 'M' ? size.m : letter == 'N' ? size.n : size.k;
}

// The names M, N and K in another order than that in which the grader passes them.
static bool is_another_order(const struct index_watch *watch) {
    static const char *const letters[] = {"M", "N", "K"};
    int places = 0;
    bool same = true;
    for (int i = 0; i < 3; i++) {
        for (int l = 0; l < 3 && watch->size[i] >= 0; l++) {
            if (strcmp(watch->item[watch->size[i]].name, letters[l]) == 0) {
                places |= 1 << l;
                same &= i == l;
            }
        }
    }
    return places == 7 && !same;
}

static void sizes_tell(struct telling *telling) {
    const struct index_watch *watch = telling->watch;
    if (is_another_order(watch)) {
        words_sentence(telling->more, ERROR_TEXT_MAX,
                       "Line %d names the sizes %s, %s, %s, but the grader passes M, N, K.",
                       watch->sizes_line, watch->item[watch->size[0]].name,
                       watch->item[watch->size[1]].name, watch->item[watch->size[2]].name);
        return;
    }
    for (int i = 0; i < 3; i++) {
        int item = watch->size[i];
        int64_t passed = size_of(telling->finding->size, "MNK"[i]);
        if (!telling_knows(telling, item) || telling->number[item] == passed) {
            continue;
        }
        int declared = watch->item[item].declared;
        telling->shows[item] = true;
        if (declared > watch->path.body_first) {
            words_sentence(telling->more, ERROR_TEXT_MAX,
                           "This %s is the one of line %d; the kernel was called with %s = %lld.",
                           watch->item[item].name, telling_token(telling, declared)->line,
                           watch->item[item].name, (long long)passed);
        } else {
            words_sentence(telling->more, ERROR_TEXT_MAX, "The kernel was called with %s = %lld.",
                           watch->item[item].name, (long long)passed);
        }
    }
}

// --- The text -----------------------------------------------------------------------------------

// Variables in the order of their declarations, then parts of the index, then sizes.
static int rank_of(const struct index_watch *watch, int item) {
    int declared = watch->item[item].declared;
    for (int i = 0; i < 3; i++) {
        if (watch->size[i] == item) {
            return 2 * watch->code.count + i;
        }
    }
    return declared < 0 ? watch->code.count + item : declared;
}

// False for a number, and for a name that is not a variable: a macro or a constant of the file.
static bool varies(const struct index_watch *watch, int item) {
    return watch->item[item].declared >= 0 || watch->item[item].end > watch->item[item].first + 1;
}

static void values_put(struct telling *telling) {
    const struct index_watch *watch = telling->watch;
    struct judged_finding *finding = telling->finding;
    int last = -1;
    finding->value_count = 0;
    for (int n = 0; n < watch->count && finding->value_count < VALUES_SHOWN_MAX; n++) {
        int best = -1;
        for (int i = 0; i < watch->count; i++) {
            int rank = rank_of(watch, i);
            if (telling->shows[i] && telling_knows(telling, i) && varies(watch, i) && rank > last &&
                (best < 0 || rank < rank_of(watch, best))) {
                best = i;
            }
        }
        if (best < 0) {
            return;
        }
        last = rank_of(watch, best);
        struct finding_value *value = &finding->value[finding->value_count++];
        memcpy(value->name, watch->item[best].name, sizeof value->name);
        value->number = telling->number[best];
    }
}

// "row = 0, col = 1, N = 1".
static void values_text(const struct judged_finding *finding, char text[CLAUSE_MAX]) {
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < finding->value_count && used < CLAUSE_MAX; i++) {
        used +=
            (size_t)snprintf(text + used, CLAUSE_MAX - used, "%s%s = %" PRId64, i > 0 ? ", " : "",
                             finding->value[i].name, finding->value[i].number);
    }
}

static void excess_clause(struct telling *telling, const char *values) {
    const struct judged_finding *finding = telling->finding;
    const struct excess *excess = &telling->excess;
    long long row = telling->number[telling->watch->row];
    long long column = telling->number[telling->watch->column];
    long long last = excess->limit - 1;
    bool reads = finding->finding.access == ACCESS_READ;
    char thread[WHERE_MAX];
    facts_thread(finding->finding.thread, thread);
    if (excess->has_no_element) {
        words_write(telling->finding->clause, CLAUSE_MAX,
                    reads
                        ? _("%s has no element of C (%dx%d), but it reads %s[%lld][%lld]: here %s")
                        : _("%s has no element of C (%dx%d), but it stores to "
                            "%s[%lld][%lld]: here %s"),
                    thread, finding->size.m, finding->size.n, finding->array, row, column, values);
    } else if (excess->is_row) {
        words_write(telling->finding->clause, CLAUSE_MAX,
                    reads ? _("%s[%lld][%lld] was read, but the last row of %s is %lld: here %s")
                          : _("%s[%lld][%lld] was stored, but the last row of %s is %lld: here "
                              "%s"),
                    finding->array, row, column, finding->array, last, values);
    } else {
        words_write(
            telling->finding->clause, CLAUSE_MAX,
            reads ? _("%s[%lld][%lld] was read, but the last column of %s is %lld: here %s")
                  : _("%s[%lld][%lld] was stored, but the last column of %s is %lld: here %s"),
            finding->array, row, column, finding->array, last, values);
    }
}

// The row is multiplied by a number other than its length.
static void stride_clause(const struct telling *telling, const char *values) {
    const struct index_watch *watch = telling->watch;
    const char *array = telling->finding->array;
    words_write(
        telling->finding->clause, CLAUSE_MAX,
        telling->columns == 1
            ? _("the index multiplies %s by %s, but a row of %s has %lld element: here %s")
            : _("the index multiplies %s by %s, but a row of %s has %lld elements: here %s"),
        watch->item[watch->row].name, watch->item[watch->stride].name, array,
        (long long)telling->columns, values);
}

// An access outside of A, B or C whose index was understood.
static void matrix_tell(struct telling *telling) {
    const struct index_watch *watch = telling->watch;
    char values[CLAUSE_MAX];
    bool by_stride = telling->number[watch->stride] != telling->columns;
    if (!by_stride) {
        excess_find(telling);
    }
    for (int i = 0; i < watch->count; i++) {
        bool in_index = telling_mentions(telling, i, watch->wrapped_first, watch->wrapped_end);
        telling->shows[i] |= in_index && (watch_size_letter(watch, i) == '\0' || by_stride);
    }
    telling->shows[watch->row] = telling->shows[watch->column] = true;
    if (telling->excess.item >= 0) {
        int size = telling->excess.is_row ? (telling->finding->finding.array == ARRAY_B ? 2 : 0)
                                          : (telling->finding->finding.array == ARRAY_A ? 2 : 1);
        if (watch->size[size] >= 0 && !is_another_order(watch)) {
            telling->shows[watch->size[size]] = true;
        }
        telling_conditions(telling);
    }
    telling->shows[watch->stride] |= by_stride;
    sizes_tell(telling);
    values_put(telling);
    values_text(telling->finding, values);
    if (by_stride) {
        stride_clause(telling, values);
    } else {
        excess_clause(telling, values);
    }
    explain_caller(watch, telling->finding, telling->more);
    finding_retell(telling->finding, telling->more, telling->excess.has_no_element);
}

// --- Other accesses -----------------------------------------------------------------------------

static bool is_of_matmul(const struct telling *telling) {
    return finding_signature(telling->finding)->is_matmul;
}

// Is the item a parameter of the function?
static bool is_passed(const struct index_watch *watch, int item) {
    int declared = watch->item[item].declared;
    return declared >= 0 && declared < watch->path.parameters_end;
}

// An access outside of an array of any kernel: the condition that let it pass.
static void outside_tell(struct telling *telling, bool is_matrix, int64_t index) {
    const struct index_watch *watch = telling->watch;
    struct excess *excess = &telling->excess;
    size_t before = strlen(telling->more);
    if (telling->columns == 0) {
        return;  // the extents of the array are not known
    }
    int whole = watch->wrapped_first + 1 == watch->wrapped_end ? 0 : -1;
    for (int i = 0; whole == 0 && i < watch->count && excess->item < 0; i++) {
        bool is_index = watch->item[i].end == watch->item[i].first + 1 &&
                        code_same(&watch->code, watch->item[i].first, watch->wrapped_first, 1);
        excess->item = is_index ? i : -1;
        excess->limit = telling->columns;
    }
    if (is_matrix) {
        bool by_row = telling->number[watch->row] >= telling->rows;
        excess->item = by_row ? watch->row : watch->column;
        excess->limit = by_row ? telling->rows : telling->columns;
    } else if (telling->rows > 0 ||
               telling->finding->finding.offset != index * element_bytes_of(telling)) {
        excess->item = -1;
    }
    if (excess->item < 0 || !telling_knows(telling, excess->item) ||
        telling->number[excess->item] < excess->limit) {
        excess->item = -1;
        return;
    }
    excess->is_along_k = true;
    telling_conditions(telling);
    const struct code_path *path = &watch->path;
    if (strlen(telling->more) == before && path->count > 0 &&
        path->around[path->count - 1].kind == AROUND_IF) {
        words_sentence(telling->more, ERROR_TEXT_MAX, "The check in line %d let it pass.",
                       path->around[path->count - 1].line);
    }
}

// A pointer to larger elements than those of the array.
static void steps_tell(struct telling *telling, int64_t index) {
    const struct finding *seen = &telling->finding->finding;
    int64_t bytes = element_bytes_of(telling);
    if (bytes > 0 && index > 0 && seen->access_bytes > bytes && telling->watch->brackets == 1 &&
        seen->offset == index * seen->access_bytes) {
        words_sentence(telling->more, ERROR_TEXT_MAX,
                       "The pointer counts in steps of %u bytes, so index %lld is element %lld of "
                       "%s.",
                       seen->access_bytes, (long long)index, (long long)(seen->offset / bytes),
                       telling->finding->array);
    }
}

// A variable of the index whose type holds few numbers.
static void types_tell(struct telling *telling) {
    static const struct {
        const char *type, *from, *to;
    } narrow[] = {{"short", "-32768", "32767"},
                  {"int16_t", "-32768", "32767"},
                  {"int8_t", "-128", "127"},
                  {"char", "-128", "127"}};
    const struct index_watch *watch = telling->watch;
    for (int i = 0; i < watch->count; i++) {
        int declared = watch->item[i].declared;
        for (size_t k = 0; k < COUNT(narrow) && declared > 1 && telling->shows[i]; k++) {
            if (cpp_is(telling_token(telling, declared - 1), narrow[k].type) &&
                !cpp_is(telling_token(telling, declared - 2), "unsigned")) {
                words_sentence(telling->more, ERROR_TEXT_MAX,
                               "`%s` is a `%s`, which holds only numbers from %s to %s.",
                               watch->item[i].name, narrow[k].type, narrow[k].from, narrow[k].to);
            }
        }
    }
}

// Any other access: the values of its variables.
static void plain_tell(struct telling *telling, bool is_matrix, int64_t index) {
    const struct index_watch *watch = telling->watch;
    char values[CLAUSE_MAX];
    for (int i = 0; i < watch->count; i++) {
        telling->shows[i] = telling_mentions(telling, i, watch->place, watch->wrapped_end);
    }
    if (telling->is_wrong_stride) {
        words_sentence(telling->more, ERROR_TEXT_MAX,
                       telling->columns == 1
                           ? _("The index multiplies %s by %s, but a row of %s has %lld element.")
                           : _("The index multiplies %s by %s, but a row of %s has %lld "
                               "elements."),
                       watch->item[watch->row].name, watch->item[watch->stride].name,
                       telling->finding->array, (long long)telling->columns);
    }
    if (telling->finding->finding.kind == FINDING_OUT_OF_BOUNDS) {
        if (!is_of_matmul(telling) && !telling->is_wrong_stride) {
            outside_tell(telling, is_matrix, index);
        }
        steps_tell(telling, index);
        types_tell(telling);
    }
    values_put(telling);
    values_text(telling->finding, values);
    if (values[0] != '\0') {
        words_sentence(telling->more, ERROR_TEXT_MAX, "Here %s.", values);
        explain_caller(watch, telling->finding, telling->more);
        finding_retell(telling->finding, telling->more, false);
    }
}

// Adds why the condition kept the finding's thread from the barrier.  Returns false if it did not.
static bool guard_tell(struct telling *telling, bool held) {
    struct judged_finding *finding = telling->finding;
    char values[CLAUSE_MAX];
    char thread[WHERE_MAX];
    if (held == telling->watch->holds) {
        return false;
    }
    for (int i = 0; i < telling->watch->count; i++) {
        telling->shows[i] = telling_mentions(telling, i, telling->watch->wrapped_first,
                                             telling->watch->wrapped_end);
    }
    values_put(telling);
    values_text(finding, values);
    facts_thread(finding->finding.other_thread, thread);
    if (values[0] == '\0') {
        return false;
    }
    words_sentence(telling->more, ERROR_TEXT_MAX,
                   finding->guard.kind != GUARD_BRANCH ? _("That is what %s does: here %s.")
                   : held                              ? _("It is true for %s: here %s.")
                                                       : _("It is false for %s: here %s."),
                   thread, values);
    finding_retell(finding, telling->more, false);
    return true;
}

// A note about another access must not be used for this one.
static bool fits(const struct judged_finding *finding, const struct index_watch *watch,
                 int64_t index) {
    const struct finding *seen = &finding->finding;
    if (finding_is_outside(seen, OUTSIDE_ROW)) {
        return watch->brackets < 2 || index == seen->offset;
    }
    if (seen->space == SPACE_GLOBAL && seen->array < MATRIX_COUNT &&
        finding_signature(finding)->is_matmul && watch->brackets == 1 &&
        watch->matrix[seen->array] >= 0 &&
        cpp_equal(&watch->code.token[watch->place],
                  &watch->code.token[watch->matrix[seen->array]])) {
        return index >= INT32_MIN && index <= INT32_MAX &&
               seen->offset == index * (int64_t)sizeof(float);
    }
    return seen->kind == FINDING_OUT_OF_BOUNDS || finding->index_count == 0 ||
           finding->index_count != watch->brackets ||
           finding->index[finding->index_count - 1] == index;
}

bool values_explain(struct judged_finding *finding, const struct index_watch *watch, uint32_t count,
                    const int64_t *noted) {
    struct telling telling = {
        .finding = finding, .watch = watch, .number = noted + 1, .excess = {.item = -1}};
    if (count != (uint32_t)watch->count + 1) {
        return false;
    }
    if (finding->finding.kind == FINDING_BARRIER_DIVERGENCE) {
        return guard_tell(&telling, noted[0] != 0);
    }
    if (!fits(finding, watch, noted[0])) {
        return false;
    }
    extents_find(&telling);
    bool is_matrix =
        splits(&telling, noted[0]) && (is_of_matmul(&telling) || is_passed(watch, watch->stride));
    telling.is_wrong_stride = is_matrix && telling.number[watch->stride] != telling.columns &&
                              telling.number[watch->row] != 0;
    bool understood = is_matrix && is_of_matmul(&telling) &&
                      finding->finding.kind == FINDING_OUT_OF_BOUNDS &&
                      (telling.number[watch->stride] != telling.columns ||
                       telling.number[watch->row] >= telling.rows ||
                       telling.number[watch->column] >= telling.columns) &&
                      telling.number[watch->row] >= 0 && telling.number[watch->column] >= 0;
    if (understood) {
        matrix_tell(&telling);
    } else {
        plain_tell(&telling, is_matrix, noted[0]);
    }
    return true;
}
