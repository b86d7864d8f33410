// Observers begin in the order of the table and end in the opposite order.
#include "emu/machine/observers.h"

#include <stddef.h>
#include <string.h>

#include "base/basics.h"
#include "emu/machine/mbarrier.h"

enum file { ANY_FILE, WITH_MBARRIERS, WITH_WGMMA, MADE_ELSEWHERE };  // the files that need it
enum launch { CHECKED, COUNTED, ANY_LAUNCH };  // the launches that it observes

// The offset of the pointer to an observer, by its name, and the size of the observer.
#define OF_MACHINE(name) false, offsetof(struct emu_machine, name), sizeof(struct name)
#define OF_BLOCK(name)   true, offsetof(struct block_set, name), sizeof(struct name)

static const struct observer_row {
    bool of_block;  // in struct block_set, not in the machine itself
    size_t at;
    uint64_t bytes;
    enum file file;
    enum launch launch;
    // shape and findings are borrowed until the next launch, place until the next block.  A
    // function is NULL if the observer ignores that event.
    enum status (*launch_begin)(void *observer, const struct launch_shape *shape,
                                struct findings *findings, struct error *err);
    void (*block_begin)(void *observer, const struct block_place *place);
    void (*block_end)(void *observer);
} rows[] = {
    {OF_MACHINE(race), ANY_FILE, CHECKED, race_launch_begin, race_block_begin, race_block_end},
    {OF_MACHINE(overlap), MADE_ELSEWHERE, CHECKED, overlap_launch_begin, overlap_block_begin, NULL},
    {OF_MACHINE(count), ANY_FILE, COUNTED, count_launch_begin, count_block_begin, count_block_end},
    {OF_BLOCK(uninit), ANY_FILE, CHECKED, uninit_launch_begin, uninit_block_begin, NULL},
    {OF_BLOCK(async), ANY_FILE, CHECKED, async_launch_begin, async_block_begin, NULL},
    {OF_BLOCK(mbarriers), WITH_MBARRIERS, ANY_LAUNCH, mbarriers_launch_begin, mbarriers_block_begin,
     NULL},
    {OF_BLOCK(bulk), WITH_MBARRIERS, CHECKED, bulk_launch_begin, bulk_block_begin, bulk_block_end},
    {OF_BLOCK(wgmma), WITH_WGMMA, CHECKED, wgmma_launch_begin, wgmma_block_begin, NULL},
};

static bool is_needed(const struct observer_row *row) {
    return row->file == ANY_FILE || (row->file == WITH_MBARRIERS && emu_mbarrier_init) ||
           (row->file == WITH_WGMMA && emu_wgmma_multiply);
}

// The pointer to the observer; NULL if the observer does not belong to the set.
static char *pointer_to(struct emu_machine *machine, struct block_set *set,
                        const struct observer_row *row) {
    return row->of_block          ? (char *)set + row->at
           : set == &machine->own ? (char *)machine + row->at
                                  : NULL;
}

// The observer, if it observes this launch; else NULL.
static void *observer_of(struct emu_machine *machine, struct block_set *set,
                         const struct observer_row *row) {
    bool observes =
        row->launch == ANY_LAUNCH || (row->launch == CHECKED ? machine->checks : machine->counts);
    const char *pointer = pointer_to(machine, set, row);
    void *observer = NULL;
    if (observes && pointer) {
        memcpy(&observer, pointer, sizeof observer);
    }
    return observer;
}

enum status observers_need(struct emu_machine *machine, struct block_set *set, uint32_t number,
                           struct error *err) {
    for (size_t i = 0; i < COUNT(rows); i++) {
        char *pointer = pointer_to(machine, set, &rows[i]);
        enum status status =
            pointer && is_needed(&rows[i]) ? vault_need(pointer, rows[i].bytes, err) : STATUS_OK;
        if (status) {
            return status;
        }
    }
    set->uninit->sees_memory = true;
    set->uninit->padding = emu_padding;
    if (set->bulk) {
        set->bulk->first_agent = number * BULK_AGENTS;
    }
    if (set->wgmma) {
        set->wgmma->first_agent = number * BULK_AGENTS;
    }
    return STATUS_OK;
}

enum status observers_launch_begin(struct emu_machine *machine, struct block_set *set,
                                   struct error *err) {
    for (size_t i = 0; i < COUNT(rows); i++) {
        void *observer = observer_of(machine, set, &rows[i]);
        enum status status = observer ? rows[i].launch_begin(observer, &machine->shape,
                                                             &machine->result.findings, err)
                                      : STATUS_OK;
        if (status) {
            return status;
        }
    }
    for (uint32_t i = 0; set->wgmma && machine->checks && i < machine->shape.thread_count; i++) {
        wgmma_stack(set->wgmma, i, fiber_stack_low(&machine->stacks, i));
    }
    return STATUS_OK;
}

void observers_block_begin(struct emu_machine *machine) {
    for (size_t i = 0; i < COUNT(rows); i++) {
        void *observer = observer_of(machine, &machine->own, &rows[i]);
        if (observer) {
            rows[i].block_begin(observer, &machine->block.place);
        }
    }
}

void observers_block_end(struct emu_machine *machine) {
    for (size_t i = COUNT(rows); i-- > 0;) {
        void *observer = observer_of(machine, &machine->own, &rows[i]);
        if (observer && rows[i].block_end) {
            rows[i].block_end(observer);
        }
    }
}
