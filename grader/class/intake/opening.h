// The folder of a class, opened, and stepped into if there is a folder around it.
#ifndef CLASS_INTAKE_OPENING_H
#define CLASS_INTAKE_OPENING_H

#include "class/intake/layout.h"

struct opening {
    struct layout_folder folder;  // fd -1: not open
    char *scratch;                // the package of the class, unpacked; NULL: it is a folder
};

// Opens what the request names.  What is left out of a package is listed in `sources`.
// Errors: STATUS_BAD_USAGE: neither a folder nor a package, or refused.  STATUS_SYSTEM,
// STATUS_NO_MEMORY.
// Owns: the caller closes with opening_close, in any case.
enum status opening_open(const struct class_request *request, const struct roster *roster,
                         struct sources *sources, struct opening *opening, struct error *err);
void opening_close(struct opening *opening);

// True if a kernel file of the course is directly in the folder.
bool opening_has_kernel(const struct listing *listing, const struct course *course);

// True if this folder, which `grade` got as one submission, looks like a class: it has no kernel
// file of the course, and at least two folders or packages in it have, or its names are those of a
// platform.  folder is open (O_PATH is enough).
// Errors: STATUS_SYSTEM, STATUS_NO_MEMORY.
enum status class_looks_like(int folder, const struct course *course, bool *ret_class,
                             struct error *err);

#endif
