// What is in a folder that comes from outside: names and kinds, in a fixed order.
#ifndef CLASS_INTAKE_LISTING_H
#define CLASS_INTAKE_LISTING_H

#include <stddef.h>

#include "base/error.h"

enum entry_kind { ENTRY_FILE, ENTRY_FOLDER, ENTRY_LINK, ENTRY_OTHER };

struct entry {
    char *name;
    enum entry_kind kind;
};

struct listing {
    int count;
    struct entry *entry;  // by name, byte by byte
};

// Lists `path` below the open folder `at`, without following a link, and without what programs keep
// there for themselves: names that begin with a dot, and archivers' and desktops' own files.
//
// Errors   STATUS_BAD_USAGE: it cannot be read, or has more than LISTING_MAX entries.
//          STATUS_SYSTEM, STATUS_NO_MEMORY.
// Owns     the caller frees with listing_done.
#define LISTING_MAX 100000
enum status listing_read(int at, const char *path, struct listing *ret_listing, struct error *err);
void listing_done(struct listing *listing);

// Reads the first bytes_max bytes of the regular file `name` in the open folder `at`; a NUL byte
// follows the last one.  Follows no link and waits for no pipe.
//
// Errors   STATUS_BAD_USAGE: no regular file, or it may not be read.  STATUS_SYSTEM,
//          STATUS_NO_MEMORY.
// Owns     the caller frees *ret_text.
enum status entry_read(int at, const char *name, size_t bytes_max, char **ret_text,
                       size_t *ret_bytes, struct error *err);

#endif
