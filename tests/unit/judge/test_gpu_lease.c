// Leases of a GPU, between processes: who waits for whom, that waiting is reported, and that a
// killed holder releases its lease.
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "judge/run/gpu_lease.h"
#include "scratch.h"
#include "suite.h"

#define UUID "GPU-00000000-0000-0000-0000-000000000001"

static struct scratch scratch;
static char uuid[] = UUID;
static struct judge_listener listener;
static int told;
static char told_text[256];
static char waited_text[256];

static void waiting(void *context, const char *text) {
    (void)context;
    if (strncmp(text, "waited", 6) == 0) {
        (void)snprintf(waited_text, sizeof waited_text, "%s", text);
        return;
    }
    told++;
    (void)snprintf(told_text, sizeof told_text, "%s", text);
}

static void setup(void) {
    char locks[PATH_BYTES_MAX];
    scratch = scratch_make();
    ck_assert_int_eq(path_make(locks, NULL, "%s/locks", scratch.folder), STATUS_OK);
    ck_assert_int_eq(setenv("TILEGRADE_LOCKS", locks, 1), 0);
    uuid[strlen(uuid) - 1] = '1';
    listener = (struct judge_listener){.waiting = waiting};
    told = 0;
    waited_text[0] = '\0';
}

static void teardown(void) {
    scratch_remove(&scratch);
}

// A process that holds a lease for hold_ms, or until it is killed (0), and says when it has it.
static pid_t holder_start(enum gpu_lease_kind kind, int hold_ms) {
    int ends[2];
    char byte = 0;
    ck_assert_int_eq(pipe(ends), 0);
    pid_t pid = fork();
    if (pid == 0) {
        struct gpu_lease lease;
        byte = gpu_lease_take(uuid, &listener, kind, &lease, NULL) == STATUS_OK ? 'y' : 'n';
        ssize_t put = write(ends[1], &byte, 1);
        (void)put;
        if (hold_ms == 0) {
            (void)pause();
        }
        (void)usleep((useconds_t)hold_ms * 1000);
        _exit(0);
    }
    ck_assert_int_eq(read(ends[0], &byte, 1), 1);
    ck_assert_int_eq(byte, 'y');
    (void)close(ends[0]);
    (void)close(ends[1]);
    return pid;
}

static double seconds_to_take(enum gpu_lease_kind kind) {
    struct timespec begin;
    struct timespec end;
    struct gpu_lease lease;
    (void)clock_gettime(CLOCK_MONOTONIC, &begin);
    ck_assert_int_eq(gpu_lease_take(uuid, &listener, kind, &lease, NULL), STATUS_OK);
    (void)clock_gettime(CLOCK_MONOTONIC, &end);
    gpu_lease_give(&lease);
    ck_assert_int_eq(lease.fd, -1);
    return (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
}

START_TEST(a_free_gpu_is_had_at_once_and_nothing_is_told) {
    (void)seconds_to_take(GPU_LEASE_ALONE);
    (void)seconds_to_take(GPU_LEASE_SHARED);
    ck_assert_int_eq(told, 0);
}
END_TEST

START_TEST(one_that_times_waits_for_another_and_says_so_once) {
    char expected[256];
    pid_t holder = holder_start(GPU_LEASE_ALONE, 300);
    ck_assert_double_ge(seconds_to_take(GPU_LEASE_ALONE), 0.1);
    ck_assert_int_eq(told, 1);
    (void)snprintf(expected, sizeof expected,
                   "waiting for the GPU " UUID ", which another grader uses: process %ld",
                   (long)holder);
    ck_assert_str_eq(told_text, expected);
    double waited_s = 0.0;
    ck_assert_int_eq(sscanf(waited_text, "waited %lf s for the GPU " UUID, &waited_s), 1);
    ck_assert_double_ge(waited_s, 0.1);
    (void)waitpid(holder, NULL, 0);
}
END_TEST

START_TEST(one_that_only_runs_kernels_waits_for_one_that_times_and_the_other_way_round) {
    pid_t holder = holder_start(GPU_LEASE_ALONE, 300);
    ck_assert_double_ge(seconds_to_take(GPU_LEASE_SHARED), 0.1);
    (void)waitpid(holder, NULL, 0);
    holder = holder_start(GPU_LEASE_SHARED, 300);
    ck_assert_double_ge(seconds_to_take(GPU_LEASE_ALONE), 0.1);
    (void)waitpid(holder, NULL, 0);
    ck_assert_int_eq(told, 2);
}
END_TEST

START_TEST(those_that_only_run_kernels_share) {
    pid_t holder = holder_start(GPU_LEASE_SHARED, 0);
    (void)seconds_to_take(GPU_LEASE_SHARED);
    ck_assert_int_eq(told, 0);
    (void)kill(holder, SIGKILL);
    (void)waitpid(holder, NULL, 0);
}
END_TEST

START_TEST(a_holder_that_is_killed_frees_the_gpu) {
    pid_t holder = holder_start(GPU_LEASE_ALONE, 0);
    (void)kill(holder, SIGKILL);
    (void)waitpid(holder, NULL, 0);
    (void)seconds_to_take(GPU_LEASE_ALONE);
    ck_assert_int_eq(told, 0);
}
END_TEST

START_TEST(another_gpu_is_another_lease) {
    pid_t holder = holder_start(GPU_LEASE_ALONE, 0);
    uuid[strlen(uuid) - 1] = '2';
    (void)seconds_to_take(GPU_LEASE_ALONE);
    ck_assert_int_eq(told, 0);
    (void)kill(holder, SIGKILL);
    (void)waitpid(holder, NULL, 0);
}
END_TEST

START_TEST(any_user_may_lock_and_a_link_is_not_followed) {
    char path[PATH_BYTES_MAX];
    struct stat about;
    struct gpu_lease lease;
    struct error err = {.text = ""};
    (void)seconds_to_take(GPU_LEASE_ALONE);
    ck_assert_int_eq(stat(getenv("TILEGRADE_LOCKS"), &about), 0);
    ck_assert_int_eq(about.st_mode & 07777, 01777);
    ck_assert_int_eq(path_make(path, NULL, "%s/" UUID ".lock", getenv("TILEGRADE_LOCKS")),
                     STATUS_OK);
    ck_assert_int_eq(stat(path, &about), 0);
    ck_assert_int_eq(about.st_mode & 07777, 0666);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(symlink("/dev/null", path), 0);
    ck_assert_int_eq(gpu_lease_take(uuid, &listener, GPU_LEASE_ALONE, &lease, &err), STATUS_SYSTEM);
    ck_assert_ptr_nonnull(strstr(err.text, UUID ".lock"));
}
END_TEST

int main(void) {
    Suite *suite = suite_create("gpu_lease");
    TCase *tests = tcase_create("gpu_lease");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, a_free_gpu_is_had_at_once_and_nothing_is_told);
    tcase_add_test(tests, one_that_times_waits_for_another_and_says_so_once);
    tcase_add_test(tests,
                   one_that_only_runs_kernels_waits_for_one_that_times_and_the_other_way_round);
    tcase_add_test(tests, those_that_only_run_kernels_share);
    tcase_add_test(tests, a_holder_that_is_killed_frees_the_gpu);
    tcase_add_test(tests, another_gpu_is_another_lease);
    tcase_add_test(tests, any_user_may_lock_and_a_link_is_not_followed);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
