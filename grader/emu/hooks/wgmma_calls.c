// wgmma and setmaxnreg of ptx.cuh.
//
// A multiplication is computed at its call; wgmma.h watches for accesses to its sums, or to the
// shared memory that it reads, before a thread has waited for it.  The first lane of each warp does
// the reading: all four read B, and each reads 16 rows of A.
//
// The link takes this file only if the kernel file makes such a call: machine.c asks for
// emu_wgmma_multiply.
#include "emu/check/wgmma.h"
#include "emu/hooks/touch.h"
#include "emu/machine/collectives.h"
#include "emu/machine/stop.h"
#include "emu/machine/tracing.h"

#define WARPS          (WARPGROUP_THREADS / WARP_LANES)
#define UNSET          0xfefefefeu  // -ftrivial-auto-var-init=pattern
#define REGISTER_BYTES 4
#define A_REGISTERS    4

enum operation { FENCE, COMMIT, WAIT, MULTIPLY, REGISTERS };

uint64_t emu_wgmma_descriptor(const void *start, uint32_t leading, uint32_t stride,
                              uint32_t swizzle);
void emu_wgmma_fence(void);
void emu_wgmma_commit(void);
void emu_wgmma_wait(uint32_t prior);
void emu_wgmma_registers(uint32_t count);

// In bulk_calls.c: a file with wgmma needs its clocks and maps, even without copies.
void emu_bulk_commit(void);
static void (*const needed)(void) __attribute__((used)) = emu_bulk_commit;

// False in a block that is not in the sample.
static bool is_watched(const struct emu_machine *machine) {
    return machine->checks && (machine->sample.count == 0 || machine->block.in_sample);
}

static bool meet(enum operation operation, uint32_t argument, uint64_t pc) {
    struct warpgroup_call call = {.value = {operation, argument}};
    return warpgroup_meet(&machine_state, &call, pc);
}

// The start of an array's region, from which a descriptor counts.
static uint64_t room_of(uint64_t array) {
    return array / MEMORY_ALIGN_BYTES * MEMORY_ALIGN_BYTES;
}

uint64_t emu_wgmma_descriptor(const void *start, uint32_t leading, uint32_t stride,
                              uint32_t swizzle) {
    struct emu_machine *machine = &machine_state;
    struct access access = {.pc = PLACE,
                            .address = (uint64_t)(uintptr_t)start,
                            .bytes = WGMMA_PIECE_BYTES,
                            .thread = machine->current,
                            .space = SPACE_SHARED,
                            .kind = ACCESS_READ};
    if (!memory_find_shared(tracing_memory(machine), &access)) {
        machine_crash(machine, CRASH_NOT_SHARED, PLACE);
    }
    if (align_call(&machine->result.findings, &machine->shape, &machine->block.place, &access,
                   MISALIGNED_ACCESS)) {
        machine_stop(machine);
    }
    uint64_t mode = swizzle == 128 ? 1 : swizzle == 64 ? 2 : swizzle == 32 ? 3 : 0;
    uint64_t from = access.address - room_of(access.address - (uint64_t)access.offset);
    return (uint64_t)access.array << WGMMA_ARRAY_SHIFT | (from >> 4 & 0x3fff) |
           (uint64_t)(leading >> 4 & 0x3fff) << 16 | (uint64_t)(stride >> 4 & 0x3fff) << 32 |
           mode << 62;
}

void emu_wgmma_fence(void) {
    struct emu_machine *machine = &machine_state;
    if (meet(FENCE, 0, PLACE)) {
        if (is_watched(machine)) {
            wgmma_fence(machine->own.wgmma, warpgroup_first(machine));
        }
        warpgroup_go_on(machine);
    }
}

void emu_wgmma_commit(void) {
    struct emu_machine *machine = &machine_state;
    if (meet(COMMIT, 0, PLACE)) {
        if (is_watched(machine)) {
            wgmma_commit(machine->own.wgmma, warpgroup_first(machine));
        }
        warpgroup_go_on(machine);
    }
}

void emu_wgmma_wait(uint32_t prior) {
    struct emu_machine *machine = &machine_state;
    if (meet(WAIT, prior, PLACE)) {
        if (is_watched(machine)) {
            wgmma_wait(machine->own.wgmma, machine->race->follow, warpgroup_first(machine), prior);
        }
        warpgroup_go_on(machine);
    }
}

