// Reads a package only as a plain file, and lets tilegrade-unpack read it in the box.
#include "judge/source/package.h"

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/basics.h"
#include "base/file.h"
#include "base/text.h"
#include "base/words.h"
#include "judge/source/submission.h"
#include "sandbox/box.h"

#define EXIT_REFUSED        1
#define TRIES               2
#define TREE_FILE_BYTES_MAX (PACKAGE_SOURCE_MAX + (1 << 20))  // the unpacker stops before that
#define TREE_OUTPUT_BYTES   (64 << 10)

// A package and what may be taken out of it.
struct unpacking {
    const char *programs;
    const char *script;  // in Python, which reads the package instead; NULL: tilegrade-unpack
    const struct sandbox *sandbox;
    const char *shown;
    int fd;
    uint64_t source_bytes_max;
    bool tree;
    uint64_t entries_max;  // of a tree
    uint64_t bytes_max;
    struct box_limits limits;
};

static const struct box_limits unpack_limits = {
    .wall_ms = 60 * 1000,
    .cpu_seconds = 20,
    .memory_bytes = 1ull << 30,
    .file_bytes = PACKAGE_FILE_BYTES_MAX,
    .output_bytes = 4096,
    .open_files = 32,
};

// Only a plain file is read as a package.
static enum status source_check(const struct unpacking *unpacking, struct error *err) {
    struct stat info;
    if (fstat(unpacking->fd, &info) != 0) {
        return fail_errno(err, STATUS_SYSTEM, "%s", unpacking->shown);
    }
    if (!S_ISREG(info.st_mode)) {
        return fail(err, STATUS_BAD_USAGE,
                    "%s: neither a folder nor a package; a submission is a folder with kernel "
                    "files, or a .zip or .tar.gz of one",
                    unpacking->shown);
    }
    return (uint64_t)info.st_size > unpacking->source_bytes_max
               ? fail(err, STATUS_BAD_USAGE,
                      "%s: larger than %d MiB; unpack it, and name the folder", unpacking->shown,
                      (int)(unpacking->source_bytes_max >> 20))
               : STATUS_OK;
}

// "'name': why" of the unpacker, in the language chosen; the name in it holds no quote.
static const char *said_translate(const char *output, char said[ERROR_TEXT_MAX]) {
    char line[ERROR_TEXT_MAX];
    (void)snprintf(line, sizeof line, "%.*s", (int)strcspn(output, "\n"), output);
    const char *why = strstr(line, "': ");
    why = why ? why + 3 : line;
    (void)snprintf(said, ERROR_TEXT_MAX, "%.*s%s", (int)(why - line), line, _(why));
    text_clean(said);
    return said;
}

// All lines of the unpacker, in the language chosen.
static enum status left_out_keep(const char *output, char **ret_left_out, struct error *err) {
    char said[ERROR_TEXT_MAX];
    size_t bytes = 0;
    *ret_left_out = NULL;
    FILE *stream = open_memstream(ret_left_out, &bytes);
    for (const char *line; stream && (line = text_line(&output, &bytes)) != NULL;) {
        (void)fprintf(stream, "%s\n", said_translate(line, said));
    }
    return stream && stream_close(stream, ret_left_out)
               ? STATUS_OK
               : fail(err, STATUS_NO_MEMORY, "no memory for a package");
}

static enum status end_judge(const struct unpacking *unpacking, const struct box *box,
                             enum box_end end, bool *ret_refused, struct error *err) {
    char said[ERROR_TEXT_MAX];
    int code = box_exit_code(box);
    if (end == BOX_SIGNALLED && code == 128 + SIGKILL) {
        return fail(err, STATUS_SYSTEM,
                    "%s: the unpacker was killed; is this machine short of memory?",
                    unpacking->shown);
    }
    if (end != BOX_EXITED) {
        return fail(err, STATUS_BAD_USAGE, "%s: the unpacker reached a resource limit",
                    unpacking->shown);
    }
    *ret_refused = code == EXIT_REFUSED;
    return code == 0 ? STATUS_OK
                     : fail(err, *ret_refused ? STATUS_BAD_USAGE : STATUS_SYSTEM, "%s: %s",
                            unpacking->shown, said_translate(box_output(box), said));
}

