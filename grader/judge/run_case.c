// Judges one launch: see run_case.h.
#include "judge/run_case.h"

#include <ctype.h>
#include <assert.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/explain_finding.h"

// How much a kernel may do before it counts as one that does not end.  A tiled kernel pads each
// dimension, and two accesses a multiply-add are usual: the budget is eight times that, and ten
// million for small sizes.
#define BUDGET_BASE       10000000ull
#define BUDGET_PADDING    63
#define BUDGET_PER_FMA    16ull
#define BUDGET_CPU_BASE   2000ull  // ms
#define BUDGET_PER_CPU_MS 5000ull  // accesses: ten times slower than measured on an ordinary laptop
#define PICTURE_COST_MAX  4000000ull  // multiply-adds of a picture: some ms, for a wrong C alone
#define GPU_LAUNCH_MS     20000ull

// The matrices of one launch: as made, and as read back.
struct matrices {
    float *a, *b, *c;
    float *a_after, *b_after;
};

static void matrices_done(struct matrices *matrices) {
    free(matrices->a);
    free(matrices->b);
    free(matrices->c);
    free(matrices->a_after);
    free(matrices->b_after);
}

static enum status matrices_init(struct size size, struct matrices *ret_matrices,
                                 struct error *err) {
    struct matrices matrices = {
        .a = malloc(size_elements_a(size) * sizeof(float)),
        .b = malloc(size_elements_b(size) * sizeof(float)),
        .c = malloc(size_elements_c(size) * sizeof(float)),
        .a_after = malloc(size_elements_a(size) * sizeof(float)),
        .b_after = malloc(size_elements_b(size) * sizeof(float)),
    };
    if (!matrices.a || !matrices.b || !matrices.c || !matrices.a_after || !matrices.b_after) {
        char text[SIZE_TEXT_MAX];
        size_format(size, text);
        matrices_done(&matrices);
        return fail(err, STATUS_NO_MEMORY, "no memory for the matrices of size %s", text);
    }
    *ret_matrices = matrices;
    return STATUS_OK;
}

static void request_make(const struct run_program *program, struct size size, uint32_t flags,
                         uint32_t processes, struct request *request) {
    memset(request, 0, sizeof *request);
    request->size = size;
    request->flags = flags;
    if (program->kind == DEVICE_GPU) {
        request->time_ms_max = GPU_LAUNCH_MS;
        return;
    }
    uint64_t padded = (uint64_t)(size.m + BUDGET_PADDING) * (uint64_t)(size.n + BUDGET_PADDING) *
                      (uint64_t)(size.k + BUDGET_PADDING);
    request->processes = processes;
    request->threads_max = program->report.threads_max;
    request->access_budget = BUDGET_BASE + BUDGET_PER_FMA * padded;
    request->time_ms_max = BUDGET_CPU_BASE + request->access_budget / BUDGET_PER_CPU_MS;
}

// Notes a verdict that no finding explains; the first in precedence keeps its text.
static void outcome_add(struct run_outcome *outcome, enum verdict verdict, const char *text) {
    if (verdict < outcome->text_verdict) {
        outcome->text_verdict = verdict;
        (void)snprintf(outcome->text, sizeof outcome->text, "%s", text);
        outcome->cause[0] = '\0';
        outcome->guess[0] = '\0';
        outcome->explained = EXPLAINED_NOTHING;
        outcome->line = 0;
    }
    outcome->verdict = verdict_first(outcome->verdict, verdict);
}

// The worker gave no answer.
static void judge_fate(const struct run_reply *reply, struct run_outcome *outcome) {
    char text[160];
    switch (reply->fate) {
    case FATE_ANSWERED:
        break;
    case FATE_LATE:
    case FATE_CPU_LIMIT:
        outcome_add(outcome, VERDICT_TIME_LIMIT, "the kernel did not end in time.");
        outcome->stop = true;
        break;
    case FATE_FLOODED:
        outcome_add(outcome, VERDICT_OUTPUT_LIMIT, "the kernel prints without end.");
        outcome->stop = true;
        break;
    case FATE_SIGNALLED:
        if (reply->signal == SIGSYS) {
            outcome_add(outcome, VERDICT_NOT_ALLOWED,
                        "the kernel asked the operating system for something, which kernels may "
                        "not.");
            break;
        }
        (void)snprintf(text, sizeof text,
                       "the process that ran the kernel was ended by signal %d (%s).",
                       reply->signal, strsignal(reply->signal));
        outcome_add(outcome, VERDICT_CRASH, text);
        break;
    case FATE_EXITED:
        outcome_add(outcome, VERDICT_NO_ANSWER,
                    "the process that ran the kernel ended without an answer.");
        break;
    case FATE_MALFORMED:
        outcome_add(outcome, VERDICT_NO_ANSWER,
                    "the process that ran the kernel gave no valid answer; the kernel may have "
                    "damaged its memory.");
        break;
    }
}

