// See estimated.h.
#include "judge/speed/estimated.h"

#include <math.h>

#include "base/basics.h"
#include "base/limits.h"
#include "judge/diagnose/exercise_run.h"
#include "judge/run/launch_outcome.h"
#include "measure/growth.h"

#define LOADS_FEW      1.0      // of a warp, under way at once: the next one waits for it
#define LOADS_MANY     4.0      // nvcc unrolls a loop so often
#define STANDS         0.5      // of the blocks that the work would need: these take turns
#define TURNS          4        // of a block in the larger launch, if that is not too much
#define CLEARLY        1.5      // as few of its blocks are there as when timed
#define MORE_WORK_MAX  16       // times that of the first counted size
#define MORE_LOADS_MAX 200000u  // of warps: half a second

struct estimated_kernel estimated_of(const struct run_program *program,
                                     const struct run_outcome *outcome) {
    const struct shared_array_table *shared = &program->report.shared;
    struct estimated_kernel kernel = {.counts = &outcome->counts,
                                      .shared_bytes = outcome->shared_bytes,
                                      .launch_count = outcome->launch_count};
    for (uint32_t i = 0; i < shared->count; i++) {
        kernel.shared_bytes += shared->array[i].is_dynamic ? 0 : shared->array[i].bytes;
    }
    return kernel;
}

bool is_estimated(const struct exercise *exercise, const struct counts *reference) {
    return !exercise->signature.is_matmul && exercise->timed_count > 0 &&
           reference->tensor_flops == 0;
}

static double work_at(const struct exercise *exercise, struct size size) {
    return (double)signature_work(&exercise->signature, size);
}

struct size estimated_more_size(const struct exercise *exercise, const struct counts *counts,
                                const struct planned_launch *plans) {
    const struct size none = {.m = 0};
    struct size size = exercise->counted[0].size;
    int largest = exercise_largest_timed(exercise);
    double growth = work_at(exercise, exercise->timed[largest].size) / work_at(exercise, size);
    uint64_t blocks = plans[largest].blocks;
    if (blocks == 0 || (double)blocks >= STANDS * growth * (double)counts->blocks) {
        return none;
    }
    uint64_t loads = counts->global_load_requests;
    unsigned more = 1;
    while (more < MORE_WORK_MAX && more * counts->blocks < TURNS * blocks &&
           2 * more * loads <= MORE_LOADS_MAX) {
        more *= 2;
    }
    if ((double)(more * counts->blocks) < CLEARLY * (double)blocks) {
        return none;  // blocks do no more work each there
    }
    size.at[0] *= (int32_t)more;
    return size;
}

// A counted launch: of several, all but one are taken to have one block.
static struct counted_work counted_work_of(const struct exercise *exercise, struct size size,
                                           const struct counts *counts, uint32_t launches) {
    uint64_t others = launches > 1 ? launches - 1 : 0;
    uint64_t blocks = counts->blocks > others ? counts->blocks - others : counts->blocks;
    return (struct counted_work){counts, work_at(exercise, size), (double)blocks};
}

// Estimates one kernel at the largest timed size.  is_split: work that each block does only once
// does not grow.  A kernel that wastes some at small sizes could pretend that all is such work, so
// the lower ratio is without it.
static bool side_make(const struct exercise *exercise, struct size counted,
                      const struct estimated_side *side, double loads_at_once, bool is_split,
                      struct estimate *ret_estimate) {
    const struct signature *signature = &exercise->signature;
    int largest = exercise_largest_timed(exercise);
    struct size size = exercise->timed[largest].size;
    double work = work_at(exercise, size);
    uint32_t launches = side->kernel.launch_count;
    struct counted_work small = counted_work_of(exercise, counted, side->kernel.counts, launches);
    struct counted_work from = small;
    struct counts grown;
    struct estimate_request request = {.size = size,
                                       .counted_size = counted,
                                       .shared_bytes = (int)side->kernel.shared_bytes,
                                       .flop = signature_flop(signature, size),
                                       .bytes = signature_bytes(signature, size),
                                       .blocks = side->plans[largest].blocks,
                                       .loads_at_once = loads_at_once,
                                       .launches = (int)launches};
    if (side->more) {
        from = counted_work_of(exercise, side->more_size, side->more, launches);
        if (is_split) {
            counts_grow(small, from, work, request.blocks, &grown);
            from = (struct counted_work){&grown, work, (double)request.blocks};
        }
    }
    double threads = (double)from.counts->threads / from.blocks;
    request.block_threads = (int)(threads / WARP_LANES + 0.5) * WARP_LANES;
    request.block_threads = request.block_threads > 0 ? request.block_threads : WARP_LANES;
    request.counts = from.counts;
    request.growth = work / from.work;
    return !card_find(CARD_DEFAULT, &request.card, NULL) && estimate_make(&request, ret_estimate);
}

bool estimated_times_make(const struct exercise *exercise, struct size counted,
                          const struct estimated_side *student,
                          const struct estimated_side *reference,
                          struct estimated_times *ret_times) {
    static const double loads[2] = {LOADS_FEW, LOADS_MANY};
    struct estimated_times times = {.size = exercise->timed[exercise_largest_timed(exercise)].size};
    double ratio[2];
    for (int i = 0; i < 2; i++) {
        if (!side_make(exercise, counted, student, loads[i], i == 1, &times.student[i]) ||
            !side_make(exercise, counted, reference, loads[i], true, &times.reference[i])) {
            return false;
        }
        ratio[i] = times.reference[i].ms / times.student[i].ms;
    }
    times.low = fmin(ratio[0], ratio[1]);
    times.high = fmax(ratio[0], ratio[1]);
    *ret_times = times;
    return true;
}
