// What a finding says in one clause, by its kind.
#include "judge/explain_finding_words.h"

static const char *access_past(uint32_t access) {
    switch (access) {
    case ACCESS_WRITE:
        return "stored";
    case ACCESS_ATOMIC:
        return "changed by an atomic operation";
    case ACCESS_READ:
        return "read";
    default:
        return "used";
    }
}

// "line 13 stores As[3][0]".
static void event_append(char *clause, uint32_t line, uint32_t access, const char *element) {
    char where[WHERE_MAX];
    const char *place = words_line(line, where);
    if (access == ACCESS_ATOMIC) {
        words_append(clause, CLAUSE_MAX, "%s changes %s with an atomic operation", place, element);
    } else {
        words_append(clause, CLAUSE_MAX, "%s %s %s", place,
                     access == ACCESS_WRITE ? "stores" : "reads", element);
    }
}

static void race_clause(const struct words *words, char *clause) {
    const struct finding *seen = words->seen;
    const char *missing = "no barrier lies between the two accesses";
    if (words_between_blocks(seen)) {
        missing = "two blocks use one element";
    } else if ((seen->flags & FINDING_SAME_WARP) &&
               words_hazard(seen) != HAZARD_WRITE_AFTER_WRITE) {
        missing = "no `__syncwarp` lies between the two accesses";
    } else if (seen->space == SPACE_SHARED && words_hazard(seen) == HAZARD_READ_AFTER_WRITE) {
        missing = "the barrier after loading is missing";
    } else if (seen->space == SPACE_SHARED && words_hazard(seen) == HAZARD_WRITE_AFTER_READ) {
        missing = "the barrier after computing is missing";
    } else if (words_hazard(seen) == HAZARD_WRITE_AFTER_WRITE) {
        missing = "two threads store the same element";
    }
    words_append(clause, CLAUSE_MAX, "%s: ", missing);
    event_append(clause, seen->line, seen->access, words->element);
    words_append(clause, CLAUSE_MAX, ", then ");
    event_append(clause, seen->other_line, seen->other_access, "it");
}

static void bounds_clause(const struct words *words, char *clause) {
    const struct finding *seen = words->seen;
    const char *past = access_past(seen->access);
    int64_t size = (int64_t)seen->array_bytes;
    const char *array = words->judged->array[0] != '\0' ? words->judged->array : "the array";
    if (seen->flags & FINDING_INNER_ROW) {
        // Seen before the access: offset is the index, array_bytes the number of elements.
        words_append(clause, CLAUSE_MAX,
                     "the index %lld was used where an array has elements 0 to %lld",
                     (long long)seen->offset, (long long)size - 1);
        if (words->extent[0] != '\0') {
            words_append(clause, CLAUSE_MAX, "; in this line that fits %s", words->extent);
        }
    } else if (words->judged->array[0] == '\0') {
        words_append(clause, CLAUSE_MAX, "memory that belongs to no array was %s", past);
    } else if (seen->offset < 0) {
        words_append(clause, CLAUSE_MAX,
                     "%s was %s %lld bytes before its start: an index is negative", array, past,
                     -(long long)seen->offset);
    } else if (seen->offset < size) {
        words_append(
            clause, CLAUSE_MAX, "the %u bytes at %s were %s, but %s ends after %lld of them",
            seen->access_bytes, words->element, past, array, (long long)(size - seen->offset));
    } else if (words->extent[0] == '\0') {
        words_append(clause, CLAUSE_MAX, "%s was %s %lld bytes past its end", array, past,
                     (long long)(seen->offset - size));
    } else {
        words_append(clause, CLAUSE_MAX, "%s was %s, but %s", words->element, past, words->extent);
    }
}

