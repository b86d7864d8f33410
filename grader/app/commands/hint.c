// `tilegrade hint NAME`: one step further each time.  build/hints/NAME records how many steps were
// shown.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/commands/command.h"
#include "app/terminal/terminal.h"
#include "base/file.h"
#include "base/text.h"
#include "base/translate.h"
#include "exercise/hints.h"

static const char *const step_titles[HINT_STEPS] = {N_("a question"), N_("where to look"),
                                                    N_("pseudocode")};

// The steps shown so far; a state file that is not a number counts as none.
static int shown_read(const char *path) {
    char *text = NULL;
    size_t bytes = 0;
    if (file_read(path, 64, &text, &bytes, NULL)) {
        return 0;
    }
    long shown = strtol(text, NULL, 10);
    free(text);
    return shown > 0 && shown < 1000 ? (int)shown : 0;
}

static enum status shown_write(const char *path, int shown, struct error *err) {
    char text[16];
    int length = snprintf(text, sizeof text, "%d\n", shown);
    return file_write(path, text, (size_t)length, err);
}

// Joins the lines of a paragraph and wraps them for a terminal: in the file they are longer.
struct paragraph {
    char text[2000];
    size_t bytes;
};

static void paragraph_end(const struct terminal *terminal, struct paragraph *paragraph) {
    if (paragraph->bytes > 0) {
        terminal_wrap(terminal, 0, paragraph->text);
        paragraph->bytes = 0;
    }
}

static void paragraph_add(const struct terminal *terminal, struct paragraph *paragraph,
                          const char *line, size_t length) {
    if (paragraph->bytes + length + 2 > sizeof paragraph->text) {
        paragraph_end(terminal, paragraph);
    }
    int written =
        snprintf(paragraph->text + paragraph->bytes, sizeof paragraph->text - paragraph->bytes,
                 "%s%.*s", paragraph->bytes > 0 ? " " : "", (int)length, line);
    paragraph->bytes += written > 0 ? (size_t)written : 0;
}

// The text without the marks around its code, which mean nothing on a terminal; code, lists and
// tables stay as they are.
static void text_print(const struct terminal *terminal, const char *text) {
    struct paragraph paragraph = {.bytes = 0};
    bool code = false;
    for (const char *line = text; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        bool mark = text_starts(line, "```");
        if (!mark && !code && length > 0 && length < 200 && !strchr(" *-|", line[0])) {
            paragraph_add(terminal, &paragraph, line, length);
        } else {
            paragraph_end(terminal, &paragraph);
            code = code != mark;
            if (!mark) {
                (void)printf("%.*s\n", (int)length, line);
            }
        }
        line += length + (line[length] == '\n');
    }
    paragraph_end(terminal, &paragraph);
}

static void hint_print(const struct exercise *exercise, int step, int count, const char *text) {
    struct terminal terminal = terminal_of(stdout, "", "");
    terminal_color(&terminal, COLOR_BOLD, "%s, hint %d of %d", exercise->name, step + 1, count);
    (void)printf(_(" (TODO %d: %s)\n\n"), step / HINT_STEPS + 1, _(step_titles[step % HINT_STEPS]));
    text_print(&terminal, text);
    (void)putchar('\n');
    if (step + 1 == count) {
        (void)printf(_("That was the last hint. The lesson is in %s/lesson.md.\n"),
                     exercise->lesson);
    } else if ((step + 1) % HINT_STEPS == 0) {
        (void)printf(_("Next: TODO %d (make hint EX=%s)\n"), step / HINT_STEPS + 2, exercise->name);
    } else {
        (void)printf(_("Next: %s (make hint EX=%s)\n"), _(step_titles[(step + 1) % HINT_STEPS]),
                     exercise->name);
    }
}

static enum status hint_show(const struct app *app, const struct exercise *exercise,
                             struct error *err) {
    char path[PATH_BYTES_MAX];
    char folder[PATH_BYTES_MAX];
    char state[PATH_BYTES_MAX];
    char *text = NULL;
    int count = 0;
    enum status status = place_make(app->places, path, err, "%s/hints.md", exercise->lesson);
    if (!status) {
        status = place_make(app->places, folder, err, "build/hints");
    }
    if (!status) {
        status = path_make(state, err, "%s/%s", folder, exercise->name);
    }
    if (!status) {
        status = hint_read(path, 0, &text, &count, err);
    }
    if (status) {
        return status;
    }
    int step = shown_read(state);
    step = step < count ? step : count - 1;  // the last one stays
    free(text);
    text = NULL;
    status = hint_read(path, step, &text, &count, err);
    if (!status) {
        status = folder_make(folder, err);
    }
    if (!status) {
        status = shown_write(state, step + 1, err);
    }
    if (!status) {
        hint_print(exercise, step, count, text);
    }
    free(text);
    return status;
}

enum status cmd_hint(const struct app *app, enum exit_code *ret_code, struct error *err) {
    *ret_code = EXIT_ALL_WELL;
    return app_each_named(app, hint_show, err);
}
