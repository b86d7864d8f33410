// `tilegrade list`: the exercises in order, each with the result of its last whole `make test`, and
// whether the file has changed since then.
//
// `tilegrade next`: the exercise where the student left off, and what to read and edit for it.
//
// `tilegrade hint NAME`: one step further each time, first about the last test's result for the
// file, then about the open TODOs.  build/hints/NAME records how many steps of each hint were
// shown.
//
// `tilegrade reset NAME`: writes the stub again.  The old file is kept as name.cu.1, name.cu.2 …
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/commands/commands.h"
#include "app/standing.h"
#include "app/terminal/terminal.h"
#include "app/terminal/terminal_text.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/words.h"
#include "exercise/hints.h"
#include "exercise/stub.h"

#define STATE_BYTES_MAX 128

// The facts about an exercise.
struct last_verdict {
    struct standing standing;
    char text[STATE_BYTES_MAX];  // as shown
    char points[POINTS_OF_BYTES];
};

static struct last_verdict last_read(const struct app *app, const struct exercise *exercise) {
    struct last_verdict last = {.standing = standing_read(app->places, exercise)};
    (void)snprintf(last.text, sizeof last.text, last.standing.stale ? _("%s, changed since") : "%s",
                   last.standing.known ? verdict_title(last.standing.verdict) : _("not tried yet"));
    return last;
}

static enum color color_of(const struct last_verdict *last) {
    if (!last->standing.known || last->standing.stale) {
        return COLOR_DIM;
    }
    return terminal_verdict_color(last->standing.verdict);
}

// "30 of 40", for a file that has not changed since it was graded; else "".
static void points_text(const struct standing *standing, char text[POINTS_OF_BYTES]) {
    text[0] = '\0';
    if (!standing->stale && standing->points_max > 0) {
        points_of_format(standing->points, standing->points_max, standing->points_open, text);
    }
}

// The student's progress: passing kernels and points.
static void total_print(const struct course *course, const struct last_verdict *last) {
    char points[POINTS_OF_BYTES];
    struct standing sum = {.points = 0};
    int passed = 0;
    bool graded = false;
    for (int i = 0; i < course->exercise_count; i++) {
        const struct standing *standing = &last[i].standing;
        passed += standing_passed(standing);
        graded |= !standing->stale && standing->points_max > 0;
        sum.points += standing->stale ? 0 : standing->points;
        sum.points_open += standing->stale ? 0 : standing->points_open;
        bool counts = !course->exercises[i].is_optional || standing->points_max > 0;
        sum.points_max += counts ? course->exercises[i].points_max : 0;
    }
    points_of_format(sum.points, sum.points_max, sum.points_open, points);
    if (graded) {
        (void)printf(_("\n  %d of %d pass; points so far: %s\n"), passed, course->exercise_count,
                     points);
    } else {
        (void)printf(_("\n  %d of %d pass\n"), passed, course->exercise_count);
    }
}

enum status cmd_list(const struct app *app, enum exit_code *ret_code, struct error *err) {
    (void)err;
    struct terminal terminal = terminal_of(stdout, "", "");
    struct progress_made made = progress_made(app->places, app->whole);
    struct last_verdict last[EXERCISES_MAX];
    int width = 0;
    int points_width = 0;
    for (int i = 0; i < app->course->exercise_count; i++) {
        last[i] = last_read(app, &app->course->exercises[i]);
        points_text(&last[i].standing, last[i].points);
        int columns = terminal_columns(last[i].text, strlen(last[i].text));
        width = columns > width ? columns : width;
        columns = terminal_columns(last[i].points, strlen(last[i].points));
        points_width = columns > points_width ? columns : points_width;
    }
    if (app->assignment && app->assignment->due != MOMENT_NONE) {
        (void)printf(_("  %s, due %s\n"), app->assignment->title, app->assignment->due_text);
    } else if (app->assignment) {
        (void)printf("  %s\n", app->assignment->title);
    }
    for (int i = 0; i < app->course->exercise_count; i++) {
        const struct exercise *exercise = &app->course->exercises[i];
        const char *text = last[i].text;
        bool current = made.current >= 0 &&
                       strcmp(app->whole->exercises[made.current].name, exercise->name) == 0;
        (void)printf("%s %0*d  %-16s ", current ? ">" : " ", exercise_digits(exercise),
                     exercise->number, exercise->name);
        terminal_color(&terminal, color_of(&last[i]), "%s%*s", text,
                       width - terminal_columns(text, strlen(text)), "");
        (void)fputs("  ", stdout);
        if (points_width > 0) {
            terminal_left(&terminal, last[i].points, points_width + 2);
        }
        (void)printf(exercise->is_optional ? _("%s (optional)\n") : "%s\n",
                     exercise_title(exercise));
    }
    if (!app->options->exercise) {
        total_print(app->course, last);
    }
    *ret_code = EXIT_ALL_WELL;
    return STATUS_OK;
}

