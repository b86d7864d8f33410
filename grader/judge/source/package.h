// A submission as one file, as learning platforms hand it over: .zip or .tar.gz.
#ifndef JUDGE_SOURCE_PACKAGE_H
#define JUDGE_SOURCE_PACKAGE_H

#include "sandbox/sandbox.h"

#define PACKAGE_FD             3              // where tilegrade-unpack finds it open
#define PACKAGE_SOURCE_MAX     (64ull << 20)  // of the package itself
#define PACKAGE_FILE_BYTES_MAX (4ull << 20)   // of one kernel file; the judge takes less
#define PACKAGE_BYTES_MAX      (16ull << 20)  // of all of them
#define PACKAGE_ENTRIES_MAX    1000

// Opens the folder that `submission` names.  If it names a package, opens a new folder in the
// scratch folder with the kernel files of the package.  `programs` is the folder with
// tilegrade-unpack.
//
// Errors   those of submission_open (judge/source/submission.h); STATUS_BAD_USAGE: it is neither,
//          or the package is refused; the message says why.  STATUS_SYSTEM, STATUS_NO_MEMORY.
// Owns     the caller closes *ret_folder.
enum status package_open(const char *programs, const struct sandbox *sandbox,
                         const char *submission, int *ret_folder, struct error *err);

#endif
