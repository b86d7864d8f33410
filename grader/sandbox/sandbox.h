// What this machine can do to shut a program in, found out by trying, and what each kind of program
// gets of it.
//
// Every layer stands by itself, so that one that a machine does not offer leaves the others.  A
// layer counts as on only if a child that tried to break it was stopped.  Reports name each.
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

// How much must hold before anything of a submission is run.
enum sandbox_policy {
    POLICY_DEFAULT,  // seccomp or namespaces, and Landlock, a user or a root of its own
    POLICY_STRICT,   // seccomp and Landlock, and a user of its own or namespaces
    POLICY_UNSAFE,   // nothing beyond limits, and every result says so
    POLICY_COUNT
};
const char *sandbox_policy_name(enum sandbox_policy policy);  // "default" …

// What a program is, and so what it may do.
enum box_profile {
    PROFILE_OWN,     // ours, and sees nothing of a submission: limits alone
    PROFILE_TOOL,    // reads what a student wrote (compilers, the inspector): reads the system's
                     // programs and what it is given, writes its folder, has no network
    PROFILE_KERNEL,  // is what a student wrote: the few system calls of the CPU device's worker
    PROFILE_GPU,     // talks to the driver for what a student wrote: no network, writes its folder
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

#define LAYER_WHY_BYTES 120

// A variable of the environment: layers that count as not offered, "seccomp,own-user", so that
// tests see how the others hold alone.  The policy asks for what it asks for all the same.
#define SANDBOX_WITHOUT "TILEGRADE_SANDBOX_WITHOUT"

struct sandbox {
    enum sandbox_policy policy;
    bool on[LAYER_COUNT];
    char why[LAYER_COUNT][LAYER_WHY_BYTES];  // for a layer that is off: what stopped it
    int landlock_abi;
    unsigned namespaces;  // CLONE_NEW flags, without that of the root
    uid_t uid;            // of the programs; 0: that of this process
    struct sock_fprog filter[PROFILE_COUNT];
};

// Tries every layer.  needed: folders and programs that other programs must be able to read and
// execute, NULL-terminated.
// Errors: STATUS_UNAVAILABLE where less holds than the policy asks for, with the remedy.
// Owns: the caller frees with sandbox_close.
enum status sandbox_open(enum sandbox_policy policy, const char *const *needed,
                         struct sandbox **ret_sandbox, struct error *err);
void sandbox_close(struct sandbox *sandbox);

// True where a program's processes can be limited without counting what else its user runs: it has
// a user of its own, or a user namespace.
bool sandbox_counts_processes(const struct sandbox *sandbox);

// One line for reports and the doctor, such as "limits, seccomp, landlock (version 7), own-user;
// without namespaces (not permitted)".  NULL: the layers that always hold.
#define SANDBOX_TEXT_BYTES 600
void sandbox_text(const struct sandbox *sandbox, char text[SANDBOX_TEXT_BYTES]);

// --- Parts of sandbox_open

// Sets each layer of *sandbox on, or off with the reason; `needed` is that of sandbox_open.
// Errors  STATUS_SYSTEM, STATUS_NO_MEMORY.  A layer that is not offered is none.
enum status sandbox_probe(struct sandbox *sandbox, const char *const *needed, struct error *err);

// Makes the filter of a profile, an allow-list for PROFILE_KERNEL and a deny-list for the others.
// exec_path is the address at which the child keeps the path of its program: the only one that
// PROFILE_KERNEL may execute.  Errors: STATUS_SYSTEM, STATUS_NO_MEMORY.
// Owns: the caller frees ret_filter->filter.
enum status seccomp_filter_make(enum box_profile profile, const char *exec_path,
                                struct sock_fprog *ret_filter, struct error *err);

#endif
