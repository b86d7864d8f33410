// The layers of the sandbox: each program that breaks a layer is stopped, and its near miss is not.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "sandbox/box.h"
#include "suite.h"

static char scratch[PATH_BYTES_MAX];
static struct sandbox *sandbox;

static const struct box_limits usual = {.wall_ms = 20000,
                                        .cpu_seconds = 5,
                                        .file_bytes = 16 << 20,
                                        .output_bytes = 64 << 10,
                                        .open_files = 64};

static void setup(void) {
    static const char *const needed[] = {"/usr", NULL};
    struct error err = {.text = ""};
    ck_assert_msg(sandbox_open(POLICY_DEFAULT, needed, &sandbox, &err) == STATUS_OK, "%s",
                  err.text);
    ck_assert_int_eq(box_scratch_make(sandbox, scratch, &err), STATUS_OK);
}

static void teardown(void) {
    sandbox_close(sandbox);
    sandbox = NULL;
    ck_assert_int_eq(folder_remove(scratch, NULL), STATUS_OK);
}

static struct box *run(const struct box_command *given, enum box_end *ret_end) {
    struct box_command command = *given;
    struct box *box = NULL;
    struct error err = {.text = ""};
    command.limits = usual;
    command.sandbox = sandbox;
    ck_assert_msg(box_start(&command, &box, &err) == STATUS_OK, "%s", err.text);
    ck_assert_msg(box_wait(box, ret_end, &err) == STATUS_OK, "%s", err.text);
    return box;
}

static struct box *script_run(enum box_profile profile, const char *script, enum box_end *ret_end) {
    char *argument[] = {"sh", "-c", (char *)script, NULL};
    const struct box_command command = {
        .argument = argument, .folder = scratch, .profile = profile};
    return run(&command, ret_end);
}

// What a compiler or a driver could be made to do, and what it needs to do.
struct script {
    const char *name, *script;
    enum sandbox_layer layer;  // the layer that decides
    int exit_code;
};

static const struct script tools[] = {
    {"reads a file of the system", "head -c 1 /etc/passwd", LAYER_LANDLOCK, 1},
    {"reads a header of the system", "head -c 1 /usr/include/stdio.h", LAYER_LANDLOCK, 1},
    {"lists the root", "ls /", LAYER_LANDLOCK, 2},
    {"writes outside its folder", "echo x > /tmp/tilegrade-canary", LAYER_LANDLOCK, 2},
    {"runs what it brings into its folder", "cp /bin/true t && ./t", LAYER_LANDLOCK, 0},
    {"writes into its folder", "mkdir a && echo x > a/b && mv a/b c && rm c", LAYER_LANDLOCK, 0},
    {"drops output", "echo x > /dev/null", LAYER_LANDLOCK, 0},
    {"opens a socket", "perl -e 'use Socket; socket(S, PF_INET, SOCK_STREAM, 0) or exit 9'",
     LAYER_SECCOMP, 9},
    {"opens a local socket", "perl -e 'use Socket; socket(S, PF_UNIX, SOCK_STREAM, 0) or exit 9'",
     LAYER_SECCOMP, 9},
    {"opens a pipe", "perl -e 'pipe(A, B) or exit 9'", LAYER_SECCOMP, 0},
    {"sees other processes", "kill -0 $PPID 2>/dev/null && test $PPID != 0", LAYER_NAMESPACES, 1},
    {"has other processes", "true & wait $!", LAYER_NAMESPACES, 0},
    {"learns that a file exists", "test -e /etc/passwd || test -e /usr/include", LAYER_ROOT, 1},
    {"finds its programs", "test -x /usr/bin/as && test -x /bin/sh && test -w .", LAYER_ROOT, 0},
    {"writes into the root", "echo x > /x", LAYER_ROOT, 2},
    {"is root", "test $(id -u) = 0", LAYER_USER, 1},
};