void emu_wgmma_registers(uint32_t count) {
    if (meet(REGISTERS, count, PLACE)) {
        warpgroup_go_on(&machine_state);
    }
}

// --- wgmma.mma_async -----------------------------------------------------------------------------

// One lane reads a piece.  A store that is not ordered before the read is a race.
static void piece_check(struct emu_machine *machine, struct access *piece) {
    uint32_t found = machine->result.findings.count;
    piece->site = sites_come(machine->sites, piece->pc, machine->known.phase);
    if (async_access(machine->own.async, piece) ||
        bulk_access(machine->own.bulk, machine->race->follow, piece)) {
        return;
    }
    if (machine->asked.lanes) {
        (void)uninit_access(machine->own.uninit, piece);
    }
    machine->race->for_wgmma = true;
    race_access(machine->race, piece);
    struct access word = access_copy(piece);
    word.bytes = REGISTER_BYTES;
    for (;
         machine->result.findings.count == found && word.offset < piece->offset + WGMMA_PIECE_BYTES;
         word.offset += REGISTER_BYTES) {
        if (!bulk_has_filled(machine->own.bulk, &word)) {
            race_proxy_read(machine->race, &word);
        }
    }
    machine->race->for_wgmma = false;
}

// All lanes that read a piece: for A, lanes of one warp.
static void piece_read(struct emu_machine *machine, struct access *piece, bool is_a, uint32_t i) {
    uint32_t first = warpgroup_first(machine);
    for (uint32_t warp = 0; warp < WARPS; warp++) {
        if (!is_a || warp == i / (2 * WGMMA_M / WARPS)) {
            struct access mine = access_copy(piece);
            mine.thread = first + warp * WARP_LANES;
            piece_check(machine, &mine);
        }
    }
    wgmma_reads(machine->own.wgmma, first, piece);
}

// The bytes of a piece that nothing has set.  They are not a mistake if no sum that depends on them
// is used, so they are reported only if C shows that such a sum was used: EMU_LANES.
static void note_unset(struct warpgroup_factor *factor, uint32_t i, uint32_t missing) {
    unsigned char *unset = &factor->unset[(size_t)i * WGMMA_PIECE_BYTES];
    memset(unset, 0, WGMMA_PIECE_BYTES);
    factor->lacks = factor->lacks || missing != 0;
    for (; missing; missing &= missing - 1) {
        unset[__builtin_ctz(missing)] = 1;
    }
}

// Ends the launch if the first row of a swizzled factor is not the first of the eight rows of its
// pattern.
static void rows_check(const struct wgmma_factor *factor, uint64_t room, uint64_t pc) {
    struct emu_machine *machine = &machine_state;
    struct access first = {.pc = pc,
                           .address = room + factor->start,
                           .bytes = WGMMA_LINE_ROWS * factor->swizzle,
                           .thread = machine->current,
                           .space = SPACE_SHARED,
                           .kind = ACCESS_READ};
    if (factor->base == 0 && factor->swizzle > 0 &&
        first.address % first.bytes >= factor->swizzle &&
        memory_find_shared(tracing_memory(machine), &first)) {
        align_report(&machine->result.findings, &machine->shape, &machine->block.place, &first,
                     MISALIGNED_ROWS);
        machine_stop(machine);
    }
}

