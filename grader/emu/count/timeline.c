// Slots are the strongly connected parts of "may come before", in order: see timeline.h.
#include "emu/count/timeline.h"

#include <stdlib.h>
#include <string.h>

#define SORTS_MAX  32  // sorts of acts in a step: bits of a word
#define WARPS_MAX  (THREADS_MAX / WARP_LANES)
#define GROUPS_MAX 64  // groups of copies of a thread; later ones are not followed

struct sort {
    uint64_t pc;  // of its first act
    uint32_t kind, space, array, to;
};

// The acts of one sort by one thread in this step.
struct timeline_slot {
    uint32_t first, last;  // by its clock
    uint32_t times;        // 0: nothing
    int32_t low, high;     // bytes of the shared array, first and last
};

// The copies of a warp's lanes in their groups of the same number.
struct slot_group {
    uint32_t lanes, waited;  // lanes that issued copies, and lanes that have waited for them
    uint32_t issued, done;   // steps: of the first copy, and of the last wait
    uint32_t to;
    int32_t low, high;
};

struct timeline {
    uint32_t thread_count;
    uint32_t step;
    bool cut;
    uint32_t sort_count;
    struct sort sort[SORTS_MAX];  // of this step
    uint32_t clock[THREADS_MAX];
    struct timeline_slot seen[THREADS_MAX][SORTS_MAX];
    uint64_t open[THREADS_MAX];   // the group that the next copy belongs to
    uint64_t ended[THREADS_MAX];  // groups that the thread has waited for
    struct slot_group group[WARPS_MAX][GROUPS_MAX];
    uint32_t act_count[WARPS_MAX];
    struct trace_act act[WARPS_MAX][TRACE_ACTS_MAX];
};

struct timeline *timeline_new(uint32_t thread_count) {
    struct timeline *timeline = calloc(1, sizeof *timeline);
    if (timeline) {
        timeline->thread_count = thread_count;
    }
    return timeline;
}

void timeline_free(struct timeline *timeline) {
    free(timeline);
}

static bool sort_is(const struct sort *left, const struct sort *right) {
    return left->kind == right->kind && left->space == right->space &&
           left->array == right->array && left->to == right->to;
}

// Notes an act of a thread, and which bytes of a shared array it touches.
static void note(struct timeline *timeline, uint32_t thread, struct sort sort, uint64_t times,
                 int32_t low, int32_t high) {
    uint32_t at = 0;
    while (at < timeline->sort_count && !sort_is(&timeline->sort[at], &sort)) {
        at++;
    }
    if (at == SORTS_MAX) {
        timeline->cut = true;
        return;
    }
    if (at == timeline->sort_count) {
        timeline->sort[timeline->sort_count++] = sort;
    }
    struct timeline_slot *seen = &timeline->seen[thread][at];
    uint32_t now = timeline->clock[thread]++;
    if (seen->times == 0) {
        *seen = (struct timeline_slot){.first = now, .low = low, .high = high};
    }
    seen->last = now;
    seen->times += (uint32_t)(times < TRACE_TIMES_MAX ? times : TRACE_TIMES_MAX);
    seen->times = seen->times < TRACE_TIMES_MAX ? seen->times : TRACE_TIMES_MAX;
    seen->low = low < seen->low ? low : seen->low;
    seen->high = high > seen->high ? high : seen->high;
}

void timeline_access(struct timeline *timeline, const struct access *access) {
    const struct sort sort = {
        .pc = access->pc, .kind = access->kind, .space = access->space, .array = access->array};
    int32_t low = (int32_t)access->offset;
    note(timeline, access->thread, sort, 1, low, low + (int32_t)access->bytes - 1);
}

void timeline_copy(struct timeline *timeline, const struct access *to, uint32_t from) {
    const struct sort sort = {
        .pc = to->pc, .kind = TRACE_COPY, .space = SPACE_GLOBAL, .array = from, .to = to->array};
    uint64_t number = timeline->open[to->thread];
    int32_t low = (int32_t)to->offset;
    int32_t high = low + (int32_t)to->bytes - 1;
    note(timeline, to->thread, sort, 1, low, high);
    if (number >= GROUPS_MAX) {
        timeline->cut = true;
        return;
    }
    struct slot_group *group = &timeline->group[to->thread / WARP_LANES][number];
    if (group->lanes == 0) {
        *group = (struct slot_group){
            .issued = timeline->step, .to = to->array, .low = low, .high = high};
    }
    group->lanes |= 1u << to->thread % WARP_LANES;
    group->low = low < group->low ? low : group->low;
    group->high = high > group->high ? high : group->high;
}

