// The usual access that is not yet known (known.h): of one aligned word, in bounds, at a place that
// this phase has reached before, without a conflict.
//
// These functions do for it what touch.h does for any access, in a third of the instructions: they
// report nothing, so they keep nothing for a report.  Each does nothing and returns false if the
// access is not usual.  They are used only while loads are filtered (known.h), that is with all
// checks and without the counter; and for shared memory only while no asynchronous copy is under
// way.
#ifndef EMU_HOOKS_USUAL_H
#define EMU_HOOKS_USUAL_H

#include <string.h>

#include "emu/machine/state.h"

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
    if (site == 0 || unit == UINT64_MAX || machine->async->count > 0 || usual_may_be_junk(value)) {
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

static inline __attribute__((always_inline)) bool
usual_load_global(struct emu_machine *machine, uint64_t word, uint64_t address, uint64_t pc) {
    const struct memory *memory = &machine->memory;
    const struct race_shadow *shadow = &machine->race->shadow[SPACE_GLOBAL];
    uint32_t site = usual_site(machine, pc);
    uint32_t array = memory_global_array(memory, address);
    uint64_t offset = address - memory->start[array];
    if (site == 0 || array == ARRAY_WORKSPACE || offset >= memory->bytes[array] ||
        memory->bytes[array] - offset < 4 || shadow->shift != 2) {
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
    struct uninit *uninit = machine->uninit;
    uint32_t site = usual_site(machine, pc);
    uint64_t unit = usual_shared_unit(machine, address);
    if (site == 0 || unit == UINT64_MAX || machine->async->count > 0 ||
        shadow->writes[unit].first >= shadow->alive || shadow->reads[unit].first >= shadow->alive) {
        return false;
    }
    shadow->writes[unit].first = usual_slot(machine, site);
    uninit->stamp[unit] = uninit->block_stamp;
    machine->known.shared[word] = 0;
    return true;
}

#endif
