// See roll.h.
#include "app/terminal/roll.h"

#include <string.h>
#include <unistd.h>

#include "app/terminal/progress.h"
#include "app/terminal/terminal.h"
#include "app/terminal/terminal_text.h"
#include "base/basics.h"
#include "base/text.h"
#include "base/words.h"
#include "class/run/json.h"

#define LOG_MS     30000  // of silence in a log before the next line
#define EARLY_MS   3000   // too early for a rate
#define NAMED_MAX  20     // students that are named for one state
#define LINE_BYTES 400
#define LABEL      12
#define NAME_SHOWN 200  // bytes of a student's name

struct roll roll_of(FILE *out) {
    return (struct roll){
        .out = out, .is_terminal = out && isatty(fileno(out)), .told_ms = clock_ms()};
}

void roll_clear(const struct roll *roll) {
    if (roll->out && roll->is_terminal) {
        (void)fputs("\r\033[K", roll->out);
        (void)fflush(roll->out);
    }
}

// Prints a line if it is time to.
static void line_show(struct roll *roll, char *text) {
    uint64_t now = clock_ms();
    if (!roll->out || (!roll->is_terminal && now - roll->told_ms < LOG_MS)) {
        return;
    }
    roll->told_ms = now;
    text_end(text);
    (void)fprintf(roll->out, roll->is_terminal ? "\r\033[K%s" : "%s\n", text);
    (void)fflush(roll->out);
}

void roll_note(const char *text) {
    struct terminal terminal = terminal_of(stderr, "", "");
    terminal_wrap(&terminal, 2, text);
}

void roll_begin(const char *said, int total, int earlier, int jobs, int room) {
    struct terminal terminal = terminal_of(stdout, "", "");
    char text[LINE_BYTES];
    terminal_wrap(&terminal, 2, said);
    (void)snprintf(text, sizeof text, _("%d to grade, %d of them already done"), total, earlier);
    terminal_wrap(&terminal, 2, text);
    if (jobs > 0 && room > 0) {
        (void)snprintf(text, sizeof text,
                       _("%d at a time (memory has room for %d; JOBS=N, or --jobs N, chooses)"),
                       jobs, room);
        terminal_wrap(&terminal, 2, text);
    }
    (void)fflush(stdout);
}

void roll_reading(struct roll *roll, int done, int total) {
    char text[LINE_BYTES];
    (void)snprintf(text, sizeof text, _("reading submissions: %d of %d"), done, total);
    line_show(roll, text);
}

void roll_counting(struct roll *roll, int done, int total) {
    char text[LINE_BYTES];
    (void)snprintf(text, sizeof text, _("counting the work of the references: %d of %d"), done,
                   total);
    line_show(roll, text);
}

// "graded 37 of 150, 12.1 a minute, about 9 min left"
static void progress_text(int done, int earlier, int total, uint64_t elapsed_ms,
                          char text[LINE_BYTES]) {
    char left[PROGRESS_TEXT_MAX];
    int fresh = done - earlier;
    double share = total > earlier ? (double)fresh / (total - earlier) : 1.0;
    int used = snprintf(text, LINE_BYTES, _("graded %d of %d"), done, total);
    if (elapsed_ms >= EARLY_MS && fresh > 0) {
        used += snprintf(text + used, (size_t)(LINE_BYTES - used), _(", %.1f a minute"),
                         60000.0 * fresh / (double)elapsed_ms);
    }
    progress_left(elapsed_ms, share, left);
    if (left[0] != '\0') {
        (void)snprintf(text + used, (size_t)(LINE_BYTES - used), _(", %s"), left);
    }
}

void roll_progress(struct roll *roll, const struct class_progress *progress) {
    char text[LINE_BYTES];
    progress_text(progress->done, progress->earlier, progress->total, progress->elapsed_ms, text);
    if (progress->failed > 0) {
        size_t used = strlen(text);
        (void)snprintf(text + used, sizeof text - used, _(", %d failed"), progress->failed);
    }
    line_show(roll, text);
}

// --- Who ----------------------------------------------------------------------------------------

// "Anna Ek (aek)", or the id alone.
static void student_name(const json_t *row, char text[LINE_BYTES]) {
    const char *name = class_json_text(row, "name");
    const char *id = class_json_text(row, "id");
    char both[LINE_BYTES];
    (void)snprintf(both, sizeof both, "%s", id);
    if (name[0] != '\0' && strcmp(name, id) != 0) {
        (void)snprintf(both, sizeof both, "%.*s (%s)", text_cut(name, NAME_SHOWN), name, id);
    }
    terminal_clean(both, text, LINE_BYTES);
}

