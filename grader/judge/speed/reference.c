// Builds and checks reference kernels, and keeps their numbers as JSON: see reference.h.
#include "judge/speed/reference.h"

#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>

#include "base/basics.h"
#include "base/compose.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "exercise/exercise.h"
#include "judge/model/judgement.h"
#include "judge/model/points.h"
#include "judge/run/case_sizes.h"
#include "judge/run/cases.h"
#include "judge/run/launch_outcome.h"
#include "judge/speed/estimated.h"

enum status speed_reference_read(const struct judge_options *options,
                                 const struct exercise *exercise, char **ret_text,
                                 size_t *ret_bytes, struct error *err) {
    char path[PATH_BYTES_MAX];
    enum status status =
        path_make(path, err, "%s/reference/%s.cu", options->course->root, exercise->name);
    return status ? status : file_read(path, SOURCE_BYTES_MAX, ret_text, ret_bytes, err);
}

enum status speed_reference_build(const struct judge_options *options, enum device_kind kind,
                                  const struct exercise *exercise, struct run_program *ret_program,
                                  struct error *err) {
    char *text = NULL;
    size_t bytes = 0;
    enum status status = speed_reference_read(options, exercise, &text, &bytes, err);
    if (!status) {
        status = run_build(&options->machine, kind, exercise, (struct text){text, bytes},
                           ret_program, err);
    }
    free(text);
    if (!status && ret_program->report.fault != BUILD_FAULT_NONE &&
        ret_program->report.fault != BUILD_FAULT_NEEDS_GPU) {
        status = fail(err, STATUS_BAD_DATA,
                      "reference/%s.cu:%d: the reference does not build for device %s: %s",
                      exercise->name, ret_program->report.line, device_kind_name(kind),
                      ret_program->report.text);
        run_program_done(ret_program);
    }
    return status;
}

void speed_reference_missing(const char *why, struct exercise_result *result) {
    result->speed.complete = false;
    result->speed.withheld = true;
    words_write(result->why.detail, sizeof result->why.detail,
                "The reference kernel %s; the points for speed stay open until it is graded "
                "on a machine where both run.",
                why);
}

enum status speed_reference_check(const struct exercise *exercise,
                                  const struct planned_case *planned,
                                  const struct run_outcome *outcome, struct error *err) {
    char size[SIZE_TEXT_MAX];
    if (outcome->verdict == VERDICT_PASS) {
        return STATUS_OK;
    }
    size_format(planned->size, size);
    return fail(err, STATUS_BAD_DATA,
                "reference/%s.cu: the reference is not right at size %s: %s: %s", exercise->name,
                size, verdict_title(outcome->verdict),
                outcome->cause[0] != '\0' ? outcome->cause : outcome->text);
}

static uint64_t blocks_of(const uint32_t grid[3]) {
    return (uint64_t)grid[0] * grid[1] * grid[2];
}

enum status planned_launches(const struct exercise *exercise, const struct run_program *program,
                             struct planned_launch ret_launches[EXERCISE_TIMED_MAX],
                             struct error *err) {
    struct run_worker worker;
    enum status status = STATUS_OK;
    run_worker_init(&worker, program);
    for (int i = 0; i < exercise->timed_count && !status; i++) {
        struct answer answer;
        bool answered = false;
        struct planned_launch *launch = &ret_launches[i];
        status = run_worker_plan(&worker, exercise->timed[i].size, &answered, &answer, err);
        *launch =
            (struct planned_launch){.is_valid = !status && answered && answer.end == RUN_FINISHED};
        if (launch->is_valid) {
            launch->is_one = answer.launch_count == 0;
            launch->blocks = blocks_of(answer.grid);
            if (blocks_of(answer.other_grid) > launch->blocks) {
                launch->blocks = blocks_of(answer.other_grid);
            }
            launch->block_threads = (int)(answer.block[0] * answer.block[1] * answer.block[2]);
        }
    }
    run_worker_stop(&worker);
    return status;
}

#define SCHEMA    "tilegrade/reference/v1"
#define BYTES_MAX (1u << 20)
#define WRITING   (JSON_COMPACT | JSON_SORT_KEYS)

struct reference_size *reference_facts_find(struct reference_facts *facts, struct size size) {
    for (int i = 0; i < facts->size_count; i++) {
        if (size_equal(facts->size[i].size, size)) {
            return &facts->size[i];
        }
    }
    return NULL;
}

