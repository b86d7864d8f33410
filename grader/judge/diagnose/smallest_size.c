// Finds a small size that still fails, and the terms of a wrong product at that size.
//
// First tries all dimensions together, because most mistakes show at a few tiles; then one
// dimension after the other, until a whole round finds nothing smaller.
#include "judge/diagnose/diagnose.h"

#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/memory.h"
#include "base/words.h"
#include "judge/cause/probed_terms.h"
#include "judge/model/judgement.h"
#include "judge/run/cases.h"
#include "judge/run/findings_merge.h"

#define ONES_MAX  12   // elements of the smaller matrix: three launches for each
#define OTHER_MAX 400  // elements of the larger one
#define ADDED_MAX 40   // the same, if each needs a launch
#define C_MAX     1000

#define CHECK_MAX   31            // numbers of the last launch, in magnitude: all sums are exact
#define CHECK_DRAWS (1ull << 41)  // indices into the random numbers of a case

struct probing {
    struct run_worker *worker;
    struct size size;
    struct terms_probe probe;
    float *this, *other;  // one of these is A
    float *results;       // C of all launches
    bool ended;           // each launch ended by itself
};

static int this_count(struct size size) {
    size_t a = size_elements_a(size);
    size_t b = size_elements_b(size);
    return (int)(a < b ? a : b);
}

static int other_count(struct size size) {
    size_t a = size_elements_a(size);
    size_t b = size_elements_b(size);
    return (int)(a < b ? b : a);
}

// True if the launches of a probe at this size are few enough.
static bool run_probe_fits(struct size size) {
    return size_multiply_adds(size) <= (uint64_t)C_MAX * ONES_MAX && this_count(size) <= ONES_MAX &&
           other_count(size) <= OTHER_MAX && size_elements_c(size) <= C_MAX;
}

// C of one launch with the matrices `this` and `other`.
static enum status probe_launch(struct probing *probing, float *c, struct error *err) {
    const bool is_a = probing->probe.is_a;
    const struct matmul inputs = {.size = probing->size,
                                  .a = is_a ? probing->this : probing->other,
                                  .b = is_a ? probing->other : probing->this};
    bool ended = false;
    if (!probing->ended) {
        return STATUS_OK;
    }
    enum status status = run_case_product(probing->worker, &inputs, c, &ended, err);
    probing->ended = ended;
    return status;
}

static void matrix_fill(float *matrix, int count, enum terms_other kind) {
    for (int i = 0; i < count; i++) {
        float number = (float)(i + 1);
        matrix[i] = kind == TERMS_UNITS      ? TERMS_UNIT
                    : kind == TERMS_ORDINALS ? number
                                             : number * number;
    }
}

// Sets a matrix to 0 except for a single 1; with at = -1, to all 0.
static void fill_one(float *matrix, int count, int at) {
    memset(matrix, 0, (size_t)count * sizeof *matrix);
    if (at >= 0) {
        matrix[at] = 1;
    }
}

// All launches except those for the other matrix alone.
static enum status launch_all(struct probing *probing, struct error *err) {
    struct terms_probe *probe = &probing->probe;
    size_t elements = size_elements_c(probing->size);
    float *at = probing->results;
    probe->zero = at;
    enum status status = probe_launch(probing, at, err);
    for (int kind = 0; kind < TERMS_OTHER_COUNT; kind++) {
        matrix_fill(probing->other, probe->other_count, (enum terms_other)kind);
        probe->none[kind] = at + elements;
        probe->one[kind] = at + 2 * elements;
        for (int p = -1; p < probe->count && !status; p++) {
            at += elements;
            fill_one(probing->this, probe->count, p);
            status = probe_launch(probing, at, err);
        }
    }
    return status;
}

static enum status launch_other(struct probing *probing, struct error *err) {
    struct terms_probe *probe = &probing->probe;
    size_t elements = size_elements_c(probing->size);
    float *at = probing->results + (1 + TERMS_OTHER_COUNT * (size_t)(probe->count + 1)) * elements;
    enum status status = STATUS_OK;
    fill_one(probing->this, probe->count, -1);
    probe->other_one = at;
    for (int q = 0; q < probe->other_count && !status; q++) {
        fill_one(probing->other, probe->other_count, q);
        status = probe_launch(probing, at + (size_t)q * elements, err);
    }
    return status;
}