// NVIDIA's driver uses not only its devices: it names its threads through /proc.
static const struct script drivers[] = {
    {"names its thread", "echo cuda > /proc/self/task/$$/comm", LAYER_LANDLOCK, 0},
    {"reads its map", "read -r line < /proc/self/maps", LAYER_LANDLOCK, 0},
    {"writes to a device", "echo x > /dev/null", LAYER_LANDLOCK, 0},
    {"writes into its folder", "echo x > a", LAYER_LANDLOCK, 0},
    {"changes more of its process", "echo 900 > /proc/self/oom_score_adj", LAYER_LANDLOCK, 2},
    {"writes outside its folder", "echo x > /tmp/tilegrade-canary", LAYER_LANDLOCK, 2},
    {"opens a socket", "perl -e 'use Socket; socket(S, PF_INET, SOCK_STREAM, 0) or exit 9'",
     LAYER_SECCOMP, 9},
    {"opens a local socket", "perl -e 'use Socket; socket(S, PF_UNIX, SOCK_STREAM, 0) or exit 9'",
     LAYER_SECCOMP, 0},
};

static void script_check(enum box_profile profile, const struct script *script) {
    enum box_end end = BOX_RUNNING;
    if (!sandbox->on[script->layer]) {
        return;  // test_layers_are_named says which ones this machine has
    }
    struct box *box = script_run(profile, script->script, &end);
    ck_assert_int_eq(end, BOX_EXITED);
    ck_assert_msg(box_exit_code(box) == script->exit_code, "%s: exit code %d, %s", script->name,
                  box_exit_code(box), box_output(box));
    ck_assert_int_ne(access("/tmp/tilegrade-canary", F_OK), 0);
    box_free(box);
}

START_TEST(tool_is_stopped_where_it_must_be) {
    script_check(PROFILE_TOOL, &tools[_i]);
}
END_TEST

START_TEST(driver_is_stopped_where_it_must_be) {
    script_check(PROFILE_GPU, &drivers[_i]);
}
END_TEST

// More than a boxed program may open: they are still open while its limits are set.
START_TEST(open_files_of_the_caller_do_not_count) {
    enum box_end end = BOX_RUNNING;
    for (uint64_t i = 0; i <= usual.open_files; i++) {
        ck_assert_int_ge(open("/dev/null", O_RDONLY | O_CLOEXEC), 0);
    }
    struct box *box = script_run(PROFILE_GPU, "true", &end);
    ck_assert_int_eq(end, BOX_EXITED);
    ck_assert_int_eq(box_exit_code(box), 0);
    box_free(box);
}
END_TEST

// A static program that does one thing, chosen by number, and prints "done" if it was allowed to.
static const char attacker_text[] =
    "#include <fcntl.h>\n#include <poll.h>\n#include <signal.h>\n#include <stdlib.h>\n#include "
    "<string.h>\n"
    "#include <sys/mman.h>\n#include <sys/socket.h>\n#include <sys/syscall.h>\n"
    "#include <sys/wait.h>\n#include <unistd.h>\n"
    "int main(int argc, char **argv) {\n"
    "  int which = argc > 1 ? atoi(argv[1]) : 0, ok = 1;\n"
    "  char *none[] = {\"sh\", 0};\n"
    "  switch (which) {\n"
    "  case 1: open(\"/etc/passwd\", O_RDONLY); break;\n"
    "  case 2: socket(AF_INET, SOCK_STREAM, 0); break;\n"
    "  case 3: execve(\"/bin/sh\", none, 0); break;\n"
    "  case 4: kill(getppid(), SIGKILL); break;\n"
    "  case 5: mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,\n"
    "               -1, 0); break;\n"
    "  case 6: syscall(SYS_clone, 0x10000100 | SIGCHLD, 0, 0, 0, 0); break;\n"
    "  case 7: syscall(SYS_ptrace, 0, 0, 0, 0); break;\n"
    "  case 8: syscall(SYS_unlink, \"worker\"); break;\n"
    "  case 20: { char *m = mmap(0, 1 << 20, PROT_READ | PROT_WRITE,\n"
    "               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); memset(m, 1, 1 << 20);\n"
    "             ok = munmap(m, 1 << 20) == 0; break; }\n"
    "  case 21: { int state = 1; pid_t child = fork(); if (child == 0) _exit(7);\n"
    "             ok = child > 0 && waitpid(child, &state, 0) == child\n"
    "                  && WEXITSTATUS(state) == 7; break; }\n"
    "  case 23: { int children = 0; while (children < 300) { pid_t child = fork();\n"
    "               if (child == 0) { for (;;) { poll(0, 0, -1); } }\n"
    "               if (child < 0) { break; } children++; }\n"
    "             ok = children >= 20 && children < 100; break; }\n"
    "  case 22: { char *m = malloc(1 << 22); ok = m != 0; memset(m, 1, 1 << 22); free(m); break; "
    "}\n"
    "  }\n"
    "  if (ok) { ssize_t n = write(1, \"done\", 4); (void)n; }\n"
    "  return 0;\n}\n";

