// A folder without a kernel file is not a zero: it is the folder above the right one, a whole
// class, or something else was handed in.
#include "app/commands/handed_in.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/terminal/terminal.h"
#include "base/translate.h"
#include "base/file.h"
#include "class/intake/kernels.h"
#include "class/intake/opening.h"

#define FOUND_SHOWN_MAX 8
#define NAME_SHOWN_MAX  60  // bytes of a name

// What is in the folder, by name.
struct found {
    int count;
    char shown[FOUND_SHOWN_MAX * (NAME_SHOWN_MAX + 2) + 8];  // " essay.txt hw/"
    char inner[NAME_SHOWN_MAX + 1];                          // a folder with kernel files; "": none
};

// Kernels, or answers if they bring points.
static bool has_kernels(int folder, const char *inner, const struct course *course) {
    for (int i = 0; i < kernels_wanted(course); i++) {
        char path[PATH_BYTES_MAX];
        char name[KERNEL_FILE_BYTES];
        struct stat about;
        kernels_wanted_name(course, i, name);
        if (!path_below(path, NULL, inner, "%s", name) &&
            fstatat(folder, path, &about, AT_SYMLINK_NOFOLLOW) == 0) {
            return true;
        }
    }
    return false;
}

static void found_add(struct found *found, int folder, const char *name,
                      const struct course *course) {
    struct stat about;
    char plain[NAME_SHOWN_MAX + 1];
    bool is_folder =
        fstatat(folder, name, &about, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(about.st_mode);
    terminal_clean_name(name, plain, sizeof plain);
    if (is_folder && has_kernels(folder, name, course)) {
        memcpy(found->inner, plain, sizeof plain);
    }
    if (found->count++ < FOUND_SHOWN_MAX) {
        size_t used = strlen(found->shown);
        (void)snprintf(found->shown + used, sizeof found->shown - used, " %s%s", plain,
                       is_folder ? "/" : "");
    }
}

static int is_visible(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

static enum status found_look(int folder, const char *shown, const struct course *course,
                              struct found *found, struct error *err) {
    struct dirent **entries = NULL;
    int count = scandirat(folder, ".", &entries, is_visible, alphasort);
    for (int i = 0; i < count; i++) {
        found_add(found, folder, entries[i]->d_name, course);
        free(entries[i]);
    }
    free(entries);
    if (count > FOUND_SHOWN_MAX) {
        size_t used = strlen(found->shown);
        (void)snprintf(found->shown + used, sizeof found->shown - used, " ...");
    }
    return count < 0 ? fail_errno(err, STATUS_SYSTEM, "%s", shown) : STATUS_OK;
}

enum status handed_in_check(int folder, const char *shown, const struct course *course,
                            struct error *err) {
    char names[ERROR_TEXT_MAX / 4];
    struct found found = {.count = 0};
    bool is_class = false;
    if (has_kernels(folder, ".", course)) {
        return STATUS_OK;
    }
    enum status status = class_looks_like(folder, course, &is_class, err);
    if (!status) {
        status = found_look(folder, shown, course, &found, err);
    }
    if (status) {
        return status;
    }
    if (is_class) {
        return fail(err, STATUS_BAD_USAGE,
                    "%s: this looks like a class: use `make class SUBMISSIONS=%s OUT=folder`, or "
                    "name the folder or package of one student; there is%s",
                    shown, shown, found.shown);
    }
    if (found.inner[0] != '\0') {
        return fail(err, STATUS_BAD_USAGE,
                    "%s: nothing to grade here; kernel files are in %s/%s: name that folder", shown,
                    shown, found.inner);
    }
    course_names(course, names, sizeof names);
    return found.count > 0
               ? fail(err, STATUS_BAD_USAGE,
                      "%s: nothing to grade here; kernel files are called NAME.cu, with NAME one "
                      "of%s, and there is only%s",
                      shown, names, found.shown)
               : fail(err, STATUS_BAD_USAGE,
                      "%s: nothing to grade here; the folder is empty, and kernel files are called "
                      "NAME.cu, with NAME one of%s",
                      shown, names);
}
