// Converts replies and wrong products to verdicts and texts: see launch_outcome.h.
#include "judge/run/launch_outcome.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/compose.h"
#include "base/text.h"
#include "emu/wire/finding.h"
#include "judge/cause/output_seen.h"
#include "judge/model/inputs.h"
#include "judge/run/findings_merge.h"
#include "judge/say/finding_text.h"

void run_outcome_add(struct run_outcome *outcome, enum verdict verdict, const char *text) {
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

bool run_outcome_may_end(const struct run_outcome *outcome) {
    for (uint32_t i = 0; i < outcome->findings.count; i++) {
        const struct finding *finding = &outcome->findings.list[i];
        bool by_time = finding->kind == FINDING_TIME_LIMIT && finding->detail == BUDGET_TIME;
        if (finding->severity == SEVERITY_ERROR && !by_time) {
            return false;
        }
    }
    return outcome->verdict == VERDICT_TIME_LIMIT;
}

enum explained run_outcome_explained(const struct run_outcome *outcome) {
    return outcome->text_verdict == outcome->verdict ? outcome->explained : EXPLAINED_NOTHING;
}

const struct finding *run_outcome_deciding(const struct run_outcome *outcome) {
    for (uint32_t i = 0; i < outcome->findings.count && outcome->verdict != VERDICT_PASS; i++) {
        const struct finding *finding = &outcome->findings.list[i];
        if (finding_verdict(finding) == outcome->verdict) {
            return finding;
        }
    }
    return NULL;
}

static bool is_conversion(const struct finding *finding) {
    return finding->kind == FINDING_CRASH && finding->detail == CRASH_CONVERSION;
}

bool run_outcome_is_decided(const struct run_outcome *outcome) {
    bool is_decided = false;
    for (uint32_t i = 0; i < outcome->findings.count; i++) {
        const struct finding *finding = &outcome->findings.list[i];
        is_decided |= finding_verdict(finding) <= VERDICT_UNINITIALIZED && !is_conversion(finding);
    }
    return is_decided;
}

bool run_finding_is_between_blocks(const struct finding *finding) {
    return finding && finding->kind == FINDING_RACE && finding_is_between_blocks(finding);
}

bool run_outcome_is_less_than_found(const struct run_outcome *outcome,
                                    const struct run_outcome *before) {
    const struct finding *found = run_outcome_deciding(before);
    return outcome->verdict == VERDICT_TIME_LIMIT && !before->stop && found && found->pc != 0;
}

bool run_outcome_shows_two_blocks(const struct run_outcome *outcome,
                                  const struct run_outcome *before) {
    const struct finding *known = run_outcome_deciding(before);
    for (uint32_t i = 0;
         i < outcome->findings.count && known && !run_finding_is_between_blocks(known); i++) {
        const struct finding *finding = &outcome->findings.list[i];
        if (run_finding_is_between_blocks(finding) && finding_verdict(finding) == before->verdict &&
            finding_is_same(finding, known)) {
            return true;
        }
    }
    return false;
}

static const char *array_name(const struct signature *signature, uint32_t array) {
    return array == ARRAY_WORKSPACE ? _("the workspace") : signature->parameter[array].name;
}

void run_outcome_add_changed(struct run_outcome *outcome, const struct signature *signature,
                             uint32_t changed) {
    char text[ERROR_TEXT_MAX];
    for (uint32_t i = 0; i < ARGUMENTS_MAX; i++) {
        if (changed & (1u << i)) {
            words_write(text, sizeof text, _("the kernel changed %s, which is an input."),
                        array_name(signature, i));
            run_outcome_add(outcome, VERDICT_INPUTS_CHANGED, text);
        }
    }
}

// The meaning of a missing answer from the worker.
static const struct {
    enum verdict verdict;
    const char *text;
    bool stop;
} fates[] = {
    [FATE_LATE] = {VERDICT_TIME_LIMIT, N_("the kernel did not end in time."), true},
    [FATE_CPU_LIMIT] = {VERDICT_TIME_LIMIT, N_("the kernel did not end in time."), true},
    [FATE_FLOODED] = {VERDICT_OUTPUT_LIMIT, N_("the kernel prints without end."), true},
    [FATE_EXITED] = {VERDICT_NO_ANSWER,
                     N_("the process that ran the kernel ended without an answer."), false},
    [FATE_MALFORMED] = {VERDICT_NO_ANSWER,
                        N_("the process that ran the kernel gave no valid answer; the kernel may "
                           "have damaged its memory."),
                        false},
};

static void judge_fate(const struct run_reply *reply, struct run_outcome *outcome) {
    char text[ERROR_TEXT_MAX];
    if (reply->fate != FATE_SIGNALLED) {
        run_outcome_add(outcome, fates[reply->fate].verdict, fates[reply->fate].text);
        outcome->stop |= fates[reply->fate].stop;
    } else if (reply->signal == SIGSYS) {
        run_outcome_add(outcome, VERDICT_NOT_ALLOWED,
                        _("the kernel made a system call, which kernels may not do."));
    } else {
        words_write(text, sizeof text,
                    _("the process that ran the kernel was ended by signal %d (%s)."),
                    reply->signal, strsignal(reply->signal));
        run_outcome_add(outcome, VERDICT_CRASH, text);
    }
}

static bool has_race(const struct findings *findings) {
    for (uint32_t i = 0; i < findings->count; i++) {
        if (finding_verdict(&findings->list[i]) == VERDICT_RACE) {
            return true;
        }
    }
    return false;
}

// A thread arrived too early for the next phase of an mbarrier, because it did not wait, or the
// threads whose arrivals it waits for did not.  A race in the same launch shows which threads did
// not wait.
static bool arrived_early(const struct finding *finding) {
    return finding->kind == FINDING_CRASH && finding->detail == CRASH_MBARRIER_ARRIVALS;
}

static void judge_findings(const struct findings *findings, struct run_outcome *outcome) {
    bool raced = has_race(findings);
    outcome->findings = *findings;
    for (uint32_t i = 0; i < findings->count; i++) {
        const struct finding *finding = &findings->list[i];
        if (!raced || !arrived_early(finding)) {
            outcome->verdict = verdict_first(outcome->verdict, finding_verdict(finding));
        }
    }
    outcome->stop |=
        outcome->verdict == VERDICT_TIME_LIMIT || outcome->verdict == VERDICT_OUTPUT_LIMIT;
}

// A kernel that promised fewer threads than its launch has.
static void judge_bounds(const struct answer *answer, const struct build_report *report,
                         struct run_outcome *outcome) {
    char text[ERROR_TEXT_MAX];
    const uint32_t *block = answer->block;
    words_write(text, sizeof text,
                _("__launch_bounds__ promises at most %u threads a block, but LAUNCH_CONFIG gave "
                  "block (%u, %u, %u), which are %u."),
                report->threads_max, block[0], block[1], block[2], block[0] * block[1] * block[2]);
    run_outcome_add(outcome, VERDICT_BAD_LAUNCH, text);
    outcome->line = report->bounds_line;
}

// The cause of a 0 in grid or block, or of too many threads, if it is known.
static void launch_advise(const struct answer *answer, char *text, size_t bytes) {
    bool zero_block = answer->bad_launch == BAD_LAUNCH_BLOCK_ZERO;
    const uint32_t *asked = zero_block ? answer->block : answer->grid;
    if (answer->bad_launch == BAD_LAUNCH_BLOCK_TOO_LARGE) {
        words_sentence(text, bytes, "%u x %u x %u are %llu threads.", answer->block[0],
                       answer->block[1], answer->block[2],
                       (unsigned long long)answer->block[0] * answer->block[1] * answer->block[2]);
    } else if (!zero_block && answer->bad_launch != BAD_LAUNCH_GRID_ZERO) {
        return;
    } else if (answer->launch_count == 0 && asked[0] == 0 && asked[1] == 1 && asked[2] == 1) {
        words_sentence(text, bytes,
                       zero_block ? _("Is launch->block set, and its x not rounded down to 0?")
                                  : _("Is launch->grid set, and its x not rounded down to 0?"));
    } else if (asked[2] == 0) {
        words_sentence(text, bytes, "The third number, z, is 0; dim3(x, y) makes it 1.");
    } else {
        words_sentence(text, bytes, "An integer division rounds down; ceil_div(n, d) rounds up.");
    }
}

static void judge_bad_launch(const struct answer *answer, struct run_outcome *outcome) {
    const uint32_t *grid = answer->grid;
    const uint32_t *block = answer->block;
    const char *what = bad_launch_text(answer->bad_launch);
    unsigned long long bytes = answer->shared_bytes;
    char text[ERROR_TEXT_MAX];
    if (answer->bad_launch == BAD_LAUNCH_WORKSPACE) {
        words_write(text, sizeof text, "%s: launch->workspace_bytes is %llu.", what,
                    (unsigned long long)answer->workspace_bytes);
    } else if (answer->bad_launch >= BAD_LAUNCH_CONFIG_FAILED) {  // before there was a launch
        words_write(text, sizeof text, "%s.", what);
    } else if (answer->launch_count > 1) {
        words_write(
            text, sizeof text,
            "%s: launch %u of the %u of LAUNCH_CONFIG has grid (%u, %u, %u), block (%u, %u, "
            "%u) and %llu bytes of dynamic shared memory.",
            what, answer->launch + 1, answer->launch_count, grid[0], grid[1], grid[2], block[0],
            block[1], block[2], bytes);
        launch_advise(answer, text, sizeof text);
    } else {
        words_write(
            text, sizeof text,
            "%s: LAUNCH_CONFIG gave grid (%u, %u, %u), block (%u, %u, %u) and %llu bytes of "
            "dynamic shared memory.",
            what, grid[0], grid[1], grid[2], block[0], block[1], block[2], bytes);
        launch_advise(answer, text, sizeof text);
    }
    run_outcome_add(outcome, VERDICT_BAD_LAUNCH, text);
}

// The driver's message about a kernel that it stopped; the verdict is that of the finding, if it
// has one.
static void judge_gpu_crash(const struct answer *answer, struct run_outcome *outcome) {
    char text[ERROR_TEXT_MAX];
    words_write(text, sizeof text, "the GPU stopped the kernel: %.200s.", answer->text);
    run_outcome_add(outcome, outcome->verdict == VERDICT_PASS ? VERDICT_CRASH : outcome->verdict,
                    text);
}

static void judge_guards(const struct answer *answer, const struct signature *signature,
                         struct run_outcome *outcome) {
    char text[ERROR_TEXT_MAX];
    for (uint32_t i = 0; i < GLOBAL_ARRAY_COUNT; i++) {
        if (answer->guard_damaged & (1u << i)) {
            words_write(text, sizeof text,
                        _("the kernel stored before the start or past the end of %s."),
                        array_name(signature, i));
            run_outcome_add(outcome, VERDICT_OUT_OF_BOUNDS, text);
        }
    }
}

// A kernel that was stopped, or not even launched.
static void judge_end(const struct answer *answer, const struct build_report *report,
                      struct run_outcome *outcome) {
    if (answer->end == RUN_BAD_LAUNCH && answer->bad_launch == BAD_LAUNCH_BOUNDS) {
        judge_bounds(answer, report, outcome);
    } else if (answer->end == RUN_BAD_LAUNCH) {
        judge_bad_launch(answer, outcome);
    } else if (answer->end == RUN_CRASHED) {
        judge_gpu_crash(answer, outcome);
    } else if (answer->end == RUN_STOPPED && outcome->verdict == VERDICT_PASS) {
        run_outcome_add(outcome, VERDICT_NO_ANSWER,
                        _("the kernel was stopped, but no reason was reported."));
    }
}

void run_outcome_of_reply(const struct run_reply *reply, const struct run_program *program,
                          struct run_outcome *outcome) {
    memcpy(outcome->output, reply->output, sizeof outcome->output);
    if (reply->fate != FATE_ANSWERED) {
        judge_fate(reply, outcome);
        return;
    }
    if (reply->answer.launch_count == 0) {
        memcpy(outcome->block, reply->answer.block, sizeof outcome->block);
    }
    judge_findings(&reply->answer.findings, outcome);
    judge_guards(&reply->answer, &program->exercise->signature, outcome);
    judge_end(&reply->answer, &program->report, outcome);
}

void run_outcome_prefer_result(struct run_outcome *outcome) {
    if (outcome->text_verdict != VERDICT_WRONG_RESULT) {
        return;
    }
    outcome->verdict = outcome->text_verdict;
    struct findings *findings = &outcome->findings;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < findings->count; i++) {
        const struct finding finding = findings->list[i];
        if (!is_conversion(&finding)) {
            findings->list[kept++] = finding;
            outcome->verdict = verdict_first(outcome->verdict, finding_verdict(&finding));
        }
    }
    findings->count = kept;
}

