// Finds terms that are missing from a sum of a matmul, counted twice, or read at other places.
//
// With prefix sums P of a wrong element's terms, the run [first, end) fits if P[end] - P[first] is
// the missing part, for every element of a sample; then all wrong elements are tested.  Other
// places are pairs of index formulas: the sum that they give is compared with the elements.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/compose.h"
#include "base/memory.h"
#include "judge/cause/output_seen.h"

#define FP16_MAX      65504.0
#define RUNS_WORK_MAX 1e9  // terms added to test a run in all of C

// Wrong elements that distinguish runs: enough of them for that, few enough to be quick.
#define SAMPLE_MAX 32

int32_t matmul_dimension(struct size size, char letter) {
    return letter == 'M' ? size.m : letter == 'N' ? size.n : size.k;
}

bool matmul_names(struct size size, char letter) {
    int32_t value = matmul_dimension(size, letter);
    for (const char *other = "MNK"; *other; other++) {
        if (*other != letter && abs(matmul_dimension(size, *other) - value) <= 1) {
            return false;
        }
    }
    return value > 1;
}

// If `elements` elements all fit one of `hypotheses` hypotheses, is that more than chance?  One
// element is worth 11 bits, as a term of exact inputs is one of 2048 numbers.  Requires a chance
// below 2^-6.  With K = 1 only the sign may differ, and the signs of a whole row change together:
// never enough to choose.
static bool is_enough(const struct output_seen *seen, uint64_t elements, uint64_t hypotheses) {
    int few = elements < SAMPLE_MAX ? (int)elements : SAMPLE_MAX;
    int bits = few * BITS_OF_A_TERM - BITS_OF_SAFETY;
    return seen->size.k > 1 && bits >= 0 && (bits >= 63 || hypotheses <= UINT64_C(1) << bits);
}

// The factors of an element: its row of A, and its column of B, whose elements are N apart.
static const float *row_of_a(const struct output_seen *seen, uint64_t element) {
    return (const float *)seen->input[0] + element / seen->width * (uint64_t)seen->size.k;
}
static const float *column_of_b(const struct output_seen *seen, uint64_t element) {
    return (const float *)seen->input[1] + element % seen->width;
}

bool matmul_may_overflow(const struct output_seen *seen, uint64_t element) {
    const float *a = row_of_a(seen, element);
    const float *b = column_of_b(seen, element);
    double sum = 0;
    for (int32_t k = 0; k < seen->size.k; k++) {
        sum += fabs((double)a[k] * (double)b[(size_t)k * (size_t)seen->size.n]);
    }
    return sum > FP16_MAX;
}

// --- Runs of terms -------------------------------------------------------------------------------

struct term_run {
    int32_t first, end;
};

struct run_search {
    const struct output_seen *seen;
    int count;
    uint64_t sample[SAMPLE_MAX];  // wrong elements, spread over C
    int32_t *prefix;              // [count][K + 1]
    int32_t missing[SAMPLE_MAX];  // want - got, or got - want to find terms counted twice twice
    bool twice;
};

enum runs_outcome { NOTHING_FITS, ONE_FITS, SEVERAL_FIT };

static const int32_t periods[] = {2, 4, 8, 16, 32, 64};

// Tile sizes, tried from usual to odd: a kernel may leave out the rest after whole tiles.
static const int32_t run_tiles[] = {16, 32, 64, 8};
#define TILE_LEAST 8

static const int32_t *prefix_of(const struct run_search *search, int element) {
    return search->prefix + (size_t)element * ((size_t)search->seen->size.k + 1);
}

static void sample_take(struct run_search *search) {
    const struct output_seen *seen = search->seen;
    uint64_t step = (seen->wrong + SAMPLE_MAX - 1) / SAMPLE_MAX;
    uint64_t wrong = 0;
    for (uint64_t e = seen->first; e <= seen->last; e++) {
        if (seen_is_wrong(seen, e) && wrong++ % step == 0) {
            search->sample[search->count++] = e;
        }
    }
}

