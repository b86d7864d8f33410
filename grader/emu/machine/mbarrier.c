// A phase is complete when no arrival is pending and no expected byte is missing.  Copies are made
// immediately, so a copy belongs to the phase that is current at its call.
//
// When threads wait for phases of mbarriers that never complete, finds the wait that is the reason.
//
// A thread that arrived in the last complete phase of an mbarrier is expected in the next one too.
// If all such threads that have not arrived again wait together for another phase, that wait holds
// this one up, and the search continues there.  In any other case the reason stays unknown.
#include "emu/machine/mbarrier.h"

#include <string.h>

#include "emu/check/address_checks.h"
#include "emu/machine/stop.h"
#include "emu/machine/tracing.h"

// Messages of the last launch point to mbarriers that are cleared here.
enum status mbarriers_launch_begin(void *observer, const struct launch_shape *shape,
                                   struct findings *findings, struct error *err) {
    struct mbarriers *mbarriers = observer;
    (void)findings;
    for (uint32_t i = 0; i < mbarriers->used_count; i++) {
        mbarriers->at[mbarriers->used[i]] = (struct mbarrier){.live = false};
    }
    mbarriers->used_count = 0;
    mbarriers->waiting = 0;
    mbarriers->map = shared_map_of(shape->shared);
    uint64_t count = mbarriers->map.bytes / MBARRIER_BYTES;
    enum status status = vault_need(&mbarriers->at, count * sizeof *mbarriers->at, err);
    status = status ? status : vault_need(&mbarriers->used, count * sizeof *mbarriers->used, err);
    return status ? status
                  : vault_need(&mbarriers->uses,
                               sizeof *mbarriers->uses * MBARRIERS_WATCHED * THREADS_MAX, err);
}

void mbarriers_block_begin(void *observer, const struct block_place *place) {
    struct mbarriers *mbarriers = observer;
    (void)place;
    for (uint32_t i = 0; i < mbarriers->used_count; i++) {
        struct mbarrier *mbarrier = &mbarriers->at[mbarriers->used[i]];
        follow_drop(&mbarrier->arriving);
        follow_drop(&mbarrier->complete);
        *mbarrier = (struct mbarrier){.live = false};
    }
    mbarriers->used_count = 0;
    mbarriers->waiting = 0;
    mbarriers->tried = false;
}

struct access mbarrier_access(struct emu_machine *machine, uint64_t address, enum access_kind kind,
                              uint64_t pc) {
    struct access access = {.pc = pc,
                            .address = address,
                            .bytes = MBARRIER_BYTES,
                            .thread = machine->current,
                            .space = SPACE_SHARED,
                            .kind = (uint8_t)kind};
    if (!memory_find_shared(tracing_memory(machine), &access)) {
        machine_crash(machine, CRASH_NOT_SHARED, pc);
    }
    access.in_bounds = memory_inside(&access);
    if (bounds_access(&machine->result.findings, &machine->shape, &machine->block.place, &access) ||
        align_call(&machine->result.findings, &machine->shape, &machine->block.place, &access,
                   MISALIGNED_ACCESS)) {
        machine_stop(machine);
    }
    return access;
}

static struct mbarrier *mbarrier_at(struct mbarriers *mbarriers, const struct access *access) {
    uint64_t place = mbarriers->map.start[access->array] + (uint64_t)access->offset;
    return &mbarriers->at[place / MBARRIER_BYTES];
}

struct by {
    uint32_t thread;
    uint64_t pc;
};

// Reports that nothing orders the mbarrier.init, a write, before a use (`other`), or a use before
// the mbarrier.inval.
static void report(struct emu_machine *machine, const struct access *place,
                   enum access_kind first_kind, struct by first, struct by other) {
    bool init = first_kind == ACCESS_WRITE;
    struct finding finding = machine_finding(machine, FINDING_RACE, first.pc);
    finding.detail = RACE_OF_MBARRIER;
    finding.other_pc = other.pc;
    finding.space = SPACE_SHARED;
    finding.array = place->array;
    finding.array_bytes = place->array_bytes;
    finding.offset = place->offset;
    finding.access = first_kind;
    finding.other_access = init ? ACCESS_READ : ACCESS_WRITE;
    finding.access_bytes = place->bytes;
    memcpy(finding.other_block, finding.block, sizeof finding.other_block);
    findings_thread(machine->shape.block, first.thread, finding.thread);
    findings_thread(machine->shape.block, other.thread, finding.other_thread);
    findings_add(&machine->result.findings, &finding);
}

