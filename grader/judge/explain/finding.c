// The message and the headline around the clause of a finding: who did it, and why it matters.
#include "judge/explain/finding.h"

#include <stdio.h>
#include <string.h>

#include "base/compose.h"
#include "judge/explain/finding_words.h"

// "It was thread (0, 2, 0) of block (0, 3, 0)."
static void single_who(const struct words *words, char *message) {
    const struct finding *seen = words->seen;
    char thread[WHERE_MAX];
    char block[WHERE_MAX];
    if (words->judged->device == DEVICE_GPU) {
        words_sentence(message, ERROR_TEXT_MAX,
                       "The GPU stopped the kernel and does not report where.");
        return;
    }
    words_sentence(message, ERROR_TEXT_MAX, "It was %s of %s.", words_thread(seen->thread, thread),
                   words_block(seen->block, block));
}

static void who(const struct words *words, char *message) {
    bool is_pair = words->seen->kind == FINDING_RACE || words_between_blocks(words->seen);
    char block[WHERE_MAX];
    switch (words->seen->kind) {
    case FINDING_BARRIER_DIVERGENCE:
    case FINDING_EXITED_BEFORE_BARRIER:
        words_sentence(message, ERROR_TEXT_MAX, "This happened in %s.",
                       words_block(words->seen->block, block));
        break;
    case FINDING_OUTPUT_LIMIT:
        break;
    default:
        (is_pair ? words_race_who : single_who)(words, message);
        break;
    }
}

// From where the kernel called the function that the line is in.
static void called(const struct judged_finding *finding, char *message) {
    if (finding->finding.call_line > 0 && !finding->names_call) {
        words_sentence(message, ERROR_TEXT_MAX, "The call from the kernel is in line %u.",
                       finding->finding.call_line);
    }
}

// Those of threads that wait for a phase.
static void mbarriers_of(const struct judged_finding *finding,
                         const struct shared_array_table *shared, struct words *words) {
    const struct finding *seen = &finding->finding;
    uint32_t array = seen->space == SPACE_SHARED ? seen->array : ARRAY_NONE;
    if (!finding_mbarrier(shared, array, seen->offset, words->mbarrier)) {
        words_write(words->mbarrier, MBARRIER_MAX, "an mbarrier");
    }
    if (!finding_mbarrier(shared, seen->other_array, seen->other_offset, words->other_mbarrier)) {
        words_write(words->other_mbarrier, MBARRIER_MAX, "another mbarrier");
    }
}

// The clause as a sentence.
static void message_begin(struct judged_finding *finding) {
    words_write(finding->message, sizeof finding->message, "%s.", finding->clause);
    words_capitalize(finding->message);
}

// One pair of lines is enough for an array: four stores of a float4 are one mistake.
static bool is_said(const struct judged_finding *judged, int also) {
    const char *array = judged->also[also].array;
    bool said = strcmp(array, judged->array) == 0 || judged->barrier_use >= BARRIER_UNPROVED;
    for (int i = 0; i < also; i++) {
        said |= strcmp(array, judged->also[i].array) == 0;
    }
    return said;
}

// The other arrays that the same barrier would protect.
static void also_raced(const struct words *words, char *message) {
    const struct judged_finding *judged = words->judged;
    bool reads_first = finding_hazard(words->seen) == HAZARD_WRITE_AFTER_READ;
    for (int i = 0; i < judged->also_count; i++) {
        const struct also_raced *also = &judged->also[i];
        if (is_said(judged, i)) {
            continue;
        }
        words_sentence(message, ERROR_TEXT_MAX,
                       reads_first ? _("It is missing for %s too: line %u reads it, then line %u "
                                       "stores to it.")
                                   : _("It is missing for %s too: line %u stores to it, then line "
                                       "%u reads it."),
                       also->array, also->line, also->other_line);
    }
}

// The condition that keeps threads from a barrier.
static void guarded(const struct judged_finding *judged, char *message) {
    switch (judged->guard) {
    case GUARD_NONE:
        break;
    case GUARD_BRANCH:
        words_sentence(message, ERROR_TEXT_MAX,
                       "The barrier of line %u is under the condition of line %u, which may differ "
                       "between threads.",
                       judged->guarded_line, judged->guard_line);
        break;
    case GUARD_LEFT:
        words_sentence(message, ERROR_TEXT_MAX,
                       "Before the barrier of line %u, some threads may leave in line %u.",
                       judged->guarded_line, judged->guard_line);
        break;
    case GUARD_LOOP:
        words_sentence(message, ERROR_TEXT_MAX,
                       "The barrier of line %u is in the loop of line %u, which some threads may "
                       "end earlier than others.",
                       judged->guarded_line, judged->guard_line);
        break;
    }
}

