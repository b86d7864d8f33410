// A second build of a wrong kernel shows whether the apparently missing barrier corrects it
// (decisions/0056-a-barrier-is-tried.md), or another word does, accesses outside of a thread's own
// arrays, and the values of variables at the first finding (decisions/0036-values.md).  Only the
// compiled text differs, or the checks; the launch is the failed one.
#include "judge/diagnose/diagnose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/compose.h"
#include "base/memory.h"
#include "exercise/exercise.h"
#include "judge/code/barrier_place.h"
#include "judge/code/statements.h"
#include "judge/model/judgement.h"
#include "judge/run/findings_merge.h"
#include "judge/say/finding_text.h"
#include "judge/say/values_story.h"

// More would take too long for just a text.
#define SOURCE_MAX        (64u << 10)  // bytes of a file that is compiled again
#define MULTIPLY_ADDS_MAX 2000000u     // of the launch

#define BUFFERS_MAX 4  // copies of a tile that a kernel uses in turn

// A kernel and its failed launch, to be examined once more.
struct second_look {
    const struct run_kernel *kernel;
    struct run_failure *failure;
    struct exercise_result *result;
    const struct index_watch *watch;  // for values: the variables that the build notes
    enum barrier_use use;             // for barriers: the result of the launches
    bool stays;                       // … and whether the first race is still seen
};

// Launches a second build.
typedef enum status (*look_launch)(const struct run_program *program, struct second_look *look,
                                   struct error *err);

// Builds a text for the CPU device, and launches it if it builds.
static enum status look_again(struct second_look *look, const struct judge_machine *machine,
                              const char *text, look_launch launch, struct error *err) {
    struct run_program program = {.scratch = ""};
    enum status status = run_build(machine, DEVICE_EMU, look->result->exercise,
                                   (struct text){text, strlen(text)}, &program, err);
    if (!status && program.report.fault == BUILD_FAULT_NONE) {
        status = launch(&program, look, err);
    }
    run_program_done(&program);
    return status;
}

// Two builds may number the shared arrays differently, so they are compared by name.
static bool is_same_access(const struct finding *a, const struct judged_finding *finding,
                           const struct shared_array_table *shared) {
    const struct finding *b = &finding->finding;
    bool is_shared = a->space == SPACE_SHARED && a->array < shared->count;
    bool same_array = is_shared ? strncmp(shared->array[a->array].name, finding->array,
                                          sizeof finding->array - 1) == 0
                                : a->array == b->array;
    return a->kind == b->kind && a->space == b->space && same_array && a->offset == b->offset &&
           a->access == b->access && memcmp(a->block, b->block, sizeof a->block) == 0 &&
           memcmp(a->thread, b->thread, sizeof a->thread) == 0;
}

static bool is_race(const struct judged_finding *judged) {
    return judged->finding.kind == FINDING_RACE && judged->finding.severity == SEVERITY_ERROR;
}

// --- Is only a fence missing? --------------------------------------------------------------------

// Never called.  The launch follows what atomic operations hand over if its program has a fence.
#define ANY_FENCE "\n__device__ __attribute__((used)) void Any_fence() { __threadfence(); }\n"

// Does the text have a name that begins so?
static bool has_name(const struct run_kernel *kernel, const char *begin) {
    struct code code = code_open(kernel->prepared, kernel->prepared_bytes);
    bool found = false;
    for (int i = 0; i < code.count; i++) {
        const struct cpp_token *token = &code.token[i];
        found |= token->bytes >= strlen(begin) && memcmp(token->at, begin, strlen(begin)) == 0;
    }
    code_done(&code);
    return found;
}

// A race of blocks, or of threads that may use a lock, in a file with atomic operations alone.
static bool may_lack_fence(const struct run_kernel *kernel, const struct finding_list *findings) {
    const struct finding *first = &findings->list[0].finding;
    return findings->count > 0 && is_race(&findings->list[0]) &&
           first->parties == PARTIES_THREADS &&
           (first->detail == RACE_AMONG_LOCKS ||
            (first->detail == RACE_UNORDERED && first->flags & FINDING_BETWEEN_BLOCKS)) &&
           has_name(kernel, "atomic") && !has_name(kernel, "__threadfence");
}