// Students of a state, each with a text of its row: "note" or "warning".
static void reasons_print(const struct terminal *terminal, const json_t *students,
                          const char *state, const char *key) {
    const json_t *row = NULL;
    size_t i = 0;
    int named = 0;
    json_array_foreach(students, i, row) {
        char name[LINE_BYTES];
        const char *text = class_json_text(row, key);
        if (strcmp(class_json_text(row, "state"), state) != 0 || text[0] == '\0') {
            continue;
        }
        if (++named > NAMED_MAX) {
            continue;
        }
        student_name(row, name);
        (void)fprintf(terminal->out, "    %s: ", name);
        terminal_hang(terminal, 6, text);
    }
    if (named > NAMED_MAX) {
        (void)fprintf(terminal->out, _("    and %d more\n"), named - NAMED_MAX);
    }
}

// Students of a state on one line, wrapped.
static void names_print(const struct terminal *terminal, const json_t *students,
                        const char *state) {
    char line[NAMED_MAX * 64];
    size_t used = 0;
    const json_t *row = NULL;
    size_t i = 0;
    int named = 0;
    line[0] = '\0';
    json_array_foreach(students, i, row) {
        char name[LINE_BYTES];
        if (strcmp(class_json_text(row, "state"), state) != 0) {
            continue;
        }
        student_name(row, name);
        if (++named <= NAMED_MAX && used + strlen(name) + 3 < sizeof line) {
            used +=
                (size_t)snprintf(line + used, sizeof line - used, named > 1 ? ", %s" : "%s", name);
        }
    }
    if (named > 0) {
        terminal_wrap(terminal, 4, line);
    }
    if (named > NAMED_MAX) {
        (void)fprintf(terminal->out, _("    and %d more\n"), named - NAMED_MAX);
    }
}

static void unmatched_print(const struct terminal *terminal, const json_t *unmatched) {
    const json_t *row = NULL;
    size_t i = 0;
    json_array_foreach(unmatched, i, row) {
        char name[LINE_BYTES];
        if (i < NAMED_MAX) {
            terminal_clean_name(class_json_text(row, "source"), name, sizeof name);
            (void)fprintf(terminal->out, "    %s: ", name);
            terminal_hang(terminal, 6, class_json_text(row, "why"));
        }
    }
    if (i > NAMED_MAX) {
        (void)fprintf(terminal->out, _("    and %d more\n"), (int)i - NAMED_MAX);
    }
}

static void count_print(const struct terminal *terminal, const char *label, int count,
                        const char *what) {
    (void)fprintf(terminal->out, "  ");
    terminal_left(terminal, label, LABEL);
    (void)fprintf(terminal->out, " %5d  %s\n", count, what);
}

void roll_summary(const json_t *book, const struct class_counts *counts, bool names) {
    struct terminal terminal = terminal_of(stdout, "", "");
    const json_t *students = json_object_get(book, "students");
    const struct {
        const char *state, *label, *what;
        int count;
        bool reasons;
    } rows[] = {
        {"graded", _("graded"), "", counts->graded, true},
        {"waiting", _("waiting"), _("not graded yet"), counts->waiting, false},
        {"failed", _("failed"), _("the grader could not do its work; no grade"), counts->failed,
         true},
        {"broken", _("broken"), _("handed in, but it cannot be opened; no grade"), counts->broken,
         true},
        {"empty", _("empty"), _("handed in without a kernel file; no grade"), counts->empty, true},
        {"missing", _("missing"), _("nothing was handed in; no grade"), counts->missing, false},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        if (rows[i].count == 0 && i > 0) {
            continue;
        }
        count_print(&terminal, rows[i].label, rows[i].count, rows[i].what);
        if (names && rows[i].reasons) {
            reasons_print(&terminal, students, rows[i].state, i == 0 ? "warning" : "note");
        } else if (names && i > 1) {
            names_print(&terminal, students, rows[i].state);
        }
    }
    if (counts->unmatched > 0) {
        count_print(&terminal, _("unmatched"), counts->unmatched,
                    _("submissions of no known student"));
        if (names) {
            unmatched_print(&terminal, json_object_get(book, "unmatched"));
        }
    }
}
