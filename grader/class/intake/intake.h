// A class as a teacher gets it from a learning platform: its students, what each of them handed in,
// and what belongs to none of them.
//
// class_intake recognises the layout, reads the roster and gives each student the submission that
// counts.  class_take then copies a student's kernel files into a folder.  Nothing of a submission
// is run or trusted here: names and files come from outside, links are never followed, and archives
// are opened in the sandbox by tilegrade-unpack.
#ifndef CLASS_INTAKE_INTAKE_H
#define CLASS_INTAKE_INTAKE_H

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
    int64_t received;            // by the roster, else by the platform; MOMENT_NONE: not known
    bool late_mark;              // the platform calls it late, without a time
    char sha256[65];             // over the names and bytes of the copied files; "" unless READY
    const struct source *taken;  // for class_take; NULL: nothing
};

struct class_unmatched {
    char *source;
    char *why;
};

struct class_list {
    enum class_layout layout;
    char *said;  // one line for people: the layout, how many students, what was not recognised
    int student_count;
    struct class_student *student;  // as in the roster; else by id
    int unmatched_count;
    struct class_unmatched *unmatched;
    struct intake *intake;  // what class_take needs
};

// Reads a class.  With a roster, its students are the class, and a submission of anyone else is
// unmatched; without one, each submission makes a student.
//
// Errors   STATUS_BAD_USAGE: neither a folder nor a package, a layout that does not fit, a package
//          that is refused.  STATUS_BAD_DATA: the roster, or a table of the platform.
//          STATUS_SYSTEM, STATUS_NO_MEMORY.
// Owns     the caller frees *ret_list with class_list_free.
enum status class_intake(const struct class_request *request, struct class_list **ret_list,
                         struct error *err);
void class_list_free(struct class_list *list);

// Copies the kernel files of list->student[student] into `folder`, which then has these and
// nothing else; it is replaced as a whole, and only if it differs.  Sets the student's state, note
// and hash.  If the state is not READY afterwards, there is no folder.
//
// Errors   STATUS_SYSTEM, STATUS_NO_MEMORY, STATUS_UNAVAILABLE: trouble of ours.  A submission that
//          cannot be opened is a state.
enum status class_take(struct class_list *list, int student, const char *folder, struct error *err);

// True if this folder, which `grade` got as one submission, looks like a class: it has no kernel
// file of the course, and at least two folders or packages in it have, or its names are those of a
// platform.  folder is open (O_PATH is enough).
// Errors: STATUS_SYSTEM, STATUS_NO_MEMORY.
enum status class_looks_like(int folder, const struct course *course, bool *ret_class,
                             struct error *err);

#endif
