// A folder without a kernel file is not a zero: it is the folder above the right one, a whole
// class, or something else was handed in.
#include "app/commands/handed_in.h"

#include <dirent.h>
#include <fcntl.h>
#include <regex.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/terminal/terminal.h"
#include "base/array.h"
#include "base/file.h"
#include "base/translate.h"
#include "exercise/answers.h"
#include "judge/source/package.h"

#define FOUND_SHOWN_MAX 8
#define NAME_SHOWN_MAX  60  // bytes of a name

#define TABLE "submission_metadata.yml"  // of Gradescope

// How platforms name what they hand out (grader/class/intake): Canvas, Moodle, Blackboard.
static const char *const platforms[] = {
    "^.+_[0-9]+_([0-9]+_.|(text|link)\\.html$)|^(LATE_)?anon_[^_]+_[0-9]+_.",
    "^[^_]+(_[0-9]*)?_assignsubmission_",
    "^.+_attempt_[0-9]{4}(-[0-9]{2}){5}(_.|\\.txt$)",
};

#define PLATFORMS COUNT(platforms)

// What is in the folder, by name.
struct found {
    int count;
    int named[PLATFORMS];   // as a platform does
    int folders, clones;    // of these, those with .git
    int packages, holders;  // folders with kernel files
    bool has_table;
    char shown[FOUND_SHOWN_MAX * (NAME_SHOWN_MAX + 2) + 8];  // " essay.txt hw/"
    char inner[NAME_SHOWN_MAX + 1];                          // a folder with kernel files; "": none
};

int handed_in_count(const struct course *course) {
    int count = course->exercise_count + (course->page_count > 0);
    for (int i = 0; i < course->page_count; i++) {
        count += course->pages[i].is_bug;
    }
    return count;
}

void handed_in_name(const struct course *course, int file, char name[HANDED_IN_BYTES]) {
    int left = file - course->exercise_count;
    const char *kernel = left < 0 ? course->exercises[file].name : NULL;
    for (int i = 0; i < course->page_count && left > 0; i++) {
        left -= course->pages[i].is_bug;
        kernel = left == 0 ? course->pages[i].name : NULL;
    }
    (void)snprintf(name, HANDED_IN_BYTES, "%s%s", kernel ? kernel : ANSWERS_FILE,
                   kernel ? ".cu" : "");
}

// Kernels, or answers if they bring points.
static bool has_kernels(int folder, const char *inner, const struct course *course) {
    for (int i = 0; i < handed_in_count(course); i++) {
        char path[PATH_BYTES_MAX];
        char name[HANDED_IN_BYTES];
        struct stat about;
        handed_in_name(course, i, name);
        if (!path_below(path, NULL, inner, "%s", name) &&
            fstatat(folder, path, &about, AT_SYMLINK_NOFOLLOW) == 0) {
            return true;
        }
    }
    return false;
}

// Counts what makes a folder look like a class.
static void class_count(struct found *found, int folder, const char *name, bool is_folder) {
    char path[PATH_BYTES_MAX];
    struct stat about;
    for (size_t i = 0; i < PLATFORMS; i++) {
        regex_t pattern;
        if (regcomp(&pattern, platforms[i], REG_EXTENDED | REG_NOSUB) == 0) {
            found->named[i] += regexec(&pattern, name, 0, NULL, 0) == 0;
            regfree(&pattern);
        }
    }
    found->folders += is_folder;
    found->clones += is_folder && !path_below(path, NULL, name, ".git") &&
                     fstatat(folder, path, &about, AT_SYMLINK_NOFOLLOW) == 0;
    found->packages += !is_folder && package_has_name(name);
    found->has_table = found->has_table || strcmp(name, TABLE) == 0;
}

// True if at least two folders or packages can be students', or the names are those of a platform.
static bool looks_like_class(const struct found *found) {
    bool is_class = found->has_table || found->holders + found->packages > 1 ||
                    (found->clones > 0 && 2 * found->clones >= found->folders + found->packages);
    for (size_t i = 0; i < PLATFORMS; i++) {
        is_class = is_class || (found->named[i] > 0 && 2 * found->named[i] >= found->count);
    }
    return is_class;
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
        found->holders++;
    }
    class_count(found, folder, name, is_folder);
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
    if (has_kernels(folder, ".", course)) {
        return STATUS_OK;
    }
    enum status status = found_look(folder, shown, course, &found, err);
    if (status) {
        return status;
    }
    if (looks_like_class(&found)) {
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
