// Compares the places of a block's threads when none of them can run any more.
//
// Source: CUDA Programming Guide 13, 5.4.4.1, Thread Block Synchronization Functions: a barrier
// waits for the threads that have not exited, and is undefined in a branch that some threads do not
// take.  See decisions/0028-barriers-in-branches.md.
#include "emu/check/barrier_meeting.h"

// Threads with the same state and place.
struct barrier_group {
    uint32_t count;
    uint32_t first;  // linear index
    uint64_t pc;     // of the first
};

static void group_add(struct barrier_group *group, uint32_t thread, uint64_t pc) {
    if (group->count++ == 0) {
        group->first = thread;
        group->pc = pc;
    }
}

static void report(struct findings *findings, const struct launch_shape *shape,
                   const struct block_place *place, struct finding finding,
                   const struct barrier_group *here, const struct barrier_group *away) {
    finding.pc = here->pc;
    finding.other_pc = away->pc;
    finding.count_waiting = here->count;
    finding.count_absent = away->count;
    finding.array = ARRAY_NONE;
    for (int i = 0; i < 3; i++) {
        finding.block[i] = place->index[i];
        finding.other_block[i] = place->index[i];
    }
    findings_thread(shape->block, here->first, finding.thread);
    findings_thread(shape->block, away->first, finding.other_thread);
    findings_add(findings, &finding);
}

bool barrier_meet(struct findings *findings, const struct launch_shape *shape,
                  const struct block_place *place, const struct barrier_thread *threads) {
    struct barrier_group here = {.count = 0};  // at the place of the first waiting thread
    struct barrier_group elsewhere = {.count = 0};
    struct barrier_group exited = {.count = 0};
    struct barrier_group absent = {.count = 0};

    for (uint32_t i = 0; i < shape->thread_count; i++) {
        if (threads[i].state == BARRIER_EXITED) {
            group_add(threads[i].pc != 0 ? &exited : &absent, i, threads[i].pc);
        } else {
            group_add(here.count == 0 || here.pc == threads[i].pc ? &here : &elsewhere, i,
                      threads[i].pc);
        }
    }
    if (here.count == 0) {
        return false;
    }
    struct finding diverged = {.kind = FINDING_BARRIER_DIVERGENCE, .severity = SEVERITY_ERROR};
    if (elsewhere.count > 0) {
        report(findings, shape, place, diverged, &here, &elsewhere);
        return true;
    }
    if (absent.count > 0) {
        absent.pc = 0;  // they are at no barrier
        report(findings, shape, place, diverged, &here, &absent);
        return true;
    }
    if (exited.count > 0) {
        struct finding left = {.kind = FINDING_EXITED_BEFORE_BARRIER, .severity = SEVERITY_WARNING};
        report(findings, shape, place, left, &here, &exited);
    }
    return false;
}
