// A folder is opened as it is, and a package is unpacked in the sandbox.
#include "class/intake/opening.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "judge/source/package.h"
#include "judge/source/submission.h"

#define WRAPPERS_MAX 3  // folders around the class, as archivers make them

// Lists each line "'name': why" of the unpacker; a name holds no quote.
static void left_out_list(const char *left_out, const char *package, struct sources *sources) {
    const char *line = NULL;
    size_t bytes = 0;
    while ((line = text_line(&left_out, &bytes)) != NULL) {
        char said[ERROR_TEXT_MAX];
        (void)snprintf(said, sizeof said, "%.*s", (int)bytes, line);
        char *why = strstr(said, "': ");
        if (why) {
            *why = '\0';
        }
        unmatched_add(sources, why ? said + 1 : package, why ? why + strlen("': ") : said);
    }
}

static enum status package_open_class(const struct class_request *request, int fd,
                                      struct sources *sources, struct opening *opening,
                                      struct error *err) {
    char folder[PATH_BYTES_MAX];
    char *left_out = NULL;
    enum status status =
        package_unpack_tree(request->programs, request->sandbox, request->submissions, fd, true,
                            folder, &left_out, err);
    if (status) {
        return status;
    }
    opening->folder.fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    opening->scratch = strdup(folder);
    if (!opening->scratch || opening->folder.fd < 0) {
        status = fail_errno(err, STATUS_SYSTEM, "%s", folder);
        (void)folder_remove(folder, NULL);
    } else {
        left_out_list(left_out, request->submissions, sources);
    }
    free(left_out);
    return status;
}

bool opening_has_kernel(const struct listing *listing, const struct course *course) {
    for (int i = 0; i < listing->count; i++) {
        const char *name = listing->entry[i].name;
        size_t stem = strcspn(name, ".");
        for (int j = 0; j < course->exercise_count && listing->entry[i].kind != ENTRY_FOLDER; j++) {
            if (strcmp(name + stem, ".cu") == 0 && text_is(name, stem, course->exercises[j].name)) {
                return true;
            }
        }
    }
    return false;
}

// Steps into a folder that is alone.  *ret_stepped: false if it is a class' only submission.
static enum status wrapper_step(struct layout_folder *folder, const struct course *course,
                                bool *ret_stepped, struct error *err) {
    const char *only = folder->listing.entry[0].name;
    struct layout_folder inner = {.roster = folder->roster};
    inner.fd = openat(folder->fd, only, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (inner.fd < 0) {
        return fail_errno(err, status_of_errno(STATUS_BAD_USAGE), "%s", only);
    }
    enum status status = listing_read(inner.fd, ".", &inner.listing, err);
    enum class_layout layout = status ? LAYOUT_AUTO : layout_find(&inner);
    *ret_stepped = layout != LAYOUT_AUTO && !opening_has_kernel(&inner.listing, course) &&
                   (layout != LAYOUT_FOLDERS || inner.listing.count > 1);
    struct layout_folder left = *ret_stepped ? *folder : inner;
    *folder = *ret_stepped ? inner : *folder;
    fd_close(&left.fd);
    listing_done(&left.listing);
    return status;
}

enum status opening_open(const struct class_request *request, const struct roster *roster,
                         struct sources *sources, struct opening *opening, struct error *err) {
    struct layout_folder *folder = &opening->folder;
    struct stat about;
    int fd = -1;
    *opening = (struct opening){.folder = {.fd = -1, .roster = roster}};
    enum status status = submission_open(request->submissions, &fd, err);
    if (status) {
        return status;
    }
    if (fstat(fd, &about) != 0) {
        status = fail_errno(err, STATUS_SYSTEM, "%s", request->submissions);
    } else if (!S_ISDIR(about.st_mode)) {
        status = package_open_class(request, fd, sources, opening, err);
    } else if ((folder->fd = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0) {
        status = fail_errno(err, status_of_errno(STATUS_BAD_USAGE), "%s", request->submissions);
    }
    (void)close(fd);
    if (!status) {
        status = listing_read(folder->fd, ".", &folder->listing, err);
    }
    bool stepped = true;
    for (int i = 0;
         i < WRAPPERS_MAX && !status && stepped && folder->listing.count == 1 &&
         folder->listing.entry[0].kind == ENTRY_FOLDER && layout_find(folder) == LAYOUT_FOLDERS;
         i++) {
        status = wrapper_step(folder, request->course, &stepped, err);
    }
    return status;
}

void opening_close(struct opening *opening) {
    listing_done(&opening->folder.listing);
    fd_close(&opening->folder.fd);
    if (opening->scratch) {
        (void)folder_remove(opening->scratch, NULL);
    }
    free(opening->scratch);
    opening->scratch = NULL;
}

enum status class_looks_like(int folder, const struct course *course, bool *ret_class,
                             struct error *err) {
    struct layout_folder inside = {.fd = folder};
    int submissions = 0;
    enum status status = listing_read(folder, ".", &inside.listing, err);
    if (status) {
        return status;
    }
    enum class_layout layout = layout_find(&inside);
    for (int i = 0; i < inside.listing.count; i++) {
        struct listing inner;
        const struct entry *entry = &inside.listing.entry[i];
        submissions += entry->kind == ENTRY_FILE && package_has_name(entry->name);
        if (entry->kind == ENTRY_FOLDER && !listing_read(folder, entry->name, &inner, NULL)) {
            submissions += opening_has_kernel(&inner, course);
            listing_done(&inner);
        }
    }
    *ret_class = !opening_has_kernel(&inside.listing, course) && layout != LAYOUT_AUTO &&
                 (layout != LAYOUT_FOLDERS || submissions > 1);
    listing_done(&inside.listing);
    return STATUS_OK;
}