static bool is_read_of_empty(const struct finding *finding) {
    return finding->kind == FINDING_UNINITIALIZED && finding->severity == SEVERITY_ERROR &&
           finding->detail != UNSET_LANE;
}

bool run_outcome_may_follow_from_empty(const struct run_outcome *outcome) {
    bool empty = false;
    bool more = false;
    for (uint32_t i = 0; i < outcome->findings.count; i++) {
        bool here = is_read_of_empty(&outcome->findings.list[i]);
        empty |= here;
        more |= !here;
    }
    return empty && more;
}

void run_outcome_add_old(struct run_outcome *outcome, const struct signature *signature,
                         const struct findings *findings) {
    for (uint32_t i = 0; i < findings->count; i++) {
        const struct finding *finding = &findings->list[i];
        if (finding->kind == FINDING_UNINITIALIZED && finding->severity == SEVERITY_WARNING &&
            finding->array < (uint32_t)signature->parameter_count &&
            !parameter_is_input(&signature->parameter[finding->array])) {
            findings_add(&outcome->findings, finding);
            return;
        }
    }
}

// An index that was computed from such a value differs; the threads of a race depend on more than
// that.  Atomic operations on a flag show their order if it has any initial value.
static bool is_found_again(const struct finding *finding, const struct findings *findings) {
    if (finding->parties == PARTIES_ATOMICS && finding->array == ARRAY_WORKSPACE) {
        return false;
    }
    for (uint32_t i = 0; i < findings->count; i++) {
        const struct finding *again = &findings->list[i];
        if (finding_is_same(again, finding) &&
            (finding->kind == FINDING_RACE || again->offset == finding->offset)) {
            return true;
        }
    }
    return false;
}