static void judge_findings(const struct findings *findings, struct run_outcome *outcome) {
    outcome->findings = *findings;
    for (uint32_t i = 0; i < findings->count; i++) {
        const struct finding *finding = &findings->list[i];
        outcome->verdict = verdict_first(outcome->verdict, finding_verdict(finding));
    }
    outcome->stop |=
        outcome->verdict == VERDICT_TIME_LIMIT || outcome->verdict == VERDICT_OUTPUT_LIMIT;
}

// "LAUNCH_CONFIG gave", or which of several launches it was.
static void giver_of(const struct answer *answer, char *text, size_t bytes) {
    (void)snprintf(text, bytes, "LAUNCH_CONFIG gave");
    if (answer->launch_count > 1) {
        (void)snprintf(text, bytes, "launch %u of the %u of LAUNCH_CONFIG has", answer->launch + 1,
                       answer->launch_count);
    }
}

// What was launched, where parts of C are left: a grid that is too small is the usual cause.
static void outcome_add_launch(struct run_outcome *outcome, const struct answer *answer) {
    size_t used = strlen(outcome->text);
    if (outcome->text_verdict == VERDICT_NOT_WRITTEN && outcome->explained != EXPLAINED_PLACES) {
        char giver[80];
        giver_of(answer, giver, sizeof giver);
        (void)snprintf(outcome->text + used, sizeof outcome->text - used,
                       "%s%c%s grid (%u, %u, %u), block (%u, %u, %u).", used > 0 ? " " : "",
                       toupper((unsigned char)giver[0]), giver + 1, answer->grid[0],
                       answer->grid[1], answer->grid[2], answer->block[0], answer->block[1],
                       answer->block[2]);
    }
}

// A kernel that promised fewer threads than its launch has.
static void judge_bounds(const struct answer *answer, const struct build_report *report,
                         struct run_outcome *outcome) {
    char text[400];
    const uint32_t *block = answer->block;
    (void)snprintf(text, sizeof text,
                   "__launch_bounds__ promises at most %u threads a block, but LAUNCH_CONFIG gave "
                   "block (%u, %u, %u), which are %u.",
                   report->threads_max, block[0], block[1], block[2],
                   block[0] * block[1] * block[2]);
    outcome_add(outcome, VERDICT_BAD_LAUNCH, text);
    outcome->line = report->bounds_line;
}

static void judge_bad_launch(const struct answer *answer, struct run_outcome *outcome) {
    char text[400];
    char giver[80];
    giver_of(answer, giver, sizeof giver);
    (void)snprintf(text, sizeof text,
                   "%s: %s grid (%u, %u, %u), block (%u, %u, %u) and %llu bytes of "
                   "dynamic shared"
                   " memory.",
                   bad_launch_text(answer->bad_launch), giver, answer->grid[0], answer->grid[1],
                   answer->grid[2], answer->block[0], answer->block[1], answer->block[2],
                   (unsigned long long)answer->shared_bytes);
    if (answer->bad_launch == BAD_LAUNCH_WORKSPACE) {
        (void)snprintf(text, sizeof text, "%s: launch->workspace_bytes is %llu.",
                       bad_launch_text(answer->bad_launch),
                       (unsigned long long)answer->workspace_bytes);
    } else if (answer->bad_launch >= BAD_LAUNCH_CONFIG_FAILED) {  // before there was a launch
        (void)snprintf(text, sizeof text, "%s.", bad_launch_text(answer->bad_launch));
    }
    outcome_add(outcome, VERDICT_BAD_LAUNCH, text);
}

// What the GPU's driver says of a kernel that it stopped; the verdict is the finding's, where it
// could tell.
static void judge_gpu_crash(const struct answer *answer, struct run_outcome *outcome) {
    char text[ANSWER_TEXT_MAX + 40];
    (void)snprintf(text, sizeof text, "the GPU stopped the kernel: %s.", answer->text);
    outcome_add(outcome, outcome->verdict == VERDICT_PASS ? VERDICT_CRASH : outcome->verdict, text);
}

