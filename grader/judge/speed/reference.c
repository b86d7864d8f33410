// Builds and checks reference kernels: see reference.h.
#include "judge/speed/reference.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/compose.h"
#include "base/file.h"
#include "base/text.h"
#include "exercise/exercise.h"
#include "judge/model/judgement.h"
#include "judge/run/case_plan.h"
#include "judge/run/outcome.h"

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
