// The box: every way in which a program can end, and what it can see of its surroundings.
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "sandbox/box.h"
#include "suite.h"

static char scratch[PATH_BYTES_MAX];

static void setup(void) {
    struct error err;
    ck_assert_int_eq(box_scratch_make(NULL, scratch, &err), STATUS_OK);
}

static void teardown(void) {
    ck_assert_int_eq(folder_remove(scratch, NULL), STATUS_OK);
}

static const struct box_limits usual = {.wall_ms = 60000,
                                        .cpu_seconds = 5,
                                        .memory_bytes = 1ull << 30,
                                        .file_bytes = 1 << 20,
                                        .output_bytes = 64 << 10,
                                        .open_files = 64};

// Far less than what a test starts would take, and long enough for a machine under load.
#define SOON_MS 20000

static uint64_t now_ms(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

// Runs a shell script to its end.  The caller frees the box.
static struct box *script_run(const char *script, struct box_limits limits, enum box_end *ret_end) {
    char *argument[] = {"sh", "-c", (char *)script, NULL};
    const struct box_command command = {.argument = argument, .folder = scratch, .limits = limits};
    struct box *box = NULL;
    struct error err;
    ck_assert_msg(box_start(&command, &box, &err) == STATUS_OK, "%s", err.text);
    ck_assert_msg(box_wait(box, ret_end, &err) == STATUS_OK, "%s", err.text);
    return box;
}

static const struct {
    const char *name, *script;
    enum box_end end;
    int exit_code;
} ends[] = {
    {"exit code", "exit 7", BOX_EXITED, 7},
    {"success", "true", BOX_EXITED, 0},
    {"signal", "kill -SEGV $$", BOX_SIGNALLED, 128 + SIGSEGV},
    {"flood", "while :; do echo 0123456789012345678901234567890123456789; done", BOX_OUTPUT_LIMIT,
     128 + SIGXFSZ},
    {"flood of stderr", "while :; do echo 0123456789012345678901234567890123456789 >&2; done",
     BOX_OUTPUT_LIMIT, 128 + SIGXFSZ},
    {"large file", "head -c 2000000 /dev/zero > f; kill -XFSZ $$", BOX_OUTPUT_LIMIT, 128 + SIGXFSZ},
};

START_TEST(end_is_told_apart) {
    enum box_end end = BOX_RUNNING;
    struct box *box = script_run(ends[_i].script, usual, &end);
    ck_assert_msg(end == ends[_i].end, "%s: end is %d", ends[_i].name, end);
    if (ends[_i].exit_code >= 0) {
        ck_assert_int_eq(box_exit_code(box), ends[_i].exit_code);
    }
    ck_assert_uint_le(strlen(box_output(box)), usual.output_bytes);
    box_free(box);
}
END_TEST

START_TEST(file_size_is_limited) {
    enum box_end end = BOX_RUNNING;
    struct box *box = script_run("head -c 2000000 /dev/zero > f; wc -c < f", usual, &end);
    ck_assert_ptr_nonnull(strstr(box_output(box), "1048576"));
    box_free(box);
}
END_TEST

START_TEST(wall_limit_ends_the_whole_group) {
    struct box_limits limits = usual;
    limits.wall_ms = 2000;  // enough for the shell to begin
    uint64_t start = now_ms();
    enum box_end end = BOX_RUNNING;
    // The child writes its number, so that its death can be seen.
    struct box *box = script_run("sleep 30 & echo $! > child; wait", limits, &end);
    ck_assert_int_eq(end, BOX_WALL_LIMIT);
    ck_assert_uint_lt(now_ms() - start, SOON_MS);
    box_free(box);
    char path[PATH_BYTES_MAX + 16];
    char *text = NULL;
    size_t bytes = 0;
    (void)snprintf(path, sizeof path, "%s/child", scratch);
    ck_assert_int_eq(file_read(path, 100, &text, &bytes, NULL), STATUS_OK);
    pid_t child = (pid_t)strtol(text, NULL, 10);
    free(text);
    ck_assert_int_gt(child, 1);
    for (int i = 0; i < 1000 && kill(child, 0) == 0; i++) {
        // Until init has reaped it, a dead process still has its number: look at its state.
        char state[64];
        (void)snprintf(state, sizeof state, "/proc/%d/stat", (int)child);
        if (file_read(state, 4096, &text, &bytes, NULL) == STATUS_OK) {
            bool dead = strstr(text, ") Z ") != NULL;
            free(text);
            if (dead) {
                return;
            }
        }
        (void)usleep(20000);
    }
    ck_assert_int_ne(kill(child, 0), 0);
}
END_TEST

START_TEST(daemon_that_keeps_the_pipe_does_not_hang) {
    uint64_t start = now_ms();
    enum box_end end = BOX_RUNNING;
    struct box *box = script_run("setsid sh -c 'sleep 30' & echo started; exit 0", usual, &end);
    ck_assert_int_eq(end, BOX_EXITED);
    ck_assert_str_eq(box_output(box), "started\n");
    ck_assert_uint_lt(now_ms() - start, SOON_MS);
    box_free(box);
}
END_TEST

START_TEST(cpu_limit) {
    struct box_limits limits = usual;
    limits.cpu_seconds = 1;
    enum box_end end = BOX_RUNNING;
    struct box *box = script_run("while :; do :; done", limits, &end);
    ck_assert_int_eq(end, BOX_CPU_LIMIT);
    ck_assert_int_eq(box_exit_code(box), 128 + SIGXCPU);
    box_free(box);
}
END_TEST

START_TEST(environment_is_exactly_ours) {
    ck_assert_int_eq(setenv("TILEGRADE_SECRET", "1", 1), 0);
    ck_assert_int_eq(setenv("EXTRA", "yes", 1), 0);
    ck_assert_int_eq(unsetenv("TILEGRADE_ABSENT"), 0);
    const char *passed[] = {"TILEGRADE_ABSENT", "EXTRA", NULL};
    char *argument[] = {"env", NULL};
    const struct box_command command = {
        .argument = argument, .folder = scratch, .passed = passed, .limits = usual};
    struct box *box = NULL;
    struct error err;
    enum box_end end = BOX_RUNNING;
    ck_assert_int_eq(box_start(&command, &box, &err), STATUS_OK);
    ck_assert_int_eq(box_wait(box, &end, &err), STATUS_OK);
    char wanted[PATH_BYTES_MAX + 200];
    (void)snprintf(wanted, sizeof wanted,
                   "PATH=/usr/local/bin:/usr/bin:/bin\nLC_ALL=C\nTMPDIR=%s\nEXTRA=yes\n", scratch);
    ck_assert_str_eq(box_output(box), wanted);
    box_free(box);
}
END_TEST

START_TEST(only_given_descriptors_are_open) {
    // The descriptor is neither close-on-exec nor known to the box, but it must not reach the
    // program.
    int leak = open("/dev/null", O_RDONLY);
    int high = fcntl(leak, F_DUPFD, 200);
    int given[2] = {open("/dev/zero", O_RDONLY | O_CLOEXEC), open("/dev/full", O_RDWR | O_CLOEXEC)};
    ck_assert_int_ge(high, 200);
    // The script does not list the folder, because that would open another descriptor.
    char *argument[] = {
        "sh", "-c",
        "i=0; while [ $i -lt 300 ]; do [ -e /proc/$$/fd/$i ] && echo $i; i=$((i+1)); done; "
        "readlink /proc/$$/fd/0 /proc/$$/fd/3 /proc/$$/fd/4",
        NULL};
    const struct box_command command = {.argument = argument,
                                        .folder = scratch,
                                        .descriptor = given,
                                        .descriptor_count = 2,
                                        .limits = usual};
    struct box *box = NULL;
    struct error err;
    enum box_end end = BOX_RUNNING;
    ck_assert_int_eq(box_start(&command, &box, &err), STATUS_OK);
    ck_assert_int_eq(box_wait(box, &end, &err), STATUS_OK);
    ck_assert_str_eq(box_output(box), "0\n1\n2\n3\n4\n/dev/null\n/dev/zero\n/dev/full\n");
    box_free(box);
    (void)close(leak);
    (void)close(high);
    (void)close(given[0]);
    (void)close(given[1]);
}
END_TEST

START_TEST(given_descriptors_may_be_in_each_others_place) {
    // The box must not overwrite one given descriptor with another before it is copied.
    int zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
    int full = open("/dev/full", O_RDWR | O_CLOEXEC);
    (void)dup2(zero, 4);
    (void)dup2(full, 3);
    int given[2] = {4, 3};
    char *argument[] = {"sh", "-c", "readlink /proc/$$/fd/3 /proc/$$/fd/4", NULL};
    const struct box_command command = {.argument = argument,
                                        .folder = scratch,
                                        .descriptor = given,
                                        .descriptor_count = 2,
                                        .limits = usual};
    struct box *box = NULL;
    struct error err;
    enum box_end end = BOX_RUNNING;
    ck_assert_int_eq(box_start(&command, &box, &err), STATUS_OK);
    ck_assert_int_eq(box_wait(box, &end, &err), STATUS_OK);
    ck_assert_str_eq(box_output(box), "/dev/zero\n/dev/full\n");
    box_free(box);
}
END_TEST

START_TEST(no_core_no_stdin_private_files_no_privileges) {
    enum box_end end = BOX_RUNNING;
    struct box *box = script_run(
        "ulimit -c; cat | wc -c; umask; grep NoNewPrivs /proc/self/status; pwd", usual, &end);
    char wanted[PATH_BYTES_MAX + 64];
    (void)snprintf(wanted, sizeof wanted, "0\n0\n0077\nNoNewPrivs:\t1\n%s\n", scratch);
    ck_assert_str_eq(box_output(box), wanted);
    box_free(box);
}
END_TEST

#ifndef __SANITIZE_ADDRESS__  // see sandbox/child.c
START_TEST(memory_is_limited) {
    struct box_limits limits = usual;
    limits.memory_bytes = 64 << 20;
    enum box_end end = BOX_RUNNING;
    struct box *box =
        script_run("head -c 200000000 /dev/zero | tail -c 200000000 | wc -c", limits, &end);
    ck_assert_ptr_null(strstr(box_output(box), "200000000"));
    box_free(box);
}
END_TEST
#endif

START_TEST(peak_of_memory_is_that_of_the_largest_program) {
    enum box_end end;
    struct box *small = script_run("true", usual, &end);
    struct box *large =
        script_run("head -c 100000000 /dev/zero | tail -c 99999999 > /dev/null", usual, &end);
    ck_assert_uint_lt(box_peak_bytes(small), 50000000);
    ck_assert_uint_gt(box_peak_bytes(large), 90000000);
    box_free(small);
    box_free(large);
}
END_TEST

START_TEST(missing_program_is_unavailable) {
    char *names[][2] = {{"no-such-program-here", NULL}, {"/usr/bin/no-such-program-here", NULL}};
    for (size_t i = 0; i < 2; i++) {
        const struct box_command command = {
            .argument = names[i], .folder = scratch, .limits = usual};
        struct box *box = NULL;
        struct error err = {.text = ""};
        ck_assert_int_eq(box_start(&command, &box, &err), STATUS_UNAVAILABLE);
        ck_assert_ptr_nonnull(strstr(err.text, "no-such-program-here"));
        ck_assert_ptr_null(box);
    }
}
END_TEST

START_TEST(missing_folder_is_named) {
    char *argument[] = {"true", NULL};
    const struct box_command command = {
        .argument = argument, .folder = "/no/such/folder", .limits = usual};
    struct box *box = NULL;
    struct error err = {.text = ""};
    ck_assert_int_eq(box_start(&command, &box, &err), STATUS_SYSTEM);
    ck_assert_str_eq(
        err.text,
        "/usr/bin/true: could not be started (working folder): No such file or directory");
}
END_TEST

START_TEST(kill_ends_a_running_program_at_once) {
    char *argument[] = {"sleep", "30", NULL};
    const struct box_command command = {.argument = argument, .folder = scratch, .limits = usual};
    struct box *box = NULL;
    struct error err;
    enum box_end end = BOX_RUNNING;
    uint64_t start = now_ms();
    ck_assert_int_eq(box_start(&command, &box, &err), STATUS_OK);
    ck_assert_int_eq(box_poll(box, 10, &end, &err), STATUS_OK);
    ck_assert_int_eq(end, BOX_RUNNING);
    box_kill(box);
    ck_assert_int_eq(box_poll(box, 0, &end, &err), STATUS_OK);
    ck_assert_int_eq(end, BOX_SIGNALLED);
    ck_assert_int_eq(box_exit_code(box), 128 + SIGKILL);
    ck_assert_uint_lt(now_ms() - start, SOON_MS);
    box_free(box);
    box_free(NULL);
}
END_TEST

START_TEST(exit_code_is_seen_where_children_were_ignored) {
    enum box_end end = BOX_RUNNING;
    (void)signal(SIGCHLD, SIG_IGN);
    struct box *box = script_run("exit 7", usual, &end);
    ck_assert_int_eq(end, BOX_EXITED);
    ck_assert_int_eq(box_exit_code(box), 7);
    box_free(box);
}
END_TEST

START_TEST(output_up_to_the_limit_is_kept_whole) {
    struct box_limits limits = usual;
    limits.output_bytes = 6;
    enum box_end end = BOX_RUNNING;
    struct box *box = script_run("printf 123456", limits, &end);
    ck_assert_int_eq(end, BOX_EXITED);
    ck_assert_str_eq(box_output(box), "123456");
    box_free(box);
    box = script_run("printf 1234567", limits, &end);
    ck_assert_int_eq(end, BOX_OUTPUT_LIMIT);
    ck_assert_str_eq(box_output(box), "123456");
    box_free(box);
}
END_TEST

START_TEST(scratch_is_private) {
    struct stat info;
    ck_assert_int_eq(stat(scratch, &info), 0);
    ck_assert_uint_eq(info.st_mode & 0777, 0700);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("box");
    TCase *cases = tcase_create("box");
    tcase_set_timeout(cases, 120);
    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_loop_test(cases, end_is_told_apart, 0, (int)(sizeof ends / sizeof *ends));
    tcase_add_test(cases, file_size_is_limited);
    tcase_add_test(cases, wall_limit_ends_the_whole_group);
    tcase_add_test(cases, daemon_that_keeps_the_pipe_does_not_hang);
    tcase_add_test(cases, cpu_limit);
    tcase_add_test(cases, environment_is_exactly_ours);
    tcase_add_test(cases, only_given_descriptors_are_open);
    tcase_add_test(cases, given_descriptors_may_be_in_each_others_place);
    tcase_add_test(cases, no_core_no_stdin_private_files_no_privileges);
#ifndef __SANITIZE_ADDRESS__
    tcase_add_test(cases, memory_is_limited);
#endif
    tcase_add_test(cases, peak_of_memory_is_that_of_the_largest_program);
    tcase_add_test(cases, missing_program_is_unavailable);
    tcase_add_test(cases, missing_folder_is_named);
    tcase_add_test(cases, kill_ends_a_running_program_at_once);
    tcase_add_test(cases, exit_code_is_seen_where_children_were_ignored);
    tcase_add_test(cases, output_up_to_the_limit_is_kept_whole);
    tcase_add_test(cases, scratch_is_private);
    suite_add_tcase(suite, cases);
    return suite;
}
