// A class as it was handed in, as data: its students, and what belongs to none of them.
#ifndef CLASS_INTAKE_STUDENTS_H
#define CLASS_INTAKE_STUDENTS_H

#include <stdbool.h>

#include "class/intake/person.h"
#include "exercise/exercise.h"
#include "sandbox/sandbox.h"

// X(enumerator, name for --layout)
#define CLASS_LAYOUTS(X)                                                                           \
    X(LAYOUT_AUTO, "auto")             /* whichever the names fit */                               \
    X(LAYOUT_FOLDERS, "folders")       /* a folder or a package for each student */                \
    X(LAYOUT_CANVAS, "canvas")         /* ekanna_12345_67890_naive.cu */                           \
    X(LAYOUT_MOODLE, "moodle")         /* Anna Ek_123_assignsubmission_file_ */                    \
    X(LAYOUT_BLACKBOARD, "blackboard") /* Homework 1_aek_attempt_2026-11-30-22-10-05_naive.cu */   \
    X(LAYOUT_GRADESCOPE, "gradescope") /* submission_metadata.yml, submission_123 */               \
    X(LAYOUT_CLASSROOM, "classroom")   /* hw1-login, a clone with .git */

#define CLASS_LAYOUT_ENUMERATOR(enumerator, name) enumerator,
enum class_layout { CLASS_LAYOUTS(CLASS_LAYOUT_ENUMERATOR) LAYOUT_COUNT };
#undef CLASS_LAYOUT_ENUMERATOR
const char *class_layout_name(enum class_layout layout);  // "auto" …

// What a student handed in.
enum class_state {
    CLASS_READY,    // kernel files to be judged
    CLASS_MISSING,  // nothing
    CLASS_EMPTY,    // something, but no kernel file
    CLASS_BROKEN,   // it cannot be opened, or which of two counts is not known
};
const char *class_state_name(enum class_state state);  // "ready", "missing", "empty", "broken"

struct class_request {
    const char *submissions;      // a folder, or one package of all
    const char *roster;           // a CSV file (class/intake/roster.h); NULL: none
    enum class_layout layout;     // LAYOUT_AUTO: found by itself
    const struct course *course;  // its exercises are looked for
    const char *title;            // of the assignment; NULL: it has none
    const char *programs;         // the folder with tilegrade-unpack
    const struct sandbox *sandbox;
};

struct source;

struct class_student {
    struct person person;        // without a roster: what the layout tells
    bool in_roster;              // false if there is no roster
    enum class_state state;      // READY, EMPTY and BROKEN are known after class_take
    char *source;                // what counts, as people know it; NULL: nothing was handed in
    int tries;                   // how many times something was handed in, as far as is seen
    char *note;                  // NULL, or which try counts, what was found, why it is broken
    char *warning;               // NULL, or what to see before the points are imported
    int64_t received;            // by the roster, else by the platform; MOMENT_NONE: not known
    bool late_mark;              // the platform calls it late, without a time
    const struct source *taken;  // for class_take; NULL: nothing
};

struct class_unmatched {
    char *source;
    char *why;
};

struct class_list {
    enum class_layout layout;
    char *said;  // one line for people: the layout, how many students, what was not recognised
    const char *column;  // of Canvas' gradebook for this assignment, "Homework 1 (77)"; or NULL
    int student_count;
    struct class_student *student;  // as in the roster; else by id
    int unmatched_count;
    struct class_unmatched *unmatched;
    struct intake *intake;  // what class_take needs
};

#endif