static bool is_same_race(const struct finding *a, const struct finding *b) {
    bool same = a->line == b->line && a->other_line == b->other_line;
    bool turned = a->line == b->other_line && a->other_line == b->line;
    return a->kind == FINDING_RACE && a->severity == b->severity && a->space == b->space &&
           a->offset == b->offset && (same || turned);
}

static enum status fences_launch(const struct run_program *program, struct second_look *look,
                                 struct error *err) {
    const struct planned_case *planned = &look->failure->planned;
    struct judged_finding *first = &look->result->findings.list[0];
    struct finding_list *list = xcalloc(1, sizeof *list);
    struct run_outcome outcome;
    enum status status = run_case_alone(program, planned, REQUEST_CHECK, &outcome, err);
    if (!status) {
        run_findings_add(list, &outcome.findings, DEVICE_EMU, planned->size);
        status = run_findings_finish(program, &look->kernel->source, VERDICT_RACE, list, err);
    }
    for (int i = 0; !status && i < list->count; i++) {
        const struct finding *seen = &list->list[i].finding;
        if ((seen->detail == RACE_LACKS_RELEASE || seen->detail == RACE_LACKS_ACQUIRE) &&
            is_same_race(seen, &first->finding)) {
            *first = list->list[i];
            break;
        }
    }
    free(list);
    return status;
}

// If atomic operations order the two accesses of the first race, and only fences are missing, says
// so.
static enum status fences_try(struct second_look *look, struct error *err) {
    const struct run_kernel *kernel = look->kernel;
    if (!may_lack_fence(kernel, &look->result->findings)) {
        return STATUS_OK;
    }
    char *text = xasprintf("%s" ANY_FENCE, kernel->prepared);
    enum status status =
        look_again(look, kernel->program[DEVICE_EMU].machine, text, fences_launch, err);
    free(text);
    return status;
}

// --- Does the barrier that seems to be missing correct the kernel? -------------------------------

// An array of a few buffers, so that the wrong buffer may be read or stored.
static bool has_buffers(const struct finding *seen, const struct shared_array_table *shared) {
    const struct shared_array *array =
        seen->array < shared->count ? &shared->array[seen->array] : NULL;
    return array && array->rank > 1 && array->extent[0] > 1 && array->extent[0] <= BUFFERS_MAX;
}

// A single missing barrier between two statements that all threads reach, for one race in an array
// without buffers, is not in doubt.
static bool is_doubted(const struct run_program *program, const struct finding_list *findings) {
    const struct judged_finding *first = &findings->list[0];
    int races = 0;
    for (int i = 0; i < findings->count; i++) {
        races += is_race(&findings->list[i]);
    }
    return findings->count > 0 && is_race(first) &&
           (first->barrier.after > 0 || first->barrier.round_line > 0) &&
           (races > 1 || first->barrier.is_doubted ||
            has_buffers(&first->finding, &program->report.shared));
}

// A mistake may not show in the result of the smallest case that has the race.
static bool is_larger(const struct exercise *exercise, struct planned_case *planned) {
    const int32_t more = 2 * (exercise->tile > 0 ? exercise->tile : 1) + 1;
    for (int i = 0; i < size_rank(planned->size); i++) {
        planned->size.at[i] += more;
    }
    return signature_size_fits(&exercise->signature, planned->size) &&
           size_multiply_adds(planned->size) <= MULTIPLY_ADDS_MAX;
}

// The result of a launch with the barriers.
static enum barrier_use use_of(const struct run_outcome *outcome) {
    bool ends = outcome->verdict == VERDICT_WRONG_RESULT ||
                outcome->verdict == VERDICT_UNINITIALIZED ||
                outcome->verdict == VERDICT_NOT_WRITTEN;
    for (uint32_t i = 0; i < outcome->findings.count; i++) {
        const struct finding *finding = &outcome->findings.list[i];
        ends &= finding->kind != FINDING_RACE || finding->severity != SEVERITY_ERROR;
    }
    return outcome->verdict == VERDICT_PASS ? BARRIER_HELPS
           : ends                           ? BARRIER_FAILS
                                            : BARRIER_UNPROVED;
}