// From -CHECK_MAX to CHECK_MAX, without 0.
static void fill_random(struct random_key key, uint64_t first, float *matrix, int count) {
    for (int i = 0; i < count; i++) {
        int32_t number = (int32_t)random_below(key, first + (uint64_t)i, 2 * CHECK_MAX) - CHECK_MAX;
        matrix[i] = (float)(number + (number >= 0));
    }
}

// A launch with ordinary numbers, and its explanation.
static enum status launch_ordinary(struct probing *probing, const struct planned_case *planned,
                                   char *text, size_t text_bytes, struct error *err) {
    float *a = probing->probe.is_a ? probing->this : probing->other;
    float *b = probing->probe.is_a ? probing->other : probing->this;
    float *c = xmalloc(size_elements_c(probing->size) * sizeof *c);
    fill_random(planned->key, CHECK_DRAWS, probing->this, probing->probe.count);
    fill_random(planned->key, CHECK_DRAWS + ONES_MAX, probing->other, probing->probe.other_count);
    enum status status = probe_launch(probing, c, err);
    if (!status && probing->ended) {
        explain_terms(&probing->probe, a, b, c, text, text_bytes);
    }
    free(c);
    return status;
}

// Launches the kernel without checkers, and describes the terms of the wrong elements of a case
// with exact inputs (judge/cause/probed_terms.h).  "" if they are not known.
// Errors: those of run_worker_launch.
static enum status run_probe(struct run_worker *worker, const struct planned_case *planned,
                             char *text, size_t text_bytes, struct error *err) {
    struct size size = planned->size;
    struct probing probing = {.worker = worker, .size = size, .ended = true};
    struct terms_probe *probe = &probing.probe;
    text[0] = '\0';
    *probe = (struct terms_probe){.size = size,
                                  .is_a = size_elements_a(size) <= size_elements_b(size),
                                  .count = this_count(size),
                                  .other_count = other_count(size)};
    size_t launches =
        1 + TERMS_OTHER_COUNT * (size_t)(probe->count + 1) + (size_t)probe->other_count;
    probing.this = xcalloc((size_t)probe->count, sizeof(float));
    probing.other = xcalloc((size_t)probe->other_count, sizeof(float));
    probing.results = xcalloc(launches * size_elements_c(size), sizeof(float));
    enum status status = launch_all(&probing, err);
    bool added = !status && probing.ended && terms_needs_other(probe);
    if (added && probe->other_count <= ADDED_MAX) {
        status = launch_other(&probing, err);
    }
    if (!status && probing.ended && (!added || probe->other_one)) {
        status = launch_ordinary(&probing, planned, text, text_bytes, err);
    }
    free(probing.results);
    free(probing.other);
    free(probing.this);
    return status;
}

#define SHRINK_CALLS_GPU 10  // a kernel that crashes its context costs half a second

struct size_search {
    shrink_fails fails;
    void *context;
    int32_t tile;
    int calls, calls_max;
    struct size tried[SHRINK_CALLS_LIMIT];
    struct size best;
};

#define CANDIDATES_MAX 10

// Tries a size that is not larger in any dimension; true if it fails too and becomes the best so
// far.
static bool accept(struct size_search *search, struct size size) {
    if (size_equal(size, search->best) || search->calls == search->calls_max) {
        return false;
    }
    for (int i = 0; i < search->calls; i++) {
        if (size_equal(search->tried[i], size)) {
            return false;  // it passed, or the search started there
        }
    }
    search->tried[search->calls++] = size;
    if (!search->fails(search->context, size)) {
        return false;
    }
    search->best = size;
    return true;
}

static int32_t smaller(int32_t a, int32_t b) {
    return a < b ? a : b;
}

