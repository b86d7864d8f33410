// Why a finding matters, and what to look at.
#include "base/compose.h"
#include "judge/explain/finding_words.h"
static void hazard_why(const struct words *words, char *message) {
    switch (words_hazard_in_text(words->judged)) {
    case HAZARD_READ_AFTER_WRITE:
        words_sentence(message, ERROR_TEXT_MAX,
                       "Threads run in any order, so the read may come before the store.");
        break;
    case HAZARD_WRITE_AFTER_READ:
        words_sentence(message, ERROR_TEXT_MAX,
                       "Threads run in any order, so a fast thread may overwrite what a slow one "
                       "still has to read.");
        break;
    case HAZARD_WRITE_AFTER_WRITE:
        words_sentence(message, ERROR_TEXT_MAX,
                       "Threads run in any order, so either value may remain.");
        break;
    case HAZARD_ATOMIC:
        words_sentence(message, ERROR_TEXT_MAX,
                       "An atomic operation is ordered only with other atomic operations, and one "
                       "of these two accesses is not atomic.");
        break;
    }
}

// What it means that a fence or a lock is missing.
static void gap_why(const struct finding *seen, char *message) {
    const enum race_gap gap = (enum race_gap)seen->detail;
    if (gap == RACE_AMONG_PHASES || gap == RACE_LACKS_PROXY) {
        words_sentence(
            message, ERROR_TEXT_MAX,
            gap == RACE_LACKS_PROXY
                ? _("A bulk copy reads memory by another way than a thread. A barrier or a flag "
                    "alone does not order the two; a fence for shared memory does so in shared "
                    "memory, one for global memory in global memory.")
            : seen->flags & FINDING_SAME_WARP
                ? _("An mbarrier orders them if the thread of the first access arrives after it, "
                    "and the thread of the second one waits for that phase before it. Both "
                    "threads belong to one warp, so `__syncwarp()` orders them too.")
                : _("An mbarrier orders them if the thread of the first access arrives after it, "
                    "and the thread of the second one waits for that phase before it. A barrier "
                    "of the block orders them too."));
        return;
    }
    if (gap == RACE_LACKS_WARP) {
        words_sentence(
            message, ERROR_TEXT_MAX,
            "An arrival hands on what its own thread has done, and what a barrier has "
            "ordered before it. Since Volta the lanes of a warp do not run in lock-step, "
            "so others may still read.");
        return;
    }
    if (gap == RACE_RELAXED) {
        words_sentence(message, ERROR_TEXT_MAX,
                       "Threads that wait for a relaxed arrival may overwrite what its thread has "
                       "read, but may not yet see what it has stored.");
        return;
    }
    if (gap == RACE_OF_MBARRIER) {
        words_sentence(message, ERROR_TEXT_MAX,
                       "All threads must see the mbarrier.init before they use the mbarrier, and "
                       "mbarrier.inval must come after the last use by any thread, also after "
                       "waits that poll it: put a barrier of the block between them.");
        return;
    }
    if (gap == RACE_AMONG_LOCKS) {
        words_sentence(message, ERROR_TEXT_MAX,
                       "If a lock guards them, it must be one lock for both threads. One atomic "
                       "operation must take it, and a fence is needed after that and before the "
                       "lock is opened. If no lock guards them, they need a barrier between them.");
        return;
    }
    words_sentence(message, ERROR_TEXT_MAX,
                   gap == RACE_LACKS_ACQUIRE
                       ? _("Without the fence a thread may read the data before it sees the "
                           "flag, the ticket or the open lock.")
                   : gap == RACE_LACKS_RELEASE
                       ? _("Without the fence another thread may see the flag, the ticket or "
                           "the open lock before the data.")
                       : _("Another thread may go on before the data is there."));
}

static void unordered_why(const struct finding *seen, char *message) {
    words_sentence(
        message, ERROR_TEXT_MAX,
        words_between_blocks(seen)
            ? _("Blocks run in any order: begin a new launch between the two, or let the block "
                "that needs a value wait until it is there.")
            : _("Atomic operations of several threads take place one after the other, but in any "
                "order: put a barrier between the two, or begin a new launch."));
}

