// The layers with which this machine can isolate a program, found by trying them, and which of them
// each kind of program gets.
//
// The layers are independent: if a machine does not offer one, the others still hold.  A layer
// counts as on only if it stopped a child that tried to break it.  Reports name each layer.
//
// Source of the layers and of where each works: facts measured for this project; see
// grader/THREATS.md and grader/README.md, "The sandbox".
#ifndef SANDBOX_SANDBOX_H
#define SANDBOX_SANDBOX_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

// X(enumerator, name in reports)
#define SANDBOX_LAYERS(X)                                                                          \
    X(LAYER_SECCOMP, "seccomp")                                                                    \
    X(LAYER_LANDLOCK, "landlock")                                                                  \
    X(LAYER_USER, "own-user")                                                                      \
    X(LAYER_NAMESPACES, "namespaces")                                                              \
    X(LAYER_ROOT, "own-root")

#define LAYER_ENUMERATOR(enumerator, name) enumerator,
enum sandbox_layer { SANDBOX_LAYERS(LAYER_ENUMERATOR) LAYER_COUNT };
#undef LAYER_ENUMERATOR
const char *sandbox_layer_name(enum sandbox_layer layer);  // as reports name it

// Which layers must hold before anything of a submission is run.
enum sandbox_policy {
    POLICY_DEFAULT,  // seccomp or namespaces; and Landlock, a separate user or a separate root
    POLICY_STRICT,   // seccomp and Landlock; and a separate user or namespaces
    POLICY_UNSAFE,   // nothing beyond limits, and every result says so
    POLICY_COUNT
};
const char *sandbox_policy_name(enum sandbox_policy policy);  // "default" …

// The kind of a program, which decides what it may do.
enum box_profile {
    PROFILE_OWN,      // ours, without data of a submission: only limits
    PROFILE_TOOL,     // handles files of a student (compilers, the inspector): reads the system's
                      // programs and its inputs, writes its folder, has no network
    PROFILE_KERNEL,   // runs a student's code: only the system calls of the CPU device's worker
    PROFILE_PROGRAM,  // runs a student's whole program: reads its folder, writes nothing, has no
                      // network
    PROFILE_WRITER,   // the same, and writes its folder, which has nothing but its files
    PROFILE_GPU,      // talks to the driver for a student's code: no network, writes its folder
    PROFILE_COUNT
};

struct box_limits {
    uint64_t wall_ms;  // from the start until it is killed with its whole process group; 0 = none
    uint64_t cpu_seconds;   // RLIMIT_CPU
    uint64_t memory_bytes;  // RLIMIT_AS; 0 = none (a CUDA process reserves huge ranges)
    uint64_t file_bytes;    // RLIMIT_FSIZE
    uint64_t output_bytes;  // stdout and stderr together; more is box_end OUTPUT_LIMIT
    uint64_t open_files;    // RLIMIT_NOFILE
    uint64_t processes;     // RLIMIT_NPROC; 0 = none
};

#define LAYER_WHY_BYTES 160

// A variable of the environment with layers that are turned off, such as "seccomp,own-user", so
// that tests see how the others hold alone.  The requirements of the policy stay the same.
#define SANDBOX_WITHOUT "TILEGRADE_SANDBOX_WITHOUT"

struct sandbox {
    enum sandbox_policy policy;
    bool on[LAYER_COUNT];
    char why[LAYER_COUNT][LAYER_WHY_BYTES];  // for a layer that is off: the reason
    int landlock_abi;
    unsigned namespaces;  // CLONE_NEW flags, without the one for the root
    uid_t uid;            // of the programs; 0: the user of this process
    struct sock_fprog filter[PROFILE_COUNT];
};

// Tries every layer.  needed: folders and programs that other programs must be able to read and
// execute, NULL-terminated.
// Errors: STATUS_UNAVAILABLE if the layers that hold do not satisfy the policy, with the remedy.
// Owns: the caller frees with sandbox_close.
enum status sandbox_open(enum sandbox_policy policy, const char *const *needed,
                         struct sandbox **ret_sandbox, struct error *err);
void sandbox_close(struct sandbox *sandbox);

// True if the user that programs run as may enter a folder (a real path) that they may read.  With
// a root of their own, its parents are theirs.
bool sandbox_enters(const struct sandbox *sandbox, const char *folder);
// True if the number of a program's processes can be limited without counting other processes of
// its user: with a separate user or a user namespace.
bool sandbox_counts_processes(const struct sandbox *sandbox);

// One line for reports and the doctor, such as "limits, seccomp, landlock; without own-user (only
// root can change the user)".  NULL: no layers, as for POLICY_UNSAFE.
#define SANDBOX_TEXT_BYTES 900
void sandbox_text(const struct sandbox *sandbox, char text[SANDBOX_TEXT_BYTES]);

// --- Parts of sandbox_open

// Turns each layer of *sandbox on, or off with the reason; `needed` as for sandbox_open.
// Errors  STATUS_SYSTEM.  A layer that is not offered is not an error.
enum status sandbox_probe(struct sandbox *sandbox, const char *const *needed, struct error *err);

// Makes the filter of a profile, an allow-list for PROFILE_KERNEL and a deny-list for the others.
// exec_path is the address of the path of the child's program, the only one that PROFILE_KERNEL may
// execute.  Errors: STATUS_SYSTEM.
// Owns: the caller frees ret_filter->filter.
enum status seccomp_filter_make(enum box_profile profile, const char *exec_path,
                                struct sock_fprog *ret_filter, struct error *err);

#endif
