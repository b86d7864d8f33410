// The reference kernel of an exercise: built for a device, its launches and its counted work.  The
// highest standard applies: any mistake in it is bad data of the course, never a verdict about a
// student.
//
// Counted work comes from stored numbers, else from running the reference, with inputs from a
// separate seed, so that a grade is the same with and without stored numbers
// (decisions/0032-references-are-counted-once.md).  The numbers are stored in a folder of the
// course (judge_machine.counts), one file for each exercise: JSON with a digest of itself, written
// by rename, so several processes may write one.  They are valid for one state of the reference,
// the compiler and the grader, which the key identifies.  A file that is absent, damaged, of
// another state, or that another user can write, is made again.
//
// A handout has no reference, but its numbers for all sizes: REFERENCE_FILE in the lesson's folder.
#ifndef JUDGE_SPEED_REFERENCE_H
#define JUDGE_SPEED_REFERENCE_H

#include "emu/wire/counts.h"
#include "exercise/exercise.h"
#include "judge/compile/program_build.h"

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
// maximum, so that a kernel of another kind than the reference gains nothing.
void speed_reference_missing(const char *why, struct exercise_result *result);

// STATUS_BAD_DATA, with words, if an outcome of the reference is not a pass.
enum status speed_reference_check(const struct exercise *exercise,
                                  const struct planned_case *planned,
                                  const struct run_outcome *outcome, struct error *err);

// The launch of one program at one size.
struct planned_launch {
    bool is_valid;    // the launch configuration is valid on a GPU
    bool is_one;      // a single launch of the exercise's own kernel
    uint64_t blocks;  // of several launches, at least the blocks of the largest
    int block_threads;
};

// Asks a program of the CPU device for its launch configuration at each timed size.
// Errors   those of run_worker_plan.
enum status planned_launches(const struct exercise *exercise, const struct run_program *program,
                             struct planned_launch ret_launches[EXERCISE_TIMED_MAX],
                             struct error *err);

#define REFERENCE_KEY_BYTES 65  // SHA-256 in hexadecimal, with the final NUL
#define REFERENCE_SIZES_MAX 64  // counted sizes of an exercise, and sizes that a seed can draw

// A counted launch at one size, without the work of each line.
struct reference_size {
    struct size size;
    uint64_t shared_bytes;  // of a block, static and dynamic
    uint32_t launch_count;  // launches that made the product; 0: one, of the exercise's own kernel
    struct counts counts;
};

struct reference_facts {
    char key[REFERENCE_KEY_BYTES];  // over everything that determines the numbers
    char missing[ERROR_TEXT_MAX];   // why it cannot run on the CPU device; "" if it can
    int plan_count;
    struct size plan_size[EXERCISE_TIMED_MAX];
    struct planned_launch plan[EXERCISE_TIMED_MAX];
    int size_count;
    struct reference_size size[REFERENCE_SIZES_MAX];
};

// The numbers at a size, or NULL.
struct reference_size *reference_facts_find(struct reference_facts *facts, struct size size);

// Reads a file.  own: it must belong to this user or to root, and no other may write it.
// Errors   STATUS_BAD_DATA: absent, damaged or of another user.  STATUS_SYSTEM.
enum status reference_facts_read(const char *path, bool own, struct reference_facts *ret_facts,
                                 struct error *err);

// Errors   those of file_write.
enum status reference_facts_write(const char *path, const struct reference_facts *facts,
                                  struct error *err);

#define REFERENCE_FILE "reference.json"

struct reference_work {
    const struct judge_options *options;  // borrowed
    const struct exercise *exercise;      // borrowed
    struct reference_facts *facts;        // owned
    char path[PATH_BYTES_MAX];            // of the file that keeps the numbers; "": none
    bool changed;                         // the file lacks some of them
    bool is_built;
    struct run_program program;
};

// True if there is a reference, or a handout has its numbers.
enum status reference_work_exists(const struct judge_options *options,
                                  const struct exercise *exercise, bool *ret_exists,
                                  struct error *err);

// Finds the stored numbers; runs nothing.
// Errors   STATUS_BAD_DATA: there is no reference, or the numbers of a handout are damaged.
// Owns     the caller ends with reference_work_close, after an error too.
enum status reference_work_open(const struct judge_options *options,
                                const struct exercise *exercise, struct reference_work *work,
                                struct error *err);

// Stores the new numbers, if possible.
void reference_work_close(struct reference_work *work);

// The launches at the timed sizes of the exercise, or why the reference cannot run here: then
// work->facts->missing is not "".
// Errors   STATUS_BAD_DATA: the reference does not build, or a configuration is not valid.
enum status reference_work_plan(struct reference_work *work, struct error *err);

// The work at one size.  *ret_size is borrowed until the next call.
// Errors   STATUS_BAD_DATA: the reference is not right there, or a handout lacks the size.
enum status reference_work_at(struct reference_work *work, struct size size,
                              const struct reference_size **ret_size, struct error *err);

// Makes and stores the numbers that a grade of the exercise with options->seed needs, so that
// grades that begin together do not each make them.
enum status reference_work_keep(const struct judge_options *options,
                                const struct exercise *exercise, struct error *err);

// Makes all numbers that a grade of the exercise can need, and writes them to a file.
enum status reference_work_write(const struct judge_options *options,
                                 const struct exercise *exercise, const char *path,
                                 struct error *err);

#endif
