// What texts say of a wgmma: its registers, its tiles, and who has to make its calls.
#include "judge/explain/finding_words.h"

// Sums, or registers of A.
static void registers_clause(const struct words *words, char *clause) {
    const struct finding *seen = words->seen;
    char first[WHERE_MAX];
    char second[WHERE_MAX];
    const char *here = words_line(seen->line, first);
    const char *there = words_line(seen->other_line, second);
    if (seen->kind == FINDING_UNINITIALIZED) {
        words_write(clause, CLAUSE_MAX, "the wgmma in %s adds to sums that have no value yet",
                    here);
    } else if (seen->flags & FINDING_UNDER_WAY) {
        words_write(clause, CLAUSE_MAX,
                    seen->other_access == ACCESS_READ
                        ? _("%s reads sums that the wgmma of %s still computes: wait for its "
                            "group first")
                        : _("%s changes sums that the wgmma of %s still computes: wait for its "
                            "group first"),
                    there, here);
    } else if (seen->pc == seen->other_pc) {
        words_write(clause, CLAUSE_MAX, "a `wgmma.fence` is missing before the first wgmma, in %s",
                    here);
    } else {
        words_write(clause, CLAUSE_MAX,
                    "a `wgmma.fence` is missing between %s, which reads or sets an array, and the "
                    "wgmma in %s, which uses it",
                    here, there);
    }
}

bool words_wgmma(const struct words *words, char *clause) {
    const struct finding *seen = words->seen;
    char first[WHERE_MAX];
    char second[WHERE_MAX];
    if (!(seen->flags & FINDING_WGMMA)) {
        return false;
    }
    if (seen->flags & FINDING_LOCAL) {
        registers_clause(words, clause);
        return true;
    }
    if (seen->flags & FINDING_UNDER_WAY) {
        words_write(clause, CLAUSE_MAX,
                    "%s stores %s while the wgmma of %s still reads it: wait for its group first, "
                    "or store to another place",
                    words_line(seen->other_line, second), words->element,
                    words_line(seen->line, first));
        return true;
    }
    words_write(clause, CLAUSE_MAX,
                "a `fence.proxy.async` is missing before the wgmma: %s stores %s, then %s reads it",
                words_line(seen->line, first), words->element,
                words_line(seen->other_line, second));
    return true;
}

const char *words_wgmma_why(const struct finding *seen) {
    if (seen->kind == FINDING_BARRIER_DIVERGENCE) {
        return seen->detail == WARPGROUP_CALL_ABSENT
                   ? _("All 128 threads of a warpgroup must make this call together, in the same "
                       "line. A warpgroup begins at a multiple of 128 threads.")
               : seen->detail == WARPGROUP_CALL_VALUES
                   ? _("A wgmma is one multiplication of the whole warpgroup: its descriptors and "
                       "its scale_d are the same in all 128 threads.")
                   : NULL;
    }
    if (!(seen->flags & FINDING_WGMMA)) {
        return NULL;
    }
    if (seen->kind == FINDING_UNINITIALIZED) {
        return _("A wgmma with a scale_d of 0 does not read its sums; for any other they must be "
                 "set first, and then a `wgmma.fence` is needed.");
    }
    if (seen->detail == RACE_LACKS_WGMMA) {
        return _("A wgmma uses registers by another way than the instructions of its threads, and "
                 "this fence orders the two. Between two wgmmas that add to the same sums none is "
                 "needed.");
    }
    if (seen->detail == RACE_LACKS_PROXY) {
        return _("A wgmma reads shared memory by another way than a thread stores to it, and a "
                 "barrier alone does not order the two.");
    }
    return seen->flags & FINDING_LOCAL
               ? _("A wgmma goes on while its threads do. Its sums are there after a "
                   "`wgmma.commit_group` and a `wgmma.wait_group` that covers that group.")
               : _("A wgmma goes on while its threads do, and a barrier does not wait for it. The "
                   "warpgroup must first wait for its group; a barrier or an mbarrier after that "
                   "wait is for the other threads.");
}