static void prefix_fill(struct run_search *search) {
    const struct output_seen *seen = search->seen;
    struct size size = seen->size;
    size_t row = (size_t)size.k + 1;
    search->prefix = xcalloc(row * SAMPLE_MAX, sizeof *search->prefix);
    for (int w = 0; w < search->count; w++) {
        const float *a = row_of_a(seen, search->sample[w]);
        const float *b = column_of_b(seen, search->sample[w]);
        int32_t *prefix = search->prefix + (size_t)w * row;
        for (int32_t k = 0; k < size.k; k++) {
            prefix[k + 1] = prefix[k] + (int32_t)(a[k] * b[(size_t)k * (size_t)size.n]);
        }
    }
}

static bool run_fits(const struct run_search *search, struct term_run run) {
    for (int w = 0; w < search->count; w++) {
        const int32_t *prefix = prefix_of(search, w);
        if (prefix[run.end] - prefix[run.first] != search->missing[w]) {
            return false;
        }
    }
    return true;
}

// Tries every run with first in [first.first, first.end) and end in [end.first, end.end).
static enum runs_outcome runs_try(const struct run_search *search, struct term_run first,
                                  struct term_run end, struct term_run *ret_run) {
    enum runs_outcome outcome = NOTHING_FITS;
    const int32_t *prefix = prefix_of(search, 0);
    for (int32_t from = first.first; from < first.end; from++) {
        int64_t sought = prefix[from] + search->missing[0];
        for (int32_t to = end.first > from ? end.first : from + 1; to < end.end; to++) {
            if (prefix[to] == sought && run_fits(search, (struct term_run){from, to})) {
                outcome = outcome == NOTHING_FITS ? ONE_FITS : SEVERAL_FIT;
                *ret_run = (struct term_run){from, to};
            }
        }
    }
    return outcome;
}

static enum runs_outcome single_terms_try(const struct run_search *search,
                                          struct term_run *ret_run) {
    enum runs_outcome outcome = NOTHING_FITS;
    for (int32_t k = 0; k < search->seen->size.k; k++) {
        if (run_fits(search, (struct term_run){k, k + 1})) {
            outcome = outcome == NOTHING_FITS ? ONE_FITS : SEVERAL_FIT;
            *ret_run = (struct term_run){k, k + 1};
        }
    }
    return outcome;
}

// Tries first the runs that mistakes typically leave, finally any run; each group only if the
// elements can distinguish that many runs.
static enum runs_outcome run_find(const struct run_search *search, struct term_run *ret_run) {
    int32_t terms = search->seen->size.k;
    uint64_t count = (uint64_t)terms;
    uint64_t elements = (uint64_t)search->count;
    enum runs_outcome outcome =
        runs_try(search, (struct term_run){0, 1}, (struct term_run){terms, terms + 1}, ret_run);
    if (outcome == NOTHING_FITS && is_enough(search->seen, elements, count)) {
        outcome = runs_try(search, (struct term_run){0, terms}, (struct term_run){terms, terms + 1},
                           ret_run);
        if (outcome == NOTHING_FITS) {
            outcome =
                runs_try(search, (struct term_run){0, 1}, (struct term_run){1, terms}, ret_run);
        }
        if (outcome == NOTHING_FITS) {
            outcome = single_terms_try(search, ret_run);
        }
    }
    if (outcome == NOTHING_FITS && is_enough(search->seen, elements, count * count / 2)) {
        outcome =
            runs_try(search, (struct term_run){0, terms}, (struct term_run){1, terms + 1}, ret_run);
    }
    return outcome;
}

static bool class_fits(const struct run_search *search, int32_t period, int32_t residue) {
    int32_t terms = search->seen->size.k;
    for (int w = 0; w < search->count; w++) {
        const int32_t *prefix = prefix_of(search, w);
        int32_t sum = 0;
        for (int32_t k = residue; k < terms; k += period) {
            sum += prefix[k + 1] - prefix[k];
        }
        if (sum != search->missing[w]) {
            return false;
        }
    }
    return true;
}

