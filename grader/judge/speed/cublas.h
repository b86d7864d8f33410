// Compares a timed kernel with cuBLAS.  Not part of a grade: whether NVIDIA's library is
// installed, and in which version, is not the student's merit (decisions/0017).
#ifndef JUDGE_SPEED_CUBLAS_H
#define JUDGE_SPEED_CUBLAS_H

#include "exercise/exercise.h"
#include "judge/model/speed.h"
#include "judge/run/run.h"
#include "judge/run/worker.h"

struct exercise_result;

#define CUBLAS_SIZES_MAX (EXERCISES_MAX * EXERCISE_TIMED_MAX)

// The knowledge of cuBLAS in one grade: a size that several exercises time with the same types is
// measured once.
struct cublas_table {
    bool gone;  // it was not found or failed, and is not asked again; note says why
    char version[CUBLAS_VERSION_MAX];
    char note[CUBLAS_NOTE_MAX];
    int count;
    struct size size[CUBLAS_SIZES_MAX];
    enum timed_by by[CUBLAS_SIZES_MAX];
    struct cublas_times times[CUBLAS_SIZES_MAX];
};

// What cuBLAS computes the product of an exercise with: the same type of matrices, and factors
// rounded if the exercise allows it.  TIMED_BY_KERNEL if it is no product (signature_multiplies).
enum timed_by speed_cublas_by(const struct exercise *exercise);

// "13.0.2" of 130002, and of 11402 "11.4.2".
void cublas_version_format(uint32_t version, char text[CUBLAS_VERSION_MAX]);

// Fills in what *result says of cuBLAS, at the sizes that were timed: pairs with the student's
// kernel where the exercise asks for them (against = cublas), else the times of cuBLAS alone, of
// products that are not drawn.  It computes with the types of the exercise (speed_cublas_by).  It
// runs in the reference's worker, where no code of a student's is, and after all that counts is
// decided: if it brings that process down, nothing is lost.  Every product is verified, as in any
// timed launch.
//
// worker   [PAIRS_SIDES], as they timed the pairs.
// Returns  STATUS_OK even if there is no cuBLAS or it fails: result->speed.cublas_note says so.
// Errors   those of explaining a wrong output of the student's kernel, if one turns up here.
enum status speed_cublas(const struct judge_options *options, const struct run_kernel *kernel,
                         struct run_worker *const worker[], struct exercise_result *result,
                         struct error *err);

#endif
