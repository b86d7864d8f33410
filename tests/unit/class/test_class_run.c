// The jobs of a class: a plan is read as it was written, a result belongs to one job, and a process
// that ends without a result is tried once more.
#include "class/run/pool.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "scratch.h"
#include "suite.h"
#include "class/run/slurm.h"

#define JOBS 3

static struct scratch scratch;
static struct class_job jobs[JOBS];
static struct class_plan plan;

static void fill(char *text, size_t bytes, char digit) {
    memset(text, digit, bytes - 1);
    text[bytes - 1] = '\0';
}

static void setup(void) {
    struct error err;
    char path[PATH_BYTES_MAX];
    scratch = scratch_make();
    memset(&plan, 0, sizeof plan);
    plan = (struct class_plan){.grader_version = "1",
                               .written_at = 1000,
                               .choice = {.device = "emu", .sandbox = "default"},
                               .job_count = JOBS,
                               .jobs = jobs};
    fill(plan.hashes.grader, DIGEST_BYTES, '1');
    fill(plan.hashes.running, DIGEST_BYTES, '2');
    fill(plan.hashes.course, DIGEST_BYTES, '3');
    for (int i = 0; i < JOBS; i++) {
        fill(jobs[i].pseudonym, PSEUDONYM_BYTES, (char)('a' + i));
        fill(jobs[i].submission, DIGEST_BYTES, (char)('4' + i));
        fill(jobs[i].seed, SEED_TEXT_BYTES, '7');
        class_plan_key(&plan, &jobs[i]);
        ck_assert_int_eq(class_job_path(scratch.folder, jobs[i].pseudonym, "", path, &err),
                         STATUS_OK);
        path[strlen(path) - 1] = '\0';
        ck_assert_int_eq(folder_make(path, &err), STATUS_OK);
    }
}

static void teardown(void) {
    scratch_remove(&scratch);
}

// --- Plans and results --------------------------------------------------------------------------

START_TEST(plan_is_read_as_written) {
    struct class_plan read;
    struct error err;
    ck_assert_int_eq(class_plan_write(scratch.folder, &plan, &err), STATUS_OK);
    ck_assert_int_eq(class_plan_read(scratch.folder, &read, &err), STATUS_OK);
    ck_assert_int_eq(read.job_count, JOBS);
    ck_assert_mem_eq(read.jobs, jobs, sizeof jobs);
    ck_assert_mem_eq(&read.hashes, &plan.hashes, sizeof plan.hashes);
    ck_assert_str_eq(read.choice.device, "emu");
    ck_assert_int_eq(read.written_at, 1000);
    ck_assert_ptr_eq(class_plan_find(&read, jobs[1].pseudonym), &read.jobs[1]);
    class_plan_done(&read);
}
END_TEST

// A pseudonym names a folder.
START_TEST(plan_with_another_name_for_a_folder_is_refused) {
    struct class_plan read;
    struct error err;
    (void)snprintf(jobs[0].pseudonym, PSEUDONYM_BYTES, "../../../escaped");
    ck_assert_int_eq(class_plan_write(scratch.folder, &plan, &err), STATUS_OK);
    ck_assert_int_eq(class_plan_read(scratch.folder, &read, &err), STATUS_BAD_DATA);
}
END_TEST

START_TEST(everything_a_grade_depends_on_is_in_the_key) {
    struct class_job job = jobs[0];
    char *const parts[] = {plan.hashes.grader, plan.hashes.course, job.submission,
                           job.seed,           plan.choice.device, plan.choice.card};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        char before = parts[i][0];
        parts[i][0] = 'f';
        class_plan_key(&plan, &job);
        ck_assert_msg(strcmp(job.key, jobs[0].key) != 0, "part %zu", i);
        parts[i][0] = before;
    }
    class_plan_key(&plan, &job);
    ck_assert_str_eq(job.key, jobs[0].key);
}
END_TEST

static void result_write(int job, const char *key) {
    char path[PATH_BYTES_MAX];
    char text[512];
    struct error err;
    int bytes = snprintf(text, sizeof text,
                         "{\"schema\": \"tilegrade/result/v1\", \"job\": \"%s\", \"points\": 5, "
                         "\"graded_at\": \"2026-11-30T22:10:00Z\", \"exercises\": []}",
                         key);
    ck_assert_int_eq(class_job_path(scratch.folder, jobs[job].pseudonym, "result.json", path, &err),
                     STATUS_OK);
    ck_assert_int_eq(file_write(path, text, (size_t)bytes, &err), STATUS_OK);
}

