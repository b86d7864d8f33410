// The clause of a race: which barrier is missing and where, who shares an element, or which copy
// was not waited for.
#include "judge/explain/finding_words.h"

#include <stdio.h>
#include <string.h>

#include "base/compose.h"
#include "base/text.h"

// "line 13 stores As[3][0], then line 22 reads it".
void words_events(const struct words *words, char text[CLAUSE_MAX]) {
    const struct finding *seen = words->seen;
    const char *element = words->element;
    char first_text[WHERE_MAX];
    char second_text[WHERE_MAX];
    const char *first = words_line(seen->line, first_text);
    const char *second = words_line(seen->other_line, second_text);
    if (finding_hazard(seen) == HAZARD_WRITE_AFTER_WRITE && seen->access == ACCESS_WRITE &&
        seen->other_access == ACCESS_WRITE) {
        words_write(text, CLAUSE_MAX, "%s stores %s, then %s stores it too", first, element,
                    second);
    } else if (seen->access == ACCESS_ATOMIC) {
        words_write(text, CLAUSE_MAX,
                    seen->other_access == ACCESS_READ
                        ? _("%s changes %s with an atomic operation, then %s reads it")
                        : _("%s changes %s with an atomic operation, then %s stores it"),
                    first, element, second);
    } else if (seen->other_access == ACCESS_ATOMIC) {
        words_write(text, CLAUSE_MAX,
                    seen->access == ACCESS_READ
                        ? _("%s reads %s, then %s changes it with an atomic operation")
                        : _("%s stores %s, then %s changes it with an atomic operation"),
                    first, element, second);
    } else {
        words_write(text, CLAUSE_MAX,
                    seen->access == ACCESS_READ ? _("%s reads %s, then %s stores it")
                                                : _("%s stores %s, then %s reads it"),
                    first, element, second);
    }
}

// Where the barrier belongs, as far as the two lines show: they belong to one iteration of a loop,
// or to two.
static void barrier_write(const struct words *words, char text[CLAUSE_MAX]) {
    const struct finding *seen = words->seen;
    const struct judged_finding *judged = words->judged;
    enum hazard hazard = words_hazard_in_text(judged);
    uint32_t line = seen->line;
    uint32_t other = seen->other_line;
    bool in_warp = (seen->flags & FINDING_SAME_WARP) != 0;
    bool tiles = seen->space == SPACE_SHARED && !in_warp && line != other;
    bool loading = tiles && hazard == HAZARD_READ_AFTER_WRITE;
    bool computing = tiles && hazard == HAZARD_WRITE_AFTER_READ;
    const char *name = in_warp ? "__syncwarp" : "__syncthreads";
    if (judged->barrier_after > 0 && (line < other || words_turned(judged))) {
        line = judged->barrier_after;
        other = judged->barrier_before;
    } else if (judged->barrier_after > 0) {
        other = judged->barrier_before;
    }
    if (judged->barrier_use == BARRIER_IN_ROUND) {
        words_write(text, CLAUSE_MAX, _("a `%s()` is missing before line %u of the next round"),
                    name, judged->round_before);
    } else if (line == 0 || other == 0 || judged->is_apart) {
        words_write(text, CLAUSE_MAX,
                    loading     ? _("a `%s()` is missing after loading")
                    : computing ? _("a `%s()` is missing after computing")
                                : _("a `%s()` is missing"),
                    name);
    } else if (line < other) {
        words_write(text, CLAUSE_MAX,
                    loading ? _("a `%s()` is missing after loading (between line %u and line %u)")
                    : computing
                        ? _("a `%s()` is missing after computing (between line %u and line %u)")
                        : _("a `%s()` is missing between line %u and line %u"),
                    name, line, other);
    } else if (line > other) {
        words_write(
            text, CLAUSE_MAX,
            loading     ? _("a `%s()` is missing after loading, before line %u of the next round")
            : computing ? _("a `%s()` is missing after computing, before line %u of the next round")
                        : _("a `%s()` is missing before line %u of the next round"),
            name, other);
    } else {
        words_write(text, CLAUSE_MAX,
                    hazard == HAZARD_WRITE_AFTER_READ
                        ? _("a `%s()` is missing in line %u, between reading and storing")
                        : _("a `%s()` is missing in line %u, between storing and reading"),
                    name, line);
    }
}

