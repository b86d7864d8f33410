// A submission as one file, as learning platforms hand it over: .zip or .tar.gz.
#ifndef JUDGE_SOURCE_PACKAGE_H
#define JUDGE_SOURCE_PACKAGE_H

#include <stdbool.h>

#include "sandbox/sandbox.h"

#define PACKAGE_FD             3              // where tilegrade-unpack finds it open
#define PACKAGE_SOURCE_MAX     (64ull << 20)  // of the package itself
#define PACKAGE_FILE_BYTES_MAX (4ull << 20)   // of one kernel file; the judge takes less
#define PACKAGE_BYTES_MAX      (16ull << 20)  // of all of them
#define PACKAGE_ENTRIES_MAX    1000
#define PACKAGE_TREE_MAX       20000         // entries of a package with folders, such as a clone
#define CLASS_SOURCE_MAX       (4ull << 30)  // of the package of a whole class
#define CLASS_BYTES_MAX        (4ull << 30)  // of what is taken out of it
#define CLASS_ENTRIES_MAX      500000

// Opens the folder that `submission` names.  If it names a package, opens a new folder in the
// scratch folder with the kernel files of the package.  `programs` is the folder with
// tilegrade-unpack.
//
// Errors   those of submission_open (judge/source/submission.h); STATUS_BAD_USAGE: it is neither,
//          or the package is refused; the message says why.  STATUS_SYSTEM, STATUS_NO_MEMORY.
// Owns     the caller closes *ret_folder.
enum status package_open(const char *programs, const struct sandbox *sandbox,
                         const char *submission, int *ret_folder, struct error *err);

// True for the name of a package: .zip, .tar, .tar.gz, .tgz, .tar.xz, .txz, .tar.bz2 (in any case).
bool package_has_name(const char *name);

// Unpacks the package open at fd with its folders into a new folder of the scratch folder: its
// kernel files and the packages in it.  All other files stay empty, and links are left out.
// `shown` is its name in messages; of_class: it holds a whole class, so it may be larger.
//
// Errors   STATUS_BAD_USAGE: it is refused, or no plain file.  STATUS_SYSTEM, STATUS_NO_MEMORY.
// Owns     the caller removes *ret_folder when it is done with it, and frees *ret_left_out: a line
//          "'name': why" for each entry that was left out, in the language chosen, or "".
enum status package_unpack_tree(const char *programs, const struct sandbox *sandbox,
                                const char *shown, int fd, bool of_class,
                                char ret_folder[PATH_BYTES_MAX], char **ret_left_out,
                                struct error *err);

// The same with a script in Python, an absolute path, which reads the package in the box and writes
// files of its own into the folder.
enum status package_read(const char *script, const struct sandbox *sandbox, const char *shown,
                         int fd, char ret_folder[PATH_BYTES_MAX], struct error *err);

#endif