START_TEST(result_of_another_job_counts_as_none) {
    struct class_outcome outcome;
    struct error err;
    result_write(0, jobs[0].key);
    result_write(1, jobs[0].key);
    ck_assert_int_eq(class_outcome_read(scratch.folder, &jobs[0], &outcome, &err), STATUS_OK);
    ck_assert(outcome.done);
    ck_assert_int_eq(outcome.points, 5);
    ck_assert_int_eq(class_outcome_read(scratch.folder, &jobs[1], &outcome, &err), STATUS_OK);
    ck_assert(!outcome.done);
    ck_assert_int_eq(class_trouble_write(scratch.folder, jobs[2].pseudonym, "disk full", &err),
                     STATUS_OK);
    ck_assert_int_eq(class_outcome_read(scratch.folder, &jobs[2], &outcome, &err), STATUS_OK);
    ck_assert(!outcome.done);
    ck_assert_str_eq(outcome.trouble, "disk full");
}
END_TEST

// --- The pool -----------------------------------------------------------------------------------

static void told(void *context, const struct class_progress *progress) {
    struct class_progress *last = context;
    *last = *progress;
}

// Runs the jobs as `script`, a shell's, whose last argument is the pseudonym.
static enum status pool_run(const char *script, int at_a_time, struct class_outcome *outcomes,
                            struct class_progress *last, struct error *err) {
    char text[1024];
    char shell[] = "/bin/sh";
    char option[] = "-c";
    char name[] = "job";
    (void)snprintf(text, sizeof text, "cd %s/jobs/$1 && echo x >>tries && %s", scratch.folder,
                   script);
    char *const command[] = {shell, option, text, name, NULL};
    const struct class_pool pool = {.out = scratch.folder,
                                    .plan = &plan,
                                    .command = command,
                                    .jobs = at_a_time,
                                    .context = last,
                                    .told = told};
    return class_pool_run(&pool, outcomes, err);
}

static int tries_of(int job) {
    char path[PATH_BYTES_MAX];
    struct stat info;
    struct error err;
    ck_assert_int_eq(class_job_path(scratch.folder, jobs[job].pseudonym, "tries", path, &err),
                     STATUS_OK);
    return stat(path, &info) == 0 ? (int)info.st_size / 2 : 0;
}

START_TEST(job_without_a_result_is_tried_once_more) {
    struct class_outcome outcomes[JOBS] = {{.done = true}};
    struct class_progress last = {0};
    struct error err = {.text = ""};
    result_write(1, jobs[2].key);  // in time for the second try of job 2
    ck_assert_int_eq(pool_run("[ $1 = bbbbbbbbbbbbbbbb ] && kill -9 $$; [ $(wc -l <tries) = 1 ] && "
                              "{ echo why >&2; exit 3; }; cp ../bbbbbbbbbbbbbbbb/result.json .",
                              1, outcomes, &last, &err),
                     STATUS_OK);
    ck_assert_int_eq(tries_of(0), 0);
    ck_assert_int_eq(tries_of(1), 2);
    ck_assert_int_eq(tries_of(2), 2);
    ck_assert(outcomes[0].done && !outcomes[1].done && outcomes[2].done);
    ck_assert_ptr_nonnull(strstr(outcomes[1].trouble, "signal 9"));
    ck_assert_int_eq(last.earlier, 1);
}
END_TEST

START_TEST(exit_code_0_without_a_result_is_no_result) {
    struct class_outcome outcomes[JOBS] = {{.done = false}};
    struct class_progress last = {0};
    struct error err = {.text = ""};
    ck_assert_int_eq(pool_run("true", 3, outcomes, &last, &err), STATUS_OK);
    for (int i = 0; i < JOBS; i++) {
        ck_assert_int_eq(tries_of(i), 2);
        ck_assert(!outcomes[i].done && outcomes[i].trouble[0] != '\0');
    }
}
END_TEST

START_TEST(number_of_an_array_is_found_among_warnings) {
    char number[SLURM_ID_BYTES];
    ck_assert(class_slurm_number("12\n", number));
    ck_assert_str_eq(number, "12");
    ck_assert(class_slurm_number("sbatch: warning: 3 nodes\n345;cluster\n", number));
    ck_assert_str_eq(number, "345");
    ck_assert(!class_slurm_number("sbatch: error: 12\n", number));
    ck_assert(!class_slurm_number("", number));
}
END_TEST

SUITE() {
    Suite *suite = suite_create("class_run");
    TCase *tests = tcase_create("class_run");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_set_timeout(tests, 30);
    tcase_add_test(tests, plan_is_read_as_written);
    tcase_add_test(tests, plan_with_another_name_for_a_folder_is_refused);
    tcase_add_test(tests, everything_a_grade_depends_on_is_in_the_key);
    tcase_add_test(tests, result_of_another_job_counts_as_none);
    tcase_add_test(tests, job_without_a_result_is_tried_once_more);
    tcase_add_test(tests, exit_code_0_without_a_result_is_no_result);
    tcase_add_test(tests, number_of_an_array_is_found_among_warnings);
    suite_add_tcase(suite, tests);
    return suite;
}