// A barrier would not always help: threads may meet in a lock, or in one atomic operation, or read
// and store what is not theirs.
static void order_missing(const struct words *words, char *clause) {
    char events[CLAUSE_MAX];
    words_events(words, events);
    words_write(clause, CLAUSE_MAX, "nothing orders these two accesses: %s", events);
}

// Of an mbarrier: mbarrier.init must come before its other operations, mbarrier.inval after them.
static void mbarrier_order(const struct words *words, char *clause) {
    const struct finding *seen = words->seen;
    char first_text[WHERE_MAX];
    char second_text[WHERE_MAX];
    const char *first = words_line(seen->line, first_text);
    const char *second = words_line(seen->other_line, second_text);
    words_write(clause, CLAUSE_MAX,
                seen->access == ACCESS_WRITE
                    ? _("nothing orders the mbarrier.init of %s in %s before its use in %s")
                    : _("nothing orders the use of the mbarrier %s in %s before its mbarrier.inval "
                        "in %s"),
                words->element, first, second);
}

static void barrier_missing(const struct words *words, char *clause) {
    char barrier[CLAUSE_MAX];
    char events[CLAUSE_MAX];
    barrier_write(words, barrier);
    words_events(words, events);
    words_write(clause, CLAUSE_MAX, "%s: %s", barrier, events);
}

static void two_stores(const struct words *words, char *clause) {
    const struct finding *seen = words->seen;
    char where[WHERE_MAX];
    char other[WHERE_MAX];
    bool same_value = (seen->flags & FINDING_SAME_VALUE) != 0;
    if (seen->line == seen->other_line) {
        words_write(
            clause, CLAUSE_MAX,
            same_value
                ? _("two threads store the same value to %s, both in %s, and nothing orders them")
                : _("two threads store %s, both in %s, and nothing orders them"),
            words->element, words_line(seen->line, where));
        return;
    }
    words_write(clause, CLAUSE_MAX,
                same_value ? _("two threads store the same value to %s: one in %s, the other in "
                               "%s, and nothing orders them")
                           : _("two threads store %s: one in %s, the other in %s, and nothing "
                               "orders them"),
                words->element, words_line(seen->line, where), words_line(seen->other_line, other));
}

// "(1, 0)", with as many indices as the grid needs.
static void block_numbers(const uint32_t block[3], bool deep, char numbers[WHERE_MAX]) {
    if (deep) {
        (void)snprintf(numbers, WHERE_MAX, "(%u, %u, %u)", block[0], block[1], block[2]);
    } else {
        (void)snprintf(numbers, WHERE_MAX, "(%u, %u)", block[0], block[1]);
    }
}

// One of the two accesses of two blocks is a load or an atomic operation.
static void two_blocks_events(const struct words *words, const char *block, const char *other_block,
                              char *clause) {
    const struct finding *seen = words->seen;
    char where[WHERE_MAX];
    char other_where[WHERE_MAX];
    const char *line = words_line(seen->line, where);
    const char *other = words_line(seen->other_line, other_where);
    const char *element = words->element;
    if (seen->access == ACCESS_ATOMIC) {
        words_write(
            clause, CLAUSE_MAX,
            seen->other_access == ACCESS_READ
                ? _("block %s changes %s with an atomic operation in %s, and block %s reads "
                    "it in %s: nothing orders two blocks")
                : _("block %s changes %s with an atomic operation in %s, and block %s "
                    "stores it in %s: nothing orders two blocks"),
            block, element, line, other_block, other);
    } else if (seen->other_access == ACCESS_ATOMIC) {
        words_write(clause, CLAUSE_MAX,
                    seen->access == ACCESS_READ
                        ? _("block %s reads %s in %s, and block %s changes it with an atomic "
                            "operation in %s: nothing orders two blocks")
                        : _("block %s stores %s in %s, and block %s changes it with an atomic "
                            "operation in %s: nothing orders two blocks"),
                    block, element, line, other_block, other);
    } else {
        words_write(clause, CLAUSE_MAX,
                    seen->access == ACCESS_READ
                        ? _("block %s reads %s in %s, and block %s stores it in %s: nothing orders "
                            "two blocks")
                        : _("block %s stores %s in %s, and block %s reads it in %s: nothing orders "
                            "two blocks"),
                    block, element, line, other_block, other);
    }
}

