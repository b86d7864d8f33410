// Only statements are compared.  A condition on the way counts as equal in all threads only if
// nothing in it can differ between threads.
#include "judge/code/barrier_place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/memory.h"
#include "judge/code/statements.h"

#define EXPRESSION_DEPTH_MAX 4  // variables that are computed from variables

// The gap between two accesses: statements of one block, or of the body of one loop.
struct gap {
    bool is_known;
    bool is_nowhere;    // no barrier can be between the two: see is_nowhere
    bool goes_round;    // from the end of the loop's body to its next iteration
    int parent;         // first token of the block or loop with both statements
    int after, before;  // last token of the first statement, first token of the second
    // At the end of a round: the last token of the loop's statement that has the later access, and
    // the first token of the one that has the earlier access; 0 if they share no loop.
    int round_after, round_before;
    int round_open;  // the `)` after which a body without braces begins; else 0
    int branch;      // of both: the first condition that may differ between threads; else 0
    enum hazard hazard;
};

struct placing {
    const struct code *code;
    struct gap gap[FINDINGS_MAX];
};

static const struct cpp_token *at(const struct code *code, int i) {
    return &code->token[i];
}

// --- Conditions that are the same for all threads of a block ------------------------------------

static bool is_same_for_all(const struct code *code, const struct code_path *path, int first,
                            int end, int depth);

// All values that the function gives to this name.
static bool variable_is_same(const struct code *code, const struct code_path *path,
                             const struct cpp_token *name, int depth) {
    static const char *const changes[] = {"+=", "-=", "*=", "/=", "%=", "&=", "|=", "<<=", ">>="};
    for (int i = path->body_first; i + 1 < path->body_end; i++) {
        if (!cpp_equal(at(code, i), name)) {
            continue;
        }
        bool set =
            cpp_is(at(code, i + 1), "=") || cpp_is_any(at(code, i + 1), changes, COUNT(changes));
        int end = i + 2;
        for (; set && end < path->body_end && !cpp_is(at(code, end), ";") &&
               !cpp_is(at(code, end), ")") && !cpp_is(at(code, end), ",");
             end++) {
            int close = cpp_is(at(code, end), "(") ? code_partner(code, end) : -1;
            end = close > 0 ? close : end;
        }
        if ((set && !is_same_for_all(code, path, i + 2, end, depth + 1)) ||
            cpp_is(at(code, i - 1), "&")) {
            return false;
        }
    }
    return true;
}

// True if nothing in the expression can differ between the threads of a block.
static bool is_same_for_all(const struct code *code, const struct code_path *path, int first,
                            int end, int depth) {
    static const char *const calls[] = {"ceil_div", "min", "max", "(", "int", "unsigned"};
    for (int i = first; i < end; i++) {
        const struct cpp_token *token = at(code, i);
        bool is_word = token->kind == CPP_WORD;
        bool is_call = is_word && cpp_is(at(code, i + 1), "(");
        if (depth > EXPRESSION_DEPTH_MAX || cpp_is(token, "threadIdx") || cpp_is(token, "[") ||
            cpp_is(token, "->") || (is_word && token->bytes > 1 && *token->at == '_') ||
            (is_call && !cpp_is_any(token, calls, COUNT(calls)))) {
            return false;
        }
        // A loop's own variable is set in its head, from expressions that are examined anyway.
        bool own = false;
        for (int j = first; j < i; j++) {
            own |= cpp_equal(at(code, j), token);
        }
        if (is_word && !is_call && !own && !cpp_is(at(code, i - 1), ".") &&
            !variable_is_same(code, path, token, depth)) {
            return false;
        }
    }
    return true;
}

// --- The place ----------------------------------------------------------------------------------

// The constructs around the place, without those that are only before it.  Returns the count.
static int enclosing(const struct code_path *path, const struct around *list[CODE_PATH_MAX]) {
    int count = 0;
    for (int i = 0; i < path->count; i++) {
        if (path->around[i].kind != AROUND_LEAVE && path->around[i].kind != AROUND_EMPTY) {
            list[count++] = &path->around[i];
        }
    }
    return count;
}