// The digest of an object that has none yet.
static void digest_of(const json_t *object, char digest[REFERENCE_KEY_BYTES]) {
    char *text = json_dumps(object, WRITING);
    sha256_hex(text, strlen(text), digest);
    free(text);
}

// --- Reading -----------------------------------------------------------------

// An integer that is not negative; anything else makes *good false.
static uint64_t number_read(const json_t *object, const char *key, bool *good) {
    const json_t *value = json_object_get(object, key);
    json_int_t number = json_integer_value(value);
    *good = *good && json_is_integer(value) && number >= 0;
    return *good ? (uint64_t)number : 0;
}

static struct size size_read(const json_t *object, bool *good) {
    struct size size = {.m = 1};
    const json_t *array = json_object_get(object, "size");
    size_t count = json_array_size(array);
    *good = *good && count >= 1 && count <= SIZE_RANK_MAX;
    for (size_t i = 0; *good && i < count; i++) {
        json_int_t value = json_integer_value(json_array_get(array, i));
        *good = value >= 1 && value <= INT32_MAX;
        size.at[i] = *good ? (int32_t)value : 1;
    }
    return size;
}

static void plan_read(const json_t *object, struct reference_facts *facts, bool *good) {
    int at = facts->plan_count++;
    facts->plan_size[at] = size_read(object, good);
    facts->plan[at] = (struct planned_launch){
        .is_valid = true,
        .is_one = json_is_true(json_object_get(object, "is_one")),
        .blocks = number_read(object, "blocks", good),
        .block_threads = (int)number_read(object, "block_threads", good),
    };
}

static void counted_read(const json_t *object, struct reference_facts *facts, bool *good) {
    struct reference_size *counted = &facts->size[facts->size_count++];
    const json_t *counts = json_object_get(object, "counts");
    counted->size = size_read(object, good);
    counted->shared_bytes = number_read(object, "shared_bytes", good);
    counted->launch_count = (uint32_t)number_read(object, "launch_count", good);
#define FIELD_READ(field, text) counted->counts.field = number_read(counts, #field, good);
    COUNT_FIELDS(FIELD_READ)
    COUNT_JUDGE_FIELDS(FIELD_READ)
#undef FIELD_READ
}

static bool text_read(const json_t *object, const char *key, char *text, size_t bytes) {
    const char *value = json_string_value(json_object_get(object, key));
    return value && snprintf(text, bytes, "%s", value) < (int)bytes;
}

static bool facts_parse(json_t *object, struct reference_facts *facts) {
    char schema[64];
    char stated[REFERENCE_KEY_BYTES];
    char digest[REFERENCE_KEY_BYTES];
    const json_t *plans = json_object_get(object, "plans");
    const json_t *sizes = json_object_get(object, "sizes");
    bool good = text_read(object, "schema", schema, sizeof schema) && strcmp(schema, SCHEMA) == 0 &&
                text_read(object, "digest", stated, sizeof stated) &&
                json_object_del(object, "digest") == 0 &&
                (digest_of(object, digest), strcmp(stated, digest) == 0) &&
                text_read(object, "key", facts->key, sizeof facts->key) &&
                text_read(object, "missing", facts->missing, sizeof facts->missing) &&
                json_array_size(plans) <= EXERCISE_TIMED_MAX &&
                json_array_size(sizes) <= REFERENCE_SIZES_MAX;
    for (size_t i = 0; good && i < json_array_size(plans); i++) {
        plan_read(json_array_get(plans, i), facts, &good);
    }
    for (size_t i = 0; good && i < json_array_size(sizes); i++) {
        counted_read(json_array_get(sizes, i), facts, &good);
    }
    return good;
}

