// The clause of a finding, by its kind.
#include "judge/explain/finding_words.h"

#include "base/compose.h"

static const char *access_past(uint32_t access) {
    switch (access) {
    case ACCESS_WRITE:
        return _("stored");
    case ACCESS_ATOMIC:
        return _("changed by an atomic operation");
    case ACCESS_READ:
        return _("read");
    default:
        return _("used");
    }
}

// The launch says how much `extern __shared__` memory there is.
static void dynamic_clause(const struct words *words, char *clause) {
    const struct finding *seen = words->seen;
    const char *past = access_past(seen->access);
    unsigned long long bytes = seen->array_bytes;
    if (bytes == 0) {
        words_write(clause, CLAUSE_MAX,
                    "%s was %s, but LAUNCH_CONFIG asks for no dynamic shared memory: "
                    "`launch->shared_bytes` is 0",
                    words->element, past);
    } else if (words->extent[0] == '\0') {
        words_write(
            clause, CLAUSE_MAX,
            "%s was %s, but LAUNCH_CONFIG asks for only %llu bytes of dynamic shared memory",
            words->element, past, bytes);
    } else {
        words_write(clause, CLAUSE_MAX,
                    "%s was %s, but LAUNCH_CONFIG asks for only %llu bytes of dynamic shared "
                    "memory: %s",
                    words->element, past, bytes, words->extent);
    }
}

// Seen before the access: offset is the index, array_bytes the number of elements.
static void inner_row_clause(const struct words *words, char *clause) {
    const struct judged_finding *judged = words->judged;
    long long index = words->seen->offset;
    long long last = (long long)words->seen->array_bytes - 1;
    if (words->marked[0] != '\0') {
        words_write(clause, CLAUSE_MAX,
                    "the index %lld was used in %.*s, where %s has elements 0 to %lld", index,
                    (int)judged->mark.length, judged->source + judged->mark.start, words->marked,
                    last);
    } else if (words->extent[0] != '\0') {
        words_write(clause, CLAUSE_MAX,
                    "the index %lld was used where an array has elements 0 to %lld; in this line "
                    "that could be %s",
                    index, last, words->extent);
    } else {
        words_write(clause, CLAUSE_MAX,
                    "the index %lld was used where an array has elements 0 to %lld", index, last);
    }
}

static void bounds_clause(const struct words *words, char *clause) {
    const struct finding *seen = words->seen;
    const char *past = access_past(seen->access);
    int64_t size = (int64_t)seen->array_bytes;
    const char *array = words->judged->array[0] != '\0' ? words->judged->array : _("the array");
    if (seen->flags & FINDING_INNER_ROW) {
        inner_row_clause(words, clause);
    } else if (seen->flags & FINDING_LOCAL) {
        words_write(clause, CLAUSE_MAX,
                    seen->access == ACCESS_READ
                        ? _("what is read here is not wholly inside the thread's own array or "
                            "variable")
                        : _("what is stored here is not wholly inside the thread's own array or "
                            "variable"));
    } else if (words->judged->array[0] == '\0') {
        words_write(clause, CLAUSE_MAX, "memory that belongs to no array was %s", past);
    } else if (seen->offset < 0) {
        words_write(clause, CLAUSE_MAX,
                    "%s was %s %lld bytes before its start: an index is negative", array, past,
                    -(long long)seen->offset);
    } else if ((seen->flags & FINDING_DYNAMIC_SHARED) && words->judged->index_count > 0) {
        dynamic_clause(words, clause);
    } else if (seen->offset < size) {
        words_write(
            clause, CLAUSE_MAX, "the %u bytes at %s were %s, but %s ends after %lld of them",
            seen->access_bytes, words->element, past, array, (long long)(size - seen->offset));
    } else if (words->extent[0] == '\0') {
        words_write(clause, CLAUSE_MAX, "%s was %s %lld bytes past its end", array, past,
                    (long long)(seen->offset - size));
    } else {
        words_write(clause, CLAUSE_MAX, "%s was %s, but %s", words->element, past, words->extent);
    }
}