// A copy that is still under way.
static void copy_why(const struct finding *seen, char *message) {
    if (seen->detail == RACE_AT_END) {
        words_sentence(message, ERROR_TEXT_MAX,
                       "After the end of a block, its shared memory belongs to the next one. The "
                       "thread that started the copy must wait for its group before it ends "
                       "(`.read` is enough).");
        return;
    }
    if (seen->detail == RACE_REFILLED) {
        words_sentence(message, ERROR_TEXT_MAX,
                       "An earlier copy has filled the same place. If the read is for what that "
                       "one brought, the next copy must not begin until the read is done. If it is "
                       "for what this one brings, its thread must first wait, in a loop, for the "
                       "phase of the mbarrier that the copy names.");
        return;
    }
    if (seen->flags & FINDING_BULK && seen->space == SPACE_GLOBAL) {
        words_sentence(message, ERROR_TEXT_MAX,
                       "The thread that started the copy must first wait for its group with "
                       "`cp.async.bulk.wait_group`. With `.read` it waits only until the copy has "
                       "read shared memory. A barrier after that wait is for the other threads.");
        return;
    }
    if (seen->flags & FINDING_BULK) {
        words_sentence(message, ERROR_TEXT_MAX,
                       seen->access == ACCESS_READ
                           ? _("A barrier does not wait for a bulk copy. The thread that started "
                               "it must first wait for its group (`.read` is enough); a barrier "
                               "after that wait is for the other threads.")
                           : _("A barrier does not wait for a bulk copy. Each thread must first "
                               "wait, in a loop, for the phase of the mbarrier that the copy "
                               "names, or be ordered after a thread that has."));
        return;
    }
    if (seen->detail == RACE_LACKS_COMMIT) {
        words_sentence(message, ERROR_TEXT_MAX,
                       "The copy is in no group yet: a wait for groups leaves it out until its "
                       "thread commits it.");
    }
    words_sentence(
        message, ERROR_TEXT_MAX,
        "A barrier does not wait for a copy. The thread that started the copy must first wait "
        "for its group; a barrier after that wait is for the other threads.");
}

static void race_why(const struct words *words, char *message) {
    const struct finding *seen = words->seen;
    if (seen->flags & FINDING_SAME_VALUE) {
        words_sentence(message, ERROR_TEXT_MAX,
                       "All threads stored the same value, so the result does not change, but the "
                       "same work is done more than once.");
        return;
    }
    if (seen->flags & FINDING_UNORDERED) {
        unordered_why(seen, message);
        return;
    }
    if (seen->flags & FINDING_BLOCK_SCOPE) {
        words_sentence(message, ERROR_TEXT_MAX,
                       "Use the forms without `_block` where several blocks change an element.");
        return;
    }
    if (seen->flags & FINDING_UNDER_WAY) {
        copy_why(seen, message);
        return;
    }
    if (words_of_launches(seen)) {
        words_launch_why(seen, message);
        return;
    }
    if (words_in_cluster(seen)) {
        words_cluster_why(seen, message);
        return;
    }
    if (seen->detail != RACE_UNORDERED) {
        gap_why(seen, message);
        return;
    }
    if (words_is_update(words)) {
        words_sentence(
            message, ERROR_TEXT_MAX,
            "A change is lost if another thread reads before it is stored. An atomic "
            "operation does it in one step; otherwise no two threads may change the same "
            "element.");
        return;
    }
    if (words_between_blocks(seen)) {
        words_sentence(
            message, ERROR_TEXT_MAX,
            "Blocks run in any order and no barrier orders them, so the result is unpredictable.");
        return;
    }
    hazard_why(words, message);
    if (seen->space == SPACE_SHARED && words->judged->array[0] != '\0' &&
        words->judged->index_count == 0) {
        words_sentence(message, ERROR_TEXT_MAX, "All threads of a block share the same %s.",
                       words->judged->array);
    }
    if (seen->flags & FINDING_SAME_WARP) {
        words_sentence(message, ERROR_TEXT_MAX,
                       "Both threads belong to one warp, but since Volta the threads of a warp do "
                       "not run in lock-step (independent thread scheduling).");
    }
}

