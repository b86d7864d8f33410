// A kernel file built for one device: the steps of its plan run in the sandbox, and the folder that
// holds the result.
#ifndef JUDGE_BUILD_PROGRAM_H
#define JUDGE_BUILD_PROGRAM_H

#include "base/text.h"
#include "device/build_report.h"
#include "device/device.h"
#include "exercise/exercise.h"
#include "judge/build/cache.h"
#include "judge/model/options.h"

// A built kernel; report.fault says whether it can run.
struct run_program {
    enum device_kind kind;
    const struct judge_machine *machine;  // borrowed
    const struct exercise *exercise;      // whose kernel it is; borrowed
    struct judge_patience *patience;      // borrowed; NULL: a kernel of the course
    char kernel[KERNEL_BYTES_MAX];        // exercise_kernel_name
    char scratch[PATH_BYTES_MAX];         // "" if there is none
    struct build_report report;
    uint64_t peak_bytes;  // the most memory that a program of the last step held
    bool reached_limit;   // one of our limits ended the build: trying again would end the same
};

// Builds text for a device.  A file that does not compile, or takes too long to, is a report, not
// an error.
// Errors   if that cannot be decided: STATUS_UNAVAILABLE (no compiler), STATUS_SYSTEM (or the
// machine is so busy that a step does not get its processor time), STATUS_NO_MEMORY.
// Owns     the caller frees with run_program_done, which removes the folder.
enum status run_build(const struct judge_machine *machine, enum device_kind kind,
                      const struct exercise *exercise, struct text text,
                      struct run_program *ret_program, struct error *err);
void run_program_done(struct run_program *program);

// The name of a build by all that goes into it: see build_cache_key.
enum status run_build_key(const struct judge_machine *machine, enum device_kind kind,
                          const struct exercise *exercise, struct text text,
                          char ret_key[BUILD_CACHE_KEY_BYTES], struct error *err);

// Builds a kernel of ours that is as simple as a product can be.  If it does not build or run, the
// machine is at fault and not a student's kernel.  Errors: STATUS_SYSTEM if it does not build.
enum status run_build_control(const struct judge_machine *machine, enum device_kind kind,
                              struct run_program *ret_program, struct error *err);

#endif