bool run_outcome_is_proved(const struct run_outcome *outcome, const struct findings *proved) {
    for (uint32_t i = 0; i < outcome->findings.count; i++) {
        const struct finding *finding = &outcome->findings.list[i];
        if (!is_read_of_empty(finding) &&
            (finding->kind != FINDING_RACE || !is_found_again(finding, proved))) {
            return false;
        }
    }
    return true;
}

void run_outcome_blame_empty(struct run_outcome *outcome, const struct run_outcome *zeros,
                             struct findings *proved) {
    struct findings *findings = &outcome->findings;
    uint32_t kept = 0;
    outcome->verdict = outcome->text_verdict;
    for (uint32_t i = 0; i < findings->count; i++) {
        const struct finding finding = findings->list[i];
        if (is_read_of_empty(&finding) || is_found_again(&finding, &zeros->findings)) {
            findings->list[kept++] = finding;
            findings_add(proved, &finding);
            outcome->verdict = verdict_first(outcome->verdict, finding_verdict(&finding));
        }
    }
    findings->count = kept;
}

// Sentences that the result depends on the order: for the outputs of any kernel, for C, for other
// observations; in reverse order, and in another order.
static const char *const orders[3][2] = {
    {N_("The result depends on the order in which threads and blocks run: in the order of their "
        "numbers it is right, in the reverse order it is wrong."),
     N_("The result depends on the order in which threads and blocks run: in the order of their "
        "numbers it is right, in another order it is wrong.")},
    {N_("C depends on the order in which threads and blocks run: in the order of their numbers it "
        "is right, in the reverse order it is wrong."),
     N_("C depends on the order in which threads and blocks run: in the order of their numbers it "
        "is right, in another order it is wrong.")},
    {N_("This was seen when threads and blocks ran in the reverse order of their numbers; on a GPU "
        "they run in any order."),
     N_("This was seen when threads and blocks ran in another order than that of their numbers; on "
        "a GPU they run in any order.")}};

