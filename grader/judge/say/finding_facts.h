// The facts of a finding, by the names under which its sentences use them, and tables of sentences
// with the conditions for each.  Internal to finding*.c and values_story.c.
#ifndef JUDGE_SAY_FINDING_FACTS_H
#define JUDGE_SAY_FINDING_FACTS_H

#include "base/compose.h"
#include "judge/say/finding_text.h"

#define WHERE_MAX    64
#define COPY_KINDS   5    // of cudaMemcpyKind; a fill comes after them
#define EXTENT_MAX   320  // bytes of an array's extent as text, in any language
#define ELEMENT_MAX  160
#define MBARRIER_MAX (ELEMENT_MAX + 64)

// X(condition that chooses a sentence, what it means).  "Other" is the second access of a race, in
// the order of events; IF_TEXT_… gives the order of the two in the text, and IF_GOES_… whether the
// second line comes later.
#define FINDING_CONDITIONS(X)                                                                      \
    X(IF_ALWAYS, true)                                                                             \
    X(IF_ON_GPU, judged->device == DEVICE_GPU)                                                     \
    X(IF_MATMUL, finding_signature(judged)->is_matmul)                                             \
    X(IF_RACE, seen->kind == FINDING_RACE)                                                         \
    X(IF_READS, seen->access == ACCESS_READ)                                                       \
    X(IF_STORES, seen->access == ACCESS_WRITE)                                                     \
    X(IF_CHANGES, seen->access == ACCESS_ATOMIC)                                                   \
    X(IF_OTHER_READS, seen->other_access == ACCESS_READ)                                           \
    X(IF_OTHER_CHANGES, seen->other_access == ACCESS_ATOMIC)                                       \
    X(IF_BOTH_STORE, is[IF_STORES] && seen->other_access == ACCESS_WRITE)                          \
    X(IF_ONE_LINE, seen->line == seen->other_line)                                                 \
    X(IF_ONE_PLACE, seen->pc == seen->other_pc)                                                    \
    X(IF_LINE_KNOWN, seen->line != 0)                                                              \
    X(IF_OTHER_LINE_KNOWN, seen->other_line != 0)                                                  \
    X(IF_OTHER_KNOWN, seen->other_pc != 0 || seen->other_line != 0)                                \
    X(IF_OTHER_BLOCK, memcmp(seen->block, seen->other_block, sizeof seen->block) != 0)             \
    X(IF_BETWEEN_BLOCKS, has_flag(seen, FINDING_BETWEEN_BLOCKS))                                   \
    X(IF_SAME_WARP, has_flag(seen, FINDING_SAME_WARP))                                             \
    X(IF_SAME_VALUE, has_flag(seen, FINDING_SAME_VALUE))                                           \
    X(IF_WGMMA, seen->parties >= PARTIES_WGMMA || is_unset(seen, UNSET_SUMS))                      \
    X(IF_UNDER_WAY, is_under_way(seen))                                                            \
    X(IF_BULK, seen->parties == PARTIES_BULK || seen->parties == PARTIES_WGMMA)                    \
    X(IF_UNORDERED, seen->parties == PARTIES_ATOMICS)                                              \
    X(IF_BLOCK_SCOPE, seen->parties == PARTIES_BLOCK_SCOPE)                                        \
    X(IF_BLOCKS_WAIT, has_flag(seen, FINDING_BLOCKS_WAIT))                                         \
    X(IF_LOCAL, seen->parties >= PARTIES_REGISTERS || finding_is_outside(seen, OUTSIDE_LOCAL))     \
    X(IF_LANE, is_unset(seen, UNSET_LANE))                                                         \
    X(IF_DYNAMIC, finding_is_outside(seen, OUTSIDE_DYNAMIC))                                       \
    X(IF_INNER_ROW, finding_is_outside(seen, OUTSIDE_ROW))                                         \
    X(IF_IN_ARRAY, is[IF_INNER_ROW] || is[IF_LOCAL])                                               \
    X(IF_OF_LAUNCHES, is[IF_RACE] && (seen->detail == RACE_LACKS_GRID_WAIT ||                      \
                                      seen->detail == RACE_LAUNCH_NOT_WAITED_FOR))                 \
    X(IF_IN_CLUSTER, seen->detail >= RACE_IN_CLUSTER)                                              \
    X(IF_LACKS_MORE, seen->detail != RACE_UNORDERED)                                               \
    X(IF_UPDATE, is_update(judged))                                                                \
    X(IF_LOST_UPDATE, is[IF_RACE] && finding_is_lost_update(seen))                                 \
    X(IF_SINGLE, is[IF_RACE]                                                                       \
                     ? is[IF_OF_LAUNCHES] || is[IF_LOST_UPDATE] || (is[IF_WGMMA] && is[IF_LOCAL])  \
                     : !is[IF_BETWEEN_BLOCKS])                                                     \
    X(IF_PLAIN, !is[IF_SAME_VALUE] && !is[IF_WGMMA] && !is[IF_UNORDERED] && !is[IF_BLOCK_SCOPE])   \
    X(IF_PLAIN_COPY, is[IF_PLAIN] && is[IF_UNDER_WAY] && !is[IF_BULK] &&                           \
                         seen->detail != RACE_AT_END && seen->detail != RACE_REFILLED)             \
    X(IF_PLAIN_RACE, is[IF_PLAIN] && !is[IF_UNDER_WAY] && !is[IF_LACKS_MORE] && !is[IF_UPDATE] &&  \
                         !is[IF_BETWEEN_BLOCKS])                                                   \
    X(IF_WRITES_TWICE, finding_hazard(seen) == HAZARD_WRITE_AFTER_WRITE)                           \
    X(IF_BARRIER_IS_NO_HELP,                                                                       \
      judged->barrier.use >= BARRIER_UNPROVED ||                                                   \
          (finding_hazard(seen) == HAZARD_ATOMIC && is[IF_ONE_LINE] && is[IF_LINE_KNOWN]))         \
    X(IF_TEXT_STORES_FIRST, hazard_in_text(judged) == HAZARD_READ_AFTER_WRITE)                     \
    X(IF_TEXT_READS_FIRST, hazard_in_text(judged) == HAZARD_WRITE_AFTER_READ)                      \
    X(IF_TEXT_STORES_TWICE, hazard_in_text(judged) == HAZARD_WRITE_AFTER_WRITE)                    \
    X(IF_TEXT_ATOMIC, hazard_in_text(judged) == HAZARD_ATOMIC)                                     \
    X(IF_IN_ROUND, judged->barrier.use == BARRIER_IN_ROUND)                                        \
    X(IF_IN_BRANCH, judged->barrier.use == BARRIER_UNPROVED && judged->barrier.branch_line > 0 &&  \
                        !is[IF_ONE_LINE])                                                          \
    X(IF_AFTER_FENCE, judged->barrier.clue == CLUE_FENCE)                                          \
    X(IF_AFTER_BLOCK_FENCE, judged->barrier.clue == CLUE_BLOCK_FENCE)                              \
    X(IF_AFTER_SYNCWARP, judged->barrier.clue == CLUE_WARP)                                        \
    X(IF_BY_NUMBER, judged->barrier.clue == CLUE_NUMBER)                                           \
    X(IF_AFTER_SHUFFLE, judged->barrier.clue == CLUE_SHUFFLE)                                      \
    X(IF_NO_PLACE,                                                                                 \
      facts->barrier_after == 0 || facts->barrier_before == 0 || judged->barrier.is_apart)         \
    X(IF_GOES_ON, facts->barrier_after < facts->barrier_before)                                    \
    X(IF_GOES_BACK, facts->barrier_after > facts->barrier_before)                                  \
    X(IF_TILES, seen->space == SPACE_SHARED && !is[IF_SAME_WARP] && !is[IF_ONE_LINE])              \
    X(IF_LOADING, is[IF_TILES] && is[IF_TEXT_STORES_FIRST])                                        \
    X(IF_COMPUTING, is[IF_TILES] && is[IF_TEXT_READS_FIRST])                                       \
    X(IF_GLOBAL, seen->space == SPACE_GLOBAL)                                                      \
    X(IF_SHARED, seen->space == SPACE_SHARED)                                                      \
    X(IF_PROGRAM, judged->of_program)                                                              \
    X(IF_WORKSPACE, seen->array == ARRAY_WORKSPACE && !is[IF_PROGRAM])                             \
    X(IF_CONSTANT, seen->space == SPACE_CONSTANT)                                                  \
    X(IF_NO_ARRAY, judged->array[0] == '\0')                                                       \
    X(IF_HAS_INDEX, judged->index_count > 0)                                                       \
    X(IF_SHARES_VARIABLE, is[IF_SHARED] && !is[IF_NO_ARRAY] && !is[IF_HAS_INDEX])                  \
    X(IF_HAS_EXTENT, facts->extent[0] != '\0')                                                     \
    X(IF_HAS_MARK, facts->marked[0] != '\0')                                                       \
    X(IF_EMPTY, seen->array_bytes == 0)                                                            \
    X(IF_BEFORE_START, seen->offset < 0)                                                           \
    X(IF_UNSIGNED, has_flag(seen, FINDING_UNSIGNED))                                               \
    X(IF_PARTLY_INSIDE, seen->offset < (int64_t)seen->array_bytes)                                 \
    X(IF_SIZE_UNKNOWN, seen->access_bytes == 0)                                                    \
    X(IF_ARRAY_LACKS_ALIGNMENT, array_lacks_alignment(seen))                                       \
    X(IF_ROWS_LACK_ALIGNMENT,                                                                      \
      seen->access_bytes > 0 && facts->row_bytes % seen->access_bytes != 0)                        \
    X(IF_ONE_WAITS, seen->count_waiting == 1)                                                      \
    X(IF_ONE_ABSENT, seen->count_absent == 1)                                                      \
    X(IF_OTHERS_WAIT, seen->count_other != 0)                                                      \
    X(IF_ONE_OTHER, seen->count_other == 1)                                                        \
    X(IF_OF_MASK, seen->detail == LANE_CALL_MASK || seen->detail == LANE_CALL_ABSENT ||            \
                      seen->detail == LANE_CALL_APART)                                             \
    X(IF_IN_PHASE, seen->detail >= PHASE_LACKS_ARRIVALS && seen->detail <= PHASES_OF_TWO)          \
    X(IF_BYTES_DIFFER, seen->detail == PHASE_LACKS_BYTES || seen->detail == PHASE_EXCEEDS_BYTES)   \
    X(IF_BYTES_LACK_TOO, !is[IF_BYTES_DIFFER] && seen->phase_bytes > 0)                            \
    X(IF_ONE_INIT, seen->init_line > 0)                                                            \
    X(IF_MANY_INITS, seen->init_line > 0 && seen->inits > 1)                                       \
    X(IF_ONE_PHASE, seen->phases == 1)                                                             \
    X(IF_MANY_PHASES, seen->phases > 0)                                                            \
    X(IF_PHASES_MISSED, seen->phases_missed > 0 && seen->phases_missed < seen->phases)             \
    X(IF_ALL_PHASES_MISSED, seen->phases_missed > 0 && seen->phases_missed == seen->phases)        \
    X(IF_EARLY_ARRIVAL, seen->offset == 1 && seen->array_bytes == 0)                               \
    X(IF_AT_START, seen->offset == 0)                                                              \
    X(IF_BY_HOST, seen->kind == FINDING_HOST && seen->phases != 0)                                 \
    X(IF_FILL, seen->kind == FINDING_HOST && seen->phases == COPY_KINDS)                           \
    X(IF_EVENT, seen->kind == FINDING_HOST && seen->access != 0)                                   \
    X(IF_NULL, seen->access == CRASH_NULL_POINTER)                                                 \
    X(IF_DIVISION, seen->access == CRASH_DIVISION_BY_ZERO)                                         \
    X(IF_AT_MOST, seen->inits != 0)                                                                \
    X(IF_ABORT, seen->access == CRASH_TRAP)                                                        \
    X(IF_EMPTY_LAUNCH, seen->phases <= LAUNCH_NO_BLOCKS)                                           \
    X(IF_LARGE_BLOCK, seen->phases == LAUNCH_MANY_THREADS)                                         \
    X(IF_LARGE_GRID, seen->phases == LAUNCH_LARGE_GRID || seen->phases == LAUNCH_DEEP_BLOCK)       \
    X(IF_MUCH_SHARED, seen->phases == LAUNCH_MUCH_SHARED)                                          \
    X(IF_UNASKED_SHARED, seen->phases == LAUNCH_SHARED_NOT_ASKED)                                  \
    X(IF_NOT_READY, seen->access == cudaErrorNotReady)                                             \
    X(IF_ASKED_ABOUT, seen->severity == SEVERITY_WARNING)                                          \
    X(IF_IN_CALL, seen->other_offset != 0)                                                         \
    X(IF_MANAGED, seen->access == MEMORY_MANAGED)

