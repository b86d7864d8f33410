// mbarriers, bulk copies, bulk tensor copies and fence.proxy.async of ptx.cuh.
#include <string.h>

#include "emu/count/count_rules.h"
#include "emu/hooks/touch.h"
#include "emu/machine/cluster.h"
#include "emu/machine/mbarrier.h"
#include "emu/machine/tracing.h"
#include "emu/tensor/tensor_box.h"

#define COPY_BYTES 16  // addresses and sizes are multiples of this

void emu_mbarrier_init(uint64_t *mbarrier, uint32_t count);
void emu_mbarrier_inval(uint64_t *mbarrier);
void emu_mbarrier_arrive(uint64_t *mbarrier, uint32_t count);
void emu_mbarrier_expect(uint64_t *mbarrier, uint32_t bytes);
void emu_mbarrier_arrive_expect(uint64_t *mbarrier, uint32_t bytes);
bool emu_mbarrier_wait(uint64_t *mbarrier, uint32_t parity, bool blocks);
void emu_bulk_load(void *to, const void *from, uint32_t bytes, uint64_t *mbarrier);
void emu_bulk_store(void *to, const void *from, uint32_t bytes);
void emu_bulk_commit(void);
void emu_bulk_wait(uint32_t prior, bool reads_only);
void emu_proxy_fence(void);
void emu_proxy_fence_global(void);

// --- mbarrier ------------------------------------------------------------------------------------

// An operation on an mbarrier.  It is not counted: how often a wait is repeated depends on the
// order of the threads.
static struct access operate(uint64_t *mbarrier, enum access_kind kind, uint64_t pc) {
    schedule_step(&machine_state, pc);
    return mbarrier_access(&machine_state, (uint64_t)(uintptr_t)mbarrier, kind, pc);
}

static void check(struct access access) {
    struct emu_machine *machine = &machine_state;
    if (machine->checks && touch_is_watched(machine, &access, SPACE_SHARED)) {
        touch_check(machine, &access, SPACE_SHARED, true);
    }
}

// The mbarrier that a call of the running thread names.  An uninitialised mbarrier ends the launch.
//
// The race checker does not see this access: a list of all operations would be long.
static struct mbarrier *bulk_mbarrier(uint64_t *mbarrier, uint64_t pc) {
    struct emu_machine *machine = &machine_state;
    struct access access = operate(mbarrier, ACCESS_ATOMIC, pc);
    struct mbarrier *at = mbarrier_operand(machine, &access);
    if (machine->checks) {
        follow_phases(machine->race->follow);
    }
    return at;
}

void emu_mbarrier_init(uint64_t *mbarrier, uint32_t count) {
    struct access access = operate(mbarrier, ACCESS_WRITE, PLACE);
    struct mbarrier *at = mbarrier_init(&machine_state, &access, count);
    check(access);
    at->live = true;
    memset(mbarrier, 0, sizeof *mbarrier);
}

void emu_mbarrier_inval(uint64_t *mbarrier) {
    struct access access = operate(mbarrier, ACCESS_WRITE, PLACE);
    mbarrier_inval(&machine_state, &access);
    check(access);
}

void emu_mbarrier_arrive(uint64_t *mbarrier, uint32_t count) {
    mbarrier_arrive(&machine_state, bulk_mbarrier(mbarrier, PLACE), count, PLACE);
}

void emu_mbarrier_expect(uint64_t *mbarrier, uint32_t bytes) {
    mbarrier_expect(&machine_state, bulk_mbarrier(mbarrier, PLACE), bytes, PLACE);
}

void emu_mbarrier_arrive_expect(uint64_t *mbarrier, uint32_t bytes) {
    struct mbarrier *at = bulk_mbarrier(mbarrier, PLACE);
    mbarrier_expect(&machine_state, at, bytes, PLACE);
    mbarrier_arrive(&machine_state, at, 1, PLACE);
}

bool emu_mbarrier_wait(uint64_t *mbarrier, uint32_t parity, bool blocks) {
    struct emu_machine *machine = &machine_state;
    emu_flops[FLOPS_IDLE] += IDLE_ASK_NS;
    bool complete = mbarrier_wait(machine, bulk_mbarrier(mbarrier, PLACE), parity, blocks, PLACE);
    if (!complete) {
        schedule_away(machine);
    }
    return complete;
}

