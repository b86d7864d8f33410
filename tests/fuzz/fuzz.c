// See fuzz.h.  Failures of this program itself end it: an input that was not tried proves nothing.
#include "fuzz.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

static char folder[PATH_BYTES_MAX];

void fuzz_demand(int holds, const char *what) {
    if (!holds) {
        (void)fprintf(stderr, "not so: %s\n", what);
        abort();
    }
}

char *fuzz_text(const uint8_t *bytes, size_t count) {
    char *text = malloc(count + 1);
    fuzz_demand(text != NULL, "memory");
    if (count > 0) {
        memcpy(text, bytes, count);
    }
    text[count] = '\0';
    return text;
}

static void folder_leave(void) {
    (void)chdir("/");
    (void)folder_remove(folder, NULL);
}

void fuzz_folder(void) {
    if (folder[0] == '\0') {
        const char *parent = getenv("TMPDIR");
        (void)path_make(folder, NULL, "%s/tilegrade-fuzz.XXXXXX", parent ? parent : "/tmp");
        fuzz_demand(mkdtemp(folder) && chdir(folder) == 0 && atexit(folder_leave) == 0, "a folder");
    }
}

void fuzz_file(const char *path, const void *bytes, size_t count) {
    fuzz_folder();
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0) {
        char parent[PATH_BYTES_MAX];
        (void)path_make(parent, NULL, "%s", path);
        *strrchr(parent, '/') = '\0';
        (void)folder_make(parent, NULL);
        fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    }
    fuzz_demand(fd >= 0 && write(fd, bytes, count) == (ssize_t)count && close(fd) == 0, path);
}
