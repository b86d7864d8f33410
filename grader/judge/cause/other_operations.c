// Finds the operation of expected.c that a kernel left out or replaced, and the sum or maximum that
// lacks some of its terms.  For this, expected.c is run with one change after another
// (include/expected/trial.h), until it gives the result of the launch.
//
// A change is reported only if it explains every element, if the wrong elements are too many and
// too far from the right values for chance, and if no other change of its sort explains them too.
// For a sum, calls with other values in place of each of its runs show which elements depend on it;
// one wrong element of each run then gives the value that it must have had, and all others must
// agree.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/compose.h"
#include "base/memory.h"
#include "judge/cause/output_seen.h"

#define TRYING_LINE_BYTES (PATH_BYTES_MAX + 16)

struct trying {
    const struct output_seen *seen;
    struct expected_arguments arguments;
    struct expected_trial found;  // the sites
    struct expected_trial trial;  // of the next call
    struct agreement agreement;   // of the last call that gave every element
    uint64_t calls_max;           // calls left; when they are used up, nothing is reported
};

static bool trying_adds_up(const struct expected_site *site);

static void trying_begin(struct trying *trying, enum expected_way way, int where);
static bool trying_call_fits(struct trying *trying);

static void trying_line(const struct trying *trying, int where, char text[TRYING_LINE_BYTES]);

#define WARP         32
#define BLOCK_MAX    1024
#define TAPE_MAX     (1u << 18)
#define BITS_OF_SUM  20.0  // bits by which the other elements agree with a value
#define BITS_BESIDES 8.0   // extra bits, because many parts are tried
#define NO_RUN       (-1)
#define PLACE_BYTES  80

// Terms of each run that are left out: see struct expected_trial.
struct sum_part {
    uint64_t block, first, last;
};

struct sum {
    int where;  // the site
    const struct expected_site *site;
    struct expected_trial recorded;       // the runs
    double *tape;                         // their terms
    int32_t *run;                         // [elements of the output]: the run that each depends on,
                                          // or NO_RUN
    double value[EXPECTED_RUNS_MAX];      // the value that the run must have had in the launch
    uint64_t witness[EXPECTED_RUNS_MAX];  // the wrong element that gives this value
    bool is_wrong[EXPECTED_RUNS_MAX];     // whether there is such an element
    double bits;                          // by which other elements agree
};

// How an element of the output may depend on the sum.
enum form { FORM_OFFSET, FORM_FACTOR, FORM_DIVISOR, FORM_EXPONENT, FORMS };

static double value_by(enum form form, double value, double got, double want) {
    switch (form) {
    case FORM_OFFSET:
        return value + (got - want);
    case FORM_FACTOR:
        return value * (got / want);
    case FORM_DIVISOR:
        return value * (want / got);
    default:
        return value - log(got / want);
    }
}

static double want_of(const struct output_seen *seen, uint64_t element) {
    double bound = 0;
    return expected_want(seen->made, seen->parameter, element, &bound);
}

// The relative error that a right kernel may have; 0: none.
static double part_of_bound(const struct output_seen *seen, uint64_t element) {
    double bound = 0;
    double want = expected_want(seen->made, seen->parameter, element, &bound);
    return bound > 0 && want != 0 ? fabs(bound / want) : bound;
}

static bool record(struct trying *trying, struct sum *sum) {
    struct expected_results results;
    trying_begin(trying, TRIAL_RECORD, sum->where);
    trying->trial.tape_max = sum->site->calls;
    trying->arguments.tape = sum->tape;
    enum status status =
        expected_run(trying->seen->made->plan.program, &trying->arguments, &results, NULL);
    trying->arguments.tape = NULL;
    if (status) {
        return false;
    }
    expected_results_done(&results);
    sum->recorded = trying->trial;
    return !sum->recorded.is_full && sum->recorded.run_count > 0;
}

// Begins a trial with other values of the runs.
static void values_begin(struct trying *trying, const struct sum *sum) {
    trying_begin(trying, TRIAL_VALUES, sum->where);
    trying->trial.run_count = sum->recorded.run_count;
    for (uint32_t k = 0; k < sum->recorded.run_count; k++) {
        trying->trial.call[k] = sum->recorded.call[k];
        trying->trial.value[k] = sum->recorded.value[k];
    }
}