// Terms residue, residue + period, residue + 2 period …, at least two of them.
static enum runs_outcome class_find(const struct run_search *search, int32_t *ret_period,
                                    int32_t *ret_residue) {
    enum runs_outcome outcome = NOTHING_FITS;
    if (!is_enough(search->seen, (uint64_t)search->count, 2 * 64)) {
        return outcome;
    }
    for (int p = 0; p < (int)COUNT(periods); p++) {
        for (int32_t residue = 0; residue < periods[p]; residue++) {
            if (residue + periods[p] < search->seen->size.k &&
                class_fits(search, periods[p], residue)) {
                outcome = outcome == NOTHING_FITS ? ONE_FITS : SEVERAL_FIT;
                *ret_period = periods[p];
                *ret_residue = residue;
            }
        }
    }
    return outcome;
}

// Terms that are missing from an element, or counted twice.
struct terms {
    int32_t first, end, step;
    bool twice;
};

static bool terms_hold(const struct output_seen *seen, uint64_t element, const void *hypothesis) {
    const struct terms *terms = hypothesis;
    const float *a = row_of_a(seen, element);
    const float *b = column_of_b(seen, element);
    bool whole = terms->first == 0 && terms->end == seen->size.k && terms->step == 1;
    double sum = whole ? seen_want(seen, element) : 0;  // exact: of whole numbers
    for (int32_t k = terms->first; k < terms->end && !whole; k += terms->step) {
        sum += (double)a[k] * (double)b[(size_t)k * (size_t)seen->size.n];
    }
    double less = seen_want(seen, element) - seen_got(seen, element);
    return (terms->twice ? -less : less) == sum;
}

// Tests every wrong element, unless that takes more than a few seconds.
static bool terms_hold_all(const struct output_seen *seen, struct terms terms) {
    double work = (double)seen->wrong * (terms.end - terms.first) / terms.step;
    return work <= RUNS_WORK_MAX && seen_all_wrong(seen, terms_hold, &terms);
}

// "the terms k = 3 to 5"; `first`: a sentence starts with this text.
static void run_name(struct term_run run, bool first, char *text, size_t text_bytes) {
    int32_t last = run.end - 1;
    if (run.first == last) {
        words_write(text, text_bytes, first ? _("The term k = %d") : _("the term k = %d"), last);
    } else if (run.end - run.first == 2) {
        words_write(text, text_bytes,
                    first ? _("The terms k = %d and %d") : _("the terms k = %d and %d"), run.first,
                    last);
    } else {
        words_write(text, text_bytes,
                    first ? _("The terms k = %d to %d") : _("the terms k = %d to %d"), run.first,
                    last);
    }
}

// The tile size whose last, partial tile the run is, or 0.
static int32_t partial_tile(struct term_run run, int32_t terms) {
    for (int t = 0; t < (int)COUNT(run_tiles); t++) {
        if (run.end == terms && terms > run_tiles[t] &&
            run.end - run.first == terms % run_tiles[t]) {
            return run_tiles[t];
        }
    }
    return 0;
}

// The dimension at which the sum ends, "M" or "N"; NULL if the number may also be the tile size.
static const char *end_name(struct size size, int32_t end) {
    bool any = end % TILE_LEAST != 0;
    return any && end == size.m && matmul_names(size, 'M')   ? "M"
           : any && end == size.n && matmul_names(size, 'N') ? "N"
                                                             : NULL;
}

static void missing_run_text(struct size size, struct term_run run, char *text, size_t text_bytes) {
    char name[96];
    bool one = run.end - run.first == 1;
    int32_t tile = partial_tile(run, size.k);
    run_name(run, true, name, sizeof name);
    if (run.first == 0 && run.end == 1) {
        words_write(text, text_bytes, _("%s, the first one, is missing."), name);
    } else if (run.first == size.k - 1) {  // one step too few also leaves this: names no tile
        words_write(text, text_bytes, _("%s, the last one, is missing."), name);
    } else if (tile > 0) {
        words_write(text, text_bytes, one ? _("%s is missing.") : _("%s are missing."), name);
        words_sentence(text, text_bytes,
                       "The terms after the last whole tile of %d are not in the sum.", tile);
    } else if (run.first == 0 && 2 * run.end >= size.k) {
        run_name((struct term_run){run.end, size.k}, false, name, sizeof name);
        words_write(text, text_bytes,
                    size.k - run.end == 1 ? _("Only %s is in the sum.")
                                          : _("Only %s are in the sum."),
                    name);
        words_sentence(text, text_bytes, "Earlier terms are lost.");
    } else if (run.end == size.k && end_name(size, run.first)) {
        words_write(text, text_bytes, one ? _("%s is missing.") : _("%s are missing."), name);
        words_sentence(text, text_bytes, "The sum ends at %s, not at K.",
                       end_name(size, run.first));
    } else if (run.end == size.k && 2 * run.first <= size.k) {
        run_name((struct term_run){0, run.first}, false, name, sizeof name);
        words_write(text, text_bytes,
                    run.first == 1 ? _("Only %s is in the sum.") : _("Only %s are in the sum."),
                    name);
        words_sentence(text, text_bytes, "It ends too early.");
    } else {
        words_write(text, text_bytes, one ? _("%s is missing.") : _("%s are missing."), name);
    }
}

