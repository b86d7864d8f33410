// Decides whether enough layers hold to run a submission, and describes them for reports. The
// filters of system calls are made once by libseccomp, as BPF programs, so that a child installs
// one with a single call and allocates no memory.
#include "sandbox/sandbox.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <seccomp.h>

#include "base/basics.h"
#include "base/compose.h"
#include "base/file.h"
#include "base/memory.h"

#define NAMESPACE_FLAGS                                                                            \
    (CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWUTS |     \
     CLONE_NEWCGROUP)
#define LIST_END (-1)

// System calls that a static program without threads needs, and those of the worker: memory, its
// channel, its matrices, its own children (blocks of a launch), signals for its crashes, the clock.
static const int kernel_calls[] = {
    SCMP_SYS(read),
    SCMP_SYS(write),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
    SCMP_SYS(futex),
    SCMP_SYS(munmap),
    SCMP_SYS(brk),
    SCMP_SYS(madvise),
    SCMP_SYS(mincore),
    SCMP_SYS(mremap),
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(sigaltstack),
    SCMP_SYS(setitimer),
    SCMP_SYS(arch_prctl),
    SCMP_SYS(set_tid_address),
    SCMP_SYS(set_robust_list),
    SCMP_SYS(rseq),
    SCMP_SYS(getrandom),
    SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_nanosleep),
    SCMP_SYS(nanosleep),
    SCMP_SYS(getrusage),
    SCMP_SYS(getpid),
    SCMP_SYS(gettid),
    SCMP_SYS(getppid),
    SCMP_SYS(sched_yield),
    SCMP_SYS(pread64),
    SCMP_SYS(pwrite64),
    SCMP_SYS(sendto),
    SCMP_SYS(recvfrom),
    SCMP_SYS(sendmsg),
    SCMP_SYS(recvmsg),
    SCMP_SYS(poll),
    SCMP_SYS(ppoll),
    SCMP_SYS(wait4),
    SCMP_SYS(waitid),
    SCMP_SYS(close),
    SCMP_SYS(pipe2),
    SCMP_SYS(restart_syscall),
    LIST_END,
};

// Calls that a static program makes at its start but does not need.
static const struct {
    int call;
    int error;
} kernel_refused[] = {
    {SCMP_SYS(readlink), ENOENT}, {SCMP_SYS(readlinkat), ENOENT}, {SCMP_SYS(newfstatat), ENOENT},
    {SCMP_SYS(fstat), EBADF},     {SCMP_SYS(clone3), ENOSYS},     {SCMP_SYS(tgkill), EPERM},
    {SCMP_SYS(ioctl), ENOTTY},
};

// Calls that no compiler or driver needs, and that programs have used to break out.
static const int tool_denied[] = {
#ifndef __SANITIZE_ADDRESS__  // LeakSanitizer examines its own process
    SCMP_SYS(ptrace),
#endif
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev),
    SCMP_SYS(pidfd_getfd),
    SCMP_SYS(keyctl),
    SCMP_SYS(add_key),
    SCMP_SYS(request_key),
    SCMP_SYS(mount),
    SCMP_SYS(umount2),
    SCMP_SYS(pivot_root),
    SCMP_SYS(chroot),
    SCMP_SYS(move_mount),
    SCMP_SYS(open_tree),
    SCMP_SYS(fsopen),
    SCMP_SYS(fsmount),
    SCMP_SYS(fspick),
    SCMP_SYS(mount_setattr),
    SCMP_SYS(io_uring_setup),
    SCMP_SYS(io_uring_enter),
    SCMP_SYS(io_uring_register),
    SCMP_SYS(bpf),
    SCMP_SYS(userfaultfd),
    SCMP_SYS(perf_event_open),
    SCMP_SYS(unshare),
    SCMP_SYS(setns),
    SCMP_SYS(kexec_load),
    SCMP_SYS(kexec_file_load),
    SCMP_SYS(init_module),
    SCMP_SYS(finit_module),
    SCMP_SYS(delete_module),
    SCMP_SYS(swapon),
    SCMP_SYS(swapoff),
    SCMP_SYS(reboot),
    SCMP_SYS(acct),
    SCMP_SYS(quotactl),
    SCMP_SYS(syslog),
    SCMP_SYS(open_by_handle_at),
    SCMP_SYS(name_to_handle_at),
    SCMP_SYS(settimeofday),
    SCMP_SYS(clock_settime),
    SCMP_SYS(adjtimex),
    SCMP_SYS(sethostname),
    SCMP_SYS(setdomainname),
    SCMP_SYS(iopl),
    SCMP_SYS(ioperm),
    SCMP_SYS(mknod),
    SCMP_SYS(mknodat),
    LIST_END,
};

// Adds a rule for one call.  A call that this machine's kernel or libseccomp does not know is not a
// hole.
static int rule(scmp_filter_ctx context, uint32_t action, int call) {
    int failed = seccomp_rule_add(context, action, call, 0);
    return failed == -EDOM || failed == -EEXIST || failed == -EACCES ? 0 : failed;
}

