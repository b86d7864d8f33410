// The speed of a right kernel against the reference: by time on a GPU, by counted work without one;
// and compared with cuBLAS, which is not part of a grade: the student has no influence on whether
// NVIDIA's library is installed, and in which version (decisions/0017).
#ifndef JUDGE_SPEED_SPEED_H
#define JUDGE_SPEED_SPEED_H

#include "exercise/exercise.h"
#include "judge/diagnose/exercise_run.h"
#include "judge/model/judgement.h"
#include "judge/run/run_worker.h"

struct exercise_result;

// Measures every size that exercise.ini names for the basis, and fills the speed of *result, points
// included.  Every measured output is verified.  A wrong one decides the verdict of the exercise,
// and speed is not measured any further.
//
// *result must have a verdict of pass, and kernel the programs that were judged: speed_timed needs
// a program for the GPU, the others a program for the CPU device. speed_timed stops the worker.
// Errors   STATUS_BAD_DATA: the reference is missing, does not build or is not right.  Else ours.
enum status speed_timed(const struct judge_options *options, struct exercise_result *result,
                        struct run_kernel *kernel, struct error *err);
enum status speed_counted(const struct judge_options *options, struct exercise_result *result,
                          const struct run_kernel *kernel, struct error *err);

// Counts only the student's work, at the first counted size of the exercise: for a course without
// references.
enum status speed_counted_alone(const struct judge_options *options, struct exercise_result *result,
                                const struct run_kernel *kernel, struct error *err);

// The work of a timed kernel, only for drawings: at a small size, and with no effect on points.
// Work that cannot be counted is omitted.
enum status speed_counted_small(const struct judge_options *options, struct exercise_result *result,
                                const struct run_kernel *kernel, struct error *err);

#define CUBLAS_SIZES_MAX (EXERCISES_MAX * EXERCISE_TIMED_MAX)

// The knowledge of cuBLAS in one grade: a size that several exercises time with the same types is
// measured once.
struct cublas_table {
    bool gone;  // it was not found or failed, and is not tried again; note says why
    char version[CUBLAS_VERSION_MAX];
    char note[CUBLAS_NOTE_MAX];
    int count;
    struct size size[CUBLAS_SIZES_MAX];
    enum timed_by by[CUBLAS_SIZES_MAX];
    struct cublas_times times[CUBLAS_SIZES_MAX];
};

// The way in which cuBLAS computes the product of an exercise: matrices of the same type, and
// rounded factors if the exercise allows it.  TIMED_BY_KERNEL if it is not a matmul
// (signature_multiplies).
enum timed_by speed_cublas_by(const struct exercise *exercise);

// "13.0.2" of 130002, and of 11402 "11.4.2".
void cublas_version_format(uint32_t version, char text[CUBLAS_VERSION_MAX]);

// Fills in the cuBLAS part of *result, at the timed sizes: pairs with the student's kernel if the
// exercise asks for them (against = cublas), else the times of cuBLAS alone, for products whose
// inputs are not drawn.  It computes with the types of the exercise (speed_cublas_by).  It runs in
// the reference's worker, which has no student code, after everything that counts is decided: if it
// crashes that process, nothing is lost.  Every product is verified, as in any timed launch.
//
// worker   [PAIRS_SIDES], as they timed the pairs.
// Returns  STATUS_OK even if there is no cuBLAS or it fails: result->speed.cublas_note says so.
// Errors   those of explaining a wrong output of the student's kernel, if one is found here.
enum status speed_cublas(const struct judge_options *options, const struct run_kernel *kernel,
                         struct run_worker *const worker[], struct exercise_result *result,
                         struct error *err);

#endif
