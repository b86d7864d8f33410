// Which block of a launch, and which thread of a block, runs next; and which blocks of a large
// launch all checkers watch.
//
// On a GPU any order may happen.  A launch runs in numerical order, and one that was right can run
// again in another order, to show whether the result depends on it.
#ifndef EMU_MEMORY_BLOCK_ORDER_H
#define EMU_MEMORY_BLOCK_ORDER_H

#include <stdbool.h>
#include <stdint.h>

// Begins at `start` and advances by `step` each time, modulo the count.
struct turn {
    uint64_t start;
    uint64_t step;  // less than the count, unless that is 1; coprime to it
};

// True for any number other than ORDER_FORWARD and ORDER_REVERSE.
bool order_is_drawn(uint64_t order);

// True if block `number` of those that have begun lets others run at the `place`-th place where it
// hands something over.  For each 64 blocks that begin one after the other, the order draws whether
// all of them do, the second half does, every second one does, or any does.  With ORDER_NEWEST, all
// of them do.
bool order_pauses(uint64_t order, uint64_t number, uint32_t place);

// Which of `count` paused blocks goes on, counted from the one that was paused first: that one, the
// last or any; with ORDER_NEWEST the last.  `resumed`: how many have gone on before.
uint32_t order_resumes(uint64_t order, uint64_t resumed, uint32_t count);

// The turn for `count` things, at least 1.  `order` is ORDER_FORWARD, ORDER_REVERSE, or any other
// number, which draws an order (emu/wire/launch_plan.h).
struct turn turn_of(uint64_t order, uint64_t count);

// The number after `at`; the turn is over when it is `start` again.
static inline uint64_t turn_next(struct turn turn, uint64_t count, uint64_t at) {
    uint64_t next = at + turn.step;
    return next >= count ? next - count : next;
}

#define SAMPLE_MAX 24

struct sample {
    uint32_t count;  // 0: all blocks are watched
    uint64_t block[SAMPLE_MAX];
};

// The sample of a launch with this grid: its first and last block, a block of its last column, a
// block of its last row, and others.
struct sample sample_of(uint64_t draw, const uint32_t grid[3]);

// The blocks that run in a part of a launch: its last block, a block of its last column, a block of
// its last row, and others; each once, at most `wanted`.  None stands for all of them, if so many
// are wanted.
struct sample part_of(uint64_t draw, const uint32_t grid[3], uint32_t wanted);

bool sample_holds(const struct sample *sample, uint64_t block);

#endif
