// A finding as a student sees it: what is wrong, the lines of code with the place underlined, and
// which threads.
#include "app/terminal/parts.h"

#include <inttypes.h>
#include <string.h>

#include "base/translate.h"
#include "base/words.h"
#include "judge/explain/finding.h"

#define SOURCE_MARGIN  10  // columns before a line of code: "   22 | "
#define SOURCE_COLUMNS (TERMINAL_COLUMNS_MAX - SOURCE_MARGIN)  // at most
#define WHO_BYTES      200

// Puts ^ under a part of a line that is shown from byte `from` on.
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
static void source_print(const struct terminal *terminal, uint32_t line, const char *source,
                         struct source_span mark, struct source_span other) {
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

// Which thread it was; for a race, which two.
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

void terminal_place(const struct terminal *terminal, const struct exercise_result *result,
                    const struct judged_finding *judged) {
    char column[16] = "";
    char place[PATH_BYTES_MAX];
    if (judged->finding.line == 0) {
        return;
    }
    if (judged->column > 0) {
        (void)snprintf(column, sizeof column, "%" PRIu32 ":", judged->column);
    }
    (void)snprintf(place, sizeof place, "%s/%s.cu:%" PRIu32 ":%s", terminal->folder,
                   result->exercise->name, judged->finding.line, column);
    terminal_color(terminal, COLOR_BOLD, "%s ", place);
}

// A line that is not in the file, between the two that are.
static void barrier_print(const struct terminal *terminal, const struct judged_finding *judged) {
    if (judged->barrier_after > 0) {
        (void)fputs("  ┄┄┄┄┄ | ", terminal->out);
        terminal_color(terminal, COLOR_GREEN, N_("__syncthreads() is missing here"));
        (void)fputc('\n', terminal->out);
    }
}

// The first sentence says what is wrong; under it are the lines of code, and then the threads.
void terminal_finding(const struct terminal *terminal, const struct judged_finding *judged) {
    const struct finding *finding = &judged->finding;
    const struct source_span nothing = {0, 0};
    bool one_line = finding->other_line == finding->line;
    char first[WORDS_PLAIN_MAX];
    char message[WORDS_PLAIN_MAX];
    int length = (int)text_sentence(words_plain(judged->message, message));
    (void)snprintf(first, sizeof first, "%.*s", length, message);
    terminal_wrap(terminal, 2, first);
    // A barrier that is missing between two lines is shown between them, in the order of the text.
    bool turned = finding->line > finding->other_line && judged->barrier_after > 0 &&
                  judged->barrier_after < judged->barrier_before;
    if (turned) {
        source_print(terminal, finding->other_line, judged->other_source, judged->other_mark,
                     nothing);
        barrier_print(terminal, judged);
    }
    source_print(terminal, finding->line, judged->source, judged->mark,
                 one_line ? judged->other_mark : nothing);
    if (!turned) {
        barrier_print(terminal, judged);
    }
    if (!one_line && !turned) {
        source_print(terminal, finding->other_line, judged->other_source, judged->other_mark,
                     nothing);
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

void terminal_no_call(const struct terminal *terminal, const struct exercise_result *result) {
    for (int i = 0; i < result->findings.count; i++) {
        const struct finding *finding = &result->findings.list[i].finding;
        if (finding->kind == FINDING_BARRIER_DIVERGENCE && finding->severity == SEVERITY_WARNING) {
            warning_print(terminal, result, &result->findings.list[i], false);
            return;
        }
    }
}

// Shows the first warning of each kind, because the same mistake shows at every barrier.  A note is
// shown only with a pass.
void terminal_warnings(const struct terminal *terminal, const struct exercise_result *result) {
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
