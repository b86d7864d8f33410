// A block that does not fit the shared array it fills.  Only numbers are said: how many elements
// each thread should store is not known here.
#include "base/compose.h"
#include "judge/explain/finding.h"
#include "judge/explain/finding_words.h"

// True if the first element that has no value follows those of a block that stores one a thread.
static bool is_past_block(const int64_t index[2], const int64_t extent[2],
                          const uint32_t block[3]) {
    bool in_row = index[1] == block[0] && block[0] < extent[1];
    bool in_column = index[0] == block[1] && block[1] < extent[0] && block[1] > 1;
    return in_row || in_column;
}

static void unset_add(struct judged_finding *finding, const struct shared_array *array,
                      const uint32_t block[3]) {
    if (finding->index_count < 2 || array->rank != (uint32_t)finding->index_count) {
        return;
    }
    int row = finding->index_count - 2;
    const int64_t *index = &finding->index[row];
    const int64_t extent[2] = {array->extent[row], array->extent[row + 1]};
    if (is_past_block(index, extent, block)) {
        words_sentence(finding->message, sizeof finding->message,
                       "The block has %u x %u threads (x, y), and %s has %lld rows of %lld "
                       "elements: together the threads must store all of them.",
                       block[0], block[1], finding->array, (long long)extent[0],
                       (long long)extent[1]);
    }
}

// An index that is the thread's own number.
static void index_add(struct judged_finding *finding, const uint32_t block[3]) {
    const struct finding *seen = &finding->finding;
    for (int d = 0; d < 2; d++) {
        if (seen->offset == (int64_t)seen->thread[d] && block[d] > seen->array_bytes) {
            words_sentence(finding->message, sizeof finding->message,
                           d == 0 ? _("In this thread threadIdx.x is %u: the block has %u x %u "
                                      "threads (x, y).")
                                  : _("In this thread threadIdx.y is %u: the block has %u x %u "
                                      "threads (x, y)."),
                           seen->thread[d], block[0], block[1]);
            return;
        }
    }
}

void finding_add_block(struct judged_finding *finding, const struct shared_array_table *shared,
                       const uint32_t block[3]) {
    const struct finding *seen = &finding->finding;
    bool is_array = seen->space == SPACE_SHARED && seen->array < shared->count;
    if (seen->kind == FINDING_UNINITIALIZED && is_array) {
        unset_add(finding, &shared->array[seen->array], block);
    } else if (seen->kind == FINDING_OUT_OF_BOUNDS && (seen->flags & FINDING_INNER_ROW)) {
        index_add(finding, block);
    }
}
