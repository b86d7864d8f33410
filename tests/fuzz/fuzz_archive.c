// A package that a student handed in, taken apart by tilegrade-unpack, in this process: once for
// its kernel files, and once with its folders.
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "fuzz.h"

int unpack_main(int argc, char **argv);
#define main unpack_main
#include "app/programs/unpack.c"
#undef main

#define TAKEN "taken"

// Checks that there are only kernel files with plain names, and no more than allowed.
static void taken_look(void) {
    DIR *folder = opendir(".");
    const struct dirent *entry = NULL;
    struct stat info;
    uint64_t total = 0;
    while ((entry = readdir(folder)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
            continue;
        }
        fuzz_demand(lstat(entry->d_name, &info) == 0 && S_ISREG(info.st_mode), "a regular file");
        fuzz_demand(is_kernel_file(entry->d_name), "a kernel file");
        total += (uint64_t)info.st_size;
    }
    fuzz_demand(total <= PACKAGE_BYTES_MAX, "no more bytes than are allowed");
    (void)closedir(folder);
}

static int entry_look(const char *path, const struct stat *info, int type, struct FTW *walk) {
    (void)path;
    fuzz_demand(type == FTW_F || type == FTW_D, "a file or a folder");
    fuzz_demand(walk->level <= TREE_DEPTH + 1, "no deeper than is allowed");
    fuzz_demand(type == FTW_D || info->st_size <= (off_t)PACKAGE_BYTES_MAX + BLOCK_BYTES,
                "no more bytes than are allowed");
    return 0;
}

static void package_take_apart(bool tree, int quiet) {
    char name[] = "tilegrade-unpack";
    char mode[] = "tree";
    char entries[] = "1000";
    char bytes_max[] = "16777216";
    char *arguments[] = {name, tree ? mode : NULL, entries, bytes_max, NULL};
    // libFuzzer's own files have descriptors after that number.
    int package = open("package", O_RDONLY | O_CLOEXEC);
    fuzz_demand(package >= 0 && mkdir(TAKEN, 0700) == 0 && chdir(TAKEN) == 0, "a folder");
    int saved_package = dup(PACKAGE_FD);
    int saved_output = dup(STDOUT_FILENO);
    (void)dup2(package, PACKAGE_FD);
    (void)dup2(quiet, STDOUT_FILENO);
    int code = unpack_main(tree ? 4 : 1, arguments);
    (void)fflush(stdout);
    (void)dup2(saved_output, STDOUT_FILENO);
    (void)close(saved_output);
    if (package != PACKAGE_FD) {
        (void)close(PACKAGE_FD);
        (void)close(package);
    }
    if (saved_package >= 0) {
        (void)dup2(saved_package, PACKAGE_FD);
        (void)close(saved_package);
    }
    fuzz_demand(code == UNPACKED || code == REFUSED, "no trouble of ours");
    if (tree) {
        fuzz_demand(nftw(".", entry_look, 16, FTW_PHYS) == 0, "a tree");
    } else {
        taken_look();
    }
    fuzz_demand(chdir("..") == 0 && folder_remove(TAKEN, NULL) == STATUS_OK, "the folder goes");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    static int quiet = -1;
    fuzz_file("package", bytes, count);
    if (quiet < 0) {
        quiet = open("/dev/null", O_WRONLY | O_CLOEXEC);
    }
    package_take_apart(false, quiet);
    package_take_apart(true, quiet);
    return 0;
}
