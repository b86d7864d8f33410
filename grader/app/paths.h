// The places of the course and of the program's parts.
#ifndef APP_PATHS_H
#define APP_PATHS_H

#include <stdbool.h>

#include "device/compile/build_plan.h"

struct places {
    char root[PATH_BYTES_MAX];       // the course; "." if that is the working folder
    char root_real[PATH_BYTES_MAX];  // the same, absolute
    char templates[PATH_BYTES_MAX];  // grader/templates of the program
    struct device_paths device;
};

// Finds the parts of the program next to the running executable, and the course: `root` if given,
// else the nearest folder upward from the working folder, else from the executable, that holds
// lessons/. With need_course false, a missing course is not an error, and root is "".
// Errors: STATUS_BAD_USAGE: no course; STATUS_SYSTEM.
enum status places_find(const char *root, bool need_course, struct places *ret_places,
                        struct error *err);

// A path below the course's root; the root "." is omitted.
// Errors: STATUS_BAD_USAGE if it is too long.
enum status place_make(const struct places *places, char path[PATH_BYTES_MAX], struct error *err,
                       const char *format, ...) __attribute__((format(printf, 4, 5)));

// A page of the course, in the chosen language: "lessons/verdicts.zh.md#race" in place of
// "lessons/verdicts.md#race", if that file exists below `root`.  Longer text is cut.
void page_in_language(const char *root, char ret_page[PATH_BYTES_MAX], const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
