// The kernel files of one submission: found in its folders and packages, one for each exercise.
#ifndef CLASS_INTAKE_KERNELS_H
#define CLASS_INTAKE_KERNELS_H

#include "class/intake/source.h"

#define KERNEL_NEAR_MAX   8  // files with nearly the right name, which the judge explains
#define KERNEL_FOUND_MAX  5  // other files that are named to people
#define KERNEL_FILE_BYTES (NAME_BYTES_MAX + 4)  // of the name of a wanted file

struct kernel_file {
    char *name;   // "tiled.cu"; NULL: none
    char *path;   // where it was found, for people
    char *twin;   // another one with other bytes, of which it is not known whether it counts
    char *older;  // a copy of it with other bytes, which does not count
    char *text;   // NULL: a link
    size_t bytes;
    int rank;     // a lower one counts
    int version;  // then a higher one
    bool copied;  // its own name, or that of `older`, has the number of a copy
    long long upload;
};

struct found_files {
    int count;
    char *path[KERNEL_FOUND_MAX];  // of the first ones
};

struct kernels {
    const struct course *course;
    struct kernel_file wanted[2 * EXERCISES_MAX + 1];  // as in the course, answers, repaired bugs
    struct kernel_file near[KERNEL_NEAR_MAX];
    int near_count;
    struct found_files odd;  // files that could be kernels, by nearly the right name or by .cu
    struct found_files others;
    char *left_out;  // what a package has and may not have; or NULL
    int entries;
};

// The files that are wanted: a kernel for each exercise, and if they bring points answers.ini and
// the repaired kernels.
int kernels_wanted(const struct course *course);
void kernels_wanted_name(const struct course *course, int file, char name[KERNEL_FILE_BYTES]);

// Where submissions are, and what opens packages.
struct kernels_place {
    int folder;  // of the class, open
    const char *programs;
    const struct sandbox *sandbox;
};

// Finds the kernel files of a source.  The nearest to the top counts, then that in a folder named
// `student`, and a file before the same one in a package; then the highest number of a copy
// ("tiled (1).cu").
//
// Errors   STATUS_BAD_USAGE: a package is refused, or there are too many files: the message says
//          why.  STATUS_SYSTEM, STATUS_NO_MEMORY, STATUS_UNAVAILABLE: trouble of ours.
// Owns     the caller frees with kernels_done, in any case.
enum status kernels_find(const struct kernels_place *place, const struct source *source,
                         const struct course *course, struct kernels *ret_kernels,
                         struct error *err);
void kernels_done(struct kernels *kernels);

// The files that could be kernels of exercises without one, "'Tiled.cu', 'x/my.cu'"; "" if none.
void kernels_odd_write(const struct kernels *kernels, char *ret_text, size_t bytes);

// Writes them into `folder`, as a whole; an equal folder stays as it is.
enum status kernels_write(const struct kernels *kernels, const char *folder, struct error *err);

#endif
