// A next step that is always there, so that no run ends with a student who does not know what to
// type.
#include "app/terminal/next.h"

#include "app/standing.h"
#include "app/terminal/parts.h"
#include "base/translate.h"
#include "exercise/exercise.h"

static void page_print(const struct terminal *terminal, const char *name) {
    terminal_label_begin(terminal, _("page"));
    (void)fprintf(terminal->out, _("make show EX=%s   (pictures of what it loads and stores)\n"),
                  name);
}

// The exercise to go on with, and how far the student is.
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