// Reads a factor from shared memory, piece by piece, and has each piece checked and counted.
static void factor_read(const struct wgmma_call *call, uint64_t descriptor, bool is_a, uint64_t pc,
                        struct warpgroup_factor *ret_factor) {
    struct emu_machine *machine = &machine_state;
    const struct memory *memory = tracing_memory(machine);
    const struct wgmma_factor factor = wgmma_factor_of(descriptor);
    const uint32_t count = 2 * (is_a ? WGMMA_M : call->n);
    if (factor.array >= memory->table.count) {
        machine_crash(machine, CRASH_NOT_SHARED, pc);
    }
    uint64_t start = room_of(memory->shared + memory->table.array[factor.array].offset);
    struct access piece = {.pc = pc,
                           .bytes = WGMMA_PIECE_BYTES,
                           .thread = warpgroup_first(machine),
                           .space = SPACE_SHARED,
                           .kind = ACCESS_READ};
    ret_factor->lacks = false;
    rows_check(&factor, start, pc);
    for (uint32_t i = 0; i < count; i++) {
        bool watched = is_watched(machine);
        piece.address = start + wgmma_piece(&factor, call->transposed[!is_a], i);
        bool found = memory_find_shared(memory, &piece);
        piece.in_bounds = found && memory_inside(&piece);
        if (!found || bounds_access(&machine->result.findings, &machine->shape,
                                    &machine->block.place, &piece)) {
            machine_stop(machine);
        }
        if (watched) {
            piece_read(machine, &piece, is_a, i);
        }
        note_unset(ret_factor, i, watched ? uninit_missing(machine->own.uninit, &piece) : 0);
        memcpy(&ret_factor->piece[(size_t)i * WGMMA_PIECE_BYTES],
               (const void *)(uintptr_t)piece.address, WGMMA_PIECE_BYTES);
    }
    if (machine->counts) {
        count_bulk(machine->count, sites_number(machine->count_sites, instruction_of(machine, pc)),
                   &piece, count * WGMMA_PIECE_BYTES);
    }
}

// Checks that one thread's registers may be used, and that its sums have values.
static void registers_check(const struct wgmma_call *call, uint32_t thread, uint64_t pc) {
    struct emu_machine *machine = &machine_state;
    const struct warpgroup_call *of = &machine->thread[thread].group_call;
    const uint32_t *sums = (const uint32_t *)(uintptr_t)of->own[0];
    const uint32_t bytes = call->n / 2 * REGISTER_BYTES;
    if (call->a_in_registers) {
        wgmma_uses(machine->own.wgmma, thread, of->own[1], A_REGISTERS * REGISTER_BYTES, pc);
    }
    wgmma_uses(machine->own.wgmma, thread, of->own[0], bytes, pc);
    wgmma_computes(machine->own.wgmma, thread, of->own[0], bytes, pc);
    for (uint32_t i = 0; call->adds && i < call->n / 2; i++) {
        if (sums[i] == UNSET) {
            struct finding finding = machine_finding(machine, FINDING_UNINITIALIZED, pc);
            findings_thread(machine->shape.block, thread, finding.thread);
            finding.detail = UNSET_SUMS;
            finding.access = ACCESS_READ;
            findings_add(&machine->result.findings, &finding);
            return;
        }
    }
}

static bool is_own(const struct emu_machine *machine, uint64_t address, uint32_t bytes) {
    uint64_t from = address - machine->thread[machine->current].stack_low;
    return from < FIBER_STACK_BYTES - bytes && address % REGISTER_BYTES == 0;
}

void emu_wgmma_multiply(uint32_t code, void *sums, const void *registers, uint64_t a, uint64_t b) {
    static struct warpgroup_factor factor[2];
    struct emu_machine *machine = &machine_state;
    uint64_t pc = PLACE;
    struct wgmma_call call;
    struct warpgroup_call mine = {
        .value = {(uint64_t)code << 8 | MULTIPLY, a, b},
        .own = {(uint64_t)(uintptr_t)sums, (uint64_t)(uintptr_t)registers}};
    if (!wgmma_decode(code, &call)) {
        machine_crash(machine, CRASH_TRAP, pc);
    }
    if (!is_own(machine, mine.own[0], call.n / 2 * REGISTER_BYTES) ||
        (call.a_in_registers && !is_own(machine, mine.own[1], A_REGISTERS * REGISTER_BYTES))) {
        machine_crash(machine, CRASH_NOT_LOCAL, pc);
    }
    if (!warpgroup_meet(machine, &mine, pc)) {
        return;
    }
    uint32_t first = warpgroup_first(machine);
    if (is_watched(machine)) {
        wgmma_begin(machine->own.wgmma, first, pc);
        for (uint32_t i = 0; i < WARPGROUP_THREADS; i++) {
            registers_check(&call, first + i, pc);
        }
    }
    if (!call.a_in_registers) {
        factor_read(&call, a, true, pc, &factor[0]);
    }
    factor_read(&call, b, false, pc, &factor[1]);
    warpgroup_multiply(machine, &call, factor);
    if (machine->counts) {
        machine->count->sums.tensor_flops += 2 * (uint64_t)WGMMA_M * call.n * call.k;
        machine->count->sums.tensor_calls += WARPS;
    }
    warpgroup_go_on(machine);
}
