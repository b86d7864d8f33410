// The program is started from anywhere: by make in the course, by CI with --root, by hand in
// student/.
#include "app/paths.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/toolchain.h"
#include "base/file.h"
#include "base/words.h"

// A folder that may not be read does not count; a failing disk is an error.
static enum status folder_look(const char *path, bool *ret_is, struct error *err) {
    struct stat info;
    bool is = stat(path, &info) == 0;
    if (!is && errno != ENOENT && errno != ENOTDIR && errno != ELOOP && errno != EACCES) {
        return fail_errno(err, STATUS_SYSTEM, "%s", path);
    }
    *ret_is = is && S_ISDIR(info.st_mode);
    return STATUS_OK;
}

// Shortens start, an absolute path, to the nearest folder upward that holds the folder `part`;
// *ret_found is false if there is none.
static enum status upward_find(char start[PATH_BYTES_MAX], const char *part, bool *ret_found,
                               struct error *err) {
    for (;;) {
        char wanted[PATH_BYTES_MAX];
        bool found = false;
        enum status status = path_make(wanted, NULL, "%s/%s", start, part)
                                 ? STATUS_OK
                                 : folder_look(wanted, &found, err);
        char *slash = strrchr(start, '/');
        if (status || found || !slash) {
            *ret_found = found;
            return status;
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

// The requested course.
static enum status root_check(const char *asked, char found[PATH_BYTES_MAX], struct error *err) {
    char lessons[PATH_BYTES_MAX];
    bool is_course = false;
    if (!realpath(asked, found)) {
        return fail_errno(err, status_of_errno(STATUS_BAD_USAGE), "%s", asked);
    }
    enum status status = path_make(lessons, err, "%s/lessons", found);
    if (!status) {
        status = folder_look(lessons, &is_course, err);
    }
    if (!status && !is_course) {
        status =
            fail(err, STATUS_BAD_USAGE, "%s: not a course: the folder 'lessons' is missing", asked);
    }
    return status;
}

// The course around the working folder, else the program's own; "" if there is none.
static enum status root_search(const char *here, const char *programs, bool need_course,
                               char found[PATH_BYTES_MAX], struct error *err) {
    bool is_there = false;
    memcpy(found, here, PATH_BYTES_MAX);
    enum status status = upward_find(found, "lessons", &is_there, err);
    if (!status && !is_there) {
        memcpy(found, programs, PATH_BYTES_MAX);
        status = upward_find(found, "lessons", &is_there, err);
    }
    if (!status && !is_there) {
        found[0] = '\0';
        status = need_course
                     ? fail(err, STATUS_BAD_USAGE,
                            "no course found here: change into its folder or use --root DIR")
                     : STATUS_OK;
    }
    return status;
}

static enum status root_find(const char *asked, const char *programs, bool need_course,
                             struct places *places, struct error *err) {
    char here[PATH_BYTES_MAX];
    char found[PATH_BYTES_MAX];
    if (!getcwd(here, sizeof here)) {
        return fail_errno(err, STATUS_SYSTEM, "working folder");
    }
    enum status status = asked ? root_check(asked, found, err)
                               : root_search(here, programs, need_course, found, err);
    if (!status) {
        status = path_make(places->root_real, err, "%s", found);
    }
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
    bool has_headers = false;
    status = upward_find(home, "grader/include", &has_headers, err);
    if (status) {
        return status;
    }
    if (!has_headers) {
        return fail(err, STATUS_UNAVAILABLE,
                    "%s: grader/include is not next to the program; keep the program in build/",
                    places.device.programs);
    }
    char sources[PATH_BYTES_MAX];
    bool has_sources = false;
    status = path_make(sources, err, "%s/grader/app", home);
    if (!status) {
        status = folder_look(sources, &has_sources, err);
    }
    if (status) {
        return status;
    }
    places.device.is_released = !has_sources;
    compiler_find(places.device.compiler);
    status = path_make(places.device.include, err, "%s/grader/include", home);
    if (!status) {
        status = path_make(places.device.shim, err, "%s/grader/emu/shim", home);
    }
    if (!status) {
        status = path_make(places.templates, err, "%s/grader/templates", home);
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
    va_list arguments;
    va_start(arguments, format);
    enum status status = path_below_list(path, err, places->root, format, arguments);
    va_end(arguments);
    return status;
}

void page_in_language(const char *root, char ret_page[PATH_BYTES_MAX], const char *format, ...) {
    char page[PATH_BYTES_MAX];
    char path[PATH_BYTES_MAX];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(page, sizeof page, format, arguments);
    va_end(arguments);
    struct error ignored;
    const char *spoken = texts_language();
    const char *end = strstr(page, ".md");
    int base = end ? (int)(end - page) : 0;
    if (!end || path_make(path, &ignored, "%s/%.*s.%s.md", root, base, page, spoken) ||
        access(path, R_OK) != 0 ||
        path_make(ret_page, &ignored, "%.*s.%s%s", base, page, spoken, end)) {
        (void)snprintf(ret_page, PATH_BYTES_MAX, "%s", page);
    }
}