static void doubled_run_text(struct size size, struct term_run run, char *text, size_t text_bytes) {
    char name[96];
    if (run.first == 0 && run.end == size.k) {
        words_write(text, text_bytes, _("Every term is in the sum twice."));
        return;
    }
    run_name(run, true, name, sizeof name);
    words_write(text, text_bytes,
                run.end - run.first == 1 ? _("%s is in the sum twice.")
                                         : _("%s are in the sum twice."),
                name);
}

static void class_text(const struct run_search *search, int32_t period, int32_t residue, char *text,
                       size_t text_bytes) {
    words_write(text, text_bytes,
                search->twice ? _("One term in %d is in the sum twice: k = %d, %d and so on.")
                              : _("One term in %d is missing: k = %d, %d and so on."),
                period, residue, residue + period);
}

static enum explained runs_explain(struct run_search *search, char *text, size_t text_bytes) {
    struct size size = search->seen->size;
    struct term_run run = {0, 0};
    int32_t period = 0;
    int32_t residue = 0;
    enum runs_outcome outcome = run_find(search, &run);
    if (outcome == ONE_FITS) {
        const struct terms terms = {run.first, run.end, 1, search->twice};
        if (!terms_hold_all(search->seen, terms)) {
            return EXPLAINED_NOTHING;
        }
        if (search->twice) {
            doubled_run_text(size, run, text, text_bytes);
        } else {
            missing_run_text(size, run, text, text_bytes);
        }
        return run.end - run.first == size.k ? EXPLAINED_ALL_TERMS : EXPLAINED_TERMS;
    }
    if (outcome == NOTHING_FITS && class_find(search, &period, &residue) == ONE_FITS) {
        const struct terms terms = {residue, size.k, period, search->twice};
        if (terms_hold_all(search->seen, terms)) {
            class_text(search, period, residue, text, text_bytes);
            return EXPLAINED_TERMS;
        }
    }
    return EXPLAINED_NOTHING;
}

enum explained matmul_runs_explain(const struct output_seen *seen, char *text, size_t bytes) {
    struct run_search search = {.seen = seen};
    enum explained explained = EXPLAINED_NOTHING;
    sample_take(&search);
    prefix_fill(&search);
    for (int twice = 0; twice < 2 && explained == EXPLAINED_NOTHING; twice++) {
        search.twice = twice == 1;
        for (int w = 0; w < search.count; w++) {
            double less = seen_want(seen, search.sample[w]) - seen_got(seen, search.sample[w]);
            search.missing[w] = (int32_t)(int64_t)(search.twice ? -less : less);
        }
        explained = runs_explain(&search, text, bytes);
    }
    free(search.prefix);
    return explained;
}

// An index formula, row * stride + column.  Letters: i j k, 0, t for k modulo the tile, and for a
// tile with row and column exchanged p q (in A) and r s (in B).
struct formula {
    char row;
    int8_t row_shift;
    char stride;  // M N K
    char column;
    int8_t column_shift;
    bool bounded;  // outside of the matrix it gives 0, not the neighbour in memory
    const char *note;
};