#define CONDITION_ENUMERATOR(name, meaning) name,
enum finding_condition { FINDING_CONDITIONS(CONDITION_ENUMERATOR) CONDITION_COUNT };
#undef CONDITION_ENUMERATOR

struct facts {
    const struct judged_finding *judged;
    const struct finding *seen;
    const struct also_raced *also;                      // the race that a sentence is about
    bool is[CONDITION_COUNT];                           // by enum finding_condition
    char line[WHERE_MAX], other_line[WHERE_MAX];        // "line 22", "an unknown line"
    char thread[WHERE_MAX], other_thread[WHERE_MAX];    // "thread (5, 3, 0)"
    char block[WHERE_MAX], other_block[WHERE_MAX];      // "block (0, 1, 0)", "the first block"
    char numbers[WHERE_MAX], other_numbers[WHERE_MAX];  // of the blocks: "(0, 1)"
    char element[ELEMENT_MAX];                          // "As[3][0]", "memory"
    char extent[EXTENT_MAX];      // "A has rows 0 to 49"; for an index past its row: "As and Bs"
    char marked[ARRAY_NAME_MAX];  // the shared array that is marked in the line, or ""
    char mark[SOURCE_LINE_MAX];   // the text that is marked
    char mbarrier[MBARRIER_MAX], other_mbarrier[MBARRIER_MAX];  // "the mbarrier full[1]"
    uint64_t row_bytes;                                         // of the array, if it has rows
    uint32_t barrier_after, barrier_before;                     // the lines
    char barrier[CLAUSE_MAX];  // "a `__syncthreads()` is missing after loading"
    char events[CLAUSE_MAX];   // "line 13 stores As[3][0], then line 22 reads it"
};