void timeline_commit(struct timeline *timeline, uint32_t thread) {
    timeline->open[thread]++;
}

void timeline_wait(struct timeline *timeline, uint32_t thread, uint64_t prior, uint64_t pc) {
    uint64_t end = timeline->open[thread] > prior ? timeline->open[thread] - prior : 0;
    uint32_t lane = 1u << thread % WARP_LANES;
    note(timeline, thread, (struct sort){.pc = pc, .kind = TRACE_WAIT}, 1, 0, 0);
    for (; timeline->ended[thread] < end; timeline->ended[thread]++) {
        if (timeline->ended[thread] < GROUPS_MAX) {
            struct slot_group *group =
                &timeline->group[thread / WARP_LANES][timeline->ended[thread]];
            group->waited |= lane;
            group->done = timeline->step;
        }
    }
}

void timeline_compute(struct timeline *timeline, uint32_t thread, uint64_t operations) {
    if (operations > 0) {
        note(timeline, thread, (struct sort){.kind = TRACE_COMPUTE}, operations, 0, 0);
    }
}

// Sort p may come before sort q, for at least one lane, if reach[p] has bit q.
static void order_find(const struct timeline *timeline, uint32_t first, uint32_t end,
                       uint32_t reach[SORTS_MAX]) {
    uint32_t count = timeline->sort_count;
    memset(reach, 0, SORTS_MAX * sizeof *reach);
    for (uint32_t thread = first; thread < end; thread++) {
        const struct timeline_slot *seen = timeline->seen[thread];
        for (uint32_t p = 0; p < count; p++) {
            for (uint32_t q = 0; q < count; q++) {
                bool both = seen[p].times > 0 && seen[q].times > 0;
                reach[p] |= both && seen[p].first <= seen[q].last ? 1u << q : 0;
            }
        }
    }
    for (uint32_t middle = 0; middle < count; middle++) {
        for (uint32_t p = 0; p < count; p++) {
            reach[p] |= reach[p] >> middle & 1 ? reach[middle] : 0;
        }
    }
}

// The number of sorts that come before sort p and not after it; it grows along the order.
static uint32_t rank_of(const uint32_t reach[SORTS_MAX], uint32_t count, uint32_t p) {
    uint32_t rank = 0;
    for (uint32_t q = 0; q < count; q++) {
        rank += (reach[q] >> p & 1) && !(reach[p] >> q & 1);
    }
    return rank;
}

static struct trace_act act_of(const struct timeline *timeline, uint32_t first, uint32_t end,
                               uint32_t number) {
    const struct sort *sort = &timeline->sort[number];
    struct trace_act act = {.pc = sort->pc,
                            .step = timeline->step,
                            .kind = sort->kind,
                            .space = sort->space,
                            .array = sort->array,
                            .to = sort->to};
    for (uint32_t thread = first; thread < end; thread++) {
        const struct timeline_slot *seen = &timeline->seen[thread][number];
        if (seen->times > 0) {
            act.low = act.lanes == 0 || seen->low < act.low ? seen->low : act.low;
            act.high = act.lanes == 0 || seen->high > act.high ? seen->high : act.high;
            act.times = seen->times > act.times ? seen->times : act.times;
            act.lanes++;
        }
    }
    return act;
}

static void act_add(struct timeline *timeline, uint32_t warp, struct trace_act act) {
    if (timeline->act_count[warp] == TRACE_ACTS_MAX) {
        timeline->cut = true;
        return;
    }
    timeline->act[warp][timeline->act_count[warp]++] = act;
}

// Adds the acts of a warp in this step by their slots.  Returns how many slots there are.
static uint32_t warp_end(struct timeline *timeline, uint32_t warp) {
    uint32_t reach[SORTS_MAX];
    uint32_t first = warp * WARP_LANES;
    uint32_t end = first + WARP_LANES;
    uint32_t slot = 0;
    end = end < timeline->thread_count ? end : timeline->thread_count;
    order_find(timeline, first, end, reach);
    for (uint32_t rank = 0; rank < timeline->sort_count; rank++) {
        bool any = false;
        for (uint32_t p = 0; p < timeline->sort_count; p++) {
            struct trace_act act = act_of(timeline, first, end, p);
            if (act.lanes > 0 && rank_of(reach, timeline->sort_count, p) == rank) {
                act.slot = slot;
                act_add(timeline, warp, act);
                any = true;
            }
        }
        slot += any;
    }
    return slot;
}

