// Counted work of a kernel against the reference's: see counted.h.
#include "judge/counted.h"

// The work of one kind that a launch did.  Bytes are not divided by the FLOP, which both kernels
// share.
static uint64_t work_of(const struct counts *counts, enum counted_metric metric) {
    switch (metric) {
    case COUNTED_SECTORS:
        return counts->global_load_sectors + counts->global_store_sectors;
    case COUNTED_WAVEFRONTS:
        return counts->shared_load_wavefronts + counts->shared_store_wavefronts;
    case COUNTED_BYTES:
        return counts->global_load_bytes + counts->global_store_bytes;
    case COUNTED_METRIC_COUNT:
        break;
    }
    return 0;
}

bool counted_is_complete(struct size size, const struct counts *counts) {
    uint64_t inputs = size_elements_a(size) + size_elements_b(size);
    return counts->global_load_bytes >= sizeof(float) * inputs &&
           counts->global_store_bytes >= sizeof(float) * size_elements_c(size);
}

double counted_ratio(const struct counts *student, const struct counts *reference,
                     enum counted_metric *ret_metric) {
    bool found = false;
    double worst = 1.0;
    *ret_metric = COUNTED_SECTORS;
    for (int i = 0; i < COUNTED_METRIC_COUNT; i++) {
        uint64_t mine = work_of(student, (enum counted_metric)i);
        uint64_t theirs = work_of(reference, (enum counted_metric)i);
        if (mine == 0 || theirs == 0) {
            continue;
        }
        double ratio = (double)theirs / (double)mine;
        if (!found || ratio < worst) {
            worst = ratio;
            *ret_metric = (enum counted_metric)i;
            found = true;
        }
    }
    return worst;
}
