// Opens and closes the counter, and sums up its counts.
#include "emu/count/count.h"

#include <stddef.h>
#include <string.h>

#include "emu/count/count_flops.h"
#include "emu/memory/vault.h"

// Global, because instructions in the kernel add to it by name.
uint64_t emu_flops[FLOPS_SUMS];
extern const char emu_flops_known[] __attribute__((weak));  // null if the kernel does not count

#define BULK_SECTOR_BYTES 32u
#define BULK_LINE_BYTES   128u  // of all banks

// Returns a count_block that no block uses, from the list or new.
static enum status block_take(struct count *count, struct error *err) {
    struct count_block *block = count->spare;
    count->spare = block ? block->next : NULL;
    enum status status = vault_need(&block, sizeof *block, err);
    count->block = status ? count->block : block;
    return status;
}

enum status count_launch_begin(void *observer, const struct launch_shape *shape,
                               struct findings *findings, struct error *err) {
    struct count *count = observer;
    (void)findings;
    enum status status = count->block ? STATUS_OK : block_take(count, err);
    if (status) {
        return status;
    }
    count->shape = shape;
    count->warp_count = (shape->thread_count + WARP_LANES - 1) / WARP_LANES;
    memset(&count->sums, 0, sizeof count->sums);
    memset(count->slots, 0, sizeof count->slots);
    count->running = 0;
    memset(count->tally, 0, count->sites * sizeof count->tally[0]);
    memset(count->copies, 0, sizeof count->copies);
    count->sites = 0;
    memset(&count->block->join, 0, sizeof count->block->join);
    memset(count->usual, 0, sizeof count->usual);
    memset(emu_flops, 0, sizeof emu_flops);
    return STATUS_OK;
}

void count_block_begin(void *observer, const struct block_place *place) {
    struct count *count = observer;
    (void)place;
    struct count_block *block = count->block;
    memcpy(count->before, &emu_flops[FLOPS_ALL], sizeof count->before);
    memset(block->done, 0, count->shape->thread_count * sizeof block->done[0]);
    for (uint32_t i = 0; i < count->warp_count; i++) {
        struct count_warp *warp = &block->warp[i];
        uint32_t threads = count->shape->thread_count - i * WARP_LANES;
        warp->live = threads >= WARP_LANES ? 0xffffffffu : (1u << threads) - 1;
        warp->wait = COUNT_AHEAD;
        memset(warp->length, 0, sizeof warp->length);
        memset(warp->loops_met, 0, sizeof warp->loops_met);
        warp->flops_met = 0;
    }
    block->warps_flops = 0;
    block->longest_flops = 0;
    block->passes = 0;
    block->join.requests = 0;
    block->join.wavefronts = 0;
    block->join.ideal = 0;
    memset(block->copied_at, 0, sizeof block->copied_at);
    memset(block->groups, 0, sizeof block->groups);
}

static void merge_block(struct count *count) {
    for (uint32_t i = 0; i < count->warp_count; i++) {
        count_merge_all(count, &count->block->warp[i]);
        count_join_flush(&count->block->join, i);
    }
}

// Adds the work of each warp since the last barrier, and the work of the warp that did most.
static void add_interval(struct count *count) {
    struct count_block *block = count->block;
    uint64_t longest = 0;
    for (uint32_t i = 0; i < count->warp_count; i++) {
        uint64_t most = 0;
        for (uint32_t j = i * WARP_LANES;
             j < (i + 1) * WARP_LANES && j < count->shape->thread_count; j++) {
            most = block->done[j][0] > most ? block->done[j][0] : most;
        }
        uint64_t here = most - block->warp[i].flops_met;
        block->warp[i].flops_met = most;
        block->warps_flops += here;
        longest = here > longest ? here : longest;
    }
    block->longest_flops += longest;
}

// The lanes of a warp have met, so their individual work before this point no longer matters.
static void meet(struct count_block *block, uint32_t warp) {
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        block->warp[warp].loops_met[i] = (uint8_t)block->done[warp * WARP_LANES + i][COUNT_LOOPS];
    }
}

void count_barrier(struct count *count) {
    merge_block(count);
    count_turn(count, count->running);
    add_interval(count);
    for (uint32_t i = 0; i < count->warp_count; i++) {
        struct count_warp *of = &count->block->warp[i];
        meet(count->block, i);
        count->sums.barriers += of->live != 0;
        of->wait = COUNT_AHEAD;
    }
}

