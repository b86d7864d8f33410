// First all dimensions at once, where most mistakes show at a few tiles; then one dimension after
// the other, again and again until a whole round finds nothing smaller.
#include "judge/run/shrink.h"

#include <stdlib.h>

#include "base/array.h"

struct search {
    shrink_fails fails;
    void *context;
    int32_t tile;
    int calls, calls_max;
    struct size tried[SHRINK_CALLS_LIMIT];
    struct size best;
};

#define CANDIDATES_MAX 10

// Tries a size that is no larger in any dimension; true if it fails too and so is the best now.
static bool accept(struct search *search, struct size size) {
    if (size_equal(size, search->best) || search->calls == search->calls_max) {
        return false;
    }
    for (int i = 0; i < search->calls; i++) {
        if (size_equal(search->tried[i], size)) {
            return false;  // it passed, or it is where the search came from
        }
    }
    search->tried[search->calls++] = size;
    if (!search->fails(search->context, size)) {
        return false;
    }
    search->best = size;
    return true;
}

static int32_t smaller(int32_t a, int32_t b) {
    return a < b ? a : b;
}

// Cubes of a few sizes, cut to the best one so far.
static void shrink_cubes(struct search *search) {
    int32_t tile = search->tile;
    const int32_t edges[] = {1, 2, tile - 1, tile, tile + 1, 2 * tile, 2 * tile + 1};
    for (size_t e = 0; e < COUNT(edges); e++) {
        struct size cube = search->best;
        for (int d = 0; d < size_rank(search->best); d++) {
            cube.at[d] = smaller(cube.at[d], edges[e]);
        }
        if (edges[e] >= 1 && accept(search, cube)) {
            return;
        }
    }
}

// The values of one dimension to try, the smallest first; none is repeated and all are below the
// present one.
static int candidates(int32_t present, int32_t tile, int32_t list[CANDIDATES_MAX]) {
    const int32_t wished[] = {1,
                              2,
                              tile - 1,
                              tile,
                              tile + 1,
                              2 * tile,
                              2 * tile + 1,
                              present / 2,
                              present - tile,
                              present - 1};
    int count = 0;
    for (size_t w = 0; w < COUNT(wished); w++) {
        bool useful = wished[w] >= 1 && wished[w] < present;
        for (int i = 0; i < count; i++) {
            useful = useful && list[i] != wished[w];
        }
        if (!useful) {
            continue;
        }
        int at = count++;
        for (; at > 0 && list[at - 1] > wished[w]; at--) {
            list[at] = list[at - 1];
        }
        list[at] = wished[w];
    }
    return count;
}

// Makes one dimension as small as it goes; true if it became smaller.
static bool shrink_dimension(struct search *search, int d) {
    int32_t list[CANDIDATES_MAX];
    int count = candidates(search->best.at[d], search->tile, list);
    for (int i = 0; i < count; i++) {
        struct size size = search->best;
        size.at[d] = list[i];
        if (accept(search, size)) {
            return true;
        }
    }
    return false;
}

struct size shrink_size(struct size failing, int32_t tile, int calls_max, shrink_fails fails,
                        void *context) {
    struct search search = {
        .fails = fails,
        .context = context,
        .tile = tile > 0 ? tile : 16,
        .calls_max = calls_max < SHRINK_CALLS_LIMIT ? calls_max : SHRINK_CALLS_LIMIT,
        .best = failing,
    };
    bool progress = true;
    shrink_cubes(&search);
    while (progress && search.calls < search.calls_max) {
        progress = false;
        for (int d = 0; d < size_rank(search.best); d++) {
            progress = shrink_dimension(&search, d) || progress;
        }
    }
    return search.best;
}

// The least value from `from` on that is not next to a or b; they may be 0.
static int32_t apart(int32_t from, int32_t a, int32_t b) {
    int32_t value = from < 2 ? 2 : from;
    while (abs(value - a) <= 1 || abs(value - b) <= 1) {
        value++;
    }
    return value;
}

struct size shrink_apart(struct size size) {
    int32_t m = size.m < 2 ? 2 : size.m;
    int32_t n = apart(size.n, m, -1);
    return (struct size){m, n, apart(size.k, m, n)};
}