// Cubes of a few sizes, cut to the best size so far.
static void shrink_cubes(struct size_search *search) {
    int32_t tile = search->tile;
    const int32_t edges[] = {1, 2, tile - 1, tile, tile + 1, 2 * tile, 2 * tile + 1};
    for (size_t e = 0; e < COUNT(edges); e++) {
        struct size cube = search->best;
        for (int d = 0; d < size_rank(search->best); d++) {
            cube.at[d] = smaller(cube.at[d], edges[e]);
        }
        if (edges[e] >= 1 && accept(search, cube)) {
            return;
        }
    }
}

// The values of one dimension to try, the smallest first; none is repeated and all are below the
// present one.
static int candidates(int32_t present, int32_t tile, int32_t list[CANDIDATES_MAX]) {
    const int32_t wished[] = {1,
                              2,
                              tile - 1,
                              tile,
                              tile + 1,
                              2 * tile,
                              2 * tile + 1,
                              present / 2,
                              present - tile,
                              present - 1};
    int count = 0;
    for (size_t w = 0; w < COUNT(wished); w++) {
        bool useful = wished[w] >= 1 && wished[w] < present;
        for (int i = 0; i < count; i++) {
            useful = useful && list[i] != wished[w];
        }
        if (!useful) {
            continue;
        }
        int at = count++;
        for (; at > 0 && list[at - 1] > wished[w]; at--) {
            list[at] = list[at - 1];
        }
        list[at] = wished[w];
    }
    return count;
}

// Makes one dimension as small as possible; true if it became smaller.
static bool shrink_dimension(struct size_search *search, int d) {
    int32_t list[CANDIDATES_MAX];
    int count = candidates(search->best.at[d], search->tile, list);
    for (int i = 0; i < count; i++) {
        struct size size = search->best;
        size.at[d] = list[i];
        if (accept(search, size)) {
            return true;
        }
    }
    return false;
}

struct size shrink_size(struct size failing, int32_t tile, int calls_max, shrink_fails fails,
                        void *context) {
    struct size_search search = {
        .fails = fails,
        .context = context,
        .tile = tile > 0 ? tile : 16,
        .calls_max = calls_max < SHRINK_CALLS_LIMIT ? calls_max : SHRINK_CALLS_LIMIT,
        .best = failing,
    };
    bool progress = true;
    shrink_cubes(&search);
    while (progress && search.calls < search.calls_max) {
        progress = false;
        for (int d = 0; d < size_rank(search.best); d++) {
            progress = shrink_dimension(&search, d) || progress;
        }
    }
    return search.best;
}

// The least value from `from` on that is not equal or adjacent to a or b; these may be 0.
static int32_t apart(int32_t from, int32_t a, int32_t b) {
    int32_t value = from < 2 ? 2 : from;
    while (abs(value - a) <= 1 || abs(value - b) <= 1) {
        value++;
    }
    return value;
}

struct size shrink_apart(struct size size) {
    int32_t m = size.m < 2 ? 2 : size.m;
    int32_t n = apart(size.n, m, -1);
    return (struct size){m, n, apart(size.k, m, n)};
}

// --- The kernel tried ----------------------------------------------------------------------------

// Context of a try of a smaller size.
struct shrinking {
    const struct judge_options *options;
    const struct exercise *exercise;
    struct run_worker worker;
    struct run_failure *failure;
    enum status status;  // our first error; after it nothing more is tried
    struct error *err;
};

