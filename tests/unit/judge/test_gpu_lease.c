// Leases of a GPU and its lock, between processes: who waits for whom, that waiting is reported,
// and that a killed holder releases what it holds.
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/basics.h"
#include "judge/run/gpu_lease.h"
#include "scratch.h"
#include "suite.h"

#define UUID      "GPU-00000000-0000-0000-0000-000000000001"
#define OTHER     "GPU-00000000-0000-0000-0000-000000000002"
#define GIB       (1ll << 30)
#define ROOM_OF_2 (11 * GIB)  // a GPU with two leases
#define HOLD_MS   600         // long enough to be seen waiting for, also on a busy machine

static struct scratch scratch;
static struct gpu_info info;
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
    memset(&info, 0, sizeof info);
    info.gpu_count = 1;
    info.gpus[0] = (struct gpu){.index = 3, .name = "A", .uuid = UUID, .memory_bytes = ROOM_OF_2};
    info.gpus[1] = (struct gpu){.index = 5, .name = "A", .uuid = OTHER, .memory_bytes = ROOM_OF_2};
    listener = (struct judge_listener){.waiting = waiting};
    told = 0;
    waited_text[0] = '\0';
}

static void teardown(void) {
    scratch_remove(&scratch);
}

static struct gpu_lease lease_of(void) {
    struct gpu_lease lease;
    gpu_lease_init(&lease, &info, &listener);
    return lease;
}

static struct gpu_lease lease_taken(void) {
    struct gpu_lease lease = lease_of();
    ck_assert_int_eq(gpu_lease_take(&lease, NULL), STATUS_OK);
    return lease;
}