static void barrier_clause(const struct words *words, char *clause) {
    const struct finding *seen = words->seen;
    char first[WHERE_MAX];
    char second[WHERE_MAX];
    words_append(clause, CLAUSE_MAX, "%u thread%s of a block wait%s at the barrier in %s, but %u ",
                 seen->count_waiting, seen->count_waiting == 1 ? "" : "s",
                 seen->count_waiting == 1 ? "s" : "", words_line(seen->line, first),
                 seen->count_absent);
    if (seen->other_pc != 0 || seen->other_line != 0) {
        words_append(clause, CLAUSE_MAX, "wait%s at the one in %s",
                     seen->count_absent == 1 ? "s" : "", words_line(seen->other_line, second));
    } else {
        words_append(clause, CLAUSE_MAX, "never come%s to it", seen->count_absent == 1 ? "s" : "");
    }
}

static void exited_clause(const struct words *words, char *clause) {
    const struct finding *seen = words->seen;
    char first[WHERE_MAX];
    char second[WHERE_MAX];
    words_append(clause, CLAUSE_MAX, "%u thread%s of a block had returned", seen->count_absent,
                 seen->count_absent == 1 ? "" : "s");
    if (seen->other_line != 0) {
        words_append(clause, CLAUSE_MAX, " in %s", words_line(seen->other_line, second));
    }
    words_append(clause, CLAUSE_MAX, " before the barrier in %s that the other %u reach%s",
                 words_line(seen->line, first), seen->count_waiting,
                 seen->count_waiting == 1 ? "es" : "");
}

static void crash_clause(const struct words *words, char *clause) {
    static const char *const texts[CRASH_CAUSE_COUNT] = {
        [CRASH_NONE] = "the kernel ended in an error",
        [CRASH_NULL_POINTER] = "a null pointer was used",
        [CRASH_WILD_POINTER] = "a pointer led to memory that belongs to no array",
        [CRASH_STACK_OVERFLOW] =
            "a thread used up its stack: a recursion without end, or a very large local array",
        [CRASH_DIVISION_BY_ZERO] = "an integer was divided by zero",
        [CRASH_TRAP] = "the kernel stopped itself with a trap",
        [CRASH_ASSERT] = "an assert of the kernel failed",
        [CRASH_SIGNAL] = "the kernel did something that the machine does not allow",
    };
    uint32_t cause = words->seen->detail < CRASH_CAUSE_COUNT ? words->seen->detail : CRASH_NONE;
    words_append(clause, CLAUSE_MAX, "%s", texts[cause]);
}

void words_clause(const struct words *words, char clause[CLAUSE_MAX]) {
    const struct finding *seen = words->seen;
    clause[0] = '\0';
    switch (seen->kind) {
    case FINDING_RACE:
        race_clause(words, clause);
        break;
    case FINDING_OUT_OF_BOUNDS:
        bounds_clause(words, clause);
        break;
    case FINDING_UNINITIALIZED:
        words_append(clause, CLAUSE_MAX, "%s was read, but nothing had been stored there",
                     words->element);
        break;
    case FINDING_BARRIER_DIVERGENCE:
        barrier_clause(words, clause);
        break;
    case FINDING_EXITED_BEFORE_BARRIER:
        exited_clause(words, clause);
        break;
    case FINDING_MISALIGNED:
        if (seen->access_bytes == 0) {
            words_append(clause, CLAUSE_MAX,
                         "the address of a vector access is no multiple of its size");
            break;
        }
        words_append(clause, CLAUSE_MAX,
                     "%u bytes at once were %s at %s, whose address is no multiple of %u",
                     seen->access_bytes, access_past(seen->access), words->element,
                     seen->access_bytes);
        break;
    case FINDING_INPUT_WRITTEN:
        words_append(clause, CLAUSE_MAX, "%s was changed, but it is an input", words->element);
        break;
    case FINDING_CRASH:
        crash_clause(words, clause);
        break;
    case FINDING_TIME_LIMIT:
        words_append(clause, CLAUSE_MAX, "the kernel was still running when its time was over");
        break;
    case FINDING_OUTPUT_LIMIT:
        words_append(clause, CLAUSE_MAX, "the kernel printed more than %d KiB in one launch",
                     PRINTF_BYTES_MAX / 1024);
        break;
    default:
        words_append(clause, CLAUSE_MAX,
                     "the kernel uses something that the CPU device cannot run");
        break;
    }
}
