// A verdict alone proves little: a wrong kernel must be caught at the expected lines, and a right
// one must have no finding.
#include "app/course/prove.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/translate.h"
#include "base/words.h"
#include "judge/explain/finding.h"

#define LINES_TEXT_BYTES 32  // " 22 28"

static bool is_slow(const struct exercise_result *result) {
    for (int i = 0; i < result->speed.count; i++) {
        if (result->speed.list[i].verdict == SPEED_SLOW) {
            return true;
        }
    }
    return false;
}

// The first finding that a right kernel must not have; NULL if there is none.
static const struct judged_finding *finding_first(const struct exercise_result *result) {
    for (int i = 0; i < result->findings.count; i++) {
        if (result->findings.list[i].finding.severity >= SEVERITY_WARNING) {
            return &result->findings.list[i];
        }
    }
    return NULL;
}

// The verdicts that a stub may get when it runs: it ends, and C is not the product.
static bool stub_run_good(enum verdict verdict) {
    return verdict == VERDICT_NOT_WRITTEN || verdict == VERDICT_WRONG_RESULT ||
           verdict == VERDICT_UNINITIALIZED;
}

static void verdict_compare(const struct exercise_result *result, enum verdict expected,
                            struct outcome *outcome) {
    char headline[WORDS_PLAIN_MAX];
    outcome->proven = result->verdict == expected;
    if (!outcome->proven) {
        (void)snprintf(outcome->text, sizeof outcome->text, _("expected %s, got %s: %s"),
                       verdict_name(expected), verdict_name(result->verdict),
                       words_plain(result->why.headline, headline));
    }
}

static void lines_add(struct job_lines *lines, uint32_t line) {
    if (line == 0 || (lines->count == 1 && lines->line[0] == (int)line)) {
        return;
    }
    bool first = lines->count == 1 && (int)line < lines->line[0];
    lines->line[1] = first ? lines->line[0] : (int)line;
    lines->line[0] = first || lines->count == 0 ? (int)line : lines->line[0];
    lines->count++;
}

// Where the verdict was seen: the places of the first finding that is this verdict; for a file that
// is not built, the line in "naive.cu:12: …".
static struct job_lines lines_seen(const struct exercise_result *result) {
    struct job_lines lines = {0};
    for (int i = 0; i < result->findings.count; i++) {
        const struct finding *finding = &result->findings.list[i].finding;
        if (finding->severity == SEVERITY_ERROR && finding_verdict(finding) == result->verdict) {
            lines_add(&lines, finding->line);
            lines_add(&lines, finding->other_line);
            return lines;
        }
    }
    uint32_t line = 0;
    char headline[WORDS_PLAIN_MAX];
    const char *mark = strstr(words_plain(result->why.headline, headline), ".cu:");
    if (mark && sscanf(mark, ".cu:%" SCNu32 ":", &line) == 1) {
        lines_add(&lines, line);
    }
    return lines;
}

static void lines_text(const struct job_lines *lines, char *text, size_t bytes) {
    text[0] = '\0';
    for (int i = 0, used = 0; i < lines->count; i++) {
        used += snprintf(text + used, bytes - (size_t)used, " %d", lines->line[i]);
    }
}

// What the first line of a wrong kernel may say: "race 19 25".
static void found_note(enum verdict verdict, const char *lines, struct outcome *outcome) {
    (void)snprintf(outcome->found, sizeof outcome->found, "%s%s", verdict_name(verdict), lines);
}

