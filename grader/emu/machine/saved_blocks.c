// Copies the machine's state of a block, and asks the observers for their part.
#include "emu/machine/saved_blocks.h"

#include <string.h>

#include "emu/check/race.h"
#include "emu/machine/observers.h"
#include "emu/memory/vault.h"

void block_set_become(struct emu_machine *machine, const struct block_set *parts) {
    vault_seal(machine, MACHINE_SEALED_BYTES, false);
    machine->own = *parts;
    vault_seal(machine, MACHINE_SEALED_BYTES, true);
}

struct saved_block {
    struct saved_block *next;  // the next one whose block runs again
    uint32_t current;
    struct running_block block;
    uint8_t state[THREADS_MAX];
    struct warp warp[WARPS_MAX];
    bool paused;              // it lets others run; else it waits for one of them
    struct race_saved *kept;  // with checks; NULL or only memory if no block is kept
    struct block_set parts;
    struct count_block *count;  // with counts
    struct thread thread[THREADS_MAX];
    uint8_t bytes[];  // the used part of each stack, then the shared arrays
};

enum direction { MEASURE, SAVE, RESTORE };

static uint64_t piece_copy(void *memory, uint8_t *bytes, uint64_t count, enum direction direction) {
    if (direction == SAVE) {
        memcpy(bytes, memory, count);
    } else if (direction == RESTORE) {
        memcpy(memory, bytes, count);
    }
    return count;
}

// Copies the used part of each stack, and the shared arrays, unless the cluster has a place for
// them.  Returns the number of bytes.
static uint64_t pieces_copy(const struct emu_machine *machine, uint8_t *bytes,
                            enum direction direction) {
    const struct memory *memory = &machine->memory;
    uint64_t at = 0;
    for (uint32_t i = 0; i < machine->shape.thread_count; i++) {
        const struct thread *thread = &machine->thread[i];
        uint64_t low = (uint64_t)(uintptr_t)thread->fiber.stack_pointer;
        at += piece_copy(thread->fiber.stack_pointer, bytes ? bytes + at : NULL,
                         thread->stack_low + FIBER_STACK_BYTES - low, direction);
    }
    for (uint32_t s = 0; !machine->cluster && s < memory->slot_count; s++) {
        const struct memory_slot *slot = &memory->slot[s];
        if (memory_slot_begins(memory, s)) {
            at += piece_copy((void *)(uintptr_t)slot->start, bytes ? bytes + at : NULL, slot->bytes,
                             direction);
        }
    }
    return at;
}

static bool observers_away(struct emu_machine *machine, struct saved_block *aside) {
    aside->kept = machine->checks ? race_save(machine->race, aside->kept) : NULL;
    if (machine->checks && !aside->kept) {
        return false;
    }
    aside->count = machine->counts ? count_block_away(machine->count) : NULL;
    return !machine->counts || aside->count;
}

void saved_block_free(struct saved_block *aside) {
    if (aside) {
        race_saved_free(aside->kept);
        vault_free(aside->count);
        vault_free(aside);
    }
}

// Memory for a block that is set aside, perhaps reused from an earlier one.
static struct saved_block *memory_new(struct emu_machine *machine) {
    uint64_t bytes = sizeof(struct saved_block) + pieces_copy(machine, NULL, MEASURE);
    struct saved_block *aside = machine->waiting.unused;
    struct race_saved *kept = aside ? aside->kept : NULL;
    struct error err;
    machine->waiting.unused = aside ? aside->next : NULL;
    if (vault_need(&aside, bytes, &err)) {
        saved_block_free(aside);
        return NULL;
    }
    aside->kept = kept;
    aside->count = NULL;
    return aside;
}

struct saved_block *saved_block_new(struct emu_machine *machine) {
    struct saved_block *aside = memory_new(machine);
    if (!aside) {
        return NULL;
    }
    if (!observers_away(machine, aside)) {
        saved_block_free(aside);
        return NULL;
    }
    aside->current = machine->current;
    aside->block = machine->block;
    memcpy(aside->state, machine->state, sizeof aside->state);
    memcpy(aside->warp, machine->warp, sizeof aside->warp);
    memcpy(aside->thread, machine->thread, machine->shape.thread_count * sizeof machine->thread[0]);
    (void)pieces_copy(machine, aside->bytes, SAVE);
    return aside;
}

