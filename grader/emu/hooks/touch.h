// Passes every load, store and atomic operation to all observers.
//
// Inline, because the compiler removes half of the tests if it knows the size, the kind and the
// memory of the access.  The usual_ and counted_ functions do the same for the usual access, in a
// third and a fifth of the instructions; they return false for any other access.
#ifndef EMU_HOOKS_TOUCH_H
#define EMU_HOOKS_TOUCH_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "emu/check/address_checks.h"
#include "emu/machine/machine_state.h"
#include "emu/machine/mbarrier.h"
#include "emu/machine/schedule.h"
#include "emu/machine/stop.h"

#define PLACE ((uint64_t)(uintptr_t)__builtin_return_address(0))

// Local variables are not checked, and in some kernels most calls are about them: so this test
// comes first.  `frame` is the hook's frame address, or its canonical frame address, which is the
// exact limit.
static inline __attribute__((always_inline)) bool place_is_local(uint64_t address, uint64_t frame) {
    return address - frame < FIBER_STACK_BYTES;
}

// The same, but false in a file with wgmma while checks are made: sums and factors of a wgmma are
// local.
static inline __attribute__((always_inline)) bool place_is_unwatched(uint64_t address,
                                                                     uint64_t frame) {
    return address - frame < machine_state.local_bytes;
}

// Shared memory is filled with bytes of SHARED_JUNK when a block starts: a word without such a byte
// has been written.
static inline bool usual_may_be_junk(uint32_t word) {
    return (~word - 0x01010101u) & word & 0x80808080u;
}

// The site of a place that this phase has reached before; else 0.
static inline uint32_t usual_site(const struct emu_machine *machine, uint64_t pc) {
    const struct sites_entry *entry = sites_entry_of(machine->sites, pc);
    return entry->pc == pc && entry->phase == machine->known.phase ? entry->number : 0;
}

static inline uint64_t usual_slot(const struct emu_machine *machine, uint32_t site) {
    return machine->race->now | (uint64_t)site << SLOT_SITE_SHIFT | machine->current;
}

// The unit of a word of shared memory in the race checker; UINT64_MAX if it has none.
static inline uint64_t usual_shared_unit(const struct emu_machine *machine, uint64_t address) {
    const struct race_shadow *shadow = &machine->race->shadow[SPACE_SHARED];
    const struct memory_slot *slot =
        &machine->memory.slot[(address - machine->memory.shared) / MEMORY_SLOT_BYTES];
    uint64_t offset = address - slot->start;
    if (offset >= slot->bytes || slot->bytes - offset < 4 || shadow->shift != 2) {
        return UINT64_MAX;
    }
    return (shadow->start[slot->array] + offset) >> 2;
}

static inline __attribute__((always_inline)) bool
usual_load_shared(struct emu_machine *machine, uint64_t word, uint64_t address, uint64_t pc) {
    uint32_t site = usual_site(machine, pc);
    uint64_t unit = usual_shared_unit(machine, address);
    uint32_t value;
    memcpy(&value, (const void *)(uintptr_t)address, sizeof value);
    if (site == 0 || unit == UINT64_MAX || machine->own.async->count > 0 ||
        usual_may_be_junk(value)) {
        return false;
    }
    enum known_to to =
        race_load_usual(machine->race, SPACE_SHARED, unit, usual_slot(machine, site));
    if (to == KNOWN_NOTHING) {
        return false;
    }
    known_learn_shared(&machine->known, word, pc, to);
    return true;
}

// True if reads of bytes of this array that were never stored are reported.
static inline bool touch_tracks(const struct emu_machine *machine, uint32_t array) {
    return machine->is_program ? array >= machine->variables : array == ARRAY_WORKSPACE;
}

// The part of the map of stored bytes that belongs to an array.
static inline struct workspace touch_map(const struct emu_machine *machine, uint32_t array) {
    struct workspace map = machine->workspace;
    if (machine->is_program) {
        map.written +=
            (machine->memory.start[array] - machine->memory.arena) / WORKSPACE_WORD_BYTES;
    }
    return map;
}

