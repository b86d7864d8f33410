// The blocks of `make test`, one per exercise, and its last line.  A finding for a student: the
// mistake, the lines of code with the place underlined, and the threads.  --verbose adds every
// finding, every case, and the work behind a ratio.
//
// A next step is always shown, so that a student always knows what to type.
#include "app/terminal/terminal.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "app/standing.h"
#include "app/terminal/terminal_text.h"
#include "base/language.h"
#include "base/text.h"
#include "base/words.h"
#include "exercise/exercise.h"
#include "judge/model/points.h"
#include "judge/run/program_run.h"
#include "judge/say/finding_text.h"

#define SOURCE_MARGIN  10  // columns before a line of code: "   22 | "
#define SOURCE_COLUMNS (TERMINAL_COLUMNS_MAX - SOURCE_MARGIN)  // at most
#define WHO_BYTES      200

// Prints ^ under a part of a line that is shown from byte `from` on.
static void mark_put(char marks[SOURCE_COLUMNS + 1], struct source_span span, uint32_t from) {
    size_t room = strlen(marks);
    for (uint32_t i = 0; i < span.length; i++) {
        if (span.start + i >= from && span.start + i - from < room) {
            marks[span.start + i - from] = '^';
        }
    }
}

// The line of marks, if there are any.
static void marks_print(const struct terminal *terminal, const char *cut,
                        char marks[SOURCE_COLUMNS + 1]) {
    size_t end = strlen(marks);
    while (end > 0 && marks[end - 1] == ' ') {
        end--;
    }
    marks[end] = '\0';
    if (end > 0) {
        (void)fprintf(terminal->out, "        | %s", cut[0] != '\0' ? " " : "");
        terminal_color(terminal, COLOR_RED, "%s", marks);
        (void)fputc('\n', terminal->out);
    }
}

// "   22 | acc += As[ty][k];", and the marks under it; `other` may be empty.
static void source_print(const struct terminal *terminal, const struct judged_finding *judged,
                         uint32_t line, const char *source, struct source_span mark,
                         struct source_span other) {
    if (line == 0 || source[0] == '\0') {
        return;
    }
    char clean[SOURCE_LINE_MAX];
    char marks[SOURCE_COLUMNS + 1];
    terminal_clean(source, clean, sizeof clean);
    // The marks fit only if cleaning did not change the line.
    bool same = strcmp(source, clean) == 0;
    uint32_t room = (uint32_t)(terminal_columns_of(terminal) - SOURCE_MARGIN);
    uint32_t end = mark.start + mark.length;
    uint32_t from = same && end + 1 > room ? end + 2 - room : 0;  // both ends may be cut
    from = from > mark.start ? mark.start : from;
    const char *cut = from > 0 ? "…" : "";
    const char *shown = clean + from;
    room -= from > 0;
    size_t bytes = terminal_cut(shown, (int)room);
    if (shown[bytes] != '\0') {
        bytes = terminal_cut(shown, (int)room - 1);
    }
    (void)program_file_of(judged->files, &line);
    (void)fprintf(terminal->out, "  %5" PRIu32 " | %s%.*s%s\n", line, cut, (int)bytes, shown,
                  shown[bytes] != '\0' ? "…" : "");
    memset(marks, ' ', sizeof marks);
    marks[room] = '\0';
    if (same) {
        mark_put(marks, mark, from);
        mark_put(marks, other, from);
    }
    marks_print(terminal, cut, marks);
}

// The thread, or for a race the two threads.
static void threads_text(const struct finding *finding, char text[WHO_BYTES]) {
    const uint32_t *block = finding->block;
    const uint32_t *thread = finding->thread;
    const uint32_t *other_block = finding->other_block;
    const uint32_t *other = finding->other_thread;
    if (finding->kind != FINDING_RACE) {
        (void)snprintf(text, WHO_BYTES, _("block (%u,%u,%u) thread (%u,%u,%u)"), block[0], block[1],
                       block[2], thread[0], thread[1], thread[2]);
    } else if (finding->flags & FINDING_BETWEEN_BLOCKS) {
        (void)snprintf(text, WHO_BYTES,
                       _("block (%u,%u,%u) thread (%u,%u,%u) and block (%u,%u,%u) thread "
                         "(%u,%u,%u)"),
                       block[0], block[1], block[2], thread[0], thread[1], thread[2],
                       other_block[0], other_block[1], other_block[2], other[0], other[1],
                       other[2]);
    } else {
        (void)snprintf(text, WHO_BYTES,
                       _("block (%u,%u,%u) thread (%u,%u,%u) and thread (%u,%u,%u)"), block[0],
                       block[1], block[2], thread[0], thread[1], thread[2], other[0], other[1],
                       other[2]);
    }
}