// True for a regular file that no other user can have written.
static bool is_own(const char *path) {
    struct stat info;
    return lstat(path, &info) == 0 && S_ISREG(info.st_mode) &&
           (info.st_uid == geteuid() || info.st_uid == 0) &&
           (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

enum status reference_facts_read(const char *path, bool own, struct reference_facts *ret_facts,
                                 struct error *err) {
    char *text = NULL;
    size_t bytes = 0;
    if (own && !is_own(path)) {
        return fail(err, STATUS_BAD_DATA, "%s: absent, or another user can write it", path);
    }
    enum status status = file_read(path, BYTES_MAX, &text, &bytes, err);
    if (status) {
        return status;
    }
    struct reference_facts *facts = xcalloc(1, sizeof *facts);
    json_t *object = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, NULL);
    free(text);
    if (!object || !facts_parse(object, facts)) {
        status =
            fail(err, STATUS_BAD_DATA, "%s: damaged: take lessons/ from the handout again", path);
    } else {
        *ret_facts = *facts;
    }
    json_decref(object);
    free(facts);
    return status;
}

// --- Writing -----------------------------------------------------------------

static json_t *size_json(struct size size) {
    int rank = size_rank(size);
    json_t *list = json_array();
    for (int i = 0; i < rank; i++) {
        (void)json_array_append_new(list, json_integer(size.at[i]));
    }
    return list;
}

static json_t *plans_json(const struct reference_facts *facts) {
    json_t *array = json_array();
    for (int i = 0; i < facts->plan_count; i++) {
        const struct planned_launch *plan = &facts->plan[i];
        (void)json_array_append_new(
            array, json_pack("{s:o, s:b, s:I, s:i}", "size", size_json(facts->plan_size[i]),
                             "is_one", plan->is_one, "blocks", (json_int_t)plan->blocks,
                             "block_threads", plan->block_threads));
    }
    return array;
}

static json_t *counted_json(const struct reference_size *counted) {
    json_t *counts = json_object();
#define FIELD_PUT(field, text)                                                                     \
    (void)json_object_set_new(counts, #field, json_integer((json_int_t)counted->counts.field));
    COUNT_FIELDS(FIELD_PUT)
    COUNT_JUDGE_FIELDS(FIELD_PUT)
#undef FIELD_PUT
    return json_pack("{s:o, s:o, s:I, s:I}", "counts", counts, "size", size_json(counted->size),
                     "shared_bytes", (json_int_t)counted->shared_bytes, "launch_count",
                     (json_int_t)counted->launch_count);
}

static json_t *sizes_json(const struct reference_facts *facts) {
    json_t *array = json_array();
    for (int i = 0; i < facts->size_count; i++) {
        (void)json_array_append_new(array, counted_json(&facts->size[i]));
    }
    return array;
}

enum status reference_facts_write(const char *path, const struct reference_facts *facts,
                                  struct error *err) {
    char digest[REFERENCE_KEY_BYTES];
    json_t *object =
        json_pack("{s:s, s:s, s:s, s:o, s:o}", "schema", SCHEMA, "key", facts->key, "missing",
                  facts->missing, "plans", plans_json(facts), "sizes", sizes_json(facts));
    assert(object);
    digest_of(object, digest);
    (void)json_object_set_new(object, "digest", json_string(digest));
    char *text = json_dumps(object, WRITING);
    enum status status = file_write(path, text, strlen(text), err);
    free(text);
    json_decref(object);
    return status;
}

#define KEY_FORMAT "tilegrade/reference-key/2"
#define SEED       ((struct seed){{0, 0x7ef}})
#define PROGRAM    "/proc/self/exe"

static bool is_handout(const struct reference_work *work) {
    return work->options->extras.no_references;
}

// --- Kept numbers ------------------------------------------------------------

// A digest over the reference, everything that builds it, and this program.
static enum status key_make(const struct reference_work *work, char ret_key[REFERENCE_KEY_BYTES],
                            struct error *err) {
    const struct exercise *exercise = work->exercise;
    char build[REFERENCE_KEY_BYTES];
    char *text = NULL;
    size_t bytes = 0;
    enum status status = speed_reference_read(work->options, exercise, &text, &bytes, err);
    if (!status) {
        status = run_build_key(&work->options->machine, DEVICE_EMU, exercise,
                               (struct text){text, bytes}, build, err);
    }
    free(text);
    if (!status) {
        struct digest key;
        digest_begin(&key);
        digest_text(&key, KEY_FORMAT);
        digest_text(&key, build);
        digest_program(&key, PROGRAM);
        digest_text(&key, exercise_precision_name(exercise->precision));
        status = digest_end(&key, ret_key, err);
    }
    return status;
}

static enum status kept_path(const struct judge_options *options, const struct exercise *exercise,
                             char path[PATH_BYTES_MAX], struct error *err) {
    if (options->extras.no_references) {
        return path_below(path, err, options->course->root, "%s/" REFERENCE_FILE, exercise->lesson);
    }
    path[0] = '\0';
    return options->machine.counts
               ? path_make(path, err, "%s/%s.json", options->machine.counts, exercise->name)
               : STATUS_OK;
}

static enum status kept_read(struct reference_work *work, struct error *err) {
    struct error ignored = {.text = ""};
    char key[REFERENCE_KEY_BYTES];
    if (is_handout(work)) {
        return reference_facts_read(work->path, false, work->facts, err);
    }
    enum status status = work->path[0] != '\0' ? key_make(work, key, err) : STATUS_OK;
    if (status || work->path[0] == '\0') {
        return status;
    }
    if (reference_facts_read(work->path, true, work->facts, &ignored) != STATUS_OK ||
        strcmp(work->facts->key, key) != 0) {
        memset(work->facts, 0, sizeof *work->facts);
        memcpy(work->facts->key, key, sizeof key);
    }
    return STATUS_OK;
}

enum status reference_work_exists(const struct judge_options *options,
                                  const struct exercise *exercise, bool *ret_exists,
                                  struct error *err) {
    char path[PATH_BYTES_MAX];
    *ret_exists = true;
    if (!options->extras.no_references) {
        return STATUS_OK;
    }
    enum status status = kept_path(options, exercise, path, err);
    return status ? status : file_exists(path, ret_exists, err);
}

enum status reference_work_open(const struct judge_options *options,
                                const struct exercise *exercise, struct reference_work *work,
                                struct error *err) {
    *work = (struct reference_work){.options = options, .exercise = exercise};
    work->facts = xcalloc(1, sizeof *work->facts);
    enum status status = kept_path(options, exercise, work->path, err);
    return status ? status : kept_read(work, err);
}

void reference_work_close(struct reference_work *work) {
    if (work->changed && work->path[0] != '\0' && !is_handout(work)) {
        // Numbers that cannot be stored are made again.
        struct error ignored = {.text = ""};
        if (folder_make(work->options->machine.counts, &ignored) == STATUS_OK) {
            (void)reference_facts_write(work->path, work->facts, &ignored);
        }
    }
    if (work->is_built) {
        run_program_done(&work->program);
    }
    free(work->facts);
    *work = (struct reference_work){.options = NULL};
}

// --- New numbers -------------------------------------------------------------

// Builds the reference unless it is already built.
static enum status program_need(struct reference_work *work, struct error *err) {
    if (work->is_built) {
        return STATUS_OK;
    }
    enum status status =
        speed_reference_build(work->options, DEVICE_EMU, work->exercise, &work->program, err);
    work->is_built = !status;
    return status;
}

static enum status lacks(const struct reference_work *work, struct size size, struct error *err) {
    char text[SIZE_TEXT_MAX];
    size_format(size, text);
    return fail(err, STATUS_BAD_DATA,
                "%s: has no numbers for size %s: take lessons/ from the handout again", work->path,
                text);
}

// True if the stored launches are those of the timed sizes.
static bool has_plans(const struct reference_work *work) {
    const struct reference_facts *facts = work->facts;
    bool same = facts->plan_count == work->exercise->timed_count;
    for (int i = 0; same && i < facts->plan_count; i++) {
        same = size_equal(facts->plan_size[i], work->exercise->timed[i].size);
    }
    return same;
}

static enum status reference_plans_make(struct reference_work *work, struct error *err) {
    struct reference_facts *facts = work->facts;
    const struct exercise *exercise = work->exercise;
    enum status status = program_need(work, err);
    if (status) {
        return status;
    }
    work->changed = true;
    const struct build_report *report = &work->program.report;
    if (report->fault == BUILD_FAULT_NEEDS_GPU) {
        (void)snprintf(facts->missing, sizeof facts->missing, "%s", report->text);
        return STATUS_OK;
    }
    status = planned_launches(exercise, &work->program, facts->plan, err);
    for (int i = 0; i < exercise->timed_count && !status; i++) {
        facts->plan_size[i] = exercise->timed[i].size;
        if (!facts->plan[i].is_valid) {
            status = fail(err, STATUS_BAD_DATA,
                          "reference/%s.cu: its launch configuration is not valid at a timed size",
                          exercise->name);
        }
    }
    facts->plan_count = status ? 0 : exercise->timed_count;
    return status;
}

enum status reference_work_plan(struct reference_work *work, struct error *err) {
    if (work->facts->missing[0] != '\0' || has_plans(work)) {
        return STATUS_OK;
    }
    if (is_handout(work)) {
        return lacks(work, work->exercise->timed[0].size, err);
    }
    return reference_plans_make(work, err);
}

static enum status size_make(struct reference_work *work, struct size size, struct error *err) {
    const struct planned_case planned = case_of(work->exercise, SEED, INPUTS_EXACT, size);
    struct reference_facts *facts = work->facts;
    struct run_outcome *outcome = xcalloc(1, sizeof *outcome);
    enum status status = program_need(work, err);
    if (!status) {
        status = run_case_alone(&work->program, &planned, REQUEST_COUNT, outcome, err);
    }
    if (!status) {
        status = speed_reference_check(work->exercise, &planned, outcome, err);
    }
    if (!status) {
        // If there is no room, the last entry is replaced: it is made again when it is needed.
        int at =
            facts->size_count < REFERENCE_SIZES_MAX ? facts->size_count++ : REFERENCE_SIZES_MAX - 1;
        const struct estimated_kernel kernel = estimated_of(&work->program, outcome);
        facts->size[at] = (struct reference_size){.size = size,
                                                  .shared_bytes = kernel.shared_bytes,
                                                  .launch_count = kernel.launch_count,
                                                  .counts = *kernel.counts};
        work->changed = true;
    }
    free(outcome);
    return status;
}

enum status reference_work_at(struct reference_work *work, struct size size,
                              const struct reference_size **ret_size, struct error *err) {
    enum status status = STATUS_OK;
    if (!reference_facts_find(work->facts, size)) {
        status = is_handout(work) ? lacks(work, size, err) : size_make(work, size, err);
    }
    if (!status) {
        struct reference_size *found = reference_facts_find(work->facts, size);
        found->counts.busiest_passes =
            counted_busiest(&found->counts, work->exercise->multiprocessors);
        *ret_size = found;
    }
    return status;
}

// Opens the work, and makes its launches and the numbers of all counted sizes and of `more`.
static enum status sizes_make(const struct judge_options *options, const struct exercise *exercise,
                              const struct size *more, int more_count, struct reference_work *work,
                              struct error *err) {
    const struct reference_size *size = NULL;
    enum status status = reference_work_open(options, exercise, work, err);
    if (!status) {
        status = reference_work_plan(work, err);
    }
    bool runs = !status && work->facts->missing[0] == '\0' && exercise->counted_count > 0;
    for (int i = 0; i < exercise->counted_count && runs && !status; i++) {
        status = reference_work_at(work, exercise->counted[i].size, &size, err);
    }
    if (runs && !status) {
        status = reference_work_at(work, exercise->counted[0].size, &size, err);
    }
    if (runs && !status && is_estimated(exercise, &size->counts)) {
        const struct size larger = estimated_more_size(exercise, &size->counts, work->facts->plan);
        status = larger.m > 0 ? reference_work_at(work, larger, &size, err) : STATUS_OK;
    }
    for (int i = 0; i < more_count && runs && !status; i++) {
        status = reference_work_at(work, more[i], &size, err);
    }
    return status;
}

enum status reference_work_keep(const struct judge_options *options,
                                const struct exercise *exercise, struct error *err) {
    struct reference_work work = {.options = NULL};
    const struct size drawn = counted_drawn(exercise, options->seed).size;
    enum status status = sizes_make(options, exercise, &drawn, 1, &work, err);
    reference_work_close(&work);
    return status;
}

enum status reference_work_write(const struct judge_options *options,
                                 const struct exercise *exercise, const char *path,
                                 struct error *err) {
    struct size drawn[COUNTED_DRAWN_SIZES];
    struct reference_work work = {.options = NULL};
    counted_drawn_sizes(exercise, drawn);
    enum status status = sizes_make(options, exercise, drawn, COUNTED_DRAWN_SIZES, &work, err);
    if (!status) {
        status = reference_facts_write(path, work.facts, err);
    }
    reference_work_close(&work);
    return status;
}
