// What a race says in one clause: which barrier is missing and where, who shares an element, or
// which copy was not waited for.
#include "judge/explain/finding_words.h"

#include <stdio.h>

#include "base/texts.h"

// "line 13 stores As[3][0]"; NULL is "it".
static void event_append(char *clause, uint32_t line, uint32_t access, const char *element) {
    char where[WHERE_MAX];
    const char *place = words_line(line, where);
    if (!element) {
        words_append(clause, CLAUSE_MAX,
                     access == ACCESS_ATOMIC  ? _("%s changes it with an atomic operation")
                     : access == ACCESS_WRITE ? _("%s stores it")
                                              : _("%s reads it"),
                     place);
    } else if (access == ACCESS_ATOMIC) {
        words_append(clause, CLAUSE_MAX, "%s changes %s with an atomic operation", place, element);
    } else {
        words_append(clause, CLAUSE_MAX,
                     access == ACCESS_WRITE ? _("%s stores %s") : _("%s reads %s"), place, element);
    }
}

// Where the barrier has to stand, as far as the two lines tell: those of one round of a loop, or of
// two.
static void between_append(const struct words *words, char *clause, bool staged) {
    uint32_t line = words->seen->line;
    uint32_t other = words->seen->other_line;
    bool reads_first = words_hazard(words->seen) == HAZARD_WRITE_AFTER_READ;
    if (line == 0 || other == 0) {
        return;
    }
    if (line < other) {
        words_append(clause, CLAUSE_MAX,
                     staged ? _(" (between line %u and line %u)")
                            : _(" between line %u and line %u"),
                     line, other);
    } else if (line > other) {
        words_append(clause, CLAUSE_MAX,
                     staged ? _(", before line %u of the next round")
                            : _(" before line %u of the next round"),
                     other);
    } else if (reads_first) {
        words_append(clause, CLAUSE_MAX, " in line %u, between reading and storing", line);
    } else {
        words_append(clause, CLAUSE_MAX, " after line %u, before it runs again", line);
    }
}

// "a `__syncthreads()` is missing after loading (between line 13 and line 22): line 13 stores …".
static void barrier_missing(const struct words *words, char *clause) {
    const struct finding *seen = words->seen;
    bool in_warp = (seen->flags & FINDING_SAME_WARP) != 0;
    bool tiles = seen->space == SPACE_SHARED && !in_warp && seen->line != seen->other_line;
    const char *stage = "";
    if (tiles && words_hazard(seen) == HAZARD_READ_AFTER_WRITE) {
        stage = _(" after loading");
    } else if (tiles && words_hazard(seen) == HAZARD_WRITE_AFTER_READ) {
        stage = _(" after computing");
    }
    words_append(clause, CLAUSE_MAX, "a `%s()` is missing%s",
                 in_warp ? "__syncwarp" : "__syncthreads", stage);
    between_append(words, clause, stage[0] != '\0');
    words_append(clause, CLAUSE_MAX, ": ");
    event_append(clause, seen->line, seen->access, words->element);
    words_append(clause, CLAUSE_MAX, ", then ");
    event_append(clause, seen->other_line, seen->other_access, NULL);
}

static void two_stores(const struct words *words, char *clause) {
    const struct finding *seen = words->seen;
    char where[WHERE_MAX];
    char other[WHERE_MAX];
    const char *value = seen->flags & FINDING_SAME_VALUE ? _("the same value to ") : "";
    if (seen->line == seen->other_line) {
        words_append(clause, CLAUSE_MAX, "two threads store %s%s, both in %s", value,
                     words->element, words_line(seen->line, where));
    } else {
        words_append(clause, CLAUSE_MAX, "two threads store %s%s: one in %s, the other in %s",
                     value, words->element, words_line(seen->line, where),
                     words_line(seen->other_line, other));
    }
    words_append(clause, CLAUSE_MAX, ", and nothing orders them");
}

// "(1, 0)", with as many indices as the grid needs.
static void block_append(char numbers[WHERE_MAX], const uint32_t block[3], bool deep) {
    if (deep) {
        words_append(numbers, WHERE_MAX, "(%u, %u, %u)", block[0], block[1], block[2]);
    } else {
        words_append(numbers, WHERE_MAX, "(%u, %u)", block[0], block[1]);
    }
}

static void block_event(const struct words *words, char *clause, const uint32_t block[3],
                        uint32_t line, uint32_t access, const char *element) {
    const struct finding *seen = words->seen;
    char where[WHERE_MAX];
    char numbers[WHERE_MAX] = "";
    block_append(numbers, block, seen->block[2] + seen->other_block[2] > 0);
    const char *place = words_line(line, where);
    if (!element) {
        words_append(clause, CLAUSE_MAX,
                     access == ACCESS_READ ? _("block %s reads it in %s")
                     : access == ACCESS_WRITE
                         ? _("block %s stores it in %s")
                         : _("block %s changes it with an atomic operation in %s"),
                     numbers, place);
        return;
    }
    words_append(clause, CLAUSE_MAX,
                 access == ACCESS_READ    ? _("block %s reads %s in %s")
                 : access == ACCESS_WRITE ? _("block %s stores %s in %s")
                                          : _("block %s changes %s with an atomic operation in %s"),
                 numbers, element, place);
}

static void two_blocks(const struct words *words, char *clause) {
    const struct finding *seen = words->seen;
    bool deep = seen->block[2] + seen->other_block[2] > 0;
    if (words_hazard(seen) == HAZARD_WRITE_AFTER_WRITE) {
        char first[WHERE_MAX] = "";
        char second[WHERE_MAX] = "";
        block_append(first, seen->block, deep);
        block_append(second, seen->other_block, deep);
        words_append(clause, CLAUSE_MAX, "%s is written by two blocks, %s and %s", words->element,
                     first, second);
        if (seen->flags & FINDING_SAME_VALUE) {
            words_append(clause, CLAUSE_MAX, ", with the same value");
        }
        return;
    }
    block_event(words, clause, seen->block, seen->line, seen->access, words->element);
    words_append(clause, CLAUSE_MAX, ", and ");
    block_event(words, clause, seen->other_block, seen->other_line, seen->other_access, NULL);
    words_append(clause, CLAUSE_MAX, ": nothing orders two blocks");
}

// "line 22 reads As[3][0] while the asynchronous copy of line 13 still fills it: wait for …".
static void copy_under_way(const struct words *words, char *clause) {
    const struct finding *seen = words->seen;
    char where[WHERE_MAX];
    bool again = seen->line == seen->other_line;
    event_append(clause, seen->other_line, seen->other_access, words->element);
    words_append(clause, CLAUSE_MAX,
                 again ? _(" while another asynchronous copy of %s still fills it")
                       : _(" while the asynchronous copy of %s still fills it"),
                 words_line(seen->line, where));
    const char *mend = seen->other_access == ACCESS_READ
                           ? _(": wait for the copy")
                           : _(": wait for it first, or copy to another place");
    words_append(clause, CLAUSE_MAX, "%s", mend);
}

void words_race(const struct words *words, char *clause) {
    if (words->seen->flags & FINDING_UNDER_WAY) {
        copy_under_way(words, clause);
    } else if (words_between_blocks(words->seen)) {
        two_blocks(words, clause);
    } else if (words_hazard(words->seen) == HAZARD_WRITE_AFTER_WRITE) {
        two_stores(words, clause);
    } else {
        barrier_missing(words, clause);
    }
}
