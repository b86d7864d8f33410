// Lines, threads and blocks as people write them.
#include "judge/explain/finding_words.h"

#include "base/compose.h"

bool words_turned(const struct judged_finding *judged) {
    return judged->barrier_after > 0 && judged->barrier_after < judged->barrier_before &&
           judged->finding.line > judged->finding.other_line;
}

enum hazard words_hazard_in_text(const struct judged_finding *judged) {
    enum hazard hazard = finding_hazard(&judged->finding);
    return !words_turned(judged)               ? hazard
           : hazard == HAZARD_READ_AFTER_WRITE ? HAZARD_WRITE_AFTER_READ
           : hazard == HAZARD_WRITE_AFTER_READ ? HAZARD_READ_AFTER_WRITE
                                               : hazard;
}

bool words_between_blocks(const struct finding *seen) {
    return (seen->flags & FINDING_BETWEEN_BLOCKS) != 0;
}

bool words_in_cluster(const struct finding *seen) {
    return seen->kind == FINDING_RACE && seen->detail >= RACE_IN_CLUSTER;
}

const char *words_line(uint32_t line, char text[WHERE_MAX]) {
    if (line == 0) {
        return _("an unknown line");
    }
    words_write(text, WHERE_MAX, "line %u", line);
    return text;
}

const char *words_thread(const uint32_t thread[3], char text[WHERE_MAX]) {
    words_write(text, WHERE_MAX, "thread (%u, %u, %u)", thread[0], thread[1], thread[2]);
    return text;
}

const char *words_block(const uint32_t block[3], char text[WHERE_MAX]) {
    if (block[0] + block[1] + block[2] == 0) {
        words_write(text, WHERE_MAX, "the first block");
    } else {
        words_write(text, WHERE_MAX, "block (%u, %u, %u)", block[0], block[1], block[2]);
    }
    return text;
}
