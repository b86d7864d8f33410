// The blocks of `make test`, one per exercise, and its last line.
#include "app/terminal/terminal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "app/terminal/parts.h"
#include "base/translate.h"
#include "base/words.h"
#include "judge/explain/finding.h"

#define DIAGNOSTICS_LINES 12

// The finding that is the cause of the verdict; NULL if the verdict has another cause.
static const struct judged_finding *cause_of(const struct exercise_result *result) {
    for (int i = 0; i < result->findings.count; i++) {
        const struct judged_finding *judged = &result->findings.list[i];
        if (judged->finding.severity == SEVERITY_ERROR &&
            finding_verdict(&judged->finding) == result->verdict) {
            return judged;
        }
    }
    return NULL;
}

// Prints each line after a mark; a place in the student's file begins with the folder instead, so
// that a click, or an editor, opens it.
static void lines_print(const struct terminal *terminal, const char *file, const char *text,
                        int lines_max) {
    char clean[TEXT_BYTES_MAX];
    terminal_clean(text, clean, sizeof clean);
    const char *at = clean;
    for (int i = 0; i < lines_max && *at != '\0'; i++) {
        size_t length = strcspn(at, "\n");
        bool place = file[0] != '\0' && text_starts(at, file);
        (void)fprintf(terminal->out, "    %s%s%.*s\n", place ? terminal->folder : FOREIGN_MARK,
                      place ? "/" : "", (int)length, at);
        at += length + (at[length] == '\n');
    }
    if (*at != '\0') {
        (void)fputs("    …\n", terminal->out);
    }
}

// Only the student reads this, and nothing depends on it, so a kernel may print anything.
static void output_print(const struct terminal *terminal, const struct exercise_result *result) {
    char size[SIZE_TEXT_MAX];
    if (result->output.text[0] == '\0') {
        return;
    }
    size_format(result->output.size, size);
    (void)fprintf(terminal->out, _("  the kernel printed (size %s):\n"), size);
    lines_print(terminal, "", result->output.text, OUTPUT_LINES_MAX + 1);
}

// `watch` repeats all sizes by itself.
static void repeat_print(const struct terminal *terminal, const struct exercise_result *result) {
    if (terminal->keys && result->why.repeat_size.m == 0) {
        return;
    }
    terminal_label_begin(terminal, _("again"));
    (void)fprintf(terminal->out, "make test EX=%s", result->exercise->name);
    if (result->why.repeat_size.m > 0) {
        char size[SIZE_TEXT_MAX];
        size_format(result->why.repeat_size, size);
        (void)fprintf(terminal->out, " SIZE=%s", size);
    }
    (void)fprintf(terminal->out, "%s\n", terminal->options);
}

static int case_count(const struct exercise_result *result, enum verdict verdict) {
    int count = 0;
    for (int i = 0; i < result->cases.count; i++) {
        count += result->cases.list[i].verdict == verdict;
    }
    return count;
}

enum color terminal_verdict_color(enum verdict verdict) {
    switch (verdict) {
    case VERDICT_PASS:
        return COLOR_GREEN;
    case VERDICT_MISSING:
    case VERDICT_NOT_STARTED:
    case VERDICT_NEEDS_GPU:
        return COLOR_YELLOW;
    default:
        return COLOR_RED;
    }
}

// The part of the headline, "tiled.cu:7: ", that names a line; 0 if it names none.
static size_t headline_place(const struct exercise_result *result, const char *headline) {
    size_t name = strlen(result->file);
    const char *line = headline + name + 1;
    bool place = name > 0 && text_starts(headline, result->file) && line[-1] == ':' &&
                 isdigit((unsigned char)*line);
    size_t digits = place ? strspn(line, "0123456789") : 0;
    return place && text_starts(line + digits, ": ") ? name + 1 + digits + 2 : 0;
}

