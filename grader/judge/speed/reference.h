// The reference kernel of an exercise, built for a device.  It holds to the highest standard:
// whatever is wrong with it is bad data of the course, never a verdict about a student.
#ifndef JUDGE_SPEED_REFERENCE_H
#define JUDGE_SPEED_REFERENCE_H

#include "judge/build/program.h"

struct exercise_result;
struct planned_case;
struct run_outcome;

// Reads reference/<name>.cu.  Errors: those of file_read.  Owns: the caller frees *ret_text.
enum status speed_reference_read(const struct judge_options *options,
                                 const struct exercise *exercise, char **ret_text,
                                 size_t *ret_bytes, struct error *err);

// Builds it.
//
// Returns  even if only a GPU, or a machine with the CUDA toolkit, could build it: then the
//          program's report says BUILD_FAULT_NEEDS_GPU, and it cannot be run.
// Errors   STATUS_BAD_DATA: it does not build; those of run_build.
// Owns     the caller frees with run_program_done.
enum status speed_reference_build(const struct judge_options *options, enum device_kind kind,
                                  const struct exercise *exercise, struct run_program *ret_program,
                                  struct error *err);

// The reference cannot be run here, and why not.  Leaves the speed open: its points stay in the
// maximum, so that a kernel of another kind than the reference does not win by it.
void speed_reference_missing(const char *why, struct exercise_result *result);

// STATUS_BAD_DATA, with words, where an outcome of the reference is not a pass.
enum status speed_reference_check(const struct exercise *exercise,
                                  const struct planned_case *planned,
                                  const struct run_outcome *outcome, struct error *err);

#endif
