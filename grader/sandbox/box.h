// Runs an untrusted program with limits, a clean environment, its own process group, captured
// output, only the descriptors passed to it, and the layers of sandbox.h.
#ifndef SANDBOX_BOX_H
#define SANDBOX_BOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "sandbox/sandbox.h"

struct box_command {
    char *const *argument;      // NULL-terminated; argument[0] is a path, or a name found in
                                // /usr/bin and /usr/local/bin
    const char *folder;         // working folder
    const char *const *passed;  // names of variables of our environment that the program gets,
                                // if they are set, as well as PATH, LC_ALL=C, TMPDIR=folder and,
                                // for all but a kernel, the language of our texts; ends in NULL;
                                // NULL = none
    const int *descriptor;      // descriptor[i] becomes descriptor 3 + i in the program
    int descriptor_count;
    struct box_limits limits;
    const struct sandbox *sandbox;  // NULL: only limits
    enum box_profile profile;       // the kind of program
    const char *const *readable;    // also readable and executable, NULL-terminated
    bool shares_streams;  // stdin, stdout and stderr are ours: nothing is captured or counted
};

enum box_end {
    BOX_RUNNING,
    BOX_EXITED,
    BOX_SIGNALLED,
    BOX_WALL_LIMIT,
    BOX_CPU_LIMIT,
    BOX_OUTPUT_LIMIT
};

struct box;

// Starts the program.  Errors: STATUS_SYSTEM, STATUS_UNAVAILABLE (no such program).
enum status box_start(const struct box_command *command, struct box **ret_box, struct error *err);

// Reads captured output and checks whether the program has ended, waiting at most wait_ms.  A
// long-lived worker must be polled, so that its output never blocks it (a waiting session uses
// box_output_fd with poll).
enum status box_poll(struct box *box, int wait_ms, enum box_end *ret_end, struct error *err);
int box_output_fd(const struct box *box);

// Kills the process group and reaps the program.
void box_kill(struct box *box);

// Waits for the end (kills at the wall limit).
enum status box_wait(struct box *box, enum box_end *ret_end, struct error *err);

// Starts the program and waits for its end.  Errors: those of box_start and box_wait.
// Owns: the caller frees *ret_box.
enum status box_run(const struct box_command *command, struct box **ret_box, enum box_end *ret_end,
                    struct error *err);

// Exit code, or 128 + signal: SIGXCPU for the processor time and SIGXFSZ for the output, even if
// the box had to kill it.
int box_exit_code(const struct box *box);

// Peak memory in bytes of a program that has ended: its own, or that of a child that it waited for.
uint64_t box_peak_bytes(const struct box *box);
const char *box_output(const struct box *box);  // captured so far, NUL-terminated, borrowed
void box_free(struct box *box);                 // kills first if it still runs; NULL is fine

// The folder of all scratch folders: $TMPDIR, or /tmp if that is not an absolute path.  Borrowed.
const char *box_scratch_parent(void);

// Makes a private folder for one build under $TMPDIR or /tmp, with mode 700, owned by the user of
// the programs of this sandbox (NULL: of this process).  Errors: STATUS_SYSTEM, which includes a
// folder from which programs cannot be run.
enum status box_scratch_make(const struct sandbox *sandbox, char path[PATH_BYTES_MAX],
                             struct error *err);

#endif
