// `tilegrade next`: where the student left off, and what to read and edit there.
#include <stdio.h>

#include "app/commands/command.h"
#include "app/standing.h"
#include "app/terminal/terminal.h"
#include "base/translate.h"

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
