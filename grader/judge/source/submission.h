// Opens what a teacher names as a submission, without a link in it that a student could have made:
// a repository may hold `student -> ../reference`.
#ifndef JUDGE_SOURCE_SUBMISSION_H
#define JUDGE_SOURCE_SUBMISSION_H

#include "base/error.h"

// Opens the folder or package `path`.  No part of a relative path may be a link.  An absolute path
// begins with folders of the machine, whose links are followed (/tmp, /home).  Its last part, and
// the parts below the working folder, may not be links.
//
// Errors   STATUS_BAD_USAGE: it does not exist, or it is a link; the message names the part.
//          STATUS_SYSTEM.
// Owns     the caller closes *ret_fd.  A folder is open only to open what is in it (O_PATH).
enum status submission_open(const char *path, int *ret_fd, struct error *err);

#endif
