// Checks the pages of a course: every TODO has its three hints, and no FILL IN is left.
#ifndef APP_COURSE_PAGES_H
#define APP_COURSE_PAGES_H

#include "app/paths.h"
#include "exercise/exercise.h"

// What check-course has checked so far.
struct tally {
    int passed;
    int failed;
    int skipped;
    enum status trouble;  // ours, not the course's
    bool bad_data;        // an exercise.ini or expected.c is wrong
};

// Counts the FILL IN marks of `new` that are left in an exercise.  *ret_first names the first one,
// by path and line; "" if there is none.  A file that cannot be read counts as one.
enum status course_pages_unfinished(const struct places *places, const struct exercise *exercise,
                                    int *ret_count, struct error *ret_first, struct error *err);

// Prints and counts two lines for each exercise: the FILL IN marks that are left, and its hints.
enum status course_pages_prove(const struct places *places, const struct course *course,
                               struct tally *tally, struct error *err);

#endif
