// The folder of a class run: who may use it, and how files are written there.  All of it belongs to
// the teacher alone.
#ifndef CLASS_FOLDER_H
#define CLASS_FOLDER_H

#include <stddef.h>

#include "base/error.h"

#define CLASS_MASK 0077  // umask of all files in it

// Makes the folder `out`, with mode 0700, or takes that of an earlier run.
//
// Errors   STATUS_BAD_USAGE: it holds other things, or is no folder.  STATUS_SYSTEM.
enum status class_folder_open(const char *out, struct error *err);

// Takes the folder for this process, until it closes *ret_fd or ends in any way.
//
// Errors   STATUS_BAD_USAGE: another run has it; the message names its process.  STATUS_SYSTEM.
enum status class_folder_lock(const char *out, int *ret_fd, struct error *err);

// The process that has locked the folder; 0 if none has, -1 if it is on another machine.  Takes no
// lock itself.
long class_folder_user(const char *out);

// Writes a file whole (file_write) that only its owner may read.
enum status class_file_write(const char *path, const void *bytes, size_t count, struct error *err);

#endif