void run_outcome_of_order(struct run_outcome *outcome, const struct signature *signature,
                          bool is_reverse) {
    char text[ERROR_TEXT_MAX];
    bool wrong = outcome->text_verdict == VERDICT_NOT_WRITTEN ||
                 outcome->text_verdict == VERDICT_LOW_PRECISION ||
                 outcome->text_verdict == VERDICT_WRONG_RESULT;
    bool lost = false;  // then this is the cause
    for (uint32_t i = 0; i < outcome->findings.count; i++) {
        lost |= finding_is_lost_update(&outcome->findings.list[i]);
    }
    for (uint32_t i = 0; i < outcome->findings.count; i++) {
        struct finding *finding = &outcome->findings.list[i];
        if (finding->parties == PARTIES_ATOMICS && (!lost || finding_is_lost_update(finding))) {
            finding->severity = SEVERITY_ERROR;
            outcome->verdict = verdict_first(outcome->verdict, finding_verdict(finding));
        }
    }
    words_fill(text, sizeof text, orders[!wrong ? 2 : signature->is_matmul][!is_reverse], NULL, 0);
    words_sentence(text, sizeof text, "%s", outcome->text);
    (void)snprintf(outcome->text, sizeof outcome->text, "%s", text);
    outcome->text_verdict = wrong ? outcome->text_verdict : outcome->verdict;
    outcome->cause[0] = '\0';
    outcome->guess[0] = '\0';
    outcome->explained = EXPLAINED_NOTHING;
}

