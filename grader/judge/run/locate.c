// Asks the inspector for the lines of addresses: see locate.h.
#include "judge/run/locate.h"

#include <stdlib.h>
#include <string.h>

#include "judge/build/step.h"
#include "judge/model/finding.h"

enum status run_places(const struct run_program *program, const uint64_t *addresses, int count,
                       struct build_place *ret_places, struct error *err) {
    struct build_step step = {.what = "locate"};
    struct run_step_end end;
    memset(ret_places, 0, (size_t)count * sizeof *ret_places);
    if (count == 0) {
        return STATUS_OK;
    }
    enum status status = build_locate_command(&program->machine->paths, program->scratch, addresses,
                                              count, &step, err);
    if (status) {
        return status;
    }
    status = run_step(&step, program, &end, err);
    build_step_done(&step);
    if (status) {
        return status;
    }
    if (end.exit_code == 0 && !end.text) {
        build_locate_parse(end.output, count, ret_places);
    } else {  // a finding without its line would be another result than that of a good day
        status = fail(err, STATUS_SYSTEM, "the lines of a program could not be found: %.200s",
                      end.output);
    }
    free(end.output);
    return status;
}

enum status run_locate(const struct run_program *program, struct judged_finding *findings,
                       int count, struct error *err) {
    uint64_t addresses[4 * FINDINGS_MAX];
    struct build_place places[4 * FINDINGS_MAX];
    if (count <= 0) {
        return STATUS_OK;
    }
    for (int i = 0; i < count; i++) {
        addresses[4 * i] = findings[i].finding.pc;
        addresses[4 * i + 1] = findings[i].finding.other_pc;
        addresses[4 * i + 2] = findings[i].finding.call_pc;
        addresses[4 * i + 3] = findings[i].finding.init_pc;
    }
    enum status status = run_places(program, addresses, 4 * count, places, err);
    if (status) {
        return status;
    }
    for (int i = 0; i < count; i++) {
        findings[i].finding.line = places[4 * i].line;
        findings[i].column = places[4 * i].column;
        findings[i].finding.other_line = places[4 * i + 1].line;
        findings[i].other_column = places[4 * i + 1].column;
        findings[i].finding.call_line = places[4 * i + 2].line;
        findings[i].finding.init_line = places[4 * i + 3].line;
    }
    return STATUS_OK;
}