static enum status trial_launch(const struct run_program *program, struct second_look *look,
                                struct error *err) {
    struct planned_case planned = look->failure->planned;
    struct run_worker worker;
    struct run_outcome outcome;
    planned.again = false;
    planned.no_trials = true;
    run_worker_init(&worker, program);
    enum status status = run_case(&worker, &planned, REQUEST_CHECK, &outcome, err);
    look->use = status ? BARRIER_UNPROVED : use_of(&outcome);
    for (uint32_t i = 0; !status && i < outcome.findings.count; i++) {
        look->stays |= is_same_access(&outcome.findings.list[i], &look->result->findings.list[0],
                                      &program->report.shared);
    }
    if (look->use == BARRIER_HELPS && is_larger(look->result->exercise, &planned)) {
        status = run_case(&worker, &planned, REQUEST_CHECK, &outcome, err);
        look->use = status ? BARRIER_UNPROVED : use_of(&outcome);
    }
    run_worker_stop(&worker);
    return status;
}

// Builds and launches the kernel with the barriers.
static enum status trial_build(struct second_look *look, bool in_round, struct error *err) {
    const struct run_kernel *kernel = look->kernel;
    char *text =
        barriers_write(kernel->prepared, kernel->prepared_bytes, &look->result->findings, in_round);
    look->use = BARRIER_UNPROVED;
    look->stays = false;
    enum status status =
        look_again(look, kernel->program[DEVICE_EMU].machine, text, trial_launch, err);
    free(text);
    return status;
}

static void advice_change(const struct run_program *program, enum barrier_use use,
                          struct finding_list *findings) {
    for (int i = 0; i < findings->count; i++) {
        struct judged_finding *judged = &findings->list[i];
        bool stays = use == BARRIER_IN_ROUND && judged->barrier.round_line == 0;
        bool has_place = judged->barrier.after > 0 || judged->barrier.round_line > 0;
        if (is_race(judged) && has_place && !stays) {
            judged->barrier.use = use;
            judged->barrier.after = judged->barrier.before = 0;
            finding_explain(judged, &program->report.shared);
            words_sentence(
                judged->message, sizeof judged->message, "%s",
                use != BARRIER_FAILS
                    ? ""
                    : _("A barrier alone does not correct this: it ends the data race, but the "
                        "kernel is still wrong. Check which element each of the two lines should "
                        "use."));
        }
    }
}

// If the first finding is a race that may lack more than a barrier, or one elsewhere, launches the
// kernel with a barrier at the place of each such race, at the failing case and a larger one, then
// with barriers at the end of the round.  If neither is right, these races are explained again
// without the advice.  The verdict never depends on it.
static enum status barriers_try(struct second_look *look, struct error *err) {
    const struct run_program *program = &look->kernel->program[DEVICE_EMU];
    struct finding_list *findings = &look->result->findings;
    if (!is_doubted(program, findings)) {
        return STATUS_OK;
    }
    const struct judged_finding *first = &findings->list[0];
    enum status status = STATUS_OK;
    enum barrier_use use = BARRIER_UNPROVED;
    if (first->barrier.after > 0) {
        status = trial_build(look, false, err);
        use = look->use;
    }
    if (!status && use != BARRIER_HELPS && first->barrier.round_line > 0) {
        status = trial_build(look, true, err);
        use = look->use == BARRIER_HELPS ? BARRIER_IN_ROUND : use > look->use ? use : look->use;
        // No barrier between two rounds helps: the two accesses of the line are in one round.
        bool inside = look->stays && first->finding.line == first->finding.other_line;
        use = use == BARRIER_UNPROVED && inside ? BARRIER_HELPS : use;
    }
    if (!status && use != first->barrier.use) {
        advice_change(program, use, findings);
    }
    return status;
}

// --- Does another word correct the kernel? -------------------------------------------------------

#define EDITS_MAX    32
#define ROUND_TRIALS 3  // loops

