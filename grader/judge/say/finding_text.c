// The message and the headline around the clause of a finding: the threads, and why it matters.
#include "judge/say/finding_text.h"

#include <stdio.h>
#include <string.h>

#include "base/basics.h"
#include "judge/say/finding_facts.h"

static void message_say(const struct facts *facts, const char *sentence, char *message) {
    facts_say(facts, sentence, message, ERROR_TEXT_MAX);
}

// The place from which the kernel called the function of the line.
static void called(const struct facts *facts, char *message) {
    if (facts->seen->call_line > 0 && !facts->judged->names_call) {
        message_say(facts, _("The call from the kernel is in line {call_line}."), message);
    }
}

// The clause as a sentence.
static void message_begin(struct judged_finding *finding) {
    words_write(finding->message, sizeof finding->message, "%s.", finding->clause);
    words_capitalize(finding->message);
}

// One pair of lines is enough for an array: four stores of a float4 are one mistake.
static bool is_said(const struct judged_finding *judged, int also) {
    const char *array = judged->barrier.also[also].array;
    bool said = strcmp(array, judged->array) == 0 || judged->barrier.use >= BARRIER_UNPROVED;
    for (int i = 0; i < also; i++) {
        said |= strcmp(array, judged->barrier.also[i].array) == 0;
    }
    return said;
}

// The other arrays that the same barrier would protect.
static void also_raced(struct facts *facts, char *message) {
    const struct judged_finding *judged = facts->judged;
    bool reads_first = finding_hazard(facts->seen) == HAZARD_WRITE_AFTER_READ;
    for (int i = 0; i < judged->barrier.also_count; i++) {
        facts->also = &judged->barrier.also[i];
        if (!is_said(judged, i)) {
            message_say(facts,
                        reads_first ? _("It is missing for {also} too: line {also_line} reads it, "
                                        "then line {also_other_line} stores to it.")
                                    : _("It is missing for {also} too: line {also_line} stores to "
                                        "it, then line {also_other_line} reads it."),
                        message);
        }
    }
}

// The condition that keeps threads from a barrier, or from a call of lanes.
static void guarded(const struct facts *facts, char *message) {
    static const char *const sentences[][2] = {
        [GUARD_NONE] = {"", ""},
        [GUARD_BRANCH] = {N_("The barrier of line {guarded_line} is under the condition of line "
                             "{guard_line}, which may differ between threads."),
                          N_("The call of line {guarded_line} is under the condition of line "
                             "{guard_line}, which may differ between threads.")},
        [GUARD_LEFT] = {N_("Before the barrier of line {guarded_line}, some threads may leave in "
                           "line {guard_line}."),
                        N_("Before the call of line {guarded_line}, some threads may leave in "
                           "line {guard_line}.")},
        [GUARD_LOOP] = {N_("The barrier of line {guarded_line} is in the loop of line "
                           "{guard_line}, which some threads may end earlier than others."),
                        N_("The call of line {guarded_line} is in the loop of line {guard_line}, "
                           "which some threads may end earlier than others.")},
    };
    const bool is_call = facts->seen->detail != LANE_CALL_FINE;
    message_say(facts, sentences[facts->judged->guard.kind][is_call], message);
}

// The threads, unless the clause names them, and why it matters.
static void message_end(const struct facts *facts, bool names_thread, char *message) {
    uint32_t kind = facts->seen->kind;
    called(facts, message);
    if (kind >= FINDING_KIND_COUNT) {
        return;
    }
    if (!names_thread) {
        facts_say_rows(facts, finding_whos[kind], message, ERROR_TEXT_MAX);
    }
    facts_say_rows(facts, finding_whys[kind], message, ERROR_TEXT_MAX);
}

// A block that does not fit the shared array it fills.  Only numbers are reported: the number of
// elements that each thread should store is not known here.

// True if the first unset element comes right after as many elements as the block has threads.
static bool is_past_block(const int64_t index[2], const int64_t extent[2],
                          const uint32_t block[3]) {
    bool in_row = index[1] == block[0] && block[0] < extent[1];
    bool in_column = index[0] == block[1] && block[1] < extent[0] && block[1] > 1;
    return in_row || in_column;
}

