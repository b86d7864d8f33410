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
#include "emu/machine/tracing.h"
#include "emu/tensor/box.h"

// Coordinates, two in a number, the first in its lower half; the rank is in that of the last.
void emu_tensor_load(void *to, const void *map, uint64_t *mbarrier, uint64_t xy, uint64_t zw,
                     uint64_t v_rank);
void emu_tensor_store(const void *map, const void *from, uint64_t xy, uint64_t zw, uint64_t v_rank);
void emu_tensor_prefetch(const void *map);

struct copy {
    const struct plan_tensor *tensor;
    uint64_t start;  // address of the tensor
    int32_t at[TENSOR_RANK_MAX];
    uint64_t sectors;       // of global memory
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

// The side in shared memory: ends the launch if the box is not inside its array.
static struct access box_side(const void *address, uint64_t bytes, enum access_kind kind,
                              uint64_t pc) {
    struct access side = bulk_side(address, BOX_ALIGNMENT_BYTES, kind, SPACE_SHARED, pc);
    uint64_t offset = (uint64_t)side.offset;
    uint64_t room = offset < side.array_bytes ? side.array_bytes - offset : 0;
    if (bytes > room) {
        bulk_touch(&side, (int64_t)(room - room % BOX_PIECE_BYTES), BOX_PIECE_BYTES);
        machine_stop(&machine_state);
    }
    return side;
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

// Both sides of a copy, from its first piece to its last.
static void copy_run(struct copy *copy, const struct access *global, const struct access *shared,
                     bool loads) {
    uint64_t last_sector = UINT64_MAX;
    for (uint32_t i = 0; i < copy->bytes / BOX_PIECE_BYTES; i++) {
        struct box_piece piece = box_piece(copy->tensor, copy->at, shared->address, i);
        uint64_t address = copy->start + piece.offset;
        void *here = (void *)(uintptr_t)piece.shared;
        void *there = (void *)(uintptr_t)address;
        piece_touch(shared, piece.shared, loads ? BOX_PIECE_BYTES : piece.inside);
        piece_touch(global, address, piece.inside);
        if (loads) {
            memset(here, 0, BOX_PIECE_BYTES);
            memcpy(here, there, piece.inside);
        } else {
            memcpy(there, here, piece.inside);
        }
        copy->inside_bytes += piece.inside;
        if (piece.inside > 0 && address / SECTOR_BYTES != last_sector) {
            last_sector = address / SECTOR_BYTES;
            copy->sectors++;
        }
    }
}

static void copy_count(const struct copy *copy, const struct access *global,
                       const struct access *shared, bool loads) {
    struct emu_machine *machine = &machine_state;
    if (machine->counts) {
        uint32_t site = sites_number(machine->count_sites, instruction_of(machine, global->pc));
        count_bulk_rows(machine->count, site, global, copy->inside_bytes, copy->sectors);
        count_bulk(machine->count, site, shared,
                   loads ? (uint32_t)copy->bytes : copy->inside_bytes);
    }
}

void emu_tensor_load(void *to, const void *map, uint64_t *mbarrier, uint64_t xy, uint64_t zw,
                     uint64_t v_rank) {
    struct emu_machine *machine = &machine_state;
    uint64_t pc = PLACE;
    struct mbarrier *at = bulk_mbarrier(mbarrier, pc);
    struct copy copy = copy_of(map, xy, zw, v_rank, pc);
    const struct access read =
        bulk_side((const void *)(uintptr_t)copy.start, 1, ACCESS_READ, SPACE_GLOBAL, pc);
    const struct access written = box_side(to, copy.bytes, ACCESS_WRITE, pc);
    copy_run(&copy, &read, &written, true);
    copy_count(&copy, &read, &written, true);
    bulk_side_begin(written, (uint32_t)copy.bytes, mbarrier_number(machine->mbarriers, at));
    mbarrier_copied(machine, at, (uint32_t)copy.bytes, machine->checks ? machine->bulk->time : 0,
                    pc);
}

void emu_tensor_store(const void *map, const void *from, uint64_t xy, uint64_t zw,
                      uint64_t v_rank) {
    struct emu_machine *machine = &machine_state;
    uint64_t pc = PLACE;
    schedule_step(machine, pc);
    struct copy copy = copy_of(map, xy, zw, v_rank, pc);
    const struct access read = box_side(from, copy.bytes, ACCESS_READ, pc);
    const struct access written =
        bulk_side((const void *)(uintptr_t)copy.start, 1, ACCESS_WRITE, SPACE_GLOBAL, pc);
    copy_run(&copy, &written, &read, false);
    copy_count(&copy, &written, &read, false);
    bulk_side_begin(read, (uint32_t)copy.bytes, BULK_AGENT_GROUPS + machine->current);
}

void emu_tensor_prefetch(const void *map) {
    schedule_step(&machine_state, PLACE);
    (void)map_at(map, PLACE);
}
