// Life of the counter, and its figures.
#include "emu/count.h"

#include <stdlib.h>
#include <string.h>

#include "emu/count_merge.h"

enum status count_new(struct count **ret_count, struct error *err) {
    struct count *count = calloc(1, sizeof *count);
    if (!count) {
        return fail(err, STATUS_NO_MEMORY, "no memory for the counter");
    }
    *ret_count = count;
    return STATUS_OK;
}

void count_free(struct count *count) {
    free(count);
}

void count_launch_begin(struct count *count, const struct launch_shape *shape) {
    count->shape = shape;
    count->warp_count = (shape->thread_count + WARP_LANES - 1) / WARP_LANES;
    count->barriers = 0;
    count->blocks = 0;
    count->threads = 0;
    memset(count->tally, 0, sizeof count->tally);
    memset(&count->join, 0, sizeof count->join);
}

void count_block_begin(struct count *count, const struct block_place *place) {
    (void)place;  // all blocks count alike
    for (uint32_t i = 0; i < count->warp_count; i++) {
        uint32_t threads = count->shape->thread_count - i * WARP_LANES;
        count->warp[i].live = threads >= WARP_LANES ? 0xffffffffu : (1u << threads) - 1;
        memset(count->warp[i].length, 0, sizeof count->warp[i].length);
    }
}

void count_barrier(struct count *count) {
    for (uint32_t i = 0; i < count->warp_count; i++) {
        count_merge_all(count, &count->warp[i]);
        count_join_flush(&count->join, i);
        count->barriers += count->warp[i].live != 0;
    }
}

void count_warp_sync(struct count *count, uint32_t warp, uint32_t lane_mask) {
    uint32_t live = count->warp[warp].live;
    // Lanes outside the mask may still come to places that those in it have behind them.
    if ((live & lane_mask) == live) {
        count_merge_all(count, &count->warp[warp]);
    }
}

void count_exit(struct count *count, uint32_t thread) {
    count->warp[thread / WARP_LANES].live &= ~(1u << thread % WARP_LANES);
}

void count_block_end(struct count *count) {
    for (uint32_t i = 0; i < count->warp_count; i++) {
        count_merge_all(count, &count->warp[i]);
        count_join_flush(&count->join, i);
    }
    count->blocks++;
    count->threads += count->shape->thread_count;
}

void count_launch_end(struct count *count, struct counts *ret_counts) {
    const struct count_tally *load = &count->tally[0];
    const struct count_tally *store = &count->tally[COUNT_KEY_STORE];
    const struct count_tally *shared_load = &count->tally[COUNT_KEY_SHARED];
    const struct count_tally *shared_store = &count->tally[COUNT_KEY_SHARED | COUNT_KEY_STORE];
    *ret_counts = (struct counts){
        .global_load_requests = load->requests,
        .global_load_sectors = load->passes,
        .global_load_bytes = load->bytes,
        .global_load_wavefronts = load->wavefronts,
        .global_store_requests = store->requests,
        .global_store_sectors = store->passes,
        .global_store_bytes = store->bytes,
        .global_store_wavefronts = store->wavefronts,
        .shared_load_requests = shared_load->requests,
        .shared_load_wavefronts = shared_load->passes,
        .shared_load_ideal = shared_load->ideal,
        .shared_load_joined_requests = count->join.requests,
        .shared_load_joined = count->join.wavefronts,
        .shared_store_requests = shared_store->requests,
        .shared_store_wavefronts = shared_store->passes,
        .shared_store_ideal = shared_store->ideal,
        .barriers = count->barriers,
        .blocks = count->blocks,
        .threads = count->threads,
    };
    count->shape = NULL;
}