// Each thread's use of the mbarrier; NULL if that is not kept.
static struct mbarrier_use *mbarrier_uses(const struct emu_machine *machine,
                                          const struct mbarrier *mbarrier) {
    bool kept = machine->checks && mbarrier->used < MBARRIERS_WATCHED;
    return kept ? &machine->own.mbarriers->uses[mbarrier->used * THREADS_MAX] : NULL;
}

struct mbarrier *mbarrier_live(struct emu_machine *machine, const struct access *access,
                               bool in_other_block) {
    struct mbarrier *mbarrier = mbarrier_at(machine->own.mbarriers, access);
    if (!mbarrier->live) {
        machine_crash(machine, in_other_block ? CRASH_NO_MBARRIER_THERE : CRASH_NO_MBARRIER,
                      access->pc);
    }
    return mbarrier;
}

struct mbarrier *mbarrier_operand(struct emu_machine *machine, const struct access *access) {
    struct mbarrier *mbarrier = mbarrier_at(machine->own.mbarriers, access);
    bool known = mbarrier->live || mbarrier->ended;
    if (machine->checks && known &&
        !follow_is_ordered(machine->race->follow, &mbarrier->at, machine->current)) {
        struct by use = {machine->current, access->pc};
        struct by made = {mbarrier->at.thread, mbarrier->pc};
        if (mbarrier->live) {
            report(machine, access, ACCESS_WRITE, made, use);
        } else {
            report(machine, access, ACCESS_READ, use, made);
            machine_stop(machine);
        }
    }
    (void)mbarrier_live(machine, access, false);
    struct mbarrier_use *uses = mbarrier_uses(machine, mbarrier);
    if (uses) {
        uses[machine->current].pc = access->pc;
        uses[machine->current].epoch = machine->race->epoch;
    }
    return mbarrier;
}

uint32_t mbarrier_number(const struct mbarriers *mbarriers, const struct mbarrier *mbarrier) {
    return (uint32_t)(mbarrier - mbarriers->at);
}

static struct follow_access access_by(const struct emu_machine *machine,
                                      const struct access *access) {
    return (struct follow_access){.block = machine->block.place.linear,
                                  .thread = access->thread,
                                  .epoch = machine->race->epoch};
}

struct mbarrier *mbarrier_init(struct emu_machine *machine, const struct access *access,
                               uint32_t count) {
    struct mbarriers *mbarriers = machine->own.mbarriers;
    struct mbarrier *mbarrier = mbarrier_at(mbarriers, access);
    if (count < 1 || count > MBARRIER_COUNT_MAX) {
        machine_refuse(machine, CRASH_MBARRIER_COUNT, count, MBARRIER_COUNT_MAX, access->pc);
    }
    if (mbarrier->live) {
        machine_crash(machine, CRASH_MBARRIER_LIVE, access->pc);
    }
    uint32_t used = mbarrier->used;
    if (mbarrier->expected == 0) {
        used = mbarriers->used_count++;
        mbarriers->used[used] = mbarrier_number(mbarriers, mbarrier);
    }
    follow_drop(&mbarrier->arriving);
    follow_drop(&mbarrier->complete);
    *mbarrier = (struct mbarrier){.used = used,
                                  .expected = count,
                                  .pending = count,
                                  .pc = access->pc,
                                  .array = access->array,
                                  .offset = access->offset,
                                  .array_bytes = access->array_bytes};
    mbarrier->at = access_by(machine, access);
    struct mbarrier_use *uses = mbarrier_uses(machine, mbarrier);
    if (uses) {
        memset(uses, 0, sizeof *uses * machine->shape.thread_count);
    }
    return mbarrier;
}

