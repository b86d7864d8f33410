// The record of each exercise for a student's commands: its last verdict and points, in
// build/last/NAME, with the hash of the judged file.  They give the student's progress.  Also the
// result of the last `make test` for a kernel, for the commands that build on it.
#ifndef APP_STANDING_H
#define APP_STANDING_H

#include <stdbool.h>
#include <stdint.h>

#include "app/paths.h"
#include "base/size.h"
#include "exercise/exercise.h"
#include "judge/model/judgement.h"
#include "judge/model/verdict.h"

struct course;

struct standing {
    bool known;  // it was tested
    bool stale;  // its file has changed since then
    enum verdict verdict;
    // Milli-points that the last grade gave to the tested file; points_max is 0 if it was not
    // graded.
    int64_t points, points_max, points_open;
};

// A record that is missing or unreadable counts as not tested.
struct standing standing_read(const struct places *places, const struct exercise *exercise);

// True if the present file has passed.
bool standing_passed(const struct standing *standing);

// A student's progress in a course.
struct progress_made {
    int passed;   // exercises
    int current;  // the exercise to continue with; -1: all have passed
};

// The exercise to continue with: among those begun but not passing, the one whose file was saved
// last; if there is none, the first that has not passed, with optional exercises after all others.
struct progress_made progress_made(const struct places *places, const struct course *course);

// Keeps each verdict of a judgement, and the points if it is a grade, so that a later test of one
// exercise does not affect the others.
enum status standing_keep(const struct places *places, const struct judgement *judgement,
                          struct error *err);

// Forgets the verdict of an exercise.
enum status standing_forget(const struct places *places, const char *name, struct error *err);

struct last_test {
    bool known;  // it was tested
    bool stale;  // its file has changed since then
    enum verdict verdict;
    struct size size;  // the size at which it fails; m = 0: unknown
    uint32_t line;     // of its first finding; 0: none
    uint32_t block[3], thread[3];
    char sha256[65];  // of the present file
};

// The verdict is stored for each exercise.  Its line and size are read from build/test/result.json,
// if the present file was among those tested last.
struct last_test last_test_of(const struct places *places, const struct exercise *exercise);

#endif