// A call of lanes that cannot be one.
static void lane_call_clause(const struct words *words, char *clause) {
    const struct finding *seen = words->seen;
    char text[WHERE_MAX];
    char barrier[WHERE_MAX];
    const char *where = words_line(seen->line, text);
    if (seen->detail == LANE_CALL_MASK) {
        words_write(clause, CLAUSE_MAX,
                    "the mask of the call in %s leaves out the lane that makes the call", where);
    } else if (seen->detail == LANE_CALL_WIDTH) {
        words_write(clause, CLAUSE_MAX,
                    "the width of the shuffle in %s is not a power of two from 1 to 32", where);
    } else if (seen->detail == WARPGROUP_CALL_VALUES) {
        words_write(clause, CLAUSE_MAX,
                    "the threads of a warpgroup pass different arguments to the call in %s", where);
    } else if (seen->detail == WARPGROUP_CALL_ABSENT) {
        words_write(clause, CLAUSE_MAX,
                    seen->count_waiting == 1
                        ? _("%u thread waits in %s for the rest of its warpgroup, which does not "
                            "make this call")
                        : _("%u threads wait in %s for the rest of their warpgroup, which does not "
                            "make this call"),
                    seen->count_waiting, where);
    } else if (seen->detail == LANE_CALL_MATRIX) {
        words_write(clause, CLAUSE_MAX,
                    seen->count_waiting == 1
                        ? _("%u thread waits in %s for the rest of its warp, which does not make "
                            "this call")
                        : _("%u threads wait in %s for the rest of their warps, which do not make "
                            "this call"),
                    seen->count_waiting, where);
    } else if (seen->other_pc != 0 || seen->other_line != 0) {
        words_write(clause, CLAUSE_MAX,
                    seen->count_waiting == 1
                        ? _("%u thread waits in %s for lanes of its mask that wait at the barrier "
                            "in %s")
                        : _("%u threads wait in %s for lanes of their masks that wait at the "
                            "barrier in %s"),
                    seen->count_waiting, where, words_line(seen->other_line, barrier));
    } else {
        words_write(clause, CLAUSE_MAX,
                    seen->count_waiting == 1
                        ? _("%u thread waits in %s for lanes of its mask that never arrive")
                        : _("%u threads wait in %s for lanes of their masks that never arrive"),
                    seen->count_waiting, where);
    }
}

// A phase of an mbarrier that does not end.
static void phase_clause(const struct words *words, char *clause) {
    const struct finding *seen = words->seen;
    char text[WHERE_MAX];
    const char *where = words_line(seen->line, text);
    if (seen->detail == PHASE_LACKS_ARRIVALS || seen->detail == PHASES_OF_TWO) {
        words_write(
            clause, CLAUSE_MAX,
            "threads of a block wait for ever, %u of them in %s, for a phase of %s that lacks %u "
            "of its arrivals",
            seen->count_waiting, where, words->mbarrier, seen->count_absent);
    } else if (seen->detail == PHASE_LACKS_BYTES) {
        words_write(
            clause, CLAUSE_MAX,
            "threads of a block wait for ever, %u of them in %s, for a phase of %s that expects "
            "%lld bytes which no copy has brought",
            seen->count_waiting, where, words->mbarrier, (long long)seen->phase_bytes);
    } else {
        words_write(
            clause, CLAUSE_MAX,
            "threads of a block wait for ever, %u of them in %s, for a phase of %s whose copies "
            "have brought %lld bytes that it does not expect",
            seen->count_waiting, where, words->mbarrier, (long long)seen->phase_bytes);
    }
}

