// Threads wait for phases of mbarriers that never complete: which of these waits is the reason.
//
// A thread that arrived in the last complete phase of an mbarrier is expected in the next one too.
// If all such threads that have not arrived again wait together for another phase, that wait holds
// this one up, and the question is asked again there.  In any other case it stays open.
#include "emu/machine/mbarrier.h"
#include "emu/machine/stop.h"

static bool waits(const struct emu_machine *machine, uint32_t thread) {
    return machine->state[thread] == THREAD_AT_MBARRIER;
}

// Two threads wait in one place for the same mbarrier.
static bool together(const struct emu_machine *machine, uint32_t one, uint32_t other) {
    return waits(machine, one) && waits(machine, other) &&
           machine->thread[one].pc == machine->thread[other].pc &&
           machine->thread[one].waits_for == machine->thread[other].waits_for;
}

static uint32_t count_together(const struct emu_machine *machine, uint32_t thread) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < machine->shape.thread_count; i++) {
        count += together(machine, thread, i);
    }
    return count;
}

static const struct mbarrier *awaited(const struct emu_machine *machine, uint32_t thread) {
    return &machine->mbarriers->at[machine->thread[thread].waits_for];
}

static uint32_t lacks(const struct mbarrier *mbarrier) {
    return mbarrier->pending < THREADS_MAX ? mbarrier->pending : THREADS_MAX;
}

// The phases that are complete and for which the threads that wait for this mbarrier have not
// waited; 0 if that is not known, or not the same of all.
static uint32_t phases_missed(const struct emu_machine *machine, uint32_t thread) {
    const struct mbarrier *mbarrier = awaited(machine, thread);
    const struct mbarrier_use *uses = mbarrier_uses(machine, mbarrier);
    if (!uses || uses[thread].waited == PHASES_NOT_IN_TURN) {
        return 0;
    }
    for (uint32_t i = 0; i < machine->shape.thread_count; i++) {
        if (waits(machine, i) && awaited(machine, i) == mbarrier &&
            uses[i].waited != uses[thread].waited) {
            return 0;
        }
    }
    return mbarrier->phase - uses[thread].waited;
}

// Copies have brought more than this phase expects.  Those of other blocks may come before the
// arrival that announces them.
static bool exceeds(const struct mbarrier *mbarrier) {
    return mbarrier->bytes < 0 && (mbarrier->pending == 0 || -mbarrier->bytes > mbarrier->early);
}

// A thread of the wait that holds up the phase that this one waits for; itself if none is known to.
static uint32_t held_up_by(const struct emu_machine *machine, uint32_t thread) {
    const struct mbarrier *mbarrier = awaited(machine, thread);
    const struct mbarrier_use *uses = mbarrier_uses(machine, mbarrier);
    uint32_t found = thread;
    if (!uses || mbarrier->remote || mbarrier->pending == 0 || exceeds(mbarrier) ||
        mbarrier->phase == 0 || phases_missed(machine, thread) > 0) {
        return thread;
    }
    for (uint32_t i = 0; i < machine->shape.thread_count; i++) {
        if (uses[i].arrived != mbarrier->phase) {
            continue;
        }
        if (!waits(machine, i) || together(machine, thread, i) ||
            (found != thread && !together(machine, found, i))) {
            return thread;
        }
        found = i;
    }
    return found;
}

// A thread that waits elsewhere than this one, if all that do so wait together; else itself.
static uint32_t only_other(const struct emu_machine *machine, uint32_t thread) {
    uint32_t found = thread;
    for (uint32_t i = 0; i < machine->shape.thread_count; i++) {
        if (!waits(machine, i) || together(machine, thread, i)) {
            continue;
        }
        if (found != thread && !together(machine, found, i)) {
            return thread;
        }
        found = i;
    }
    return found;
}

// The thread where the search for the reason begins: one whose phase lacks only bytes, else the
// first.
static uint32_t begin(const struct emu_machine *machine) {
    uint32_t first = UINT32_MAX;
    for (uint32_t i = 0; i < machine->shape.thread_count; i++) {
        if (waits(machine, i) && awaited(machine, i)->pending == 0) {
            return i;
        }
        first = waits(machine, i) && first == UINT32_MAX ? i : first;
    }
    return first;
}

