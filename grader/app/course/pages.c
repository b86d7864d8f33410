// The pages that a teacher writes for an exercise.  tools/links.py checks their links.
#include "app/course/pages.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "base/translate.h"
#include "exercise/hints.h"
#include "exercise/stub.h"
#include "judge/model/verdict.h"

#define PLACEHOLDER "FILL IN:"

static int todo_count(const char *stub) {
    int count = 0;
    for (const char *at = stub; (at = strstr(at, "// TODO ")) != NULL; at++) {
        count++;
    }
    return count;
}

// Each TODO needs a hint, and every verdict that a hint names must exist.
static enum status hints_check(const char *path, const char *stub, struct error *err) {
    struct hints hints = {.text = NULL};
    enum status status = hints_read(path, &hints, err);
    if (!status && hints.todo_count != todo_count(stub)) {
        status =
            fail(err, STATUS_BAD_DATA,
                 "%s: TODOs with hints: %d, TODOs of the stub: %d; each needs a question, where "
                 "to look, and pseudocode",
                 path, hints.todo_count, todo_count(stub));
    }
    for (int i = 0; i < hints.count && !status; i++) {
        const struct hint *hint = &hints.list[i];
        for (size_t j = 0; j < COUNT(hint->verdicts) && !status; j++) {
            enum verdict verdict;
            const char *name = hint->verdicts[j];
            if (name[0] != '\0' && !verdict_parse(name, &verdict)) {
                status = fail(err, STATUS_BAD_DATA,
                              "%s:%d: '%s' is not a verdict of lessons/verdicts.md", path,
                              hint->line, name);
            }
        }
    }
    hints_done(&hints);
    return status;
}

static enum status hints_prove(const struct places *places, const struct course *course,
                               const struct exercise *exercise, struct tally *tally,
                               struct error *err) {
    char path[PATH_BYTES_MAX];
    char *stub = NULL;
    struct error why = {.text = ""};
    enum status status = place_make(places, path, err, "%s/hints.md", exercise->lesson);
    if (status) {
        return status;
    }
    bool proven = !stub_of(course, exercise, &stub, &why) && !hints_check(path, stub, &why);
    if (proven) {
        (void)printf(_("ok      %s: hints for every TODO\n"), exercise->name);
    } else {
        (void)printf(_("FAIL    %s: hints\n        %s\n"), exercise->name, why.text);
    }
    tally->passed += proven;
    tally->failed += !proven;
    free(stub);
    return STATUS_OK;
}

// Says nothing of a stub that is in English alone.
static void spoken_prove(const struct course *course, const struct exercise *exercise,
                         struct tally *tally) {
    char *stub = NULL;
    char *spoken = NULL;
    struct error why = {.text = ""};
    if (!stub_of(course, exercise, &stub, &why) &&
        stub_spoken(course, exercise, texts_zh.language, stub, &spoken, &why)) {
        (void)printf(_("FAIL    %s: the stub in Chinese\n        %s\n"), exercise->name, why.text);
        tally->failed++;
    }
    free(spoken);
    free(stub);
}

// Counts the FILL IN marks of `tilegrade new` that are left; *why names the first one.
static int placeholders_count(const char *path, struct error *why) {
    char *text = NULL;
    size_t bytes = 0;
    int count = 0;
    int line = 1;
    if (file_read(path, FILE_BYTES_MAX, &text, &bytes, why)) {
        return 1;
    }
    const char *seen = text;
    for (const char *mark = text; (mark = strstr(mark, PLACEHOLDER)) != NULL; mark++) {
        for (; seen < mark; seen++) {
            line += *seen == '\n';
        }
        if (count++ == 0 && why->text[0] == '\0') {
            (void)fail(why, STATUS_BAD_DATA, "%s:%d: %.*s", path, line, (int)strcspn(mark, "\r\n"),
                       mark);
        }
    }
    free(text);
    return count;
}

enum status course_pages_unfinished(const struct places *places, const struct exercise *exercise,
                                    int *ret_count, struct error *ret_first, struct error *err) {
    static const char *const names[] = {"exercise.ini", "lesson.md", "hints.md"};
    struct error first = {.text = ""};
    char path[PATH_BYTES_MAX];
    int count = 0;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < COUNT(names) && !status; i++) {
        status = place_make(places, path, err, "%s/%s", exercise->lesson, names[i]);
        count += status ? 0 : placeholders_count(path, &first);
    }
    if (!status) {
        status = place_make(places, path, err, "reference/%s.cu", exercise->name);
    }
    if (status) {
        return status;
    }
    *ret_count = count + placeholders_count(path, &first);
    *ret_first = first;
    return STATUS_OK;
}

static enum status placeholders_prove(const struct places *places, const struct exercise *exercise,
                                      struct tally *tally, struct error *err) {
    struct error first;
    int count = 0;
    enum status status = course_pages_unfinished(places, exercise, &count, &first, err);
    if (status) {
        return status;
    }
    if (count == 0) {
        (void)printf(_("ok      %s: no FILL IN is left\n"), exercise->name);
    } else {
        (void)printf(_("FAIL    %s: FILL IN is left in %d places; the first is:\n        %s\n"),
                     exercise->name, count, first.text);
    }
    tally->passed += count == 0;
    tally->failed += count > 0;
    return STATUS_OK;
}

enum status course_pages_prove(const struct places *places, const struct course *course,
                               struct tally *tally, struct error *err) {
    enum status status = STATUS_OK;
    for (int i = 0; i < course->exercise_count && !status; i++) {
        const struct exercise *exercise = &course->exercises[i];
        status = placeholders_prove(places, exercise, tally, err);
        if (!status) {
            status = hints_prove(places, course, exercise, tally, err);
        }
        spoken_prove(course, exercise, tally);
    }
    return status;
}