enum status cmd_next(const struct app *app, enum exit_code *ret_code, struct error *err) {
    struct terminal terminal = terminal_of(stdout, "", "");
    struct progress_made made = progress_made(app->places, app->whole);
    (void)err;
    *ret_code = EXIT_ALL_WELL;
    if (made.current < 0) {
        terminal_wrap(&terminal, 0,
                      _("Every exercise passes. `make grade` tells the points, with speed."));
        return STATUS_OK;
    }
    char page[PATH_BYTES_MAX];
    const struct exercise *exercise = &app->whole->exercises[made.current];
    terminal_color(&terminal, COLOR_BOLD, "%s", exercise_title(exercise));
    (void)printf(_("  (%d of %d pass)\n"), made.passed, app->whole->exercise_count);
    page_in_language(app->places->root, page, "%s/lesson.md", exercise->lesson);
    (void)printf(_("  read    %s\n"), page);
    (void)printf(_("  edit    student/%s.cu\n"), exercise->name);
    (void)printf(_("  then    make watch   (judges each save; make test EX=%s judges once)\n"),
                 exercise->name);
    return STATUS_OK;
}

#define TOPIC_BYTES 32
#define SEEN_MAX    64
#define SEEN_BYTES  8192

static const char *const step_titles[HINT_STEPS] = {N_("a question"), N_("where to look"),
                                                    N_("pseudocode")};
static const char *const page_titles[HINT_STEPS] = {N_("what it means"), N_("what to try"), ""};

// How many steps of each hint were shown.
struct hint_seen {
    int count;
    struct {
        char topic[TOPIC_BYTES];  // "2" for TODO 2, "race" for a verdict
        int steps;
    } list[SEEN_MAX];
    char sha256[65];  // of the file whose verdict a hint was shown for
};

// One exercise, its hints, and the student's progress.
struct hinting {
    const struct exercise *exercise;
    struct last_test last;
    struct hints hints;
    struct hints page;         // the section of verdicts.md, if the hints do not cover the verdict
    const struct hint *about;  // the hint for the last verdict; NULL: there is none
    int open[TODOS_MAX];       // TODOs not begun
    int open_count;
    int wrong;  // the TODO at the line of the finding; 0: unknown
    char state[PATH_BYTES_MAX];
    struct hint_seen seen;
};

static int *seen_steps(struct hint_seen *seen, const char *topic) {
    int i = 0;
    while (i < seen->count && strcmp(seen->list[i].topic, topic) != 0) {
        i++;
    }
    if (i == SEEN_MAX) {
        i = 0;  // only an edited file has this many
    } else if (i == seen->count) {
        seen->count++;
        seen->list[i].steps = 0;
    }
    (void)snprintf(seen->list[i].topic, TOPIC_BYTES, "%s", topic);
    return &seen->list[i].steps;
}

// A state file that cannot be read counts as none.
static void seen_read(const char *path, struct hint_seen *seen) {
    char *text = NULL;
    size_t bytes = 0;
    if (file_read(path, SEEN_BYTES, &text, &bytes, NULL)) {
        return;
    }
    const char *rest = text;
    const char *line;
    while ((line = text_line(&rest, &bytes)) != NULL) {
        char topic[TOPIC_BYTES];
        int steps = 0;
        if (sscanf(line, "%31s %d", topic, &steps) == 2 && steps > 0 && steps <= HINT_STEPS) {
            *seen_steps(seen, topic) = steps;
        } else if (text_starts(line, "file ")) {
            (void)sscanf(line, "file %64s", seen->sha256);
        }
    }
    free(text);
}

static enum status seen_write(const char *path, const struct hint_seen *seen, struct error *err) {
    char text[SEEN_BYTES];
    int used = snprintf(text, sizeof text, "file %s\n", seen->sha256);
    for (int i = 0; i < seen->count; i++) {
        used += snprintf(text + used, sizeof text - (size_t)used, "%s %d\n", seen->list[i].topic,
                         seen->list[i].steps);
    }
    return file_write(path, text, (size_t)used, err);
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
    paragraph->text[paragraph->bytes] = '\0';
    bool joins = paragraph->bytes == 0 || terminal_joins(paragraph->text, line);
    int written =
        snprintf(paragraph->text + paragraph->bytes, sizeof paragraph->text - paragraph->bytes,
                 "%s%.*s", joins ? "" : " ", (int)length, line);
    paragraph->bytes += written > 0 ? (size_t)written : 0;
}