static void two_blocks(const struct words *words, char *clause) {
    const struct finding *seen = words->seen;
    bool deep = seen->block[2] + seen->other_block[2] > 0;
    char block[WHERE_MAX];
    char other[WHERE_MAX];
    block_numbers(seen->block, deep, block);
    block_numbers(seen->other_block, deep, other);
    if (finding_hazard(seen) == HAZARD_WRITE_AFTER_WRITE) {
        words_write(clause, CLAUSE_MAX,
                    seen->flags & FINDING_SAME_VALUE
                        ? _("%s is written by two blocks, %s and %s, with the same value")
                        : _("%s is written by two blocks, %s and %s"),
                    words->element, block, other);
    } else {
        two_blocks_events(words, block, other, clause);
    }
}

// "line 22 reads As[3][0] while the asynchronous copy of line 13 still fills it: wait for …".
static void copy_under_way(const struct words *words, char *clause) {
    const struct finding *seen = words->seen;
    char where[WHERE_MAX];
    char other_where[WHERE_MAX];
    const char *copy = words_line(seen->line, where);
    const char *other = words_line(seen->other_line, other_where);
    bool again = seen->line == seen->other_line;
    if (seen->detail == RACE_AT_END) {
        words_write(clause, CLAUSE_MAX,
                    "the block may end while the bulk copy of %s still reads %s: wait for its "
                    "group first",
                    copy, words->element);
    } else if (seen->access == ACCESS_READ) {
        words_write(clause, CLAUSE_MAX,
                    "%s stores %s while the bulk copy of %s still reads it: wait for its group "
                    "first, or store to another place",
                    other, words->element, copy);
    } else if (seen->detail == RACE_REFILLED) {
        words_write(clause, CLAUSE_MAX,
                    "%s reads %s while the asynchronous copy of %s fills it again: one of the two "
                    "must wait for the other",
                    other, words->element, copy);
    } else if (seen->other_access == ACCESS_READ) {
        words_write(
            clause, CLAUSE_MAX,
            "%s reads %s while the asynchronous copy of %s still fills it: wait for the copy",
            other, words->element, copy);
    } else if (seen->other_access == ACCESS_ATOMIC) {
        words_write(
            clause, CLAUSE_MAX,
            "%s changes %s with an atomic operation while the asynchronous copy of %s still "
            "fills it: wait for it first, or copy to another place",
            other, words->element, copy);
    } else {
        words_write(clause, CLAUSE_MAX,
                    again ? _("%s stores %s while another asynchronous copy of %s still fills it: "
                              "wait for it first, or copy to another place")
                          : _("%s stores %s while the asynchronous copy of %s still fills it: "
                              "wait for it first, or copy to another place"),
                    other, words->element, copy);
    }
}

// Two atomic operations.
static void two_atomics(const struct words *words, char *clause) {
    const struct finding *seen = words->seen;
    bool deep = seen->block[2] + seen->other_block[2] > 0;
    char where[WHERE_MAX];
    char other_where[WHERE_MAX];
    char block[WHERE_MAX];
    char other[WHERE_MAX];
    const char *line = words_line(seen->line, where);
    const char *other_line = words_line(seen->other_line, other_where);
    if (seen->flags & FINDING_UNORDERED) {
        words_write(clause, CLAUSE_MAX,
                    "nothing orders the atomic operations on %s in %s and in %s, and the "
                    "result depends on which comes first",
                    words->element, line, other_line);
        return;
    }
    block_numbers(seen->block, deep, block);
    block_numbers(seen->other_block, deep, other);
    words_write(clause, CLAUSE_MAX,
                "block %s changes %s with an atomic operation in %s, and so does block %s in %s, "
                "but the `_block` forms are atomic only within one block",
                block, words->element, line, other, other_line);
}

