// The two planes of tags are reserved for all words, but touched only where the kernel loads.
#include "emu/memory/known.h"

#include "emu/memory/vault.h"

#define TAGS_PER_LINE 1024u  // known_place permutes words within steps of this size

static void tags_now(struct known *known) {
    known->all_of_block = known->epoch << KNOWN_EPOCH_SHIFT | KNOWN_TO_ALL;
    known->warp = 0;  // known_thread sets it
}

// The epoch overflows after many barriers; then all older tags must be cleared.
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
    enum status status =
        vault_need(&known->shared, (shared_words + KNOWN_WORDS_MAX) * sizeof *known->shared, err);
    status = status ? status
                    : vault_need(&known->global,
                                 (global_words + TAGS_PER_LINE) * sizeof *known->global, err);
    if (status) {
        known_off(known);
        return status;
    }
    // A process that runs some of a launch's blocks starts them itself, so no loads are known yet.
    vault_wipe_on_fork(known->shared);
    vault_wipe_on_fork(known->global);
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
