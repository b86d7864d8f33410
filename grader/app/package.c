// Opens a package only as a plain file, and lets tilegrade-unpack read it in the box.
#include "app/package.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

// Refuses links, devices and pipes, on which open() could block for ever.
static enum status source_open(const char *path, int *ret_fd, struct error *err) {
    struct stat info;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 && errno == ELOOP) {
        return fail(err, STATUS_BAD_USAGE, "%s: a link; name the package itself", path);
    }
    if (fd < 0) {
        return fail_errno(err, status_of_errno(STATUS_BAD_USAGE), "%s", path);
    }
    enum status status = STATUS_OK;
    if (fstat(fd, &info) != 0) {
        status = fail_errno(err, STATUS_SYSTEM, "%s", path);
    } else if (!S_ISREG(info.st_mode)) {
        status = fail(err, STATUS_BAD_USAGE,
                      "%s: neither a folder nor a package; a submission is a folder with kernel "
                      "files, or a .zip or .tar.gz of one",
                      path);
    } else if (info.st_size > (off_t)PACKAGE_SOURCE_MAX) {
        status =
            fail(err, STATUS_BAD_USAGE, "%s: larger than %llu MiB", path, PACKAGE_SOURCE_MAX >> 20);
    }
    if (status) {
        (void)close(fd);
        return status;
    }
    *ret_fd = fd;
    return STATUS_OK;
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
static enum status unpack_run(const struct places *places, const struct sandbox *sandbox, int fd,
                              const char *folder, const char *submission, bool *ret_refused,
                              struct error *err) {
    char program[PATH_BYTES_MAX];
    char said[ERROR_TEXT_MAX];
    struct box *box = NULL;
    enum box_end end = BOX_RUNNING;
    enum status status = path_make(program, err, "%s/tilegrade-unpack", places->device.programs);
    if (status) {
        return status;
    }
    char *argument[] = {program, NULL};
    const char *const readable[] = {places->device.programs, NULL};
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

enum status package_open(const struct places *places, const struct sandbox *sandbox,
                         const char *submission, char ret_folder[PATH_BYTES_MAX],
                         struct error *err) {
    struct stat info;
    char folder[PATH_BYTES_MAX];
    int fd = -1;
    bool refused = true;
    if (stat(submission, &info) != 0) {
        return fail_errno(err, STATUS_SYSTEM, "%s", submission);  // it existed a moment ago
    }
    if (S_ISDIR(info.st_mode)) {
        return path_make(ret_folder, err, "%s", submission);
    }
    enum status status = source_open(submission, &fd, err);
    // A machine in trouble may make a good package look damaged, but rarely twice.
    for (int try = 0; try < TRIES && refused && fd >= 0; try++) {
        refused = false;
        status = lseek(fd, 0, SEEK_SET) == 0 ? box_scratch_make(sandbox, folder, err)
                                             : fail_errno(err, STATUS_SYSTEM, "%s", submission);
        if (!status) {
            status = unpack_run(places, sandbox, fd, folder, submission, &refused, err);
        }
    }
    if (fd >= 0) {
        (void)close(fd);
    }
    if (!status) {
        memcpy(ret_folder, folder, sizeof folder);
    }
    return status;  // the scratch folder goes with the run's own
}