#define ROW_CONDITIONS_MAX 4

// A sentence, and the conditions under which it is reported.
struct row {
    int holds[ROW_CONDITIONS_MAX];  // all of these conditions, or details of the finding
    const char *sentence;           // NULL: the end of a part
};
#define DETAIL(detail) (CONDITION_COUNT + (detail))
#define SAY(sentence, ...)                                                                         \
    { {__VA_ARGS__}, _(sentence) }
#define SAY_NOTHING(...)                                                                           \
    { {__VA_ARGS__}, "" }
// Each part of a table reports its first row that holds.
#define NEXT_PART                                                                                  \
    { {IF_ALWAYS}, NULL }

struct rows {
    const struct row *row;
    size_t count;
};
#define ROWS(array)                                                                                \
    { array, COUNT(array) }

// shared: the table of the kernel's __shared__ arrays, or NULL.
void facts_find(struct facts *ret_facts, const struct judged_finding *judged,
                const struct shared_array_table *shared);

// Adds a sentence in which facts are named: "{line} stores {element}".
void facts_say(const struct facts *facts, const char *sentence, char *text, size_t text_bytes);
void facts_say_rows(const struct facts *facts, struct rows rows, char *text, size_t text_bytes);

// "thread (5, 3, 0)"
void facts_thread(const uint32_t thread[3], char text[WHERE_MAX]);
// "block (0, 1, 0)", "the first block"
void facts_block(const uint32_t block[3], char text[WHERE_MAX]);

// The tables: the finding, in a few words that fit after "tiled.cu:22: data race: "; the threads
// and blocks; why it matters and what to look at.  For a race also the place of the missing
// barrier, and the two accesses.
extern const struct rows finding_barrier;
extern const struct rows finding_events;
extern const struct rows finding_clauses[FINDING_KIND_COUNT];
extern const struct rows finding_whos[FINDING_KIND_COUNT];
extern const struct rows finding_whys[FINDING_KIND_COUNT];

#endif