// `// expect: ?`: a kernel that passes, and is not slow, may be right, which only its author knows.
static void open_compare(const struct exercise_result *result, struct outcome *outcome) {
    const struct job_lines seen = lines_seen(result);
    char headline[WORDS_PLAIN_MAX];
    char lines[LINES_TEXT_BYTES];
    lines_text(&seen, lines, sizeof lines);
    if (result->verdict == VERDICT_PASS && !is_slow(result)) {
        (void)snprintf(outcome->text, sizeof outcome->text,
                       _("its first line says `// expect: ?`, but it passes: either it is right, "
                         "or [cases] lack a size at which its mistake shows"));
        return;
    }
    found_note(result->verdict, lines, outcome);
    if (result->verdict == VERDICT_PASS) {
        (void)snprintf(outcome->found, sizeof outcome->found, "slow");
    }
    (void)snprintf(outcome->text, sizeof outcome->text,
                   _("its first line says `// expect: ?`, and the result is `%s`, which WRITE=1 "
                     "writes: %s"),
                   outcome->found, words_plain(result->why.headline, headline));
}

// A wrong kernel that is caught at another line was caught for another reason.
static void lines_compare(const struct job *job, const struct exercise_result *result,
                          struct outcome *outcome) {
    const struct job_lines seen = lines_seen(result);
    const struct job_lines *wanted = &job->lines;
    const char *verdict = verdict_name(job->expected);
    char headline[WORDS_PLAIN_MAX];
    char before[LINES_TEXT_BYTES];
    char after[LINES_TEXT_BYTES];
    lines_text(wanted, before, sizeof before);
    lines_text(&seen, after, sizeof after);
    if (strcmp(before, after) != 0) {
        outcome->proven = false;
        found_note(job->expected, after, outcome);
        (void)snprintf(outcome->text, sizeof outcome->text,
                       _("its first line says `// expect: %s%s`, but the result is `%s%s`: %s"),
                       verdict, before, verdict, after,
                       words_plain(result->why.headline, headline));
    }
}

// In a course with references, the student's file must be what `stubs` wrote.
static void student_compare(const struct job *job, const struct exercise_result *result,
                            struct outcome *outcome) {
    outcome->proven = result->verdict == VERDICT_NOT_STARTED;
    if (!outcome->proven) {
        (void)snprintf(outcome->text, sizeof outcome->text,
                       _("student/%s.cu is not the stub of reference/%s.cu: `make stubs EX=%s "
                         "FORCE=1` writes it"),
                       job->exercise->name, job->exercise->name, job->exercise->name);
    }
}

void course_compare(const struct job *job, const struct exercise_result *result,
                    struct outcome *outcome) {
    const struct judged_finding *finding = NULL;
    char plain[WORDS_PLAIN_MAX];
    switch (job->kind) {
    case JOB_STUB:
        verdict_compare(result, VERDICT_NOT_STARTED, outcome);
        return;
    case JOB_STUDENT:
        student_compare(job, result, outcome);
        return;
    case JOB_STUB_RUN:
        outcome->proven = stub_run_good(result->verdict);
        if (!outcome->proven) {
            (void)snprintf(outcome->text, sizeof outcome->text,
                           _("expected not_written, wrong_result or uninitialized, got %s: %s"),
                           verdict_name(result->verdict), words_plain(result->why.headline, plain));
        }
        return;
    case JOB_WRONG:
        if (job->is_open) {
            open_compare(result, outcome);
            return;
        }
        verdict_compare(result, job->expected, outcome);
        if (outcome->proven && job->expects_slow && !is_slow(result)) {
            outcome->proven = false;
            (void)snprintf(outcome->text, sizeof outcome->text, _("expected slow, got not slow"));
        }
        if (outcome->proven) {
            lines_compare(job, result, outcome);
        }
        return;
    case JOB_REFERENCE:
    case JOB_RIGHT:
        verdict_compare(result, VERDICT_PASS, outcome);
        finding = finding_first(result);
        if (outcome->proven && result->blind) {
            outcome->proven = false;
            (void)snprintf(
                outcome->text, sizeof outcome->text,
                _("C is right, but the CPU device did not see every element of A and B read"));
        }
        if (outcome->proven && finding) {
            outcome->proven = false;
            (void)snprintf(
                outcome->text, sizeof outcome->text, _("expected no finding, got %s: %s"),
                finding_kind_name(finding->finding.kind), words_plain(finding->message, plain));
        }
        return;
    }
}
