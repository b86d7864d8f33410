// Memory is reserved for the finest unit at the start of a launch, and touched only where the
// kernel accesses memory.
//
// A hash table of chains, by word; entry 0 is unused.
//
// A short list for each thread.
//
// One load for each thread.
#include "emu/check/race_memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include "emu/memory/vault.h"

#define WORD_SHIFT    2
#define HUGE_MOST     (128ull << 20)  // bytes of arrays
#define GLOBAL_STEP   (64u << 10)     // arrays start at multiples: race_unit permutes within a step
#define GLOBAL_SPREAD 0xfcu           // bits 2 to 7: one of 64 lines of 64 bytes, each with 4 cells

void race_shadow_clear(struct race_shadow *shadow) {
    vault_clear(shadow->reads);
    vault_clear(shadow->writes);
}

static enum status plane_need(struct race_cell **plane, uint64_t units, struct error *err) {
    enum status status = vault_need(plane, (units + 1) * sizeof **plane, err);
    if (!status) {
        // Walking a column touches a page per row.  Of long arrays only a few blocks run, and
        // clearing large pages for their rows takes longer.  If this fails, it only costs time.
        (void)madvise(*plane, (units + 1) * sizeof **plane,
                      units <= HUGE_MOST ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
        // A process that runs a share of a launch starts with an empty shadow.
        vault_wipe_on_fork(*plane);
    }
    return status;
}

enum status race_shadow_layout(struct race_shadow *shadow, enum memory_space space,
                               const struct launch_shape *shape, struct error *err) {
    shadow->shift = WORD_SHIFT - shadow->refined;
    shadow->written = 0;
    if (space == SPACE_SHARED) {
        shadow->written =
            ~(uint64_t)0;  // always; also, a write through one dynamic array writes all of them
        shadow->map = shared_map_of(shape->shared);
        race_shadow_view(shadow, 0);
        shadow->bytes = shadow->map.bytes * (shape->cluster_blocks > 1 ? shape->cluster_blocks : 1);
        shadow->spread = 0;
    } else {
        shadow->bytes = 0;
        shadow->spread = GLOBAL_SPREAD;
        for (uint32_t i = 0; i < shape->array_count; i++) {
            shadow->start[i] = shadow->bytes;
            shadow->bytes += (shape->global_bytes[i] + GLOBAL_STEP - 1) / GLOBAL_STEP * GLOBAL_STEP;
        }
    }
    enum status status = plane_need(&shadow->reads, shadow->bytes, err);
    return status ? status : plane_need(&shadow->writes, shadow->bytes, err);
}

void race_shadow_view(struct race_shadow *shadow, uint32_t rank) {
    for (uint32_t i = 0; i < SHARED_ARRAYS_MAX; i++) {
        shadow->start[i] = shadow->map.start[i] + rank * shadow->map.bytes;
    }
}

#define PAGE_CELLS 256u  // of 16 bytes; race_unit permutes within them
_Static_assert(PAGE_CELLS * sizeof(struct race_cell) == 4096, "a page");

// Moves each cell of the first units to its place under race_unit, or back: the permutation is its
// own inverse.
static void swap_spread(struct race_cell *plane, uint64_t units, uint64_t spread) {
    struct vault_window window = {.first = 0};
    for (uint64_t unit = 0; spread && unit < units; unit++) {
        if (unit % PAGE_CELLS == 0 && !vault_touched(&window, &plane[unit])) {
            unit += PAGE_CELLS - 1;
            continue;
        }
        uint64_t other = unit ^ (unit >> 6 & spread);
        if (other > unit) {
            struct race_cell kept = plane[unit];
            plane[unit] = plane[other];
            plane[other] = kept;
        }
    }
}

// The cells of a page that nothing has touched: their parts must be empty, too.
static void parts_clear(struct race_cell *plane, uint64_t first, uint64_t end) {
    struct vault_window window = {.first = 0};
    for (uint64_t at = first; at < end; at += PAGE_CELLS) {
        uint64_t cells = end - at < PAGE_CELLS ? end - at : PAGE_CELLS;
        if (vault_touched(&window, &plane[at])) {
            memset(&plane[at], 0, cells * sizeof *plane);
        }
    }
}

static void refine_plane(const struct race_shadow *shadow, struct race_cell *plane,
                         uint64_t parts) {
    const uint64_t units = shadow->bytes >> shadow->shift;
    struct vault_window window = {.first = 0};
    swap_spread(plane, units, shadow->spread);
    // From the end, as the parts of a unit move to its place or later.
    for (uint64_t unit = units; unit > 0;) {
        uint64_t first = (unit - 1) / PAGE_CELLS * PAGE_CELLS;
        if (!vault_touched(&window, &plane[first])) {
            parts_clear(plane, first * parts, unit * parts);
            unit = first;
            continue;
        }
        struct race_cell cell = plane[--unit];
        for (uint64_t part = unit * parts; part < (unit + 1) * parts; part++) {
            plane[part] = cell;
        }
    }
    swap_spread(plane, units * parts, shadow->spread);
}

void race_shadow_refine(struct race_shadow *shadow, uint32_t shift) {
    const uint64_t parts = (uint64_t)1 << (shadow->shift - shift);
    refine_plane(shadow, shadow->reads, parts);
    refine_plane(shadow, shadow->writes, parts);
    shadow->shift = shift;
    shadow->refined = WORD_SHIFT - shift;
}

#define CHAIN_BITS  14
#define ENTRIES_MAX (1u << 20)
#define WORD_MAX    128  // entries of one word

struct more_entry {
    uint64_t word;
    uint64_t slot;
    uint32_t next;
};

struct race_more {
    uint32_t count;
    uint32_t chain[1u << CHAIN_BITS];
    struct more_entry entry[ENTRIES_MAX];  // untouched pages take no memory
};

enum status race_more_new(struct race_more **ret_more, struct error *err) {
    struct race_more *more = NULL;
    enum status status = vault_need(&more, sizeof *more, err);
    if (!status) {
        more->count = 1;
        *ret_more = more;
    }
    return status;
}

// Source of the factor: Knuth, The Art of Computer Programming 3, 6.4.
static uint32_t chain_of(uint64_t word) {
    return (uint32_t)(word * 0x9e3779b97f4a7c15u >> (64 - CHAIN_BITS));
}

// A block usually has few entries, but the table of chains is large.
void race_more_clear(struct race_more *more) {
    for (; more->count > 1; more->count--) {
        more->chain[chain_of(more->entry[more->count - 1].word)] = 0;
    }
}

uint64_t race_more_next(const struct race_more *more, uint64_t word, uint32_t *at) {
    *at = *at == 0 ? more->chain[chain_of(word)] : more->entry[*at].next;
    while (*at != 0 && more->entry[*at].word != word) {
        *at = more->entry[*at].next;
    }
    return *at == 0 ? 0 : more->entry[*at].slot;
}

void race_more_set(struct race_more *more, uint32_t at, uint64_t slot) {
    more->entry[at].slot = slot;
}

static void append(struct race_more *more, uint64_t word, uint64_t slot) {
    if (more->count < ENTRIES_MAX) {
        uint32_t *chain = &more->chain[chain_of(word)];
        more->entry[more->count] = (struct more_entry){.word = word, .slot = slot, .next = *chain};
        *chain = more->count++;
    }
}

void race_more_add(struct race_more *more, uint64_t word, uint64_t slot, uint64_t alive,
                   uint64_t block_now) {
    uint32_t at = 0;
    uint32_t of_word = 0;
    uint64_t there = race_more_next(more, word, &at);
    while (there != 0) {
        bool mine = there >= block_now && ((there ^ slot) & SLOT_THREAD) == 0;
        if (there < alive || mine) {
            more->entry[at].slot = slot;
            return;
        }
        there = race_more_next(more, word, &at);
        of_word++;
    }
    if (of_word < WORD_MAX) {
        append(more, word, slot);
    }
}

// race_unit permutes units by their higher bits, which is its own inverse.
static uint64_t permuted(uint64_t unit, uint64_t spread) {
    return unit ^ (unit >> 6 & spread);
}

static bool is_of(uint64_t word, enum memory_space space) {
    return (word >> 1 & 1) == (space == SPACE_SHARED);
}

void race_more_refine(struct race_more *more, enum memory_space space, uint64_t spread,
                      uint64_t parts) {
    uint32_t count = more->count;
    memset(more->chain, 0, sizeof more->chain);
    more->count = 1;
    // Each entry keeps its place, for the first part; entries for the other parts follow all of
    // these.
    for (uint32_t i = 1; i < count; i++) {
        struct more_entry entry = more->entry[i];
        uint64_t part = parts * permuted(entry.word >> 2, spread);
        if (is_of(entry.word, space)) {
            entry.word = race_shadow_word(permuted(part, spread), space, entry.word & 1);
        }
        append(more, entry.word, entry.slot);
    }
    for (uint32_t i = 1; i < count; i++) {
        struct more_entry entry = more->entry[i];
        uint64_t part = permuted(entry.word >> 2, spread);
        for (uint64_t j = 1; is_of(entry.word, space) && j < parts; j++) {
            uint64_t unit = permuted(part + j, spread);
            append(more, race_shadow_word(unit, space, entry.word & 1), entry.slot);
        }
    }
}

static const struct race_own_value *value_of(const struct race_own *own, uint32_t phase,
                                             uint32_t thread, uint64_t word) {
    for (int i = 0; i < RACE_OWN_MAX; i++) {
        const struct race_own_value *value = &own->of[thread][i];
        if (value->phase == phase && value->word == word) {
            return value;
        }
    }
    return NULL;
}

void race_own_note(struct race_own *own, uint32_t phase, uint32_t thread, uint64_t word,
                   uint32_t value) {
    const struct race_own_value *there = value_of(own, phase, thread, word);
    uint32_t at = there ? (uint32_t)(there - own->of[thread]) : own->next[thread]++ % RACE_OWN_MAX;
    own->of[thread][at] = (struct race_own_value){.word = word, .value = value, .phase = phase};
}

bool race_own_holds(const struct race_own *own, uint32_t phase, uint32_t thread, uint64_t word,
                    const void *there, uint32_t bytes) {
    const struct race_own_value *value = value_of(own, phase, thread, word);
    return value && memcmp(there, &value->value, bytes) == 0;
}

static uint64_t value_at(uint64_t address, uint32_t bytes) {
    uint64_t value = 0;
    memcpy(&value, (const void *)(uintptr_t)address, bytes);
    return value;
}

static void forget(struct race_guesses *guesses, struct race_guess *guess) {
    guess->address = 0;
    guesses->count--;
}

static void report(struct race_guesses *guesses, struct findings *findings,
                   struct race_guess *guess) {
    bool right = guess->meets_compare && race_guess_is_right(guesses, guess->site);
    if (!right && !findings_repeat(findings, &guess->finding)) {
        findings_add(findings, &guess->finding);
    }
    forget(guesses, guess);
}

void race_guess_note(struct race_guesses *guesses, struct findings *findings, uint32_t thread,
                     const struct race_guess *guess) {
    struct race_guess *mine = &guesses->of[thread];
    if (mine->address == guess->address) {
        return;
    }
    if (mine->address != 0) {
        report(guesses, findings, mine);
    }
    *mine = *guess;
    mine->value = value_at(guess->address, guess->bytes);
    guesses->count++;
}

bool race_guess_decide(struct race_guesses *guesses, struct findings *findings,
                       const struct access *access, bool compares) {
    struct race_guess *guess = &guesses->of[access->thread];
    if (guess->address != access->address) {
        return compares && guesses->changes && access->bytes <= sizeof(uint64_t) &&
               value_at(access->address, access->bytes) == guesses->compared;
    }
    bool right = compares && guess->bytes == access->bytes && guess->value == guesses->compared &&
                 (guesses->changes || guess->meets_compare);
    if (right) {
        forget(guesses, guess);
    } else {
        report(guesses, findings, guess);
    }
    return right;
}

void race_guess_settle(struct race_guesses *guesses, struct findings *findings) {
    for (uint32_t i = 0; guesses->count > 0 && i < THREADS_MAX; i++) {
        if (guesses->of[i].address != 0) {
            report(guesses, findings, &guesses->of[i]);
        }
    }
}
