// The list of a class: a table with one student a row.
//
// The header names the columns; only `id` is needed:
//
//   id, name, mail, section, canvas_id, sis_user_id, sis_login_id, moodle_id, username, github,
//   extension_days (whole days), received (2026-11-30T22:10:00+01:00)
//
// Tables that learning platforms export are taken as they are: their names for the same columns are
// known, and without an id the first of sis_login_id, username, sis_user_id, mail, canvas_id and
// github serves as one; without any of these columns the name.
#ifndef CLASS_INTAKE_ROSTER_H
#define CLASS_INTAKE_ROSTER_H

#include "class/intake/person.h"

#define ROSTER_UNUSED_BYTES 200

struct roster {
    int count;
    struct person *person;             // in the order of the file
    char unused[ROSTER_UNUSED_BYTES];  // columns that mean nothing here: "a, b and 3 more"; or ""
    bool is_canvas;                    // a gradebook that Canvas exported
    int grade_count;
    char **grade;  // its columns for assignments, "Homework 1 (77)", and for other grades
};

// Errors   those of csv_read; STATUS_BAD_DATA with the line: no column for an id, two columns for
//          the same thing, an id that cannot be one or that two rows share, a number or a time that
//          is none.
// Owns     the caller frees with roster_done.
enum status roster_read(const char *path, struct roster *ret_roster, struct error *err);
void roster_done(struct roster *roster);

#endif