static double now_s(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

// A process that holds a lease, and the lock too, for hold_ms, or until it is killed (0).
static pid_t holder_start(bool locks, int hold_ms) {
    int ends[2];
    char byte = 0;
    ck_assert_int_eq(pipe(ends), 0);
    pid_t pid = fork();
    if (pid == 0) {
        struct gpu_lease lease = lease_of();
        bool had = gpu_lease_take(&lease, NULL) == STATUS_OK &&
                   (!locks || gpu_lease_lock(&lease, NULL) == STATUS_OK);
        byte = had ? 'y' : 'n';
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

static void holder_kill(pid_t holder) {
    (void)kill(holder, SIGKILL);
    (void)waitpid(holder, NULL, 0);
}

START_TEST(as_many_leases_as_the_memory_has_room_for_are_had_at_once) {
    struct gpu_lease one = lease_taken();
    struct gpu_lease two = lease_taken();
    ck_assert_int_eq(told, 0);
    gpu_lease_give(&two);
    gpu_lease_give(&one);
    ck_assert_int_eq(one.lease_fd, -1);
}
END_TEST

START_TEST(one_that_finds_none_left_waits_and_says_so_once) {
    double waited_s = 0.0;
    struct gpu_lease one = lease_taken();
    pid_t holder = holder_start(false, HOLD_MS);
    struct gpu_lease two = lease_taken();
    ck_assert_int_eq(told, 1);
    ck_assert_str_eq(told_text, "waiting for a GPU, because other graders use all of them");
    ck_assert_int_eq(sscanf(waited_text, "waited %lf s for a GPU", &waited_s), 1);
    ck_assert_double_ge(two.use.waited_s, 0.1);
    (void)waitpid(holder, NULL, 0);
    gpu_lease_give(&two);
    gpu_lease_give(&one);
}
END_TEST

START_TEST(a_killed_holder_leaves_its_lease_and_the_lock) {
    pid_t holder = holder_start(true, 0);
    pid_t other = holder_start(false, 0);
    holder_kill(holder);
    struct gpu_lease lease = lease_taken();
    ck_assert_int_eq(told, 0);
    ck_assert_int_eq(gpu_lease_lock(&lease, NULL), STATUS_OK);
    ck_assert_double_lt(lease.use.waited_s, HOLD_MS / 2e3);
    gpu_lease_give(&lease);
    holder_kill(other);
}
END_TEST

START_TEST(leases_are_spread_over_the_gpus) {
    info.gpu_count = 2;
    int at[4];
    struct gpu_lease lease[COUNT(at)];
    for (size_t i = 0; i < COUNT(at); i++) {
        lease[i] = lease_taken();
        at[i] = lease[i].at;
    }
    ck_assert_int_eq(told, 0);
    ck_assert_int_ne(at[0], at[1]);
    ck_assert_int_ne(at[2], at[3]);
    struct judge_machine machine = {.lease = &lease[1]};
    ck_assert_int_eq(gpu_lease_index(&machine), at[1] == 0 ? 3 : 5);
    for (size_t i = 0; i < COUNT(at); i++) {
        gpu_lease_give(&lease[i]);
    }
}
END_TEST

START_TEST(a_gpu_of_another_model_is_not_used) {
    info.gpu_count = 3;
    info.gpus[2] = info.gpus[1];
    (void)snprintf(info.gpus[1].name, sizeof info.gpus[1].name, "B");
    struct gpu_lease lease = lease_of();
    ck_assert_int_eq(lease.count, 2);
    ck_assert_str_eq(lease.gpus[1].uuid, OTHER);
}
END_TEST

START_TEST(one_waits_for_the_lock_of_its_gpu_and_not_of_another) {
    info.gpu_count = 2;
    pid_t holder = holder_start(true, HOLD_MS);
    struct gpu_lease other = lease_taken();  // of the GPU that has more left
    struct gpu_lease same = lease_taken();
    if (same.at == 1) {
        struct gpu_lease swapped = same;
        same = other;
        other = swapped;
    }
    ck_assert_int_eq(other.at, 1);
    ck_assert_int_eq(gpu_lease_lock(&other, NULL), STATUS_OK);
    ck_assert_double_lt(other.use.waited_s, HOLD_MS / 2e3);
    ck_assert_int_eq(gpu_lease_lock(&same, NULL), STATUS_OK);
    ck_assert_double_ge(same.use.waited_s, 0.1);
    ck_assert_int_eq(told, 0);
    gpu_lease_unlock(&same);
    gpu_lease_give(&same);
    gpu_lease_give(&other);
    (void)waitpid(holder, NULL, 0);
}
END_TEST

START_TEST(the_seconds_under_the_lock_are_counted) {
    struct gpu_lease lease = lease_taken();
    double began_s = now_s();
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(gpu_lease_lock(&lease, NULL), STATUS_OK);
        (void)usleep(20000);
        gpu_lease_unlock(&lease);
        (void)usleep(100000);
    }
    ck_assert_double_ge(lease.use.locked_s, 0.04);
    ck_assert_double_le(lease.use.locked_s, now_s() - began_s - 0.19);
    gpu_lease_give(&lease);
}
END_TEST

START_TEST(a_lock_that_is_taken_twice_is_free_when_both_are_given_back) {
    struct gpu_lease lease = lease_taken();
    ck_assert_int_eq(gpu_lease_lock(&lease, NULL), STATUS_OK);
    ck_assert_int_eq(gpu_lease_lock(&lease, NULL), STATUS_OK);
    gpu_lease_unlock(&lease);
    struct gpu_lease other = lease_taken();
    ck_assert_int_ne(flock(other.lock_fd, LOCK_EX | LOCK_NB), 0);
    gpu_lease_unlock(&lease);
    ck_assert_int_eq(flock(other.lock_fd, LOCK_EX | LOCK_NB), 0);
    gpu_lease_give(&other);
    gpu_lease_give(&lease);
}
END_TEST

// Each of several processes runs short launches with a little work between them.
START_TEST(nobody_starves) {
    enum { PROCESSES = 6, LAUNCH_US = 2000, REST_US = 500 };
    const double seconds = 1.0;
    int *turns = mmap(NULL, PROCESSES * sizeof *turns, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(turns, MAP_FAILED);
    info.gpus[0].memory_bytes = 80 * GIB;
    double end_s = now_s() + seconds;
    for (int i = 0; i < PROCESSES; i++) {
        if (fork() == 0) {
            struct gpu_lease lease = lease_of();
            bool had = gpu_lease_take(&lease, NULL) == STATUS_OK;
            while (had && now_s() < end_s && gpu_lease_lock(&lease, NULL) == STATUS_OK) {
                turns[i]++;
                (void)usleep(LAUNCH_US);
                gpu_lease_unlock(&lease);
                (void)usleep(REST_US);
            }
            _exit(0);
        }
    }
    int sum = 0;
    for (int i = 0; i < PROCESSES; i++) {
        (void)wait(NULL);
    }
    for (int i = 0; i < PROCESSES; i++) {
        sum += turns[i];
    }
    for (int i = 0; i < PROCESSES; i++) {
        ck_assert_int_ge(turns[i] * PROCESSES * 3, sum);
    }
    (void)munmap(turns, PROCESSES * sizeof *turns);
}
END_TEST

START_TEST(any_user_may_lock_and_a_link_is_not_followed) {
    char path[PATH_BYTES_MAX];
    struct stat about;
    struct error err = {.text = ""};
    struct gpu_lease lease = lease_taken();
    gpu_lease_give(&lease);
    ck_assert_int_eq(stat(getenv("TILEGRADE_LOCKS"), &about), 0);
    ck_assert_int_eq(about.st_mode & 07777, 01777);
    ck_assert_int_eq(path_make(path, NULL, "%s/" UUID ".lock", getenv("TILEGRADE_LOCKS")),
                     STATUS_OK);
    ck_assert_int_eq(stat(path, &about), 0);
    ck_assert_int_eq(about.st_mode & 07777, 0666);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(symlink("/dev/null", path), 0);
    ck_assert_int_eq(gpu_lease_take(&lease, &err), STATUS_SYSTEM);
    ck_assert_ptr_nonnull(strstr(err.text, UUID ".lock"));
    ck_assert_int_eq(lease.lease_fd, -1);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("gpu_lease");
    TCase *tests = tcase_create("gpu_lease");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, as_many_leases_as_the_memory_has_room_for_are_had_at_once);
    tcase_add_test(tests, one_that_finds_none_left_waits_and_says_so_once);
    tcase_add_test(tests, a_killed_holder_leaves_its_lease_and_the_lock);
    tcase_add_test(tests, leases_are_spread_over_the_gpus);
    tcase_add_test(tests, a_gpu_of_another_model_is_not_used);
    tcase_add_test(tests, one_waits_for_the_lock_of_its_gpu_and_not_of_another);
    tcase_add_test(tests, the_seconds_under_the_lock_are_counted);
    tcase_add_test(tests, a_lock_that_is_taken_twice_is_free_when_both_are_given_back);
    tcase_add_test(tests, nobody_starves);
    tcase_add_test(tests, any_user_may_lock_and_a_link_is_not_followed);
    suite_add_tcase(suite, tests);
    return suite;
}
