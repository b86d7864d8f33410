// A folder without a kernel file is not a zero: it is the folder above the right one, a whole
// class, or something else was handed in.
#include "app/commands/handed_in.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/terminal/terminal.h"
#include "base/array.h"
#include "base/translate.h"

#define FOUND_SHOWN_MAX 8
#define NAME_SHOWN_MAX  60  // bytes of a name
#define CLASS_MIN       2   // submissions of a class

// What is in the folder, by name.
struct found {
    int count;
    char shown[FOUND_SHOWN_MAX * (NAME_SHOWN_MAX + 2) + 8];  // " essay.txt hw/"
    int inner;                       // folders and packages that look like a submission
    char first[NAME_SHOWN_MAX + 1];  // of these
    bool first_is_folder;
};

static bool is_there(int folder, const char *path) {
    struct stat about;
    return fstatat(folder, path, &about, AT_SYMLINK_NOFOLLOW) == 0;
}

static bool has_kernels(int folder, const char *inner, const struct course *course) {
    for (int i = 0; i < course->exercise_count; i++) {
        char path[PATH_BYTES_MAX];
        int length = snprintf(path, sizeof path, "%s%s%s.cu", inner, inner[0] != '\0' ? "/" : "",
                              course->exercises[i].name);
        if (length < (int)sizeof path && is_there(folder, path)) {
            return true;
        }
    }
    return false;
}

static bool ends_with(const char *name, const char *end) {
    size_t length = strlen(name);
    size_t bytes = strlen(end);
    return length > bytes && strcmp(name + length - bytes, end) == 0;
}

// A package, or "name_12345_67890_tiled.cu", as some platforms call what one student handed in.
static bool is_hand_in(const char *name, const struct course *course) {
    static const char *const packages[] = {".zip", ".tar.gz", ".tgz", ".tar.xz", ".tar"};
    for (size_t i = 0; i < COUNT(packages); i++) {
        if (ends_with(name, packages[i])) {
            return true;
        }
    }
    for (int i = 0; i < course->exercise_count; i++) {
        char end[NAME_BYTES_MAX + 8];
        (void)snprintf(end, sizeof end, "_%s.cu", course->exercises[i].name);
        if (ends_with(name, end) && isdigit((unsigned char)name[strlen(name) - strlen(end) - 1])) {
            return true;
        }
    }
    return false;
}

static void found_add(struct found *found, int folder, const char *name,
                      const struct course *course) {
    struct stat about;
    bool is_folder =
        fstatat(folder, name, &about, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(about.st_mode);
    char plain[NAME_SHOWN_MAX + 1];
    terminal_clean_name(name, plain, sizeof plain);
    if (is_folder ? has_kernels(folder, name, course) : is_hand_in(name, course)) {
        if (found->inner++ == 0) {
            (void)snprintf(found->first, sizeof found->first, "%s", plain);
            found->first_is_folder = is_folder;
        }
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

enum status handed_in_check(int folder, const char *shown, const struct course *course,
                            struct error *err) {
    char names[ERROR_TEXT_MAX / 4];
    struct found found = {.count = 0};
    struct dirent **entries = NULL;
    if (has_kernels(folder, "", course)) {
        return STATUS_OK;
    }
    int count = scandirat(folder, ".", &entries, is_visible, alphasort);
    for (int i = 0; i < count; i++) {
        found_add(&found, folder, entries[i]->d_name, course);
        free(entries[i]);
    }
    free(entries);
    if (count < 0) {
        return fail_errno(err, STATUS_SYSTEM, "%s", shown);
    }
    if (found.inner >= CLASS_MIN) {
        return fail(
            err, STATUS_BAD_USAGE,
            "%s: this looks like a class (%d submissions, the first is %s): use `make "
            "class SUBMISSIONS=%s OUT=folder`, or name the folder or package of one student",
            shown, found.inner, found.first, shown);
    }
    if (found.inner == 1 && found.first_is_folder) {
        return fail(err, STATUS_BAD_USAGE,
                    "%s: nothing to grade here; kernel files are in %s/%s: name that folder", shown,
                    shown, found.first);
    }
    if (count > FOUND_SHOWN_MAX) {
        size_t used = strlen(found.shown);
        (void)snprintf(found.shown + used, sizeof found.shown - used, " ...");
    }
    course_names(course, names, sizeof names);
    return count > 0 ? fail(err, STATUS_BAD_USAGE,
                            "%s: nothing to grade here; kernel files are called NAME.cu, with NAME "
                            "one of%s, and there is only%s",
                            shown, names, found.shown)
                     : fail(err, STATUS_BAD_USAGE,
                            "%s: nothing to grade here; the folder is empty, and kernel files are "
                            "called NAME.cu, with NAME one of%s",
                            shown, names);
}
