// The layouts of downloads: which one a folder has, and who handed in what.
#ifndef CLASS_INTAKE_LAYOUT_H
#define CLASS_INTAKE_LAYOUT_H

#include "class/intake/listing.h"
#include "class/intake/roster.h"
#include "class/intake/source.h"

struct layout_folder {
    int fd;  // open
    struct listing listing;
    const struct roster *roster;  // NULL: none
};

// The layout that the names fit; LAYOUT_AUTO if there is neither a folder nor a package in it.
enum class_layout layout_find(const struct layout_folder *folder);

// Adds a source for each submission and student, and lists all else as unmatched.
// Errors: STATUS_BAD_USAGE: nothing fits this layout.  STATUS_BAD_DATA: Gradescope's table.  These,
// too, are kept in `sources`.
void layout_read(enum class_layout layout, const struct layout_folder *folder,
                 struct sources *sources);

#endif