// A note names a cause, so it is given only if nothing else gives the same C.  A row of A or a
// column of B that is too far has no note: C may be stored too far instead.  The first formula of
// each table is the right one.  If two give the same numbers, the earlier one is named.
static const struct formula formulas_of_a[] = {
    {'i', 0, 'K', 'k', 0, false, ""},
    {'k', 0, 'K', 'i', 0, false, N_("Row and column of A are exchanged.")},
    {'k', 0, 'M', 'i', 0, false, N_("A is read column by column; it is stored row by row.")},
    {'i', 0, 'N', 'k', 0, false, N_("A row of A has K elements, not N.")},
    {'i', 0, 'M', 'k', 0, false, N_("A row of A has K elements, not M.")},
    {'j', 0, 'K', 'k', 0, false, N_("The column of C is used as the row of A.")},
    {'i', 1, 'K', 'k', 0, false, ""},
    {'i', -1, 'K', 'k', 0, false, ""},
    {'i', 0, 'K', 'k', 1, false, N_("A is read one element too far.")},
    {'i', 0, 'K', 'k', -1, false, N_("A is read one element too early.")},
    {'i', 0, 'K', 'k', 1, true, N_("The k of A is larger by one than the k of B.")},
    {'i', 0, 'K', 'k', -1, true, N_("The k of A is smaller by one than the k of B.")},
    {'0', 0, 'K', 'k', 0, false, ""},
    {'i', 0, 'K', '0', 0, false, N_("A is always read from its first column.")},
    {'i', 0, 'K', 't', 0, false, N_("A is always read from its first tile.")},
    {'p', 0, 'K', 'q', 0, true, N_("In the tiles of A row and column are exchanged.")},
};
static const struct formula formulas_of_b[] = {
    {'k', 0, 'N', 'j', 0, false, ""},
    {'j', 0, 'N', 'k', 0, false, N_("Row and column of B are exchanged.")},
    {'j', 0, 'K', 'k', 0, false, N_("B is read column by column; it is stored row by row.")},
    {'k', 0, 'K', 'j', 0, false, N_("A row of B has N elements, not K.")},
    {'k', 0, 'M', 'j', 0, false, N_("A row of B has N elements, not M.")},
    {'k', 0, 'N', 'i', 0, false, N_("The row of C is used as the column of B.")},
    {'k', 0, 'N', 'j', 1, false, ""},
    {'k', 0, 'N', 'j', -1, false, ""},
    {'k', 0, 'N', 'j', 1, true, ""},
    {'k', 0, 'N', 'j', -1, true, ""},
    {'0', 0, 'N', 'j', 0, false, N_("B is always read from its first row.")},
    {'k', 0, 'N', '0', 0, false, ""},
    {'t', 0, 'N', 'j', 0, false, N_("B is always read from its first tile.")},
    {'r', 0, 'N', 's', 0, true, N_("In the tiles of B row and column are exchanged.")},
};
static const int32_t factor_tiles[] = {8, 16, 32, 64};

#define FACTORS_WORK_MAX                                                                           \
    (200ull * 1000 * 1000)    // multiply-adds: a second or two for each candidate
#define EXACT_MAX 16777216.0  // 2^24: sums of magnitudes below it are exact in fp32
struct factor_hypothesis {
    const struct formula *a, *b;
    int32_t tile;  // 0: no formula has a t
};

static bool needs_tile(const struct formula *formula) {
    return strchr("tpr", formula->row) || strchr("tqs", formula->column);
}

// A term of the sum of an element.
struct term_place {
    int32_t row, column, k, tile;
};

static int64_t letter_value(char letter, const struct term_place *at) {
    switch (letter) {
    case 'i':
        return at->row;
    case 'j':
        return at->column;
    case 'k':
        return at->k;
    case 't':
        return at->k % at->tile;
    case 'p':
        return at->row - at->row % at->tile + at->k % at->tile;
    case 'q':
        return at->k - at->k % at->tile + at->row % at->tile;
    case 'r':
        return at->k - at->k % at->tile + at->column % at->tile;
    case 's':
        return at->column - at->column % at->tile + at->k % at->tile;
    default:
        return 0;
    }
}

