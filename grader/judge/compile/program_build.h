// A kernel file built for one device: the steps of its plan run in the sandbox, and the folder that
// holds the result. Addresses of the built program as places in the source, and counted work by
// line.
#ifndef JUDGE_COMPILE_PROGRAM_BUILD_H
#define JUDGE_COMPILE_PROGRAM_BUILD_H

#include "base/text.h"
#include "device/build_report.h"
#include "device/compile/build_plan.h"
#include "device/device.h"
#include "emu/wire/counts.h"
#include "exercise/exercise.h"
#include "judge/compile/build_cache.h"
#include "judge/model/judge_options.h"

// The files of a whole program, which have one numbering of lines: the first file's own lines come
// first, and those of the file i after the lines before[i].
struct program_files {
    char *text;  // of all files, one after the other; owned
    size_t bytes;
    char **name;  // as for messages; owned
    uint32_t *before;
    int count;
};

// The file that a line belongs to; *line becomes its line there.  "" if there are no files.
const char *program_file_of(const struct program_files *files, uint32_t *line);

// A built kernel; report.fault says whether it can run.
struct run_program {
    enum device_kind kind;
    const struct judge_machine *machine;  // borrowed
    const struct exercise *exercise;      // whose kernel it is; borrowed
    struct judge_patience *patience;      // borrowed; NULL: a kernel of the course
    const char *text;                     // of a student's kernel, for its cases; borrowed
    const char *stub;                     // of the exercise; borrowed
    char kernel[KERNEL_BYTES_MAX];        // exercise_kernel_name
    char scratch[PATH_BYTES_MAX];         // "" if there is none
    struct build_report report;
    uint64_t peak_bytes;  // the most memory that a program of the last step held
    bool reached_limit;   // one of our limits ended the build: another try would end the same way
    struct program_files files;   // of a whole program
    const char *const *readable;  // folders that the compiler of a program may read, ending in NULL
};

// Builds text for a device.  A file that does not compile, or takes too long, gives a report, not
// an error.
// Errors   if this cannot be decided: STATUS_UNAVAILABLE (no compiler), STATUS_SYSTEM (or the
//          machine is so busy that a step does not get its processor time).
// Owns     the caller frees with run_program_done, which removes the folder.
enum status run_build(const struct judge_machine *machine, enum device_kind kind,
                      const struct exercise *exercise, struct text text,
                      struct run_program *ret_program, struct error *err);
void run_program_done(struct run_program *program);

// The files and options of a whole program.
struct program_source {
    const char *path;                 // of the first file; of an exercise, its name alone
    const struct exercise *exercise;  // the file has its host function; NULL: a program with main
    struct text text;                 // of an exercise: the file
    const char *const *further;       // more files (.cu, .cpp, .cc, .cxx, .c), NULL-terminated
    const char *const *options;       // -IFOLDER and -DNAME=VALUE, NULL-terminated
};

// Builds a whole program for the CPU device: judge/compile/whole_program.c.  Otherwise as
// run_build; report.fault says whether it can run.
// Errors   also STATUS_BAD_DATA: a file that cannot be read; STATUS_BAD_USAGE: an option that is
//          neither -I nor -D.
enum status run_build_program(const struct judge_machine *machine,
                              const struct program_source *source, struct run_program *ret_program,
                              struct error *err);

// The name of a build, from everything that goes into it: see build_cache_key.
enum status run_build_key(const struct judge_machine *machine, enum device_kind kind,
                          const struct exercise *exercise, struct text text,
                          char ret_key[BUILD_CACHE_KEY_BYTES], struct error *err);

// Builds our own kernel for the simplest possible product.  If it does not build or run, the
// machine is at fault and not a student's kernel.  Errors: STATUS_SYSTEM if it does not build.
enum status run_build_control(const struct judge_machine *machine, enum device_kind kind,
                              struct run_program *ret_program, struct error *err);

#define RUN_STEP_MEMORY_BYTES (2ull << 30)  // address space for each process of a step

// How a step ended.
struct run_step_end {
    int exit_code;
    char *output;         // owned
    const char *text;     // a sentence for the student if a limit ended the step, else NULL
    uint64_t peak_bytes;  // the most memory that one of its programs held
};

// Runs a step in the folder of the program.  A step that fails, or reaches a limit through the
// file's fault, is not an error: *ret_end says so.
// Errors   STATUS_UNAVAILABLE (no such program), STATUS_SYSTEM, which includes a
// step that reaches the wall-clock limit.
// Owns     the caller frees ret_end->output.
enum status run_step(const struct build_step *step, const struct run_program *program,
                     struct run_step_end *ret_end, struct error *err);

// The results of the steps of a build.
struct run_steps {
    int exit_codes[BUILD_STEPS_MAX];  // -1: not run
    char *outputs[BUILD_STEPS_MAX];   // owned
    int run;                          // how many steps ran
    const char *text;     // for the author of the file, if a limit ended the last step; else NULL
    uint64_t peak_bytes;  // of the last step
};

// Runs the steps up to the first failure.  If the machine has a cache, a build of the same text is
// taken from it instead, and a successful build is stored there.
// Errors   those of run_step and build_cache_key.
// Owns     the caller ends *ret_steps with run_steps_done, also after an error.
enum status run_steps(const struct build_plan *plan, const struct run_program *program,
                      struct text text, struct run_steps *ret_steps, struct error *err);
void run_steps_done(struct run_steps *steps);

struct judged_finding;

// The places in the source of up to BUILD_ARGUMENTS_MAX - 3 program addresses; 0 if not known.
enum status run_places(const struct run_program *program, const uint64_t *addresses, int count,
                       struct build_place *ret_places, struct error *err);

// Fills in the lines and columns of findings from their program addresses; unknown ones stay 0.
enum status run_locate(const struct run_program *program, struct judged_finding *findings,
                       int count, struct error *err);

// Fills in the source line of each place of a worker's table.  Errors: as run_places.
enum status run_lines_locate(const struct run_program *program, struct count_lines *lines,
                             struct error *err);

// The work of one source line: the sums of its places.
struct line_work {
    uint32_t line;
    struct count_line kind[COUNT_KINDS];  // requests is 0 for kinds that the line lacks
    uint64_t flops;
};

#define LINE_WORKS_MAX (2 * COUNT_LINES_MAX)

// Merges the entries of a located table by line, in the order of lines.  Returns how many.
int run_lines_merge(const struct count_lines *lines, struct line_work ret_work[LINE_WORKS_MAX]);

#endif
