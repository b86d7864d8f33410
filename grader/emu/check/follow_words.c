// Open addressing; at least half of the places are free.
#include "emu/check/follow_words.h"

#include <stdlib.h>

#include "emu/memory/vault.h"

#define WORDS_START 64u  // a power of two

void *follow_memory_new(uint64_t bytes) {
    struct error err;
    void *memory = NULL;
    if (vault_new(bytes, &memory, &err)) {
        abort();  // as in clock.c
    }
    return memory;
}

void follow_word_forget(struct follow_word *word) {
    clock_drop(&word->to_block);
    clock_drop(&word->to_all);
    clock_drop(&word->guessed);
    for (int i = 0; i < FOLLOW_PROXIES; i++) {
        clock_drop(&word->fenced[i]);
    }
    word->lost = false;
}

// Keeps the room: most blocks of a launch store to as many words.
void follow_words_empty(struct follow_words *words) {
    for (uint32_t i = 0; i < words->room; i++) {
        follow_word_forget(&words->list[i]);
        clock_drop(&words->list[i].loads);
        words->list[i] = (struct follow_word){0};
    }
    words->count = 0;
}

void follow_words_clear(struct follow_words *words) {
    follow_words_empty(words);
    vault_free(words->list);
    *words = (struct follow_words){0};
}

// Source of the factor: Knuth, The Art of Computer Programming 3, 6.4.
static struct follow_word *place_of(const struct follow_words *words, uint64_t address) {
    uint64_t at = address * 0x9e3779b97f4a7c15u >> 32;
    while (words->list[at & (words->room - 1)].address != 0 &&
           words->list[at & (words->room - 1)].address != address) {
        at++;
    }
    return &words->list[at & (words->room - 1)];
}

static void words_grow(struct follow_words *words) {
    struct follow_words larger = {.room = words->room ? words->room * 2 : WORDS_START,
                                  .count = words->count};
    larger.list = follow_memory_new(larger.room * sizeof *larger.list);
    for (uint32_t i = 0; i < words->room; i++) {
        if (words->list[i].address != 0) {
            *place_of(&larger, words->list[i].address) = words->list[i];
        }
    }
    vault_free(words->list);
    *words = larger;
}

struct follow_word *follow_word_find(const struct follow_words *words, uint64_t address) {
    struct follow_word *word = words->room ? place_of(words, address) : NULL;
    return word && word->address != 0 ? word : NULL;
}

struct follow_word *follow_word_of(struct follow_words *words, uint64_t address) {
    if (words->count >= words->room / 2) {
        words_grow(words);
    }
    struct follow_word *word = place_of(words, address);
    if (word->address == 0) {
        word->address = address;
        words->count++;
    }
    return word;
}
