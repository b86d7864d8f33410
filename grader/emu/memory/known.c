// The two planes of tags: reserved for all words, touched only where the kernel loads.
#include "emu/memory/known.h"

#include <string.h>

#include "emu/memory/vault.h"

#define TAGS_PER_LINE 1024u  // known_place permutes words within steps of this size

static enum status plane_need(void **plane, uint64_t *reserved, uint64_t bytes, struct error *err) {
    void *memory = NULL;
    if (bytes <= *reserved) {
        return STATUS_OK;
    }
    enum status status = vault_new(bytes, &memory, err);
    if (status) {
        return status;
    }
    // A process that runs a share of a launch starts its own blocks, of which nothing is known.
    vault_wipe_on_fork(memory);
    vault_free(*plane);
    *plane = memory;
    *reserved = bytes;
    return STATUS_OK;
}

static void tags_now(struct known *known) {
    known->all_of_block = known->epoch << KNOWN_EPOCH_SHIFT | KNOWN_TO_ALL;
    known->warp = 0;  // known_thread sets it
}

// Epochs overflow after many barriers: then all older tags must be cleared.
static void forget(struct known *known) {
    vault_clear(known->shared);
    vault_clear(known->global);
    known->epoch = 1;
    known->all_of_launch = known->epoch << KNOWN_EPOCH_SHIFT | KNOWN_TO_ALL;
}

void known_advance(struct known *known) {
    known->epoch++;
    known->phase++;
    if (known->epoch >= KNOWN_EPOCHS) {
        forget(known);
    }
    tags_now(known);
}

enum status known_launch_begin(struct known *known, uint64_t shared_bytes, uint64_t global_bytes,
                               struct error *err) {
    uint64_t shared_words = shared_bytes / 4;
    uint64_t global_words = global_bytes / 4;
    void *shared = known->shared;
    void *global = known->global;
    enum status status = plane_need(&shared, &known->shared_reserved,
                                    (shared_words + KNOWN_WORDS_MAX) * sizeof *known->shared, err);
    known->shared = shared;
    if (!status) {
        status = plane_need(&global, &known->global_reserved,
                            (global_words + TAGS_PER_LINE) * sizeof *known->global, err);
        known->global = global;
    }
    if (status) {
        known_off(known);
        return status;
    }
    known->shared_words = shared_words;
    known->global_words = global_words;
    known_advance(known);
    known->all_of_launch = (uint32_t)known->all_of_block;
    return STATUS_OK;
}

void known_off(struct known *known) {
    known->shared_words = 0;
    known->global_words = 0;
}

void known_done(struct known *known) {
    vault_free(known->shared);
    vault_free(known->global);
    memset(known, 0, sizeof *known);
}
