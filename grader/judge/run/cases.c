// Runs the cases of one exercise on one device: see cases.h.
#include "judge/run/cases.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/words.h"
#include "emu/wire/findings.h"
#include "judge/model/judgement.h"
#include "judge/run/case.h"
#include "judge/explain/finding.h"
#include "judge/run/findings.h"
#include "judge/run/probe.h"
#include "judge/run/shrink.h"

// Multiply-adds of the largest case.  The CPU device with all checkers does some 40 million a
// second, and a student waits for about 35 cases.
#define COST_MAX_EMU 2000000ull
#define COST_MAX_GPU EXERCISE_CASE_WORK_MAX

// After one search for the cause of a wrong result, the next is at a case so many times as large.
#define TRIAL_STEP 4

#define SHRINK_CALLS_GPU 10  // a kernel that brings its context down costs half a second

static uint32_t flags_of(enum device_kind device) {
    return device == DEVICE_EMU ? REQUEST_CHECK : REQUEST_RELOAD;
}

static uint64_t cost_max_of(enum device_kind device) {
    return device == DEVICE_EMU ? COST_MAX_EMU : COST_MAX_GPU;
}

// How specific the texts about C are, if they are shown and not a finding.
static enum explained told_by(const struct run_outcome *outcome) {
    return outcome->text_verdict == outcome->verdict ? outcome->explained : EXPLAINED_NOTHING;
}

// The finding that gives the verdict; NULL if none does.
static const struct finding *deciding(const struct run_outcome *outcome) {
    for (uint32_t i = 0; i < outcome->findings.count && outcome->verdict != VERDICT_PASS; i++) {
        const struct finding *finding = &outcome->findings.list[i];
        if (finding_verdict(finding) == outcome->verdict) {
            return finding;
        }
    }
    return NULL;
}

// A launch that was cut short says less than a mistake at a line in one that came to its end, and
// is often its consequence.
static bool is_less_than_found(const struct run_outcome *outcome,
                               const struct run_failure *failure) {
    const struct finding *found = failure->failed ? deciding(&failure->outcome) : NULL;
    return outcome->verdict == VERDICT_TIME_LIMIT && !failure->outcome.stop && found &&
           found->pc != 0;
}

static bool is_between_blocks(const struct finding *finding) {
    return finding && finding->kind == FINDING_RACE && finding_is_between_blocks(finding);
}

// True if the race that decides was seen in one block so far, and now between two, which no barrier
// orders.
static bool shows_two_blocks(const struct run_outcome *outcome, const struct run_outcome *before) {
    const struct finding *known = deciding(before);
    for (uint32_t i = 0; i < outcome->findings.count && known && !is_between_blocks(known); i++) {
        const struct finding *finding = &outcome->findings.list[i];
        if (is_between_blocks(finding) && finding_verdict(finding) == before->verdict &&
            finding_is_same(finding, known)) {
            return true;
        }
    }
    return false;
}

// Keeps the failure that is first in precedence; of equal ones the first that is most specific:
// "column 16 of A is never read" says more than "A is never read", which is what a size of 1 shows.
static void failure_note(struct run_failure *failure, enum device_kind device,
                         const struct planned_case *planned, const struct run_outcome *outcome) {
    bool better = !failure->failed || outcome->verdict < failure->outcome.verdict ||
                  (outcome->verdict == failure->outcome.verdict &&
                   (told_by(outcome) > told_by(&failure->outcome) ||
                    shows_two_blocks(outcome, &failure->outcome)));
    if (outcome->verdict == VERDICT_PASS || !better) {
        return;
    }
    if (is_less_than_found(outcome, failure)) {
        failure->unended = planned->size;
        return;
    }
    *failure = (struct run_failure){
        .failed = true, .device = device, .planned = *planned, .outcome = *outcome};
}

// Of several wrong C the largest shows the pattern best.
static void picture_note(const struct wrong_tiles *wrong, struct wrong_tiles *best) {
    int64_t elements = (int64_t)wrong->size.m * wrong->size.n;
    if (elements > (int64_t)best->size.m * best->size.n) {
        *best = *wrong;
    }
}

