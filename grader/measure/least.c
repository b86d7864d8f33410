// Least times: see least.h.
#include "measure/least.h"

#include <math.h>
#include <stddef.h>

#include "base/limits.h"
#include "measure/devices.h"
#include "measure/occupancy.h"

#define TENSOR_FLOP 4096.0  // of half factors, in a clock of an SM: 990 TFLOPS of 132
// The course's kernels have up to 21 integer instructions and 1.2 iterations for each access or
// multiplication, as written: nvcc computes most addresses before the loop.
#define TENSOR_INTEGERS_FREE 30.0
#define LOOPS_FREE           2.0
#define LOOP_ISSUES          2.0    // of an iteration beyond those: a comparison and a jump
#define BLOCK_CLOCKS         150.0  // to start one: as in estimate.c; measured: 168
#define COPY_NS              12.0   // to start one; measured: 12 to 15

struct least least_of(const struct counts *counts, int shared_bytes) {
    const struct card *card = NULL;
    struct least least = {.idle_us = 0.0};
    if (card_find(CARD_DEFAULT, &card, NULL) || counts->blocks == 0) {
        return least;
    }
    const struct occupancy_need need = {.threads = (int)(counts->threads / counts->blocks),
                                        .shared_bytes = shared_bytes};
    double together = fmax(1.0, occupancy_of(card->multiprocessor, &need).blocks);
    double useful = (double)(counts_requests(counts) + counts->tensor_calls);
    double integers = (double)counts->integer_slots / WARP_LANES - TENSOR_INTEGERS_FREE * useful;
    double loops = (double)counts->loop_slots / WARP_LANES - LOOPS_FREE * useful;
    double issues = (double)counts->other_slots / WARP_LANES + fmax(0.0, integers) +
                    LOOP_ISSUES * fmax(0.0, loops);
    least.instructions_us = issues / card->multiprocessor->issues_per_clock / card->clock_mhz;
    least.idle_us = (double)counts->idle_ns / 1e3 / together;
    least.copies_us = (double)counts->bulk_copies * COPY_NS / 1e3;
    least.starts_us = (double)counts->blocks * BLOCK_CLOCKS / card->clock_mhz;
    return least;
}

double least_tensor_us(const struct counts *counts) {
    const struct card *card = NULL;
    if (card_find(CARD_DEFAULT, &card, NULL)) {
        return INFINITY;
    }
    return (double)counts->tensor_flops / TENSOR_FLOP / card->clock_mhz;
}