// Advice about the kernel's use of x and y, if a part of C is missing though there is a thread for
// each element.  A kernel whose threads compute several elements has no such launch.
static void directions_advise(const struct answer *answer, struct size size, char *text,
                              size_t bytes) {
    uint64_t x = (uint64_t)answer->grid[0] * answer->block[0];
    uint64_t y = (uint64_t)answer->grid[1] * answer->block[1];
    uint64_t rows = (uint64_t)size.m;
    uint64_t columns = (uint64_t)size.n;
    if (x >= columns && y >= rows) {
        words_sentence(text, bytes,
                       "These are enough threads: check how the kernel computes row and column, "
                       "and the condition before its store.");
    } else if (x >= rows && y >= columns && rows > 1 && columns > 1) {
        words_sentence(text, bytes,
                       "These are enough threads if x counts the rows and y the columns: does the "
                       "kernel count in this way too?");
    } else {
        words_sentence(
            text, bytes,
            "The grid has %llu threads in x and %llu in y. C has %d rows and %d columns.",
            (unsigned long long)x, (unsigned long long)y, size.m, size.n);
    }
}

void run_outcome_add_launch(struct run_outcome *outcome, const struct answer *answer,
                            const struct signature *signature, struct size size) {
    const uint32_t *grid = answer->grid;
    const uint32_t *block = answer->block;
    if (outcome->text_verdict != VERDICT_NOT_WRITTEN || outcome->explained == EXPLAINED_PLACES ||
        grid[0] == 0) {  // the launches of host code are not known
        return;
    }
    outcome->launch_at = strlen(outcome->text);
    if (answer->launch_count <= 1) {
        outcome->threads = (uint64_t)grid[0] * grid[1] * grid[2] * block[0] * block[1] * block[2];
    }
    if (answer->launch_count > 1) {
        words_sentence(outcome->text, sizeof outcome->text,
                       "Launch %u of the %u of LAUNCH_CONFIG has grid (%u, %u, %u), block (%u, %u, "
                       "%u).",
                       answer->launch + 1, answer->launch_count, grid[0], grid[1], grid[2],
                       block[0], block[1], block[2]);
    } else {
        words_sentence(outcome->text, sizeof outcome->text,
                       "LAUNCH_CONFIG gave grid (%u, %u, %u), block (%u, %u, %u).", grid[0],
                       grid[1], grid[2], block[0], block[1], block[2]);
    }
    if (signature->is_matmul && outcome->explained == EXPLAINED_TERMS &&
        answer->launch_count == 0) {
        directions_advise(answer, size, outcome->text, sizeof outcome->text);
    }
}