// The tokens of the statement on that level that contains the access.
static void statement_at(const struct code_path *path, const struct around *const *list, int count,
                         int level, int *ret_first, int *ret_end) {
    bool deeper = level < count;
    *ret_first = deeper ? list[level]->first : path->statement_first;
    *ret_end = deeper ? list[level]->end : path->statement_end;
}

// Do all threads of a block reach the statements of that level, if none has left before?
static bool all_enter(const struct code *code, const struct code_path *path,
                      const struct around *const *list, int level) {
    for (int i = 0; i < level; i++) {
        if (!is_same_for_all(code, path, list[i]->head_first, list[i]->head_end, 0)) {
            return false;
        }
    }
    return true;
}

static bool all_come(const struct code *code, const struct code_path *path,
                     const struct around *const *list, int level) {
    if (!all_enter(code, path, list, level)) {
        return false;
    }
    for (int i = 0; i < path->count; i++) {
        const struct around *around = &path->around[i];
        if (around->kind == AROUND_LEAVE &&
            !is_same_for_all(code, path, around->head_first, around->head_end, 0)) {
            return false;
        }
    }
    return true;
}

// True if the body of the statement is in braces, so that a statement can be added.
static bool has_braces(const struct code *code, const struct around *around) {
    return cpp_is(at(code, around->end - 1), "}") && cpp_is(at(code, around->head_end + 1), "{");
}

static bool is_kernel(const struct code *code, const struct code_path *path) {
    int i = path->parameters_first - 2;
    while (i >= 0 && !cpp_is(at(code, i), "}") && !cpp_is(at(code, i), ";")) {
        if (cpp_is(at(code, i--), "__global__")) {
            return true;
        }
    }
    return false;
}

static bool is_in_loop(const struct around *const *list, int count) {
    for (int i = 0; i < count; i++) {
        if (list[i]->kind == AROUND_LOOP || list[i]->kind == AROUND_DO) {
            return true;
        }
    }
    return false;
}

// Does a launch run this function at most once?  True for a kernel, and for a function that each
// kernel calls once.
static bool runs_once(const struct code *code, const struct code_path *path) {
    const int name = path->parameters_first - 2;
    const struct around *list[CODE_PATH_MAX];
    struct code_path call;
    int body = -1;  // of the last kernel that calls it
    for (int i = path->body_first; i < path->body_end; i++) {
        if (cpp_is(at(code, i), "goto")) {
            return false;
        }
    }
    if (is_kernel(code, path)) {
        return true;
    }
    for (int i = 0; i + 1 < code->count; i++) {
        if (i == name || !cpp_equal(at(code, i), at(code, name)) ||
            !(cpp_is(at(code, i + 1), "(") || cpp_is(at(code, i + 1), "<"))) {
            continue;
        }
        if (!code_path_find(code, i, &call) || !is_kernel(code, &call) || call.body_first == body ||
            is_in_loop(list, enclosing(&call, list))) {
            return false;
        }
        body = call.body_first;
    }
    return body >= 0;
}

// Two accesses of a part of the kernel that runs once, and that only some threads enter: not all
// threads would reach a barrier between the two.
static bool is_nowhere(const struct code *code, const struct code_path *path,
                       const struct around *const *list, int level) {
    return !is_in_loop(list, level) && is_kernel(code, path) && !all_enter(code, path, list, level);
}

// The innermost loop around both accesses of which all threads begin each round, so that a barrier
// can end it.
static void round_set(const struct code *code, const struct code_path *const path[2],
                      const struct around *const *const list[2], const int count[2], int level,
                      struct gap *gap) {
    int begin[2];
    int end[2];
    while (level > 0 &&
           (list[0][level - 1]->kind != AROUND_LOOP || !all_come(code, path[0], list[0], level))) {
        level--;
    }
    for (int i = 0; i < 2; i++) {
        if (level == 0 || (path[i]->in_head && level == count[i])) {
            return;
        }
        statement_at(path[i], list[i], count[i], level, &begin[i], &end[i]);
    }
    gap->round_after = (end[0] > end[1] ? end[0] : end[1]) - 1;
    gap->round_before = begin[0] < begin[1] ? begin[0] : begin[1];
    gap->round_open = has_braces(code, list[0][level - 1]) ? 0 : list[0][level - 1]->head_end;
}