void saved_block_restore(struct saved_block *aside, struct emu_machine *machine) {
    machine->current = aside->current;
    machine->block = aside->block;
    memcpy(machine->state, aside->state, sizeof aside->state);
    memcpy(machine->warp, aside->warp, sizeof aside->warp);
    memcpy(machine->thread, aside->thread, machine->shape.thread_count * sizeof machine->thread[0]);
    (void)pieces_copy(machine, aside->bytes, RESTORE);
    if (machine->checks) {
        race_restore(aside->kept, machine->race);
    }
    if (machine->counts) {
        count_block_back(machine->count, aside->count);
        aside->count = NULL;
    }
    aside->next = machine->waiting.unused;
    machine->waiting.unused = aside;
}

// A set that no block uses, for the block that runs next.
static bool parts_spare(struct emu_machine *machine, struct block_set *ret_parts) {
    struct saved_blocks *waiting = &machine->waiting;
    struct error err;
    if (waiting->spare_count > 0) {
        *ret_parts = waiting->spare[--waiting->spare_count];
        return true;
    }
    struct block_set *set = &waiting->set[waiting->used];
    if (observers_need(machine, set, waiting->used, &err) ||
        observers_launch_begin(machine, set, &err)) {
        return false;
    }
    *ret_parts = *set;
    waiting->used++;
    return true;
}

bool block_save(struct emu_machine *machine, bool paused) {
    struct saved_blocks *waiting = &machine->waiting;
    struct block_set next;
    if (waiting->count == waiting->most || !parts_spare(machine, &next)) {
        return false;
    }
    struct saved_block *aside = saved_block_new(machine);
    if (!aside) {
        waiting->spare[waiting->spare_count++] = next;
        return false;
    }
    aside->parts = machine->own;
    aside->paused = paused;
    block_set_become(machine, &next);
    waiting->block[(waiting->first + waiting->count++) % BLOCKS_TOGETHER_MAX] = aside;
    return true;
}

// Takes the block at this place of the ring, counted from its first.
static struct saved_block *take(struct saved_blocks *waiting, uint32_t at) {
    struct saved_block *aside = waiting->block[(waiting->first + at) % BLOCKS_TOGETHER_MAX];
    for (; at > 0; at--) {
        waiting->block[(waiting->first + at) % BLOCKS_TOGETHER_MAX] =
            waiting->block[(waiting->first + at - 1) % BLOCKS_TOGETHER_MAX];
    }
    waiting->first = (waiting->first + 1) % BLOCKS_TOGETHER_MAX;
    waiting->count--;
    return aside;
}

// The place of the block that goes on: a paused one, in any order, as on a GPU; without one, the
// block that has waited longest.
static uint32_t next_place(struct emu_machine *machine) {
    const struct saved_blocks *waiting = &machine->waiting;
    uint32_t place[BLOCKS_TOGETHER_MAX];
    uint32_t count = 0;
    for (uint32_t i = 0; i < waiting->count; i++) {
        if (waiting->block[(waiting->first + i) % BLOCKS_TOGETHER_MAX]->paused) {
            place[count++] = i;
        }
    }
    return count == 0 ? 0 : place[order_resumes(machine->order, machine->resumed++, count)];
}

void block_resume(struct emu_machine *machine) {
    struct saved_blocks *waiting = &machine->waiting;
    struct saved_block *aside = take(waiting, next_place(machine));
    waiting->spare[waiting->spare_count++] = machine->own;
    block_set_become(machine, &aside->parts);
    saved_block_restore(aside, machine);
}

void blocks_forget(struct emu_machine *machine) {
    struct saved_blocks *waiting = &machine->waiting;
    while (waiting->unused) {
        struct saved_block *unused = waiting->unused;
        waiting->unused = unused->next;
        saved_block_free(unused);
    }
    while (waiting->count > 0) {
        saved_block_free(take(waiting, 0));
    }
    waiting->spare_count = 0;
    waiting->used = 1;
    machine->own = waiting->set[0];
}
