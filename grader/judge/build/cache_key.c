// Names a build by everything that goes into it.
#include "judge/build/cache.h"

#include "base/basics.h"
#include "base/file.h"

#define KEY_FORMAT "tilegrade build key 2"

// The parts of the compiler, besides the program that the plan names.
static const char *const tools[] = {"/usr/bin/as", "/usr/bin/ld", "/usr/bin/objcopy"};

enum status build_cache_key(const struct device_paths *paths, const struct build_plan *plan,
                            struct text text, char ret_key[BUILD_CACHE_KEY_BYTES],
                            struct error *err) {
    struct digest key;
    char path[PATH_BYTES_MAX];
    digest_begin(&key);
    digest_text(&key, KEY_FORMAT);
    digest_bytes(&key, text.at, text.bytes);
    for (int i = 0; i < plan->step_count; i++) {
        for (char *const *argument = plan->step[i].argument; *argument; argument++) {
            digest_text(&key, *argument);
        }
        if (plan->step[i].argument[0][0] == '/') {
            digest_program(&key, plan->step[i].argument[0]);
        }
        digest_text(&key, "");
    }
    for (size_t i = 0; i < COUNT(tools); i++) {
        digest_program(&key, tools[i]);
    }
    digest_folder(&key, paths->include, 0);
    digest_folder(&key, paths->shim, 0);
    static const char *const ours[] = {"emu-worker.o", "libemu-worker.a", "libexpected.a",
                                       "tilegrade-inspect"};
    for (size_t i = 0; i < COUNT(ours); i++) {
        if (!key.status) {
            key.status = path_make(path, &key.err, "%s/%s", paths->programs, ours[i]);
            digest_program(&key, path);
        }
    }
    return digest_end(&key, ret_key, err);
}
