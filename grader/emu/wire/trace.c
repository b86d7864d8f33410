// Folding goes from the inside out: neighbours of one shape at a constant distance become one box
// with one more step.
#include "emu/wire/trace.h"

#include <stdlib.h>
#include <string.h>

#define PIECES_MAX      16  // pieces of one thread at one place in one phase; more are cut off
#define PLACE_BOXES_MAX 96  // boxes of one place and phase: leaves room next to irregular accesses

enum { STEP_INNER, STEP_OUTER, STEP_X, STEP_Y };

static int order_of(uint64_t left, uint64_t right) {
    return (left > right) - (left < right);
}

// Orders by phase and place, then by thread.  The events of one thread stay in their order, because
// the merge sort is stable.
static int event_compare(const struct trace_event *left, const struct trace_event *right) {
    int order = order_of(left->phase, right->phase);
    order = order ? order : order_of(left->pc, right->pc);
    order = order ? order : order_of(left->space, right->space);
    order = order ? order : order_of(left->array, right->array);
    order = order ? order : order_of(left->kind, right->kind);
    order = order ? order : order_of(left->bytes, right->bytes);
    return order ? order : order_of(left->thread, right->thread);
}

// A merge sort, because qsort of the C library need not be stable.
static void merge(struct trace_event *to, const struct trace_event *left, uint32_t left_count,
                  const struct trace_event *right, uint32_t right_count) {
    while (left_count > 0 || right_count > 0) {
        bool takes_left = right_count == 0 || (left_count > 0 && event_compare(left, right) <= 0);
        *to++ = takes_left ? *left++ : *right++;
        left_count -= takes_left;
        right_count -= !takes_left;
    }
}

static bool events_sort(struct trace_event *events, uint32_t count) {
    struct trace_event *room = malloc((count + 1) * sizeof *room);
    if (!room) {
        return false;
    }
    for (uint32_t width = 1; width < count; width *= 2) {
        for (uint32_t at = 0; at < count; at += 2 * width) {
            uint32_t left = count - at < width ? count - at : width;
            uint32_t right = count - at - left < width ? count - at - left : width;
            merge(room + at, events + at, left, events + at + left, right);
        }
        memcpy(events, room, count * sizeof *events);
    }
    free(room);
    return true;
}

static bool is_one_place(const struct trace_event *left, const struct trace_event *right) {
    struct trace_event same = *right;
    same.thread = left->thread;
    return event_compare(left, &same) == 0;
}

static struct trace_box box_of(const struct trace_event *event) {
    struct trace_box box = {.pc = event->pc,
                            .phase = event->phase,
                            .space = event->space,
                            .array = event->array,
                            .kind = event->kind,
                            .bytes = event->bytes,
                            .thread = event->thread,
                            .offset = event->offset};
    for (int i = 0; i < TRACE_STEPS; i++) {
        box.step[i].count = 1;
    }
    return box;
}

// True if a step of this level may change the thread in this way.
static bool step_is_possible(int level, const struct trace_box *box, uint32_t thread,
                             uint32_t row) {
    switch (level) {
    case STEP_INNER:
    case STEP_OUTER:
        return thread == box->thread;
    case STEP_X:
        return thread > box->thread && thread / row == box->thread / row;
    default:
        return thread > box->thread;
    }
}

// Makes next a part of box, if it is the next step of this level.
static bool box_extend(struct trace_box *box, const struct trace_box *next, int level,
                       uint32_t row) {
    struct trace_step *step = &box->step[level];
    int32_t threads = (int32_t)next->thread - (int32_t)box->thread;
    int32_t offset = next->offset - box->offset;
    if (memcmp(box->step, next->step, (size_t)level * sizeof *step) != 0 ||
        next->step[level].count != 1 || !step_is_possible(level, box, next->thread, row)) {
        return false;
    }
    if (step->count == 1) {
        *step = (struct trace_step){2, threads, offset};
        return true;
    }
    int32_t count = (int32_t)step->count;
    if (threads != count * step->thread || offset != count * step->offset) {
        return false;
    }
    step->count++;
    return true;
}