// "student/tiled.cu:34:8: data race", as compilers write it, so that an editor can jump there; or
// "tiled: wrong result" if no line is known.
static void head_print(const struct terminal *terminal, const struct exercise_result *result,
                       const struct judged_finding *cause) {
    enum verdict verdict = result->verdict;
    char headline[WORDS_PLAIN_MAX];
    (void)words_plain(result->why.headline, headline);
    size_t place = cause || verdict == VERDICT_PASS ? 0 : headline_place(result, headline);
    if (cause && cause->finding.line > 0) {
        terminal_place(terminal, result, cause);
    } else if (place > 0) {
        terminal_color(terminal, COLOR_BOLD, "%s/%.*s", terminal->folder, (int)place, headline);
    } else {
        terminal_color(terminal, COLOR_BOLD, "%s: ", result->exercise->name);
    }
    terminal_color(terminal, terminal_verdict_color(verdict), "%s", verdict_title(verdict));
    if (verdict == VERDICT_PASS) {
        (void)fprintf(terminal->out, _(" (%d of %d cases)"), case_count(result, VERDICT_PASS),
                      result->cases.count);
    }
    (void)fputc('\n', terminal->out);
}

// A sentence about the student's file, with the folder before its name, so that a click opens it.
static void sentence_print(const struct terminal *terminal, const struct exercise_result *result,
                           const char *sentence) {
    char text[TEXT_BYTES_MAX];
    size_t name = strlen(result->file);
    bool place = name > 0 && strncmp(sentence, result->file, name) == 0;
    (void)snprintf(text, sizeof text, "%s%s%s", place ? terminal->folder : "", place ? "/" : "",
                   sentence);
    terminal_wrap(terminal, 2, text);
}

// The headline without what is printed already: "tiled.cu:7: does not compile: " is the first line,
// and the size of "tiled.cu: size 1x1x1: " has a line of its own.  Borrowed from `headline`.
static const char *headline_text(const struct exercise_result *result, const char *headline) {
    char start[PATH_BYTES_MAX + SIZE_TEXT_MAX + 16];
    char size[SIZE_TEXT_MAX];
    size_t place = headline_place(result, headline);
    size_format(result->why.repeat_size, size);
    (void)snprintf(start, sizeof start, _("%.200s: size %s: %s"), result->file, size, "");
    if (result->why.repeat_size.m > 0 && text_starts(headline, start)) {
        return headline + strlen(start);
    }
    (void)snprintf(start, sizeof start, "%s: ", verdict_title(result->verdict));
    return headline + place +
           (place > 0 && text_starts(headline + place, start) ? strlen(start) : 0);
}

// True if a warning, which is printed above, is the headline.
static bool is_headline_of_warning(const struct exercise_result *result) {
    for (int i = 0; i < result->findings.count; i++) {
        const struct judged_finding *judged = &result->findings.list[i];
        if (judged->finding.severity == SEVERITY_WARNING && judged->clause[0] != '\0' &&
            strstr(result->why.headline, judged->clause)) {
            return true;
        }
    }
    return false;
}

// The headline and what else helps.  If both begin with the same sentence, it is printed once.
static void reason_print(const struct terminal *terminal, const struct exercise_result *result) {
    char plain[WORDS_PLAIN_MAX];
    char detail[WORDS_PLAIN_MAX];
    const char *headline = headline_text(result, words_plain(result->why.headline, plain));
    size_t sentence = strlen(headline);
    bool repeated = strncmp(words_plain(result->why.detail, detail), headline, sentence) == 0;
    if (!is_headline_of_warning(result)) {
        sentence_print(terminal, result, headline);
    }
    terminal_wrap(terminal, 2, detail + (repeated ? sentence : 0));
    if (result->why.repeat_size.m > 0) {
        char size[SIZE_TEXT_MAX];
        size_format(result->why.repeat_size, size);
        terminal_label_begin(terminal, _("where"));
        (void)fprintf(terminal->out, _("size %s"), size);
        (void)fputc('\n', terminal->out);
    }
}

// True if the only variable that the compiler warns of is in a warning, which is printed above.
static bool is_warned_of(const struct exercise_result *result) {
    int count = 0;
    for (int i = 0; i < result->findings.count; i++) {
        const struct judged_finding *judged = &result->findings.list[i];
        count += judged->size.m == 0 && judged->finding.kind == FINDING_UNINITIALIZED &&
                 judged->finding.severity == SEVERITY_WARNING;
    }
    return count == 1;
}

// The compiler's messages: why it refuses the kernel, or its warnings if the kernel runs.
static void diagnostics_print(const struct terminal *terminal,
                              const struct exercise_result *result) {
    if (!result->why.diagnostics || result->why.diagnostics[0] == '\0') {
        return;
    }
    if (result->cases.count > 0) {
        (void)fputs("  ", terminal->out);
        terminal_color(terminal, COLOR_YELLOW, "the compiler warns:");
        (void)fputc('\n', terminal->out);
    }
    char *lines = words_plain_new(result->why.diagnostics);
    lines_print(terminal, result->file, lines ? lines : "", DIAGNOSTICS_LINES);
    free(lines);
}