void mbarrier_inval(struct emu_machine *machine, const struct access *access) {
    struct mbarrier *mbarrier = mbarrier_operand(machine, access);
    const struct mbarrier_use *uses = mbarrier_uses(machine, mbarrier);
    for (uint32_t i = 0; uses && i < machine->shape.thread_count; i++) {
        struct follow_access use = {
            .block = machine->block.place.linear, .thread = i, .epoch = uses[i].epoch};
        if (uses[i].pc != 0 && !follow_is_done(machine->race->follow, &use, machine->current)) {
            report(machine, access, ACCESS_READ, (struct by){i, uses[i].pc},
                   (struct by){machine->current, access->pc});
            break;
        }
    }
    mbarrier->live = false;
    mbarrier->ended = true;
    mbarrier->pc = access->pc;
    mbarrier->at = access_by(machine, access);
}

void mbarrier_store(struct emu_machine *machine, const struct mbarriers *mbarriers,
                    const struct access *access) {
    uint64_t first = mbarriers->map.start[access->array] + (uint64_t)access->offset;
    for (uint64_t i = first / MBARRIER_BYTES; i * MBARRIER_BYTES < first + access->bytes; i++) {
        if (mbarriers->at[i].live) {
            machine_crash(machine, CRASH_MBARRIER_STORED, access->pc);
        }
    }
}

static void phase_end(struct emu_machine *machine, struct mbarrier *mbarrier) {
    struct mbarriers *mbarriers = machine->own.mbarriers;
    mbarriers->tried = false;
    if (mbarrier->pending > 0 || mbarrier->bytes != 0) {
        return;
    }
    mbarrier->phase++;
    mbarrier->pending = mbarrier->expected;
    if (machine->checks) {
        mbarrier->time = mbarrier->copies ? mbarrier->time : ++machine->own.bulk->time;
        follow_put_agent(machine->race->follow, &mbarrier->arriving,
                         machine->own.bulk->first_agent + mbarrier_number(mbarriers, mbarrier),
                         mbarrier->time + 1);
        follow_assign(&mbarrier->complete, &mbarrier->arriving);
    }
    mbarrier->copied = mbarrier->copies;
    mbarrier->copies = false;
    mbarrier->early = 0;
    for (uint32_t i = 0; mbarriers->waiting > 0 && i < machine->shape.thread_count; i++) {
        if (machine->state[i] == THREAD_AT_MBARRIER &&
            machine->thread[i].waits_for == mbarrier_number(mbarriers, mbarrier)) {
            machine->state[i] = THREAD_READY;
            mbarriers->waiting--;
        }
    }
}

static void add_bytes(struct emu_machine *machine, struct mbarrier *mbarrier, int64_t bytes,
                      uint64_t pc) {
    mbarrier->bytes += bytes;
    if (mbarrier->bytes > (int64_t)MBARRIER_COUNT_MAX ||
        mbarrier->bytes < -(int64_t)MBARRIER_COUNT_MAX) {
        machine_refuse(machine, CRASH_MBARRIER_BYTES, mbarrier->bytes, MBARRIER_COUNT_MAX, pc);
    }
}

void mbarrier_expect(struct emu_machine *machine, struct mbarrier *mbarrier, uint32_t bytes,
                     uint64_t pc) {
    add_bytes(machine, mbarrier, bytes, pc);
    phase_end(machine, mbarrier);
}

static void check_pending(struct emu_machine *machine, const struct mbarrier *mbarrier,
                          uint32_t count, uint64_t pc) {
    if (count < 1 || count > mbarrier->pending) {
        machine_refuse(machine, CRASH_MBARRIER_ARRIVALS, count, mbarrier->pending, pc);
    }
}

static void count_arrivals(struct emu_machine *machine, struct mbarrier *mbarrier, uint32_t count) {
    struct mbarrier_use *uses = mbarrier->remote ? NULL : mbarrier_uses(machine, mbarrier);
    if (uses) {
        uses[machine->current].arrived = mbarrier->phase + 1;
    }
    mbarrier->pending -= count;
    phase_end(machine, mbarrier);
}