void finding_explain(struct judged_finding *finding, const struct shared_array_table *shared) {
    struct words words = {.judged = finding, .seen = &finding->finding};
    finding_place(finding, shared);
    finding_extent(finding, shared, words.extent);
    finding_marked(finding, shared, words.marked);
    finding_element(finding, words.element);
    mbarriers_of(finding, shared, &words);
    words_clause(&words, finding->clause);
    message_begin(finding);
    also_raced(&words, finding->message);
    guarded(finding, finding->message);
    called(finding, finding->message);
    who(&words, finding->message);
    words_why(&words, finding->message);
    (void)snprintf(finding->lesson, sizeof finding->lesson, "lessons/verdicts.md#%s",
                   finding->finding.kind == FINDING_INPUT_WRITTEN
                       ? verdict_name(VERDICT_INPUTS_CHANGED)
                       : finding_kind_name(finding->finding.kind));
}

void finding_retell(struct judged_finding *finding, const char *more, bool names_thread) {
    struct words words = {.judged = finding, .seen = &finding->finding};
    message_begin(finding);
    guarded(finding, finding->message);
    words_sentence(finding->message, sizeof finding->message, "%s", more);
    called(finding, finding->message);
    if (!names_thread) {
        who(&words, finding->message);
    }
    words_why(&words, finding->message);
}

void finding_blame(struct judged_finding *finding, const struct judged_finding *exited) {
    char seen[CLAUSE_MAX];
    memcpy(seen, finding->clause, sizeof seen);
    words_write(finding->clause, sizeof finding->clause, "%s; likely because %s", seen,
                exited->clause);
    words_sentence(finding->message, sizeof finding->message, "The likely cause: %s.",
                   exited->clause);
}

void finding_headline(const struct judged_finding *finding, const char *file,
                      char headline[ERROR_TEXT_MAX]) {
    uint32_t line = finding->finding.line;
    char sentence[CLAUSE_MAX + 8];
    words_write(sentence, sizeof sentence, "%s.", finding->clause);
    if (line != 0) {
        words_write(headline, ERROR_TEXT_MAX, "%.200s:%u: %s", file, line, sentence);
    } else {
        words_write(headline, ERROR_TEXT_MAX, "%.200s: %s", file, sentence);
    }
}

bool finding_names_block(const struct judged_finding *finding) {
    char block[WHERE_MAX];
    char plain[WORDS_PLAIN_MAX];
    char message[WORDS_PLAIN_MAX];
    return strstr(words_plain(finding->message, message),
                  words_plain(words_block(finding->finding.block, block), plain)) != NULL;
}

enum verdict finding_verdict(const struct finding *finding) {
    static const enum verdict verdicts[FINDING_KIND_COUNT] = {
        [FINDING_RACE] = VERDICT_RACE,
        [FINDING_OUT_OF_BOUNDS] = VERDICT_OUT_OF_BOUNDS,
        [FINDING_UNINITIALIZED] = VERDICT_UNINITIALIZED,
        [FINDING_BARRIER_DIVERGENCE] = VERDICT_BARRIER_DIVERGENCE,
        [FINDING_EXITED_BEFORE_BARRIER] = VERDICT_BARRIER_DIVERGENCE,
        [FINDING_MISALIGNED] = VERDICT_MISALIGNED,
        [FINDING_INPUT_WRITTEN] = VERDICT_INPUTS_CHANGED,
        [FINDING_CRASH] = VERDICT_CRASH,
        [FINDING_TIME_LIMIT] = VERDICT_TIME_LIMIT,
        [FINDING_OUTPUT_LIMIT] = VERDICT_OUTPUT_LIMIT,
    };
    if (finding->severity != SEVERITY_ERROR || finding->kind >= FINDING_KIND_COUNT) {
        return VERDICT_PASS;
    }
    return verdicts[finding->kind];
}