static void barrier_clause(const struct words *words, char *clause) {
    const struct finding *seen = words->seen;
    char first[WHERE_MAX];
    char second[WHERE_MAX];
    if (seen->detail == CLUSTER_LACKS_THREADS) {
        words_cluster_barrier(words, clause);
        return;
    }
    if (seen->detail >= PHASE_LACKS_ARRIVALS && seen->detail <= PHASES_OF_TWO) {
        phase_clause(words, clause);
        return;
    }
    if (seen->detail != LANE_CALL_FINE) {
        lane_call_clause(words, clause);
        return;
    }
    uint32_t waiting = seen->count_waiting;
    uint32_t absent = seen->count_absent;
    const char *here = words_line(seen->line, first);
    const char *there = words_line(seen->other_line, second);
    bool one_waits = waiting == 1;
    if ((seen->other_pc != 0 || seen->other_line != 0) && absent == 1) {
        words_write(clause, CLAUSE_MAX,
                    one_waits
                        ? _("%u thread of a block waits at the barrier in %s, but %u waits at "
                            "the one in %s")
                        : _("%u threads of a block wait at the barrier in %s, but %u waits at "
                            "the one in %s"),
                    waiting, here, absent, there);
    } else if (seen->other_pc != 0 || seen->other_line != 0) {
        words_write(clause, CLAUSE_MAX,
                    one_waits ? _("%u thread of a block waits at the barrier in %s, but %u wait at "
                                  "the one in %s")
                              : _("%u threads of a block wait at the barrier in %s, but %u wait at "
                                  "the one in %s"),
                    waiting, here, absent, there);
    } else if (absent == 1) {
        words_write(
            clause, CLAUSE_MAX,
            one_waits
                ? _("%u thread of a block waits at the barrier in %s, but %u never reaches it")
                : _("%u threads of a block wait at the barrier in %s, but %u never reaches it"),
            waiting, here, absent);
    } else {
        words_write(
            clause, CLAUSE_MAX,
            one_waits ? _("%u thread of a block waits at the barrier in %s, but %u never reach it")
                      : _("%u threads of a block wait at the barrier in %s, but %u never reach "
                          "it"),
            waiting, here, absent);
    }
}

// Threads that had returned early.
static void exited_clause(const struct words *words, char *clause) {
    const struct finding *seen = words->seen;
    uint32_t waiting = seen->count_waiting;
    uint32_t absent = seen->count_absent;
    char first[WHERE_MAX];
    char second[WHERE_MAX];
    const char *barrier = words_line(seen->line, first);
    const char *left = words_line(seen->other_line, second);
    bool one = absent == 1;
    if (waiting == 1) {
        words_write(
            clause, CLAUSE_MAX,
            one ? _("%u thread of a block had returned in %s before the barrier in %s that "
                    "%u other thread reaches")
                : _("%u threads of a block had returned in %s before the barrier in %s that "
                    "%u other thread reaches"),
            absent, left, barrier, waiting);
    } else {
        words_write(
            clause, CLAUSE_MAX,
            one ? _("%u thread of a block had returned in %s before the barrier in %s that "
                    "the other %u reach")
                : _("%u threads of a block had returned in %s before the barrier in %s that "
                    "the other %u reach"),
            absent, left, barrier, waiting);
    }
}

// Also said of a LAUNCH_CONFIG that does not end.
static void time_clause(const struct words *words, char *clause) {
    char where[WHERE_MAX];
    if (words->seen->line != 0) {
        words_write(clause, CLAUSE_MAX,
                    "the kernel has not ended: %s was still running when the time was up",
                    words_line(words->seen->line, where));
    } else {
        words_write(clause, CLAUSE_MAX,
                    "the kernel has not ended: it was still running when the time was up");
    }
}

// Returns whether the cause is a number, of an mbarrier or of a block.
static bool number_clause(const struct finding *seen, char *clause) {
    long long number = (long long)seen->offset;
    long long most = (long long)seen->array_bytes;
    switch (seen->detail) {
    case CRASH_MBARRIER_COUNT:
        words_write(clause, CLAUSE_MAX,
                    "the count given to mbarrier.init was %lld: it must be 1 to %lld", number,
                    most);
        return true;
    case CRASH_MBARRIER_ARRIVALS:
        if (number == 1 && most == 0) {
            words_write(clause, CLAUSE_MAX,
                        "a call arrives at an mbarrier for the next phase, but this phase is not "
                        "complete: it has all its arrivals, but not exactly its bytes");
            return true;
        }
        words_write(clause, CLAUSE_MAX,
                    "a call made arrivals at an mbarrier, %lld in number, when its phase lacked "
                    "%lld: the number must be at least 1 and at most what the phase lacks",
                    number, most);
        return true;
    case CRASH_MBARRIER_BYTES:
        words_write(clause, CLAUSE_MAX,
                    "the bytes that a phase of an mbarrier expects, less those that were copied, "
                    "became %lld: they must be from -%lld to %lld",
                    number, most, most);
        return true;
    case CRASH_MBARRIER_PARITY:
        words_write(clause, CLAUSE_MAX,
                    "a wait for an mbarrier was given the parity %lld: PTX defines only 0 and 1, "
                    "the number of the phase modulo 2",
                    number);
        return true;
    case CRASH_CLUSTER_RANK:
        words_write(clause, CLAUSE_MAX,
                    "a call names the rank %lld of a cluster whose ranks are 0 to %lld", number,
                    most);
        return true;
    case CRASH_CLUSTER_MASK:
        words_write(clause, CLAUSE_MAX,
                    "the mask of a copy to several blocks of a cluster is %lld: with a bit for "
                    "each block, it is at most %lld",
                    number, most);
        return true;
    default:
        return false;
    }
}