static void threads_print(const struct terminal *terminal, const struct judged_finding *judged) {
    const struct finding *finding = &judged->finding;
    char size[SIZE_TEXT_MAX];
    char who[WHO_BYTES];
    if (judged->size.m == 0) {
        return;  // seen by the compiler, not in a launch
    }
    size_format(judged->size, size);
    terminal_label_begin(terminal, _("where"));
    (void)fprintf(terminal->out, _("size %s"), size);
    if (!finding_names_block(judged)) {  // else the message already says it
        threads_text(finding, who);
        (void)fprintf(terminal->out, _(", %s"), who);
    }
    (void)fputc('\n', terminal->out);
}

// "student/tiled.cu:34:8: " at the start of a line, so that an editor can jump there; nothing if
// the finding has no line.
static void terminal_place(const struct terminal *terminal, const struct exercise_result *result,
                           const struct judged_finding *judged) {
    char column[16] = "";
    char place[PATH_BYTES_MAX];
    if (judged->finding.line == 0) {
        return;
    }
    if (judged->shown.column > 0) {
        (void)snprintf(column, sizeof column, "%" PRIu32 ":", judged->shown.column);
    }
    (void)snprintf(place, sizeof place, "%s/%s.cu:%" PRIu32 ":%s", terminal->folder,
                   result->exercise->name, judged->finding.line, column);
    terminal_color(terminal, COLOR_BOLD, "%s ", place);
}

// A line that is not in the file, between two lines of the file.
static void barrier_print(const struct terminal *terminal, const struct judged_finding *judged) {
    if (judged->barrier.after > 0) {
        (void)fputs("  ┄┄┄┄┄ | ", terminal->out);
        terminal_color(terminal, COLOR_GREEN, N_("__syncthreads() is missing here"));
        (void)fputc('\n', terminal->out);
    }
}

// One finding, without its verdict and its lesson.
//
// The first sentence names the mistake; the lines of code and the threads follow.
static void terminal_finding(const struct terminal *terminal, const struct judged_finding *judged) {
    const struct finding *finding = &judged->finding;
    const struct source_span nothing = {0, 0};
    bool one_line = finding->other_line == finding->line;
    char first[WORDS_PLAIN_MAX];
    char message[WORDS_PLAIN_MAX];
    int length = (int)text_sentence(words_plain(judged->message, message));
    (void)snprintf(first, sizeof first, "%.*s", length, message);
    terminal_wrap(terminal, 2, first);
    // A barrier that is missing between two lines is shown between them, in the order of the text.
    bool turned = finding->line > finding->other_line && judged->barrier.after > 0 &&
                  judged->barrier.after < judged->barrier.before;
    if (turned) {
        source_print(terminal, judged, finding->other_line, judged->other_shown.text,
                     judged->other_shown.mark, nothing);
        barrier_print(terminal, judged);
    }
    source_print(terminal, judged, finding->line, judged->shown.text, judged->shown.mark,
                 one_line ? judged->other_shown.mark : nothing);
    if (!turned) {
        barrier_print(terminal, judged);
    }
    if (!one_line && !turned) {
        source_print(terminal, judged, finding->other_line, judged->other_shown.text,
                     judged->other_shown.mark, nothing);
    }
    terminal_wrap(terminal, 2, message + length);
    threads_print(terminal, judged);
}

static const char *warning_title(const struct finding *finding) {
    switch (finding->kind) {
    case FINDING_EXITED_BEFORE_BARRIER:
        return _("threads exited before a barrier");
    case FINDING_BARRIER_DIVERGENCE:
        return _("a barrier that is not called");
    case FINDING_RACE:
        return _("the same value is stored twice");
    case FINDING_UNINITIALIZED:
        return _("uninitialized");
    default:
        return finding_kind_name(finding->kind);
    }
}

static void warning_print(const struct terminal *terminal, const struct exercise_result *result,
                          const struct judged_finding *judged, bool note) {
    if (judged->finding.line > 0) {
        terminal_place(terminal, result, judged);
    } else {
        (void)fputs("  ", terminal->out);
    }
    terminal_color(terminal, COLOR_YELLOW, "%s: %s", note ? _("note") : _("warning"),
                   warning_title(&judged->finding));
    (void)fputc('\n', terminal->out);
    terminal_finding(terminal, judged);
    if (judged->lesson[0] != '\0') {
        terminal_read(terminal, judged->lesson);
    }
}