static inline __attribute__((always_inline)) bool
usual_load_global(struct emu_machine *machine, uint64_t word, uint64_t address, uint64_t pc) {
    const struct memory *memory = &machine->memory;
    const struct race_shadow *shadow = &machine->race->shadow[SPACE_GLOBAL];
    uint32_t site = usual_site(machine, pc);
    uint32_t array = memory_global_array(memory, address);
    uint64_t offset = address - memory->start[array];
    if (offset >= memory->bytes[array] || memory->bytes[array] - offset < 4) {
        return false;
    }
    if (memory_is_unwatched(memory, array)) {
        return true;
    }
    if (site == 0 || shadow->shift != 2 ||
        (touch_tracks(machine, array) &&
         touch_map(machine, array).written[offset / WORKSPACE_WORD_BYTES] != WORKSPACE_WRITTEN)) {
        return false;
    }
    uint64_t unit = race_unit(shadow, array, (int64_t)offset);
    enum known_to to =
        race_load_usual(machine->race, SPACE_GLOBAL, unit, usual_slot(machine, site));
    if (to == KNOWN_NOTHING) {
        return false;
    }
    machine->coverage.element[array][offset / COVERAGE_ELEMENT_BYTES] |= COVERAGE_READ;
    known_learn_global(&machine->known, word, to);
    return true;
}

static inline __attribute__((always_inline)) bool
usual_store_shared(struct emu_machine *machine, uint64_t word, uint64_t address, uint64_t pc) {
    struct race_shadow *shadow = &machine->race->shadow[SPACE_SHARED];
    struct uninit *uninit = machine->own.uninit;
    uint32_t site = usual_site(machine, pc);
    uint64_t unit = usual_shared_unit(machine, address);
    if (site == 0 || unit == UINT64_MAX || machine->own.async->count > 0 ||
        shadow->writes[unit].first >= shadow->alive || shadow->reads[unit].first >= shadow->alive) {
        return false;
    }
    shadow->writes[unit].first = usual_slot(machine, site);
    uninit->stamp[unit] = uninit->block_stamp;
    machine->known.shared[word] = 0;
    return true;
}

// Place and caller as one number: a helper called from two lines becomes two instructions on a GPU,
// which inlines it.
static inline uint64_t instruction_of(const struct emu_machine *machine, uint64_t pc) {
    return pc ^ machine->caller_mix;
}

// The log entry of the access if it is usual, else NULL.
static inline __attribute__((always_inline)) const struct count_usual *
counted_find(const struct emu_machine *machine, uint64_t address, uint32_t bytes, uint64_t pc) {
    uint64_t instruction = instruction_of(machine, pc);
    const struct count_usual *usual = count_usual_of(machine->count, instruction);
    bool same = usual->instruction == instruction && address - usual->start <= usual->room &&
                address % bytes == 0;
    return __builtin_expect(same, 1) ? usual : NULL;
}

// Notes the entry just logged, if further accesses of this instruction are usual.
static inline __attribute__((always_inline)) void counted_learn(const struct emu_machine *machine,
                                                                const struct access *access) {
    bool constant =
        access->kind == ACCESS_READ && memory_is_input(machine->memory.inputs, access->array);
    if (machine->block.only_counts && access->in_bounds && access->bytes <= access->array_bytes &&
        (access->space == SPACE_SHARED || constant)) {
        uint64_t instruction = instruction_of(machine, access->pc);
        *count_usual_of(machine->count, instruction) =
            (struct count_usual){.instruction = instruction,
                                 .start = access->address - (uint64_t)access->offset,
                                 .room = access->array_bytes - access->bytes,
                                 .key = count_key(access)};
    }
}

// One load, store or atomic operation, before it happens.  Ends the launch if it must not happen.
// by_size: the type requires alignment to `bytes`.
void touch_one(uint64_t address, uint32_t bytes, enum access_kind kind, uint64_t pc, bool by_size);
// As touch, for a strong access (struct access) aligned to `bytes`.
void touch_strong(uint64_t address, uint32_t bytes, enum access_kind kind, uint64_t pc);

