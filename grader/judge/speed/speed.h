// The speed of a right kernel against the reference: by time on a GPU, by counted work without one.
#ifndef JUDGE_SPEED_SPEED_H
#define JUDGE_SPEED_SPEED_H

#include "judge/run/run.h"

struct exercise_result;

// Measures every size that exercise.ini names for the basis in use (timed with a GPU, else
// counted), and fills speed and speed_count of *result, points included.  Every measured output is
// verified; a wrong one makes the exercise's verdict, and speed is not measured any further.
//
// With options->extras.no_references the student's work alone is counted, at the first counted
// size, and speed_complete is false: no points are lost for want of a reference.
//
// *result must have a verdict of pass, and kernel the programs that were judged.
// Errors   STATUS_BAD_DATA: the reference is missing, does not build or is not right.  Else ours.
enum status speed_measure(const struct judge_options *options, struct exercise_result *result,
                          const struct run_kernel *kernel, struct error *err);

#endif