// The warning that a barrier is not called, which explains a race.
static void terminal_no_call(const struct terminal *terminal,
                             const struct exercise_result *result) {
    for (int i = 0; i < result->findings.count; i++) {
        const struct finding *finding = &result->findings.list[i].finding;
        if (finding->kind == FINDING_BARRIER_DIVERGENCE && finding->severity == SEVERITY_WARNING) {
            warning_print(terminal, result, &result->findings.list[i], false);
            return;
        }
    }
}

// The warnings of an exercise, each with its lesson; for one that passes, the notes too.
//
// Shows the first warning of each kind, because the same mistake shows at every barrier.  A note is
// shown only with a pass.
static void terminal_warnings(const struct terminal *terminal,
                              const struct exercise_result *result) {
    bool seen[FINDING_KIND_COUNT] = {false};
    for (int i = 0; i < result->findings.count; i++) {
        const struct judged_finding *judged = &result->findings.list[i];
        const struct finding *finding = &judged->finding;
        bool note = finding->severity == SEVERITY_NOTE && result->verdict == VERDICT_PASS;
        if ((finding->severity != SEVERITY_WARNING && !note) ||
            finding->kind >= FINDING_KIND_COUNT || seen[finding->kind]) {
            continue;
        }
        seen[finding->kind] = true;
        warning_print(terminal, result, judged, note);
    }
}

static const char *kind_note(enum inputs_kind inputs) {
    static const char *const notes[INPUTS_KINDS] = {"",
                                                    N_(" (real)"),
                                                    N_(" (large and small)"),
                                                    N_(" (all equal)"),
                                                    N_(" (infinities)"),
                                                    N_(" (zeros and runs)")};
    return inputs == INPUTS_EXACT ? "" : _(notes[inputs]);
}

// The cases of one verdict, wrapped: "1x1x1, 67x33x129 (real), 1x1x1 (GPU)".
static void cases_of(const struct terminal *terminal, const struct exercise_result *result,
                     enum verdict verdict) {
    char text[2 * CASES_MAX * (SIZE_TEXT_MAX + 16)];
    size_t used = 0;
    int count = 0;
    text[0] = '\0';
    for (int i = 0; i < result->cases.count && used < sizeof text; i++) {
        const struct case_result *one = &result->cases.list[i];
        char size[SIZE_TEXT_MAX];
        if (one->verdict == verdict) {
            size_format(one->size, size);
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s%s%s",
                                     count > 0 ? ", " : "", size, kind_note(one->inputs),
                                     one->device == DEVICE_GPU ? " (GPU)" : "");
            count++;
        }
    }
    if (count > 0) {
        (void)fprintf(terminal->out, count > 1 ? _("  %d cases: %s\n") : _("  %d case: %s\n"),
                      count, verdict_title(verdict));
        terminal_wrap(terminal, 4, text);
    }
}

void terminal_cases(const struct terminal *terminal, const struct exercise_result *result) {
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++) {
        cases_of(terminal, result, (enum verdict)verdict);
    }
}

void terminal_other_findings(const struct terminal *terminal, const struct exercise_result *result,
                             const struct judged_finding *told) {
    for (int i = 0; i < result->findings.count; i++) {
        const struct judged_finding *judged = &result->findings.list[i];
        if (judged != told && judged->finding.severity == SEVERITY_ERROR) {
            terminal_place(terminal, result, judged);
            terminal_color(terminal, COLOR_YELLOW, "also: %s",
                           verdict_title(finding_verdict(&judged->finding)));
            (void)fputc('\n', terminal->out);
            terminal_finding(terminal, judged);
        }
    }
}

void terminal_work(const struct terminal *terminal, const struct speed_result *speed) {
    const struct counts *mine = &speed->counts;
    const struct counts *theirs = &speed->reference_counts;
    if (!speed->counted) {
        return;
    }
    (void)fprintf(terminal->out, "      %-28s ", "");
    terminal_right(terminal, _("yours"), 16);
    (void)fputc(' ', terminal->out);
    terminal_right(terminal, _("reference"), 16);
    (void)fputc('\n', terminal->out);
#define WORK_ROW(field, text)                                                                      \
    if (mine->field > 0 || theirs->field > 0) {                                                    \
        (void)fprintf(terminal->out, "      %-28s %16" PRIu64 " %16" PRIu64 "\n", #field,          \
                      mine->field, theirs->field);                                                 \
    }
    COUNT_FIELDS(WORK_ROW)
#undef WORK_ROW
}

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