static const struct {
    const char *name, *number;
    bool stopped;
} kernels[] = {
    {"opens a file", "1", true},
    {"opens a socket", "2", true},
    {"becomes a shell", "3", true},
    {"kills the judge", "4", true},
    {"makes memory that can be executed", "5", true},
    {"makes a user namespace", "6", true},
    {"traces", "7", true},
    {"removes a file", "8", true},
    {"takes and gives back memory", "20", false},
    {"has a child", "21", false},
    {"allocates", "22", false},
};

static void attacker_build(void) {
    char path[PATH_BYTES_MAX];
    enum box_end end = BOX_RUNNING;
    ck_assert_int_eq(path_make(path, NULL, "%s/attacker.c", scratch), STATUS_OK);
    ck_assert_int_eq(file_write(path, attacker_text, sizeof attacker_text - 1, NULL), STATUS_OK);
    char *argument[] = {"gcc", "-static", "-w", "-o", "worker", "attacker.c", NULL};
    const struct box_command command = {
        .argument = argument, .folder = scratch, .limits = usual, .profile = PROFILE_OWN};
    struct box *box = NULL;
    ck_assert_int_eq(box_start(&command, &box, NULL), STATUS_OK);
    ck_assert_int_eq(box_wait(box, &end, NULL), STATUS_OK);
    ck_assert_msg(box_exit_code(box) == 0, "%s", box_output(box));
    box_free(box);
    ck_assert_int_eq(path_make(path, NULL, "%s/worker", scratch), STATUS_OK);
    ck_assert_int_eq(chmod(path, 0755), 0);
}

// Its children wait forever, but end with it.
START_TEST(kernel_cannot_have_any_number_of_processes) {
    char path[PATH_BYTES_MAX];
    enum box_end end = BOX_RUNNING;
    struct box *box = NULL;
    if (!sandbox_counts_processes(sandbox)) {
        return;
    }
    attacker_build();
    ck_assert_int_eq(path_make(path, NULL, "%s/worker", scratch), STATUS_OK);
    char *argument[] = {path, "23", NULL};
    const char *const readable[] = {path, NULL};
    struct box_command command = {.argument = argument,
                                  .folder = scratch,
                                  .limits = usual,
                                  .sandbox = sandbox,
                                  .profile = PROFILE_KERNEL,
                                  .readable = readable};
    command.limits.processes = 32;
    ck_assert_int_eq(box_start(&command, &box, NULL), STATUS_OK);
    ck_assert_int_eq(box_wait(box, &end, NULL), STATUS_OK);
    ck_assert_msg(strcmp(box_output(box), "done") == 0, "end %d, code %d", end, box_exit_code(box));
    box_free(box);
}
END_TEST

START_TEST(kernel_is_ended_where_it_breaks_out) {
    char path[PATH_BYTES_MAX];
    enum box_end end = BOX_RUNNING;
    if (!sandbox->on[LAYER_SECCOMP]) {
        return;
    }
    attacker_build();
    ck_assert_int_eq(path_make(path, NULL, "%s/worker", scratch), STATUS_OK);
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        char *argument[] = {path, (char *)kernels[i].number, NULL};
        const char *const readable[] = {path, NULL};
        const struct box_command command = {.argument = argument,
                                            .folder = scratch,
                                            .profile = PROFILE_KERNEL,
                                            .readable = readable};
        struct box *box = run(&command, &end);
        bool done = strcmp(box_output(box), "done") == 0;
        ck_assert_msg(done != kernels[i].stopped, "%s: end %d, code %d", kernels[i].name, end,
                      box_exit_code(box));
        if (kernels[i].stopped) {
            ck_assert_msg(end == BOX_SIGNALLED && box_exit_code(box) == 128 + SIGSYS,
                          "%s: end %d, code %d", kernels[i].name, end, box_exit_code(box));
        }
        box_free(box);
    }
}
END_TEST