// Tokens of the kernel that a trial replaces.
struct word_trial {
    struct code code;
    int count;  // more than EDITS_MAX: too many
    struct {
        int token;
        const char *text;
    } edit[EDITS_MAX];
};

static bool word_is(const struct code *code, int i, const char *text) {
    return i >= 0 && i < code->count && cpp_is(&code->token[i], text);
}

static int words_count(const struct code *code, const char *text) {
    int count = 0;
    for (int i = 0; i < code->count; i++) {
        count += word_is(code, i, text);
    }
    return count;
}

static void word_replace(struct word_trial *trial, int token, const char *text) {
    if (trial->count < EDITS_MAX) {
        trial->edit[trial->count].token = token;
        trial->edit[trial->count].text = text;
    }
    trial->count++;
}

static void words_replace(struct word_trial *trial, const char *word, const char *text) {
    for (int i = 0; i < trial->code.count; i++) {
        if (word_is(&trial->code, i, word)) {
            word_replace(trial, i, text);
        }
    }
}

static char *word_trial_write(const struct word_trial *trial) {
    const struct code *code = &trial->code;
    char *made = NULL;
    size_t made_bytes = 0;
    FILE *out = xopen_memstream(&made, &made_bytes);
    const char *written = code->text;
    for (int i = 0; i < code->count; i++) {
        for (int k = 0; k < trial->count; k++) {
            if (trial->edit[k].token == i) {
                const struct cpp_token *token = &code->token[i];
                (void)fwrite(written, 1, (size_t)(token->at - written), out);
                (void)fputs(trial->edit[k].text, out);
                written = token->at + token->bytes;
            }
        }
    }
    (void)fwrite(written, 1, (size_t)(code->text + code->bytes - written), out);
    xclose_memstream(out, &made);
    return made;
}

// Is `threadIdx.x` a factor in these tokens?
static bool has_factor(const struct code *code, const char *builtin, int first, int end) {
    for (int i = first; i < end; i++) {
        if (word_is(code, i, builtin) && (word_is(code, i - 1, "*") || word_is(code, i + 3, "*"))) {
            return true;
        }
    }
    return false;
}

// gridDim in place of blockIdx.
static int gridDim_edit(struct word_trial *trial) {
    if (words_count(&trial->code, "blockIdx") == 0) {
        words_replace(trial, "gridDim", "blockIdx");
    }
    return trial->count > 0 ? trial->edit[0].token : -1;
}

// The block's number and the thread's, in each statement where that of the thread is a factor and
// that of the block is not.
static int numbers_edit(struct word_trial *trial) {
    const struct code *code = &trial->code;
    int first = 0;
    for (int i = 0; i < code->count; i++) {
        if (!word_is(code, i, ";")) {
            continue;
        }
        bool turned =
            has_factor(code, "threadIdx", first, i) && !has_factor(code, "blockIdx", first, i);
        for (int k = first; k < i && turned; k++) {
            if (word_is(code, k, "threadIdx") || word_is(code, k, "blockIdx")) {
                word_replace(trial, k, word_is(code, k, "threadIdx") ? "blockIdx" : "threadIdx");
            }
        }
        first = i + 1;
    }
    return trial->count > 0 ? trial->edit[0].token : -1;
}

// x and y of the blocks, if a statement has one of them and the other of the threads.
static int directions_edit(struct word_trial *trial) {
    const struct code *code = &trial->code;
    int mixed = -1;
    for (int i = 0; i < code->count && mixed < 0; i++) {
        for (int k = i; word_is(code, i, "blockIdx") && k < code->count && !word_is(code, k, ";");
             k++) {
            bool x_and_y = (word_is(code, i + 2, "x") && word_is(code, k + 2, "y")) ||
                           (word_is(code, i + 2, "y") && word_is(code, k + 2, "x"));
            mixed = mixed < 0 && x_and_y && word_is(code, k, "threadIdx") ? i : mixed;
        }
    }
    for (int i = 0; i < code->count && mixed >= 0; i++) {
        bool x = word_is(code, i + 2, "x");
        if (word_is(code, i, "blockIdx") && (x || word_is(code, i + 2, "y"))) {
            word_replace(trial, i + 2, x ? "y" : "x");
        }
    }
    return mixed;
}

