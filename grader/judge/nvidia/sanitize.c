// See sanitize.h.  The CPU device finds more and explains it better; NVIDIA's tool confirms what it
// finds.
#include "judge/nvidia/sanitize.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compose.h"
#include "base/utf8.h"
#include "device/nvidia/tool.h"
#include "device/nvidia/sanitizer.h"
#include "exercise/exercise.h"
#include "judge/explain/finding.h"
#include "judge/model/judgement.h"
#include "judge/nvidia/tool_run.h"
#include "judge/run/gpu_lease.h"

#define SIZES_MAX     2
#define SHOWN_OF_TEXT 200

// One run of one tool.
struct sanitizing {
    const struct run_kernel *kernel;
    struct exercise_result *result;
    const char *tool;
    struct size size;
};

static int sizes_choose(const struct exercise_result *result, struct size sizes[SIZES_MAX]) {
    const struct exercise *exercise = result->exercise;
    int count = 0;
    if (result->why.repeat_size.m > 0) {
        sizes[count++] = result->why.repeat_size;
    }
    for (int i = 0; i < exercise->case_count && count < SIZES_MAX; i++) {
        if (strcmp(exercise->cases[i].name, "ragged") == 0) {
            sizes[count++] = exercise->cases[i].size;
        }
    }
    return count;
}

static const char *space_text(uint32_t space) {
    return space == SPACE_SHARED   ? _("shared memory")
           : space == SPACE_GLOBAL ? _("global memory")
                                   : C_("tool", "memory");
}

static const char *access_text(uint32_t access) {
    return access == ACCESS_WRITE    ? C_("tool", "write")
           : access == ACCESS_ATOMIC ? _("atomic operation")
                                     : C_("tool", "read");
}

// Writes what the tool saw, in a sentence.
static void message_make(const struct sanitizing *sanitizing, struct judged_finding *judged) {
    const struct finding *finding = &judged->finding;
    const char *space = space_text(finding->space);
    const char *access = access_text(finding->access);
    char what[CLAUSE_MAX];
    switch ((enum finding_kind)finding->kind) {
    case FINDING_RACE:
        words_write(what, sizeof what,
                    _("a %s at line %u and a %s at line %u of one place of shared memory, with no "
                      "barrier between them"),
                    access, finding->line, access_text(finding->other_access), finding->other_line);
        break;
    case FINDING_MISALIGNED:
        words_write(what, sizeof what,
                    _("a %s of %u bytes of %s at an address that is not a multiple of that number"),
                    access, finding->access_bytes, space);
        break;
    case FINDING_UNINITIALIZED:
        words_write(what, sizeof what, _("a %s of %s that nothing has written"), access, space);
        break;
    case FINDING_BARRIER_DIVERGENCE:
        words_write(what, sizeof what,
                    _("threads of a block that wait at different barriers, or "
                      "that never come to this one"));
        break;
    default:
        words_write(what, sizeof what, _("a %s of %u bytes of %s outside of every array"), access,
                    finding->access_bytes, space);
    }
    (void)snprintf(judged->clause, sizeof judged->clause, "%s", what);
    words_write(judged->message, sizeof judged->message,
                _("On the GPU, NVIDIA's compute-sanitizer (%s) sees %s: block (%u,%u,%u), thread "
                  "(%u,%u,%u)."),
                sanitizing->tool, what, finding->block[0], finding->block[1], finding->block[2],
                finding->thread[0], finding->thread[1], finding->thread[2]);
    (void)snprintf(judged->lesson, sizeof judged->lesson, "lessons/verdicts.md#%s",
                   finding_kind_name(finding->kind));
}

// True if the CPU device or another tool has seen it already.  The kind and one of the lines are
// enough, because a compiler moves code.
static bool is_known(const struct exercise_result *result, const struct finding *finding) {
    for (int i = 0; i < result->findings.count; i++) {
        const struct finding *known = &result->findings.list[i].finding;
        bool line = known->line == finding->line || known->other_line == finding->line ||
                    (finding->other_line > 0 && known->line == finding->other_line);
        if (known->kind == finding->kind && known->severity == SEVERITY_ERROR && line) {
            return true;
        }
    }
    return false;
}

static void finding_add(const struct sanitizing *sanitizing, const struct finding *finding) {
    struct exercise_result *result = sanitizing->result;
    const struct judge_source *source = &sanitizing->kernel->source;
    if (is_known(result, finding) || result->findings.count == FINDINGS_MAX) {
        return;
    }
    struct judged_finding *judged = &result->findings.list[result->findings.count++];
    *judged = (struct judged_finding){
        .finding = *finding, .device = DEVICE_GPU, .size = sanitizing->size};
    message_make(sanitizing, judged);
    judge_source_line(source->text, source->bytes, finding->line, judged->source,
                      sizeof judged->source);
    judge_source_line(source->text, source->bytes, finding->other_line, judged->other_source,
                      sizeof judged->other_source);
    if (result->verdict == VERDICT_PASS) {
        result->verdict = finding_verdict(&judged->finding);
        result->why.repeat_size = sanitizing->size;
        words_write(result->why.headline, sizeof result->why.headline, "%.200s:%u: %s",
                    result->file, finding->line, judged->message);
    }
}

// A tool that does not finish says nothing about the kernel, unless the kernel ended it.
static enum status unfinished(const struct sanitizing *sanitizing, const char *output,
                              struct error *err) {
    const char *line = strstr(output, "=========");
    const char *said = line ? strstr(line + 1, "=========") : NULL;
    return fail(err, STATUS_UNAVAILABLE, "compute-sanitizer (%s) does not work here: %.*s",
                sanitizing->tool, SHOWN_OF_TEXT, said ? said : output);
}

static enum status tool_use(const struct sanitizing *sanitizing, const char *path,
                            struct error *err) {
    const struct run_program *program = &sanitizing->kernel->program[DEVICE_GPU];
    const struct tool_launch launch = {.programs = program->machine->paths.programs,
                                       .scratch = program->scratch,
                                       .kernel = program->kernel,
                                       .gpu = gpu_lease_index(program->machine),
                                       .size = sanitizing->size};
    struct build_step step;
    struct sanitizer_report report;
    char *output = NULL;
    enum status status = sanitizer_command(path, sanitizing->tool, &launch, &step, err);
    if (status) {
        return status;
    }
    status = tool_run(&step, program->scratch, program->machine->lease, &output, err);
    build_step_done(&step);
    if (!status) {
        sanitizer_parse(output, BUILD_SOURCE, &report);
        status = report.finished ? STATUS_OK : unfinished(sanitizing, output, err);
    }
    for (int i = 0; !status && i < report.count; i++) {
        finding_add(sanitizing, &report.finding[i]);
    }
    free(output);
    return status;
}

enum status sanitize_run(const struct run_kernel *kernel, struct exercise_result *result,
                         struct error *err) {
    struct size sizes[SIZES_MAX];
    char path[PATH_BYTES_MAX];
    enum status status = nvidia_tool_find("compute-sanitizer", path, err);
    if (!status) {
        status = gpu_lease_take(kernel->program[DEVICE_GPU].machine->lease, err);
    }
    int count = status ? 0 : sizes_choose(result, sizes);
    for (int i = 0; i < count * SANITIZER_TOOLS && !status; i++) {
        const struct sanitizing sanitizing = {.kernel = kernel,
                                              .result = result,
                                              .tool = sanitizer_tool_name(i % SANITIZER_TOOLS),
                                              .size = sizes[i / SANITIZER_TOOLS]};
        status = tool_use(&sanitizing, path, err);
    }
    result->sanitized = !status;
    return status;
}