static void proxy_fence(enum follow_proxy proxy, uint64_t pc) {
    struct emu_machine *machine = &machine_state;
    schedule_step(machine, pc);
    emu_flops[FLOPS_IDLE] += IDLE_PROXY_NS;
    if (machine->checks) {
        race_proxy_fence(machine->race, machine->current, proxy);
    }
}

void emu_proxy_fence(void) {
    proxy_fence(PROXY_SHARED, PLACE);
}

void emu_proxy_fence_global(void) {
    proxy_fence(PROXY_GLOBAL, PLACE);
}

// --- Bulk copies ---------------------------------------------------------------------------------

// Finds the array of one side of a copy.  Ends the launch if the address is in another memory, or
// not a multiple of `alignment` bytes.
static struct access bulk_side(const void *address, uint32_t alignment, enum access_kind kind,
                               enum memory_space space, uint64_t pc) {
    struct emu_machine *machine = &machine_state;
    struct access side = {.pc = pc,
                          .address = (uint64_t)(uintptr_t)address,
                          .bytes = alignment,
                          .thread = machine->current,
                          .space = (uint8_t)space,
                          .kind = (uint8_t)kind};
    bool shared = space == SPACE_SHARED;
    if (!(shared ? memory_find_shared(tracing_memory(machine), &side)
                 : memory_find_global(tracing_memory(machine), &side))) {
        machine_crash(machine, shared ? CRASH_NOT_SHARED : CRASH_NOT_GLOBAL, pc);
    }
    if (align_call(&machine->result.findings, &machine->shape, &machine->block.place, &side,
                   alignment > COPY_BYTES ? MISALIGNED_BOX : MISALIGNED_ACCESS)) {
        machine_stop(machine);
    }
    return side;
}

static struct access side_of(const void *address, uint32_t bytes, enum access_kind kind,
                             enum memory_space space, uint64_t pc) {
    if (bytes % COPY_BYTES != 0) {
        machine_crash(&machine_state, CRASH_COPY_SIZE, pc);
    }
    return bulk_side(address, COPY_BYTES, kind, space, pc);
}

// A bulk copy reads values that threads have stored: they need fence.proxy.async.
static void proxy_check(struct emu_machine *machine, const struct access *part) {
    struct access word = access_copy(part);
    if (part->space == SPACE_GLOBAL) {
        if (machine->race->shadow[SPACE_GLOBAL].written >> part->array & 1) {
            race_proxy_read(machine->race, part);
        }
        return;
    }
    for (word.bytes = 4; word.offset < part->offset + (int64_t)part->bytes; word.offset += 4) {
        if (!bulk_has_filled(machine->own.bulk, &word)) {
            race_proxy_read(machine->race, &word);
        }
    }
}

// Passes `bytes` bytes of `side` (a power of two, at most 16), starting at offset `from`, to all
// checkers.  Ends the launch if these bytes must not be accessed.
static void bulk_touch(const struct access *side, int64_t from, uint32_t bytes) {
    struct emu_machine *machine = &machine_state;
    struct access piece = access_copy(side);
    struct access *part = &piece;
    enum memory_space space = (enum memory_space)side->space;
    piece.address += (uint64_t)from;
    piece.offset += from;
    piece.bytes = bytes;
    if (machine->tracing) {
        touch_one(piece.address, bytes, (enum access_kind)piece.kind, piece.pc, true);
        return;
    }
    part->in_bounds = memory_inside(part);
    if (bounds_access(&machine->result.findings, &machine->shape, &machine->block.place, part)) {
        touch_outside(machine, part);
        return;
    }
    if (space == SPACE_GLOBAL) {
        coverage_access(&machine->coverage, part);
    }
    if (machine->checks && touch_is_watched(machine, part, space)) {
        uint32_t found = machine->result.findings.count;
        machine->race->by_copy = true;
        touch_check(machine, part, space, true);
        machine->race->by_copy = false;
        if (part->kind == ACCESS_READ && machine->result.findings.count == found) {
            proxy_check(machine, part);
        }
        if (space == SPACE_GLOBAL && part->kind == ACCESS_WRITE) {
            bulk_stores(machine->own.bulk, part);
        }
    }
}

