// Opens and reads a submission with care: its names and bytes come from outside.
//
// A folder is opened without a link in its path that a student could have made (a repository may
// hold `student -> ../reference`).  A package (.zip or .tar.gz, as learning platforms deliver it)
// becomes a folder.  Then each kernel file is read.
#ifndef JUDGE_SUBMISSION_SUBMISSION_H
#define JUDGE_SUBMISSION_SUBMISSION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "judge/model/verdict.h"
#include "sandbox/sandbox.h"

#define PACKAGE_FD             3              // where tilegrade-unpack finds it open
#define PACKAGE_SOURCE_MAX     (64ull << 20)  // of the package itself
#define PACKAGE_FILE_BYTES_MAX (4ull << 20)   // of one kernel file; the judge takes less
#define PACKAGE_BYTES_MAX      (16ull << 20)  // of all of them
#define PACKAGE_ENTRIES_MAX    1000
#define PACKAGE_TREE_MAX       20000         // entries of a package with folders, such as a clone
#define CLASS_SOURCE_MAX       (4ull << 30)  // of the package of a whole class
#define CLASS_BYTES_MAX        (4ull << 30)  // of the extracted files
#define CLASS_ENTRIES_MAX      500000

// Opens the folder that `submission` names.  If it names a package, opens a new folder in the
// scratch folder with the kernel files of the package.  `programs` is the folder with
// tilegrade-unpack.
//
// Errors   those of submission_open (judge/submission/submission.h); STATUS_BAD_USAGE: it is no
//          folder or package, or the package is refused; the message says why.  STATUS_SYSTEM.
// Owns     the caller closes *ret_folder.
enum status package_open(const char *programs, const struct sandbox *sandbox,
                         const char *submission, int *ret_folder, struct error *err);

// True for the name of a package: .zip, .tar, .tar.gz, .tgz, .tar.xz, .txz, .tar.bz2 (in any case).
bool package_has_name(const char *name);

// A package that is open.
struct package {
    const char *shown;  // its name in messages
    int fd;
    bool of_class;  // it holds a whole class, so it may be larger
};

// Unpacks a package with its folders into a new folder of the scratch folder: its kernel files and
// the packages in it.  All other files stay empty, and links are skipped.
//
// Errors   STATUS_BAD_USAGE: it is refused, or no plain file.  STATUS_SYSTEM.
// Owns     the caller removes *ret_folder when it is done with it, and frees *ret_left_out: a line
//          "'name': why" for each skipped entry, in the chosen language, or "".
enum status package_unpack_tree(const char *programs, const struct sandbox *sandbox,
                                const struct package *package, char ret_folder[PATH_BYTES_MAX],
                                char **ret_left_out, struct error *err);

// The same with a Python script (an absolute path), which reads the package in the box and writes
// its own files into the folder.
enum status package_read(const char *script, const struct sandbox *sandbox, const char *shown,
                         int fd, char ret_folder[PATH_BYTES_MAX], struct error *err);

struct submitted {
    enum verdict verdict;           // PASS: there is a file to judge
    char headline[ERROR_TEXT_MAX];  // the mistake, if verdict is not PASS
    char sha256[65];                // hash of the bytes as submitted; "" if there is no file
    char *text;                     // as submitted, but with a compiler's line ends; NULL: no file
    size_t bytes;
    bool absent;  // nothing has that name or nearly that name
};

// Reads the file in `folder`, which is open: a regular file of at most SOURCE_BYTES_MAX bytes.
// Follows no link and waits for no pipe.
//
// Returns  STATUS_OK even for a file that is missing, too large or not a regular file: that is a
// verdict.
// Errors   STATUS_SYSTEM: it is there and cannot be read (permission, disk).
// Owns     the caller frees with submitted_done.
enum status submitted_read(int folder, const char *file, struct submitted *ret_source,
                           struct error *err);
void submitted_done(struct submitted *source);

// The text to be shown: without byte order mark and carriage returns; every other byte stays, so
// that columns stay correct.  Owns: the caller frees it.  NULL if there is no text or too much of
// it.
char *submitted_show(const struct submitted *source);

// Writes the text of line `line` (from 1) without blanks around it, with control characters as '?',
// cut at bytes - 1; "" if there is no such line.
void submitted_line(const char *text, size_t text_bytes, unsigned line, char *ret_line,
                    size_t bytes);

// The bytes of blanks before the text of that line, so that a column of the file can be found in
// it.
unsigned submitted_indent(const char *text, size_t text_bytes, unsigned line);

#endif
