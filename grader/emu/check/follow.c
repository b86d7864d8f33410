// Open addressing; at least half of the places are free.
//
// Each thread of the running block has clocks for accesses that it knows, that its fences have
// released, and that it has seen but not acquired by a fence.  Each word with a strong store has
// clocks for accesses that were released there.
//
// The words that threads store to strongly, in a hash table.  A part of follow.c.
#include "emu/check/follow.h"

#include <stddef.h>
#include <stdlib.h>

#include "emu/check/thread_clocks.h"
#include "emu/memory/vault.h"

// A word with strong stores.
struct follow_word {
    uint64_t address;  // 0: none
    uint64_t block;    // that to_block belongs to
    struct clock *to_block;
    struct clock *to_all;
    struct clock *guessed;
    struct clock *fenced[FOLLOW_PROXIES];
    bool lost;                   // some guesses are forgotten
    uint32_t chain;              // grows with each store that is not an atomic operation
    struct clock *loads;         // by thread: strong loads of this word since it was last stored to
    struct follow_access store;  // the last strong one
};

struct follow_words {
    struct follow_word *list;
    uint32_t room;
    uint32_t count;
};

#define WORDS_START 64u  // a power of two

// Allocates memory while a kernel runs, when no caller can handle a failure.
static void *follow_memory_new(uint64_t bytes) {
    struct error err;
    void *memory = NULL;
    if (vault_need(&memory, bytes, &err)) {
        abort();  // as in thread_clocks.c
    }
    return memory;
}

// Drops the clocks of releases at this word.
static void follow_word_forget(struct follow_word *word) {
    clock_drop(&word->to_block);
    clock_drop(&word->to_all);
    clock_drop(&word->guessed);
    for (int i = 0; i < FOLLOW_PROXIES; i++) {
        clock_drop(&word->fenced[i]);
    }
    word->lost = false;
}

// Removes all words, and with `clear` frees their memory too.
//
// Keeps the memory: most blocks of a launch store to as many words.
static void follow_words_empty(struct follow_words *words) {
    for (uint32_t i = 0; i < words->room; i++) {
        follow_word_forget(&words->list[i]);
        clock_drop(&words->list[i].loads);
        words->list[i] = (struct follow_word){0};
    }
    words->count = 0;
}