// A strong access at this address has happened, in a file with fences; fills in its thread and
// place.  A store shows that the block does more than wait.
void touch_followed(uint64_t address, const struct follow_strong *strong);

// After the report of an access outside its array: ends the launch if the access must not happen.
void touch_outside(struct emu_machine *machine, const struct access *access);
// An in-bounds access of global memory, while the launch looks for reads of old values.
void touch_old(struct emu_machine *machine, const struct access *access);
// An access of memory that is neither shared nor global.
void touch_elsewhere(struct emu_machine *machine, uint64_t address, uint32_t bytes,
                     enum access_kind kind, uint64_t pc);
// Handles an access of the shared memory of another block of the cluster; returns false for any
// other access.
bool touch_remote(struct emu_machine *machine, const struct access *access);
// An access of a local variable at an address that is not a multiple of `bytes`.
void touch_local_misaligned(uint64_t address, uint32_t bytes, enum access_kind kind, uint64_t pc);
// Shows the checkers such an access, in bounds of its array, to memory of block `rank`.
void touch_there(struct emu_machine *machine, struct access *access, uint32_t rank);
// A copy of a struct that is not a vector type: a GPU moves its members one by one.
void touch_range(uint64_t address, uint64_t bytes, enum access_kind kind, uint64_t pc);

static inline bool may_be_junk(uint64_t address, uint32_t bytes) {
    uint32_t word = 0xffffffffu;
    if (bytes == 4) {
        memcpy(&word, (const void *)(uintptr_t)address, sizeof word);
    }
    return usual_may_be_junk(word);
}

// If another such load would change no checker's state, it need not come here again.
static inline __attribute__((always_inline)) void
touch_learn(struct emu_machine *machine, const struct access *access, enum memory_space space) {
    struct known *known = &machine->known;
    for (uint32_t done = 0; done < access->bytes; done += 4) {
        enum known_to to = race_load_known(machine->race, access, access->offset + done);
        if (space == SPACE_SHARED) {
            uint64_t word = (access->address + done - machine->memory.shared) / 4;
            known_learn_shared(known, word, access->pc, to);
        } else {
            known_learn_global(known, (access->address + done - machine->memory.arena) / 4, to);
        }
    }
}

// Returns true if another load would report nothing.
static inline bool touch_workspace(struct emu_machine *machine, const struct access *access) {
    struct access copy = access_copy(access);
    struct workspace map = touch_map(machine, copy.array);
    workspace_access(&map, &machine->result.findings, &machine->shape, &machine->block.place,
                     &copy);
    return copy.bytes == WORKSPACE_WORD_BYTES &&
           map.written[copy.offset / WORKSPACE_WORD_BYTES] == WORKSPACE_WRITTEN;
}

// False in a block that is not in the sample, except for global stores: see block_order.h.
static inline bool touch_is_watched(const struct emu_machine *machine, const struct access *access,
                                    enum memory_space space) {
    return machine->sample.count == 0 || machine->block.in_sample ||
           (space == SPACE_GLOBAL && access->kind != ACCESS_READ);
}