// Finds the run of each element: its number, from 1, bit by bit.
static bool runs_find(struct trying *trying, struct sum *sum) {
    const struct output_seen *seen = trying->seen;
    for (uint64_t e = 0; e < seen->elements; e++) {
        sum->run[e] = 0;
    }
    for (uint32_t bit = 1; bit <= sum->recorded.run_count; bit *= 2) {
        struct expected_results results;
        struct expected_case made = *seen->made;
        values_begin(trying, sum);
        for (uint32_t k = 0; k < sum->recorded.run_count; k++) {
            trying->trial.value[k] += (k + 1) & bit ? fabs(trying->trial.value[k]) + 1 : 0;
        }
        if (expected_run(made.plan.program, &trying->arguments, &results, NULL)) {
            return false;
        }
        made.results = results;
        for (uint64_t e = 0; e < seen->elements; e++) {
            double bound = 0;
            double value = expected_want(&made, seen->parameter, e, &bound);
            sum->run[e] += value == want_of(seen, e) ? 0 : (int32_t)bit;
        }
        expected_results_done(&results);
    }
    for (uint64_t e = 0; e < seen->elements; e++) {
        // An element that depends on several runs may have any number.
        sum->run[e] = sum->run[e] <= (int32_t)sum->recorded.run_count ? sum->run[e] - 1 : NO_RUN;
    }
    return true;
}

// One wrong element of each run, the largest.  False if a wrong element depends on none.
static bool witnesses_choose(const struct output_seen *seen, struct sum *sum) {
    for (uint64_t e = seen->first; e <= seen->last; e++) {
        int32_t k = sum->run[e];
        if (!seen_is_wrong(seen, e)) {
            continue;
        }
        if (k < 0 || !isfinite(seen_got(seen, e))) {
            return false;
        }
        if (!sum->is_wrong[k] || fabs(want_of(seen, e)) > fabs(want_of(seen, sum->witness[k]))) {
            sum->witness[k] = e;
        }
        sum->is_wrong[k] = true;
    }
    return true;
}

// The evidence that the other elements of the runs add.
static double bits_of_others(const struct output_seen *seen, const struct sum *sum) {
    double bits = 0;
    for (uint64_t e = seen->first; e <= seen->last; e++) {
        double bound = 0;
        double want = expected_want(seen->made, seen->parameter, e, &bound);
        double error = fabs(seen_got(seen, e) - want);
        if (!seen_is_wrong(seen, e) || want == want_of(seen, sum->witness[sum->run[e]])) {
            continue;
        }
        bits += bound > 0 ? log2(error / bound) : log2(1 + error);
    }
    return bits;
}

static bool values_solve(struct trying *trying, struct sum *sum) {
    const struct output_seen *seen = trying->seen;
    for (enum form form = FORM_OFFSET; form < FORMS; form++) {
        bool is_number = true;
        values_begin(trying, sum);
        for (uint32_t k = 0; k < sum->recorded.run_count; k++) {
            sum->value[k] = sum->recorded.value[k];
            if (sum->is_wrong[k]) {
                uint64_t e = sum->witness[k];
                sum->value[k] = value_by(form, sum->value[k], seen_got(seen, e), want_of(seen, e));
            }
            is_number = is_number && isfinite(sum->value[k]);
            trying->trial.value[k] = sum->value[k];
        }
        if (is_number && trying_call_fits(trying)) {
            sum->bits = fmin(trying->agreement.bits, bits_of_others(seen, sum));
            return true;
        }
    }
    return false;
}

// --- Parts of the terms -------------------------------------------------------------------------

static bool is_left_out(const struct sum_part *part, uint64_t index) {
    uint64_t place = part->block > 0 ? index % part->block : index;
    return place >= part->first && place <= part->last;
}

static double combine(uint32_t operation, double a, double b) {
    switch (operation) {
    case OPERATION_DIFFERENCE:
        return a - b;
    case OPERATION_PRODUCT:
        return a * b;
    case OPERATION_LARGER:
        return fmax(a, b);
    case OPERATION_SMALLER:
        return fmin(a, b);
    default:
        return a + b;
    }
}

