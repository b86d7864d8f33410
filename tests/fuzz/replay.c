// Runs a fuzz target over the files and folders that are named, without a fuzzer.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "fuzz.h"

#define INPUT_BYTES_MAX (16u << 20)

static int run = 0;

// A copy of exactly its size, so that a sanitizer detects a read past its end.
static void file_run(const char *path) {
    char *text = NULL;
    size_t count = 0;
    struct error err = {.text = ""};
    if (file_read(path, INPUT_BYTES_MAX, &text, &count, &err)) {
        (void)fprintf(stderr, "%s\n", err.text);
        exit(EXIT_FAILURE);
    }
    (void)fprintf(stderr, "%s\n", path);
    uint8_t *bytes = malloc(count > 0 ? count : 1);
    fuzz_demand(bytes != NULL, "memory");
    memcpy(bytes, text, count);
    free(text);
    (void)LLVMFuzzerTestOneInput(bytes, count);
    free(bytes);
    run++;
}

static void path_run(const char *path) {
    struct stat info;
    DIR *folder = opendir(path);
    const struct dirent *entry = NULL;
    if (!folder) {
        file_run(path);
        return;
    }
    while ((entry = readdir(folder)) != NULL) {
        char inner[PATH_BYTES_MAX];
        if (entry->d_name[0] != '.' && !path_make(inner, NULL, "%s/%s", path, entry->d_name) &&
            stat(inner, &info) == 0) {
            path_run(inner);
        }
    }
    (void)closedir(folder);
}

int main(int argc, char **argv) {
    (void)LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
    for (int i = 1; i < argc; i++) {
        char path[PATH_BYTES_MAX];
        fuzz_demand(argv[i][0] == '/' && !path_make(path, NULL, "%s", argv[i]), "absolute paths");
        path_run(path);
    }
    (void)printf("%d inputs\n", run);
    return run > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
