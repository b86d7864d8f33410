// Keeps the cases of an expected.c, so that kernels with the same inputs share them.
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "judge/expected/expected_case.h"

#define MEMO_CASES_MAX 256                   // each has an open file
#define MEMO_BYTES_MAX (UINT64_C(64) << 20)  // of memory, without the holes in the files

struct remembered_case {
    uint64_t bytes;
    struct expected_case made;  // without arrays, and its results are not mapped
};

struct expected_memo {
    int count;
    uint64_t bytes;
    bool is_sum;  // the last case had numbers for all outputs, in a function without EACH,
                  // comparisons and exponentials
    struct remembered_case *kept[MEMO_CASES_MAX];  // owned; the least recently used first
};

struct expected_memo *expected_memo_new(void) {
    return xcalloc(1, sizeof(struct expected_memo));
}

static struct remembered_case *take(struct expected_memo *memo, int i) {
    struct remembered_case *kept = memo->kept[i];
    memo->count--;
    memo->bytes -= kept->bytes;
    memmove(&memo->kept[i], &memo->kept[i + 1],
            (size_t)(memo->count - i) * sizeof(struct remembered_case *));
    return kept;
}

static void put(struct expected_memo *memo, struct remembered_case *kept) {
    memo->kept[memo->count++] = kept;
    memo->bytes += kept->bytes;
}

static void oldest_forget(struct expected_memo *memo) {
    struct remembered_case *oldest = take(memo, 0);
    expected_results_done(&oldest->made.results);
    expected_results_done(&oldest->made.plain);
    free(oldest);
}

void expected_memo_free(struct expected_memo *memo) {
    while (memo && memo->count > 0) {
        oldest_forget(memo);
    }
    free(memo);
}

static bool is_same(const struct expected_plan *a, const struct expected_plan *b) {
    return a->kind == b->kind && a->samples == b->samples && a->range == b->range &&
           memcmp(&a->key, &b->key, sizeof a->key) == 0 &&
           memcmp(a->size.at, b->size.at, sizeof a->size.at) == 0;
}

// A copy of results with its own file and mapping; not mapped if there is no room.
static struct expected_results results_open(const struct expected_results *kept) {
    struct expected_results results = *kept;
    if (kept->fd < 0) {
        return results;  // there are none
    }
    results.fd = fcntl(kept->fd, F_DUPFD_CLOEXEC, 0);
    results.memory = mmap(NULL, kept->bytes, PROT_READ, MAP_SHARED, kept->fd, 0);
    if (results.memory == MAP_FAILED) {
        results.memory = NULL;
    }
    return results;
}

bool expected_memo_find(struct expected_memo *memo, struct expected_case *made) {
    int i = 0;
    while (i < memo->count && !is_same(&memo->kept[i]->made.plan, &made->plan)) {
        i++;
    }
    if (i == memo->count || made->plan.like) {
        return false;
    }
    struct remembered_case *kept = take(memo, i);
    put(memo, kept);
    struct expected_results results = results_open(&kept->made.results);
    struct expected_results plain = results_open(&kept->made.plain);
    if ((kept->made.results.fd >= 0 && (results.fd < 0 || !results.memory)) ||
        (kept->made.plain.fd >= 0 && (plain.fd < 0 || !plain.memory))) {
        expected_results_done(&results);
        expected_results_done(&plain);
        return false;
    }
    made->form = kept->made.form;
    made->width = kept->made.width;
    made->wide = kept->made.wide;
    made->exponent = kept->made.exponent;
    made->scale = kept->made.scale;
    made->slack = kept->made.slack;
    made->key = kept->made.key;
    made->results = results;
    made->plain = plain;
    made->is_begun = kept->made.is_begun;
    return true;
}

// The bytes of results in memory, without holes; UINT64_MAX: unknown.
static uint64_t results_bytes(const struct expected_results *results) {
    struct stat file;
    return results->fd < 0                  ? 0
           : fstat(results->fd, &file) == 0 ? (uint64_t)file.st_blocks * 512
                                            : UINT64_MAX;
}

bool expected_memo_is_sum(const struct expected_memo *memo) {
    return memo->is_sum;
}

// The same results with a file of their own, not mapped.  False: there is none left.
static bool results_keep(struct expected_results *results) {
    results->memory = NULL;
    results->fd = results->fd < 0 ? -1 : fcntl(results->fd, F_DUPFD_CLOEXEC, 0);
    return results->fd >= 0;
}

// Keeps a case that was just made.  If there is no room, the least recently used cases are dropped.
// A case that is too large, or was made like another one, is not kept.
void expected_memo_add(struct expected_memo *memo, const struct expected_case *made) {
    const uint64_t *notes = made->results.notes;
    const uint64_t bytes = results_bytes(&made->results);
    const uint64_t plain = results_bytes(&made->plain);
    if (made->results.fd >= 0) {
        memo->is_sum = made->results.each_loops == 0 && notes[NOTE_COMPARED] == 0 &&
                       notes[NOTE_EXPONENTIAL] == 0;
    }
    if (made->plan.like || bytes > MEMO_BYTES_MAX / 4 || plain > MEMO_BYTES_MAX / 4) {
        return;
    }
    struct remembered_case *kept = xmalloc(sizeof *kept);
    *kept = (struct remembered_case){bytes + plain, *made};
    memset(kept->made.values, 0, sizeof kept->made.values);
    bool has_results = results_keep(&kept->made.results);
    bool has_plain = results_keep(&kept->made.plain);
    if (has_results != (made->results.fd >= 0) || has_plain != (made->plain.fd >= 0)) {
        expected_results_done(&kept->made.results);
        expected_results_done(&kept->made.plain);
        free(kept);
        return;
    }
    while (memo->count == MEMO_CASES_MAX || memo->bytes + kept->bytes > MEMO_BYTES_MAX) {
        oldest_forget(memo);
    }
    put(memo, kept);
}