// All bytes that one side of a copy accesses.
static void side_touch(const struct access *side, uint32_t bytes) {
    for (uint32_t done = 0; done < bytes; done += COPY_BYTES) {
        bulk_touch(side, done, COPY_BYTES);
    }
}

// From now on, a copy of this many bytes of the side in shared memory is in flight.
static void bulk_side_begin(struct access side, uint32_t bytes, uint32_t agent) {
    struct emu_machine *machine = &machine_state;
    side.bytes = bytes;
    side.in_bounds = true;
    if (machine->checks && bytes > 0 && memory_inside(&side)) {
        bulk_begin(machine->own.bulk, &side, agent);
    }
}

static void count_copy(const struct access *read, const struct access *written, uint32_t bytes) {
    struct emu_machine *machine = &machine_state;
    if (machine->counts) {
        uint32_t site = sites_number(machine->count_sites, instruction_of(machine, read->pc));
        count_bulk(machine->count, site, read, bytes);
        count_bulk(machine->count, site, written, bytes);
    }
}

void emu_bulk_load(void *to, const void *from, uint32_t bytes, uint64_t *mbarrier) {
    struct emu_machine *machine = &machine_state;
    uint64_t pc = PLACE;
    struct mbarrier *at = bulk_mbarrier(mbarrier, pc);
    struct access read = side_of(from, bytes, ACCESS_READ, SPACE_GLOBAL, pc);
    struct access written = side_of(to, bytes, ACCESS_WRITE, SPACE_SHARED, pc);
    count_copy(&read, &written, bytes);
    side_touch(&written, bytes);  // ends the launch if the array is too small
    side_touch(&read, bytes);
    memcpy(to, from, bytes);
    bulk_side_begin(written, bytes, mbarrier_number(machine->own.mbarriers, at));
    mbarrier_copied(machine, at, bytes, machine->checks ? machine->own.bulk->time : 0, pc);
}

void emu_bulk_store(void *to, const void *from, uint32_t bytes) {
    struct emu_machine *machine = &machine_state;
    uint64_t pc = PLACE;
    schedule_step(machine, pc);
    struct access read = side_of(from, bytes, ACCESS_READ, SPACE_SHARED, pc);
    struct access written = side_of(to, bytes, ACCESS_WRITE, SPACE_GLOBAL, pc);
    count_copy(&read, &written, bytes);
    side_touch(&read, bytes);
    side_touch(&written, bytes);
    memcpy(to, from, bytes);
    bulk_side_begin(read, bytes, BULK_AGENT_GROUPS + machine->current);
}

void emu_bulk_commit(void) {
    if (machine_state.checks) {
        bulk_commit(machine_state.own.bulk, machine_state.current);
    }
}

void emu_bulk_wait(uint32_t prior, bool reads_only) {
    struct emu_machine *machine = &machine_state;
    schedule_step(machine, PLACE);
    if (machine->checks) {
        bulk_wait(machine->own.bulk, machine->race->follow, machine->current, prior, reads_only);
    }
}

// Coordinates, two in each number, the first in the lower half; the last number also holds the
// rank.
void emu_tensor_load(void *to, const void *map, uint64_t *mbarrier, uint64_t xy, uint64_t zw,
                     uint64_t v_rank);
void emu_tensor_multicast(void *to, const void *map, uint64_t *mbarrier, uint64_t xy,
                          uint32_t blocks);
void emu_tensor_store(const void *map, const void *from, uint64_t xy, uint64_t zw, uint64_t v_rank);
void emu_tensor_prefetch(const void *map);

struct copy {
    const struct plan_tensor *tensor;
    uint64_t start;  // address of the tensor
    int32_t at[TENSOR_RANK_MAX];
    uint64_t sectors;       // of global memory
    uint64_t last_sector;   // … that was touched
    uint64_t bytes;         // of the box
    uint32_t inside_bytes;  // bytes that are inside the tensor
};