static void gap_set(const struct code *code, const struct code_path *first,
                    const struct code_path *second, struct gap *gap) {
    const struct around *list[CODE_PATH_MAX];
    const struct around *other[CODE_PATH_MAX];
    int count = enclosing(first, list);
    int other_count = enclosing(second, other);
    int level = 0;
    int begin[2];
    int end[2];
    const bool is_first_later = first->statement_first > second->statement_first;
    const bool in_one = first->statement_first == second->statement_first;
    const struct code_path *earlier = is_first_later ? second : first;
    const struct code_path *later = is_first_later ? first : second;
    if (first->body_first != second->body_first || earlier->in_head ||
        (later->in_head && !later->in_if_head)) {
        return;
    }
    while (level < count && level < other_count && list[level]->first == other[level]->first &&
           list[level]->kind == other[level]->kind) {
        level++;
    }
    statement_at(first, list, count, level, &begin[0], &end[0]);
    statement_at(second, other, other_count, level, &begin[1], &end[1]);
    // There is no way back, so the later access in the text was seen first.
    bool turned = end[0] > begin[1] && end[1] <= begin[0] && !is_in_loop(list, level) &&
                  runs_once(code, first);
    gap->goes_round = end[0] > begin[1] && !turned;
    gap->is_nowhere = is_nowhere(code, first, list, level);
    if (!gap->goes_round || in_one) {
        round_set(code, (const struct code_path *const[]){first, second},
                  (const struct around *const *const[]){list, other},
                  (const int[]){count, other_count}, level, gap);
    }
    for (int i = level; i > 0; i--) {
        bool branches = list[i - 1]->kind == AROUND_IF || list[i - 1]->kind == AROUND_ELSE;
        if (branches &&
            !is_same_for_all(code, first, list[i - 1]->head_first, list[i - 1]->head_end, 0)) {
            gap->branch = list[i - 1]->head_first;
        }
    }
    while (gap->goes_round && level > 0 && list[level - 1]->kind != AROUND_LOOP) {
        level--;
    }
    if (in_one || (gap->goes_round && (level == 0 || later->in_head)) ||
        (level > 0 && !has_braces(code, list[level - 1])) || !all_come(code, first, list, level)) {
        return;
    }
    statement_at(first, list, count, level, &begin[0], &end[0]);
    statement_at(second, other, other_count, level, &begin[1], &end[1]);
    gap->is_known = true;
    gap->parent = level > 0 ? list[level - 1]->first : first->body_first;
    gap->after = end[turned ? 1 : 0] - 1;
    gap->before = begin[turned ? 0 : 1];
}

// A race of two threads of a block that a barrier of the block would prevent.
static bool lacks_barrier(const struct judged_finding *judged) {
    const struct finding *seen = &judged->finding;
    enum hazard hazard = finding_hazard(seen);
    return seen->kind == FINDING_RACE && seen->severity == SEVERITY_ERROR &&
           seen->space == SPACE_SHARED && seen->detail == RACE_UNORDERED && seen->line > 0 &&
           seen->other_line > 0 && judged->shown.column > 0 && judged->other_shown.column > 0 &&
           seen->parties == PARTIES_THREADS &&
           (seen->flags & (FINDING_SAME_WARP | FINDING_BETWEEN_BLOCKS)) == 0 &&
           hazard != HAZARD_WRITE_AFTER_WRITE;
}

// The line of a `__threadfence()` between a store and a later access of another block, after which
// nothing could tell that block to go on; 0 if there is none.  token, other: of the two accesses.
static uint32_t fence_between(const struct code *code, const struct finding *seen, int token,
                              int other) {
    const uint32_t stored = token < other ? seen->access : seen->other_access;
    const int end = token < other ? other : token;
    uint32_t line = 0;
    if (seen->detail != RACE_UNORDERED || !(seen->flags & FINDING_BETWEEN_BLOCKS) ||
        stored == ACCESS_READ) {
        return 0;
    }
    for (int i = token < other ? token : other; i < end; i++) {
        bool hands_over = strncmp(at(code, i)->at, "atomic", strlen("atomic")) == 0 ||
                          cpp_is(at(code, i), "volatile");
        line = cpp_is(at(code, i), "__threadfence") ? (uint32_t)at(code, i)->line
               : hands_over                         ? 0
                                                    : line;
    }
    return line;
}