// The text without the marks around its code, which are useless on a terminal; code, lists and
// tables are unchanged.
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

static void topic_of(const struct hint *hint, char topic[TOPIC_BYTES]) {
    if (hint->todo > 0) {
        (void)snprintf(topic, TOPIC_BYTES, "%d", hint->todo);
    } else {
        (void)snprintf(topic, TOPIC_BYTES, "%s", hint->verdicts[0]);
    }
}

static void step_print(const struct hinting *hinting, const struct hint *hint, int step) {
    struct terminal terminal = terminal_of(stdout, "", "");
    bool from_page = hint == hinting->page.list;
    const char *name = _(from_page ? page_titles[step] : step_titles[step]);
    if (hint->todo > 0) {
        terminal_color(&terminal, COLOR_BOLD, "%s, TODO %d: %s", hinting->exercise->name,
                       hint->todo, hint->title);
    } else {
        terminal_color(&terminal, COLOR_BOLD, "%s, %s%s%s", hinting->exercise->name,
                       verdict_title(hinting->last.verdict), hint->title[0] != '\0' ? ": " : "",
                       hint->title);
    }
    (void)printf(_(" (%s, %d of %d)\n\n"), name, step + 1, hint->step_count);
    text_print(&terminal, hint->steps[step]);
    (void)putchar('\n');
}

// The next step of a hint; -1 after the last one.  If the file was changed and still gets the
// verdict, a step is shown again, even if all were shown.
static int step_next(struct hinting *hinting, const struct hint *hint) {
    char topic[TOPIC_BYTES];
    if (!hint) {
        return -1;
    }
    topic_of(hint, topic);
    int steps = *seen_steps(&hinting->seen, topic);
    if (hint->todo == 0 && strcmp(hinting->seen.sha256, hinting->last.sha256) != 0) {
        return steps < hint->step_count ? steps : hint->step_count - 1;
    }
    return steps < hint->step_count ? steps : -1;
}

static void step_note(struct hinting *hinting, const struct hint *hint, int step) {
    char topic[TOPIC_BYTES];
    topic_of(hint, topic);
    *seen_steps(&hinting->seen, topic) = step + 1;
    if (hint->todo == 0) {
        memcpy(hinting->seen.sha256, hinting->last.sha256, sizeof hinting->seen.sha256);
    }
}

// The hint to continue: first the one about the verdict if it names a line, then about the TODO at
// that line, about open TODOs, and about a verdict without a line.  NULL if all their steps were
// shown.
static const struct hint *hint_next(struct hinting *hinting) {
    const struct hint *order[TODOS_MAX + 3];
    int count = 0;
    if (hinting->last.line > 0 || hinting->open_count == 0) {
        order[count++] = hinting->about;
        order[count++] = hint_of_todo(&hinting->hints, hinting->wrong);
    }
    for (int i = 0; i < hinting->open_count; i++) {
        order[count++] = hint_of_todo(&hinting->hints, hinting->open[i]);
    }
    order[count++] = hinting->about;
    for (int i = 0; i < count; i++) {
        if (step_next(hinting, order[i]) >= 0) {
            return order[i];
        }
    }
    return NULL;
}

static void sentence_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void sentence_print(const char *format, ...) {
    struct terminal terminal = terminal_of(stdout, "", "");
    char text[ERROR_TEXT_MAX];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    terminal_wrap(&terminal, 0, text);
}

// What to do if no hint is left.
static void end_print(const struct app *app, const struct hinting *hinting) {
    char page[PATH_BYTES_MAX];
    bool keys = terminal_of(stdout, "", "").keys;
    const char *name = hinting->exercise->name;
    const struct last_test *last = &hinting->last;
    bool current = last->known && !last->stale;
    if (hinting->open_count == 0 && current && last->verdict == VERDICT_PASS) {
        sentence_print(_("%s passes: there is nothing left to hint at. `make grade EX=%s` compares "
                         "its work with the reference's."),
                       name, name);
        if (answer_is_open(app)) {
            sentence_print(_("`make practice answer EX=%s` shows a model answer next to yours."),
                           name);
        }
    } else if (hinting->open_count == 0 && !current) {
        sentence_print(keys ? _("You have written lines at all TODOs of %s. Save the file: the "
                                "next hint is about what is found.")
                            : _("You have written lines at all TODOs of %s. `make test EX=%s` "
                                "tries them, and the next hint is about what it says."),
                       name, name);
    } else {
        page_in_language(app->places->root, page, "%s/lesson.md", hinting->exercise->lesson);
        sentence_print(_("That was the last hint for now. The lesson is in %s."), page);
    }
    if (!keys) {
        sentence_print(_("Again: make hint EX=%s N=1 (those of TODO 1), N=0 (from the start)"),
                       name);
    } else if (hinting->seen.count > 0) {
        sentence_print(_("The key h begins again with the first hint."));
    }
}