static int rules(scmp_filter_ctx context, uint32_t action, const int *calls) {
    int failed = 0;
    for (int i = 0; !failed && calls[i] != LIST_END; i++) {
        failed = rule(context, action, calls[i]);
    }
    return failed;
}

static int kernel_rules(scmp_filter_ctx context, const char *exec_path) {
    int failed = rules(context, SCMP_ACT_ALLOW, kernel_calls);
    for (size_t i = 0; !failed && i < COUNT(kernel_refused); i++) {
        failed = rule(context, SCMP_ACT_ERRNO((uint32_t)kernel_refused[i].error),
                      kernel_refused[i].call);
    }
    // Executable memory would be code that the inspector has not seen.
    static const int memory_calls[] = {SCMP_SYS(mmap), SCMP_SYS(mprotect)};
    for (size_t i = 0; !failed && i < 2; i++) {
        failed = seccomp_rule_add(context, SCMP_ACT_ALLOW, memory_calls[i], 1,
                                  SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
    }
    if (!failed) {  // limits may be read, not set
        failed = seccomp_rule_add(context, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 1,
                                  SCMP_A2(SCMP_CMP_EQ, 0, 0));
    }
    if (!failed) {
        failed = seccomp_rule_add(context, SCMP_ACT_ALLOW, SCMP_SYS(prctl), 1,
                                  SCMP_A0(SCMP_CMP_EQ, PR_SET_PDEATHSIG, 0));
    }
    if (!failed) {  // a fork, but neither threads nor namespaces
        failed = seccomp_rule_add(
            context, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1,
            SCMP_A0(SCMP_CMP_MASKED_EQ,
                    ~(uint64_t)(CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | 0xff), 0));
    }
    if (!failed) {
        failed = seccomp_rule_add(context, SCMP_ACT_ALLOW, SCMP_SYS(execve), 1,
                                  SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)(uintptr_t)exec_path, 0));
    }
    return failed;
}

static int tool_rules(scmp_filter_ctx context, enum box_profile profile) {
    uint32_t refuse = SCMP_ACT_ERRNO(EPERM);
    int failed = rules(context, refuse, tool_denied);
    if (!failed) {
        failed = seccomp_rule_add(context, refuse, SCMP_SYS(clone), 1,
                                  SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_NEWUSER, CLONE_NEWUSER));
    }
    if (!failed) {  // no filter sees its flags; after ENOSYS the C library uses clone
        failed = rule(context, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3));
    }
    if (!failed && profile != PROFILE_GPU) {
        failed = rule(context, refuse, SCMP_SYS(socket));
    } else if (!failed) {  // the driver talks to its own services
        failed = seccomp_rule_add(context, refuse, SCMP_SYS(socket), 1,
                                  SCMP_A0(SCMP_CMP_GT, AF_UNIX, 0));
    }
    return failed;
}

// libseccomp writes the finished program to a descriptor, the only way before version 2.6.
static enum status filter_export(scmp_filter_ctx context, struct sock_fprog *ret_filter,
                                 struct error *err) {
    struct stat info;
    struct sock_filter *code = NULL;
    int fd = memfd_create("seccomp", MFD_CLOEXEC);
    enum status status = STATUS_OK;
    if (fd < 0 || seccomp_export_bpf(context, fd) != 0 || fstat(fd, &info) != 0) {
        status = fail_errno(err, STATUS_SYSTEM, "seccomp: cannot create a filter");
        goto out;
    }
    code = xmalloc((size_t)info.st_size);
    if (pread(fd, code, (size_t)info.st_size, 0) != info.st_size) {
        status = fail_errno(err, STATUS_SYSTEM, "seccomp: cannot read a filter");
        goto out;
    }
    ret_filter->len = (unsigned short)((size_t)info.st_size / sizeof *code);
    ret_filter->filter = code;
    code = NULL;

out:
    free(code);
    if (fd >= 0) {
        (void)close(fd);
    }
    return status;
}