static void judge_guards(const struct answer *answer, struct run_outcome *outcome) {
    static const char *const names[GLOBAL_ARRAY_COUNT] = {
        [ARRAY_A] = "A", [ARRAY_B] = "B", [ARRAY_C] = "C", [ARRAY_WORKSPACE] = "the workspace"};
    char text[160];
    for (int i = 0; i < GLOBAL_ARRAY_COUNT; i++) {
        if (answer->guard_damaged & (1u << i)) {
            (void)snprintf(text, sizeof text,
                           "the kernel stored before the start or past the end of %s.", names[i]);
            outcome_add(outcome, VERDICT_OUT_OF_BOUNDS, text);
        }
    }
}

static bool input_changed(const float *before, const float *after, size_t count) {
    return memcmp(before, after, count * sizeof *before) != 0;
}

// A product that is not right, with the map of accesses; NULL where there is none.  A sum that
// takes its factors from elsewhere, or a NaN, has left out parts as well, and then these are no
// cause.
static void outcome_add_product(struct run_outcome *outcome, const struct oracle_report *report,
                                const struct coverage *coverage, struct size size) {
    bool known = coverage && report->verdict == VERDICT_WRONG_RESULT && !isnan(report->got) &&
                 report->explained != EXPLAINED_PLACES;
    enum explained unread = EXPLAINED_NOTHING;
    outcome_add(outcome, report->verdict, report->evidence);
    if (outcome->text_verdict != report->verdict) {
        return;  // what comes before it has its own text
    }
    outcome->explained = report->explained;
    if (report->verdict == VERDICT_NOT_WRITTEN) {
        bool stored = coverage && coverage->gap[ARRAY_C].missing == 0;
        outcome->explained = stored ? EXPLAINED_PLACES : report->explained;
        (void)snprintf(outcome->cause, sizeof outcome->cause, "%.250s",
                       stored ? "The old value of C is stored to C again." : report->cause);
        return;
    }
    (void)snprintf(outcome->guess, sizeof outcome->guess, "%s", report->cause);
    if (known) {
        unread = explain_unread(coverage, size, outcome->cause);
        outcome->explained = unread > outcome->explained ? unread : outcome->explained;
    }
}

// The kernel ended by itself: inputs untouched, C right?
static enum status judge_matrices(struct run_worker *worker, const struct planned_case *planned,
                                  const struct coverage *coverage, struct matrices *matrices,
                                  struct run_outcome *outcome, struct error *err) {
    struct size size = planned->size;
    struct oracle_report report;
    enum status status = session_fetch(&worker->session, size, ARRAY_A, matrices->a_after, err);
    if (!status) {
        status = session_fetch(&worker->session, size, ARRAY_B, matrices->b_after, err);
    }
    if (!status) {
        status = session_fetch(&worker->session, size, ARRAY_C, matrices->c, err);
    }
    if (status) {
        return status;
    }
    if (input_changed(matrices->a, matrices->a_after, size_elements_a(size))) {
        outcome_add(outcome, VERDICT_INPUTS_CHANGED, "the kernel changed A, which is an input.");
    }
    if (input_changed(matrices->b, matrices->b_after, size_elements_b(size))) {
        outcome_add(outcome, VERDICT_INPUTS_CHANGED, "the kernel changed B, which is an input.");
    }
    status = oracle_check_of(planned->precision, planned->inputs, planned->key, size, matrices->a,
                             matrices->b, matrices->c, &report, err);
    if (!status && report.verdict != VERDICT_PASS) {
        outcome_add_product(outcome, &report, coverage, size);
        if (planned->inputs == INPUTS_EXACT && size_multiply_adds(size) <= PICTURE_COST_MAX) {
            wrong_tiles_count(size, matrices->a, matrices->b, matrices->c, &outcome->wrong);
        }
    }
    // Exact inputs hold no zero, so a right sum has used them all: then the map has a hole.
    outcome->blind = !status && coverage && report.verdict == VERDICT_PASS &&
                     coverage->gap[ARRAY_A].missing + coverage->gap[ARRAY_B].missing > 0;
    return status;
}