static void hint_go_on(const struct app *app, struct hinting *hinting) {
    bool keys = terminal_of(stdout, "", "").keys;
    const struct hint *hint = hint_next(hinting);
    if (!hint && keys) {  // a key has no N=0
        hinting->seen = (struct hint_seen){.count = 0};
        hint = hint_next(hinting);
    }
    if (!hint) {
        end_print(app, hinting);
        return;
    }
    int step = step_next(hinting, hint);
    step_print(hinting, hint, step);
    step_note(hinting, hint, step);
    if (!hint_next(hinting)) {
        end_print(app, hinting);
    } else if (!keys) {
        (void)printf(_("Next: make hint EX=%s\n"), hinting->exercise->name);
    }
}

// N=2: the shown steps of TODO 2, and one more; N=race: the same for a verdict.
static enum status hint_again(struct hinting *hinting, const char *asked, struct error *err) {
    const struct hint *hint = isdigit((unsigned char)asked[0])
                                  ? hint_of_todo(&hinting->hints, (int)strtol(asked, NULL, 10))
                                  : hint_of_verdict(&hinting->hints, asked);
    char topic[TOPIC_BYTES];
    if (!hint) {
        return fail(err, STATUS_BAD_USAGE,
                    "%s has no hint '%.40s': N=1 to N=%d name a TODO, N=race a verdict, and N=0 "
                    "starts again",
                    hinting->exercise->name, asked, hinting->hints.todo_count);
    }
    topic_of(hint, topic);
    int shown = *seen_steps(&hinting->seen, topic);
    int last = shown < hint->step_count ? shown : hint->step_count - 1;
    if (hint->todo == 0) {
        (void)verdict_parse(asked, &hinting->last.verdict);  // for the heading
    }
    for (int step = 0; step <= last; step++) {
        step_print(hinting, hint, step);
    }
    step_note(hinting, hint, last);
    return STATUS_OK;
}

// Lists the open or wrong parts of the student's file.
static enum status work_look(const struct app *app, struct hinting *hinting, struct error *err) {
    char path[PATH_BYTES_MAX];
    char *stub = NULL;
    char *text = NULL;
    size_t bytes = 0;
    enum status status = stub_of(app->course, hinting->exercise, &stub, err);
    if (!status) {
        status = place_make(app->places, path, err, "student/%s.cu", hinting->exercise->name);
    }
    if (!status) {
        bool readable = !file_read(path, SOURCE_BYTES_MAX, &text, &bytes, NULL);
        const char *now = readable ? text : stub;
        hinting->open_count = todo_open(stub, now, hinting->open);
        hinting->wrong = todo_at(now, (int)hinting->last.line);
    }
    free(stub);
    free(text);
    return status;
}

// The hint for the verdict of the last test, if the file is still the one that was tested.
static enum status about_find(const struct app *app, struct hinting *hinting, struct error *err) {
    struct last_test *last = &hinting->last;
    char path[PATH_BYTES_MAX];
    bool fails = last->known && !last->stale && last->verdict != VERDICT_PASS &&
                 last->verdict != VERDICT_NOT_STARTED && last->verdict != VERDICT_MISSING;
    if (!fails) {
        last->line = 0;
        return STATUS_OK;
    }
    const char *name = verdict_name(last->verdict);
    hinting->about = hint_of_verdict(&hinting->hints, name);
    if (hinting->about) {
        return STATUS_OK;
    }
    char page[PATH_BYTES_MAX];
    page_in_language(app->places->root, page, "lessons/verdicts.md");
    enum status status = place_make(app->places, path, err, "%s", page);
    if (!status) {
        status = hints_of_page(path, name, &hinting->page, err);
    }
    if (!status && hinting->page.count > 0) {
        hinting->about = &hinting->page.list[0];
    }
    return status;
}

static enum status hinting_open(const struct app *app, struct hinting *hinting, struct error *err) {
    char path[PATH_BYTES_MAX];
    char page[PATH_BYTES_MAX];
    enum status status = place_make(app->places, path, err, "build/hints");
    if (!status) {
        status = folder_make(path, err);
    }
    if (!status) {
        status = path_make(hinting->state, err, "%s/%s", path, hinting->exercise->name);
    }
    if (!status) {
        page_in_language(app->places->root, page, "%s/hints.md", hinting->exercise->lesson);
        status = place_make(app->places, path, err, "%s", page);
    }
    if (!status) {
        status = hints_read(path, &hinting->hints, err);
    }
    if (!status) {
        hinting->last = last_test_of(app->places, hinting->exercise);
        status = about_find(app, hinting, err);
    }
    if (!status) {
        status = work_look(app, hinting, err);
    }
    return status;
}

