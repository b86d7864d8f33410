// Names a build by everything that goes into it, and keeps it in one file: a head and the bytes of
// each part, and at the end a checksum of all.
#include "judge/compile/build_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/basics.h"
#include "base/file.h"
#include "base/memory.h"
#include "device/build_report.h"

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

#define NAME_MAX_BYTES 64
#define PARTS_MAX      32
#define OUTPUT_NAME    "output %d"  // what a step printed; no file has a space in its name
#define FORMAT         "tilegrade build 2\n"
#define PROGRAM_MODE   0755  // for the worker, which may run as another user

struct cached_part {
    char name[NAME_MAX_BYTES];
    uint64_t bytes;
};

// Shows a file that is cut or damaged.  A digest of 2 MB would take 10 ms.
static uint64_t checksum_of(const char *data, size_t bytes) {
    uint64_t sum = bytes;
    uint64_t word = 0;
    for (size_t at = 0; at < bytes; at += sizeof word) {
        size_t left = bytes - at;
        word = 0;
        memcpy(&word, data + at, left < sizeof word ? left : sizeof word);
        sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        sum ^= sum >> 32;
    }
    return sum;
}

// --- Taking ------------------------------------------------------------------

static bool part_write(const char *scratch, const struct cached_part *part, const char *data) {
    struct error err;
    char path[PATH_BYTES_MAX];
    FILE *file = NULL;
    if (path_make(path, &err, "%s/%s", scratch, part->name) == STATUS_OK) {
        file = fopen(path, "wbx");  // fails if the file exists: the folder is new
    }
    if (!file) {
        return false;
    }
    bool written = fwrite(data, 1, part->bytes, file) == part->bytes;
    written = fchmod(fileno(file), PROGRAM_MODE) == 0 && written;
    return fclose(file) == 0 && written;
}

static bool part_take(const struct cached_part *part, const char *data, const char *scratch,
                      int step_count, char **outputs) {
    int step = -1;
    char rest;
    if (sscanf(part->name, OUTPUT_NAME "%c", &step, &rest) == 1) {
        bool known = step >= 0 && step < step_count && !outputs[step];
        if (known) {
            outputs[step] = xstrndup(data, part->bytes);
        }
        return known;
    }
    return !strchr(part->name, '/') && part->name[0] != '.' && part_write(scratch, part, data);
}

// True if the checksum at the end is that of the bytes before it.
static bool is_whole(const char *data, size_t bytes) {
    uint64_t sum = 0;
    size_t head = sizeof FORMAT - 1;
    if (bytes < head + sizeof sum || memcmp(data, FORMAT, head) != 0) {
        return false;
    }
    memcpy(&sum, data + bytes - sizeof sum, sizeof sum);
    return sum == checksum_of(data, bytes - sizeof sum);
}

bool build_cache_take(const char *cache, const char *key, const char *scratch, int step_count,
                      char **ret_outputs) {
    struct error err;
    char path[PATH_BYTES_MAX];
    char *data = NULL;
    size_t bytes = 0;
    if (path_make(path, &err, "%s/%s", cache, key) ||
        file_read(path, FILE_BYTES_MAX, &data, &bytes, &err)) {
        return false;
    }
    char *outputs[BUILD_STEPS_MAX] = {NULL};
    bool good = is_whole(data, bytes);
    size_t end = good ? bytes - sizeof(uint64_t) : 0;
    for (size_t at = sizeof FORMAT - 1; good && at < end;) {
        struct cached_part part;
        good = end - at >= sizeof part;
        if (good) {
            memcpy(&part, data + at, sizeof part);
            at += sizeof part;
            good = part.bytes <= end - at && memchr(part.name, '\0', sizeof part.name) &&
                   part_take(&part, data + at, scratch, step_count, outputs);
            at += good ? part.bytes : 0;
        }
    }
    for (int i = 0; i < step_count; i++) {
        good = good && outputs[i];
    }
    for (int i = 0; i < step_count; i++) {
        if (good) {
            ret_outputs[i] = outputs[i];
        } else {
            free(outputs[i]);
        }
    }
    if (good) {
        (void)utimensat(AT_FDCWD, path, NULL, 0);  // used just now
    }
    free(data);
    return good;
}

