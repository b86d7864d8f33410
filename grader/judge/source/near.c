// Looks for a file that was meant: see near.h.
#include "judge/source/near.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#define ENTRIES_MAX   1000  // looked at in a folder that anyone may have filled
#define KERNEL_PREFIX "matmul_"

static bool is_printable(const char *name) {
    for (; *name != '\0'; name++) {
        if (*name < 0x20 || *name > 0x7e || *name == '`') {
            return false;
        }
    }
    return true;
}

// "Tiled.cu" and "matmul_tiled (1).cu" are near tiled.cu; "tiled_old.cu" and "register_tiled.cu"
// are other names.
static bool is_near(const char *name, const char *file) {
    size_t stem = strcspn(file, ".");
    if (strncasecmp(name, KERNEL_PREFIX, strlen(KERNEL_PREFIX)) == 0) {
        name += strlen(KERNEL_PREFIX);
    }
    return strncasecmp(name, file, stem) == 0 && !isalnum((unsigned char)name[stem]) &&
           name[stem] != '_';
}

// True where the entry is a near file, or a folder that holds `file`; writes what is told of it.
static bool entry_look(int folder_fd, const char *name, const char *file, char path[NEAR_PATH_MAX],
                       bool *ret_inside) {
    struct stat about;
    if (name[0] == '.' || !is_printable(name) || strlen(name) + strlen(file) + 2 > NEAR_PATH_MAX ||
        fstatat(folder_fd, name, &about, AT_SYMLINK_NOFOLLOW) != 0) {
        return false;
    }
    *ret_inside = S_ISDIR(about.st_mode);
    (void)snprintf(path, NEAR_PATH_MAX, *ret_inside ? "%s/%s" : "%s", name, file);
    if (*ret_inside) {
        return fstatat(folder_fd, path, &about, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(about.st_mode);
    }
    return S_ISREG(about.st_mode) && is_near(name, file);
}

bool judge_source_near(const char *folder, const char *file, char ret_path[NEAR_PATH_MAX],
                       bool *ret_inside) {
    bool found = false;
    DIR *entries = opendir(folder);
    const struct dirent *entry = NULL;
    for (int i = 0; entries && i < ENTRIES_MAX && (entry = readdir(entries)) != NULL; i++) {
        char path[NEAR_PATH_MAX];
        bool inside = false;
        if (entry_look(dirfd(entries), entry->d_name, file, path, &inside) &&
            (!found || strcmp(path, ret_path) < 0)) {
            memcpy(ret_path, path, sizeof path);
            *ret_inside = inside;
            found = true;
        }
    }
    if (entries) {
        (void)closedir(entries);
    }
    return found;
}