static enum status hint_show(const struct app *app, const struct exercise *exercise,
                             struct error *err) {
    const char *asked = app->options->hint;
    bool restart = asked && strcmp(asked, "0") == 0;
    struct hinting *hinting = xcalloc(1, sizeof *hinting);
    hinting->exercise = exercise;
    enum status status = hinting_open(app, hinting, err);
    if (!status) {
        if (!restart) {
            seen_read(hinting->state, &hinting->seen);
        }
        if (asked && !restart) {
            status = hint_again(hinting, asked, err);
        } else {
            hint_go_on(app, hinting);
        }
    }
    if (!status) {
        status = seen_write(hinting->state, &hinting->seen, err);
    }
    hints_done(&hinting->hints);
    hints_done(&hinting->page);
    free(hinting);
    return status;
}

enum status cmd_hint(const struct app *app, enum exit_code *ret_code, struct error *err) {
    *ret_code = EXIT_ALL_WELL;
    return app_each_named(app, hint_show, err);
}

#define KEPT_MAX 1000

// Links rather than renames: link never replaces a kept file, and the work has a name at all times.
static enum status old_keep(const char *path, char kept[PATH_BYTES_MAX], struct error *err) {
    for (int i = 1; i <= KEPT_MAX; i++) {
        enum status status = path_make(kept, err, "%s.%d", path, i);
        if (status) {
            return status;
        }
        if (link(path, kept) == 0) {
            return STATUS_OK;
        }
        if (errno == ENOENT) {
            kept[0] = '\0';
            return STATUS_OK;
        }
        if (errno != EEXIST) {
            return fail_errno(err, STATUS_SYSTEM, "%s: cannot be renamed to %s", path, kept);
        }
    }
    return fail(err, STATUS_SYSTEM, "%s: there are already %d old files; remove some", path,
                KEPT_MAX);
}

// True if the file is the stub, to the last byte.
static bool is_stub(const char *path, const char *stub) {
    char *text = NULL;
    size_t bytes = 0;
    bool same = !file_read(path, FILE_BYTES_MAX, &text, &bytes, NULL) && bytes == strlen(stub) &&
                memcmp(text, stub, bytes) == 0;
    free(text);
    return same;
}

// The last verdict, for `list`, and the hints seen belong to the old file.
static enum status memory_drop(const struct app *app, const char *name, struct error *err) {
    char path[PATH_BYTES_MAX];
    enum status status = standing_forget(app->places, name, err);
    if (!status) {
        status = place_make(app->places, path, err, "build/hints/%s", name);
    }
    if (!status && unlink(path) != 0 && errno != ENOENT) {
        status = fail_errno(err, STATUS_SYSTEM, "%s", path);
    }
    return status;
}

static enum status exercise_reset(const struct app *app, const struct exercise *exercise,
                                  struct error *err) {
    char path[PATH_BYTES_MAX];
    char kept[PATH_BYTES_MAX];
    char *stub = NULL;
    char *english = NULL;
    bool untouched = false;
    enum status status = place_make(app->places, path, err, "student/%s.cu", exercise->name);
    if (!status) {
        status = stub_in_language(app->course, exercise, &stub, err);
    }
    if (!status) {
        status = stub_of(app->course, exercise, &english, err);
    }
    if (!status) {
        untouched = is_stub(path, stub);
        kept[0] = '\0';
    }
    if (!status && !untouched && !is_stub(path, english)) {
        status = old_keep(path, kept, err);
    }
    if (!status && !untouched) {
        status = file_write(path, stub, strlen(stub), err);
    }
    if (!status) {
        status = memory_drop(app, exercise->name, err);
    }
    if (!status) {
        if (untouched) {
            (void)printf(_("%s: already the stub\n"), path);
        } else if (kept[0] == '\0') {
            (void)printf(_("%s: stub written\n"), path);
        } else {
            (void)printf(_("%s: now the stub again; your file is kept as %s\n"), path, kept);
        }
    }
    free(english);
    free(stub);
    return status;
}

enum status cmd_reset(const struct app *app, enum exit_code *ret_code, struct error *err) {
    *ret_code = EXIT_ALL_WELL;
    return app_each_named(app, exercise_reset, err);
}