static const struct machine_tensor *map_at(const void *map, uint64_t pc) {
    struct emu_machine *machine = &machine_state;
    uint64_t from = (uint64_t)(uintptr_t)map - (uint64_t)(uintptr_t)machine->tensor;
    if (from >= sizeof machine->tensor || from % sizeof machine->tensor[0] != 0) {
        machine_crash(machine, CRASH_NO_TENSOR_MAP, pc);
    }
    const struct machine_tensor *at = &machine->tensor[from / sizeof machine->tensor[0]];
    if (at->layout.rank == 0) {
        machine_crash(machine, CRASH_TENSOR_MAP_EMPTY, pc);
    }
    return at;
}

static struct copy copy_of(const void *map, uint64_t xy, uint64_t zw, uint64_t v_rank,
                           uint64_t pc) {
    const struct machine_tensor *at = map_at(map, pc);
    struct copy copy = {
        .tensor = &at->layout,
        .start = at->start,
        .last_sector = UINT64_MAX,
        .at = {(int32_t)xy, (int32_t)(xy >> 32), (int32_t)zw, (int32_t)(zw >> 32), (int32_t)v_rank},
        .bytes = box_bytes(&at->layout)};
    if (v_rank >> 32 != at->layout.rank) {
        machine_crash(&machine_state, CRASH_TENSOR_RANK, pc);
    }
    int64_t column = (int64_t)copy.at[0] * tensor_element_bytes(at->layout.type);
    if (column % (int64_t)BOX_PIECE_BYTES != 0) {
        machine_crash(&machine_state, CRASH_TENSOR_COLUMN, pc);
    }
    return copy;
}

// The side in shared memory: ends the launch if a piece of the box is not inside its array.
static struct access box_side(const struct copy *copy, const void *address, enum access_kind kind,
                              uint64_t pc) {
    struct access side = bulk_side(address, BOX_ALIGNMENT_BYTES, kind, SPACE_SHARED, pc);
    uint64_t offset = (uint64_t)side.offset;
    uint64_t room = offset < side.array_bytes ? side.array_bytes - offset : 0;
    bool fits = !box_has_gaps(copy->tensor) && copy->bytes <= room;
    for (uint32_t i = 0; !fits && i < copy->bytes / BOX_PIECE_BYTES; i++) {
        uint64_t from = box_piece(copy->tensor, copy->at, side.address, i).shared - side.address;
        if (from + BOX_PIECE_BYTES > room) {
            bulk_touch(&side, (int64_t)from, BOX_PIECE_BYTES);
            machine_stop(&machine_state);
        }
    }
    return side;
}

// From now on the copy of the box is in flight.
static void box_begin(const struct copy *copy, const struct access *side, uint32_t agent) {
    if (!box_has_gaps(copy->tensor)) {
        bulk_side_begin(*side, (uint32_t)copy->bytes, agent);
        return;
    }
    for (uint32_t i = 0; i < copy->bytes / BOX_PIECE_BYTES; i++) {
        struct access part = access_copy(side);
        part.address = box_piece(copy->tensor, copy->at, side->address, i).shared;
        part.offset += (int64_t)(part.address - side->address);
        bulk_side_begin(part, BOX_PIECE_BYTES, agent);
    }
}

// The checkers see the first bytes of a piece, as accesses whose sizes are powers of two.
static void piece_touch(const struct access *side, uint64_t address, uint32_t bytes) {
    for (uint32_t size = BOX_PIECE_BYTES; size > 0; size /= 2) {
        if (bytes & size) {
            bulk_touch(side, (int64_t)(address - side->address), size);
            address += size;
        }
    }
}

static void global_touch(struct copy *copy, const struct access *global,
                         const struct box_piece *piece) {
    uint64_t address = copy->start + piece->offset;
    piece_touch(global, address, piece->inside);
    copy->inside_bytes += piece->inside;
    if (piece->inside > 0 && address / SECTOR_BYTES != copy->last_sector) {
        copy->last_sector = address / SECTOR_BYTES;
        copy->sectors++;
    }
}

// Both sides of a copy, from its first piece to its last.
static void copy_run(struct copy *copy, const struct access *global, const struct access *shared,
                     bool loads) {
    for (uint32_t i = 0; i < copy->bytes / BOX_PIECE_BYTES; i++) {
        struct box_piece piece = box_piece(copy->tensor, copy->at, shared->address, i);
        void *here = (void *)(uintptr_t)piece.shared;
        void *there = (void *)(uintptr_t)(copy->start + piece.offset);
        piece_touch(shared, piece.shared, loads ? BOX_PIECE_BYTES : piece.inside);
        global_touch(copy, global, &piece);
        if (loads) {
            memset(here, 0, BOX_PIECE_BYTES);
            memcpy(here, there, piece.inside);
        } else {
            memcpy(there, here, piece.inside);
        }
    }
}