static enum status judge_answer(struct run_worker *worker, const struct planned_case *planned,
                                uint32_t flags, const struct answer *answer,
                                struct matrices *matrices, struct run_outcome *outcome,
                                struct error *err) {
    bool mapped = worker->program->kind == DEVICE_EMU && (flags & REQUEST_CHECK);
    enum status status = STATUS_OK;
    judge_findings(&answer->findings, outcome);
    judge_guards(answer, outcome);
    outcome->counts = answer->counts;
    outcome->shared_bytes = answer->shared_bytes;
    outcome->launch_count = answer->launch_count;
    switch ((enum run_end)answer->end) {
    case RUN_FINISHED:
        status = judge_matrices(worker, planned, mapped ? &answer->coverage : NULL, matrices,
                                outcome, err);
        outcome_add_launch(outcome, answer);
        return status;
    case RUN_BAD_LAUNCH:
        if (answer->bad_launch == BAD_LAUNCH_BOUNDS) {
            judge_bounds(answer, &worker->program->report, outcome);
        } else {
            judge_bad_launch(answer, outcome);
        }
        break;
    case RUN_CRASHED:
        judge_gpu_crash(answer, outcome);
        break;
    case RUN_STOPPED:
        if (outcome->verdict == VERDICT_PASS) {
            outcome_add(outcome, VERDICT_NO_ANSWER,
                        "the kernel was stopped, but nothing says why.");
        }
        break;
    case RUN_TROUBLE:
    case RUN_END_COUNT:
        status = fail(err, STATUS_SYSTEM, "an answer of a worker was not understood");
        break;
    }
    // What a kernel that was stopped has left in its process is nobody's to judge.
    run_worker_stop(worker);
    return status;
}

// One launch, judged; *ret_processes have shared it.
static enum status run_with(struct run_worker *worker, const struct planned_case *planned,
                            uint32_t flags, uint32_t processes, uint32_t *ret_processes,
                            struct run_outcome *ret_outcome, struct error *err) {
    struct run_outcome outcome = {.verdict = VERDICT_PASS, .text_verdict = VERDICT_PASS};
    struct matrices matrices = {NULL};
    struct request request;
    struct run_reply reply;
    enum status status = matrices_init(planned->size, &matrices, err);
    if (status) {
        return status;
    }
    inputs_fill(planned->inputs, planned->key, planned->size, matrices.a, matrices.b);
    poison_fill(matrices.c, size_elements_c(planned->size));
    request_make(worker->program, planned->size, flags, processes, &request);
    status = run_worker_launch(worker, &request, matrices.a, matrices.b, matrices.c, &reply, err);
    if (!status) {
        memcpy(outcome.output, reply.output, sizeof outcome.output);
    }
    if (!status && reply.fate != FATE_ANSWERED) {
        if (reply.fate != FATE_FLOODED) {
            status = run_worker_control(worker->program->options, worker->program->kind, err);
        }
        judge_fate(&reply, &outcome);
    } else if (!status) {
        status = judge_answer(worker, planned, flags, &reply.answer, &matrices, &outcome, err);
    }
    matrices_done(&matrices);
    if (!status) {
        *ret_processes = reply.fate == FATE_ANSWERED ? reply.answer.processes : 0;
        *ret_outcome = outcome;
    }
    return status;
}

enum status run_case(struct run_worker *worker, const struct planned_case *planned, uint32_t flags,
                     struct run_outcome *ret_outcome, struct error *err) {
    uint32_t processes = 0;
    enum status status = run_with(worker, planned, flags, worker->program->options->jobs,
                                  &processes, ret_outcome, err);
    // A launch that was shared had no finding.  If C is wrong all the same, its bytes may come from
    // what no checker sees, such as an old value on a stack: what is told of it is of one process.
    if (!status && processes > 1 && ret_outcome->verdict != VERDICT_PASS) {
        status = run_with(worker, planned, flags, 1, &processes, ret_outcome, err);
    }
    return status;
}

void run_outcome_of_reply(const struct run_reply *reply, struct run_outcome *outcome) {
    const struct answer *answer = &reply->answer;
    memcpy(outcome->output, reply->output, sizeof outcome->output);
    if (reply->fate != FATE_ANSWERED) {
        judge_fate(reply, outcome);
        return;
    }
    judge_findings(&answer->findings, outcome);
    judge_guards(answer, outcome);
    if (answer->end == RUN_BAD_LAUNCH) {
        judge_bad_launch(answer, outcome);
    } else if (answer->end == RUN_CRASHED) {
        judge_gpu_crash(answer, outcome);
    } else if (answer->end == RUN_STOPPED && outcome->verdict == VERDICT_PASS) {
        outcome_add(outcome, VERDICT_NO_ANSWER, "the kernel was stopped, but nothing says why.");
    }
}

void run_outcome_add(struct run_outcome *outcome, enum verdict verdict, const char *text) {
    outcome_add(outcome, verdict, text);
}

enum status run_outcome_of_product(struct size size, struct random_key secret, const float *a,
                                   const float *b, const float *c, struct run_outcome *outcome,
                                   struct error *err) {
    struct oracle_report report;
    enum status status = oracle_check(INPUTS_EXACT, secret, size, a, b, c, &report, err);
    if (!status && report.verdict != VERDICT_PASS) {
        outcome_add_product(outcome, &report, NULL, size);
    }
    return status;
}
