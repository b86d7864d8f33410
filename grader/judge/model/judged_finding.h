// A finding as reports show it.
#ifndef JUDGE_MODEL_JUDGED_FINDING_H
#define JUDGE_MODEL_JUDGED_FINDING_H

#include "base/size.h"
#include "device/device.h"
#include "emu/wire/finding.h"
#include "exercise/signature.h"

#define CLAUSE_MAX      768  // bytes of the clause, with the final NUL
#define SOURCE_LINE_MAX 160  // bytes kept of a source line, with the final NUL

#define VALUE_NAME_MAX   32  // bytes of a variable's name, with the final NUL
#define VALUES_SHOWN_MAX 6
#define ALSO_MAX         4  // further races named with one

// A part of a text, in bytes; length 0 if there is none.
struct source_span {
    uint32_t start, length;
};

// The value that a variable had at the access, or a part of its index: "row", "t * TILE + tx".
struct finding_value {
    char name[VALUE_NAME_MAX];
    int64_t number;
};

// Another race that the same barrier would prevent.
struct also_raced {
    char array[ARRAY_NAME_MAX];
    uint32_t line, other_line;
};

// A line of the source, and the part to mark.
struct shown_line {
    char text[SOURCE_LINE_MAX];  // cleaned for printing; "" if unknown
    uint32_t column;  // in the file, in bytes from 1, where the mark begins; 0 if unknown
    struct source_span mark;
};

// A race that a `__syncthreads()` should prevent, and whether it does.
struct barrier_advice {
    // The barrier belongs after line `after` and before line `before` (of the next iteration, if
    // `before` is not greater); 0 if that is not certain.
    uint32_t after, before;
    uint32_t column;  // with `after`: of the last token before the call
    // Another possible place, if both lines are in the body of a loop: after this token, and before
    // a line of the next iteration; 0 if there is none.
    uint32_t round_line, round_column, round_before;
    uint32_t open_line, open_column;  // with it: the body lacks braces, and begins after this token
    uint32_t branch_line;  // no other place: both lines are under the condition of this line
    enum race_clue {
        CLUE_NONE,
        CLUE_FENCE,        // with a `__threadfence()` in clue_line between the two accesses
        CLUE_BLOCK_FENCE,  // … a `__threadfence_block()`
        CLUE_WARP,         // … a `__syncwarp()`, and the threads are of two warps
        CLUE_NUMBER,       // of two blocks: clue_line takes the largest number for the last block
        CLUE_SHUFFLE       // each lane stores what the shuffle in clue_line gives to one alone
    } clue;
    uint32_t clue_line;
    enum barrier_use {
        BARRIER_HELPS,     // or no doubt is known
        BARRIER_IN_ROUND,  // a barrier at the other place does
        BARRIER_UNPROVED,  // no barrier fits between the two lines, or one is not known to help
        BARRIER_FAILS      // it ends the race, and the kernel stays wrong
    } use;
    bool is_doubted;  // a race that may lack more than a barrier
    bool is_apart;    // a race of two functions: its lines do not tell which comes first
    int also_count;
    struct also_raced also[ALSO_MAX];
};

// The condition that may keep threads from a barrier: its line, and the barrier's.
struct barrier_guard {
    enum guard_kind { GUARD_NONE, GUARD_BRANCH, GUARD_LEFT, GUARD_LOOP } kind;
    uint32_t line, guarded_line;
};

struct program_files;

// A finding as reports show it: names, indices and lines filled in.
struct judged_finding {
    struct finding finding;
    enum device_kind device;
    struct size size;                   // the size of the launch
    const struct signature *signature;  // of the exercise, borrowed; NULL: of a product
    bool of_program;                    // it was seen in a whole program
    const struct program_files *files;  // whose numbering its lines have, borrowed; NULL: none
    char array[ARRAY_NAME_MAX];         // "As", "A"; "" if it concerns no array
    int index_count;
    int64_t index[ARRAY_RANK_MAX];  // [row, column] in A, B, C and static arrays
    char clause[CLAUSE_MAX];  // the observation, in a few words: "A[50][0] was read, but A has rows
                              // 0 to 49"
    char message[ERROR_TEXT_MAX];  // one or two sentences for the student, without the line's text
    char lesson[128];              // "lessons/verdicts.md#race"
    struct shown_line shown, other_shown;
    struct shown_line launch_shown;                // of a program: the line of the launch, and it
    uint32_t launch_line;                          // 0 if unknown
    int value_count;                               // 0: not known
    struct finding_value value[VALUES_SHOWN_MAX];  // of the failing thread, at the access
    struct barrier_advice barrier;
    struct barrier_guard guard;
    bool names_call;  // the message has the call of the function, with its arguments
};

struct finding_list {
    int count;
    struct judged_finding list[FINDINGS_MAX];
};

// The signature of the kernel that a finding was seen in.
static inline const struct signature *finding_signature(const struct judged_finding *finding) {
    return finding->signature ? finding->signature : signature_of_matmul();
}

// The order of the two accesses of a race.
enum hazard {
    HAZARD_READ_AFTER_WRITE,
    HAZARD_WRITE_AFTER_READ,
    HAZARD_WRITE_AFTER_WRITE,
    HAZARD_ATOMIC
};
static inline enum hazard finding_hazard(const struct finding *seen) {
    if (seen->access == ACCESS_ATOMIC || seen->other_access == ACCESS_ATOMIC) {
        return HAZARD_ATOMIC;
    }
    if (seen->access == ACCESS_READ) {
        return HAZARD_WRITE_AFTER_READ;
    }
    return seen->other_access == ACCESS_READ ? HAZARD_READ_AFTER_WRITE : HAZARD_WRITE_AFTER_WRITE;
}

#endif