// The headline without the part that is already printed: "tiled.cu:7: does not compile: " is the
// first line, and the size of "tiled.cu: size 1x1x1: " has a line of its own.  Borrowed from
// `headline`.
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

// The headline and the detail.  If both begin with the same sentence, it is printed once.
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
    char *lines = language_plain(result->why.diagnostics);
    lines_print(terminal, result->file, lines, DIAGNOSTICS_LINES);
    free(lines);
}

// True if all cases have the same size, which does not test the whole exercise.
static bool terminal_is_one_size(const struct exercise_result *result) {
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
            terminal_wrap(terminal, 2, result->why.detail);  // names what the loop waits for
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

static void page_print(const struct terminal *terminal, const char *name) {
    terminal_label_begin(terminal, _("page"));
    (void)fprintf(terminal->out, _("make show EX=%s   (pictures of what it loads and stores)\n"),
                  name);
}

// The next exercise, and the student's progress.
static void course_print(const struct terminal *terminal, const struct next_course *course,
                         const char *name) {
    struct progress_made made = progress_made(course->places, course->whole);
    int count = course->whole->exercise_count;
    const struct exercise *exercise = course_find(course->whole, name ? name : "");
    if (!exercise && made.current >= 0) {
        exercise = &course->whole->exercises[made.current];
    }
    terminal_label_begin(terminal, _("next"));
    if (!exercise) {
        (void)fprintf(terminal->out, _("%d of %d pass: the course is done\n"), made.passed, count);
    } else {
        (void)fprintf(terminal->out, _("make watch EX=%s   (%s; %d of %d pass)\n"), exercise->name,
                      exercise_title(exercise), made.passed, count);
    }
}

// After a test of one exercise.
static void one_print(const struct terminal *terminal, const struct next_course *course,
                      const struct exercise_result *result) {
    const char *name = result->exercise->name;
    if (course->own && result->cases.count > 0) {
        page_print(terminal, name);
    }
    if (!course->own && result->verdict != VERDICT_PASS) {
        return;  // no one edits that folder here
    }
    switch (result->verdict) {
    case VERDICT_PASS:
        terminal_label_begin(terminal, _("next"));
        (void)fprintf(terminal->out,
                      terminal_is_one_size(result)
                          ? _("make test EX=%s%s   (all sizes)\n")
                          : _("make grade EX=%s%s   (new sizes, and speed)\n"),
                      name, terminal->options);
        break;
    case VERDICT_MISSING:
        terminal_label_begin(terminal, _("next"));
        (void)fprintf(terminal->out, _("make reset EX=%s   (writes the file to fill in)\n"), name);
        break;
    case VERDICT_NOT_STARTED:
        course_print(terminal, course, name);
        break;
    case VERDICT_NEEDS_GPU:
        course_print(terminal, course, NULL);
        break;
    default:
        terminal_label_begin(terminal, _("next"));
        (void)fprintf(terminal->out, _("make hint EX=%s   (make watch judges each save)\n"), name);
        break;
    }
}

void terminal_next_test(const struct terminal *terminal, const struct next_course *course,
                        const struct judgement *judgement) {
    if (judgement->exercise_count == 1) {
        one_print(terminal, course, &judgement->exercises[0]);
    } else if (course->own) {
        course_print(terminal, course, NULL);
    }
}

void terminal_next_grade(const struct terminal *terminal, const struct next_course *course,
                         const struct judgement *judgement) {
    const struct exercise_result *first = &judgement->exercises[0];
    bool again =
        judgement->exercise_count == 1 && first->complete && first->verdict != VERDICT_PASS;
    course_print(terminal, course, again ? first->exercise->name : NULL);
}

// "prog.cu:34: " and the kind of mistake.
static void program_title(const struct terminal *terminal, const char *file,
                          const struct program_files *files, const struct judged_finding *judged) {
    const struct finding *finding = &judged->finding;
    bool is_error = finding->severity == SEVERITY_ERROR;
    uint32_t line = finding->line;
    const char *name = program_file_of(files, &line);
    if (line > 0) {
        terminal_color(terminal, COLOR_BOLD, "%.200s:%" PRIu32 ": ",
                       line == finding->line ? file : name, line);
    }
    terminal_color(terminal, is_error ? COLOR_RED : COLOR_YELLOW, "%s",
                   finding->severity == SEVERITY_NOTE ? _("note")
                   : finding->severity == SEVERITY_WARNING
                       ? _("warning")
                       : verdict_title(finding_verdict(finding)));
    (void)fputc('\n', terminal->out);
}

// The threads of a kernel, unless the message has them, and its launch.
static void program_where(const struct terminal *terminal, const struct judged_finding *judged) {
    char who[WHO_BYTES];
    if (!finding_names_block(judged)) {
        threads_text(&judged->finding, who);
        terminal_label_begin(terminal, _("where"));
        (void)fprintf(terminal->out, "%s\n", who);
    }
    if (judged->launch_line > 0 && judged->launch_line != judged->finding.other_line) {
        uint32_t line = judged->launch_line;
        const char *name = program_file_of(judged->files, &line);
        terminal_label_begin(terminal, _("launch"));
        (void)fprintf(terminal->out, "%.200s:%" PRIu32 "\n", name, line);
        source_print(terminal, judged, judged->launch_line, judged->launch_shown.text,
                     (struct source_span){0, 0}, (struct source_span){0, 0});
    }
}

void terminal_program(const struct terminal *terminal, const char *file,
                      const struct program_files *files, const struct program_result *result) {
    int errors = 0;
    const int seen = result->findings.count;
    (void)fputs(seen > 0 ? "\n" : "", terminal->out);  // the program's last line may have no end
    for (int i = 0; i < seen; i++) {
        const struct judged_finding *judged = &result->findings.list[i];
        bool is_first = errors == 0;
        if (judged->finding.severity != SEVERITY_ERROR && errors > 0) {
            continue;  // it may be a consequence
        }
        errors += judged->finding.severity == SEVERITY_ERROR;
        program_title(terminal, file, files, judged);
        terminal_finding(terminal, judged);
        program_where(terminal, judged);
        if (is_first && judged->lesson[0] != '\0' && terminal->root) {
            terminal_read(terminal, judged->lesson);
        }
    }
    if (result->wrote_too_much) {
        (void)fputs(_("The program was ended: it wrote too many files, or too much into them.\n"),
                    terminal->out);
    } else if (result->files_written > 0) {
        (void)fprintf(terminal->out, _("Files that the program wrote and that are not kept: %d.\n"),
                      result->files_written);
    }
    if (errors == 0 && result->exit_code >= 128) {
        (void)fprintf(terminal->out, _("The program was ended by signal %d.\n"),
                      result->exit_code - 128);
    } else if (errors == 0 && result->exit_code != 0) {
        (void)fprintf(terminal->out, _("The program ended with exit code %d.\n"),
                      result->exit_code);
    } else if (seen == 0) {
        terminal_color(terminal, COLOR_GREEN, "%s", _("No mistake was seen in this run."));
        (void)fputc('\n', terminal->out);
    }
}

void terminal_program_fault(const struct terminal *terminal, const char *file,
                            const struct run_program *program) {
    const struct build_report *report = &program->report;
    char place[32] = "";
    char title[64];
    uint32_t line = report->line > 0 ? (uint32_t)report->line : 0;
    const char *name = program_file_of(&program->files, &line);
    if (line > 0) {
        (void)snprintf(place, sizeof place, ":%" PRIu32, line);
    }
    bool is_first = line == 0 || (int)line == report->line;
    terminal_color(terminal, COLOR_BOLD, "%.200s%s: ", is_first ? file : name, place);
    terminal_color(terminal, COLOR_RED, "%s",
                   verdict_title(report->fault == BUILD_FAULT_NEEDS_GPU ? VERDICT_NEEDS_GPU
                                                                        : VERDICT_BUILD_ERROR));
    (void)fputc('\n', terminal->out);
    (void)snprintf(title, sizeof title, "%s: ", verdict_title(VERDICT_BUILD_ERROR));
    bool said = text_starts(report->text, title);
    terminal_wrap(terminal, 2, report->text + (said ? strlen(title) : 0));
    if (report->fault != BUILD_FAULT_NEEDS_GPU && report->diagnostics) {
        char *lines = language_plain(report->diagnostics);
        lines_print(terminal, "", lines, DIAGNOSTICS_LINES);
        free(lines);
    }
}
