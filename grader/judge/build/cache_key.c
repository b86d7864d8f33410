// Names a build by everything that goes into it.
#include "judge/build/cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/digest.h"
#include "base/file.h"

#define KEY_FORMAT "tilegrade build key 1"

// The parts of the compiler, besides the program that the plan names.
static const char *const tools[] = {"/usr/bin/as", "/usr/bin/ld", "/usr/bin/objcopy"};

// A program of the system is identified by its real path, its size and its date.
static void key_add_tool(struct digest *key, const char *path) {
    char text[PATH_BYTES_MAX + 80];
    struct stat info;
    char *real = realpath(path, NULL);
    if (real && stat(real, &info) == 0) {
        (void)snprintf(text, sizeof text, "%s %lld %lld.%09ld", real, (long long)info.st_size,
                       (long long)info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
        digest_text(key, text);
    }
    free(real);
}

enum status build_cache_key(const struct device_paths *paths, const struct build_plan *plan,
                            const char *text, size_t bytes, char ret_key[BUILD_CACHE_KEY_BYTES],
                            struct error *err) {
    struct digest key;
    char path[PATH_BYTES_MAX];
    digest_begin(&key);
    digest_text(&key, KEY_FORMAT);
    digest_bytes(&key, text, bytes);
    for (int i = 0; i < plan->step_count; i++) {
        for (char *const *argument = plan->step[i].argument; *argument; argument++) {
            digest_text(&key, *argument);
        }
        if (plan->step[i].argument[0][0] == '/') {
            key_add_tool(&key, plan->step[i].argument[0]);
        }
        digest_text(&key, "");
    }
    for (size_t i = 0; i < COUNT(tools); i++) {
        key_add_tool(&key, tools[i]);
    }
    digest_folder(&key, paths->include, 0);
    digest_folder(&key, paths->shim, 0);
    static const char *const ours[] = {"emu-worker.o", "libemu-worker.a", "libexpected.a",
                                       "tilegrade-inspect"};
    for (size_t i = 0; i < COUNT(ours); i++) {
        if (!key.status) {
            key.status = path_make(path, &key.err, "%s/%s", paths->programs, ours[i]);
            digest_file(&key, path, 0);
        }
    }
    return digest_end(&key, ret_key, err);
}