static uint32_t site_of(struct emu_machine *machine, uint64_t pc) {
    return sites_number(machine->count_sites, instruction_of(machine, pc));
}

static void global_count(const struct copy *copy, const struct access *global) {
    struct emu_machine *machine = &machine_state;
    if (machine->counts) {
        count_bulk_rows(machine->count, site_of(machine, global->pc), global, copy->inside_bytes,
                        copy->sectors);
    }
}

static void shared_count(const struct access *shared, uint64_t bytes) {
    struct emu_machine *machine = &machine_state;
    if (machine->counts) {
        count_bulk(machine->count, site_of(machine, shared->pc), shared, (uint32_t)bytes);
    }
}

// From now on a load is in flight, and its mbarrier counts its bytes.
static void copy_end(const struct copy *copy, const struct access *written, struct mbarrier *at) {
    struct emu_machine *machine = &machine_state;
    box_begin(copy, written, mbarrier_number(machine->own.mbarriers, at));
    mbarrier_copied(machine, at, (uint32_t)copy->bytes,
                    machine->checks ? machine->own.bulk->time : 0, written->pc);
}

void emu_tensor_load(void *to, const void *map, uint64_t *mbarrier, uint64_t xy, uint64_t zw,
                     uint64_t v_rank) {
    uint64_t pc = PLACE;
    struct mbarrier *at = bulk_mbarrier(mbarrier, pc);
    struct copy copy = copy_of(map, xy, zw, v_rank, pc);
    const struct access read =
        bulk_side((const void *)(uintptr_t)copy.start, 1, ACCESS_READ, SPACE_GLOBAL, pc);
    const struct access written = box_side(&copy, to, ACCESS_WRITE, pc);
    copy_run(&copy, &read, &written, true);
    global_count(&copy, &read);
    shared_count(&written, copy.bytes);
    copy_end(&copy, &written, at);
}

// --- To several blocks of a cluster --------------------------------------------------------------

// The same address in another block: the checkers see an access to its memory, as through a
// pointer.
static void remote_piece(const struct copy *copy, const struct access *written,
                         const struct box_piece *piece, uint32_t rank) {
    struct emu_machine *machine = &machine_state;
    struct access there = access_copy(written);
    there.address = cluster_address(machine, piece->shared, rank);
    there.offset += (int64_t)(piece->shared - written->address);
    there.bytes = BOX_PIECE_BYTES;
    there.in_bounds = true;
    if (machine->checks) {
        touch_there(machine, &there, rank);
    }
    void *to = (void *)(uintptr_t)there.address;
    memset(to, 0, BOX_PIECE_BYTES);
    memcpy(to, (const void *)(uintptr_t)(copy->start + piece->offset), piece->inside);
}

static void remote_load(const struct copy *copy, const struct access *written,
                        const struct access *mbarrier, uint32_t rank) {
    struct emu_machine *machine = &machine_state;
    for (uint32_t i = 0; i < copy->bytes / BOX_PIECE_BYTES; i++) {
        struct box_piece piece = box_piece(copy->tensor, copy->at, written->address, i);
        remote_piece(copy, written, &piece, rank);
    }
    shared_count(written, copy->bytes);
    struct cluster_loan loan = cluster_lend(machine, rank);
    struct mbarrier *at = mbarrier_live(machine, mbarrier, true);
    at->early += (int64_t)copy->bytes;
    copy_end(copy, written, at);
    cluster_return(machine, loan);
}