static void unset_add(struct judged_finding *finding, const struct shared_array *array,
                      const uint32_t block[3]) {
    if (finding->index_count < 2 || array->rank != (uint32_t)finding->index_count) {
        return;
    }
    int row = finding->index_count - 2;
    const int64_t *index = &finding->index[row];
    const int64_t extent[2] = {array->extent[row], array->extent[row + 1]};
    if (is_past_block(index, extent, block)) {
        words_sentence(finding->message, sizeof finding->message,
                       "The block has %u x %u threads (x, y), and %s has %lld rows of %lld "
                       "elements: together the threads must store all of them.",
                       block[0], block[1], finding->array, (long long)extent[0],
                       (long long)extent[1]);
    }
}

// An index that is the thread's own number.
static void index_add(struct judged_finding *finding, const uint32_t block[3]) {
    const struct finding *seen = &finding->finding;
    for (int d = 0; d < 2; d++) {
        if (seen->offset == (int64_t)seen->thread[d] && block[d] > seen->array_bytes) {
            words_sentence(finding->message, sizeof finding->message,
                           d == 0 ? _("In this thread threadIdx.x is %u: the block has %u x %u "
                                      "threads (x, y).")
                                  : _("In this thread threadIdx.y is %u: the block has %u x %u "
                                      "threads (x, y)."),
                           seen->thread[d], block[0], block[1]);
            return;
        }
    }
}

void finding_explain(struct judged_finding *finding, const struct shared_array_table *shared) {
    struct facts facts;
    uint32_t kind = finding->finding.kind;
    finding_place(finding, shared);
    facts_find(&facts, finding, shared);
    finding->clause[0] = '\0';
    if (kind < FINDING_KIND_COUNT) {
        facts_say_rows(&facts, finding_clauses[kind], finding->clause, CLAUSE_MAX);
    }
    message_begin(finding);
    also_raced(&facts, finding->message);
    guarded(&facts, finding->message);
    message_end(&facts, false, finding->message);
    (void)snprintf(finding->lesson, sizeof finding->lesson, "lessons/verdicts.md#%s",
                   kind == FINDING_INPUT_WRITTEN ? verdict_name(VERDICT_INPUTS_CHANGED)
                                                 : finding_kind_name(kind));
}

void finding_retell(struct judged_finding *finding, const char *more, bool names_thread) {
    struct facts facts;
    facts_find(&facts, finding, NULL);
    message_begin(finding);
    guarded(&facts, finding->message);
    words_sentence(finding->message, sizeof finding->message, "%s", more);
    message_end(&facts, names_thread, finding->message);
}

void finding_observed(const struct judged_finding *finding, char text[ERROR_TEXT_MAX]) {
    struct facts facts;
    char clause[CLAUSE_MAX + 8];
    facts_find(&facts, finding, NULL);
    words_write(clause, sizeof clause, "%s.", finding->clause);
    words_capitalize(clause);
    words_sentence(text, ERROR_TEXT_MAX, "%s", clause);
    facts_say_rows(&facts, finding_whos[finding->finding.kind], text, ERROR_TEXT_MAX);
}

void finding_blame(struct judged_finding *finding, const struct judged_finding *exited) {
    char seen[CLAUSE_MAX];
    memcpy(seen, finding->clause, sizeof seen);
    words_write(finding->clause, sizeof finding->clause, "%s; likely because %s", seen,
                exited->clause);
    words_sentence(finding->message, sizeof finding->message, "The likely cause: %s.",
                   exited->clause);
}

void finding_add_block(struct judged_finding *finding, const struct shared_array_table *shared,
                       const uint32_t block[3]) {
    const struct finding *seen = &finding->finding;
    bool is_array = seen->space == SPACE_SHARED && seen->array < shared->count;
    if (seen->kind == FINDING_UNINITIALIZED && is_array) {
        unset_add(finding, &shared->array[seen->array], block);
    } else if (finding_is_outside(seen, OUTSIDE_ROW)) {
        index_add(finding, block);
    }
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
    facts_block(finding->finding.block, block);
    if (finding->finding.kind == FINDING_HOST) {
        return true;  // which was in no block
    }
    return strstr(words_plain(finding->message, message), words_plain(block, plain)) != NULL;
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
        [FINDING_HOST] = VERDICT_HOST,
    };
    if (finding->severity != SEVERITY_ERROR || finding->kind >= FINDING_KIND_COUNT) {
        return VERDICT_PASS;
    }
    if (finding->kind == FINDING_HOST && finding->detail == HOST_ENDLESS) {
        return VERDICT_TIME_LIMIT;
    }
    return verdicts[finding->kind];
}
