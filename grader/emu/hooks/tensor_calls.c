// Bulk tensor copies of ptx.cuh.  A map is its address: what it says is in the machine, where no
// kernel can change it.
//
// Like all bulk copies, they are made at the call (bulk_calls.c).  To the checkers, pieces outside
// the array are no access of global memory.
#include <string.h>

#include "emu/count/rules.h"
#include "emu/hooks/bulk_calls.h"
#include "emu/hooks/place.h"
#include "emu/hooks/touch.h"
#include "emu/machine/cluster.h"
#include "emu/machine/tracing.h"
#include "emu/tensor/box.h"

// Coordinates, two in a number, the first in its lower half; the rank is in that of the last.
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
    uint32_t inside_bytes;  // … that are inside the tensor
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

// From now on the box is under way.
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

// From now on a load is under way, and its mbarrier counts its bytes.
static void copy_end(const struct copy *copy, const struct access *written, struct mbarrier *at) {
    struct emu_machine *machine = &machine_state;
    box_begin(copy, written, mbarrier_number(machine->mbarriers, at));
    mbarrier_copied(machine, at, (uint32_t)copy->bytes, machine->checks ? machine->bulk->time : 0,
                    written->pc);
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

// The same place of another block: the checkers see an access of its memory, as by a pointer.
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

// What is read is read once, for all blocks.
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
