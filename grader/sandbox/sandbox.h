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

#endif