static void follow_words_clear(struct follow_words *words) {
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

// The word at this address: NULL if there is none, or a new one.
static struct follow_word *follow_word_find(const struct follow_words *words, uint64_t address) {
    struct follow_word *word = words->room ? place_of(words, address) : NULL;
    return word && word->address != 0 ? word : NULL;
}

static struct follow_word *follow_word_of(struct follow_words *words, uint64_t address) {
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

// A guess only chooses words, so a clock of guesses may be forgotten if it grows beyond this.
#define GUESSES_MAX 1024u
// In a clock, agents have the numbers of blocks that no grid has.
#define AGENTS (1ull << 50)

enum knowledge {
    KNOWN,           // ordered before what the thread does next
    RELEASED_BLOCK,  // released by its last fence, to its block
    RELEASED_ALL,    // … to all blocks
    SEEN_BLOCK,      // released by its own block and seen, but not yet followed by a fence
    SEEN_ALL,        // … by any block
    GUESSED,         // known if no fence were missing
    GUESSED_SEEN,    // known if it also acquired what it has seen
    DONE,            // done before the thread's next access, for accesses that stored nothing
    PROXY_FENCED,    // ordered before a fence.proxy.async that it knows of, by enum follow_proxy
    PROXY_FENCED_LAST = PROXY_FENCED + FOLLOW_PROXIES - 1,
    KNOWLEDGES
};

struct follower {
    struct clock *clock[KNOWLEDGES];
    uint32_t fenced;      // epoch after its last fence
    bool lost;            // some of its guesses are forgotten
    uint32_t seen_chain;  // all that it has seen comes from this chain of stores to this word, so
    uint64_t seen_word;   // the word's clock contains it all (see); 0: from several
};

struct follow_block {
    uint64_t block;   // linear index
    bool has_phases;  // some thread has used an mbarrier
    struct follower thread[THREADS_MAX];
    struct follow_words shared;
};

struct follow {
    struct follow_block *running;  // NULL before the first block
    uint32_t thread_count;
    struct follow_words global;
    struct clock_pool pool;
    struct clock_joins joins;  // of clocks that threads take
};

// --- Launches and blocks -----------------------------------------------------

enum status follow_new(struct follow **ret_follow, struct error *err) {
    *ret_follow = NULL;
    return vault_need(ret_follow, sizeof **ret_follow, err);
}

static void threads_clear(struct follow_block *block, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        for (int k = 0; k < KNOWLEDGES; k++) {
            clock_drop(&block->thread[i].clock[k]);
        }
        block->thread[i] = (struct follower){0};
    }
}

void follow_block_free(struct follow_block *block) {
    if (block) {
        threads_clear(block, THREADS_MAX);
        follow_words_clear(&block->shared);
    }
    vault_free(block);
}

void follow_launch_begin(struct follow *follow, uint32_t thread_count) {
    follow->thread_count = thread_count;
}

void follow_launch_end(struct follow *follow) {
    follow_block_back(follow, NULL);
    follow_words_clear(&follow->global);
    clock_pool_clear(&follow->pool);
    follow->joins = (struct clock_joins){0};
}

// Uses the memory of the previous block, if there is one: a mapping for each block would take more
// time than the block.
void follow_block_begin(struct follow *follow, uint64_t block) {
    if (follow->running) {
        threads_clear(follow->running, follow->thread_count);
        follow_words_empty(&follow->running->shared);
    } else {
        follow->running = follow_memory_new(sizeof *follow->running);
    }
    follow->running->block = block;
    follow->running->has_phases = false;
}

struct follow_block *follow_block_away(struct follow *follow) {
    struct follow_block *block = follow->running;
    follow->running = NULL;
    return block;
}

void follow_block_back(struct follow *follow, struct follow_block *block) {
    follow_block_free(follow->running);
    follow->running = block;
}

// --- What orders -------------------------------------------------------------

static void fenced_join(struct clock **to, struct clock *const *from) {
    for (int i = 0; i < FOLLOW_PROXIES; i++) {
        clock_join(&to[i], from[i]);
    }
}

// The same for a clock that many threads take.
static void fenced_take(struct follow *follow, struct clock **to, struct clock *const *from) {
    for (int i = 0; i < FOLLOW_PROXIES; i++) {
        clock_join_again(&follow->joins, &to[i], from[i]);
    }
}

static void meet_add(struct follower *all, const struct follower *one) {
    clock_join(&all->clock[KNOWN], one->clock[KNOWN]);
    clock_join(&all->clock[KNOWN], one->clock[SEEN_BLOCK]);
    clock_join(&all->clock[KNOWN], one->clock[SEEN_ALL]);
    clock_join(&all->clock[RELEASED_BLOCK], one->clock[RELEASED_BLOCK]);
    clock_join(&all->clock[RELEASED_ALL], one->clock[RELEASED_ALL]);
    clock_join(&all->clock[GUESSED], one->clock[GUESSED]);
    clock_join(&all->clock[GUESSED], one->clock[GUESSED_SEEN]);
    clock_join(&all->clock[DONE], one->clock[DONE]);
    fenced_join(&all->clock[PROXY_FENCED], &one->clock[PROXY_FENCED]);
    all->lost = all->lost || one->lost;
}

static void meet_leave(struct follower *one, const struct follower *all) {
    clock_assign(&one->clock[KNOWN], all->clock[KNOWN]);
    clock_assign(&one->clock[RELEASED_BLOCK], all->clock[RELEASED_BLOCK]);
    clock_assign(&one->clock[RELEASED_ALL], all->clock[RELEASED_ALL]);
    clock_assign(&one->clock[GUESSED], all->clock[GUESSED]);
    for (int k = DONE; k <= PROXY_FENCED_LAST; k++) {
        clock_assign(&one->clock[k], all->clock[k]);
    }
    one->lost = all->lost;
    clock_drop(&one->clock[SEEN_BLOCK]);
    clock_drop(&one->clock[SEEN_ALL]);
    clock_drop(&one->clock[GUESSED_SEEN]);
}

static void meet_done(struct follower *all) {
    for (int k = 0; k < KNOWLEDGES; k++) {
        clock_drop(&all->clock[k]);
    }
}

static void learn(struct follow *follow, struct follower *one, uint64_t who, uint32_t epoch) {
    clock_learn(&follow->pool, &one->clock[KNOWN], who, epoch);
    clock_learn(&follow->pool, &one->clock[GUESSED], who, epoch);
}

void follow_barrier(struct follow *follow, uint32_t epoch) {
    struct follower all = {0};
    for (uint32_t i = 0; i < follow->thread_count; i++) {
        meet_add(&all, &follow->running->thread[i]);
    }
    learn(follow, &all, clock_of_block(follow->running->block), epoch);
    clock_assign(&all.clock[RELEASED_BLOCK], all.clock[KNOWN]);
    for (uint32_t i = 0; i < follow->thread_count; i++) {
        meet_leave(&follow->running->thread[i], &all);
    }
    meet_done(&all);
}

void follow_warp_sync(struct follow *follow, uint32_t warp, uint32_t lane_mask, bool whole,
                      uint32_t epoch) {
    struct follower *lane = &follow->running->thread[warp * WARP_LANES];
    struct follower all = {0};
    for (uint32_t rest = lane_mask; rest; rest &= rest - 1) {
        meet_add(&all, &lane[__builtin_ctz(rest)]);
    }
    for (uint32_t rest = whole ? 0 : lane_mask; rest; rest &= rest - 1) {
        uint32_t thread = warp * WARP_LANES + (uint32_t)__builtin_ctz(rest);
        learn(follow, &all, clock_of_thread(follow->running->block, thread), epoch);
    }
    if (whole) {
        learn(follow, &all, clock_of_warp(follow->running->block, warp), epoch);
    }
    for (uint32_t rest = lane_mask; rest; rest &= rest - 1) {
        meet_leave(&lane[__builtin_ctz(rest)], &all);
    }
    meet_done(&all);
}

static void acquire(struct follower *me, enum follow_scope scope) {
    clock_join(&me->clock[KNOWN], me->clock[SEEN_BLOCK]);
    clock_drop(&me->clock[SEEN_BLOCK]);
    if (scope == FOLLOW_ALL) {
        clock_join(&me->clock[KNOWN], me->clock[SEEN_ALL]);
        clock_drop(&me->clock[SEEN_ALL]);
    }
}

void follow_fence(struct follow *follow, uint32_t thread, enum follow_scope scope, uint32_t epoch) {
    struct follower *me = &follow->running->thread[thread];
    struct clock *released = NULL;
    acquire(me, scope);
    clock_assign(&released, me->clock[KNOWN]);
    clock_learn(&follow->pool, &released, clock_of_thread(follow->running->block, thread), epoch);
    clock_assign(&me->clock[RELEASED_BLOCK], released);
    if (scope == FOLLOW_ALL) {
        clock_assign(&me->clock[RELEASED_ALL], released);
    }
    clock_drop(&released);
    me->fenced = epoch;
}

// Adds to one of the clocks of seen releases.  If all come from the same chain of stores, the new
// clock contains the old one.
static void see(struct clock **seen, struct clock *more, bool same_chain) {
    if (!same_chain) {
        clock_join(seen, more);
    } else if (more) {
        clock_assign(seen, more);
    }
}

// Forgets guesses that have become too many.
static void limit(struct clock **guessed, bool *lost) {
    if (clock_count(*guessed) > GUESSES_MAX) {
        clock_drop(guessed);
        *lost = true;
    }
}

static void load_strongly(struct follow *follow, struct follower *me, struct follow_word *word,
                          const struct follow_strong *strong, uint32_t epoch) {
    bool same = me->seen_word == word->address && me->seen_chain == word->chain;
    bool first = !me->clock[SEEN_BLOCK] && !me->clock[SEEN_ALL] && !me->clock[GUESSED_SEEN];
    if (word->block == follow->running->block) {
        see(&me->clock[SEEN_BLOCK], word->to_block, same);
    }
    if (!strong->in_block) {
        see(&me->clock[SEEN_ALL], word->to_all, same);
    }
    see(&me->clock[GUESSED_SEEN], word->guessed, same);
    fenced_take(follow, &me->clock[PROXY_FENCED], word->fenced);  // also if it is not acquired
    limit(&me->clock[GUESSED_SEEN], &me->lost);
    me->lost = me->lost || word->lost;
    me->seen_word = same || first ? word->address : 0;
    me->seen_chain = word->chain;
    if (strong->stores) {
        clock_drop(&word->loads);
    }
    clock_learn(&follow->pool, &word->loads,
                clock_of_thread(follow->running->block, strong->thread), epoch);
}

static void store_strongly(struct follow *follow, struct follower *me, struct follow_word *word,
                           const struct follow_strong *strong, uint32_t epoch) {
    uint64_t block = follow->running->block;
    word->store =
        (struct follow_access){.block = block, .thread = strong->thread, .epoch = epoch - 1};
    if (!strong->adds) {
        follow_word_forget(word);
        clock_drop(&word->loads);
        word->chain++;
    }
    if (word->block != block) {
        clock_drop(&word->to_block);
        word->block = block;
        word->chain++;
    }
    clock_join(&word->to_block, me->clock[RELEASED_BLOCK]);
    if (!strong->in_block) {
        clock_join(&word->to_all, me->clock[RELEASED_ALL]);
    }
    if (strong->releases) {
        clock_join(&word->to_all, me->clock[KNOWN]);
        clock_learn(&follow->pool, &word->to_all, clock_of_thread(block, strong->thread), epoch);
    }
    fenced_join(word->fenced, &me->clock[PROXY_FENCED]);
    clock_join(&word->guessed, me->clock[GUESSED]);
    clock_join(&word->guessed, me->clock[GUESSED_SEEN]);
    clock_learn(&follow->pool, &word->guessed, clock_of_thread(block, strong->thread), epoch);
    limit(&word->guessed, &word->lost);
    word->lost = word->lost || me->lost;
}

void follow_strong(struct follow *follow, const struct follow_strong *strong, uint32_t epoch) {
    struct follower *me = &follow->running->thread[strong->thread];
    struct follow_words *words = strong->shared ? &follow->running->shared : &follow->global;
    struct follow_word *word = follow_word_of(words, strong->address);
    if (strong->loads) {
        load_strongly(follow, me, word, strong, epoch);
    }
    if (strong->stores) {
        store_strongly(follow, me, word, strong, epoch);
    }
    if (strong->acquires) {
        acquire(me, FOLLOW_ALL);
    }
}

// --- Messages and agents -----------------------------------------------------

void follow_proxy_fence(struct follow *follow, uint32_t thread, enum follow_proxy proxy,
                        uint32_t epoch) {
    struct follower *me = &follow->running->thread[thread];
    struct clock **fenced = &me->clock[PROXY_FENCED + proxy];
    clock_join(fenced, me->clock[KNOWN]);
    clock_learn(&follow->pool, fenced, clock_of_thread(follow->running->block, thread), epoch);
}

void follow_phases(struct follow *follow) {
    follow->running->has_phases = true;
}

void follow_put(struct follow *follow, uint32_t thread, struct follow_message *message,
                uint32_t epoch) {
    struct follower *me = &follow->running->thread[thread];
    if (message->last != me->clock[KNOWN]) {
        clock_join(&message->known, me->clock[KNOWN]);
        clock_assign(&message->last, me->clock[KNOWN]);
    }
    clock_learn(&follow->pool, &message->known, clock_of_thread(follow->running->block, thread),
                epoch);
    fenced_join(message->fenced, &me->clock[PROXY_FENCED]);
    clock_join(&message->done, me->clock[DONE]);
}

void follow_put_relaxed(struct follow *follow, uint32_t thread, struct follow_message *message,
                        uint32_t epoch, enum follow_scope scope) {
    struct follower *me = &follow->running->thread[thread];
    clock_join(&message->known, me->clock[scope == FOLLOW_BLOCK ? RELEASED_BLOCK : RELEASED_ALL]);
    fenced_join(message->fenced, &me->clock[PROXY_FENCED]);
    clock_join(&message->done, me->clock[DONE]);
    clock_join(&message->done, me->clock[KNOWN]);
    clock_learn(&follow->pool, &message->done, clock_of_thread(follow->running->block, thread),
                epoch);
}

void follow_put_block(struct follow *follow, struct follow_message *message) {
    clock_join(&message->known, follow->running->thread[0].clock[KNOWN]);
    fenced_join(message->fenced, &follow->running->thread[0].clock[PROXY_FENCED]);
    clock_join(&message->done, follow->running->thread[0].clock[DONE]);
}

void follow_take(struct follow *follow, uint32_t thread, const struct follow_message *message) {
    struct follower *me = &follow->running->thread[thread];
    clock_join_again(&follow->joins, &me->clock[KNOWN], message->known);
    fenced_take(follow, &me->clock[PROXY_FENCED], message->fenced);
    clock_join_again(&follow->joins, &me->clock[DONE], message->done);
}

void follow_put_agent(struct follow *follow, struct follow_message *message, uint32_t agent,
                      uint32_t time) {
    clock_learn(&follow->pool, &message->known, clock_of_block(AGENTS + agent), time);
}

void follow_learn_agent(struct follow *follow, uint32_t thread, uint32_t agent, uint32_t time) {
    clock_learn(&follow->pool, &follow->running->thread[thread].clock[KNOWN],
                clock_of_block(AGENTS + agent), time);
}

bool follow_knows_agent(const struct follow *follow, uint32_t thread, uint32_t agent,
                        uint32_t time) {
    struct clock *const *clock = follow->running->thread[thread].clock;
    return clock_epoch(clock[KNOWN], AGENTS + agent, 0) > time ||
           clock_epoch(clock[DONE], AGENTS + agent, 0) > time;
}

// --- Answers -----------------------------------------------------------------

bool follow_has_fenced(const struct follow *follow, uint64_t address, bool shared,
                       uint32_t thread) {
    const struct follow_block *block = follow->running;
    const struct follow_words *words = shared ? &block->shared : &follow->global;
    const struct follow_word *word = follow_word_find(words, address);
    uint32_t last = 0;
    if (word) {
        bool mine = word->store.block == block->block && word->store.thread == thread;
        uint32_t load = clock_own_epoch(word->loads, block->block, thread);
        last = mine && word->store.epoch >= load ? word->store.epoch + 1 : load;
    }
    return block->thread[thread].fenced > last;
}

static bool is_in(const struct clock *clock, const struct follow_access *earlier) {
    return clock_epoch(clock, earlier->block, earlier->thread) > earlier->epoch;
}

bool follow_is_ordered(const struct follow *follow, const struct follow_access *earlier,
                       uint32_t thread) {
    return (earlier->block == follow->running->block && earlier->thread == thread) ||
           is_in(follow->running->thread[thread].clock[KNOWN], earlier);
}

bool follow_is_done(const struct follow *follow, const struct follow_access *earlier,
                    uint32_t thread) {
    return follow_is_ordered(follow, earlier, thread) ||
           is_in(follow->running->thread[thread].clock[DONE], earlier);
}

bool follow_is_fenced(const struct follow *follow, const struct follow_access *earlier,
                      uint32_t thread, enum follow_proxy proxy) {
    return is_in(follow->running->thread[thread].clock[PROXY_FENCED + proxy], earlier);
}

bool follow_stored(const struct follow *follow, uint64_t address, bool shared,
                   const struct follow_access *earlier) {
    const struct follow_words *words = shared ? &follow->running->shared : &follow->global;
    const struct follow_word *word = follow_word_find(words, address);
    return word && word->store.block == earlier->block && word->store.thread == earlier->thread &&
           word->store.epoch == earlier->epoch;
}

bool follow_has_seen(const struct follow *follow, uint64_t address, bool shared, uint32_t epoch,
                     uint32_t thread) {
    const struct follow_words *words = shared ? &follow->running->shared : &follow->global;
    const struct follow_word *word = follow_word_find(words, address);
    const struct clock *loads = word ? word->loads : NULL;
    for (uint32_t i = 0; i < clock_count(loads); i++) {
        struct follow_access load;
        clock_thread_at(loads, i, &load.block, &load.thread, &load.epoch);
        load.epoch--;
        if (load.epoch >= epoch && follow_is_ordered(follow, &load, thread)) {
            return true;
        }
    }
    return false;
}

enum race_gap follow_gap(const struct follow *follow, const struct follow_access *earlier,
                         uint32_t thread) {
    struct clock *const *clock = follow->running->thread[thread].clock;
    if (is_in(clock[DONE], earlier)) {
        return RACE_RELAXED;
    }
    if (is_in(clock[SEEN_BLOCK], earlier) || is_in(clock[SEEN_ALL], earlier)) {
        return RACE_LACKS_ACQUIRE;
    }
    if (is_in(clock[GUESSED], earlier) || is_in(clock[GUESSED_SEEN], earlier)) {
        return RACE_LACKS_RELEASE;
    }
    if (follow->running->has_phases && earlier->block == follow->running->block) {
        return RACE_AMONG_PHASES;  // its releases may belong to another phase
    }
    // The thread has released something, but not yet this access.
    bool early = !follow->running->thread[thread].lost &&
                 (clock_own_epoch(clock[KNOWN], earlier->block, earlier->thread) > 0 ||
                  clock_own_epoch(clock[SEEN_ALL], earlier->block, earlier->thread) > 0 ||
                  clock_own_epoch(clock[SEEN_BLOCK], earlier->block, earlier->thread) > 0);
    return early ? RACE_TOO_EARLY : RACE_UNORDERED;
}
