// Reads a package only as a plain file, and lets tilegrade-unpack read it in the box.
#include "judge/source/package.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "judge/source/submission.h"
#include "base/file.h"
#include "base/translate.h"
#include "sandbox/box.h"

#define EXIT_REFUSED 1
#define TRIES        2

static const struct box_limits unpack_limits = {
    .wall_ms = 60 * 1000,
    .cpu_seconds = 20,
    .memory_bytes = 1ull << 30,
    .file_bytes = PACKAGE_FILE_BYTES_MAX,
    .output_bytes = 4096,
    .open_files = 32,
};

// Only a plain file is read as a package.
static enum status source_check(int fd, const char *path, struct error *err) {
    struct stat info;
    if (fstat(fd, &info) != 0) {
        return fail_errno(err, STATUS_SYSTEM, "%s", path);
    }
    if (!S_ISREG(info.st_mode)) {
        return fail(err, STATUS_BAD_USAGE,
                    "%s: neither a folder nor a package; a submission is a folder with kernel "
                    "files, or a .zip or .tar.gz of one",
                    path);
    }
    return info.st_size > (off_t)PACKAGE_SOURCE_MAX
               ? fail(err, STATUS_BAD_USAGE, "%s: larger than %llu MiB", path,
                      PACKAGE_SOURCE_MAX >> 20)
               : STATUS_OK;
}

// "'name': why" of the unpacker, in the language chosen; the name in it holds no quote.
static const char *said_translate(const char *output, char said[ERROR_TEXT_MAX]) {
    char line[ERROR_TEXT_MAX];
    (void)snprintf(line, sizeof line, "%.*s", (int)strcspn(output, "\n"), output);
    const char *why = strstr(line, "': ");
    why = why ? why + 3 : line;
    (void)snprintf(said, ERROR_TEXT_MAX, "%.*s%s", (int)(why - line), line, _(why));
    return said;
}

// *ret_refused: the package itself is at fault.
static enum status unpack_run(const char *programs, const struct sandbox *sandbox, int fd,
                              const char *folder, const char *submission, bool *ret_refused,
                              struct error *err) {
    char program[PATH_BYTES_MAX];
    char said[ERROR_TEXT_MAX];
    struct box *box = NULL;
    enum box_end end = BOX_RUNNING;
    enum status status = path_make(program, err, "%s/tilegrade-unpack", programs);
    if (status) {
        return status;
    }
    char *argument[] = {program, NULL};
    const char *const readable[] = {programs, NULL};
    const struct box_command command = {.argument = argument,
                                        .folder = folder,
                                        .descriptor = &fd,
                                        .descriptor_count = 1,
                                        .limits = unpack_limits,
                                        .sandbox = sandbox,
                                        .profile = PROFILE_TOOL,
                                        .readable = readable};
    status = box_run(&command, &box, &end, err);
    if (!status && end == BOX_SIGNALLED && box_exit_code(box) == 128 + SIGKILL) {
        status = fail(err, STATUS_SYSTEM,
                      "%s: the unpacker was killed; is this machine short of memory?", submission);
    } else if (!status && end != BOX_EXITED) {
        status =
            fail(err, STATUS_BAD_USAGE, "%s: the unpacker reached a resource limit", submission);
    } else if (!status && box_exit_code(box) != 0) {
        *ret_refused = box_exit_code(box) == EXIT_REFUSED;
        status = fail(err, *ret_refused ? STATUS_BAD_USAGE : STATUS_SYSTEM, "%s: %s", submission,
                      said_translate(box_output(box), said));
    }
    box_free(box);
    return status;
}

static enum status package_unpack(const char *programs, const struct sandbox *sandbox,
                                  const char *submission, int fd, int *ret_folder,
                                  struct error *err) {
    char folder[PATH_BYTES_MAX];
    bool refused = true;
    enum status status = source_check(fd, submission, err);
    // A machine in trouble may make a good package look damaged, but rarely twice.
    for (int try = 0; try < TRIES && refused && (!status || try > 0); try++) {
        refused = false;
        status = lseek(fd, 0, SEEK_SET) == 0 ? box_scratch_make(sandbox, folder, err)
                                             : fail_errno(err, STATUS_SYSTEM, "%s", submission);
        if (!status) {
            status = unpack_run(programs, sandbox, fd, folder, submission, &refused, err);
        }
    }
    // The scratch folder is removed with that of the whole run.
    if (!status && (*ret_folder = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC)) < 0) {
        status = fail_errno(err, STATUS_SYSTEM, "%s", folder);
    }
    return status;
}

enum status package_open(const char *programs, const struct sandbox *sandbox,
                         const char *submission, int *ret_folder, struct error *err) {
    struct stat info;
    int fd = -1;
    enum status status = submission_open(submission, &fd, err);
    if (!status && fstat(fd, &info) == 0 && S_ISDIR(info.st_mode)) {
        *ret_folder = fd;
        return STATUS_OK;
    }
    if (!status) {
        status = package_unpack(programs, sandbox, submission, fd, ret_folder, err);
        (void)close(fd);
    }
    return status;
}