enum status run_cases(const struct judge_options *options, struct run_worker *worker,
                      struct exercise_result *result, struct run_failure *failure,
                      struct error *err) {
    struct planned_case planned[CASES_MAX];
    struct run_outcome outcome;
    enum device_kind device = worker->program->kind;
    enum status status = STATUS_OK;
    struct size only = options->only_size;
    uint64_t tried = 0;  // cost of the last case whose failure was searched for its cause
    if (only.m > 0) {
        status = signature_size_fit(&result->exercise->signature, &only, err);
    }
    int count =
        status ? 0
               : cases_plan(result->exercise, options->seed, only, cost_max_of(device), planned);
    for (int i = 0; i < count && !status; i++) {
        bool is_exact = planned[i].inputs == INPUTS_EXACT;  // real ones are few
        planned[i].no_trials = told_by(&failure->outcome) >= EXPLAINED_TERMS ||
                               (is_exact && planned[i].cost < TRIAL_STEP * tried);
        status = run_case(worker, &planned[i], flags_of(device), &outcome, err);
        if (status) {
            break;
        }
        bool is_tried = is_exact && outcome.verdict != VERDICT_PASS && !planned[i].no_trials;
        tried = is_tried ? planned[i].cost : tried;
        run_case_add(&result->cases, &planned[i], device, outcome.verdict);
        run_findings_add(&result->findings, &outcome.findings, device, planned[i].size);
        failure_note(failure, device, &planned[i], &outcome);
        result->blind |= outcome.blind;
        result->waits |= outcome.waits;
        picture_note(&outcome.wrong, &result->wrong);
        if (i == 0) {
            run_output_show(result, &planned[i], &outcome);
        }
        judge_tell(&options->listener, result->exercise, STAGE_CASES, i + 1, count);
        if (outcome.stop) {
            break;
        }
    }
    return status;
}

void run_case_add(struct case_list *cases, const struct planned_case *planned,
                  enum device_kind device, enum verdict verdict) {
    if (cases->count < (int)COUNT(cases->list)) {
        cases->list[cases->count++] = (struct case_result){
            .size = planned->size, .inputs = planned->inputs, .device = device, .verdict = verdict};
    }
}

void run_output_show(struct exercise_result *result, const struct planned_case *planned,
                     const struct run_outcome *outcome) {
    memcpy(result->output.text, outcome->output, sizeof result->output.text);
    result->output.size = planned->size;
}

// Context of a try of a smaller size.
struct shrinking {
    const struct judge_options *options;
    const struct exercise *exercise;
    struct run_worker worker;
    struct run_failure *failure;
    enum status status;  // the first trouble of ours; after it nothing is tried any more
    struct error *err;
};

// Tries one size with the same kind of inputs; a size that shows the same verdict, as specifically,
// becomes the failure.
static bool size_fails(void *context, struct size size) {
    struct shrinking *shrinking = context;
    struct run_failure *failure = shrinking->failure;
    struct planned_case planned =
        case_of(shrinking->exercise, shrinking->options->seed, failure->planned.inputs, size);
    struct run_outcome outcome;
    // An explanation of another kernel stays what it is: a smaller size may allow another one.
    bool is_product = shrinking->exercise->signature.is_product;
    if (shrinking->status || !signature_size_fits(&shrinking->exercise->signature, size)) {
        return false;
    }
    planned.again = failure->planned.again;
    planned.junk = failure->planned.junk;
    planned.no_trials = told_by(&failure->outcome) == EXPLAINED_NOTHING;
    shrinking->status =
        run_case(&shrinking->worker, &planned, flags_of(failure->device), &outcome, shrinking->err);
    bool same =
        outcome.verdict == failure->outcome.verdict &&
        told_by(&outcome) >= told_by(&failure->outcome) &&
        is_between_blocks(deciding(&outcome)) >= is_between_blocks(deciding(&failure->outcome)) &&
        (told_by(&outcome) != EXPLAINED_PLACES ||
         strcmp(outcome.guess, failure->outcome.guess) == 0) &&
        (told_by(&failure->outcome) != EXPLAINED_TERMS || is_product ||
         words_are_alike(outcome.guess, failure->outcome.guess));
    if (shrinking->status || !same) {
        return false;
    }
    failure->planned = planned;
    failure->outcome = outcome;
    return true;
}

// Puts the findings of the deciding launch before those of the others.
static enum status findings_reorder(struct finding_list *findings,
                                    const struct run_failure *failure, struct error *err) {
    struct finding_list *others = malloc(sizeof *others);
    if (!others) {
        return fail(err, STATUS_NO_MEMORY, "no memory for %d findings", findings->count);
    }
    *others = *findings;
    findings->count = 0;
    run_findings_add(findings, &failure->outcome.findings, failure->device, failure->planned.size);
    for (int i = 0; i < others->count; i++) {
        const struct judged_finding *other = &others->list[i];
        const struct findings one = {.count = 1, .list = {other->finding}};
        run_findings_add(findings, &one, other->device, other->size);
    }
    free(others);
    return STATUS_OK;
}