// The value of a run without the terms that are left out.
static double value_of_part(const struct sum *sum, uint32_t run, const struct sum_part *part) {
    uint64_t first = run == 0 ? 0 : sum->recorded.call[run - 1];
    double value = sum->recorded.base[run];
    uint64_t before = value != 0;  // a nonzero base counts as a term
    for (uint64_t i = first; i < sum->recorded.call[run]; i++) {
        if (!is_left_out(part, i - first + before)) {
            value = combine(sum->site->operation, value, sum->tape[i]);
        }
    }
    return value;
}

// True if each run has the value of this part; *ret_bits: the worth of this evidence.
static bool part_fits(const struct output_seen *seen, const struct sum *sum,
                      const struct sum_part *part, double *ret_bits) {
    *ret_bits = 0;
    for (uint32_t k = 0; k < sum->recorded.run_count; k++) {
        if (!sum->is_wrong[k]) {
            continue;
        }
        double share = part_of_bound(seen, sum->witness[k]);
        double margin = 2 * share * fmax(fabs(sum->value[k]), fabs(sum->recorded.value[k]));
        double error = fabs(sum->value[k] - sum->recorded.value[k]);
        if (!(fabs(value_of_part(sum, k, part) - sum->value[k]) <= margin)) {
            return false;
        }
        *ret_bits += margin > 0 ? fmax(0, log2(error / margin)) : log2(1 + error);
    }
    return true;
}

static bool is_same_part(const struct sum_part *a, const struct sum_part *b, uint64_t terms) {
    for (uint64_t i = 0; i < terms; i++) {
        if (is_left_out(a, i) != is_left_out(b, i)) {
            return false;
        }
    }
    return true;
}

struct sum_parts {
    struct trying *trying;
    const struct sum *sum;
    uint64_t tried;
    int fits;
    struct sum_part part;
    double bits;
};

static void part_try(struct sum_parts *parts, uint64_t block, uint64_t first, uint64_t last) {
    const struct sum_part part = {block, first, last};
    double bits = 0;
    parts->tried++;
    if (!part_fits(parts->trying->seen, parts->sum, &part, &bits) ||
        (parts->fits > 0 && is_same_part(&part, &parts->part, parts->sum->site->longest))) {
        return;
    }
    trying_begin(parts->trying, TRIAL_TERMS, parts->sum->where);
    parts->trying->trial.block = block;
    parts->trying->trial.first = first;
    parts->trying->trial.last = last;
    if (trying_call_fits(parts->trying)) {
        parts->fits++;
        parts->part = part;
        parts->bits = bits;
    }
}

// The parts into which threads, warps and blocks divide a sum.
static void parts_try(struct sum_parts *parts) {
    uint64_t terms = parts->sum->site->longest;
    part_try(parts, 0, terms - 1, terms - 1);
    part_try(parts, 0, 0, 0);
    for (uint64_t block = 1; block <= BLOCK_MAX && block < terms; block *= 2) {
        part_try(parts, 0, block, UINT64_MAX);
        part_try(parts, 0, (terms - 1) / block * block, UINT64_MAX);
        part_try(parts, 0, 0, (terms - 1) / block * block - 1);
    }
    for (uint64_t block = 2; block <= BLOCK_MAX && block < terms;
         block += block < WARP ? block : WARP) {
        for (uint64_t some = 1; some < block; some *= 2) {
            part_try(parts, block, some, block - 1);
            part_try(parts, block, 0, some - 1);
        }
        part_try(parts, block, block - 1, block - 1);
    }
}

static void part_text(const struct sum_parts *parts, const char *place, char *text, size_t bytes) {
    const struct sum_part *part = &parts->part;
    uint64_t terms = parts->sum->site->longest;
    if (part->block == 0 && part->last == 0) {
        words_write(text, bytes,
                    _("The result is what %s gives without the first of %" PRIu64 " terms."), place,
                    terms);
    } else if (part->block == 0 && part->first + 1 == terms) {
        words_write(text, bytes,
                    _("The result is what %s gives without the last of %" PRIu64 " terms."), place,
                    terms);
    } else if (part->block == 0 && part->first == 0) {
        words_write(
            text, bytes,
            _("The result is what %s gives with only the last %" PRIu64 " of %" PRIu64 " terms."),
            place, terms - part->last - 1, terms);
    } else if (part->block == 0) {
        words_write(
            text, bytes,
            _("The result is what %s gives with only the first %" PRIu64 " of %" PRIu64 " terms."),
            place, part->first, terms);
    } else if (part->last + 1 == part->block) {
        words_write(text, bytes,
                    _("The result is what %s gives with only the first %" PRIu64 " of each %" PRIu64
                      " terms."),
                    place, part->first, part->block);
    } else {
        words_write(text, bytes,
                    _("The result is what %s gives with only the last %" PRIu64 " of each %" PRIu64
                      " terms."),
                    place, part->block - part->last - 1, part->block);
    }
}

