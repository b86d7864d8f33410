// Records accesses: see tracing.h.
#include "emu/machine/tracing.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "emu/count/count_flops.h"
#include "emu/count/timeline.h"
#include "emu/machine/stop.h"

struct tracing {
    struct memory memory;  // where A, B, C and the shared arrays are
    struct timeline *timeline;
    uint64_t operations;  // operations that the timeline has
    bool copying;         // inside an asynchronous copy
    uint32_t step_first;  // the first event of this phase
    uint32_t phase;
    uint32_t count;
    bool full;
    struct trace_event event[TRACE_EVENTS_MAX];
};

static uint64_t block_of(const uint32_t grid[3], uint32_t observe) {
    uint64_t second = (grid[0] > 1 ? 1 : 0) + (grid[1] > 1 ? (uint64_t)grid[0] : 0);
    uint64_t last = (uint64_t)grid[0] * grid[1] * grid[2] - 1;
    return observe & EMU_FIRST ? 0 : observe & EMU_LAST ? last : second;
}

enum status tracing_begin(struct emu_machine *machine, uint32_t observe, struct error *err) {
    struct tracing *tracing = malloc(sizeof *tracing);
    if (!tracing) {
        return fail(err, STATUS_NO_MEMORY, "no memory for a trace");
    }
    memset(tracing, 0, offsetof(struct tracing, event));
    tracing->timeline = timeline_new(machine->shape.thread_count);
    if (!tracing->timeline) {
        free(tracing);
        return fail(err, STATUS_NO_MEMORY, "no memory for a trace");
    }
    tracing->memory = machine->memory;
    tracing->operations = flops_of_all();
    machine->memory.shared_bytes = 0;
    machine->memory.arena_bytes = 0;
    machine->tracing = tracing;
    machine->block_first = block_of(machine->shape.grid, observe);
    machine->block_end = machine->block_first + 1;
    return STATUS_OK;
}

const struct memory *tracing_memory(const struct emu_machine *machine) {
    return machine->tracing ? &machine->tracing->memory : &machine->memory;
}

// Attributes the operations since the last call to the running thread.
static void operations_note(struct emu_machine *machine) {
    struct tracing *tracing = machine->tracing;
    uint64_t operations = flops_of_all();
    timeline_compute(tracing->timeline, machine->current, operations - tracing->operations);
    tracing->operations = operations;
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
    if (!tracing->copying) {
        operations_note(machine);
        timeline_access(tracing->timeline, access);
    }
    tracing->event[tracing->count++] =
        (struct trace_event){.pc = access->pc,
                             .phase = tracing->phase,
                             .offset = (int32_t)access->offset,
                             .shared_at = (uint32_t)(access->address - tracing->memory.shared),
                             .thread = (uint16_t)access->thread,
                             .array = (uint16_t)access->array,
                             .space = access->space,
                             .kind = access->kind,
                             .bytes = (uint8_t)access->bytes};
    return true;
}

void tracing_copy(struct emu_machine *machine) {
    operations_note(machine);
    machine->tracing->copying = true;
}

void tracing_copied(struct emu_machine *machine, const struct access *to, uint32_t from) {
    machine->tracing->copying = false;
    timeline_copy(machine->tracing->timeline, to, from);
}

void tracing_commit(struct emu_machine *machine) {
    timeline_commit(machine->tracing->timeline, machine->current);
}

void tracing_wait(struct emu_machine *machine, uint64_t prior, uint64_t pc) {
    operations_note(machine);
    timeline_wait(machine->tracing->timeline, machine->current, prior, pc);
}

void tracing_turn(struct emu_machine *machine) {
    operations_note(machine);
}

// Marks the stores of this phase that leave 0 in shared memory.
static void zeros_mark(struct tracing *tracing) {
    for (uint32_t i = tracing->step_first; i < tracing->count; i++) {
        struct trace_event *event = &tracing->event[i];
        bool zero = event->space == SPACE_SHARED && event->kind == ACCESS_WRITE;
        const char *at = (const char *)(uintptr_t)(tracing->memory.shared + event->shared_at);
        for (uint8_t b = 0; zero && b < event->bytes; b++) {
            zero = at[b] == 0;
        }
        event->kind = zero ? TRACE_ZERO : event->kind;
    }
    tracing->step_first = tracing->count;
}

void tracing_barrier(struct emu_machine *machine) {
    struct tracing *tracing = machine->tracing;
    operations_note(machine);
    zeros_mark(tracing);
    timeline_barrier(tracing->timeline, machine->thread[machine->current].pc);
    tracing->phase++;
}

enum status tracing_end(struct emu_machine *machine, struct trace *ret_trace, struct error *err) {
    struct tracing *tracing = machine->tracing;
    enum status status = STATUS_OK;
    machine->memory.shared_bytes = tracing->memory.shared_bytes;
    machine->memory.arena_bytes = tracing->memory.arena_bytes;
    memset(ret_trace, 0, sizeof *ret_trace);
    operations_note(machine);
    zeros_mark(tracing);
    for (int i = 0; i < 3; i++) {
        ret_trace->block[i] = machine->block.place.index[i];
    }
    ret_trace->phases = tracing->phase + 1;
    ret_trace->cut = tracing->full || machine->result.end != EMU_FINISHED;
    timeline_end(tracing->timeline, ret_trace);
    if (!trace_fold(tracing->event, tracing->count, machine->shape.block, ret_trace)) {
        status = fail(err, STATUS_NO_MEMORY, "no memory for a trace");
    }
    timeline_free(tracing->timeline);
    free(tracing);
    machine->tracing = NULL;
    return status;
}
