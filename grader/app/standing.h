// What a student's commands remember about each exercise: its last verdict and points, in
// build/last/NAME, with the hash of the file that was judged. From these, how far the student is.
// And what the last `make test` said about a kernel, for the commands that go on from there.
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
    // Milli-points that the last grade gave to the file as it was tested; points_max is 0 if that
    // was not graded.
    int64_t points, points_max, points_open;
};

// A record that is missing or unreadable counts as not tested.
struct standing standing_read(const struct places *places, const struct exercise *exercise);

// True if the file as it is now has passed.
bool standing_passed(const struct standing *standing);

// A student's progress in a course.
struct progress_made {
    int passed;   // exercises
    int current;  // the exercise to go on with; -1: every one has passed
};

// The exercise to go on with: of those that were begun and do not pass, the one whose file was
// saved last; if there is none, the first that has not passed, optional ones after all others.
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
    struct size size;  // at which it fails; m = 0: unknown
    uint32_t line;     // of its first finding; 0: none
    uint32_t block[3], thread[3];
    char sha256[65];  // of the file now
};

// The verdict is kept for each exercise.  Where it was found is read from build/test/result.json,
// if the file as it is now was among those tested last.
struct last_test last_test_of(const struct places *places, const struct exercise *exercise);

#endif
