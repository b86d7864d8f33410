// Whole files: read with a limit, written by rename, so that no program ever sees half of one. And
// one SHA-256 over many texts and files, to recognise whether anything has changed.
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include "base/error.h"

// Reads a regular file of at most bytes_max bytes; a NUL byte follows the last one.
//
// Errors   STATUS_BAD_DATA: absent, a folder, not a regular file, larger than bytes_max.
//          STATUS_SYSTEM: it is there but cannot be opened or read.
// Owns     the caller frees *ret_text.
enum status file_read(const char *path, size_t bytes_max, char **ret_text, size_t *ret_bytes,
                      struct error *err);

// Writes a file whole: into a temporary file next to it, flushed to disk, then renamed over it.
// On failure the earlier file is unharmed and no temporary file stays.
enum status file_write(const char *path, const void *bytes, size_t count, struct error *err);

// Does anything of that name exist?  STATUS_SYSTEM means that this cannot be determined (a failing
// disk, no memory), which is not the same as "no".
enum status file_exists(const char *path, bool *ret_exists, struct error *err);

// True if it is a terminal that obeys control sequences; an Emacs compilation buffer does not.
bool stream_obeys(FILE *stream);

// Makes a folder and those above it; an existing folder is success.
enum status folder_make(const char *path, struct error *err);

// Removes a folder and everything in it; does not follow links.  An absent folder is success.
enum status folder_remove(const char *path, struct error *err);

// A path from parts: snprintf into path[PATH_BYTES_MAX].  Errors: STATUS_BAD_USAGE if too long.
enum status path_make(char path[PATH_BYTES_MAX], struct error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// The same for a path below a folder.  The folder "." is omitted, so that messages read
// lessons/020_tiled/exercise.ini:12.
enum status path_below(char path[PATH_BYTES_MAX], struct error *err, const char *root,
                       const char *format, ...) __attribute__((format(printf, 4, 5)));
enum status path_below_list(char path[PATH_BYTES_MAX], struct error *err, const char *root,
                            const char *format, va_list arguments)
    __attribute__((format(printf, 4, 0)));

// Closes a descriptor that is open and sets it to -1.  Inline, because the worker of the CPU device
// links no other part of this module.
static inline void fd_close(int *fd) {
    if (*fd >= 0) {
        (void)close(*fd);
        *fd = -1;
    }
}

// SHA-256 of bytes as 64 lower-case hexadecimal digits and a NUL.
void sha256_hex(const void *bytes, size_t count, char text[65]);

#define DIGEST_BYTES 65  // 64 hexadecimal digits and the final NUL

struct digest {
    FILE *stream;
    char *text;
    size_t bytes;
    enum status status;
    struct error err;
};

void digest_begin(struct digest *digest);

// Adds a text with its final NUL, so that two texts never run together.
void digest_text(struct digest *digest, const char *text);
void digest_bytes(struct digest *digest, const void *bytes, size_t count);

// Adds the path and the content of a file, or of all files below a folder in the order of their
// names, without those that begin with a dot.  The path is added without its first `strip` bytes,
// as in "lessons/01/exercise.ini", so that a copy in another place has the same digest.
void digest_file(struct digest *digest, const char *path, size_t strip);
void digest_folder(struct digest *digest, const char *folder, size_t strip);

// Adds a program or a library by its real path, inode, size and date, because reading it each time
// would take too long.  A file that does not exist adds only its path.
void digest_program(struct digest *digest, const char *path);

// Errors   the first one of all steps: STATUS_BAD_DATA, STATUS_SYSTEM.
enum status digest_end(struct digest *digest, char ret_hex[DIGEST_BYTES], struct error *err);

#endif
