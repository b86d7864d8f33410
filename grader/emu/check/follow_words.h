// The words that threads store to strongly, in a hash table.  A part of follow.c.
#ifndef EMU_CHECK_FOLLOW_WORDS_H
#define EMU_CHECK_FOLLOW_WORDS_H

#include "emu/check/follow.h"

// A place of strong stores.
struct follow_word {
    uint64_t address;  // 0: none
    uint64_t block;    // that to_block belongs to
    struct clock *to_block;
    struct clock *to_all;
    struct clock *guessed;
    struct clock *fenced[FOLLOW_PROXIES];
    bool lost;                   // some guesses are forgotten
    uint32_t chain;              // grows with each store that is no atomic operation
    struct clock *loads;         // by thread: strong loads of this word since it was last stored to
    struct follow_access store;  // the last strong one
};

struct follow_words {
    struct follow_word *list;
    uint32_t room;
    uint32_t count;
};

// For what is needed while a kernel runs, which has no caller to return a failure to.
void *follow_memory_new(uint64_t bytes);

// Drops what was released there.
void follow_word_forget(struct follow_word *word);

// The word at this address: NULL if there is none, or a new one.
struct follow_word *follow_word_find(const struct follow_words *words, uint64_t address);
struct follow_word *follow_word_of(struct follow_words *words, uint64_t address);

// Removes all words, and with `clear` their room too.
void follow_words_empty(struct follow_words *words);
void follow_words_clear(struct follow_words *words);

#endif