static int shuffles_edit(struct word_trial *trial) {
    words_replace(trial, "__shfl_down_sync", "__shfl_xor_sync");
    return trial->count > 0 ? trial->edit[0].token : -1;
}

// `sum = __shfl_down_sync(mask, sum, …)`
static int assigned_edit(struct word_trial *trial) {
    const struct code *code = &trial->code;
    for (int i = 1; i + 6 < code->count; i++) {
        if (word_is(code, i, "=") && strncmp(code->token[i + 1].at, "__shfl_", 7) == 0 &&
            word_is(code, i + 4, ",") && cpp_equal(&code->token[i - 1], &code->token[i + 5])) {
            word_replace(trial, i, "+=");
        }
    }
    return trial->count > 0 ? trial->edit[0].token : -1;
}

// The next loop `for (…; step > 1; …)` after a token.
static int round_find(const struct code *code, int from) {
    for (int i = from + 1; i + 2 < code->count; i++) {
        if (word_is(code, i, ">") && code->token[i + 1].kind == CPP_NUMBER &&
            !word_is(code, i + 1, "0") && word_is(code, i + 2, ";")) {
            return i;
        }
    }
    return -1;
}

static void word_say(struct second_look *look, const char *sentence, const struct word_trial *trial,
                     int token) {
    struct run_outcome *outcome = &look->failure->outcome;
    const struct cpp_token *at = &trial->code.token[token];
    char text[ERROR_TEXT_MAX] = "";
    char before[VALUE_NAME_MAX] = "";
    if (token > 0) {
        cpp_copy(at - 1, before, sizeof before);
    }
    const struct words_named values[] = {{.name = "line", .number = at->line},
                                         {.name = "name", .text = before}};
    words_fill_sentence(text, sizeof text, sentence, values, COUNT(values));
    outcome->line = at->line;
    if (outcome->verdict == VERDICT_NOT_WRITTEN) {
        outcome->text[outcome->launch_at] = '\0';
        words_sentence(outcome->text, sizeof outcome->text, "%s", text);
    } else {
        words_write(outcome->cause, sizeof outcome->cause, "%s", text);
        outcome->guess[0] = '\0';
    }
}

// Words that are often confused: makes the edits, and returns the token that the sentence is about.
static const struct {
    int (*edit)(struct word_trial *trial);
    enum verdict verdict;
    const char *sentence;
} confusions[] = {
    {gridDim_edit, VERDICT_NOT_WRITTEN,
     N_("Line {line} uses `gridDim`, the number of blocks, which is the same in each block. The "
        "number of a block is `blockIdx`, and no line uses it.")},
    {numbers_edit, VERDICT_NOT_WRITTEN,
     N_("`blockIdx` and `threadIdx` seem to be exchanged in line {line}: the other way round, the "
        "result is right.")},
    {directions_edit, VERDICT_NOT_WRITTEN,
     N_("`blockIdx.x` and `blockIdx.y` seem to be exchanged, as in line {line}: the other way "
        "round, the result is right.")},
    {assigned_edit, VERDICT_WRONG_RESULT,
     N_("In line {line} the value of another lane is assigned to `{name}`, so its own value is "
        "lost.")},
    {shuffles_edit, VERDICT_WRONG_RESULT,
     N_("After the `__shfl_down_sync` of line {line} only the first lane has the result of all "
        "lanes, but other lanes use theirs.")},
};

static enum status word_try(struct second_look *look, struct word_trial *trial, bool *ret_helps,
                            struct error *err) {
    look->use = BARRIER_UNPROVED;
    *ret_helps = false;
    if (trial->count == 0 || trial->count > EDITS_MAX) {
        return STATUS_OK;
    }
    char *text = word_trial_write(trial);
    enum status status =
        look_again(look, look->kernel->program[DEVICE_EMU].machine, text, trial_launch, err);
    free(text);
    *ret_helps = !status && look->use == BARRIER_HELPS;
    return status;
}

