// The sizes and inputs with which an exercise is judged, and the drawn size at which its work is
// counted.
#ifndef JUDGE_RUN_CASE_SIZES_H
#define JUDGE_RUN_CASE_SIZES_H

#include "base/random.h"
#include "exercise/exercise.h"
#include "judge/model/inputs.h"

struct planned_case {
    bool junk;  // the stacks are filled with junk before each block
    struct size size;
    uint64_t cost;  // signature_work
    enum inputs_kind inputs;
    struct random_key key;     // of A and B
    enum precision precision;  // of the exercise: the standard for real inputs
    uint32_t range;            // of real inputs: of the ranges of an array, or scales, this one
    uint32_t samples;          // for other results than a matmul's: elements compared; 0: all
    bool is_large;             // see large_cases.h
    bool newest_first;         // blocks run in ORDER_NEWEST: of a large case, at once; else, again
    uint32_t part_blocks;      // only so many blocks run: see part_cases.h; 0: all
    bool is_begun;             // … and only their first PART_BEGIN accesses
    bool again;                // a right kernel runs again in other orders of blocks and threads
    bool no_trials;            // see struct expected_plan
};

// Plans the cases.  A matmul gets the sizes of exercise.ini; sizes at the edges of a tile (1,
// tile - 1, tile, tile + 1, 2 tile ± 1 …); K = 1; primes; thin sizes; an aligned square; one size
// whose rows are a multiple of 16 bytes, and one with rows of a multiple of 8; four sizes drawn
// from the seed; and real inputs at three sizes and two drawn ones, and of many binades at one.
// Another kernel gets no size above the largest of exercise.ini; real inputs at the last sizes
// there, at two drawn sizes between one tile and four, and at small sizes; and the other kinds of
// inputs at small sizes.
//
// Sorted by work, without duplicates; the work of each is at most cost_max.  only_count > 0: only
// the given sizes, with all kinds of inputs, whatever they cost.  The small exact cases and the
// largest one run again.
//
// The key of a case depends on seed, exercise, inputs and size alone: a case that is repeated by
// its size has the same inputs.  Returns the number of cases, at most CASES_MAX.
int cases_plan(const struct exercise *exercise, struct seed seed, const struct size *only,
               int only_count, uint64_t cost_max, struct planned_case ret_cases[CASES_MAX]);

// Plans one case as cases_plan does, for a size that is not in the plan.
struct planned_case case_of(const struct exercise *exercise, struct seed seed,
                            enum inputs_kind inputs, struct size size);

#define COUNTED_DRAWN_SIZES 16

// A size for the student's kernel and the reference, with the ratios of the first counted size of
// the exercise.  The shared part of a seed (base/random.h) draws it from a list, so that a kernel
// gets the same points for all students of a class.  It has at most 66 million multiply-adds, rows
// that are multiples of 16 bytes, and whole blocks of 128 x 128 elements of C, so that a block of
// another size has as little padding as the reference's.  Smaller for an exercise whose counted
// sizes have less work than 512x512x512.
struct exercise_speed counted_drawn(const struct exercise *exercise, struct seed seed);

// The list; some may be equal.
void counted_drawn_sizes(const struct exercise *exercise,
                         struct size ret_sizes[COUNTED_DRAWN_SIZES]);

#endif