// Folds one level over neighbours, in place.  Returns how many boxes are left.
static uint32_t fold(struct trace_box *boxes, uint32_t count, int level, uint32_t row) {
    uint32_t used = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (used == 0 || !box_extend(&boxes[used - 1], &boxes[i], level, row)) {
            boxes[used++] = boxes[i];
        }
    }
    return used;
}

// The pieces of all threads at one place in one phase: [number of the piece][threads in order].
struct pieces {
    uint32_t count[PIECES_MAX];
    struct trace_box *box[PIECES_MAX];  // [THREADS_MAX] each
};

static void pieces_done(struct pieces *pieces) {
    for (int i = 0; i < PIECES_MAX; i++) {
        free(pieces->box[i]);
    }
}

static bool pieces_init(struct pieces *pieces) {
    memset(pieces, 0, sizeof *pieces);
    for (int i = 0; i < PIECES_MAX; i++) {
        pieces->box[i] = malloc(THREADS_MAX * sizeof *pieces->box[i]);
        if (!pieces->box[i]) {
            pieces_done(pieces);
            return false;
        }
    }
    return true;
}

// Folds the loops of one thread and stores its pieces.  Returns false if some are cut off.
static bool thread_fold(const struct trace_event *events, uint32_t count, struct trace_box *room,
                        struct pieces *pieces) {
    for (uint32_t i = 0; i < count; i++) {
        room[i] = box_of(&events[i]);
    }
    count = fold(room, count, STEP_INNER, 1);
    count = fold(room, count, STEP_OUTER, 1);
    for (uint32_t i = 0; i < count && i < PIECES_MAX; i++) {
        pieces->box[i][pieces->count[i]++] = room[i];
    }
    return count <= PIECES_MAX;
}

// Folds the accesses of one place in one phase, thread by thread.
static bool place_fold(const struct trace_event *events, uint32_t count, uint32_t row,
                       struct trace_box *room, struct pieces *pieces, struct trace *trace) {
    bool whole = true;
    const uint32_t before = trace->count;
    memset(pieces->count, 0, sizeof pieces->count);
    for (uint32_t at = 0; at < count;) {
        uint32_t end = at + 1;
        while (end < count && events[end].thread == events[at].thread) {
            end++;
        }
        whole &= thread_fold(events + at, end - at, room, pieces);
        at = end;
    }
    for (int i = 0; i < PIECES_MAX; i++) {
        uint32_t boxes = fold(pieces->box[i], pieces->count[i], STEP_X, row);
        boxes = fold(pieces->box[i], boxes, STEP_Y, row);
        for (uint32_t b = 0; b < boxes; b++) {
            if (trace->count == TRACE_BOXES_MAX || trace->count - before == PLACE_BOXES_MAX) {
                return false;
            }
            trace->box[trace->count++] = pieces->box[i][b];
        }
    }
    return whole;
}

bool trace_fold(struct trace_event *events, uint32_t count, const uint32_t block[3],
                struct trace *trace) {
    struct pieces pieces;
    struct trace_box *room = NULL;
    bool done = false;
    uint32_t longest = 0;
    if (!pieces_init(&pieces)) {
        return false;
    }
    if (!events_sort(events, count)) {
        goto out;
    }
    for (uint32_t at = 0, begin = 0; at < count; at++) {
        bool goes_on = at > 0 && is_one_place(&events[at - 1], &events[at]) &&
                       events[at - 1].thread == events[at].thread;
        begin = goes_on ? begin : at;
        longest = at - begin + 1 > longest ? at - begin + 1 : longest;
    }
    room = malloc((longest + 1) * sizeof *room);
    if (!room) {
        goto out;
    }
    for (uint32_t at = 0; at < count;) {
        uint32_t end = at + 1;
        while (end < count && is_one_place(&events[at], &events[end])) {
            end++;
        }
        trace->cut |= !place_fold(events + at, end - at, block[0], room, &pieces, trace);
        at = end;
    }
    done = true;

out:
    free(room);
    pieces_done(&pieces);
    return done;
}

