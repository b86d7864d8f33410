// What is said of the blocks of a cluster.
#include "base/text.h"
#include "judge/explain/finding_words.h"

// Shared memory of another block of the cluster, which may not run.
static void block_missing(const struct words *words, char *clause) {
    const struct finding *seen = words->seen;
    char where[WHERE_MAX];
    const char *line = words_line(seen->line, where);
    bool begins = seen->detail == RACE_BLOCK_BEGINS;
    if (seen->access == ACCESS_READ) {
        words_write(clause, CLAUSE_MAX,
                    begins ? _("%s reads %s of another block of the cluster, which may not have "
                               "begun yet")
                           : _("%s reads %s of another block of the cluster, which may have ended "
                               "before"),
                    line, words->element);
    } else {
        words_write(clause, CLAUSE_MAX,
                    begins ? _("%s stores %s of another block of the cluster, which may not have "
                               "begun yet")
                           : _("%s stores %s of another block of the cluster, which may have ended "
                               "before"),
                    line, words->element);
    }
}

void words_cluster_race(const struct words *words, char *clause) {
    char events[CLAUSE_MAX];
    if (words->seen->detail != RACE_IN_CLUSTER) {
        block_missing(words, clause);
        return;
    }
    words_events(words, events);
    words_write(clause, CLAUSE_MAX, "nothing orders these accesses by two blocks of a cluster: %s",
                events);
}

void words_cluster_barrier(const struct words *words, char *clause) {
    const struct finding *seen = words->seen;
    char first[WHERE_MAX];
    char second[WHERE_MAX];
    const char *here = words_line(seen->line, first);
    if (seen->other_pc != 0 || seen->other_line != 0) {
        words_write(clause, CLAUSE_MAX,
                    "threads wait at the barrier of the cluster in %s, but others of the cluster "
                    "wait in %s",
                    here, words_line(seen->other_line, second));
    } else {
        words_write(clause, CLAUSE_MAX,
                    "threads wait at the barrier of the cluster in %s, but others of the cluster "
                    "never arrive",
                    here);
    }
}

void words_cluster_why(const struct finding *seen, char *message) {
    enum race_gap gap = (enum race_gap)seen->detail;
    words_sentence(message, ERROR_TEXT_MAX,
                   gap == RACE_BLOCK_BEGINS
                       ? _("Only after a barrier of the cluster is it certain that all its blocks "
                           "run: a `cluster.sync()` is missing before the access.")
                   : gap == RACE_BLOCK_ENDS
                       ? _("The shared memory of a block is gone when it ends: a "
                           "`cluster.sync()` is missing after the access, so that no block ends "
                           "before.")
                       : _("The blocks of a cluster run at the same time. `__syncthreads()` waits "
                           "for the threads of one block only; `cluster.sync()` waits for all."));
}
