// plan.json, written before the first job starts.  See plan.h.
#include "class/run/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "class/run/json.h"

#define PLAN_BYTES_MAX (16u << 20)

static json_t *job_json(const struct class_job *job) {
    return json_pack("{s:s, s:s, s:s, s:s}", "pseudonym", job->pseudonym, "submission",
                     job->submission, "seed", job->seed, "job", job->key);
}

enum status class_plan_write(const char *out, const struct class_plan *plan, struct error *err) {
    char path[PATH_BYTES_MAX];
    char written_at[MOMENT_TEXT_BYTES];
    const struct class_choice *choice = &plan->choice;
    enum status status = path_make(path, err, "%s/plan.json", out);
    if (status) {
        return status;
    }
    json_t *jobs = json_array();
    bool failed = false;
    for (int i = 0; i < plan->job_count; i++) {
        failed |= json_array_append_new(jobs, job_json(&plan->jobs[i])) != 0;
    }
    moment_format(plan->written_at, written_at);
    json_t *root =
        json_pack("{s:s, s:s, s:s, s:i, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:o}", "schema",
                  PLAN_SCHEMA, "grader_version", plan->grader_version, "written_at", written_at,
                  "extension_days_max", plan->extension_days_max, "assignment", choice->assignment,
                  "exercises", choice->exercises, "device", choice->device, "card", choice->card,
                  "sandbox", choice->sandbox, "grader", plan->hashes.grader, "running",
                  plan->hashes.running, "course", plan->hashes.course, "jobs", jobs);
    if (failed) {
        json_decref(root);
        root = NULL;
    }
    return class_json_write(path, root, err);
}

static bool is_hex(const char *text, size_t digits) {
    return strlen(text) == digits && strspn(text, "0123456789abcdef") == digits;
}

// The pseudonym names a folder, so it must be one.
static bool job_take(const json_t *from, struct class_job *job) {
    return class_json_copy(from, "pseudonym", job->pseudonym, sizeof job->pseudonym) &&
           class_json_copy(from, "submission", job->submission, sizeof job->submission) &&
           class_json_copy(from, "seed", job->seed, sizeof job->seed) &&
           class_json_copy(from, "job", job->key, sizeof job->key) &&
           is_hex(job->pseudonym, PSEUDONYM_BYTES - 1) &&
           is_hex(job->submission, DIGEST_BYTES - 1) && is_hex(job->seed, SEED_TEXT_BYTES - 1) &&
           is_hex(job->key, DIGEST_BYTES - 1);
}

static bool plan_take(const json_t *root, struct class_plan *plan) {
    struct class_choice *choice = &plan->choice;
    struct class_hashes *hashes = &plan->hashes;
    const json_t *jobs = json_object_get(root, "jobs");
    size_t count = json_array_size(jobs);
    bool good =
        count <= PLAN_JOBS_MAX &&
        moment_parse(class_json_text(root, "written_at"), &plan->written_at) &&
        class_json_copy(root, "grader_version", plan->grader_version,
                        sizeof plan->grader_version) &&
        class_json_copy(root, "assignment", choice->assignment, sizeof choice->assignment) &&
        class_json_copy(root, "exercises", choice->exercises, sizeof choice->exercises) &&
        class_json_copy(root, "device", choice->device, sizeof choice->device) &&
        class_json_copy(root, "card", choice->card, sizeof choice->card) &&
        class_json_copy(root, "sandbox", choice->sandbox, sizeof choice->sandbox) &&
        class_json_copy(root, "grader", hashes->grader, sizeof hashes->grader) &&
        class_json_copy(root, "running", hashes->running, sizeof hashes->running) &&
        class_json_copy(root, "course", hashes->course, sizeof hashes->course);
    plan->extension_days_max = (int)json_integer_value(json_object_get(root, "extension_days_max"));
    for (size_t i = 0; good && i < count; i++) {
        good = job_take(json_array_get(jobs, i), &plan->jobs[i]);
        plan->job_count++;
    }
    return good;
}

enum status class_plan_read(const char *out, struct class_plan *ret_plan, struct error *err) {
    char path[PATH_BYTES_MAX];
    json_t *root = NULL;
    struct class_plan plan = {.job_count = 0};
    bool exists = false;
    enum status status = path_make(path, err, "%s/plan.json", out);
    if (!status) {
        status = file_exists(path, &exists, err);
    }
    if (!status && !exists) {
        status = fail(err, STATUS_BAD_USAGE, "%s: no class run has begun here", out);
    }
    if (!status) {
        status = class_json_read(path, PLAN_BYTES_MAX, PLAN_SCHEMA, &root, err);
    }
    if (status) {
        return status;
    }
    plan.jobs = calloc(json_array_size(json_object_get(root, "jobs")) + 1, sizeof *plan.jobs);
    if (!plan.jobs) {
        status = fail(err, STATUS_NO_MEMORY, "%s: no memory", path);
    } else if (!plan_take(root, &plan)) {
        status = fail(err, STATUS_BAD_DATA, "%s: damaged; run the class again", path);
    }
    json_decref(root);
    if (status) {
        class_plan_done(&plan);
    } else {
        *ret_plan = plan;
    }
    return status;
}

void class_plan_done(struct class_plan *plan) {
    free(plan->jobs);
    plan->jobs = NULL;
    plan->job_count = 0;
}

const struct class_job *class_plan_find(const struct class_plan *plan, const char *pseudonym) {
    for (int i = 0; i < plan->job_count; i++) {
        if (strcmp(plan->jobs[i].pseudonym, pseudonym) == 0) {
            return &plan->jobs[i];
        }
    }
    return NULL;
}

void class_plan_key(const struct class_plan *plan, struct class_job *job) {
    char where[2 * PLAN_TEXT_BYTES];
    (void)snprintf(where, sizeof where, "%s %s", plan->choice.device, plan->choice.card);
    class_job_key(&plan->hashes, job->submission, job->seed, where, job->key);
}