// --- Keeping -----------------------------------------------------------------

static bool part_add(FILE *entry, const char *name, const char *data, size_t bytes) {
    struct cached_part part = {.bytes = bytes};
    size_t length = strlen(name);
    if (length >= sizeof part.name) {
        return false;
    }
    memcpy(part.name, name, length);
    return fwrite(&part, sizeof part, 1, entry) == 1 && fwrite(data, 1, bytes, entry) == bytes;
}

// Lists the files of a folder.  A folder with anything else in it is not one of our builds.
static bool folder_add(FILE *entry, const char *folder) {
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, NULL, alphasort);
    bool good = count >= 0 && count <= PARTS_MAX;
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        struct error err;
        char path[PATH_BYTES_MAX];
        char *data = NULL;
        size_t bytes = 0;
        bool wanted =
            strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && strcmp(name, BUILD_SOURCE) != 0;
        if (wanted && good) {
            good = !path_make(path, &err, "%s/%s", folder, name) &&
                   !file_read(path, FILE_BYTES_MAX, &data, &bytes, &err) &&
                   part_add(entry, name, data, bytes);
        }
        free(data);
        free(entries[i]);
    }
    free(entries);
    return good;
}

// Removes the least recently used entry if there are too many.
static void cache_bound(const char *cache) {
    struct dirent **entries = NULL;
    int count = scandir(cache, &entries, NULL, alphasort);
    char oldest[PATH_BYTES_MAX] = "";
    struct timespec date = {0};
    for (int i = 0; i < count; i++) {
        struct error err;
        struct stat info;
        char path[PATH_BYTES_MAX];
        if (!path_make(path, &err, "%s/%s", cache, entries[i]->d_name) && lstat(path, &info) == 0 &&
            S_ISREG(info.st_mode) &&
            (oldest[0] == '\0' || info.st_mtim.tv_sec < date.tv_sec ||
             (info.st_mtim.tv_sec == date.tv_sec && info.st_mtim.tv_nsec < date.tv_nsec))) {
            date = info.st_mtim;
            memcpy(oldest, path, sizeof oldest);
        }
        free(entries[i]);
    }
    free(entries);
    if (count > BUILD_CACHE_ENTRIES_MAX + 2) {  // "." and ".."
        (void)unlink(oldest);
    }
}

void build_cache_keep(const char *cache, const char *key, const char *scratch, int step_count,
                      char *const *outputs) {
    struct error err;
    char path[PATH_BYTES_MAX];
    char *data = NULL;
    size_t bytes = 0;
    FILE *entry = xopen_memstream(&data, &bytes);
    bool good = fwrite(FORMAT, 1, sizeof FORMAT - 1, entry) == sizeof FORMAT - 1;
    for (int i = 0; i < step_count; i++) {
        char name[NAME_MAX_BYTES];
        (void)snprintf(name, sizeof name, OUTPUT_NAME, i);
        good = good && part_add(entry, name, outputs[i], strlen(outputs[i]));
    }
    good = good && folder_add(entry, scratch) && fflush(entry) == 0;
    if (good) {
        const uint64_t sum = checksum_of(data, bytes);
        good = fwrite(&sum, sizeof sum, 1, entry) == 1;
    }
    xclose_memstream(entry, &data);
    good = good && bytes <= FILE_BYTES_MAX;
    if (good && !folder_make(cache, &err) && !path_make(path, &err, "%s/%s", cache, key) &&
        !file_write(path, data, bytes, &err)) {
        cache_bound(cache);
    }
    free(data);
}