// The line in the function of this path where a block compares its number with the largest one; 0
// if there is none.
static uint32_t largest_number_in(const struct code *code, const struct code_path *path) {
    static const char *const block[] = {"blockIdx", ".", "", "==", "gridDim", ".", "", "-", "1"};
    for (int i = path->body_first; i + (int)COUNT(block) < path->body_end; i++) {
        size_t k = 0;
        while (k < COUNT(block) && (*block[k] == '\0' || cpp_is(at(code, i + (int)k), block[k]))) {
            k++;
        }
        if (k == COUNT(block)) {
            return (uint32_t)at(code, i)->line;
        }
    }
    return 0;
}

// A call between the two accesses that waits for fewer threads than a barrier of the block.
static void weak_wait_find(const struct code *code, const struct gap *gap,
                           struct barrier_advice *advice) {
    static const char *const names[] = {[CLUE_FENCE] = "__threadfence",
                                        [CLUE_BLOCK_FENCE] = "__threadfence_block",
                                        [CLUE_WARP] = "__syncwarp"};
    const int loop_end = gap->goes_round ? code_partner(code, gap->parent + 1) : -1;
    const int end = loop_end > 0 ? code_partner(code, loop_end + 1) : gap->before;
    for (int i = gap->after; gap->is_known && i < end; i++) {
        for (size_t k = CLUE_FENCE; k < COUNT(names) && advice->clue == CLUE_NONE; k++) {
            if (cpp_is(at(code, i), names[k])) {
                advice->clue = (enum race_clue)k;
                advice->clue_line = (uint32_t)at(code, i)->line;
            }
        }
    }
}

// --- Lanes that all store -----------------------------------------------------------------------

// The line of the `__shfl_down_sync` whose value the function of that name returns, to each thread
// its own; 0 if there is none.
static uint32_t shuffle_of(const struct code *code, const struct cpp_token *name) {
    uint32_t line = 0;
    for (int i = 0; i + 1 < code->count; i++) {
        int close = cpp_equal(at(code, i), name) && cpp_is(at(code, i + 1), "(")
                        ? code_partner(code, i + 1)
                        : -1;
        bool defines = close > 0 && close + 1 < code->count && cpp_is(at(code, close + 1), "{");
        int end = defines ? code_partner(code, close + 1) : -1;
        for (int j = close; j < end; j++) {
            if (cpp_is(at(code, j), "__shared__") || cpp_is(at(code, j), "__shfl_sync")) {
                return 0;
            }
            line = cpp_is(at(code, j), "__shfl_down_sync") ? (uint32_t)at(code, j)->line : line;
        }
    }
    return line;
}

// The same in these tokens, or in a function that they call.
static uint32_t shuffle_in(const struct code *code, int first, int end) {
    uint32_t line = 0;
    for (int i = first; i < end && line == 0; i++) {
        bool is_call = at(code, i)->kind == CPP_WORD && cpp_is(at(code, i + 1), "(");
        line = !is_call                                  ? 0
               : cpp_is(at(code, i), "__shfl_down_sync") ? (uint32_t)at(code, i)->line
                                                         : shuffle_of(code, at(code, i));
    }
    return line;
}

// Is one of the two threads certainly not the first of its warp?
static bool has_later_lane(const struct finding *seen) {
    bool one_row = seen->thread[1] + seen->thread[2] == 0 &&
                   seen->other_thread[1] + seen->other_thread[2] == 0;
    return seen->flags & FINDING_SAME_WARP ||
           (one_row && (seen->thread[0] % WARP_LANES || seen->other_thread[0] % WARP_LANES));
}