// --- The search ---------------------------------------------------------------------------------

static enum explained sum_text(struct trying *trying, const struct sum *sum, char *text,
                               size_t bytes) {
    struct sum_parts parts = {.trying = trying, .sum = sum};
    char place[TRYING_LINE_BYTES];
    char element[PLACE_BYTES];
    uint32_t first = 0;
    parts_try(&parts);
    trying_line(trying, sum->where, place);
    while (!sum->is_wrong[first]) {
        first++;
    }
    if (parts.fits == 1 && parts.bits >= log2((double)parts.tried) + BITS_BESIDES) {
        part_text(&parts, place, text, bytes);
        return EXPLAINED_TERMS;
    }
    if (sum->bits < BITS_OF_SUM) {
        return EXPLAINED_NOTHING;
    }
    seen_place(trying->seen, sum->witness[first], element, sizeof element);
    uint32_t operation = sum->site->operation;
    words_write(text, bytes,
                operation == OPERATION_SUM
                    ? _("The result is what %s gives if its sum for %s is %.9g instead of %.9g: "
                        "everything after that line is right.")
                : operation == OPERATION_LARGER
                    ? _("The result is what %s gives if its maximum for %s is %.9g instead of "
                        "%.9g: everything after that line is right.")
                : operation == OPERATION_SMALLER
                    ? _("The result is what %s gives if its minimum for %s is %.9g instead of "
                        "%.9g: everything after that line is right.")
                    : _("The result is what %s gives if its value for %s is %.9g instead of %.9g: "
                        "everything after that line is right."),
                place, element, sum->value[first], sum->recorded.value[first]);
    return EXPLAINED_ALL_TERMS;
}

// Leaves the text as it is if this sum does not fit: EXPLAINED_NOTHING.
static enum explained sum_try(struct trying *trying, int where, char *text, size_t bytes) {
    struct sum *sum = xcalloc(1, sizeof *sum);
    enum explained explained = EXPLAINED_NOTHING;
    sum->where = where;
    sum->site = &trying->found.site[where];
    sum->tape = xmalloc(sum->site->calls * sizeof(double));
    sum->run = xmalloc(trying->seen->elements * sizeof *sum->run);
    if (record(trying, sum) && runs_find(trying, sum) && witnesses_choose(trying->seen, sum) &&
        values_solve(trying, sum)) {
        explained = sum_text(trying, sum, text, bytes);
    }
    free(sum->tape);
    free(sum->run);
    free(sum);
    return explained;
}

// Finds the one sum that is wrong, if everything else is right: EXPLAINED_ALL_TERMS if only the sum
// is known, EXPLAINED_TERMS if also the terms used.  The text is "" if no sum or more than one
// fits.
static enum explained trying_sums(struct trying *trying, char *text, size_t bytes) {
    enum explained found = EXPLAINED_NOTHING;
    int fits = 0;
    for (int i = 0; i < (int)trying->found.site_count; i++) {
        const struct expected_site *site = &trying->found.site[i];
        bool tries = trying_adds_up(site) && site->calls <= TAPE_MAX;
        enum explained explained = tries ? sum_try(trying, i, text, bytes) : EXPLAINED_NOTHING;
        found = explained != EXPLAINED_NOTHING ? explained : found;
        fits += explained != EXPLAINED_NOTHING;
    }
    if (fits != 1) {
        text[0] = '\0';
        return EXPLAINED_NOTHING;
    }
    return found;
}