// pc: the barrier that ends the step; 0 if the kernel ended.
static void step_end(struct timeline *timeline, uint64_t pc) {
    for (uint32_t warp = 0; warp * WARP_LANES < timeline->thread_count; warp++) {
        uint32_t slot = warp_end(timeline, warp);
        if (pc != 0) {
            act_add(timeline, warp,
                    (struct trace_act){.pc = pc,
                                       .step = timeline->step,
                                       .slot = slot,
                                       .kind = TRACE_BARRIER,
                                       .lanes = WARP_LANES,
                                       .times = 1});
        }
    }
    timeline->sort_count = 0;
    memset(timeline->clock, 0, sizeof timeline->clock);
    memset(timeline->seen, 0, sizeof timeline->seen);
}

void timeline_barrier(struct timeline *timeline, uint64_t pc) {
    step_end(timeline, pc);
    timeline->step++;
}

static bool acts_agree(const struct trace_act *left, const struct trace_act *right) {
    return left->step == right->step && left->slot == right->slot && left->kind == right->kind &&
           left->space == right->space && left->array == right->array && left->to == right->to;
}

static bool groups_agree(const struct slot_group *left, const struct slot_group *right) {
    return (left->lanes == 0) == (right->lanes == 0) &&
           (left->waited == left->lanes) == (right->waited == right->lanes) &&
           left->issued == right->issued && left->done == right->done && left->to == right->to;
}

// True if two warps do the same things in the same order; the repetitions may differ.
static bool warps_agree(const struct timeline *timeline, uint32_t left, uint32_t right) {
    bool same = timeline->act_count[left] == timeline->act_count[right];
    for (uint32_t i = 0; same && i < timeline->act_count[left]; i++) {
        same = acts_agree(&timeline->act[left][i], &timeline->act[right][i]);
    }
    for (uint32_t i = 0; same && i < GROUPS_MAX; i++) {
        same = groups_agree(&timeline->group[left][i], &timeline->group[right][i]);
    }
    return same;
}

// Widens the acts and groups of a team's first warp by those of another one.
static void warps_join(struct timeline *timeline, uint32_t first, uint32_t other) {
    for (uint32_t i = 0; i < timeline->act_count[first]; i++) {
        struct trace_act *act = &timeline->act[first][i];
        const struct trace_act *more = &timeline->act[other][i];
        act->low = more->low < act->low ? more->low : act->low;
        act->high = more->high > act->high ? more->high : act->high;
        act->times = more->times > act->times ? more->times : act->times;
        act->lanes = more->lanes > act->lanes ? more->lanes : act->lanes;
    }
    for (uint32_t i = 0; i < GROUPS_MAX; i++) {
        struct slot_group *group = &timeline->group[first][i];
        const struct slot_group *more = &timeline->group[other][i];
        group->low = more->low < group->low ? more->low : group->low;
        group->high = more->high > group->high ? more->high : group->high;
    }
}

static void team_write(const struct timeline *timeline, uint32_t warp, uint32_t team,
                       struct trace *trace) {
    for (uint32_t i = 0; i < timeline->act_count[warp]; i++) {
        if (trace->act_count == TRACE_ACTS_MAX) {
            trace->acts_cut = 1;
            return;
        }
        trace->act[trace->act_count] = timeline->act[warp][i];
        trace->act[trace->act_count++].team = team;
    }
    for (uint32_t i = 0; i < GROUPS_MAX; i++) {
        const struct slot_group *group = &timeline->group[warp][i];
        if (group->lanes != 0 && trace->copy_count < TRACE_COPIES_MAX) {
            bool waited = (group->waited & group->lanes) == group->lanes;
            trace->copy[trace->copy_count++] =
                (struct trace_copy){.team = team,
                                    .group = i,
                                    .to = group->to,
                                    .issued = group->issued,
                                    .done = waited ? group->done : TRACE_NEVER,
                                    .low = group->low,
                                    .high = group->high};
        }
    }
}

void timeline_end(struct timeline *timeline, struct trace *trace) {
    uint32_t leader[TRACE_TEAMS_MAX];
    step_end(timeline, 0);
    trace->acts_cut = timeline->cut;
    for (uint32_t warp = 0; warp * WARP_LANES < timeline->thread_count; warp++) {
        uint32_t team = 0;
        while (team < trace->team_count && !warps_agree(timeline, leader[team], warp)) {
            team++;
        }
        if (team == TRACE_TEAMS_MAX) {
            trace->acts_cut = 1;
            continue;
        }
        if (team == trace->team_count) {
            leader[trace->team_count++] = warp;
        } else {
            warps_join(timeline, leader[team], warp);
        }
        trace->team[team] |= 1u << warp;
    }
    for (uint32_t team = 0; team < trace->team_count; team++) {
        team_write(timeline, leader[team], team, trace);
    }
}
