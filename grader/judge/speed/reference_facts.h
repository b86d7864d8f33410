// What a grade by counted work knows of a reference: numbers, which a file can keep.  A grade takes
// them from there instead of running the reference again, and a handout has nothing else of it.
//
// The file is JSON with a digest of itself.  It is written by rename, so several processes may
// write one: the last one stays, and numbers that are missing are made again.
#ifndef JUDGE_SPEED_REFERENCE_FACTS_H
#define JUDGE_SPEED_REFERENCE_FACTS_H

#include "emu/wire/counts.h"
#include "exercise/exercise.h"
#include "judge/speed/planned.h"

#define REFERENCE_KEY_BYTES 65  // SHA-256 in hexadecimal, with the final NUL
#define REFERENCE_SIZES_MAX 64  // the counted sizes of an exercise, and those that a seed can draw

// A launch at one size that was counted.  The work of each line is left out.
struct reference_size {
    struct size size;
    uint64_t shared_bytes;  // of a block, static and dynamic
    uint32_t launch_count;  // launches that made the product; 0: one, of the exercise's own kernel
    struct counts counts;
};

struct reference_facts {
    char key[REFERENCE_KEY_BYTES];  // over all that decides the numbers
    char missing[ERROR_TEXT_MAX];   // why it cannot run on the CPU device; "": it can
    int plan_count;
    struct size plan_size[EXERCISE_TIMED_MAX];
    struct planned_launch plan[EXERCISE_TIMED_MAX];
    int size_count;
    struct reference_size size[REFERENCE_SIZES_MAX];
};

// The numbers at a size, or NULL.
struct reference_size *reference_facts_find(struct reference_facts *facts, struct size size);

// Reads a file.  own: it must belong to this user or to root, and no other may write it.
// Errors   STATUS_BAD_DATA: absent, damaged or of another user.  STATUS_SYSTEM, STATUS_NO_MEMORY.
enum status reference_facts_read(const char *path, bool own, struct reference_facts *ret_facts,
                                 struct error *err);

// Errors   those of file_write.
enum status reference_facts_write(const char *path, const struct reference_facts *facts,
                                  struct error *err);

#endif
