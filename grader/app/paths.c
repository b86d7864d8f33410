// The program is started from anywhere: by make in the course, by CI with --root, by hand in
// student/.
#include "app/paths.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/compiler.h"
#include "base/file.h"

static bool folder_is(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

// Shortens start, an absolute path, to the nearest folder upward that holds the folder `part`.
static bool upward_find(char start[PATH_BYTES_MAX], const char *part) {
    for (;;) {
        char wanted[PATH_BYTES_MAX];
        if (!path_make(wanted, NULL, "%s/%s", start, part) && folder_is(wanted)) {
            return true;
        }
        char *slash = strrchr(start, '/');
        if (!slash) {
            return false;
        }
        *slash = '\0';
    }
}

static enum status program_folder(char path[PATH_BYTES_MAX], struct error *err) {
    ssize_t length = readlink("/proc/self/exe", path, PATH_BYTES_MAX - 1);
    if (length < 0) {
        return fail_errno(err, STATUS_SYSTEM, "/proc/self/exe");
    }
    path[length] = '\0';
    *strrchr(path, '/') = '\0';
    return STATUS_OK;
}

static enum status root_find(const char *asked, const char *programs, bool need_course,
                             struct places *places, struct error *err) {
    char here[PATH_BYTES_MAX];
    char found[PATH_BYTES_MAX];
    if (!getcwd(here, sizeof here)) {
        return fail_errno(err, STATUS_SYSTEM, "working folder");
    }
    if (asked) {
        if (!realpath(asked, found)) {
            return fail_errno(err, STATUS_BAD_USAGE, "%s", asked);
        }
        char lessons[PATH_BYTES_MAX];
        if (path_make(lessons, err, "%s/lessons", found) || !folder_is(lessons)) {
            return fail(err, STATUS_BAD_USAGE, "%s: no course: it holds no folder lessons", asked);
        }
    } else {
        memcpy(found, here, sizeof found);
        if (!upward_find(found, "lessons")) {
            memcpy(found, programs, sizeof found);
            if (!upward_find(found, "lessons")) {
                places->root[0] = '\0';
                places->root_real[0] = '\0';
                return need_course
                           ? fail(err, STATUS_BAD_USAGE,
                                  "no course here: change into its folder or say --root DIR")
                           : STATUS_OK;
            }
        }
    }
    enum status status = path_make(places->root_real, err, "%s", found);
    return status ? status
                  : path_make(places->root, err, "%s", strcmp(found, here) == 0 ? "." : found);
}

enum status places_find(const char *root, bool need_course, struct places *ret_places,
                        struct error *err) {
    struct places places;
    memset(&places, 0, sizeof places);
    enum status status = program_folder(places.device.programs, err);
    if (status) {
        return status;
    }
    char home[PATH_BYTES_MAX];
    memcpy(home, places.device.programs, sizeof home);
    if (!upward_find(home, "grader/include")) {
        return fail(err, STATUS_UNAVAILABLE,
                    "%s: grader/include is not beside the program; keep it in build/",
                    places.device.programs);
    }
    compiler_find(places.device.compiler);
    status = path_make(places.device.include, err, "%s/grader/include", home);
    if (!status) {
        status = path_make(places.device.shim, err, "%s/grader/emu/shim", home);
    }
    if (!status) {
        status = root_find(root, places.device.programs, need_course, &places, err);
    }
    if (!status) {
        *ret_places = places;
    }
    return status;
}

enum status place_make(const struct places *places, char path[PATH_BYTES_MAX], struct error *err,
                       const char *format, ...) {
    char rest[PATH_BYTES_MAX];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(rest, sizeof rest, format, arguments);
    va_end(arguments);
    if (length < 0 || length >= PATH_BYTES_MAX) {
        return fail(err, STATUS_BAD_USAGE, "%.80s…: the path is too long", rest);
    }
    return strcmp(places->root, ".") == 0 ? path_make(path, err, "%s", rest)
                                          : path_make(path, err, "%s/%s", places->root, rest);
}
