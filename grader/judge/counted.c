// Counted work of a kernel against the reference's: see counted.h.
#include "judge/counted.h"

const char *counted_metric_text(enum counted_metric metric) {
    static const char *const texts[COUNTED_METRIC_COUNT] = {
        [COUNTED_SECTORS] = "32-byte sectors of global memory",
        [COUNTED_WAVEFRONTS] = "passes through shared memory",
        [COUNTED_BYTES] = "bytes of global memory asked for",
    };
    return (unsigned)metric < COUNTED_METRIC_COUNT ? texts[metric] : "";
}

uint64_t counted_work(const struct counts *counts, enum counted_metric metric) {
    switch (metric) {
    case COUNTED_SECTORS:
        return counts->global_load_sectors + counts->global_store_sectors +
               counts->global_atomic_sectors;
    case COUNTED_WAVEFRONTS:
        return counts->shared_load_wavefronts + counts->shared_store_wavefronts +
               counts->shared_atomic_wavefronts;
    case COUNTED_BYTES:
        return counts->global_load_bytes + counts->global_store_bytes + counts->global_atomic_bytes;
    case COUNTED_METRIC_COUNT:
        break;
    }
    return 0;
}

bool counted_is_complete(struct size size, const struct counts *counts) {
    uint64_t inputs = size_elements_a(size) + size_elements_b(size);
    return counts->global_load_bytes >= sizeof(float) * inputs &&
           counts->global_store_bytes + counts->global_atomic_bytes >=
               sizeof(float) * size_elements_c(size);
}

double counted_ratio(const struct counts *student, const struct counts *reference,
                     enum counted_metric *ret_metric) {
    bool found = false;
    double worst = 1.0;
    *ret_metric = COUNTED_SECTORS;
    for (int i = 0; i < COUNTED_METRIC_COUNT; i++) {
        uint64_t mine = counted_work(student, (enum counted_metric)i);
        uint64_t theirs = counted_work(reference, (enum counted_metric)i);
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