// Tries one size with the same kind of inputs; a size with the same verdict, explained as
// specifically, becomes the failure.
static bool size_fails(void *context, struct size size) {
    struct shrinking *shrinking = context;
    struct run_failure *failure = shrinking->failure;
    struct planned_case planned =
        case_of(shrinking->exercise, shrinking->options->seed, failure->planned.inputs, size);
    struct run_outcome outcome;
    // For a kernel that is not a matmul the explanation is kept: a smaller size may allow a
    // different one.
    bool is_matmul = shrinking->exercise->signature.is_matmul;
    if (shrinking->status || !signature_size_fits(&shrinking->exercise->signature, size)) {
        return false;
    }
    planned.range = failure->planned.range;
    planned.again = failure->planned.again;
    planned.junk = failure->planned.junk;
    planned.no_trials = run_outcome_explained(&failure->outcome) == EXPLAINED_NOTHING;
    shrinking->status = run_case(&shrinking->worker, &planned, run_case_flags(failure->device),
                                 &outcome, shrinking->err);
    bool same = outcome.verdict == failure->outcome.verdict &&
                run_outcome_explained(&outcome) >= run_outcome_explained(&failure->outcome) &&
                run_finding_is_between_blocks(run_outcome_deciding(&outcome)) >=
                    run_finding_is_between_blocks(run_outcome_deciding(&failure->outcome)) &&
                (run_outcome_explained(&outcome) != EXPLAINED_PLACES ||
                 strcmp(outcome.guess, failure->outcome.guess) == 0) &&
                (run_outcome_explained(&failure->outcome) != EXPLAINED_TERMS || is_matmul ||
                 words_are_alike(outcome.guess, failure->outcome.guess));
    if (shrinking->status || !same) {
        return false;
    }
    failure->planned = planned;
    failure->outcome = outcome;
    return true;
}

// Puts the findings of the deciding launch before those of the others.
static void findings_reorder(struct finding_list *findings, const struct run_failure *failure) {
    struct finding_list *others = xmalloc(sizeof *others);
    *others = *findings;
    findings->count = 0;
    run_findings_add(findings, &failure->outcome.findings, failure->device, failure->planned.size);
    for (int i = 0; i < others->count; i++) {
        const struct judged_finding *other = &others->list[i];
        const struct findings one = {.count = 1, .list = {other->finding}};
        run_findings_add(findings, &one, other->device, other->size);
    }
    free(others);
}

// An access outside of A, B or C, or an unwritten part of C, is clear only if M, N and K differ.
static bool is_about_dimensions(const struct exercise *exercise,
                                const struct run_outcome *outcome) {
    if (!exercise->signature.is_matmul) {
        return false;
    }
    if (outcome->verdict == VERDICT_NOT_WRITTEN) {
        return outcome->explained == EXPLAINED_TERMS;  // else all of C is unwritten
    }
    const struct finding *finding = run_outcome_deciding(outcome);
    return finding && outcome->verdict == VERDICT_OUT_OF_BOUNDS && finding->space == SPACE_GLOBAL &&
           finding->array < MATRIX_COUNT;
}

static int32_t larger(int32_t a, int32_t b) {
    return a > b ? a : b;
}

// The text after the first sentence of a guess: a reason, or the formula that holds for all of C.
static const char *reason_of(const char *guess) {
    return guess + words_sentence_end(guess);
}

// A cause suggested by a few elements must also hold at a second, slightly larger size: at the
// smallest size a formula may fit by chance, or a number may equal a tile size.  If no second size
// fails, the cause is reported.
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
    planned.range = shrinking->failure->planned.range;
    shrinking->status =
        run_case(&shrinking->worker, &planned, run_case_flags(shrinking->failure->device), &outcome,
                 shrinking->err);
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

