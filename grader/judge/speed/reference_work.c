// Numbers of a reference, kept or made: see reference_work.h.
#include "judge/speed/reference_work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/file.h"
#include "base/text.h"
#include "judge/run/case.h"
#include "judge/speed/counted.h"
#include "judge/speed/estimate.h"
#include "judge/speed/reference.h"

#define KEY_FORMAT "tilegrade/reference-key/2"
#define SEED       ((struct seed){{0, 0x7ef}})
#define PROGRAM    "/proc/self/exe"

static bool is_handout(const struct reference_work *work) {
    return work->options->extras.no_references;
}

// --- Kept numbers ------------------------------------------------------------

// Over the reference, all that builds it, and this program.
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
    work->facts = calloc(1, sizeof *work->facts);
    if (!work->facts) {
        return fail(err, STATUS_NO_MEMORY, "no memory");
    }
    enum status status = kept_path(options, exercise, work->path, err);
    return status ? status : kept_read(work, err);
}

void reference_work_close(struct reference_work *work) {
    if (work->changed && work->path[0] != '\0' && !is_handout(work)) {
        // Numbers that cannot be kept are made again.
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

// Builds the reference unless it is built.
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

// True if the kept launches are those of the timed sizes.
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
    struct run_outcome *outcome = calloc(1, sizeof *outcome);
    if (!outcome) {
        return fail(err, STATUS_NO_MEMORY, "no memory");
    }
    enum status status = program_need(work, err);
    if (!status) {
        status = run_case_alone(&work->program, &planned, REQUEST_COUNT, outcome, err);
    }
    if (!status) {
        status = speed_reference_check(work->exercise, &planned, outcome, err);
    }
    if (!status) {
        // Without room, the last one makes way: it is made again when it is needed.
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