enum status seccomp_filter_make(enum box_profile profile, const char *exec_path,
                                struct sock_fprog *ret_filter, struct error *err) {
    bool kernel = profile == PROFILE_KERNEL;
    scmp_filter_ctx context = seccomp_init(kernel ? SCMP_ACT_KILL_PROCESS : SCMP_ACT_ALLOW);
    if (!context) {
        memory_end();
    }
    // System calls of another architecture (32-bit on x86-64) kill the process.
    enum status status = STATUS_OK;
    int failed = seccomp_attr_set(context, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    if (!failed) {
        failed = kernel ? kernel_rules(context, exec_path) : tool_rules(context, profile);
    }
    status = failed ? fail(err, STATUS_SYSTEM, "seccomp: cannot add a rule: %s", strerror(-failed))
                    : filter_export(context, ret_filter, err);
    seccomp_release(context);
    return status;
}

const char *sandbox_layer_name(enum sandbox_layer layer) {
#define LAYER_NAME(enumerator, name) [enumerator] = name,
    static const char *const names[LAYER_COUNT] = {SANDBOX_LAYERS(LAYER_NAME)};
#undef LAYER_NAME
    return names[layer];
}

const char *sandbox_policy_name(enum sandbox_policy policy) {
    static const char *const names[POLICY_COUNT] = {
        [POLICY_DEFAULT] = "default", [POLICY_STRICT] = "strict", [POLICY_UNSAFE] = "unsafe"};
    return names[policy];
}

static bool is_enough(const struct sandbox *sandbox) {
    const bool *on = sandbox->on;
    switch (sandbox->policy) {
    case POLICY_UNSAFE:
        return true;
    case POLICY_STRICT:
        return on[LAYER_SECCOMP] && on[LAYER_LANDLOCK] && (on[LAYER_USER] || on[LAYER_NAMESPACES]);
    default:
        return (on[LAYER_SECCOMP] || on[LAYER_NAMESPACES]) &&
               (on[LAYER_LANDLOCK] || on[LAYER_USER] || on[LAYER_ROOT]);
    }
}

static enum status refuse(const struct sandbox *sandbox, struct error *err) {
    char text[SANDBOX_TEXT_BYTES];
    sandbox_text(sandbox, text);
    return fail(err, STATUS_UNAVAILABLE,
                "this machine cannot isolate a submission well enough (%s). Run as root, or on "
                "Linux 5.13 or newer with Landlock and seccomp. --sandbox=unsafe runs without "
                "isolation: use it only for files that you trust",
                text);
}

enum status sandbox_open(enum sandbox_policy policy, const char *const *needed,
                         struct sandbox **ret_sandbox, struct error *err) {
    struct sandbox *sandbox = xcalloc(1, sizeof *sandbox);
    sandbox->policy = policy;
    enum status status = STATUS_OK;
    if (policy != POLICY_UNSAFE) {
        status = sandbox_probe(sandbox, needed, err);
        if (!status && !is_enough(sandbox)) {
            status = refuse(sandbox, err);
        }
    }
    if (status) {
        sandbox_close(sandbox);
        return status;
    }
    *ret_sandbox = sandbox;
    return STATUS_OK;
}

void sandbox_close(struct sandbox *sandbox) {
    if (sandbox) {
        for (int i = 0; i < PROFILE_COUNT; i++) {
            free(sandbox->filter[i].filter);
        }
        free(sandbox);
    }
}

bool sandbox_enters(const struct sandbox *sandbox, const char *folder) {
    struct stat status;
    char path[PATH_BYTES_MAX];
    if (!sandbox || !sandbox->on[LAYER_USER]) {
        return true;
    }
    bool good = path_make(path, NULL, "%s", folder) == STATUS_OK;
    for (char *end = path + strlen(path); good && end && end != path; end = strrchr(path, '/')) {
        *end = '\0';
        good = stat(path, &status) == 0 && status.st_mode & S_IXOTH;
        if (sandbox->on[LAYER_ROOT]) {
            break;
        }
    }
    return good;
}

bool sandbox_counts_processes(const struct sandbox *sandbox) {
    return sandbox && (sandbox->on[LAYER_USER] || (sandbox->on[LAYER_NAMESPACES] &&
                                                   (sandbox->namespaces & CLONE_NEWUSER) != 0));
}

// The layers in reports: in English by their names, which variables take in every language.
static const char *const shown[LAYER_COUNT] = {
    [LAYER_SECCOMP] = "seccomp",   [LAYER_LANDLOCK] = "landlock",
    [LAYER_USER] = N_("own-user"), [LAYER_NAMESPACES] = N_("namespaces"),
    [LAYER_ROOT] = N_("own-root"),
};

// Adds a layer to a list: "seccomp, own-root (namespaces are not available)".
static void list_add(char list[SANDBOX_TEXT_BYTES], const char *name, const char *why) {
    char item[SANDBOX_TEXT_BYTES];
    char before[SANDBOX_TEXT_BYTES];
    if (why[0] == '\0') {
        (void)snprintf(item, sizeof item, "%s", name);
    } else {
        words_write(item, sizeof item, C_("list", "%s (%s)"), name, why);
    }
    if (list[0] == '\0') {
        (void)snprintf(list, SANDBOX_TEXT_BYTES, "%s", item);
        return;
    }
    (void)snprintf(before, sizeof before, "%s", list);
    words_write(list, SANDBOX_TEXT_BYTES, C_("list", "%s, %s"), before, item);
}

void sandbox_text(const struct sandbox *sandbox, char text[SANDBOX_TEXT_BYTES]) {
    char on[SANDBOX_TEXT_BYTES] = "";
    char off[SANDBOX_TEXT_BYTES] = "";
    if (!sandbox || sandbox->policy == POLICY_UNSAFE) {
        words_write(text, SANDBOX_TEXT_BYTES,
                    "UNSAFE, as requested: only limits, process group, clean environment, no new "
                    "privileges");
        return;
    }
    list_add(on, _("limits, process group, clean environment, no new privileges"), "");
    for (int i = 0; i < LAYER_COUNT; i++) {
        list_add(sandbox->on[i] ? on : off, shown[i], sandbox->why[i]);
    }
    words_write(text, SANDBOX_TEXT_BYTES, off[0] == '\0' ? "%s" : _("%s; without %s"), on, off);
}
