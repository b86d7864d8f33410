// A small class in a scratch folder, read and told as text.
#ifndef TESTS_UNIT_CLASS_RIG_H
#define TESTS_UNIT_CLASS_RIG_H

#include "class/intake/intake.h"

#include <fcntl.h>
#include <unistd.h>

#include "class/intake/listing.h"
#include "build_folder.h"
#include "scratch.h"
#include "suite.h"

static struct scratch scratch;
static char text[8000];  // of the class that was read last
static struct course course = {.exercise_count = 2,
                               .exercises = {{.name = "naive"}, {.name = "tiled"}}};

static inline void begin(void) {
    scratch = scratch_make();
}

static inline void end(void) {
    scratch_remove(&scratch);
}

static inline const char *inside(const char *name) {
    static char path[PATH_BYTES_MAX];
    ck_assert_int_eq(path_make(path, NULL, "%s/%s", scratch.folder, name), STATUS_OK);
    return path;
}

static inline void put(const char *name, const char *content) {
    char path[PATH_BYTES_MAX];
    scratch_write(&scratch, name, content, path);
}

static inline void folder(const char *name) {
    ck_assert_int_eq(folder_make(inside(name), NULL), STATUS_OK);
}

static inline void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static inline void say(const char *format, ...) {
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text + used, sizeof text - used, format, arguments);
    va_end(arguments);
}

// The files that class_take has copied: "naive.cu=a", a link as "tiled.cu->".
static inline void copied_say(void) {
    struct listing listing;
    if (listing_read(AT_FDCWD, inside("out"), &listing, NULL)) {
        return;
    }
    for (int i = 0; i < listing.count; i++) {
        char path[PATH_BYTES_MAX];
        char *content = NULL;
        size_t bytes = 0;
        ck_assert_int_eq(path_make(path, NULL, "%s/%s", inside("out"), listing.entry[i].name),
                         STATUS_OK);
        if (listing.entry[i].kind == ENTRY_LINK) {
            say(" %s->", listing.entry[i].name);
        } else {
            ck_assert_int_eq(entry_read(AT_FDCWD, path, 1000, &content, &bytes, NULL), STATUS_OK);
            say(" %s=%s", listing.entry[i].name, content);
        }
        free(content);
    }
    listing_done(&listing);
}

// Reads the class in scratch/in: a line "id: state files (source; note)" for each student, then one
// for each thing that is unmatched.
static inline void read_class(const char *name, const char *roster, enum class_layout layout) {
    struct class_list *list = NULL;
    struct error err = {.text = ""};
    char submissions[PATH_BYTES_MAX];
    char rows[PATH_BYTES_MAX];
    memcpy(submissions, inside(name), sizeof submissions);
    if (roster) {
        put("roster.csv", roster);
        memcpy(rows, inside("roster.csv"), sizeof rows);
    }
    struct class_request request = {.submissions = submissions,
                                    .roster = roster ? rows : NULL,
                                    .layout = layout,
                                    .course = &course,
                                    .programs = build_folder()};
    text[0] = '\0';
    if (class_intake(&request, &list, &err)) {
        say("%s", err.text + (strncmp(err.text, submissions, strlen(submissions)) == 0
                                  ? strlen(submissions) + 2
                                  : 0));
        return;
    }
    say("%s\n", class_layout_name(list->layout));
    for (int i = 0; i < list->student_count; i++) {
        struct class_student *student = &list->student[i];
        ck_assert_int_eq(class_take(list, i, inside("out"), &err), STATUS_OK);
        say("%s: %s", student->person.id, class_state_name(student->state));
        copied_say();
        if (student->note) {
            say(" (%s)", student->note);
        }
        if (student->warning) {
            say(" !%s", student->warning);
        }
        if (student->tries > 1 || student->late_mark || student->received != MOMENT_NONE) {
            say(" tries=%d late=%d received=%lld", student->tries, student->late_mark,
                student->received == MOMENT_NONE ? -1 : (long long)student->received);
        }
        say("\n");
    }
    for (int i = 0; i < list->unmatched_count; i++) {
        say("? %s: %s\n", list->unmatched[i].source, list->unmatched[i].why);
    }
    class_list_free(list);
}

#endif
