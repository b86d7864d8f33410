// Decides when the counted work does not show how fast a kernel is. Its speed points are then left
// open.  Loads and stores alone do not determine speed: a GPU also needs enough warps, registers
// for the values of a thread, and time for barriers and instructions
// (decisions/0026-counted-speed.md).  The judge's side of measure/estimate.h is here too.
#ifndef JUDGE_SPEED_WHY_OPEN_H
#define JUDGE_SPEED_WHY_OPEN_H

#include "exercise/exercise.h"
#include "judge/diagnose/exercise_run.h"
#include "judge/speed/estimated.h"
#include "judge/speed/reference.h"

struct exercise_result;

// The share of the points that a second opinion must confirm: no kernel of tests/speed that earns
// its points on a GPU is below it.
#define WHY_OPEN_SURE 0.7
#define WHY_OPEN_LESS 0.3  // of all points: a smaller difference is left to the counted ratio

// Of student and reference, at each timed size.
struct why_open_plans {
    struct planned_launch student[EXERCISE_TIMED_MAX], reference[EXERCISE_TIMED_MAX];
};

// Counted work at one size.
struct why_open_request {
    const struct exercise *exercise;
    const struct why_open_plans *plans;
    const struct exercise_speed *asked;  // the counted size, or a size that the seed has drawn
    const struct estimated_kernel *student, *reference;
    const struct build_report *report;  // of the student's build
    double share;                       // of the points for counted work
};

// Fills text with the reason, for the student, if there is a doubt, else with "".  The caller adds
// that the points stay open.
//
// Hard facts come first: arrays that cannot be in registers; operations that were not counted.
// Then the estimate for an H200 (measure/estimate.h) at each timed size: the points for the
// estimated ratios must be at least WHY_OPEN_SURE of the points for counted work.
void why_open_find(const struct why_open_request *request, char text[ERROR_TEXT_MAX]);

// Student and reference, estimated at one size.
struct estimated_pair {
    struct size size;
    double ratio;
    struct estimate student, reference;
};

// Writes, for the student, why a kernel that is not a matmul is estimated to take longer.
void why_slower(const struct estimated_pair *pair, const struct counts *mine,
                const struct counts *theirs, char text[ERROR_TEXT_MAX]);

#endif