// True if what was to be aligned would be, if only its array were.
static bool array_lacks_alignment(const struct finding *seen) {
    uint64_t from = (uint64_t)seen->offset % seen->access_bytes;
    return (seen->detail == MISALIGNED_BOX && from == 0) ||
           (seen->detail == MISALIGNED_ROWS && from < seen->access_bytes / 8);
}

// Why a vector access to a matrix is not aligned: its rows are not.
static void misaligned_why(const struct words *words, char *message) {
    const struct finding *seen = words->seen;
    const struct size size = words->judged->size;
    if (seen->access_bytes == 0) {
        return;
    }
    if (seen->detail == MISALIGNED_FRAGMENT) {
        words_sentence(message, ERROR_TEXT_MAX,
                       "`load_matrix_sync` and `store_matrix_sync` require an address that is a "
                       "multiple of 32 bytes.");
    } else if (seen->detail == MISALIGNED_FRAGMENT_ROW) {
        words_sentence(message, ERROR_TEXT_MAX,
                       "The row length that `load_matrix_sync` and `store_matrix_sync` get must be "
                       "a multiple of 16 bytes: 4 elements of float, 8 of half.");
    } else if (array_lacks_alignment(seen)) {
        words_sentence(message, ERROR_TEXT_MAX,
                       "The declaration of %s lacks `__align__(%u)`, so it is luck if it begins at "
                       "such an address.",
                       words->judged->array, seen->access_bytes);
    } else if (seen->detail == MISALIGNED_ROWS) {
        words_sentence(message, ERROR_TEXT_MAX,
                       "Otherwise a GPU swizzles the rows in another way.");
    } else {
        words_sentence(message, ERROR_TEXT_MAX, "A GPU stops the kernel at a misaligned access.");
    }
    if (seen->space != SPACE_GLOBAL) {
        return;
    }
    const struct signature *signature = finding_signature(words->judged);
    uint64_t row_bytes = 0;
    if (seen->array < (uint32_t)signature->parameter_count) {
        const struct parameter *parameter = &signature->parameter[seen->array];
        uint64_t columns = parameter->rank < 2
                               ? 0
                               : parameter_extent(signature, parameter, parameter->rank - 1, size);
        row_bytes = columns * element_bytes(parameter->element);
    }
    if (row_bytes % seen->access_bytes != 0) {
        words_sentence(message, ERROR_TEXT_MAX,
                       "It starts %lld bytes after the start of %s, whose rows are %d bytes long.",
                       (long long)seen->offset, words->judged->array, (int)row_bytes);
    } else {
        words_sentence(message, ERROR_TEXT_MAX, "It starts %lld bytes after the start of %s.",
                       (long long)seen->offset, words->judged->array);
    }
}

// Which phase of which mbarrier it is that does not end.
static void phase_why(const struct finding *seen, char *message) {
    if (seen->init_line > 0 && seen->inits > 1) {
        words_sentence(message, ERROR_TEXT_MAX,
                       "The mbarrier is number %u, by address from 0, of the %u that line %u "
                       "initialises.",
                       seen->init_number, seen->inits, seen->init_line);
    } else if (seen->init_line > 0) {
        words_sentence(message, ERROR_TEXT_MAX, "The mbarrier is initialised in line %u.",
                       seen->init_line);
    }
    words_sentence(message, ERROR_TEXT_MAX,
                   "The phase is number %u, counted from 0, so its parity is %u.", seen->phases,
                   seen->phases % 2);
    if (seen->detail != PHASE_LACKS_BYTES && seen->detail != PHASE_EXCEEDS_BYTES &&
        seen->phase_bytes > 0) {
        words_sentence(message, ERROR_TEXT_MAX, "It lacks %lld bytes too.",
                       (long long)seen->phase_bytes);
    }
}

