// Addresses of a built program, as places in the student's source.
#ifndef JUDGE_RUN_LOCATE_H
#define JUDGE_RUN_LOCATE_H

#include "device/compile/build_plan.h"
#include "judge/build/program.h"

struct judged_finding;

// The places in the source of up to BUILD_ARGUMENTS_MAX - 3 program addresses; 0 if not known.
enum status run_places(const struct run_program *program, const uint64_t *addresses, int count,
                       struct build_place *ret_places, struct error *err);

// Fills in the lines and columns of findings from their program addresses; what is not known stays
// 0.
enum status run_locate(const struct run_program *program, struct judged_finding *findings,
                       int count, struct error *err);

#endif