// If threads store different values to one element in one statement, and the value is such a call,
// or a variable whose last assignment before it has one: the line of the call.
static uint32_t shuffle_before(const struct code *code, const struct finding *seen,
                               const struct code_path *path) {
    static const char *const sets[] = {"=", "+="};
    const int last = path->statement_end - 1;
    int value = path->statement_first;
    bool twice = seen->pc == seen->other_pc && seen->access == ACCESS_WRITE &&
                 seen->other_access == ACCESS_WRITE && (seen->flags & FINDING_SAME_VALUE) == 0 &&
                 has_later_lane(seen);
    while (value < last && !cpp_is(at(code, value), "=")) {
        value++;
    }
    if (!twice || value + 1 >= last) {
        return 0;
    }
    uint32_t line = shuffle_in(code, value + 1, last);
    for (int i = path->body_first; value + 2 == last && i < path->statement_first; i++) {
        if (cpp_equal(at(code, i), at(code, value + 1)) &&
            cpp_is_any(at(code, i + 1), sets, COUNT(sets))) {
            int end = i;
            while (end < path->statement_first && !cpp_is(at(code, end), ";")) {
                end++;
            }
            line = shuffle_in(code, i + 2, end);
        }
    }
    return line;
}

static void clue_set(const struct code *code, struct judged_finding *judged, int token, int other,
                     const struct code_path *path) {
    struct barrier_advice *advice = &judged->barrier;
    uint32_t fence = advice->is_apart ? 0 : fence_between(code, &judged->finding, token, other);
    uint32_t shuffle = shuffle_before(code, &judged->finding, path);
    bool of_blocks = judged->finding.detail == RACE_UNORDERED &&
                     (judged->finding.flags & FINDING_BETWEEN_BLOCKS) != 0;
    uint32_t number = of_blocks ? largest_number_in(code, path) : 0;
    advice->clue = number > 0    ? CLUE_NUMBER
                   : fence > 0   ? CLUE_FENCE
                   : shuffle > 0 ? CLUE_SHUFFLE
                                 : CLUE_NONE;
    advice->clue_line = number > 0 ? number : fence > 0 ? fence : shuffle;
}

static void gap_find(const struct code *code, struct judged_finding *judged, struct gap *gap) {
    const struct finding *seen = &judged->finding;
    struct code_path first;
    struct code_path second;
    *gap = (struct gap){.hazard = HAZARD_ATOMIC};
    if (seen->kind != FINDING_RACE || judged->shown.column == 0 ||
        judged->other_shown.column == 0) {
        return;
    }
    int token = code_token_at(code, (int)seen->line, (int)judged->shown.column);
    int other = code_token_at(code, (int)seen->other_line, (int)judged->other_shown.column);
    if (token < 0 || other < 0 || !code_path_find(code, token, &first) ||
        !code_path_find(code, other, &second)) {
        return;
    }
    judged->barrier.is_apart = first.body_first != second.body_first;
    clue_set(code, judged, token, other, &first);
    if (lacks_barrier(judged)) {
        gap->hazard = finding_hazard(seen);
        gap_set(code, &first, &second, gap);
        gap->is_known &= seen->line != seen->other_line;
    }
}

// --- Flags --------------------------------------------------------------------------------------

// False for `true`, `1` and the empty condition of `for (;;)`: such a loop ends by a jump.
static bool names_variable(const struct code *code, int first, int end) {
    for (int i = first; i < end; i++) {
        if (at(code, i)->kind == CPP_WORD && !cpp_is(at(code, i), "true")) {
            return true;
        }
    }
    return false;
}

// True if the place may belong to a loop that waits: the loop's end depends on the value read
// there.
static bool may_wait(const struct code *code, const struct code_path *path) {
    for (int i = 0; i < path->count; i++) {
        const struct around *around = &path->around[i];
        bool loops = around->kind == AROUND_LOOP || around->kind == AROUND_DO;
        if (loops && (!names_variable(code, around->head_first, around->head_end) ||
                      !is_same_for_all(code, path, around->head_first, around->head_end, 0))) {
            return true;
        }
    }
    return path->in_head && !path->in_if_head;
}

// A volatile word is a flag if a thread waits for it.  A word that is read without waiting has no
// order, and a fence does not create one.
static void flags_tell(const struct code *code, struct finding_list *findings) {
    for (int i = 0; i < findings->count; i++) {
        struct finding *seen = &findings->list[i].finding;
        struct code_path path;
        if (seen->kind != FINDING_RACE || seen->detail != RACE_OF_FLAG) {
            continue;
        }
        bool first = seen->access == ACCESS_READ;
        int token = code_token_at(
            code, (int)(first ? seen->line : seen->other_line),
            (int)(first ? findings->list[i].shown.column : findings->list[i].other_shown.column));
        bool reads = first || seen->other_access == ACCESS_READ;
        findings->list[i].barrier.is_doubted =
            reads && token >= 0 && code_path_find(code, token, &path) && !may_wait(code, &path);
        seen->detail = findings->list[i].barrier.is_doubted ? RACE_UNORDERED : RACE_LACKS_RELEASE;
    }
}