// Tries one more round of each loop that counts down to a number above 0.
static enum status rounds_try(struct second_look *look, struct word_trial *trial,
                              struct error *err) {
    enum status status = STATUS_OK;
    bool helps = false;
    int token = round_find(&trial->code, 0);
    for (int i = 0; i < ROUND_TRIALS && token >= 0 && !status && !helps; i++) {
        trial->count = 0;
        word_replace(trial, token, ">=");
        status = word_try(look, trial, &helps, err);
        if (helps) {
            word_say(look,
                     N_("The last round of the loop in line {line} is missing: with one more, the "
                        "result is right."),
                     trial, token);
        }
        token = round_find(&trial->code, token);
    }
    return status;
}

// If nothing explains an output that is wrong or not written, builds the kernel with the words that
// beginners confuse.  If the failing case and a larger one are then right, says so.
static enum status words_try(struct second_look *look, struct error *err) {
    const struct run_outcome *outcome = &look->failure->outcome;
    const struct finding_list *findings = &look->result->findings;
    bool has_error = findings->count > 0 && findings->list[0].finding.severity == SEVERITY_ERROR;
    bool is_open =
        outcome->verdict == VERDICT_NOT_WRITTEN
            ? outcome->explained != EXPLAINED_PLACES
            : outcome->verdict == VERDICT_WRONG_RESULT && outcome->explained <= EXPLAINED_ALL_TERMS;
    if (has_error || !is_open || outcome->verdict != look->result->verdict ||
        outcome->text_verdict != outcome->verdict) {
        return STATUS_OK;
    }
    struct word_trial trial = {.code =
                                   code_open(look->kernel->prepared, look->kernel->prepared_bytes)};
    enum status status = STATUS_OK;
    bool helps = false;
    for (size_t i = 0; i < COUNT(confusions) && !status && !helps; i++) {
        trial.count = 0;
        if (confusions[i].verdict != outcome->verdict) {
            continue;
        }
        int token = confusions[i].edit(&trial);
        status = word_try(look, &trial, &helps, err);
        if (helps) {
            word_say(look, confusions[i].sentence, &trial, token);
        }
    }
    if (!status && !helps && outcome->verdict == VERDICT_WRONG_RESULT &&
        !look->result->exercise->signature.is_matmul) {
        status = rounds_try(look, &trial, err);
    }
    code_done(&trial.code);
    return status;
}

// --- Accesses outside of a thread's own arrays ---------------------------------------------------

// A wrong C, or an access that is a consequence, may come from a store outside of a local array.
static bool may_be_local(const struct run_failure *failure, const struct exercise_result *result) {
    for (int i = 0; i < result->findings.count; i++) {
        if (result->findings.list[i].finding.severity == SEVERITY_ERROR) {
            return false;
        }
    }
    return failure->outcome.verdict == VERDICT_WRONG_RESULT &&
           (failure->outcome.explained == EXPLAINED_NOTHING || failure->outcome.unset);
}

// Finishes the finding with the program that produced it, and puts it before the others.
static enum status finding_put(const struct run_program *program, const struct submitted *source,
                               const struct findings *seen, struct size size,
                               struct exercise_result *result, struct error *err) {
    struct finding_list *list = xcalloc(1, sizeof *list);
    run_findings_add(list, seen, DEVICE_EMU, size);
    enum status status = run_findings_finish(program, source, VERDICT_OUT_OF_BOUNDS, list, err);
    if (!status && list->count > 0) {
        int others =
            result->findings.count < FINDINGS_MAX ? result->findings.count : FINDINGS_MAX - 1;
        memmove(&result->findings.list[1], &result->findings.list[0],
                (size_t)others * sizeof result->findings.list[0]);
        result->findings.list[0] = list->list[0];
        result->findings.count = others + 1;
        result->verdict = VERDICT_OUT_OF_BOUNDS;
    }
    free(list);
    return status;
}

static enum status locals_launch(const struct run_program *program, struct second_look *look,
                                 struct error *err) {
    const struct planned_case *planned = &look->failure->planned;
    struct run_outcome outcome;
    enum status status = run_case_alone(program, planned, REQUEST_CHECK, &outcome, err);
    for (uint32_t i = 0; !status && i < outcome.findings.count; i++) {
        const struct findings one = {.count = 1, .list = {outcome.findings.list[i]}};
        if (finding_is_outside(&one.list[0], OUTSIDE_LOCAL)) {
            return finding_put(program, &look->kernel->source, &one, planned->size, look->result,
                               err);
        }
    }
    return status;
}

