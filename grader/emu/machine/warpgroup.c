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

// Marks the sums of each row of a factor that lacks bytes.
static void sums_unset(const struct wgmma_call *call, const struct warpgroup_factor *factor,
                       bool is_a, uint32_t *d) {
    static uint32_t unset[WGMMA_N_MAX * WGMMA_K_MAX];
    const uint32_t rows = is_a ? WGMMA_M : call->n;
    wgmma_elements(call, call->transposed[!is_a], rows, factor->unset, unset);
    for (uint32_t i = 0; i < rows * call->k; i++) {
        if (unset[i] == 0) {
            continue;
        }
        uint32_t row = i / call->k;
        for (uint32_t j = 0; j < (is_a ? call->n : WGMMA_M); j++) {
            d[is_a ? row * call->n + j : j * call->n + row] = LANE_JUNK_BITS;
        }
        i = row * call->k + call->k - 1;  // the next row
    }
}

void warpgroup_multiply(struct emu_machine *machine, const struct wgmma_call *call,
                        const struct warpgroup_factor factor[2]) {
    // Static: the stack of a kernel's thread is small.
    static uint32_t a[WGMMA_M * WGMMA_K_MAX], b[WGMMA_N_MAX * WGMMA_K_MAX];
    static uint32_t d[WGMMA_M * WGMMA_N_MAX];
    uint32_t first = warpgroup_first(machine);
    uint32_t each = WGMMA_K_MAX / call->k == 1 ? 2 : 1;  // elements of A in a register
    wgmma_elements(call, call->transposed[1], call->n, factor[1].piece, b);
    if (!call->a_in_registers) {
        wgmma_elements(call, call->transposed[0], WGMMA_M, factor[0].piece, a);
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
    for (uint32_t i = call->a_in_registers; i < 2; i++) {
        if (factor[i].lacks) {
            sums_unset(call, &factor[i], i == 0, d);
        }
    }
    for (uint32_t i = 0; i < WARPGROUP_THREADS; i++) {
        uint32_t *sums = (uint32_t *)(uintptr_t)call_of(machine, first + i)->own[0];
        for (uint32_t j = 0; j < call->n / 2; j++) {
            bool stays = call->adds && sums[j] == LANE_JUNK_BITS;
            sums[j] = stays ? LANE_JUNK_BITS
                            : d[wgmma_place_of_sum(call, i / WARP_LANES, i % WARP_LANES, j)];
        }
    }
}