static void crash_clause(const struct words *words, char *clause) {
    static const char *const texts[CRASH_CAUSE_COUNT] = {
        [CRASH_NONE] = N_("the kernel ended in an error"),
        [CRASH_NULL_POINTER] = N_("a null pointer was used"),
        [CRASH_WILD_POINTER] =
            N_("a pointer led to memory that belongs to no array, or that a kernel may only read, "
               "such as a __constant__ one"),
        [CRASH_NOT_SHARED] =
            N_("an address that must be in a __shared__ array is not in shared memory"),
        [CRASH_NOT_GLOBAL] =
            N_("an address that must be in an array of the kernel's parameters is not in global "
               "memory"),
        [CRASH_NO_MBARRIER] = N_("an mbarrier was used that is not initialised"),
        [CRASH_NO_MBARRIER_THERE] =
            N_("an mbarrier of another block of the cluster was used that is not initialised "
               "there yet"),
        [CRASH_MBARRIER_LIVE] =
            N_("mbarrier.init was called for an mbarrier that is in use: mbarrier.inval must come "
               "first"),
        [CRASH_MBARRIER_STORED] =
            N_("a store hit the 8 bytes of an mbarrier that is in use: only after mbarrier.inval "
               "may its memory serve for something else"),
        [CRASH_COPY_SIZE] = N_("the size of a bulk copy was not a multiple of 16 bytes"),
        [CRASH_NO_TENSOR_MAP] =
            N_("a bulk tensor copy was given an address that is not the address of a tensor map "
               "of the kernel's parameter, such as `&maps.at[0]`"),
        [CRASH_TENSOR_MAP_EMPTY] =
            N_("a bulk tensor copy used a tensor map that LAUNCH_CONFIG does not describe"),
        [CRASH_TENSOR_MAP_TOUCHED] =
            N_("the bytes of a tensor map were accessed: a kernel may only pass its address to a "
               "copy"),
        [CRASH_TENSOR_RANK] =
            N_("a bulk tensor copy had another number of coordinates than its tensor map has "
               "dimensions"),
        [CRASH_TENSOR_COLUMN] =
            N_("the first coordinate of a bulk tensor copy was not a multiple of 16 bytes"),
        [CRASH_NOT_LOCAL] =
            N_("the sums of a wgmma, or its A in registers, were not in a local array of the "
               "thread"),
        [CRASH_CLUSTER_PAIR] = N_("a thread arrived at the barrier of the cluster twice, or waited "
                                  "there without having arrived"),
        [CRASH_CLUSTER_POINTER] =
            N_("a block used a pointer into its own shared memory that another block had made, "
               "which cannot be followed on the CPU: use a GPU"),
        [CRASH_STACK_OVERFLOW] =
            N_("a thread used up its stack: a recursion without end, or a very large local array"),
        [CRASH_DIVISION_BY_ZERO] = N_("an integer was divided by zero"),
        [CRASH_TRAP] = N_("the kernel stopped itself with a trap"),
        [CRASH_ASSERT] = N_("an assert of the kernel failed"),
        [CRASH_SIGNAL] = N_("the kernel did something that the machine does not allow"),
    };
    uint32_t cause = words->seen->detail < CRASH_CAUSE_COUNT ? words->seen->detail : CRASH_NONE;
    if (!number_clause(words->seen, clause)) {
        words_write(clause, CLAUSE_MAX, "%s", texts[cause]);
    }
}

