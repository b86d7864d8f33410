// Records accesses: see tracing.h.
#include "emu/machine/tracing.h"

#include <stdlib.h>
#include <string.h>

#include "emu/machine/stop.h"

struct tracing {
    struct memory memory;  // where A, B, C and the shared arrays are
    uint32_t phase;
    uint32_t count;
    bool full;
    struct trace_event event[TRACE_EVENTS_MAX];
};

enum status tracing_begin(struct emu_machine *machine, struct error *err) {
    const uint32_t *grid = machine->shape.grid;
    struct tracing *tracing = malloc(sizeof *tracing);
    if (!tracing) {
        return fail(err, STATUS_NO_MEMORY, "no memory for a trace");
    }
    tracing->memory = machine->memory;
    tracing->phase = 0;
    tracing->count = 0;
    tracing->full = false;
    machine->memory.shared_bytes = 0;
    machine->memory.arena_bytes = 0;
    machine->tracing = tracing;
    machine->block_first = (grid[0] > 1 ? 1 : 0) + (grid[1] > 1 ? (uint64_t)grid[0] : 0);
    machine->block_end = machine->block_first + 1;
    return STATUS_OK;
}

bool tracing_access(struct emu_machine *machine, struct access *access) {
    struct tracing *tracing = machine->tracing;
    access->space = SPACE_SHARED;
    if (!memory_find_shared(&tracing->memory, access)) {
        access->space = SPACE_GLOBAL;
        if (!memory_find_global(&tracing->memory, access)) {
            return false;
        }
    }
    if (!memory_inside(access) || access->address % access->bytes != 0) {
        machine_stop(machine);
    }
    if (tracing->count == TRACE_EVENTS_MAX) {
        tracing->full = true;
        machine_stop(machine);
    }
    tracing->event[tracing->count++] = (struct trace_event){.pc = access->pc,
                                                            .phase = tracing->phase,
                                                            .offset = (int32_t)access->offset,
                                                            .thread = (uint16_t)access->thread,
                                                            .array = (uint16_t)access->array,
                                                            .space = access->space,
                                                            .kind = access->kind,
                                                            .bytes = (uint8_t)access->bytes};
    return true;
}

void tracing_barrier(struct emu_machine *machine) {
    machine->tracing->phase++;
}

enum status tracing_end(struct emu_machine *machine, struct trace *ret_trace, struct error *err) {
    struct tracing *tracing = machine->tracing;
    enum status status = STATUS_OK;
    machine->memory.shared_bytes = tracing->memory.shared_bytes;
    machine->memory.arena_bytes = tracing->memory.arena_bytes;
    machine->tracing = NULL;
    memset(ret_trace, 0, sizeof *ret_trace);
    for (int i = 0; i < 3; i++) {
        ret_trace->block[i] = machine->place.index[i];
    }
    ret_trace->phases = tracing->phase + 1;
    ret_trace->cut = tracing->full || machine->result.end != EMU_FINISHED;
    if (!trace_fold(tracing->event, tracing->count, machine->shape.block, ret_trace)) {
        status = fail(err, STATUS_NO_MEMORY, "no memory for a trace");
    }
    free(tracing);
    return status;
}