// True if folding can have produced every step, and the threads are inside the block.
static bool steps_check(const struct trace_box *box, uint32_t thread_count) {
    uint64_t accesses = 1;
    int64_t last = box->thread;
    for (int i = 0; i < TRACE_STEPS; i++) {
        const struct trace_step *step = &box->step[i];
        if (step->count < 1 || step->count > TRACE_EVENTS_MAX || step->thread < 0 ||
            step->thread > THREADS_MAX || (i < STEP_X && step->thread != 0)) {
            return false;
        }
        accesses *= step->count;
        if (accesses > TRACE_EVENTS_MAX) {
            return false;
        }
        last += (int64_t)(step->count - 1) * step->thread;
    }
    return last < thread_count;
}

static bool box_check(const struct trace_box *box, const struct trace *trace, uint32_t thread_count,
                      uint32_t shared_count) {
    bool array = box->space == SPACE_GLOBAL   ? box->array < GLOBAL_ARRAY_COUNT
                 : box->space == SPACE_SHARED ? box->array < shared_count
                                              : false;
    return array && box->phase < trace->phases && box->kind > ACCESS_NONE &&
           box->kind <= TRACE_ZERO && box->bytes >= 1 && box->bytes <= 16 &&
           (box->bytes & (box->bytes - 1)) == 0 && box->offset >= 0 &&
           steps_check(box, thread_count);
}

static bool act_check(const struct trace_act *act, const struct trace *trace,
                      uint32_t shared_count) {
    bool array = act->space == SPACE_SHARED ? act->array < shared_count
                 : act->kind == TRACE_COPY
                     ? act->to < shared_count &&
                           (act->array < GLOBAL_ARRAY_COUNT || act->array == ARRAY_NONE)
                 : act->space == SPACE_GLOBAL ? act->array < GLOBAL_ARRAY_COUNT
                                              : act->kind > TRACE_COPY;
    return array && act->team < trace->team_count && act->step < trace->phases &&
           act->slot <= TRACE_ACTS_MAX && act->kind > ACCESS_NONE && act->kind < TRACE_KIND_COUNT &&
           act->lanes <= WARP_LANES && act->times <= TRACE_TIMES_MAX && act->low <= act->high;
}

static bool acts_check(const struct trace *trace, uint32_t shared_count) {
    if (trace->acts_cut > 1 || trace->team_count > TRACE_TEAMS_MAX ||
        trace->act_count > TRACE_ACTS_MAX || trace->copy_count > TRACE_COPIES_MAX) {
        return false;
    }
    bool good = true;
    for (uint32_t i = 0; i < trace->act_count; i++) {
        good = good && act_check(&trace->act[i], trace, shared_count);
    }
    for (uint32_t i = 0; i < trace->copy_count; i++) {
        const struct trace_copy *copy = &trace->copy[i];
        good = good && copy->team < trace->team_count && copy->to < shared_count &&
               copy->issued < trace->phases && copy->group < TRACE_EVENTS_MAX &&
               (copy->done < trace->phases || copy->done == TRACE_NEVER) && copy->low <= copy->high;
    }
    return good;
}

bool trace_check(const struct trace *trace, const uint32_t block[3], uint32_t shared_count) {
    uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
    uint64_t accesses = 0;
    if (trace->count > TRACE_BOXES_MAX || trace->phases > TRACE_EVENTS_MAX || trace->cut > 1 ||
        threads > THREADS_MAX || !acts_check(trace, shared_count)) {
        return false;
    }
    for (uint32_t i = 0; i < trace->count; i++) {
        const struct trace_box *box = &trace->box[i];
        if (!box_check(box, trace, (uint32_t)threads, shared_count)) {
            return false;
        }
        accesses += (uint64_t)box->step[0].count * box->step[1].count * box->step[2].count *
                    box->step[3].count;
    }
    return accesses <= TRACE_EVENTS_MAX;
}