static void add_other(const struct emu_machine *machine, uint32_t thread, struct finding *finding) {
    finding->other_pc = machine->thread[thread].pc;
    finding->count_other = count_together(machine, thread);
    finding->absent_other = lacks(awaited(machine, thread));
    finding->other_array = awaited(machine, thread)->array;
    finding->other_offset = awaited(machine, thread)->offset;
}

// Which mbarrier it is, and which phase.
static void add_mbarrier(const struct mbarriers *mbarriers, const struct mbarrier *mbarrier,
                         struct finding *finding) {
    finding->space = SPACE_SHARED;
    finding->array = mbarrier->array;
    finding->array_bytes = mbarrier->array_bytes;
    finding->offset = mbarrier->offset;
    finding->phases = mbarrier->phase;
    finding->phase_bytes = mbarrier->bytes;
    finding->init_pc = mbarrier->pc;
    for (uint32_t i = 0; i < mbarriers->used_count; i++) {
        const struct mbarrier *other = &mbarriers->at[mbarriers->used[i]];
        if (other->live && other->pc == mbarrier->pc) {
            finding->inits++;
            finding->init_number += other < mbarrier;
        }
    }
}

// What else is known of the wait of this thread for arrivals.
static void explain(const struct emu_machine *machine, uint32_t thread, struct finding *finding) {
    finding->phases_missed = phases_missed(machine, thread);
    uint32_t other = held_up_by(machine, thread);
    bool in_ring = other != thread;
    for (uint32_t i = 0; !in_ring && i < machine->shape.thread_count; i++) {
        if (waits(machine, i) && !together(machine, thread, i) &&
            together(machine, thread, held_up_by(machine, i))) {
            add_other(machine, i, finding);
            return;
        }
    }
    other = in_ring ? other : only_other(machine, thread);
    if (other != thread && finding->phases_missed == 0 && awaited(machine, other)->pending > 0) {
        finding->detail = PHASES_OF_TWO;
        add_other(machine, other, finding);
    }
}

// The thread whose wait is the reason.
static uint32_t reason(const struct emu_machine *machine) {
    uint32_t start = begin(machine);
    uint32_t thread = start;
    uint32_t next = held_up_by(machine, thread);
    for (uint32_t i = 0; i < machine->shape.thread_count && next != thread; i++) {
        thread = next;
        next = held_up_by(machine, thread);
    }
    return next == thread ? thread : start;  // they wait in a ring
}

uint32_t mbarriers_lack_bytes(const struct emu_machine *machine) {
    uint32_t thread = reason(machine);
    const struct mbarrier *mbarrier = awaited(machine, thread);
    bool lacks_bytes = mbarrier->pending == 0 && mbarrier->bytes > 0;
    return lacks_bytes ? machine->thread[thread].waits_for : UINT32_MAX;
}

bool mbarriers_deadlock(struct emu_machine *machine) {
    if (!machine->mbarriers || machine->mbarriers->waiting == 0) {
        return false;
    }
    uint32_t thread = reason(machine);
    machine->current = thread;
    const struct mbarrier *mbarrier = awaited(machine, thread);
    struct finding finding =
        machine_finding(machine, FINDING_BARRIER_DIVERGENCE, machine->thread[thread].pc);
    finding.count_waiting = count_together(machine, thread);
    add_mbarrier(machine->mbarriers, mbarrier, &finding);
    if (exceeds(mbarrier)) {
        finding.detail = PHASE_EXCEEDS_BYTES;
        finding.phase_bytes = -mbarrier->bytes;
    } else if (mbarrier->pending > 0) {
        finding.detail = PHASE_LACKS_ARRIVALS;
        finding.count_absent = lacks(mbarrier);
        explain(machine, thread, &finding);
    } else {
        finding.detail = PHASE_LACKS_BYTES;
    }
    findings_add(&machine->result.findings, &finding);
    return true;
}