void count_warp_sync(struct count *count, uint32_t warp, uint32_t lane_mask) {
    uint32_t live = count->block->warp[warp].live;
    // Lanes outside the mask may still reach places that the lanes in it have passed.
    if ((live & lane_mask) == live) {
        count_merge_all(count, &count->block->warp[warp]);
        count_turn(count, count->running);
        meet(count->block, warp);
    }
}

void count_exit(struct count *count, uint32_t thread) {
    count->block->warp[thread / WARP_LANES].live &= ~(1u << thread % WARP_LANES);
}

// A warp takes as long as its busiest lane.
static uint64_t block_slots(const struct count *count, int sum) {
    uint64_t slots = 0;
    for (uint32_t i = 0; i < count->shape->thread_count; i += WARP_LANES) {
        uint64_t most = 0;
        for (uint32_t j = i; j < i + WARP_LANES && j < count->shape->thread_count; j++) {
            uint64_t here = count->block->done[j][sum];
            most = here > most ? here : most;
        }
        slots += most * WARP_LANES;
    }
    return slots;
}

// The idle time of the thread that idles longest.
static uint64_t block_idle(const struct count *count) {
    uint64_t longest = 0;
    for (uint32_t i = 0; i < count->shape->thread_count; i++) {
        uint64_t here = count->block->done[i][COUNT_IDLE];
        longest = here > longest ? here : longest;
    }
    return longest;
}

void count_block_end(void *observer) {
    struct count *count = observer;
    struct count_block *block = count->block;
    for (int i = 0; i < COUNT_SUMS; i++) {
        count->slots[i] += block_slots(count, i);
    }
    count->sums.idle_ns += block_idle(count);
    merge_block(count);
    count->sums.shared_load_joined_requests += block->join.requests;
    count->sums.shared_load_joined += block->join.wavefronts;
    count->sums.shared_load_joined_ideal += block->join.ideal;
    if (block->passes > count->sums.block_passes_max) {
        count->sums.block_passes_max = block->passes;
    }
    count->sums.working_blocks += block->passes > 0;
    add_interval(count);
    count->sums.working_warps +=
        block->longest_flops > 0
            ? (block->warps_flops + block->longest_flops / 2) / block->longest_flops
            : 0;
    count->sums.blocks++;
    count->sums.threads += count->shape->thread_count;
}

struct count_block *count_block_away(struct count *count) {
    struct count_block *block = count->block;
    struct error err;
    count_turn(count, count->running);
    return block_take(count, &err) ? NULL : block;
}

void count_block_back(struct count *count, struct count_block *block) {
    count->block->next = count->spare;
    count->spare = count->block;
    count->block = block;
    memcpy(count->before, &emu_flops[FLOPS_ALL], sizeof count->before);
}

void count_async(struct count *count, uint32_t thread) {
    count->block->copied_at[thread] = count->sums.tensor_calls;
}

void count_commit(struct count *count, uint32_t thread) {
    struct count_block *block = count->block;
    block->group_at[thread][block->groups[thread]++ % COUNT_GROUPS] = block->copied_at[thread];
}

void count_wait(struct count *count, uint32_t thread, uint64_t prior) {
    const struct count_block *block = count->block;
    if (prior < COUNT_GROUPS && prior < block->groups[thread]) {
        uint32_t newest = block->groups[thread] - 1 - (uint32_t)prior;
        count_awaited(count, block->group_at[thread][newest % COUNT_GROUPS]);
    }
}

void count_bulk_rows(struct count *count, uint32_t site, const struct access *side, uint32_t bytes,
                     uint64_t sectors) {
    bool shared = side->space == SPACE_SHARED;
    bool store = side->kind == ACCESS_WRITE;
    uint32_t at = site < COUNT_SITES_MAX ? site : 0;
    enum count_kind kind = shared  ? store ? COUNT_SHARED_STORE : COUNT_SHARED_LOAD
                           : store ? COUNT_GLOBAL_STORE
                                   : COUNT_GLOBAL_LOAD;
    struct count_tally *tally = &count->tally[at][kind];
    uint64_t lines = (bytes + BULK_LINE_BYTES - 1) / BULK_LINE_BYTES;
    uint64_t passes = shared ? lines : sectors;
    tally->requests++;
    tally->passes += passes;
    tally->ideal += passes;
    tally->wavefronts += shared ? 0 : lines;
    tally->bytes += bytes;
    tally->lanes++;
    count->sums.bulk_copies += !shared;
    count->block->passes += lines;
    count->pc[at] = side->pc;
    count->sites = at >= count->sites ? at + 1 : count->sites;
}

