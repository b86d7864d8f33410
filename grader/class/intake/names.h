// How learning platforms write who handed a file in into its name.  Pure functions.
//
// A part of such a name is chosen by the student: the name of the file, and on some platforms the
// student's own name.  So only the place that the platform controls counts.
#ifndef CLASS_INTAKE_NAMES_H
#define CLASS_INTAKE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#define NAME_PART_BYTES 256  // more than a file name has

struct platform_name {
    char owner[NAME_PART_BYTES];   // "ekanna" of Canvas, "Anna Ek" of Moodle
    char number[NAME_PART_BYTES];  // the platform's id of the student; "": none
    char upload[NAME_PART_BYTES];  // Canvas' id of the file, which grows with time; "": none
    char file[NAME_PART_BYTES];    // the file's own name; "": a folder
    bool late_mark;
};

// Canvas: OWNER[_LATE]_NUMBER_UPLOAD_FILE, or OWNER[_LATE]_NUMBER_text.html, or, if students are
// anonymous, [LATE_]anon_ID_UPLOAD_FILE.  A student can write "_7_8_" into both names around the
// numbers, so there may be several readings: `reading` counts them from 0, from the left.
// Source: lib/content_zipper.rb of Canvas.
bool canvas_name_read(const char *name, int reading, struct platform_name *ret_name);

// Canvas adds "-1" to the name of a file that is uploaded again: "tiled-1.cu" is tiled.cu.  Removes
// it, and returns its number; 0 if there is none.
int canvas_version_cut(char *file);

// A browser adds a number to a file that it saves again, " (1)" or "(1)", and Canvas "-1".  Removes
// it, and returns it; 0 if there is none.
int copy_number_cut(char *file);

// Moodle: OWNER_NUMBER_assignsubmission_KIND, a folder; with FILE after it, "_" between, a file.
// Moodle writes no "_" into OWNER.  Source: mod/assign/classes/downloader.php of Moodle.
bool moodle_name_read(const char *name, struct platform_name *ret_name);

// Blackboard: ASSIGNMENT_OWNER_attempt_DATE_FILE, or ASSIGNMENT_OWNER_attempt_DATE.txt, with the
// date as 2026-11-30-22-10-05 in the time of the server.  ASSIGNMENT and OWNER may hold "_":
// `owner` is all before "_attempt_", and `upload` is the date as a number, 20261130221005.
bool blackboard_name_read(const char *name, struct platform_name *ret_name);

// The bytes of a package's name without .zip, .tar.gz and the like; all of another name.
size_t package_stem(const char *name);

#endif