#define BITS_MIN       20.0  // some ten changes are tried: 6 bits
#define BITS_OF_NAN    1.0
#define BITS_OF_STEP   2.0   // sums of exponentials that are 0 or 1 are small whole numbers
#define BITS_OF_REAL   24.0  // at most
#define BITS_TELLING   8     // of whole numbers
#define OPERATIONS_MAX (UINT64_C(16) << 20)  // operations in all calls of a search: some 0.3 s
#define ELEMENTS_MAX   (1u << 18)
#define FEW_SAMPLES    16  // outputs: nearly every call that disagrees differs in them

// --- The value of agreement --------------------------------------------------------------------

// Values that are wrong by the same amount, or by the same factor, count once.
static bool is_known(double key, struct agreement *agreement) {
    for (int i = 0; i < agreement->count; i++) {
        if (fabs(key - agreement->key[i]) <= 1e-4 * fabs(key)) {
            return true;
        }
    }
    if (agreement->count < AGREEMENT_KEYS) {
        agreement->key[agreement->count++] = key;
        return false;
    }
    return true;
}

bool seen_tells_apart(const struct output_seen *seen) {
    const struct expected_case *made = seen->made;
    return made->form == DRAW_REAL || (made->form == DRAW_EXACT && made->wide < 0 &&
                                       made->width.bits >= BITS_TELLING && made->width.wide >= 1);
}

// --- A call -------------------------------------------------------------------------------------

// Adds the evidence that a wrong element has the value of a call.
static void agreement_add(const struct output_seen *seen, uint64_t element, double bound,
                          struct agreement *agreement) {
    double right_bound = 0;
    double want = expected_want(seen->made, seen->parameter, element, &right_bound);
    double got = seen_got(seen, element);
    double error = fabs(got - want);
    if (!isfinite(error)) {
        // NaN everywhere has many causes.
        agreement->bits += seen->wrong < seen->elements ? BITS_OF_NAN : 0;
        agreement->several = agreement->bits >= AGREEMENT_SEVERAL;
    } else if (!is_known(right_bound > 0 && want != 0 ? got / want : got - want, agreement)) {
        bool is_step = seen->made->form == DRAW_STEPS && right_bound > 0;
        double bits = is_step ? BITS_OF_STEP : bound == 0 ? log2(1 + error) : log2(error / bound);
        agreement->bits += fmin(BITS_OF_REAL, fmax(0, bits));
        agreement->several |= agreement->count >= AGREEMENT_SEVERAL;
    }
}

// False if some elements disagree with the call; true for a trial that counts calls or runs, which
// needs all elements.
static bool few_agree(const struct output_seen *seen, const struct expected_arguments *arguments) {
    struct expected_arguments few = *arguments;
    struct expected_trial trial;
    struct expected_case made = *seen->made;
    bool fits = true;
    if (few.trial) {
        if (few.trial->way != TRIAL_OPERATION) {
            return true;
        }
        trial = *few.trial;
        few.trial = &trial;
    }
    few.samples = made.plan.samples = FEW_SAMPLES;
    if (expected_run(made.plan.program, &few, &made.results, NULL)) {
        return false;
    }
    for (uint64_t e = expected_next(&made.results, seen->parameter, 0); fits && e < seen->elements;
         e = expected_after(&made.results, seen->parameter, e)) {
        double bound = 0;
        fits =
            expected_compare(&made, seen->parameter, seen->values, e) != ELEMENT_WRONG ||
            (isnan(seen_got(seen, e)) && isnan(expected_want(&made, seen->parameter, e, &bound)));
    }
    expected_results_done(&made.results);
    return fits;
}

bool seen_agrees(const struct output_seen *seen, const struct expected_arguments *arguments,
                 struct agreement *agreement) {
    struct expected_results results;
    bool fits = true;
    *agreement = (struct agreement){.bits = 0};
    if (!few_agree(seen, arguments) ||
        expected_run(seen->made->plan.program, arguments, &results, NULL)) {
        return false;
    }
    struct expected_case made = *seen->made;
    made.results = results;
    for (uint64_t e = 0; fits && e < seen->elements; e++) {
        double bound = 0;
        double value = expected_want(&made, seen->parameter, e, &bound);
        fits = expected_compare(&made, seen->parameter, seen->values, e) == ELEMENT_RIGHT ||
               (isnan(seen_got(seen, e)) && isnan(value));
        if (fits && seen_is_wrong(seen, e)) {
            agreement_add(seen, e, bound, agreement);
        }
    }
    expected_results_done(&results);
    return fits;
}