// Which phases of an mbarrier were missed, and who else waits.
static void phases_why(const struct words *words, char *message) {
    const struct finding *seen = words->seen;
    char first[WHERE_MAX];
    char second[WHERE_MAX];
    const char *here = words_line(seen->line, first);
    const char *there = words_line(seen->other_line, second);
    phase_why(seen, message);
    if (seen->phases_missed > 0 && seen->phases_missed == seen->phases) {
        words_sentence(message, ERROR_TEXT_MAX,
                       seen->phases == 1
                           ? _("%u phase of this mbarrier is complete, but those that wait for it "
                               "now have not waited for that one.")
                           : _("%u phases of this mbarrier are complete, but those that wait for "
                               "it now have waited for none of them."),
                       seen->phases);
    } else if (seen->phases_missed > 0 && seen->phases_missed < seen->phases) {
        words_sentence(message, ERROR_TEXT_MAX,
                       "%u phases of this mbarrier are complete, but those that wait for it now "
                       "have waited for only %u of them.",
                       seen->phases, seen->phases - seen->phases_missed);
    }
    if (seen->detail == PHASE_EXCEEDS_BYTES && seen->phases > 0) {
        words_sentence(
            message, ERROR_TEXT_MAX,
            "They may be from several phases: bytes that one phase does not expect count "
            "in the next one.");
    }
    if (seen->count_other == 0) {
        return;
    }
    if (seen->line == seen->other_line) {  // of a function that waits
        words_sentence(message, ERROR_TEXT_MAX,
                       seen->detail == PHASES_OF_TWO
                           ? _("Others wait there for %s: %u in all.")
                           : _("Others wait there for %s, %u in all: in the phase before, the "
                               "arrivals that it lacks came from those named first."),
                       words->other_mbarrier, seen->count_other);
    } else if (seen->detail == PHASES_OF_TWO) {
        words_sentence(message, ERROR_TEXT_MAX,
                       seen->count_other == 1
                           ? _("%u thread waits in %s, for a phase of %s that lacks %u of its "
                               "arrivals.")
                           : _("%u threads wait in %s, for a phase of %s that lacks %u of its "
                               "arrivals."),
                       seen->count_other, there, words->other_mbarrier, seen->absent_other);
    } else {
        words_sentence(message, ERROR_TEXT_MAX,
                       seen->count_other == 1
                           ? _("%u thread waits in %s for %s: in the phase before, the arrivals "
                               "that it lacks came from those that wait in %s.")
                           : _("%u threads wait in %s for %s: in the phase before, the arrivals "
                               "that it lacks came from those that wait in %s."),
                       seen->count_other, there, words->other_mbarrier, here);
    }
}

static const char *barrier_why(const struct finding *seen) {
    switch (seen->detail) {
    case LANE_CALL_WIDTH:
        return "";
    case LANE_CALL_MATRIX:
        return _("All 32 threads of a warp must make this call together, in the same line.");
    case PHASE_LACKS_ARRIVALS:
    case PHASES_OF_TWO:
        return _("A phase is complete when as many arrivals have been made as mbarrier.init "
                 "says. If they have been, the wait is for another phase: the first one has the "
                 "parity 0, and each later one the other parity.");
    case PHASE_LACKS_BYTES:
    case PHASE_EXCEEDS_BYTES:
        return _("A phase is complete when exactly the bytes that expect_tx announces have been "
                 "copied by the copies that name its mbarrier, with their zeros outside an array.");
    case CLUSTER_LACKS_THREADS:
        return _("All threads of all blocks of a cluster must reach its barrier.");
    case LANE_CALL_MASK:
    case LANE_CALL_ABSENT:
        return _(
            "The mask must name exactly the lanes that make the call; 0xffffffff names all 32.");
    default:
        return _("All threads of a block must reach the same barrier; otherwise the block hangs or "
                 "computes with half-filled tiles.");
    }
}

static const char *crash_why(const struct finding *seen) {
    if (seen->detail == CRASH_NO_MBARRIER_THERE) {
        return _("Between mbarrier.init and the first use by another block, all threads of all "
                 "blocks must meet at a barrier of the cluster. `__syncthreads()` waits for one "
                 "block only.");
    }
    if (seen->detail == CRASH_MBARRIER_ARRIVALS && seen->array_bytes == 0) {
        return _("A thread may arrive for the next phase only if it knows that this one is "
                 "complete. Does it wait before this call, in a loop, and for the right phase?");
    }
    return "";
}

