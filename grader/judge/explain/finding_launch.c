// What is said of a launch that uses what an earlier one may still be using.
#include "base/text.h"
#include "judge/explain/finding_words.h"

bool words_of_launches(const struct finding *seen) {
    return seen->kind == FINDING_RACE &&
           (seen->detail == RACE_LACKS_GRID_WAIT || seen->detail == RACE_LAUNCH_NOT_WAITED_FOR);
}

void words_launch_race(const struct words *words, char *clause) {
    const struct finding *seen = words->seen;
    char first[WHERE_MAX];
    char second[WHERE_MAX];
    const char *here = words_line(seen->line, first);
    const char *there = words_line(seen->other_line, second);
    words_write(clause, CLAUSE_MAX,
                seen->access == ACCESS_READ
                    ? _("%s reads %s, which %s of an earlier launch stores, without waiting for "
                        "that launch")
                : seen->other_access == ACCESS_READ
                    ? _("%s stores %s, which %s of an earlier launch reads, without waiting for "
                        "that launch")
                    : _("%s stores %s, which %s of an earlier launch stores too, without waiting "
                        "for that launch"),
                here, words->element, there);
}

void words_launch_why(const struct finding *seen, char *message) {
    words_sentence(
        message, ERROR_TEXT_MAX,
        seen->detail == RACE_LACKS_GRID_WAIT
            ? _("A launch of `LAUNCH_DEPENDENT` may run while earlier launches still do. Before "
                "this access its thread must call `ptx::griddepcontrol_wait()`; or another thread "
                "calls it, and a barrier follows.")
            : _("`ptx::griddepcontrol_wait()` waits for the launch before this one. That one is a "
                "`LAUNCH_DEPENDENT` too, and none of its threads has called "
                "`ptx::griddepcontrol_wait()`, so the earlier launch may still be running."));
}
