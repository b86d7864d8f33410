// The reference kernel of an exercise, built for a device.  It holds to the highest standard:
// whatever is wrong with it is bad data of the course, never a verdict about a student.
#ifndef JUDGE_SPEED_REFERENCE_H
#define JUDGE_SPEED_REFERENCE_H

#include "judge/run_case.h"

// Builds reference/<name>.cu.  Owns: the caller frees with run_program_done.
enum status speed_reference_build(const struct judge_options *options, enum device_kind kind,
                                  const struct exercise *exercise, struct run_program *ret_program,
                                  struct error *err);

// STATUS_BAD_DATA, with words, where an outcome of the reference is not a pass.
enum status speed_reference_check(const struct exercise *exercise,
                                  const struct planned_case *planned,
                                  const struct run_outcome *outcome, struct error *err);

#endif