// An access outside of A, B or C, or a part of C that is left, is clear only if M, N and K differ.
static bool is_about_dimensions(const struct exercise *exercise,
                                const struct run_outcome *outcome) {
    if (!exercise->signature.is_product) {
        return false;
    }
    if (outcome->verdict == VERDICT_NOT_WRITTEN) {
        return outcome->explained == EXPLAINED_TERMS;  // else all of C is left
    }
    const struct finding *finding = deciding(outcome);
    return finding && outcome->verdict == VERDICT_OUT_OF_BOUNDS && finding->space == SPACE_GLOBAL &&
           finding->array < MATRIX_COUNT;
}

static int32_t larger(int32_t a, int32_t b) {
    return a > b ? a : b;
}

// What follows the first sentence of a guess: a reason, or the formula that holds for all of C.
static const char *reason_of(const char *guess) {
    return guess + words_sentence_end(guess);
}

// What a few elements suggest must hold at a second size too, a little larger: at the smallest one
// a formula may fit by chance, and a number be that of a tile.  Without a second size that fails it
// is said.
static void guess_check(struct shrinking *shrinking) {
    struct run_outcome *failed = &shrinking->failure->outcome;
    struct size size = shrinking->failure->planned.size;
    struct run_outcome outcome;
    bool is_reason = failed->explained == EXPLAINED_TERMS && reason_of(failed->guess)[0] != '\0';
    int32_t more = is_reason ? larger(shrinking->exercise->tile, 1) : 1;  // a whole tile of terms
    bool fits = true;
    for (int i = 0; i < size_rank(size); i++) {
        size.at[i] += i == 2 ? more : 1;
        fits = fits && size.at[i] <= SIZE_DIMENSION_MAX;
    }
    if (shrinking->status || failed->guess[0] == '\0' || failed->stop || !fits ||
        !signature_size_fits(&shrinking->exercise->signature, size)) {
        return;
    }
    struct planned_case planned = case_of(shrinking->exercise, shrinking->options->seed,
                                          shrinking->failure->planned.inputs, size);
    shrinking->status = run_case(&shrinking->worker, &planned, flags_of(shrinking->failure->device),
                                 &outcome, shrinking->err);
    if (shrinking->status || outcome.verdict != failed->verdict) {
        return;
    }
    bool same = strcmp(reason_of(failed->guess), reason_of(outcome.guess)) == 0;
    if (outcome.explained == EXPLAINED_NOTHING ||
        (!same && failed->explained == EXPLAINED_PLACES)) {
        failed->guess[0] = '\0';
        failed->explained = failed->cause[0] == '\0' ? EXPLAINED_NOTHING : failed->explained;
    } else if (!same && is_reason) {
        failed->guess[words_sentence_end(failed->guess)] = '\0';
    }
}

// The same for a kernel that is no product: of three larger sizes at which it is wrong, at most one
// may have no explanation.
static void guess_check_other(struct shrinking *shrinking) {
    struct run_failure *failure = shrinking->failure;
    const struct exercise *exercise = shrinking->exercise;
    const int32_t tile = larger(exercise->tile, 2);
    const int32_t more[] = {1, tile, 2 * tile + 1};
    int denials = 0;
    for (size_t i = 0; i < COUNT(more) && failure->outcome.guess[0] != '\0' &&
                       !failure->outcome.stop && !shrinking->status;
         i++) {
        struct size size = failure->planned.size;
        struct run_outcome outcome;
        for (int d = 0; d < size_rank(failure->planned.size); d++) {
            size.at[d] =
                size.at[d] > SIZE_DIMENSION_MAX - more[i] ? size.at[d] : size.at[d] + more[i];
        }
        if (!signature_size_fits(&exercise->signature, size)) {
            continue;
        }
        struct planned_case planned =
            case_of(exercise, shrinking->options->seed, failure->planned.inputs, size);
        shrinking->status = run_case(&shrinking->worker, &planned, flags_of(failure->device),
                                     &outcome, shrinking->err);
        if (!shrinking->status && outcome.verdict == failure->outcome.verdict) {
            if (outcome.explained != EXPLAINED_NOTHING) {
                return;
            }
            denials++;
        }
    }
    if (denials > 1) {
        failure->outcome.guess[0] = '\0';
        failure->outcome.explained = EXPLAINED_NOTHING;
    }
}