static void unset_clause(const struct words *words, char *clause) {
    const struct finding *seen = words->seen;
    if (words_wgmma(words, clause)) {
        return;
    }
    if (seen->flags & FINDING_LANE) {
        words_write(clause, CLAUSE_MAX,
                    "the value of lane %d was read, which takes no part in this shuffle",
                    (int)seen->offset);
    } else if (seen->flags & FINDING_BETWEEN_BLOCKS) {
        char block[WHERE_MAX];
        char other[WHERE_MAX];
        char line[WHERE_MAX];
        char other_line[WHERE_MAX];
        words_write(clause, CLAUSE_MAX, "%s reads %s in %s before %s stores it in %s",
                    words_block(seen->block, block), words->element, words_line(seen->line, line),
                    words_block(seen->other_block, other),
                    words_line(seen->other_line, other_line));
    } else {
        words_write(clause, CLAUSE_MAX, "%s was read, but nothing had been stored there",
                    words->element);
    }
}

static void misaligned_clause(const struct words *words, char *clause) {
    const struct finding *seen = words->seen;
    if (seen->access_bytes == 0) {
        words_write(clause, CLAUSE_MAX,
                    "the address of a vector access is not a multiple of its size");
    } else if (seen->detail == MISALIGNED_FRAGMENT) {
        words_write(clause, CLAUSE_MAX,
                    "the fragment starts at %s, whose address is not a multiple of %u",
                    words->element, seen->access_bytes);
    } else if (seen->detail == MISALIGNED_FRAGMENT_ROW) {
        words_write(clause, CLAUSE_MAX,
                    "the second row or column of the fragment starts at %s, whose address is "
                    "not a multiple of %u",
                    words->element, seen->access_bytes);
    } else if (seen->detail == MISALIGNED_BOX) {
        words_write(clause, CLAUSE_MAX,
                    "the box of a bulk tensor copy starts at %s, whose address is not a "
                    "multiple of %u",
                    words->element, seen->access_bytes);
    } else if (seen->detail == MISALIGNED_ROWS) {
        words_write(clause, CLAUSE_MAX,
                    "`wgmma` reads a factor from %s on, but groups of eight rows with this swizzle "
                    "begin at a multiple of %u bytes",
                    words->element, seen->access_bytes);
    } else {
        words_write(clause, CLAUSE_MAX,
                    "%u bytes were %s in one access at %s, whose address is not a multiple of %u",
                    seen->access_bytes, access_past(seen->access), words->element,
                    seen->access_bytes);
    }
}

void words_clause(const struct words *words, char clause[CLAUSE_MAX]) {
    const struct finding *seen = words->seen;
    clause[0] = '\0';
    switch (seen->kind) {
    case FINDING_RACE:
        words_race(words, clause);
        break;
    case FINDING_OUT_OF_BOUNDS:
        bounds_clause(words, clause);
        break;
    case FINDING_UNINITIALIZED:
        unset_clause(words, clause);
        break;
    case FINDING_BARRIER_DIVERGENCE:
        barrier_clause(words, clause);
        break;
    case FINDING_EXITED_BEFORE_BARRIER:
        exited_clause(words, clause);
        break;
    case FINDING_MISALIGNED:
        misaligned_clause(words, clause);
        break;
    case FINDING_INPUT_WRITTEN:
        words_write(clause, CLAUSE_MAX, "%s was changed, but it is an input", words->element);
        break;
    case FINDING_CRASH:
        crash_clause(words, clause);
        break;
    case FINDING_TIME_LIMIT:
        time_clause(words, clause);
        break;
    case FINDING_OUTPUT_LIMIT:
        words_write(clause, CLAUSE_MAX, "the kernel printed more than %d KiB in one launch",
                    PRINTF_BYTES_MAX / 1024);
        break;
    default:  // no kind, and so no finding: the judge has checked it
        break;
    }
}
