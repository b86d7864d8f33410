// A separate root: in its mount namespace a program sees only the files passed to it, at their
// usual paths.
//
// Source: Linux manual pages open_tree(2), move_mount(2), pivot_root(2); the order of the last
// steps follows pivot_root(2), NOTES.
#ifndef SANDBOX_ROOT_H
#define SANDBOX_ROOT_H

#include "sandbox/sandbox.h"

#define ROOT_ENTRIES_MAX 40

// One path of the new root, absolute.
struct root_entry {
    const char *path;
    char link[32];  // "usr/lib" if the path is a symbolic link of the system, else ""
    bool folder;
    bool writable;
};

// Made before the fork, because the child must not allocate memory.
struct root_plan {
    int count;
    int trouble;  // errno of a path that could not be examined; 0: none
    struct root_entry entry[ROOT_ENTRIES_MAX];
};

// Lists what a program of this profile sees: what it may read (see landlock_rules), and its folder.
// Paths that do not exist are skipped.  Strings are borrowed.
void root_list(enum box_profile profile, const char *folder, const char *const *readable,
               struct root_plan *ret_plan);

// For the child, in its own mount namespace: makes that root and enters it.  Async-signal-safe; -1
// with errno.
int root_enter(const struct root_plan *plan);

#endif