// The same for a kernel that is not a matmul: if it is wrong at three larger sizes, at most one of
// them may have no explanation.
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
        planned.range = failure->planned.range;
        shrinking->status = run_case(&shrinking->worker, &planned, run_case_flags(failure->device),
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

#define RAISED_WORK_MAX 2000000  // as of a case
#define RAISED_SMALL    9        // of each dimension: calls of expected.c take little time

// At the smallest size the wrong elements of any output may be all, or one: a larger one that shows
// a pattern of rows and columns, or a cause, says more.
static void raise_explain(struct shrinking *shrinking) {
    struct run_failure *failure = shrinking->failure;
    const struct run_outcome *found = &failure->outcome;
    const struct signature *signature = &shrinking->exercise->signature;
    const int32_t edges[] = {RAISED_SMALL, 2 * larger(shrinking->exercise->tile, 2) + 1};
    bool is_bare =
        found->text_verdict == found->verdict && found->guess[0] == '\0' &&
        found->cause[0] == '\0' && !found->is_pattern && !found->stop &&
        found->findings.count == 0 &&
        (found->verdict == VERDICT_WRONG_RESULT || found->verdict == VERDICT_NOT_WRITTEN);
    for (size_t i = 0; i < COUNT(edges) && is_bare && !shrinking->status; i++) {
        struct size size = failure->planned.size;
        struct run_outcome outcome;
        for (int d = 0; d < size_rank(size); d++) {
            size.at[d] = larger(size.at[d], edges[i]);
        }
        if (size_equal(size, failure->planned.size) || !signature_size_fits(signature, size) ||
            signature_work(signature, size) > RAISED_WORK_MAX) {
            continue;
        }
        struct planned_case planned =
            case_of(shrinking->exercise, shrinking->options->seed, failure->planned.inputs, size);
        planned.range = failure->planned.range;
        planned.no_trials = i > 0;
        shrinking->status = run_case(&shrinking->worker, &planned, run_case_flags(failure->device),
                                     &outcome, shrinking->err);
        if (!shrinking->status && outcome.verdict == found->verdict &&
            (outcome.is_pattern || outcome.guess[0] != '\0')) {
            failure->planned = planned;
            failure->outcome = outcome;
            return;
        }
    }
}

// True if C is wrong and little or nothing is known about the cause.
static bool is_unexplained(const struct run_failure *failure) {
    const struct run_outcome *outcome = &failure->outcome;
    return failure->device == DEVICE_EMU && failure->planned.inputs == INPUTS_EXACT &&
           outcome->verdict == VERDICT_WRONG_RESULT && outcome->text_verdict == outcome->verdict &&
           !outcome->stop && !outcome->unset && outcome->cause[0] == '\0' &&
           (outcome->explained == EXPLAINED_NOTHING || outcome->explained == EXPLAINED_ALL_TERMS);
}

// Tries to explain the mistake at this size.  False if there is no explanation.
static bool size_explains(struct shrinking *shrinking, struct size size) {
    struct run_failure *failure = shrinking->failure;
    struct run_failure here = {.failed = true, .device = failure->device};
    char text[ORACLE_TEXT_MAX] = "";
    here.planned = case_of(shrinking->exercise, shrinking->options->seed, INPUTS_EXACT, size);
    if (shrinking->status || !shrinking->exercise->signature.is_matmul || !run_probe_fits(size)) {
        return false;
    }
    shrinking->status = run_case(&shrinking->worker, &here.planned, run_case_flags(here.device),
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

// With a single row, column and k, nothing shows which of them is wrong; and C may stay 0 until a
// float4 or a block is full.
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
    if (shrinking->options->only_size_count > 0) {
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
    if (failure->planned.part_blocks > 0) {
        findings_reorder(&result->findings, failure);
        return STATUS_OK;  // the kernel has passed all smaller cases
    }
    run_worker_init(&shrinking.worker, program);
    // A kernel that does not end costs seconds per try; and if one size was requested, it is kept.
    if (!failure->outcome.stop && options->only_size_count == 0) {
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
        } else if (result->exercise->signature.is_matmul && smallest.k == 2 &&
                   failure->outcome.explained == EXPLAINED_TERMS) {
            // If there are two terms, "the first is missing" and "only the last is left" are the
            // same.
            (void)size_fails(&shrinking, (struct size){smallest.m, smallest.n, 3});
        }
    }
    if (result->exercise->signature.is_matmul) {
        guess_check(&shrinking);
    } else {
        guess_check_other(&shrinking);
        if (options->only_size_count == 0) {
            raise_explain(&shrinking);
        }
    }
    larger_explain(&shrinking);
    result->cells = failure->outcome.cells;
    if (failure->outcome.wrong.edge > 1) {
        result->wrong = failure->outcome.wrong;
    }
    run_worker_stop(&shrinking.worker);
    if (!shrinking.status) {
        findings_reorder(&result->findings, failure);
    }
    return shrinking.status;
}
