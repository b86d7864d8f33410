// Links of the pages of a course that is written out in part.
#ifndef APP_COURSE_LINKS_H
#define APP_COURSE_LINKS_H

#include "base/error.h"

// Turns each relative link of a page below the folder that leads to no file into its text:
// "[lesson 2](../020_tiled/lesson.md)" becomes "lesson 2".
enum status course_links_drop(const char *folder, struct error *err);

#endif