// The source is read once, for all blocks.
void emu_tensor_multicast(void *to, const void *map, uint64_t *mbarrier, uint64_t xy,
                          uint32_t blocks) {
    struct emu_machine *machine = &machine_state;
    const struct cluster *cluster = machine->tracing ? NULL : machine->cluster;
    uint32_t count = cluster ? machine->shape.cluster_blocks : 1;
    uint32_t own = cluster ? cluster->rank : 0;
    uint64_t pc = PLACE;
    schedule_step(machine, pc);
    if (blocks >> count != 0 && !machine->tracing) {
        machine_refuse(machine, CRASH_CLUSTER_MASK, blocks, (1u << count) - 1, pc);
    }
    const struct access at =
        mbarrier_access(machine, (uint64_t)(uintptr_t)mbarrier, ACCESS_ATOMIC, pc);
    struct copy copy = copy_of(map, xy, 0, 2ull << 32, pc);
    const struct access read =
        bulk_side((const void *)(uintptr_t)copy.start, 1, ACCESS_READ, SPACE_GLOBAL, pc);
    const struct access written = box_side(&copy, to, ACCESS_WRITE, pc);
    if (blocks >> own & 1) {
        struct mbarrier *here = bulk_mbarrier(mbarrier, pc);
        copy_run(&copy, &read, &written, true);
        shared_count(&written, copy.bytes);
        copy_end(&copy, &written, here);
    } else {
        for (uint32_t i = 0; i < copy.bytes / BOX_PIECE_BYTES; i++) {
            struct box_piece piece = box_piece(copy.tensor, copy.at, written.address, i);
            global_touch(&copy, &read, &piece);
        }
    }
    global_count(&copy, &read);
    for (uint32_t rank = 0; rank < count; rank++) {
        if (rank != own && blocks >> rank & 1) {
            remote_load(&copy, &written, &at, rank);
        }
    }
}

void emu_tensor_store(const void *map, const void *from, uint64_t xy, uint64_t zw,
                      uint64_t v_rank) {
    struct emu_machine *machine = &machine_state;
    uint64_t pc = PLACE;
    schedule_step(machine, pc);
    struct copy copy = copy_of(map, xy, zw, v_rank, pc);
    const struct access read = box_side(&copy, from, ACCESS_READ, pc);
    const struct access written =
        bulk_side((const void *)(uintptr_t)copy.start, 1, ACCESS_WRITE, SPACE_GLOBAL, pc);
    copy_run(&copy, &written, &read, false);
    global_count(&copy, &written);
    shared_count(&read, copy.inside_bytes);
    box_begin(&copy, &read, BULK_AGENT_GROUPS + machine->current);
}

void emu_tensor_prefetch(const void *map) {
    schedule_step(&machine_state, PLACE);
    (void)map_at(map, PLACE);
}

void emu_cluster_mbarrier_arrive(uint64_t *mbarrier, uint32_t rank, bool relaxed);
void *emu_cluster_map(const void *address, uint32_t rank);

static void arrive(struct mbarrier *at, bool relaxed, enum follow_scope scope, uint64_t pc) {
    if (relaxed) {
        mbarrier_arrive_relaxed(&machine_state, at, scope, pc);
    } else {
        mbarrier_arrive(&machine_state, at, 1, pc);
    }
}

void emu_cluster_mbarrier_arrive(uint64_t *mbarrier, uint32_t rank, bool relaxed) {
    struct emu_machine *machine = &machine_state;
    const struct cluster *cluster = machine->cluster;
    uint64_t pc = PLACE;
    if (!cluster || machine->tracing || rank == cluster->rank) {
        arrive(bulk_mbarrier(mbarrier, pc), relaxed, FOLLOW_BLOCK, pc);
        return;
    }
    schedule_step(machine, pc);
    struct access access =
        mbarrier_access(machine, (uint64_t)(uintptr_t)mbarrier, ACCESS_ATOMIC, pc);
    if (rank >= machine->shape.cluster_blocks) {
        machine_refuse(machine, CRASH_CLUSTER_RANK, rank, machine->shape.cluster_blocks - 1, pc);
    }
    struct access there = access_copy(&access);
    there.address = cluster_address(machine, access.address, rank);
    if (machine->checks) {
        race_atomic(machine->race, OPERATION_ADD, false);
    }
    (void)touch_remote(machine, &there);
    struct cluster_loan loan = cluster_lend(machine, rank);
    struct mbarrier *at = mbarrier_live(machine, &access, true);
    at->remote = true;
    arrive(at, relaxed, FOLLOW_ALL, pc);
    cluster_return(machine, loan);
}