// Threads that hand over by flags, tickets or locks: "a `__threadfence()` is missing before …: line
// 13 stores C[0], then line 22 reads it".
static void fence_missing(const struct words *words, char *clause) {
    const struct finding *seen = words->seen;
    const char *fence = words_between_blocks(seen) ? "__threadfence" : "__threadfence_block";
    char events[CLAUSE_MAX];
    words_events(words, events);
    if (seen->detail == RACE_LACKS_PROXY) {
        words_write(clause, CLAUSE_MAX, "a `fence.proxy.async` is missing before the bulk copy: %s",
                    events);
    } else if (seen->detail == RACE_LACKS_WARP) {
        words_write(clause, CLAUSE_MAX,
                    "a `__syncwarp()` is missing before one lane arrives at the mbarrier for its "
                    "warp: %s",
                    events);
    } else if (seen->detail == RACE_RELAXED) {
        words_write(clause, CLAUSE_MAX,
                    "the arrival between these two accesses is relaxed, so it hands on no store: "
                    "%s",
                    events);
    } else if (seen->detail == RACE_LACKS_RELEASE) {
        words_write(clause, CLAUSE_MAX,
                    "a `%s()` is missing before the flag or atomic operation that hands it over: "
                    "%s",
                    fence, events);
    } else if (seen->detail == RACE_LACKS_ACQUIRE) {
        words_write(clause, CLAUSE_MAX,
                    "a `%s()` is missing after the flag or atomic operation that was waited for: "
                    "%s",
                    fence, events);
    } else {
        words_write(clause, CLAUSE_MAX,
                    "the flag or atomic operation that was waited for comes before the first of "
                    "these accesses: %s",
                    events);
    }
}

bool words_is_update(const struct words *words) {
    const struct finding *seen = words->seen;
    const struct judged_finding *judged = words->judged;
    const struct source_span *read = &judged->mark;
    const struct source_span *stored = &judged->other_mark;
    const char *text = judged->other_source + stored->start;
    if (finding_hazard(seen) != HAZARD_WRITE_AFTER_READ || seen->other_access != ACCESS_WRITE ||
        seen->line == 0 || seen->line != seen->other_line || read->length == 0) {
        return false;
    }
    bool again = read->length == stored->length &&
                 memcmp(judged->source + read->start, text, read->length) == 0;
    return again || (stored->length > 0 && (text_starts(text, "++") || text_starts(text, "--")));
}

static void update_in_steps(const struct words *words, char *clause) {
    char where[WHERE_MAX];
    words_write(clause, CLAUSE_MAX,
                "several threads change %s in %s at the same time: each reads it, then stores it",
                words->element, words_line(words->seen->line, where));
}

void words_race(const struct words *words, char *clause) {
    bool same_line = words->seen->line != 0 && words->seen->line == words->seen->other_line;
    if (words_wgmma(words, clause)) {
        return;
    }
    if (words->seen->flags & (FINDING_UNORDERED | FINDING_BLOCK_SCOPE)) {
        two_atomics(words, clause);
    } else if (words->seen->flags & FINDING_UNDER_WAY) {
        copy_under_way(words, clause);
    } else if (words->seen->detail == RACE_OF_MBARRIER) {
        mbarrier_order(words, clause);
    } else if (words_of_launches(words->seen)) {
        words_launch_race(words, clause);
    } else if (words_in_cluster(words->seen)) {
        words_cluster_race(words, clause);
    } else if (words->seen->detail == RACE_AMONG_LOCKS ||
               words->seen->detail == RACE_AMONG_PHASES) {
        order_missing(words, clause);
    } else if (words->seen->detail != RACE_UNORDERED) {
        fence_missing(words, clause);
    } else if (words_is_update(words)) {
        update_in_steps(words, clause);
    } else if (words_between_blocks(words->seen)) {
        two_blocks(words, clause);
    } else if (finding_hazard(words->seen) == HAZARD_WRITE_AFTER_WRITE) {
        two_stores(words, clause);
    } else if ((finding_hazard(words->seen) == HAZARD_ATOMIC && same_line) ||
               words->judged->barrier_use >= BARRIER_UNPROVED) {
        order_missing(words, clause);
    } else {
        barrier_missing(words, clause);
    }
}

