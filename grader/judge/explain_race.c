// What a race says in one clause: which barrier is missing and where, who shares an element, or
// which copy was not waited for.
#include "judge/explain_finding_words.h"

#include <stdio.h>

// "line 13 stores As[3][0]".
static void event_append(char *clause, uint32_t line, uint32_t access, const char *element) {
    char where[WHERE_MAX];
    const char *place = words_line(line, where);
    if (access == ACCESS_ATOMIC) {
        words_append(clause, CLAUSE_MAX, "%s changes %s with an atomic operation", place, element);
    } else {
        words_append(clause, CLAUSE_MAX, "%s %s %s", place,
                     access == ACCESS_WRITE ? "stores" : "reads", element);
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
                     staged ? " (between line %u and line %u)" : " between line %u and line %u",
                     line, other);
    } else if (line > other) {
        words_append(clause, CLAUSE_MAX, "%s before line %u of the next round", staged ? "," : "",
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
        stage = " after loading";
    } else if (tiles && words_hazard(seen) == HAZARD_WRITE_AFTER_READ) {
        stage = " after computing";
    }
    words_append(clause, CLAUSE_MAX, "a `%s()` is missing%s",
                 in_warp ? "__syncwarp" : "__syncthreads", stage);
    between_append(words, clause, stage[0] != '\0');
    words_append(clause, CLAUSE_MAX, ": ");
    event_append(clause, seen->line, seen->access, words->element);
    words_append(clause, CLAUSE_MAX, ", then ");
    event_append(clause, seen->other_line, seen->other_access, "it");
}

static void two_stores(const struct words *words, char *clause) {
    const struct finding *seen = words->seen;
    char where[WHERE_MAX];
    char other[WHERE_MAX];
    const char *value = seen->flags & FINDING_SAME_VALUE ? "the same value to " : "";
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

// "block (1, 0) reads", with as many indices as the grid needs.
static void block_append(char *clause, const uint32_t block[3], bool deep) {
    if (deep) {
        words_append(clause, CLAUSE_MAX, "(%u, %u, %u)", block[0], block[1], block[2]);
    } else {
        words_append(clause, CLAUSE_MAX, "(%u, %u)", block[0], block[1]);
    }
}

static void block_event(const struct words *words, char *clause, const uint32_t block[3],
                        uint32_t line, uint32_t access, const char *element) {
    const struct finding *seen = words->seen;
    char where[WHERE_MAX];
    words_append(clause, CLAUSE_MAX, "block ");
    block_append(clause, block, seen->block[2] + seen->other_block[2] > 0);
    words_append(clause, CLAUSE_MAX, " %s %s",
                 access == ACCESS_READ    ? "reads"
                 : access == ACCESS_WRITE ? "stores"
                                          : "changes",
                 element);
    words_append(clause, CLAUSE_MAX, "%s in %s",
                 access == ACCESS_ATOMIC ? " with an atomic operation" : "",
                 words_line(line, where));
}

static void two_blocks(const struct words *words, char *clause) {
    const struct finding *seen = words->seen;
    bool deep = seen->block[2] + seen->other_block[2] > 0;
    if (words_hazard(seen) == HAZARD_WRITE_AFTER_WRITE) {
        words_append(clause, CLAUSE_MAX, "%s is written by two blocks, ", words->element);
        block_append(clause, seen->block, deep);
        words_append(clause, CLAUSE_MAX, " and ");
        block_append(clause, seen->other_block, deep);
        if (seen->flags & FINDING_SAME_VALUE) {
            words_append(clause, CLAUSE_MAX, ", with the same value");
        }
        return;
    }
    block_event(words, clause, seen->block, seen->line, seen->access, words->element);
    words_append(clause, CLAUSE_MAX, ", and ");
    block_event(words, clause, seen->other_block, seen->other_line, seen->other_access, "it");
    words_append(clause, CLAUSE_MAX, ": nothing orders two blocks");
}

// "line 22 reads As[3][0] while the asynchronous copy of line 13 still fills it: wait for …".
static void copy_under_way(const struct words *words, char *clause) {
    const struct finding *seen = words->seen;
    char where[WHERE_MAX];
    bool again = seen->line == seen->other_line;
    event_append(clause, seen->other_line, seen->other_access, words->element);
    words_append(clause, CLAUSE_MAX,
                 " while %s asynchronous copy of %s still fills it: wait for the copy",
                 again ? "another" : "the", words_line(seen->line, where));
    words_append(clause, CLAUSE_MAX, "%s", seen->other_access == ACCESS_READ ? "" : " first");
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