// Calls the checkers that keep a state of the memory.
static inline __attribute__((always_inline)) void touch_check(struct emu_machine *machine,
                                                              struct access *access,
                                                              enum memory_space space,
                                                              bool by_size) {
    bool stores = access->kind != ACCESS_READ;
    bool initialised = true;
    access->site = sites_come(machine->sites, access->pc, machine->known.phase);
    if (space == SPACE_SHARED && async_access(machine->own.async, access)) {
        return;
    }
    if (space == SPACE_SHARED && __builtin_expect(machine->hands_on, 0)) {
        struct access copy = access_copy(access);
        if (bulk_access(machine->own.bulk, machine->race->follow, &copy) ||
            (machine->own.wgmma &&
             wgmma_access(machine->own.wgmma, machine->race->follow, &copy))) {
            return;
        }
        if (copy.kind == ACCESS_WRITE) {
            mbarrier_store(machine, machine->own.mbarriers, &copy);
        }
    }
    if (space == SPACE_GLOBAL && __builtin_expect(machine->overlap != NULL, 0)) {
        struct access copy = access_copy(access);
        overlap_access(machine->overlap, &copy);
    }
    if (space == SPACE_GLOBAL && __builtin_expect(machine->hands_on, 0)) {
        struct access copy = access_copy(access);
        if (bulk_access_global(machine->own.bulk, machine->race->follow, &copy)) {
            return;
        }
    }
    if (space == SPACE_SHARED && (stores || may_be_junk(access->address, access->bytes))) {
        initialised = uninit_access(machine->own.uninit, access);
    }
    if (space == SPACE_GLOBAL && touch_tracks(machine, access->array)) {
        initialised = touch_workspace(machine, access);
    }
    race_access(machine->race, access);
    if ((space == SPACE_GLOBAL ? machine->known.global_words : machine->known.shared_words) == 0) {
        return;
    }
    if (!stores && by_size && access->bytes >= 4 && initialised && access->address % 4 == 0) {
        touch_learn(machine, access, space);
    } else if (space == SPACE_GLOBAL) {
        known_forget_global(&machine->known, access->address - machine->memory.arena,
                            access->bytes);
    } else if (stores) {
        known_forget_shared(&machine->known, access->address - machine->memory.shared,
                            access->bytes);
    }
}

// Calls all observers.  The address is in array `access->array` of `space`.  The caller passes a
// constant, so that the compiler removes half of their tests.
static inline __attribute__((always_inline)) void touch_observe(struct emu_machine *machine,
                                                                struct access *access,
                                                                enum memory_space space,
                                                                bool by_size) {
    access->space = (uint8_t)space;
    access->in_bounds = memory_inside(access);
    if (bounds_access(&machine->result.findings, &machine->shape, &machine->block.place, access)) {
        struct access copy = access_copy(access);
        touch_outside(machine, &copy);
    }
    if (by_size ? align_access(&machine->result.findings, &machine->shape, &machine->block.place,
                               access)
                : align_copy(&machine->result.findings, &machine->shape, &machine->block.place,
                             access)) {
        machine_stop(machine);
    }
    if (machine->counts) {
        access->site = sites_number(machine->count_sites, instruction_of(machine, access->pc));
        if (by_size) {
            counted_learn(machine, access);
        }
        if (count_access(machine->count, access)) {
            schedule_away(machine);
        }
    }
    if (space == SPACE_GLOBAL && access->kind == ACCESS_READ &&
        memory_is_unwatched(&machine->memory, access->array)) {
        return;
    }
    if (space == SPACE_GLOBAL && access->in_bounds) {
        if (__builtin_expect(machine->asked.olds, false)) {
            struct access copy = access_copy(access);
            touch_old(machine, &copy);
        }
        coverage_access(&machine->coverage, access);
    }
    if (machine->checks && access->in_bounds && touch_is_watched(machine, access, space)) {
        touch_check(machine, access, space, by_size);
    }
}

// copy_bytes and copy_at: see struct access.
static inline __attribute__((always_inline)) void touch_part(uint64_t address, uint32_t bytes,
                                                             enum access_kind kind, uint64_t pc,
                                                             bool by_size, uint32_t copy_bytes,
                                                             uint32_t copy_at, bool strong) {
    struct emu_machine *machine = &machine_state;
    struct access access;
    if (__builtin_expect(machine->on_host, 0)) {
        host_access(address, bytes, kind, pc);
        return;
    }
    access.pc = pc;
    access.address = address;
    access.bytes = bytes;
    access.thread = machine->current;
    access.kind = (uint8_t)kind;
    access.site = 0;
    access.copy_bytes = copy_bytes;
    access.copy_at = copy_at;
    access.strong = strong;
    if (memory_find_shared(&machine->memory, &access)) {
        touch_observe(machine, &access, SPACE_SHARED, by_size);
    } else if (__builtin_expect(memory_find_global(&machine->memory, &access), 1)) {
        touch_observe(machine, &access, SPACE_GLOBAL, by_size);
    } else {
        touch_elsewhere(machine, address, bytes, kind, pc);
    }
}

#endif