bool terminal_is_one_size(const struct exercise_result *result) {
    for (int i = 1; i < result->cases.count; i++) {
        if (!size_equal(result->cases.list[i].size, result->cases.list[0].size)) {
            return false;
        }
    }
    return result->cases.count > 0;
}

static void pass_print(const struct terminal *terminal, const struct exercise_result *result) {
    terminal_warnings(terminal, result);
    if (!is_warned_of(result)) {
        diagnostics_print(terminal, result);
    }
    output_print(terminal, result);
    if (terminal->verbosity == VERBOSITY_VERBOSE) {
        terminal_cases(terminal, result);
    }
    (void)fputc('\n', terminal->out);
}

void terminal_exercise(const struct terminal *terminal, const struct exercise_result *result) {
    const struct judged_finding *cause = cause_of(result);
    head_print(terminal, result, cause);
    if (terminal->verbosity == VERBOSITY_QUIET) {
        return;
    }
    if (result->verdict == VERDICT_PASS) {
        pass_print(terminal, result);
        return;
    }
    if (cause) {
        terminal_finding(terminal, cause);
        if (result->verdict == VERDICT_TIME_LIMIT) {
            terminal_wrap(terminal, 2, result->why.detail);  // what the loop waits for
        }
        terminal_no_call(terminal, result);
    } else if (is_headline_of_warning(result)) {
        terminal_warnings(terminal, result);
        reason_print(terminal, result);
    } else {
        // A warning may name a cause that the wrong elements do not show.
        reason_print(terminal, result);
        terminal_warnings(terminal, result);
    }
    if (cause || !is_warned_of(result)) {
        diagnostics_print(terminal, result);
    }
    output_print(terminal, result);
    if (terminal->verbosity == VERBOSITY_VERBOSE) {
        terminal_other_findings(terminal, result, cause);
        terminal_cases(terminal, result);
    }
    char lesson[256];
    if (result->verdict == VERDICT_NOT_STARTED) {
        (void)snprintf(lesson, sizeof lesson, "%s/lesson.md", result->exercise->lesson);
    } else {
        (void)snprintf(lesson, sizeof lesson, "lessons/verdicts.md#%s",
                       verdict_name(result->verdict));
    }
    terminal_read(terminal, cause && cause->lesson[0] != '\0' ? cause->lesson : lesson);
    if (result->verdict == VERDICT_NOT_STARTED) {
        terminal_label_begin(terminal, _("edit"));
        (void)fprintf(terminal->out,
                      terminal->keys ? _("%s/%s.cu   (a hint: key h)\n")
                                     : _("%s/%s.cu   (a hint: make hint EX=%s)\n"),
                      terminal->folder, result->exercise->name, result->exercise->name);
    }
    repeat_print(terminal, result);
    (void)fputc('\n', terminal->out);
}

void terminal_test_summary(const struct terminal *terminal, const struct judgement *judgement) {
    int passed = 0;
    int missing = 0;
    int not_started = 0;
    int needs_gpu = 0;
    for (int i = 0; i < judgement->exercise_count; i++) {
        needs_gpu += judgement->exercises[i].verdict == VERDICT_NEEDS_GPU;
        passed += judgement->exercises[i].verdict == VERDICT_PASS;
        not_started += judgement->exercises[i].verdict == VERDICT_NOT_STARTED;
        missing += judgement->exercises[i].verdict == VERDICT_MISSING;
    }
    terminal_color(terminal, passed == judgement->exercise_count ? COLOR_GREEN : COLOR_BOLD,
                   "%d of %d pass", passed, judgement->exercise_count - missing);
    if (missing > 0) {
        (void)fprintf(terminal->out, _(", %d missing"), missing);
    }
    if (not_started > 0) {
        (void)fprintf(terminal->out, _(", %d not started"), not_started);
    }
    if (needs_gpu > 0) {
        (void)fprintf(terminal->out, needs_gpu == 1 ? _(", %d needs a GPU") : _(", %d need a GPU"),
                      needs_gpu);
    }
    (void)fprintf(terminal->out, _("  (device: %s)\n"), judgement->device_text);
}
