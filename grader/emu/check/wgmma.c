// Idea: a map tells for each 16 bytes of shared memory the wgmma of each warpgroup that last read
// them, and for each word of a thread's stack the place of its last access since the last
// wgmma.fence. Times grow over all blocks of a launch.
#include "emu/check/wgmma.h"

#include <string.h>

#include "emu/memory/vault.h"

#define PIECE_BYTES      16
#define WORD_BYTES       4
#define AGENT_WARPGROUPS (BULK_AGENT_STORES + THREADS_MAX)

enum status wgmma_launch_begin(void *observer, const struct launch_shape *shape,
                               struct findings *findings, struct error *err) {
    struct wgmma *wgmma = observer;
    wgmma->map = shared_map_of(shape->shared);
    uint64_t count = wgmma->map.bytes / PIECE_BYTES * WARPGROUPS_MAX;
    enum status status = vault_need(&wgmma->read, count * sizeof *wgmma->read, err);
    status =
        status ? status : vault_need(&wgmma->pcs, (uint64_t)THREADS_MAX * FIBER_STACK_BYTES, err);
    if (status) {
        return status;
    }
    if (count > 0) {
        memset(wgmma->read, 0, count * sizeof *wgmma->read);
    }
    wgmma->time = 0;
    wgmma->shape = shape;
    wgmma->findings = findings;
    return STATUS_OK;
}

static void forget_accesses(struct wgmma_thread *thread) {
    if (thread->high > 0) {
        memset(&thread->pc[(thread->low - thread->stack) / WORD_BYTES], 0,
               thread->high - thread->low);
    }
    thread->low = UINT64_MAX;
    thread->high = 0;
}

void wgmma_block_begin(void *observer, const struct block_place *place) {
    struct wgmma *wgmma = observer;
    wgmma->place = *place;
    wgmma->runs = place;
    wgmma->block_time = wgmma->time;
    memset(wgmma->warpgroup, 0, sizeof wgmma->warpgroup);
    for (uint32_t i = 0; i < wgmma->shape->thread_count; i++) {
        forget_accesses(&wgmma->thread[i]);
        wgmma->thread[i].count = 0;
    }
}

void wgmma_stack(struct wgmma *wgmma, uint32_t thread, uint64_t start) {
    wgmma->thread[thread].stack = start;
    wgmma->thread[thread].pc = &wgmma->pcs[(uint64_t)thread * FIBER_STACK_BYTES / WORD_BYTES];
}

// --- Calls of a warpgroup ------------------------------------------------------------------------

static struct wgmma_warpgroup *of_thread(struct wgmma *wgmma, uint32_t thread) {
    return &wgmma->warpgroup[thread / WARPGROUP_THREADS];
}

void wgmma_fence(struct wgmma *wgmma, uint32_t first) {
    of_thread(wgmma, first)->fenced = true;
    for (uint32_t i = 0; i < WARPGROUP_THREADS; i++) {
        forget_accesses(&wgmma->thread[first + i]);
    }
}

void wgmma_commit(struct wgmma *wgmma, uint32_t first) {
    struct wgmma_warpgroup *warpgroup = of_thread(wgmma, first);
    warpgroup->time[warpgroup->count++ % WGMMA_GROUPS_MAX] = wgmma->time;
}

void wgmma_wait(struct wgmma *wgmma, struct follow *follow, uint32_t first, uint32_t prior) {
    struct wgmma_warpgroup *warpgroup = of_thread(wgmma, first);
    if (prior >= warpgroup->count || prior >= WGMMA_GROUPS_MAX) {
        return;
    }
    warpgroup->done = warpgroup->time[(warpgroup->count - 1 - prior) % WGMMA_GROUPS_MAX];
    for (uint32_t i = 0; i < WARPGROUP_THREADS; i++) {
        follow_learn_agent(follow, first + i,
                           wgmma->first_agent + AGENT_WARPGROUPS + first / WARPGROUP_THREADS,
                           warpgroup->done + 1);
    }
}

// --- Registers -----------------------------------------------------------------------------------

// A race between a wgmma at pc and an access to registers at other_pc.
static struct finding finding_of(const struct wgmma *wgmma, uint32_t thread, uint64_t pc,
                                 uint64_t other_pc) {
    struct finding finding = {.kind = FINDING_RACE,
                              .severity = SEVERITY_ERROR,
                              .parties = PARTIES_REGISTERS,
                              .pc = pc,
                              .other_pc = other_pc,
                              .array = ARRAY_NONE,
                              .access = ACCESS_WRITE};
    memcpy(finding.block, wgmma->place.index, sizeof finding.block);
    memcpy(finding.other_block, wgmma->place.index, sizeof finding.other_block);
    findings_thread(wgmma->shape->block, thread, finding.thread);
    findings_thread(wgmma->shape->block, thread, finding.other_thread);
    return finding;
}

static void report(struct wgmma *wgmma, const struct finding *finding) {
    if (!findings_repeat(wgmma->findings, finding)) {
        findings_add(wgmma->findings, finding);
    }
}

