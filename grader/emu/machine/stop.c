// A stop jumps out of the running thread to the scheduler, which abandons the block.
#include "emu/machine/stop.h"

#include <string.h>

void machine_stop(struct emu_machine *machine) {
    machine->in_kernel = false;
    machine->call_pc = 0;
    siglongjmp(machine->stop, 1);
}

struct finding machine_finding(const struct emu_machine *machine, enum finding_kind kind,
                               uint64_t pc) {
    struct finding finding;
    memset(&finding, 0, sizeof finding);
    finding.kind = kind;
    finding.severity = SEVERITY_ERROR;
    finding.pc = pc;
    finding.array = ARRAY_NONE;
    for (int i = 0; i < 3; i++) {
        finding.block[i] = machine->place.index[i];
        finding.thread[i] = machine->thread[machine->current].index[i];
    }
    return finding;
}

void machine_crash(struct emu_machine *machine, enum crash_cause cause, uint64_t pc) {
    struct finding finding = machine_finding(machine, FINDING_CRASH, pc);
    finding.detail = cause;
    findings_add(&machine->result.findings, &finding);
    machine_stop(machine);
}

void machine_refuse(struct emu_machine *machine, enum crash_cause cause, int64_t number,
                    uint32_t most, uint64_t pc) {
    struct finding finding = machine_finding(machine, FINDING_CRASH, pc);
    finding.detail = cause;
    finding.offset = number;
    finding.array_bytes = most;
    findings_add(&machine->result.findings, &finding);
    machine_stop(machine);
}