// *ret_refused: the package itself is at fault.
static enum status unpack_run(const struct unpacking *unpacking, const char *folder,
                              bool *ret_refused, char **ret_left_out, struct error *err) {
    char program[PATH_BYTES_MAX];
    char script[PATH_BYTES_MAX];
    char tree[] = "tree";
    char entries[24];
    char bytes[24];
    struct box *box = NULL;
    enum box_end end = BOX_RUNNING;
    enum status status = path_make(program, err, "%s/tilegrade-unpack", unpacking->programs);
    if (status) {
        return status;
    }
    char python[] = "/usr/bin/python3";
    char isolated[] = "-I";
    if (unpacking->script) {
        status = path_make(script, err, "%s", unpacking->script);
        if (status) {
            return status;
        }
    }
    (void)snprintf(entries, sizeof entries, "%" PRIu64, unpacking->entries_max);
    (void)snprintf(bytes, sizeof bytes, "%" PRIu64, unpacking->bytes_max);
    char *own[] = {program, unpacking->tree ? tree : NULL, entries, bytes, NULL};
    char *given[] = {python, isolated, script, NULL};
    char **argument = unpacking->script ? given : own;
    const char *const readable[] = {unpacking->script ? unpacking->script : unpacking->programs,
                                    NULL};
    const struct box_command command = {.argument = argument,
                                        .folder = folder,
                                        .descriptor = &unpacking->fd,
                                        .descriptor_count = 1,
                                        .limits = unpacking->limits,
                                        .sandbox = unpacking->sandbox,
                                        .profile = PROFILE_TOOL,
                                        .readable = readable};
    status = box_run(&command, &box, &end, err);
    if (!status) {
        status = end_judge(unpacking, box, end, ret_refused, err);
    }
    if (!status && ret_left_out) {
        status = left_out_keep(box_output(box), ret_left_out, err);
    }
    box_free(box);
    return status;
}

static enum status package_unpack(const struct unpacking *unpacking,
                                  char ret_folder[PATH_BYTES_MAX], char **ret_left_out,
                                  struct error *err) {
    bool refused = true;
    enum status status = source_check(unpacking, err);
    // A machine in trouble may make a good package look damaged, but rarely twice.
    for (int try = 0; try < TRIES && refused && (!status || try > 0); try++) {
        refused = false;
        status = lseek(unpacking->fd, 0, SEEK_SET) == 0
                     ? box_scratch_make(unpacking->sandbox, ret_folder, err)
                     : fail_errno(err, STATUS_SYSTEM, "%s", unpacking->shown);
        if (!status) {
            status = unpack_run(unpacking, ret_folder, &refused, ret_left_out, err);
            if (status) {
                (void)folder_remove(ret_folder, NULL);
            }
        }
    }
    return status;
}

enum status package_open(const char *programs, const struct sandbox *sandbox,
                         const char *submission, int *ret_folder, struct error *err) {
    char folder[PATH_BYTES_MAX];
    struct stat info;
    struct unpacking unpacking = {.programs = programs,
                                  .sandbox = sandbox,
                                  .shown = submission,
                                  .source_bytes_max = PACKAGE_SOURCE_MAX,
                                  .limits = unpack_limits};
    enum status status = submission_open(submission, &unpacking.fd, err);
    if (!status && fstat(unpacking.fd, &info) == 0 && S_ISDIR(info.st_mode)) {
        *ret_folder = unpacking.fd;
        return STATUS_OK;
    }
    if (!status) {
        status = package_unpack(&unpacking, folder, NULL, err);
        (void)close(unpacking.fd);
    }
    // The scratch folder is removed with that of the whole run.
    if (!status && (*ret_folder = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC)) < 0) {
        status = fail_errno(err, STATUS_SYSTEM, "%s", folder);
    }
    return status;
}

enum status package_unpack_tree(const char *programs, const struct sandbox *sandbox,
                                const char *shown, int fd, bool of_class,
                                char ret_folder[PATH_BYTES_MAX], char **ret_left_out,
                                struct error *err) {
    struct unpacking unpacking = {.programs = programs,
                                  .sandbox = sandbox,
                                  .shown = shown,
                                  .fd = fd,
                                  .source_bytes_max =
                                      of_class ? CLASS_SOURCE_MAX : PACKAGE_SOURCE_MAX,
                                  .tree = true,
                                  .entries_max = of_class ? CLASS_ENTRIES_MAX : PACKAGE_TREE_MAX,
                                  .bytes_max = of_class ? CLASS_BYTES_MAX : PACKAGE_BYTES_MAX,
                                  .limits = unpack_limits};
    unpacking.limits.file_bytes = TREE_FILE_BYTES_MAX;
    unpacking.limits.output_bytes = TREE_OUTPUT_BYTES;
    if (of_class) {
        unpacking.limits.wall_ms *= 20;
        unpacking.limits.cpu_seconds *= 20;
    }
    return package_unpack(&unpacking, ret_folder, ret_left_out, err);
}

enum status package_read(const char *script, const struct sandbox *sandbox, const char *shown,
                         int fd, char ret_folder[PATH_BYTES_MAX], struct error *err) {
    struct unpacking unpacking = {.programs = "",
                                  .script = script,
                                  .sandbox = sandbox,
                                  .shown = shown,
                                  .fd = fd,
                                  .source_bytes_max = PACKAGE_SOURCE_MAX,
                                  .limits = unpack_limits};
    unpacking.limits.file_bytes = FILE_BYTES_MAX;
    return package_unpack(&unpacking, ret_folder, NULL, err);
}

bool package_has_name(const char *name) {
    static const char *const ends[] = {".zip",    ".tar", ".tar.gz", ".tgz",
                                       ".tar.xz", ".txz", ".tar.bz2"};
    size_t length = strlen(name);
    for (size_t i = 0; i < COUNT(ends); i++) {
        size_t bytes = strlen(ends[i]);
        if (length > bytes && strcasecmp(name + length - bytes, ends[i]) == 0) {
            return true;
        }
    }
    return false;
}