// The factor that the formula reads from A (0) or B (1); 0 outside of the allocation.  An access
// there is a separate finding, so here a condition has prevented it. *ret_doubt is set if a shift
// leads there: the kernel may use a small value instead.
static float factor(const struct output_seen *seen, int input, const struct formula *formula,
                    const struct term_place *at, bool *ret_doubt) {
    const struct size size = seen->size;
    int64_t rows = input == 0 ? size.m : size.k;
    int64_t columns = input == 0 ? size.k : size.n;
    int64_t row = letter_value(formula->row, at) + formula->row_shift;
    int64_t column = letter_value(formula->column, at) + formula->column_shift;
    int64_t index = row * matmul_dimension(size, formula->stride) + column;
    if (index < 0 || index >= rows * columns ||
        (formula->bounded && (row < 0 || row >= rows || column < 0 || column >= columns))) {
        *ret_doubt |= formula->row_shift != 0 || formula->column_shift != 0;
        return 0.0f;
    }
    return ((const float *)seen->input[input])[index];
}

// True if the element holds the sum of the hypothesis.  Wrong pairs of factors may have sums that
// fp32 must round.
static bool hypothesis_holds(const struct output_seen *seen, uint64_t element,
                             const void *context) {
    const struct factor_hypothesis *hypothesis = context;
    int32_t terms = seen->size.k;
    int32_t tile = hypothesis->tile;
    struct term_place at = {.row = (int32_t)(element / seen->width),
                            .column = (int32_t)(element % seen->width),
                            .tile = tile};
    double sum = 0;  // exact: below 2^53
    double magnitude = 0;
    bool doubt = false;
    if (tile > 0 && needs_tile(hypothesis->a) && needs_tile(hypothesis->b)) {
        terms = (terms + tile - 1) / tile * tile;  // the last tile is whole too
    }
    for (; at.k < terms; at.k++) {
        double a = factor(seen, 0, hypothesis->a, &at, &doubt);
        double b = factor(seen, 1, hypothesis->b, &at, &doubt);
        sum += a * b;
        magnitude += fabs(a * b);
    }
    double tolerance = magnitude < EXACT_MAX ? 0 : terms * magnitude / EXACT_MAX;
    return fabs(seen_got(seen, element) - sum) <= tolerance && !(doubt && tolerance > 0);
}

// True if every element of C, wrong or right, holds the sum of the hypothesis.
static bool hypothesis_fits(const struct output_seen *seen, struct factor_hypothesis hypothesis,
                            uint64_t rivals) {
    return is_enough(seen, seen->wrong, rivals) &&
           seen_all_wrong(seen, hypothesis_holds, &hypothesis) &&
           seen_all_right(seen, hypothesis_holds, &hypothesis);
}

static void index_text(char letter, int shift, int32_t tile, char *text, size_t text_bytes) {
    if (letter == 't') {
        (void)snprintf(text, text_bytes, "k %% %d", tile);
    } else if (shift != 0) {
        (void)snprintf(text, text_bytes, "%c %c %d", letter, shift > 0 ? '+' : '-', abs(shift));
    } else {
        (void)snprintf(text, text_bytes, "%c", letter);
    }
}

// "A[i][k + 1]", or "A[i * N + k]" if the row length is not the matrix's own.
static void formula_text(char matrix, char own_stride, const struct formula *formula, int32_t tile,
                         char *text, size_t text_bytes) {
    char row[24];
    char column[24];
    index_text(formula->row, formula->row_shift, tile, row, sizeof row);
    index_text(formula->column, formula->column_shift, tile, column, sizeof column);
    if (formula->stride == own_stride) {
        (void)snprintf(text, text_bytes, "%c[%s][%s]", matrix, row, column);
    } else {
        (void)snprintf(text, text_bytes, "%c[%s * %c + %s]", matrix, row, formula->stride, column);
    }
}

// Without notes the text is empty if only a note could name the tiles.
static void hypothesis_text(struct factor_hypothesis hypothesis, bool notes, char *text,
                            size_t text_bytes) {
    char a[64];
    char b[64];
    formula_text('A', 'K', hypothesis.a, hypothesis.tile, a, sizeof a);
    formula_text('B', 'N', hypothesis.b, hypothesis.tile, b, sizeof b);
    text[0] = '\0';
    if (notes) {
        words_sentence(text, text_bytes, "%s", hypothesis.a->note);
        words_sentence(text, text_bytes, "%s", hypothesis.b->note);
    }
    // For 'p' and 'r' the note is clearer than a formula.
    if (hypothesis.a->row != 'p' && hypothesis.b->row != 'r') {
        words_sentence(text, text_bytes, "C[i][j] is the sum over k of %s * %s.", a, b);
    }
}