// If C is wrong and no finding says why, checks local arrays too, which halves the speed of a
// kernel with local arrays.  A finding is put first in the result, and makes its verdict: the
// compiler knows the extent of the array, so no right kernel is accused.
static enum status locals_check(struct second_look *look, struct error *err) {
    if (!may_be_local(look->failure, look->result)) {
        return STATUS_OK;
    }
    struct judge_machine machine = *look->kernel->program[DEVICE_EMU].machine;
    machine.paths.checks_locals = true;
    return look_again(look, &machine, look->kernel->prepared, locals_launch, err);
}

// --- Values of variables -------------------------------------------------------------------------

// A mistake of one thread at one access of the failed launch, or a condition that keeps a thread
// from a barrier.
static bool has_values(const struct judged_finding *finding, const struct run_failure *failure) {
    uint32_t kind = finding->finding.kind;
    bool guarded = kind == FINDING_BARRIER_DIVERGENCE && finding->guard.kind != GUARD_NONE &&
                   finding->guard.guarded_line == finding->finding.line;
    return finding->finding.severity == SEVERITY_ERROR && finding->device == DEVICE_EMU &&
           finding->finding.line > 0 && finding->finding.pc != 0 &&
           size_equal(finding->size, failure->planned.size) &&
           (guarded || kind == FINDING_OUT_OF_BOUNDS || kind == FINDING_UNINITIALIZED ||
            kind == FINDING_MISALIGNED || kind == FINDING_INPUT_WRITTEN || kind == FINDING_CRASH);
}

static enum status values_launch(const struct run_program *program, struct second_look *look,
                                 struct error *err) {
    struct judged_finding *finding = &look->result->findings.list[0];
    struct run_outcome outcome;
    enum status status =
        run_case_alone(program, &look->failure->planned, REQUEST_CHECK, &outcome, err);
    for (uint32_t i = 0; !status && i < outcome.findings.count; i++) {
        const struct finding *seen = &outcome.findings.list[i];
        if (is_same_access(seen, finding, &program->report.shared) &&
            values_explain(finding, look->watch, seen->value_count, seen->value)) {
            break;
        }
    }
    return status;
}

// Notes values at the access of the first finding, and writes them into its text.  If the second
// launch does not show the same finding, or anything else is in doubt, nothing is said: the verdict
// never depends on it.
static enum status values_find(struct second_look *look, struct error *err) {
    const struct run_kernel *kernel = look->kernel;
    const struct run_program *program = &kernel->program[DEVICE_EMU];
    const struct judged_finding *finding = &look->result->findings.list[0];
    if (look->result->findings.count == 0 || !has_values(finding, look->failure)) {
        return STATUS_OK;
    }
    struct index_watch watch =
        watch_choose(kernel->prepared, kernel->prepared_bytes, finding, program->kernel);
    enum status status = STATUS_OK;
    look->watch = &watch;
    if (watch.count > 0) {
        char *text = watch_write(&watch);
        status = look_again(look, program->machine, text, values_launch, err);
        free(text);
    }
    watch_done(&watch);
    return status;
}

enum status run_second_builds(const struct run_kernel *kernel, struct run_failure *failure,
                              struct exercise_result *result, struct error *err) {
    struct second_look look = {.kernel = kernel, .failure = failure, .result = result};
    if (!failure->failed || failure->device != DEVICE_EMU || result->exercise->is_program ||
        kernel->prepared_bytes > SOURCE_MAX ||
        size_multiply_adds(failure->planned.size) > MULTIPLY_ADDS_MAX) {
        return STATUS_OK;
    }
    enum status status = fences_try(&look, err);
    if (!status) {
        status = barriers_try(&look, err);
    }
    if (!status) {
        status = locals_check(&look, err);
    }
    if (!status) {
        status = words_try(&look, err);
    }
    return status ? status : values_find(&look, err);
}