void words_race_who(const struct words *words, char *message) {
    const struct finding *seen = words->seen;
    char first[WHERE_MAX];
    char second[WHERE_MAX];
    char block[WHERE_MAX];
    char other[WHERE_MAX];
    if (seen->detail == RACE_AT_END) {
        words_sentence(message, ERROR_TEXT_MAX, "The copy was started by %s of %s.",
                       words_thread(seen->thread, first), words_block(seen->block, block));
    } else if (words_of_launches(seen) ||
               (seen->flags & FINDING_WGMMA && seen->flags & FINDING_LOCAL)) {
        words_sentence(message, ERROR_TEXT_MAX, "It was %s of %s.",
                       words_thread(seen->thread, first), words_block(seen->block, block));
    } else if (seen->flags & FINDING_WGMMA && seen->flags & FINDING_UNDER_WAY) {
        words_sentence(message, ERROR_TEXT_MAX,
                       "The wgmma is one of the warpgroup of %s, and the store was made by %s of "
                       "%s.",
                       words_thread(seen->thread, first), words_thread(seen->other_thread, second),
                       words_block(seen->block, block));
    } else if (seen->flags & FINDING_BULK && seen->flags & FINDING_UNDER_WAY &&
               memcmp(seen->block, seen->other_block, sizeof seen->block) != 0) {
        words_sentence(
            message, ERROR_TEXT_MAX,
            seen->other_access == ACCESS_READ
                ? _("The copy was started by %s of %s, and the read was made by %s of %s.")
                : _("The copy was started by %s of %s, and the store was made by %s of %s."),
            words_thread(seen->thread, first), words_block(seen->block, block),
            words_thread(seen->other_thread, second), words_block(seen->other_block, other));
    } else if (seen->flags & FINDING_UNDER_WAY) {
        words_sentence(message, ERROR_TEXT_MAX,
                       seen->other_access == ACCESS_READ
                           ? _("The copy was started by %s, and the read was made by %s of %s.")
                           : _("The copy was started by %s, and the store was made by %s of %s."),
                       words_thread(seen->thread, first), words_thread(seen->other_thread, second),
                       words_block(seen->block, block));
    } else if (seen->detail == RACE_BLOCK_BEGINS) {
        words_sentence(message, ERROR_TEXT_MAX, "The access was made by %s of %s.",
                       words_thread(seen->thread, first), words_block(seen->block, block));
    } else if (seen->detail == RACE_BLOCK_ENDS) {
        words_sentence(message, ERROR_TEXT_MAX,
                       "The access was made by %s of %s. The last thread of %s to end was %s.",
                       words_thread(seen->thread, first), words_block(seen->block, block),
                       words_block(seen->other_block, other),
                       words_thread(seen->other_thread, second));
    } else if (words_between_blocks(seen)) {
        words_sentence(message, ERROR_TEXT_MAX, "The first was %s of %s, the second %s of %s.",
                       words_thread(seen->thread, first), words_block(seen->block, block),
                       words_thread(seen->other_thread, second),
                       words_block(seen->other_block, other));
    } else {
        words_sentence(message, ERROR_TEXT_MAX, "The first was %s, the second %s, both of %s.",
                       words_thread(seen->thread, first), words_thread(seen->other_thread, second),
                       words_block(seen->block, block));
    }
}
