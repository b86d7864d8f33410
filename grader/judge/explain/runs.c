// Which terms are missing from a sum, or in it twice?  With prefix sums P of each wrong element's
// terms, the run [first, end) fits where P[end] - P[first] is what is missing, for every element.
#include <stdio.h>
#include <stdlib.h>

#include "base/basics.h"
#include "base/compose.h"
#include "judge/explain/evidence.h"

#define RUNS_WORK_MAX 1e9  // terms that are added to test a run in all of C

struct term_run {
    int32_t first, end;
};

struct run_search {
    const struct evidence *evidence;
    int32_t *prefix;                // [wrong.count][K + 1]
    int32_t missing[EVIDENCE_MAX];  // want - got, or got - want where terms are sought that are in
                                    // it twice
    bool twice;
};

enum runs_outcome { NOTHING_FITS, ONE_FITS, SEVERAL_FIT };

static const int32_t periods[] = {2, 4, 8, 16, 32, 64};

// Tile sizes, tried from usual to odd: a kernel may leave out the rest after whole tiles.
static const int32_t run_tiles[] = {16, 32, 64, 8};
#define TILE_LEAST 8

static const int32_t *prefix_of(const struct run_search *search, int element) {
    return search->prefix + (size_t)element * ((size_t)search->evidence->size.k + 1);
}

static bool prefix_fill(struct run_search *search) {
    const struct evidence *evidence = search->evidence;
    struct size size = evidence->size;
    size_t row = (size_t)size.k + 1;
    search->prefix = calloc(row * EVIDENCE_MAX, sizeof *search->prefix);
    if (!search->prefix) {
        return false;
    }
    for (int w = 0; w < evidence->wrong.count; w++) {
        const float *a = evidence->a + (size_t)evidence->wrong.list[w].row * (size_t)size.k;
        const float *b = evidence->b + evidence->wrong.list[w].column;
        int32_t *prefix = search->prefix + (size_t)w * row;
        for (int32_t k = 0; k < size.k; k++) {
            prefix[k + 1] = prefix[k] + (int32_t)(a[k] * b[(size_t)k * (size_t)size.n]);
        }
    }
    return true;
}