void wgmma_begin(struct wgmma *wgmma, uint32_t first, uint64_t pc) {
    wgmma->time++;
    if (!of_thread(wgmma, first)->fenced) {
        struct finding finding = finding_of(wgmma, first, pc, pc);
        finding.detail = RACE_LACKS_WGMMA;
        report(wgmma, &finding);
    }
}

void wgmma_uses(struct wgmma *wgmma, uint32_t thread, uint64_t address, uint32_t bytes,
                uint64_t pc) {
    const struct wgmma_thread *of = &wgmma->thread[thread];
    if (!of_thread(wgmma, thread)->fenced || address + bytes <= of->low || address >= of->high) {
        return;
    }
    for (uint32_t i = 0; i < bytes / WORD_BYTES; i++) {
        uint32_t other = of->pc[(address - of->stack) / WORD_BYTES + i];
        if (other != 0) {
            struct finding finding = finding_of(wgmma, thread, other, pc);
            finding.detail = RACE_LACKS_WGMMA;
            finding.other_access = ACCESS_WRITE;
            report(wgmma, &finding);
            return;
        }
    }
}

// Removes this thread's sums that are done; those still in flight stay.
static void drop_done(struct wgmma_thread *of, uint32_t done) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < of->count; i++) {
        if (of->sums[i].time > done) {
            of->sums[left++] = of->sums[i];
        }
    }
    of->count = left;
}

void wgmma_computes(struct wgmma *wgmma, uint32_t thread, uint64_t address, uint32_t bytes,
                    uint64_t pc) {
    struct wgmma_thread *of = &wgmma->thread[thread];
    const struct wgmma_sums sums = {address, pc, bytes, wgmma->time};
    drop_done(of, of_thread(wgmma, thread)->done);
    for (uint32_t i = 0; i < of->count; i++) {
        if (of->sums[i].address == address) {
            of->sums[i] = sums;
            return;
        }
    }
    if (of->count < WGMMA_SUMS_MAX) {
        of->sums[of->count++] = sums;
    }
}

void wgmma_local(struct wgmma *wgmma, uint32_t thread, uint64_t address, uint32_t bytes,
                 enum access_kind kind, uint64_t pc) {
    struct wgmma_thread *of = &wgmma->thread[thread];
    uint32_t done = of_thread(wgmma, thread)->done;
    uint64_t first = address - address % WORD_BYTES;
    uint64_t end = (address + bytes + WORD_BYTES - 1) / WORD_BYTES * WORD_BYTES;
    uint64_t stack_end = of->stack + FIBER_STACK_BYTES;
    end = end < stack_end ? end : stack_end;
    for (uint32_t i = 0; i < of->count; i++) {
        const struct wgmma_sums *sums = &of->sums[i];
        if (sums->time > done && address < sums->address + sums->bytes &&
            address + bytes > sums->address) {
            struct finding finding = finding_of(wgmma, thread, sums->pc, pc);
            finding.parties = PARTIES_SUMS;
            finding.other_access = kind;
            report(wgmma, &finding);
            break;
        }
    }
    for (uint64_t word = first; word < end; word += WORD_BYTES) {
        of->pc[(word - of->stack) / WORD_BYTES] = (uint32_t)pc;
    }
    of->low = first < of->low ? first : of->low;
    of->high = end > of->high ? end : of->high;
}

// --- Shared memory -------------------------------------------------------------------------------

static struct wgmma_read *reads_of(const struct wgmma *wgmma, const struct access *access,
                                   int64_t offset) {
    uint64_t byte = wgmma->map.start[access->array] + (uint64_t)offset;
    return &wgmma->read[byte / PIECE_BYTES * WARPGROUPS_MAX];
}

void wgmma_reads(struct wgmma *wgmma, uint32_t first, const struct access *piece) {
    reads_of(wgmma, piece, piece->offset)[first / WARPGROUP_THREADS] =
        (struct wgmma_read){(uint32_t)piece->pc, wgmma->time};
}

bool wgmma_access(struct wgmma *wgmma, const struct follow *follow, const struct access *access) {
    const struct wgmma_read *read = reads_of(wgmma, access, access->offset);
    if (access->kind == ACCESS_READ || wgmma->time == wgmma->block_time) {
        return false;
    }
    for (uint32_t i = 0; i * WARPGROUP_THREADS < wgmma->shape->thread_count; i++) {
        if (read[i].time > wgmma->block_time &&
            !follow_knows_agent(follow, access->thread, wgmma->first_agent + AGENT_WARPGROUPS + i,
                                read[i].time)) {
            struct finding finding =
                finding_of(wgmma, i * WARPGROUP_THREADS, read[i].pc, access->pc);
            finding.parties = PARTIES_WGMMA;
            finding.space = access->space;
            finding.array = access->array;
            finding.offset = access->offset;
            finding.array_bytes = access->array_bytes;
            finding.access = ACCESS_READ;
            finding.other_access = access->kind;
            finding.access_bytes = access->bytes;
            memcpy(finding.other_block, wgmma->runs->index, sizeof finding.other_block);
            findings_thread(wgmma->shape->block, access->thread, finding.other_thread);
            report(wgmma, &finding);
            return true;
        }
    }
    return false;
}