// True for a site that adds up terms, or takes the largest of them.
static bool trying_adds_up(const struct expected_site *site) {
    return site->accumulator > 0 && site->longest > 1;
}

// Begins a trial that changes a site.
static void trying_begin(struct trying *trying, enum expected_way way, int where) {
    trying->trial = (struct expected_trial){.way = way};
    // Sites keep the operand that is the running result, which is known after two terms.
    trying->trial.site_count = trying->found.site_count;
    for (uint32_t i = 0; i < trying->found.site_count; i++) {
        const struct expected_site *site = &trying->found.site[i];
        trying->trial.site[i] = (struct expected_site){
            .pc = site->pc, .operation = site->operation, .accumulator = site->accumulator};
    }
    trying->trial.where[0] = trying->found.site[where].pc;
    trying->trial.where_count = 1;
}

// Runs it; true if it gives every element of the output.
static bool trying_call_fits(struct trying *trying) {
    if (trying->calls_max == 0) {
        return false;
    }
    trying->calls_max--;
    return seen_agrees(trying->seen, &trying->arguments, &trying->agreement);
}

// "lessons/250_softmax/expected.c:13"
static void trying_line(const struct trying *trying, int where, char text[TRYING_LINE_BYTES]) {
    const struct expected_program *program = trying->seen->made->plan.program;
    int line = expected_line(program, trying->found.site[where].pc);
    (void)snprintf(text, TRYING_LINE_BYTES, line > 0 ? "%s:%d" : "%s", program->path, line);
}

// --- Other operations ---------------------------------------------------------------------------

// An operation that may replace another, and the sentence that reports it.
static const struct instead {
    enum expected_operation of, instead;
    const char *text;
} instead_list[] = {
    {OPERATION_SUM, OPERATION_FIRST, N_("The result is what you get without the addition.")},
    {OPERATION_SUM, OPERATION_SECOND,
     N_("The result is what you get without the first operand of the addition.")},
    {OPERATION_SUM, OPERATION_FIRST_TWICE,
     N_("The result is what you get with the first operand of the addition taken twice.")},
    {OPERATION_SUM, OPERATION_SECOND_TWICE,
     N_("The result is what you get with the second operand of the addition taken twice.")},
    {OPERATION_SUM, OPERATION_DIFFERENCE,
     N_("The result is what you get with a subtraction in place of the addition.")},
    {OPERATION_SUM, OPERATION_PRODUCT,
     N_("The result is what you get with a multiplication in place of the addition.")},
    {OPERATION_DIFFERENCE, OPERATION_FIRST,
     N_("The result is what you get without the subtraction.")},
    {OPERATION_DIFFERENCE, OPERATION_SUM,
     N_("The result is what you get with an addition in place of the subtraction.")},
    {OPERATION_PRODUCT, OPERATION_FIRST,
     N_("The result is what you get without the second factor of the multiplication.")},
    {OPERATION_PRODUCT, OPERATION_SECOND,
     N_("The result is what you get without the first factor of the multiplication.")},
    {OPERATION_PRODUCT, OPERATION_SUM,
     N_("The result is what you get with an addition in place of the multiplication.")},
    {OPERATION_PRODUCT, OPERATION_QUOTIENT,
     N_("The result is what you get with a division in place of the multiplication.")},
    {OPERATION_QUOTIENT, OPERATION_FIRST, N_("The result is what you get without the division.")},
    {OPERATION_QUOTIENT, OPERATION_PRODUCT,
     N_("The result is what you get with a multiplication in place of the division.")},
    {OPERATION_LARGER, OPERATION_FIRST,
     N_("The result is what you get with the first value in place of the maximum.")},
    {OPERATION_SMALLER, OPERATION_FIRST,
     N_("The result is what you get with the first value in place of the minimum.")},
    {OPERATION_LARGER, OPERATION_SMALLER,
     N_("The result is what you get with the minimum in place of the maximum.")},
    {OPERATION_SMALLER, OPERATION_LARGER,
     N_("The result is what you get with the maximum in place of the minimum.")},
    {OPERATION_FUNCTION, OPERATION_FIRST, N_("The result is what you get without the function.")},
};

// One change that fits, or several.
struct fit {
    int count;
    size_t instead;
    int where;
    struct agreement agreement;
};

