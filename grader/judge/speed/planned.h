// The launches that a program asks for at the sizes that are timed on a GPU, without running them.
#ifndef JUDGE_SPEED_PLANNED_H
#define JUDGE_SPEED_PLANNED_H

#include "exercise/exercise.h"
#include "judge/build/program.h"

// The launch of one program at one size.
struct planned_launch {
    bool is_valid;    // the launch configuration is one that a GPU takes
    bool is_one;      // of the exercise's own kernel, once
    uint64_t blocks;  // of several launches, at least those of the largest
    int block_threads;
};

// Asks a program of the CPU device for its launch configuration at each timed size.
// Errors   those of run_case_plan.
enum status planned_launches(const struct exercise *exercise, const struct run_program *program,
                             struct planned_launch ret_launches[EXERCISE_TIMED_MAX],
                             struct error *err);

#endif
