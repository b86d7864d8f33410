// Which condition should have kept a thread out: see telling.h.
//
// A sentence is said only if the values say that the condition was true or false, or its tokens
// show it.
#include "judge/explain/telling.h"

#include "base/basics.h"
#include "base/compose.h"
#include "judge/explain/finding_facts.h"

// One comparison of a condition with a variable in it.
struct condition_comparison {
    int first, end;  // its tokens
    int other;       // item that it is compared with
    bool is_true;    // with the values here
};

static bool compares(const char *operator, int64_t left, int64_t right) {
    bool equal = operator[1] == '=';
    return operator[0] == '<' ? left < right || (equal && left == right)
                              : left> right ||(equal &&left == right);
}

// The item whose tokens end at `end`, or begin at `first`, with no more of an operand beside them;
// -1 if there is none.
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

bool telling_mentions(const struct telling *telling, int item, int first, int end) {
    const struct watch_item *wanted = &telling->watch->item[item];
    int length = wanted->end - wanted->first;
    for (int i = first; i + length <= end; i++) {
        if (code_same(&telling->watch->code, wanted->first, i, length)) {
            return true;
        }
    }
    return false;
}

// The condition that should have kept the thread out.  passes: what it must be for the thread to
// come here.
struct check {
    const struct around *around;
    int line, first, end;
    bool passes;
};

// What a condition says of the excess, in one sentence.
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
    // Where the thread has no element of C, the check is wrong; else it may be meant for another
    // array.
    if (!loops && !telling->excess.has_no_element &&
        telling->number[comparison.other] != telling->excess.limit) {
        return;
    }
    // A loop over the products goes far enough; its variable is in the place of a row or a column.
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

// The condition of `row < M ? A[i] : 0` that the place is in; false if there is none.  *ret_odd:
// the statement has other conditions.
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

// Says that the condition looks at something else, if it compares a variable.
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

// A thread that no condition on this variable kept out.
static void unchecked_tell(struct telling *telling) {
    const struct index_watch *watch = telling->watch;
    struct check choice;
    bool odd = false;
    // The only condition that chooses this access is meant for it.
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
            return;  // a condition that is not understood
        }
    }
    words_sentence(telling->more, ERROR_TEXT_MAX, "No check keeps it out.");
}

void telling_conditions(struct telling *telling) {
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
