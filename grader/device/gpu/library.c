// The plain name is tried first, so that LD_LIBRARY_PATH decides.
#include "device/gpu/library.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"

// Folders to look in after the loader's own list.  A leading $NAME is an environment variable; *
// matches names.
static const char *const library_folders[] = {
    "$CUDA_HOME/lib64",
    "$CUDA_PATH/lib64",
    "/usr/local/cuda/lib64",
    "/usr/local/cuda-*/lib64",
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "$VIRTUAL_ENV/lib/python3*/site-packages/nvidia/*/lib",
    "$HOME/.local/lib/python3*/site-packages/nvidia/*/lib",
    "/usr/local/lib/python3*/*-packages/nvidia/*/lib",
    "/usr/lib/python3*/*-packages/nvidia/*/lib",
    "/opt/*/.venv/lib/python3*/site-packages/nvidia/*/lib",
};

bool library_symbol(void *library, const char *name, void *ret_function) {
    void *symbol = dlsym(library, name);
    memcpy(ret_function, &symbol, sizeof symbol);
    return symbol != NULL;
}

// Puts the value of a leading $NAME into pattern.  False if the variable is unset or the result
// too long.
static bool folder_expand(const char *folder, char pattern[PATH_BYTES_MAX]) {
    if (folder[0] != '$') {
        return path_make(pattern, NULL, "%s", folder) == STATUS_OK;
    }
    const char *rest = strchr(folder, '/');
    char name[32];
    (void)snprintf(name, sizeof name, "%.*s", (int)(rest - folder - 1), folder + 1);
    const char *value = getenv(name);
    return value && value[0] == '/' && path_make(pattern, NULL, "%s%s", value, rest) == STATUS_OK;
}

// Tries one file name in every folder that the pattern matches.
static void *load_from(const char *folder, const char *name) {
    char expanded[PATH_BYTES_MAX];
    char pattern[PATH_BYTES_MAX];
    glob_t found = {.gl_pathc = 0};
    void *library = NULL;
    if (!folder_expand(folder, expanded) ||
        path_make(pattern, NULL, "%s/%s", expanded, name) != STATUS_OK) {
        return NULL;
    }
    if (glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = found.gl_pathc; i > 0 && !library; i--) {  // the highest version first
            library = dlopen(found.gl_pathv[i - 1], RTLD_NOW | RTLD_LOCAL);
        }
    }
    globfree(&found);
    return library;
}

void *library_open(const char *const *names, size_t count) {
    size_t folders = COUNT(library_folders);
    void *library = NULL;
    for (size_t i = 0; i < count && !library; i++) {
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    }
    for (size_t i = 0; i < count && !library; i++) {
        for (size_t k = 0; k < folders && !library; k++) {
            library = load_from(library_folders[k], names[i]);
        }
    }
    return library;
}