// The hypotheses that fit: the first one, whether others say something else about C, and whether
// one has a row length that this size does not distinguish from others.
struct factors_found {
    struct factor_hypothesis hypothesis;
    bool any, several, untold;
};

// True if the two have the same note, or both exchange row and column: in the whole matrix, or in a
// tile that contains the whole matrix.
static bool notes_agree(const struct formula *one, const struct formula *other,
                        const char *exchanged) {
    return strcmp(one->note, other->note) == 0 ||
           (strchr(exchanged, one->row) && strchr(exchanged, other->row));
}

static bool says_same(struct factor_hypothesis one, struct factor_hypothesis other) {
    return notes_agree(one.a, other.a, "kp") && notes_agree(one.b, other.b, "jr");
}

static bool is_told(struct factor_hypothesis hypothesis, struct size size) {
    return (hypothesis.a->stride == 'K' || matmul_names(size, hypothesis.a->stride)) &&
           (hypothesis.b->stride == 'N' || matmul_names(size, hypothesis.b->stride));
}

// Tries formula f of A with formula g of B.
static void pair_try(const struct output_seen *seen, int f, int g, uint64_t rivals,
                     struct factors_found *found) {
    const struct formula *a = &formulas_of_a[f];
    const struct formula *b = &formulas_of_b[g];
    bool by_tiles = needs_tile(a) || needs_tile(b);
    for (int t = 0; t < (by_tiles ? (int)COUNT(factor_tiles) : 1); t++) {
        struct factor_hypothesis hypothesis = {
            .a = a, .b = b, .tile = by_tiles ? factor_tiles[t] : 0};
        if (hypothesis_fits(seen, hypothesis, rivals)) {
            found->several |= found->any && !says_same(found->hypothesis, hypothesis);
            found->untold |= !is_told(hypothesis, seen->size) &&
                             !(found->any && says_same(found->hypothesis, hypothesis));
            found->hypothesis = found->any ? found->hypothesis : hypothesis;
            found->any = true;
            return;
        }
    }
}

static bool reads_part(const struct factor_hypothesis *hypothesis) {
    const struct formula *formula[] = {hypothesis->a, hypothesis->b};
    bool part = false;
    for (size_t i = 0; i < COUNT(formula); i++) {
        part |= strchr("0t", formula[i]->row) || strchr("0t", formula[i]->column);
    }
    return part;
}

enum explained matmul_factors_explain(const struct output_seen *seen, bool rivals, char *text,
                                      size_t bytes) {
    const int count_a = (int)COUNT(formulas_of_a);
    const int count_b = (int)COUNT(formulas_of_b);
    struct factors_found of_a = {.any = false};
    struct factors_found of_b = {.any = false};
    struct factors_found of_both = {.any = false};
    if (size_multiply_adds(seen->size) > FACTORS_WORK_MAX) {
        return EXPLAINED_NOTHING;
    }
    for (int f = 1; f < count_a; f++) {
        pair_try(seen, f, 0, (uint64_t)(count_a + count_b), &of_a);
    }
    for (int g = 1; g < count_b; g++) {
        pair_try(seen, 0, g, (uint64_t)(count_a + count_b), &of_b);
    }
    if (of_a.any && of_b.any) {
        return EXPLAINED_NOTHING;  // as if a size is 1: neither is reported
    }
    const struct factors_found *found = of_a.any ? &of_a : of_b.any ? &of_b : &of_both;
    if (found == &of_both) {
        for (int f = 1; f < count_a; f++) {
            for (int g = 1; g < count_b; g++) {
                pair_try(seen, f, g, (uint64_t)count_a * (uint64_t)count_b, &of_both);
            }
        }
    }
    if (!found->any || found->untold) {
        return EXPLAINED_NOTHING;
    }
    // Several causes give this C: the formula is right for it, but no cause is certain.
    hypothesis_text(found->hypothesis, !rivals && !found->several, text, bytes);
    return text[0] == '\0'                  ? EXPLAINED_NOTHING
           : reads_part(&found->hypothesis) ? EXPLAINED_PART
                                            : EXPLAINED_PLACES;
}