// True if C is wrong, and nothing or little is known of the cause.
static bool is_unexplained(const struct run_failure *failure) {
    const struct run_outcome *outcome = &failure->outcome;
    return failure->device == DEVICE_EMU && failure->planned.inputs == INPUTS_EXACT &&
           outcome->verdict == VERDICT_WRONG_RESULT && outcome->text_verdict == outcome->verdict &&
           !outcome->stop && !outcome->unset && outcome->cause[0] == '\0' &&
           (outcome->explained == EXPLAINED_NOTHING || outcome->explained == EXPLAINED_ALL_TERMS);
}

// Tries to explain the mistake at this size.  False if that did not come about.
static bool size_explains(struct shrinking *shrinking, struct size size) {
    struct run_failure *failure = shrinking->failure;
    struct run_failure here = {.failed = true, .device = failure->device};
    char text[ORACLE_TEXT_MAX] = "";
    here.planned = case_of(shrinking->exercise, shrinking->options->seed, INPUTS_EXACT, size);
    if (shrinking->status || !shrinking->exercise->signature.is_product || !run_probe_fits(size)) {
        return false;
    }
    shrinking->status = run_case(&shrinking->worker, &here.planned, flags_of(here.device),
                                 &here.outcome, shrinking->err);
    if (shrinking->status || here.outcome.verdict != VERDICT_WRONG_RESULT ||
        here.outcome.text_verdict != here.outcome.verdict) {
        return false;
    }
    shrinking->status =
        run_probe(&shrinking->worker, &here.planned, text, sizeof text, shrinking->err);
    if (shrinking->status || text[0] == '\0') {
        return false;
    }
    memcpy(here.outcome.cause, text, sizeof text);
    here.outcome.guess[0] = '\0';
    here.outcome.explained = EXPLAINED_TERMS;
    *failure = here;
    return true;
}

// At one row, column and k nothing tells which of them is wrong; and a float4 or a block may have
// to be full before C holds something else than 0.
static void larger_explain(struct shrinking *shrinking) {
    struct size size = shrinking->failure->planned.size;
    int32_t past = shrinking->exercise->tile + 2;
    const struct size sizes[] = {{larger(size.m, 2), larger(size.n, 3), larger(size.k, 2)},
                                 {2, 3, 4},
                                 {2, past, 2},
                                 {past, 3, 2}};
    if (!is_unexplained(shrinking->failure)) {
        return;
    }
    if (shrinking->options->only_size.m > 0) {
        (void)size_explains(shrinking, size);
        return;
    }
    for (size_t i = 0; i < COUNT(sizes) && !size_explains(shrinking, sizes[i]); i++) {
    }
}

enum status run_cases_shrink(const struct judge_options *options, const struct run_program *program,
                             struct exercise_result *result, struct run_failure *failure,
                             struct error *err) {
    struct shrinking shrinking = {
        .options = options, .exercise = result->exercise, .failure = failure, .err = err};
    const struct run_failure found = *failure;
    run_worker_init(&shrinking.worker, program);
    // A kernel that does not end costs seconds a try, and one asked size is what was asked for.
    if (!failure->outcome.stop && options->only_size.m == 0) {
        int calls_max = failure->device == DEVICE_EMU ? SHRINK_CALLS_DEFAULT : SHRINK_CALLS_GPU;
        struct size smallest = shrink_size(failure->planned.size, result->exercise->tile, calls_max,
                                           size_fails, &shrinking);
        // The last size that failed need not be the smallest.
        if (!shrinking.status && !size_equal(smallest, failure->planned.size)) {
            *failure = found;
            (void)size_fails(&shrinking, smallest);
        }
        if (is_about_dimensions(result->exercise, &failure->outcome)) {
            (void)size_fails(&shrinking, shrink_apart(smallest));
        } else if (result->exercise->signature.is_product && smallest.k == 2 &&
                   failure->outcome.explained == EXPLAINED_TERMS) {
            // Of two terms, the first being missing and only the last being left are the same.
            (void)size_fails(&shrinking, (struct size){smallest.m, smallest.n, 3});
        }
    }
    if (result->exercise->signature.is_product) {
        guess_check(&shrinking);
    } else {
        guess_check_other(&shrinking);
    }
    larger_explain(&shrinking);
    result->cells = failure->outcome.cells;
    if (failure->outcome.wrong.edge > 1) {
        result->wrong = failure->outcome.wrong;
    }
    run_worker_stop(&shrinking.worker);
    return shrinking.status ? shrinking.status : findings_reorder(&result->findings, failure, err);
}