void count_bulk(struct count *count, uint32_t site, const struct access *side, uint32_t bytes) {
    uint64_t end = side->address % BULK_SECTOR_BYTES + bytes;
    count_bulk_rows(count, site, side, bytes, (end + BULK_SECTOR_BYTES - 1) / BULK_SECTOR_BYTES);
}

// The passes of the requests of one kind at a site.  An asynchronous copy takes at least as many
// passes to write shared memory as to read, because words from other lines arrive one by one.
static uint64_t passes_of(const struct count *count, uint32_t site, uint32_t kind) {
    const struct count_tally *tally = count->tally[site];
    uint64_t read = tally[COUNT_GLOBAL_LOAD].wavefronts;
    bool copied = kind == COUNT_SHARED_STORE && count->copies[site];
    return copied && read > tally[kind].passes ? read : tally[kind].passes;
}

// Sums by kind, and adds each place to the table.
static void sites_sum(const struct count *count, struct count_tally ret_sum[COUNT_KINDS],
                      struct count_lines *lines) {
    memset(ret_sum, 0, COUNT_KINDS * sizeof *ret_sum);
    for (uint32_t site = 0; site < count->sites; site++) {
        for (uint32_t kind = 0; kind < COUNT_KINDS; kind++) {
            const struct count_tally *tally = &count->tally[site][kind];
            if (tally->requests == 0) {
                continue;
            }
            ret_sum[kind].requests += tally->requests;
            ret_sum[kind].passes += passes_of(count, site, kind);
            ret_sum[kind].ideal += tally->ideal;
            ret_sum[kind].bytes += tally->bytes;
            ret_sum[kind].lanes += tally->lanes;
            ret_sum[kind].wavefronts += tally->wavefronts;
            const struct count_line line = {.pc = site > 0 ? count->pc[site] : 0,
                                            .kind = kind,
                                            .requests = tally->requests,
                                            .units = passes_of(count, site, kind),
                                            .ideal = tally->ideal,
                                            .bytes = tally->bytes,
                                            .lanes = tally->lanes};
            count_lines_put(lines, &line);
        }
    }
}

static void flops_sum(struct count *count) {
    struct counts *counts = &count->sums;
    if (emu_flops_known == NULL) {
        return;
    }
    counts->flop_blocks = count->sums.blocks;
    counts->flop_slots = count->slots[0];
    counts->integer_slots = count->slots[FLOPS_INTEGERS - FLOPS_ALL];
    counts->other_slots = count->slots[FLOPS_OTHERS - FLOPS_ALL];
    counts->loop_slots = count->slots[COUNT_LOOPS];
    for (uint32_t line = 0; line < FLOPS_LINES_MAX; line++) {
        uint64_t flops = emu_flops[line];
        counts->flops += flops;
        if (flops > 0) {
            count_lines_put_flops(&counts->lines, line, flops);
        }
    }
}

void count_launch_end(struct count *count, struct counts *ret_counts) {
    struct count_tally sum[COUNT_KINDS];
    struct counts *sums = &count->sums;
    sites_sum(count, sum, &sums->lines);
    flops_sum(count);
#define SPACE_PUT(kind, name, units)                                                               \
    sums->name##_requests = sum[kind].requests;                                                    \
    sums->name##_##units = sum[kind].passes;                                                       \
    sums->name##_ideal = sum[kind].ideal;                                                          \
    sums->name##_bytes = sum[kind].bytes;                                                          \
    sums->memory_lanes += sum[kind].lanes;
    SPACE_PUT(COUNT_GLOBAL_LOAD, global_load, sectors)
    SPACE_PUT(COUNT_GLOBAL_STORE, global_store, sectors)
    SPACE_PUT(COUNT_GLOBAL_ATOMIC, global_atomic, sectors)
    SPACE_PUT(COUNT_SHARED_LOAD, shared_load, wavefronts)
    SPACE_PUT(COUNT_SHARED_STORE, shared_store, wavefronts)
    SPACE_PUT(COUNT_SHARED_ATOMIC, shared_atomic, wavefronts)
#undef SPACE_PUT
    sums->global_load_wavefronts = sum[COUNT_GLOBAL_LOAD].wavefronts;
    sums->global_store_wavefronts = sum[COUNT_GLOBAL_STORE].wavefronts;
    for (uint32_t site = 0; site < count->sites; site++) {
        sums->async_copies +=
            count->copies[site] ? count->tally[site][COUNT_SHARED_STORE].requests : 0;
    }
    *ret_counts = *sums;
    count->shape = NULL;
}