void mbarrier_arrive(struct emu_machine *machine, struct mbarrier *mbarrier, uint32_t count,
                     uint64_t pc) {
    check_pending(machine, mbarrier, count, pc);
    if (machine->checks) {
        race_put(machine->race, machine->current, &mbarrier->arriving);
    }
    count_arrivals(machine, mbarrier, count);
}

void mbarrier_arrive_relaxed(struct emu_machine *machine, struct mbarrier *mbarrier,
                             enum follow_scope scope, uint64_t pc) {
    check_pending(machine, mbarrier, 1, pc);
    if (machine->checks) {
        race_put_relaxed(machine->race, machine->current, &mbarrier->arriving, scope);
    }
    count_arrivals(machine, mbarrier, 1);
}

void mbarrier_copied(struct emu_machine *machine, struct mbarrier *mbarrier, uint32_t bytes,
                     uint32_t time, uint64_t pc) {
    mbarrier->copies = true;
    mbarrier->time = time;
    mbarrier->begun = machine->counts ? machine->count->sums.tensor_calls : 0;
    if (machine->checks) {
        race_put(machine->race, machine->current, &mbarrier->arriving);
    }
    add_bytes(machine, mbarrier, -(int64_t)bytes, pc);
    phase_end(machine, mbarrier);
}

// True if all of these arrivals are ordered before the next access of the running thread.
static bool knows_arrivals(const struct emu_machine *machine, const struct clock *arrivals) {
    for (uint32_t i = 0; i < clock_count(arrivals); i++) {
        struct follow_access arrival;
        clock_thread_at(arrivals, i, &arrival.block, &arrival.thread, &arrival.epoch);
        arrival.epoch--;
        if (arrival.thread < THREADS_MAX &&  // not a whole block, or an agent
            !follow_is_done(machine->race->follow, &arrival, machine->current)) {
            return false;
        }
    }
    return true;
}

// True if the running thread is ordered after a wait for the last complete phase, or after all its
// arrivals, if it has no copies.
static bool knows_complete(const struct emu_machine *machine, const struct mbarrier *mbarrier) {
    uint32_t agent =
        machine->own.bulk->first_agent + mbarrier_number(machine->own.mbarriers, mbarrier);
    return follow_knows_agent(machine->race->follow, machine->current, agent, mbarrier->time) ||
           (!mbarrier->copied && knows_arrivals(machine, mbarrier->complete.known) &&
            knows_arrivals(machine, mbarrier->complete.done));
}

// The running thread has waited for the last complete phase.
static void note_wait(const struct emu_machine *machine, const struct mbarrier *mbarrier) {
    struct mbarrier_use *uses = mbarrier_uses(machine, mbarrier);
    uint32_t *waited = uses ? &uses[machine->current].waited : NULL;
    if (waited && *waited != mbarrier->phase) {
        *waited = *waited + 1 == mbarrier->phase ? mbarrier->phase : PHASES_NOT_IN_TURN;
    }
}

bool mbarrier_wait(struct emu_machine *machine, struct mbarrier *mbarrier, uint32_t parity,
                   bool blocks, uint64_t pc) {
    struct mbarriers *mbarriers = machine->own.mbarriers;
    struct thread *thread = &machine->thread[machine->current];
    uint32_t number = mbarrier_number(mbarriers, mbarrier);
    if (parity > 1) {
        machine_refuse(machine, CRASH_MBARRIER_PARITY, parity, 1, pc);
    }
    bool complete = (mbarrier->phase & 1) != parity;
    uint32_t phase = mbarrier->phase - complete;
    bool again = thread->has_waited && thread->waits_for == number && thread->phase == phase;
    thread->has_waited = true;
    thread->waits_for = number;
    thread->phase = phase;
    if (complete) {
        if (!again && machine->checks && !knows_complete(machine, mbarrier)) {
            return false;
        }
        if (machine->checks) {
            race_take(machine->race, machine->current, &mbarrier->complete);
        }
        note_wait(machine, mbarrier);
        if (machine->counts && mbarrier->copied) {
            count_awaited(machine->count, mbarrier->begun);
        }
        thread->has_waited = false;
        return true;
    }
    if (blocks && again) {
        machine->state[machine->current] = THREAD_AT_MBARRIER;
        thread->pc = pc;
        mbarriers->waiting++;
    }
    return false;
}