static void instead_try(struct trying *trying, size_t instead, int where, bool is_all,
                        struct fit *fit) {
    const struct instead *change = &instead_list[instead];
    trying_begin(trying, TRIAL_OPERATION, where);
    trying->trial.instead = change->instead;
    for (uint32_t i = (uint32_t)where + 1; is_all && i < trying->found.site_count; i++) {
        if (trying->found.site[i].operation == change->of) {
            trying->trial.where[trying->trial.where_count++] = trying->found.site[i].pc;
        }
    }
    bool is_new = !is_all || trying->trial.where_count > 1;
    if (is_new && fit->count < 2 && trying_call_fits(trying)) {
        *fit = (struct fit){fit->count + 1, instead, where, trying->agreement};
    }
}

// Tries each operation alone; then leaves out all equal ones, as an expression may occur twice.
static void operations_try(struct trying *trying, struct fit *fit) {
    for (size_t i = 0; i < COUNT(instead_list); i++) {
        bool is_twice = instead_list[i].instead >= OPERATION_FIRST_TWICE;
        bool is_first = true;
        for (int k = 0; k < (int)trying->found.site_count; k++) {
            const struct expected_site *site = &trying->found.site[k];
            if (site->operation != instead_list[i].of || (is_twice && trying_adds_up(site))) {
                continue;
            }
            instead_try(trying, i, k, false, fit);
            if (is_first && instead_list[i].instead == OPERATION_FIRST) {
                instead_try(trying, i, k, true, fit);
            }
            is_first = false;
        }
    }
}

// --- The search ---------------------------------------------------------------------------------

// Finds the sites, by a call that changes nothing.
static bool sites_find(struct trying *trying) {
    struct expected_results results;
    uint64_t operations = 1;
    if (expected_run(trying->seen->made->plan.program, &trying->arguments, &results, NULL)) {
        return false;
    }
    expected_results_done(&results);
    trying->found = trying->trial;
    for (uint32_t i = 0; !trying->found.is_full && i < trying->found.site_count; i++) {
        operations += trying->found.site[i].calls;
    }
    trying->calls_max = OPERATIONS_MAX / operations;
    return !trying->found.is_full && trying->found.site_count > 0;
}

static uint64_t elements_of(const struct expected_case *made) {
    const struct signature *signature = made->plan.program->signature;
    uint64_t elements = 0;
    for (int i = 0; i < signature->parameter_count; i++) {
        elements += parameter_elements(signature, &signature->parameter[i], made->plan.size);
    }
    return elements;
}

void seen_other_operation(const struct output_seen *seen, enum explained *ret_explained, char *text,
                          size_t bytes) {
    char cause[EXPECTED_TEXT_MAX] = "";
    char place[TRYING_LINE_BYTES];
    struct fit fit = {.count = 0};
    enum explained explained = EXPLAINED_NOTHING;
    // NaN among right values is evidence with any inputs.
    bool is_telling = seen_tells_apart(seen) || !isfinite(seen_got(seen, seen->first));
    if (elements_of(seen->made) > ELEMENTS_MAX || seen->sampled < seen->elements ||
        !element_is_real(seen->declared->element)) {
        return;
    }
    struct trying *trying = xcalloc(1, sizeof *trying);
    trying->seen = seen;
    trying->arguments = (struct expected_arguments){
        .size = seen->made->plan.size, .key = seen->made->key, .trial = &trying->trial};
    memcpy(trying->arguments.values, seen->made->values, sizeof seen->made->values);
    if (sites_find(trying)) {
        operations_try(trying, &fit);
        if (fit.count == 1 && fit.agreement.bits >= BITS_MIN && fit.agreement.several &&
            is_telling) {
            trying_line(trying, fit.where, place);
            words_write(cause, sizeof cause, "%s", instead_list[fit.instead].text);
            words_sentence(cause, sizeof cause, _("The line is %s."), place);
            explained = EXPLAINED_TERMS;
        } else if (fit.count == 0 && seen->made->form != DRAW_STEPS) {
            explained = trying_sums(trying, cause, sizeof cause);
        }
    }
    if (cause[0] != '\0' && trying->calls_max > 0) {
        words_write(text, bytes, "%s", cause);
        *ret_explained = explained;
    }
    free(trying);
}
