// Names a build by everything that goes into it.
#include "base/array.h"
#include "base/translate.h"
#include "judge/build/cache.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"

#define KEY_FORMAT "tilegrade build key 1"

// The parts of the compiler, besides the program that the plan names.
static const char *const tools[] = {"/usr/bin/as", "/usr/bin/ld", "/usr/bin/objcopy"};

// Adds a text with its final NUL, so that two texts never run together.
static void add_text(FILE *key, const char *text) {
    (void)fwrite(text, 1, strlen(text) + 1, key);
}

static enum status key_add_file(FILE *key, const char *path, struct error *err) {
    char *text = NULL;
    size_t bytes = 0;
    char digest[BUILD_CACHE_KEY_BYTES];
    enum status status = file_read(path, FILE_BYTES_MAX, &text, &bytes, err);
    if (!status) {
        sha256_hex(text, bytes, digest);
        add_text(key, path);
        add_text(key, digest);
        free(text);
    }
    return status;
}

// All files of a folder, in the order of their names.
static enum status key_add_folder(FILE *key, const char *folder, struct error *err) {
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, NULL, alphasort);
    enum status status = STATUS_OK;
    if (count < 0) {
        return fail_errno(err, STATUS_SYSTEM, "%s", folder);
    }
    for (int i = 0; i < count; i++) {
        char path[PATH_BYTES_MAX];
        struct stat info;
        if (!status && entries[i]->d_name[0] != '.') {
            status = path_make(path, err, "%s/%s", folder, entries[i]->d_name);
            if (!status && stat(path, &info) == 0) {
                status = S_ISDIR(info.st_mode) ? key_add_folder(key, path, err)
                                               : key_add_file(key, path, err);
            }
        }
        free(entries[i]);
    }
    free(entries);
    return status;
}

// A program of the system is identified by its real path, its size and its date.
static void key_add_tool(FILE *key, const char *path) {
    char text[PATH_BYTES_MAX + 80];
    struct stat info;
    char *real = realpath(path, NULL);
    if (real && stat(real, &info) == 0) {
        (void)snprintf(text, sizeof text, "%s %lld %lld.%09ld", real, (long long)info.st_size,
                       (long long)info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
        add_text(key, text);
    }
    free(real);
}

enum status build_cache_key(const struct device_paths *paths, const struct build_plan *plan,
                            const char *text, size_t bytes, char ret_key[BUILD_CACHE_KEY_BYTES],
                            struct error *err) {
    char *name = NULL;
    size_t name_bytes = 0;
    FILE *key = open_memstream(&name, &name_bytes);
    char path[PATH_BYTES_MAX];
    if (!key) {
        return fail(err, STATUS_NO_MEMORY, "no memory");
    }
    add_text(key, KEY_FORMAT);
    add_text(key, texts_language());  // a report of the inspector holds sentences
    (void)fwrite(text, 1, bytes, key);
    for (int i = 0; i < plan->step_count; i++) {
        for (char *const *argument = plan->step[i].argument; *argument; argument++) {
            add_text(key, *argument);
        }
        if (plan->step[i].argument[0][0] == '/') {
            key_add_tool(key, plan->step[i].argument[0]);
        }
        add_text(key, "");
    }
    for (size_t i = 0; i < COUNT(tools); i++) {
        key_add_tool(key, tools[i]);
    }
    enum status status = key_add_folder(key, paths->include, err);
    if (!status) {
        status = key_add_folder(key, paths->shim, err);
    }
    static const char *const ours[] = {"libemu-worker.a", "tilegrade-inspect"};
    for (int i = 0; i < 2 && !status; i++) {
        status = path_make(path, err, "%s/%s", paths->programs, ours[i]);
        if (!status) {
            status = key_add_file(key, path, err);
        }
    }
    if (!stream_close(key, &name) && !status) {
        status = fail(err, STATUS_NO_MEMORY, "no memory");
    }
    if (!status) {
        sha256_hex(name, name_bytes, ret_key);
    }
    free(name);
    return status;
}
