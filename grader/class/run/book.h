// class.json: who is in the class, what they handed in, and what became of it.  All reports about a
// class are made from it and from the results.
//
// It is written twice: before the first job, when every job waits, and from the results at the end
// of a run.  So a run on other machines needs no list of names.
#ifndef CLASS_RUN_BOOK_H
#define CLASS_RUN_BOOK_H

#include <jansson.h>

#include "class/intake/intake.h"
#include "class/run/outcome.h"
#include "exercise/assignment.h"

#define BOOK_SCHEMA "tilegrade/class/v1"

struct class_book {
    const struct class_plan *plan;
    const struct class_list *list;
    const struct class_seed *seed;
    const struct course *course;          // narrowed to the assignment
    const struct assignment *assignment;  // NULL: none
    const char *engine;                   // "local", "slurm"
    int jobs;                             // at a time
};

// How many students are in which state.
struct class_counts {
    int students, graded, failed, waiting, missing, empty, broken, unmatched;
    double cpu_seconds;  // of all that are graded
};

// Whether OUT is new, or has this assignment and at least one of these students, by id, login or
// number.  Otherwise the gradebook of another class would be overwritten.
//
// Errors: STATUS_BAD_USAGE: it is that of another class; the message says why, and the remedy.
enum status class_book_check(const char *out, const struct class_choice *choice,
                             const struct class_list *list, struct error *err);

// Writes OUT/class.json with no result yet.
enum status class_book_begin(const char *out, const struct class_book *book, struct error *err);

// Enters the outcomes of all jobs of the plan into OUT/class.json.  `course`: whose points it also
// gets, because they have changed; NULL: they have not.
//
// Errors   STATUS_BAD_DATA: class.json is not there or damaged.  STATUS_SYSTEM, STATUS_NO_MEMORY.
enum status class_book_end(const char *out, const struct class_plan *plan,
                           const struct class_outcome *outcomes, const struct course *course,
                           struct class_counts *ret_counts, struct error *err);

// Reads OUT/class.json with the outcomes entered, without writing it.
// Owns: the caller releases *ret_book.
enum status class_book_read(const char *out, const struct class_plan *plan,
                            const struct class_outcome *outcomes, json_t **ret_book,
                            struct class_counts *ret_counts, struct error *err);

#endif
