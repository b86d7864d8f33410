// The counted work of a reference, for a grade by counts: from numbers that are kept, else from
// running it.  It is counted with inputs of a seed of its own, so that a grade is the same with
// and without kept numbers (decisions/0032-references-are-counted-once.md).
//
// The numbers are kept in a folder of the course (judge_machine.counts), one file for each
// exercise.  They hold for one state of the reference, the compiler and the grader: its key.  A
// file that is absent, damaged, of another state, or that another user can write, is made again.
//
// A handout has no reference, but its numbers for all sizes: REFERENCE_FILE in the lesson's folder.
#ifndef JUDGE_SPEED_REFERENCE_WORK_H
#define JUDGE_SPEED_REFERENCE_WORK_H

#include "judge/speed/reference_facts.h"

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

// Finds what is kept; runs nothing.
// Errors   STATUS_BAD_DATA: there is no reference, or the numbers of a handout are damaged.
// Owns     the caller ends with reference_work_close, after an error too.
enum status reference_work_open(const struct judge_options *options,
                                const struct exercise *exercise, struct reference_work *work,
                                struct error *err);

// Keeps the numbers that are new, if they can be kept.
void reference_work_close(struct reference_work *work);

// The launches at the timed sizes of the exercise, or why the reference cannot run here: then
// work->facts->missing is not "".
// Errors   STATUS_BAD_DATA: the reference does not build, or a configuration is not valid.
enum status reference_work_plan(struct reference_work *work, struct error *err);

// The work at one size.  *ret_size is borrowed until the next call.
// Errors   STATUS_BAD_DATA: the reference is not right there, or a handout lacks the size.
enum status reference_work_at(struct reference_work *work, struct size size,
                              const struct reference_size **ret_size, struct error *err);

// Makes and keeps the numbers that a grade of the exercise with options->seed asks for, so that
// grades that begin together need not each make them.
enum status reference_work_keep(const struct judge_options *options,
                                const struct exercise *exercise, struct error *err);

// Makes all numbers that a grade of the exercise can ask for, and writes them to a file.
enum status reference_work_write(const struct judge_options *options,
                                 const struct exercise *exercise, const char *path,
                                 struct error *err);

#endif