static const char *uninitialized_why(const struct finding *seen, bool is_product) {
    if (seen->flags & FINDING_LANE) {
        return _("A lane takes part if it is in the mask, has not returned, and calls the shuffle "
                 "too. What any other lane gives is not defined.");
    }
    if (seen->space == SPACE_SHARED) {
        return _("Shared memory starts with arbitrary values in every block.");
    }
    if (seen->array == ARRAY_WORKSPACE) {
        return !words_between_blocks(seen)
                   ? _("The workspace starts with arbitrary values for every product.")
                   : _("The block that reads must wait until the value is there, and the other one "
                       "must store it before it says so. If it is a flag or a counter, an earlier "
                       "launch must store its first value.");
    }
    return is_product ? _("C holds no useful value when the kernel starts.")
                      : _("The array holds no useful value when the kernel starts.");
}

static const char *time_why(const struct finding *seen, bool is_product) {
    return seen->flags & FINDING_BLOCKS_WAIT
               ? _("As many blocks wait here as the CPU device can keep: either they wait for "
                   "a block that has not begun, which a GPU may run beside them, or the loop "
                   "never ends.")
           : seen->line > 0
               ? _("The usual cause is a loop that never ends. If the loop does end, it does far "
                   "too much work.")
           : is_product
               ? _("Either a loop does not end, or the grid has many more blocks than C needs.")
               : _("Either a loop does not end, or the grid has many more blocks than the result "
                   "needs.");
}

static void why_others(const struct words *words, char *message) {
    const struct finding *seen = words->seen;
    const struct signature *signature = finding_signature(words->judged);
    const char *text = "";
    switch (seen->kind) {
    case FINDING_RACE:
        race_why(words, message);
        return;
    case FINDING_MISALIGNED:
        misaligned_why(words, message);
        return;
    case FINDING_OUT_OF_BOUNDS:
        if (seen->flags & (FINDING_INNER_ROW | FINDING_LOCAL)) {
            text = _("A GPU does not notice this: it uses a different element from the one that "
                     "was meant.");
            break;
        }
        if (words->judged->device == DEVICE_GPU) {
            break;
        }
        text = seen->access == ACCESS_READ
                   ? _("A GPU reads whatever is there, or stops the kernel.")
                   : _("A GPU overwrites whatever is there, or stops the kernel.");
        break;
    case FINDING_UNINITIALIZED:
        text = uninitialized_why(seen, signature->is_product);
        break;
    case FINDING_BARRIER_DIVERGENCE:
        if (seen->detail >= PHASE_LACKS_ARRIVALS && seen->detail <= PHASES_OF_TWO) {
            phases_why(words, message);
        }
        if (seen->detail == LANE_CALL_MATRIX && seen->other_line > 0) {
            char where[WHERE_MAX];
            words_sentence(message, ERROR_TEXT_MAX, "Other threads wait in %s.",
                           words_line(seen->other_line, where));
        }
        text = barrier_why(seen);
        break;
    case FINDING_EXITED_BEFORE_BARRIER:
        text = _("The barrier does not wait for them: if they had data to load, it is missing.");
        break;
    case FINDING_CRASH:
        text = crash_why(seen);
        break;
    case FINDING_INPUT_WRITTEN:
        text = signature->is_product ? _("The kernel may store only to C.")
                                     : _("It is an input, which the kernel may only read.");
        break;
    case FINDING_TIME_LIMIT:
        text = time_why(seen, signature->is_product);
        break;
    case FINDING_OUTPUT_LIMIT:
        text = _("Print less, and let one thread of the grid do it.");
        break;
    default:
        break;
    }
    words_sentence(message, ERROR_TEXT_MAX, "%s", text);
}

void words_why(const struct words *words, char *message) {
    const char *of_wgmma = words_wgmma_why(words->seen);
    if (of_wgmma) {
        words_sentence(message, ERROR_TEXT_MAX, "%s", of_wgmma);
    } else {
        why_others(words, message);
    }
}