// Every layer is named as on, or as off with the reason.
START_TEST(layers_are_named) {
    char text[SANDBOX_TEXT_BYTES];
    sandbox_text(sandbox, text);
    ck_assert_ptr_nonnull(strstr(text, "limits"));
    for (int i = 0; i < LAYER_COUNT; i++) {
        ck_assert(sandbox->on[i] == (sandbox->why[i][0] == '\0'));
    }
    ck_assert(sandbox->on[LAYER_SECCOMP] || sandbox->on[LAYER_NAMESPACES]);
    int off = 0;
    for (int i = 0; i < LAYER_COUNT; i++) {
        off += !sandbox->on[i];
    }
    ck_assert((strstr(text, "; without ") != NULL) == (off > 0));
}
END_TEST

START_TEST(unsafe_says_so) {
    struct sandbox *unsafe = NULL;
    char text[SANDBOX_TEXT_BYTES];
    ck_assert_int_eq(sandbox_open(POLICY_UNSAFE, NULL, &unsafe, NULL), STATUS_OK);
    sandbox_text(unsafe, text);
    ck_assert_ptr_nonnull(strstr(text, "UNSAFE"));
    for (int i = 0; i < LAYER_COUNT; i++) {
        ck_assert(!unsafe->on[i]);
    }
    sandbox_close(unsafe);
}
END_TEST

// Programs of another user cannot run from a folder that only root may enter.
START_TEST(unreadable_programs_turn_the_user_off) {
    char closed[PATH_BYTES_MAX];
    const char *const needed[] = {closed, NULL};
    struct sandbox *other = NULL;
    if (geteuid() != 0) {
        return;
    }
    ck_assert_int_eq(box_scratch_make(NULL, closed, NULL), STATUS_OK);
    ck_assert_int_eq(sandbox_open(POLICY_DEFAULT, needed, &other, NULL), STATUS_OK);
    ck_assert(!other->on[LAYER_USER]);
    ck_assert_ptr_nonnull(strstr(other->why[LAYER_USER], "cannot be read"));
    sandbox_close(other);
    ck_assert_int_eq(folder_remove(closed, NULL), STATUS_OK);
}
END_TEST

// Another user cannot build below a folder that only root may enter, if it sees the same files.
START_TEST(closed_scratch_turns_the_user_off) {
    static const char *const needed[] = {"/usr", NULL};
    char closed[PATH_BYTES_MAX];
    struct sandbox *other = NULL;
    if (!sandbox->on[LAYER_USER]) {
        return;
    }
    ck_assert_int_eq(box_scratch_make(NULL, closed, NULL), STATUS_OK);
    ck_assert_int_eq(setenv("TMPDIR", closed, 1), 0);
    ck_assert_int_eq(setenv(SANDBOX_WITHOUT, "own-root", 1), 0);
    for (int open = 0; open < 2; open++) {
        ck_assert_int_eq(chmod(closed, open ? 0711 : 0700), 0);
        ck_assert_int_eq(sandbox_open(POLICY_DEFAULT, needed, &other, NULL), STATUS_OK);
        ck_assert(other->on[LAYER_USER] == (open == 1));
        ck_assert(open || strstr(other->why[LAYER_USER], "TMPDIR"));
        sandbox_close(other);
    }
    ck_assert_int_eq(folder_remove(closed, NULL), STATUS_OK);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("sandbox");
    TCase *tcase = tcase_create("layers");
    tcase_set_timeout(tcase, 120);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, tool_is_stopped_where_it_must_be, 0,
                        (int)(sizeof tools / sizeof *tools));
    tcase_add_loop_test(tcase, driver_is_stopped_where_it_must_be, 0,
                        (int)(sizeof drivers / sizeof *drivers));
    tcase_add_test(tcase, open_files_of_the_caller_do_not_count);
    tcase_add_test(tcase, kernel_is_ended_where_it_breaks_out);
    tcase_add_test(tcase, kernel_cannot_have_any_number_of_processes);
    tcase_add_test(tcase, layers_are_named);
    tcase_add_test(tcase, unsafe_says_so);
    tcase_add_test(tcase, unreadable_programs_turn_the_user_off);
    tcase_add_test(tcase, closed_scratch_turns_the_user_off);
    suite_add_tcase(suite, tcase);
    return suite;
}