static bool run_fits(const struct run_search *search, struct term_run run) {
    for (int w = 0; w < search->evidence->wrong.count; w++) {
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
    for (int32_t k = 0; k < search->evidence->size.k; k++) {
        if (run_fits(search, (struct term_run){k, k + 1})) {
            outcome = outcome == NOTHING_FITS ? ONE_FITS : SEVERAL_FIT;
            *ret_run = (struct term_run){k, k + 1};
        }
    }
    return outcome;
}

// From the runs that mistakes make to any run; each only if so many elements can tell so many runs
// apart.
static enum runs_outcome run_find(const struct run_search *search, struct term_run *ret_run) {
    int32_t terms = search->evidence->size.k;
    uint64_t count = (uint64_t)terms;
    int elements = search->evidence->wrong.count;
    enum runs_outcome outcome =
        runs_try(search, (struct term_run){0, 1}, (struct term_run){terms, terms + 1}, ret_run);
    if (outcome == NOTHING_FITS && evidence_is_enough(search->evidence, elements, count)) {
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
    if (outcome == NOTHING_FITS &&
        evidence_is_enough(search->evidence, elements, count * count / 2)) {
        outcome =
            runs_try(search, (struct term_run){0, terms}, (struct term_run){1, terms + 1}, ret_run);
    }
    return outcome;
}

static bool class_fits(const struct run_search *search, int32_t period, int32_t residue) {
    int32_t terms = search->evidence->size.k;
    for (int w = 0; w < search->evidence->wrong.count; w++) {
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
    if (!evidence_is_enough(search->evidence, search->evidence->wrong.count, 2 * 64)) {
        return outcome;
    }
    for (int p = 0; p < (int)COUNT(periods); p++) {
        for (int32_t residue = 0; residue < periods[p]; residue++) {
            if (residue + periods[p] < search->evidence->size.k &&
                class_fits(search, periods[p], residue)) {
                outcome = outcome == NOTHING_FITS ? ONE_FITS : SEVERAL_FIT;
                *ret_period = periods[p];
                *ret_residue = residue;
            }
        }
    }
    return outcome;
}

// Terms that are missing from an element, or in it twice.
struct terms {
    int32_t first, end, step;
    bool twice;
};

static bool terms_hold(const struct evidence *evidence, const struct matmul_element *element,
                       const void *hypothesis) {
    const struct terms *terms = hypothesis;
    const float *a = evidence->a + (size_t)element->row * (size_t)evidence->size.k;
    const float *b = evidence->b + element->column;
    bool whole = terms->first == 0 && terms->end == evidence->size.k && terms->step == 1;
    double sum = whole ? (double)element->want : 0;  // exact: of whole numbers
    for (int32_t k = terms->first; k < terms->end && !whole; k += terms->step) {
        sum += (double)a[k] * (double)b[(size_t)k * (size_t)evidence->size.n];
    }
    double less = (double)element->want - (double)element->got;
    return (terms->twice ? -less : less) == sum;
}

// Tests every wrong element, unless that takes more than a few seconds.
static bool terms_hold_all(const struct evidence *evidence, struct terms terms) {
    double work = (double)evidence->wrong.added * (terms.end - terms.first) / terms.step;
    return work <= RUNS_WORK_MAX && evidence_all_wrong(evidence, terms_hold, &terms);
}

// "the terms k = 3 to 5"; first says that a sentence starts with it.
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

// The dimension at which the sum ends, "M" or "N"; NULL if the number may be that of a tile too.
static const char *end_name(struct size size, int32_t end) {
    bool any = end % TILE_LEAST != 0;
    return any && end == size.m && evidence_names(size, 'M')   ? "M"
           : any && end == size.n && evidence_names(size, 'N') ? "N"
                                                               : NULL;
}

static void missing_run_text(struct size size, struct term_run run, char *text, size_t text_bytes) {
    char name[96];
    bool one = run.end - run.first == 1;
    int32_t tile = partial_tile(run, size.k);
    run_name(run, true, name, sizeof name);
    if (run.first == 0 && run.end == size.k) {
        words_write(text, text_bytes, _("No term is in the sum, or each is 0."));
    } else if (run.first == 0 && run.end == 1) {
        words_write(text, text_bytes, _("%s, the first one, is missing."), name);
    } else if (run.first == size.k - 1) {  // also what one step too few leaves: names no tile
        words_write(text, text_bytes, _("%s, the last one, is missing."), name);
    } else if (tile > 0) {
        words_write(text, text_bytes, one ? _("%s is missing.") : _("%s are missing."), name);
        words_sentence(text, text_bytes, "What remains after whole tiles of %d is not in the sum.",
                       tile);
    } else if (run.first == 0 && 2 * run.end >= size.k) {
        run_name((struct term_run){run.end, size.k}, false, name, sizeof name);
        words_write(text, text_bytes,
                    size.k - run.end == 1 ? _("Only %s is in the sum.")
                                          : _("Only %s are in the sum."),
                    name);
        words_sentence(text, text_bytes, "What was added before is lost.");
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
    struct size size = search->evidence->size;
    struct term_run run = {0, 0};
    int32_t period = 0;
    int32_t residue = 0;
    enum runs_outcome outcome = run_find(search, &run);
    if (outcome == ONE_FITS) {
        const struct terms terms = {run.first, run.end, 1, search->twice};
        if (!terms_hold_all(search->evidence, terms)) {
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
        if (terms_hold_all(search->evidence, terms)) {
            class_text(search, period, residue, text, text_bytes);
            return EXPLAINED_TERMS;
        }
    }
    return EXPLAINED_NOTHING;
}

enum explained explain_by_runs(const struct evidence *evidence, char *text, size_t text_bytes) {
    struct run_search search = {.evidence = evidence};
    enum explained explained = EXPLAINED_NOTHING;
    if (prefix_fill(&search)) {  // without memory there is no explanation
        for (int twice = 0; twice < 2 && explained == EXPLAINED_NOTHING; twice++) {
            search.twice = twice == 1;
            for (int w = 0; w < evidence->wrong.count; w++) {
                int64_t less = evidence->wrong.list[w].want - (int64_t)evidence->wrong.list[w].got;
                search.missing[w] = search.twice ? -less : less;
            }
            explained = runs_explain(&search, text, text_bytes);
        }
    }
    free(search.prefix);
    return explained;
}