// --- One finding for one barrier ----------------------------------------------------------------

// Makes a gap that is part of both gaps; false if there is none.
static bool gaps_join(struct gap *gap, const struct gap *other) {
    int after = gap->after > other->after ? gap->after : other->after;
    int before = gap->before < other->before ? gap->before : other->before;
    if (!gap->is_known || !other->is_known || gap->hazard != other->hazard ||
        gap->parent != other->parent || gap->goes_round != other->goes_round ||
        (!gap->goes_round && after >= before)) {
        return false;
    }
    gap->after = after;
    gap->before = before;
    gap->round_after =
        gap->round_after > other->round_after ? gap->round_after : other->round_after;
    gap->round_before =
        gap->round_before < other->round_before ? gap->round_before : other->round_before;
    return true;
}

static void also_add(struct judged_finding *finding, const struct judged_finding *other) {
    if (size_equal(finding->size, other->size)) {
        finding->finding.count += other->finding.count;
    }
    if (finding->barrier.also_count == ALSO_MAX || other->array[0] == '\0') {
        return;
    }
    struct also_raced *also = &finding->barrier.also[finding->barrier.also_count++];
    memcpy(also->array, other->array, sizeof also->array);
    also->line = other->finding.line;
    also->other_line = other->finding.other_line;
}

// The byte of a line, from 1, where a token begins.
static int column_of(const struct code *code, const struct cpp_token *token) {
    const char *start = token->at;
    while (start > code->text && start[-1] != '\n') {
        start--;
    }
    return 1 + (int)(token->at - start);
}

static void barriers_set(struct placing *placing, struct finding_list *findings) {
    struct judged_finding *list = findings->list;
    int kept = 0;
    for (int i = 0; i < findings->count; i++) {
        struct gap gap;
        gap_find(placing->code, &list[i], &gap);
        int j = 0;
        while (j < kept && !gaps_join(&placing->gap[j], &gap)) {
            j++;
        }
        if (j < kept) {
            also_add(&list[j], &list[i]);
        } else {
            list[kept] = list[i];
            placing->gap[kept++] = gap;
        }
    }
    findings->count = kept;
    for (int i = 0; i < kept; i++) {
        const struct code *code = placing->code;
        const struct gap *gap = &placing->gap[i];
        struct barrier_advice *advice = &list[i].barrier;
        if (gap->is_known) {
            const struct cpp_token *last = at(code, gap->after);
            advice->after = (uint32_t)last->line;
            advice->before = (uint32_t)at(code, gap->before)->line;
            advice->column = (uint32_t)column_of(code, last);
            weak_wait_find(code, gap, advice);
        }
        if (gap->round_after > 0) {
            const struct cpp_token *last = at(code, gap->round_after);
            const struct cpp_token *open = at(code, gap->round_open);
            advice->round_line = (uint32_t)last->line;
            advice->round_column = (uint32_t)column_of(code, last);
            advice->round_before = (uint32_t)at(code, gap->round_before)->line;
            advice->open_line = gap->round_open > 0 ? (uint32_t)open->line : 0;
            advice->open_column = gap->round_open > 0 ? (uint32_t)column_of(code, open) : 0;
        }
        bool in_round = !gap->is_known && gap->round_after > 0;
        advice->use = gap->is_nowhere || in_round ? BARRIER_UNPROVED : BARRIER_HELPS;
        advice->is_doubted |= in_round || (gap->round_after > 0 && !gap->goes_round &&
                                           gap->hazard == HAZARD_WRITE_AFTER_READ);
        advice->branch_line =
            !gap->is_known && gap->branch > 0 ? (uint32_t)at(code, gap->branch)->line : 0;
    }
}

// --- Threads that do not come to a barrier -----------------------------------------------------

