// Calls of a whole warpgroup: see warpgroup.h.
#include "emu/machine/warpgroup.h"

#include <string.h>

#include "emu/check/wgmma.h"
#include "emu/machine/collectives.h"
#include "emu/machine/schedule.h"
#include "emu/machine/stop.h"

uint32_t warpgroup_first(const struct emu_machine *machine) {
    return machine->current / WARPGROUP_THREADS * WARPGROUP_THREADS;
}

static struct warpgroup_call *call_of(struct emu_machine *machine, uint32_t thread) {
    return &machine->thread[thread].group_call;
}

static bool is_here(const struct emu_machine *machine, uint32_t thread, uint64_t pc) {
    const struct thread *of = &machine->thread[thread];
    return machine->state[thread] == THREAD_AT_WARP && of->call.operation == WARP_GROUP &&
           of->pc == pc;
}

static _Noreturn void values_differ(struct emu_machine *machine, uint32_t other, uint64_t pc) {
    struct finding finding = machine_finding(machine, FINDING_BARRIER_DIVERGENCE, pc);
    finding.detail = WARPGROUP_CALL_VALUES;
    finding.count_waiting = WARPGROUP_THREADS;
    findings_thread(machine->shape.block, other, finding.other_thread);
    findings_add(&machine->result.findings, &finding);
    machine_stop(machine);
}

bool warpgroup_meet(struct emu_machine *machine, const struct warpgroup_call *call, uint64_t pc) {
    uint32_t first = warpgroup_first(machine);
    struct thread *thread = &machine->thread[machine->current];
    schedule_step(machine, pc);
    thread->pc = pc;
    thread->call.operation = WARP_GROUP;
    thread->group_call = *call;
    machine->state[machine->current] = THREAD_AT_WARP;
    bool all = first + WARPGROUP_THREADS <= machine->shape.thread_count;
    for (uint32_t i = 0; all && i < WARPGROUP_THREADS; i++) {
        all = is_here(machine, first + i, pc);
    }
    if (!all) {
        schedule_away(machine);
        return false;
    }
    for (uint32_t i = 0; i < WARPGROUP_THREADS; i++) {
        if (memcmp(call_of(machine, first + i)->value, call->value, sizeof call->value) != 0) {
            values_differ(machine, first + i, pc);
        }
    }
    return true;
}

void warpgroup_go_on(struct emu_machine *machine) {
    memset(&machine->state[warpgroup_first(machine)], THREAD_READY, WARPGROUP_THREADS);
}

void warpgroup_multiply(struct emu_machine *machine, const struct wgmma_call *call,
                        const unsigned char *const pieces[2]) {
    // Static: the stack of a kernel's thread is small.
    static uint32_t a[WGMMA_M * WGMMA_K_MAX], b[WGMMA_N_MAX * WGMMA_K_MAX];
    static uint32_t d[WGMMA_M * WGMMA_N_MAX];
    uint32_t first = warpgroup_first(machine);
    uint32_t each = WGMMA_K_MAX / call->k == 1 ? 2 : 1;  // elements of A in a register
    wgmma_elements(call, call->transposed[1], call->n, pieces[1], b);
    if (!call->a_in_registers) {
        wgmma_elements(call, call->transposed[0], WGMMA_M, pieces[0], a);
    }
    for (uint32_t i = 0; i < WARPGROUP_THREADS; i++) {
        const struct warpgroup_call *mine = call_of(machine, first + i);
        const uint32_t *sums = (const uint32_t *)(uintptr_t)mine->own[0];
        const uint32_t *registers = (const uint32_t *)(uintptr_t)mine->own[1];
        uint32_t warp = i / WARP_LANES;
        uint32_t lane = i % WARP_LANES;
        for (uint32_t j = 0; j < call->n / 2; j++) {
            d[wgmma_place_of_sum(call, warp, lane, j)] = sums[j];
        }
        for (uint32_t j = 0; call->a_in_registers && j < 4 * each; j++) {
            a[wgmma_place_of_factor(call, warp, lane, j / each, j % each)] =
                registers[j / each] >> (j % each * 16) & (each == 2 ? 0xffff : UINT32_MAX);
        }
    }
    wgmma_multiply(call, a, b, d);
    for (uint32_t i = 0; i < WARPGROUP_THREADS; i++) {
        uint32_t *sums = (uint32_t *)(uintptr_t)call_of(machine, first + i)->own[0];
        for (uint32_t j = 0; j < call->n / 2; j++) {
            sums[j] = d[wgmma_place_of_sum(call, i / WARP_LANES, i % WARP_LANES, j)];
        }
    }
}