void run_outcome_add_product(struct run_outcome *outcome, const struct oracle_report *report,
                             const struct coverage *coverage, struct size size) {
    bool all_read =
        coverage && coverage->gap[ARRAY_A].missing + coverage->gap[ARRAY_B].missing == 0;
    bool denied = report->explained == EXPLAINED_PART && all_read;
    enum explained explained = denied                                ? EXPLAINED_NOTHING
                               : report->explained == EXPLAINED_PART ? EXPLAINED_PLACES
                                                                     : report->explained;
    bool map = coverage && report->verdict == VERDICT_WRONG_RESULT && !isnan(report->got);
    if (map && explained == EXPLAINED_PLACES &&
        explain_unread(coverage, size, outcome->cause) == EXPLAINED_ALL_TERMS) {
        denied = true;  // an array that is never read cannot be read at a wrong index
        explained = EXPLAINED_NOTHING;
    }
    outcome->cause[0] = '\0';
    bool known = map && explained != EXPLAINED_PLACES;
    enum explained unread = EXPLAINED_NOTHING;
    run_outcome_add(outcome, report->verdict, report->evidence);
    if (outcome->text_verdict != report->verdict) {
        return;  // earlier verdicts have their own text
    }
    outcome->explained = explained;
    outcome->unset = value_is_unset(report->got);
    outcome->olds = report->verdict == VERDICT_WRONG_RESULT && poison_was_read(report->got);
    if (report->verdict == VERDICT_NOT_WRITTEN) {
        bool stored = coverage && coverage->gap[ARRAY_C].missing == 0;
        outcome->explained = stored ? EXPLAINED_PLACES : explained;
        outcome->unwritten = ARRAY_C;
        outcome->is_untouched = explained == EXPLAINED_ALL_TERMS;
        const char *cause = stored ? _("The old value of C is stored to C again.") : report->cause;
        words_write(outcome->cause, sizeof outcome->cause, "%s", cause);
        return;
    }
    (void)snprintf(outcome->guess, sizeof outcome->guess, "%s", denied ? "" : report->cause);
    if (known) {
        unread = explain_unread(coverage, size, outcome->cause);
        outcome->explained = unread > outcome->explained ? unread : outcome->explained;
    }
    // The map shows why terms are missing; a second sentence would give another reason.
    if (unread != EXPLAINED_NOTHING && report->explained == EXPLAINED_TERMS) {
        outcome->guess[words_sentence_end(outcome->guess)] = '\0';
    }
}

void run_outcome_add_outputs(struct run_outcome *outcome, const struct expected_report *report) {
    bool unwritten = report->verdict == VERDICT_NOT_WRITTEN;
    run_outcome_add(outcome, report->verdict, report->evidence);
    if (outcome->text_verdict == report->verdict) {
        outcome->explained = report->explained;
        outcome->is_pattern = report->is_pattern;
        outcome->unwritten = report->parameter;
        outcome->is_untouched = report->is_untouched;
        outcome->olds = report->of_old_value && !unwritten;
        words_write(unwritten ? outcome->cause : outcome->guess, ORACLE_TEXT_MAX, "%s",
                    report->cause);
    }
}

void run_outcome_of_product(const struct matmul *matmul, struct random_key secret,
                            struct run_outcome *outcome) {
    struct oracle_report report = oracle_check(PRECISION_FP32, INPUTS_EXACT, secret, matmul);
    if (report.verdict != VERDICT_PASS) {
        run_outcome_add_product(outcome, &report, NULL, matmul->size);
    }
}