static bool path_at(const struct code *code, uint32_t line, uint32_t column,
                    struct code_path *ret_path) {
    int token = line > 0 && column > 0 ? code_token_at(code, (int)line, (int)column) : -1;
    return token >= 0 && code_path_find(code, token, ret_path);
}

// Notes the nearest condition that may keep some threads of a block from the barrier of this path.
// Threads at both places have passed what is common to both.
static void guard_find(const struct code *code, uint32_t line, const struct code_path *path,
                       const struct code_path *other, struct judged_finding *judged) {
    for (int i = path->count - 1; i >= 0 && judged->guard.kind == GUARD_NONE; i--) {
        const struct around *around = &path->around[i];
        bool is_left = around->kind == AROUND_LEAVE;
        bool is_common = false;
        for (int k = 0; other && k < other->count; k++) {
            is_common = is_common || other->around[k].head_first == around->head_first;
        }
        if (around->kind == AROUND_EMPTY || (is_common && is_left) ||
            is_same_for_all(code, path, around->head_first, around->head_end, 0)) {
            continue;
        }
        bool loops = around->kind == AROUND_LOOP || around->kind == AROUND_DO;
        judged->guard.kind = is_left ? GUARD_LEFT : loops ? GUARD_LOOP : GUARD_BRANCH;
        judged->guard.line = (uint32_t)around->line;
        judged->guard.guarded_line = line;
    }
}

static void guards_set(const struct code *code, struct finding_list *findings) {
    for (int i = 0; i < findings->count; i++) {
        struct judged_finding *judged = &findings->list[i];
        const struct finding *seen = &judged->finding;
        struct code_path path;
        struct code_path other;
        bool is_call = seen->detail == LANE_CALL_ABSENT;  // a barrier may be at the other line
        if (seen->kind != FINDING_BARRIER_DIVERGENCE ||
            (seen->detail != LANE_CALL_FINE && seen->detail != LANE_CALL_APART && !is_call)) {
            continue;
        }
        bool is_here = path_at(code, seen->line, judged->shown.column, &path);
        bool is_there =
            !is_call && path_at(code, seen->other_line, judged->other_shown.column, &other);
        if (is_here) {
            guard_find(code, seen->line, &path, is_there ? &other : NULL, judged);
        }
        if (is_there) {
            guard_find(code, seen->other_line, &other, is_here ? &path : NULL, judged);
        }
    }
}

void barriers_find(const char *text, size_t bytes, struct finding_list *findings) {
    struct code code = code_open(text, bytes);
    struct placing placing = {.code = &code};
    flags_tell(&code, findings);
    barriers_set(&placing, findings);
    guards_set(&code, findings);
    code_done(&code);
}

// Is this the token?
static bool is_at(const struct code *code, uint32_t line, uint32_t column, int i) {
    return line > 0 && code_token_at(code, (int)line, (int)column) == i;
}

// What to write after token i for this race, "" for nothing.
static const char *written_after(const struct code *code, const struct barrier_advice *advice,
                                 bool in_round, int i) {
    bool later = in_round && advice->round_line > 0;
    if (later && is_at(code, advice->open_line, advice->open_column, i)) {
        return " {";
    }
    if (!is_at(code, later ? advice->round_line : advice->after,
               later ? advice->round_column : advice->column, i)) {
        return "";
    }
    return later && advice->open_line > 0 ? " __syncthreads(); }" : " __syncthreads();";
}

char *barriers_write(const char *text, size_t bytes, const struct finding_list *findings,
                     bool in_round) {
    struct code code = code_open(text, bytes);
    char *made = NULL;
    size_t made_bytes = 0;
    FILE *out = xopen_memstream(&made, &made_bytes);
    const char *written = text;
    for (int i = 0; i < code.count; i++) {
        const char *end = at(&code, i)->at + at(&code, i)->bytes;
        for (int j = 0; j < findings->count; j++) {
            const char *more = written_after(&code, &findings->list[j].barrier, in_round, i);
            if (*more != '\0') {
                (void)fwrite(written, 1, (size_t)(end - written), out);
                (void)fputs(more, out);
                written = end;
            }
        }
    }
    (void)fwrite(written, 1, (size_t)(text + bytes - written), out);
    xclose_memstream(out, &made);
    code_done(&code);
    return made;
}