// Only for a phase without copies: a phase with copies says that data can be read.
bool mbarrier_lane_arrived(const void *asked, uint32_t thread, uint32_t since) {
    const struct emu_machine *machine = asked;
    const struct thread *waiter = &machine->thread[machine->current];
    const struct mbarrier *mbarrier = &machine->own.mbarriers->at[waiter->waits_for];
    const struct mbarrier_use *uses = mbarrier->live ? mbarrier_uses(machine, mbarrier) : NULL;
    if (!uses || uses[machine->current].waited != mbarrier->phase || mbarrier->copied ||
        uses[thread].arrived != 0) {
        return false;
    }
    uint32_t first = thread / WARP_LANES * WARP_LANES;
    for (uint32_t i = first; i < first + WARP_LANES && i < machine->shape.thread_count; i++) {
        if (uses[i].arrived == mbarrier->phase && uses[i].arrived > 0 && uses[i].epoch > since) {
            return true;
        }
    }
    return false;
}

bool mbarriers_try_again(struct emu_machine *machine) {
    struct mbarriers *mbarriers = machine->own.mbarriers;
    if (!mbarriers || mbarriers->waiting == 0 || mbarriers->tried) {
        return false;
    }
    mbarriers->tried = true;
    mbarriers->waiting = 0;
    for (uint32_t i = 0; i < machine->shape.thread_count; i++) {
        if (machine->state[i] == THREAD_AT_MBARRIER) {
            machine->state[i] = THREAD_READY;
        }
    }
    return true;
}

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
    return &machine->own.mbarriers->at[machine->thread[thread].waits_for];
}

static uint32_t lacks(const struct mbarrier *mbarrier) {
    return mbarrier->pending < THREADS_MAX ? mbarrier->pending : THREADS_MAX;
}

// The number of complete phases that the threads at this mbarrier have not waited for; 0 if that is
// not known, or differs among them.
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

// True if copies have brought more bytes than this phase expects.  Copies of other blocks may come
// before the arrival that announces them.
static bool exceeds(const struct mbarrier *mbarrier) {
    return mbarrier->bytes < 0 && (mbarrier->pending == 0 || -mbarrier->bytes > mbarrier->early);
}

// A thread of the wait that holds up the phase that this thread waits for; the thread itself if no
// such wait is known.
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

// A thread that waits elsewhere, if all threads that wait elsewhere wait together; else this thread
// itself.
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

// The thread where the search for the reason begins: a thread whose phase lacks only bytes, else
// the first.
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

// Fills in the mbarrier and the phase of the finding.
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

// Fills in what else is known about this thread's wait for arrivals.
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

// Finds the thread whose wait is the reason.
static uint32_t reason(const struct emu_machine *machine) {
    uint32_t start = begin(machine);
    uint32_t thread = start;
    uint32_t next = held_up_by(machine, thread);
    for (uint32_t i = 0; i < machine->shape.thread_count && next != thread; i++) {
        thread = next;
        next = held_up_by(machine, thread);
    }
    return next == thread ? thread : start;  // the threads wait in a ring
}

uint32_t mbarriers_lack_bytes(const struct emu_machine *machine) {
    uint32_t thread = reason(machine);
    const struct mbarrier *mbarrier = awaited(machine, thread);
    bool lacks_bytes = mbarrier->pending == 0 && mbarrier->bytes > 0;
    return lacks_bytes ? machine->thread[thread].waits_for : UINT32_MAX;
}

bool mbarriers_deadlock(struct emu_machine *machine) {
    if (!machine->own.mbarriers || machine->own.mbarriers->waiting == 0) {
        return false;
    }
    uint32_t thread = reason(machine);
    machine->current = thread;
    const struct mbarrier *mbarrier = awaited(machine, thread);
    struct finding finding =
        machine_finding(machine, FINDING_BARRIER_DIVERGENCE, machine->thread[thread].pc);
    finding.count_waiting = count_together(machine, thread);
    add_mbarrier(machine->own.mbarriers, mbarrier, &finding);
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
