// One SHA-256 over many texts and files, to recognise whether anything has changed.
//
// The first failure is kept inside and returned at the end, so that no step needs a check.
#ifndef BASE_DIGEST_H
#define BASE_DIGEST_H

#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

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
// names, without those that begin with a dot.  The path is named from `strip` on, as in
// "lessons/01/exercise.ini", so that a copy in another place has the same digest.
void digest_file(struct digest *digest, const char *path, size_t strip);
void digest_folder(struct digest *digest, const char *folder, size_t strip);

// Adds a program or a library by its real path, inode, size and date, as it is too long to be read
// each time.  One that does not exist adds its path alone.
void digest_program(struct digest *digest, const char *path);

// Errors   the first one of all steps: STATUS_BAD_DATA, STATUS_SYSTEM, STATUS_NO_MEMORY.
enum status digest_end(struct digest *digest, char ret_hex[DIGEST_BYTES], struct error *err);

#endif
