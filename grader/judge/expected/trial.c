// Which operation of expected.c was not done, or done otherwise?  Which of its sums is wrong?
// expected.c itself answers: it is run with a change (include/expected/trial.h), until its result
// is that of the launch.
//
// A change is reported only if it gives every element, if the wrong ones are so many and so far
// from the right values that no chance explains that, and if no other change of its sort gives them
// too.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/compose.h"
#include "judge/expected/trying.h"

#define BITS_MIN       20.0  // some ten changes are tried: 6 bits
#define BITS_OF_NAN    1.0
#define BITS_OF_STEP   2.0   // sums of exponentials that are 0 or 1 are small whole numbers
#define BITS_OF_REAL   24.0  // at most
#define BITS_TELLING   8     // of whole numbers
#define OPERATIONS_MAX (UINT64_C(16) << 20)  // of all calls of a search: some 0.3 s
#define ELEMENTS_MAX   (1u << 18)
#define FEW_SAMPLES    16  // of the outputs: nearly every call that does not agree differs in them

// --- What agreement is worth --------------------------------------------------------------------

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

// Adds what it is worth that a wrong element has the value of a call.
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

// False if the call does not give some of the elements; true for a trial that counts calls or runs,
// which needs all of them.
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
         e = expected_next(&made.results, seen->parameter, e + 1)) {
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

bool trying_adds_up(const struct expected_site *site) {
    return site->accumulator > 0 && site->longest > 1;
}

void trying_begin(struct trying *trying, enum expected_way way, int where) {
    trying->trial = (struct expected_trial){.way = way};
    // Sites keep the operand that is the result so far, which is known after two terms.
    trying->trial.site_count = trying->found.site_count;
    for (uint32_t i = 0; i < trying->found.site_count; i++) {
        const struct expected_site *site = &trying->found.site[i];
        trying->trial.site[i] = (struct expected_site){
            .pc = site->pc, .operation = site->operation, .accumulator = site->accumulator};
    }
    trying->trial.where[0] = trying->found.site[where].pc;
    trying->trial.where_count = 1;
}

bool trying_call_fits(struct trying *trying) {
    if (trying->calls_max == 0) {
        return false;
    }
    trying->calls_max--;
    return seen_agrees(trying->seen, &trying->arguments, &trying->agreement);
}

void trying_line(const struct trying *trying, int where, char text[TRYING_LINE_BYTES]) {
    const struct expected_program *program = trying->seen->made->plan.program;
    int line = expected_line(program, trying->found.site[where].pc);
    (void)snprintf(text, TRYING_LINE_BYTES, line > 0 ? "%s:%d" : "%s", program->path, line);
}

// --- Other operations ---------------------------------------------------------------------------

// What another operation may be done instead, and what is said then.
static const struct instead {
    enum expected_operation of, instead;
    const char *text;
} instead_list[] = {
    {OPERATION_SUM, OPERATION_FIRST, N_("The result is that without the addition.")},
    {OPERATION_SUM, OPERATION_SECOND,
     N_("The result is that without the first operand of the addition.")},
    {OPERATION_SUM, OPERATION_FIRST_TWICE,
     N_("The result is that with the first operand of the addition taken twice.")},
    {OPERATION_SUM, OPERATION_SECOND_TWICE,
     N_("The result is that with the second operand of the addition taken twice.")},
    {OPERATION_SUM, OPERATION_DIFFERENCE,
     N_("The result is that with a subtraction in place of the addition.")},
    {OPERATION_SUM, OPERATION_PRODUCT,
     N_("The result is that with a multiplication in place of the addition.")},
    {OPERATION_DIFFERENCE, OPERATION_FIRST, N_("The result is that without the subtraction.")},
    {OPERATION_DIFFERENCE, OPERATION_SUM,
     N_("The result is that with an addition in place of the subtraction.")},
    {OPERATION_PRODUCT, OPERATION_FIRST,
     N_("The result is that without the second factor of the multiplication.")},
    {OPERATION_PRODUCT, OPERATION_SECOND,
     N_("The result is that without the first factor of the multiplication.")},
    {OPERATION_PRODUCT, OPERATION_SUM,
     N_("The result is that with an addition in place of the multiplication.")},
    {OPERATION_PRODUCT, OPERATION_QUOTIENT,
     N_("The result is that with a division in place of the multiplication.")},
    {OPERATION_QUOTIENT, OPERATION_FIRST, N_("The result is that without the division.")},
    {OPERATION_QUOTIENT, OPERATION_PRODUCT,
     N_("The result is that with a multiplication in place of the division.")},
    {OPERATION_LARGER, OPERATION_FIRST,
     N_("The result is that with the first value in place of the maximum.")},
    {OPERATION_SMALLER, OPERATION_FIRST,
     N_("The result is that with the first value in place of the minimum.")},
    {OPERATION_LARGER, OPERATION_SMALLER,
     N_("The result is that with the minimum in place of the maximum.")},
    {OPERATION_SMALLER, OPERATION_LARGER,
     N_("The result is that with the maximum in place of the minimum.")},
    {OPERATION_FUNCTION, OPERATION_FIRST, N_("The result is that without the function.")},
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

// Each operation alone; and all that are the same left out, as an expression may be there twice.
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

enum status seen_trial(const struct output_seen *seen, enum explained *ret_explained, char *text,
                       size_t bytes, struct error *err) {
    char cause[EXPECTED_TEXT_MAX] = "";
    char place[TRYING_LINE_BYTES];
    struct fit fit = {.count = 0};
    enum explained explained = EXPLAINED_NOTHING;
    // NaN among right values is telling whatever the inputs are.
    bool is_telling = seen_tells_apart(seen) || !isfinite(seen_got(seen, seen->first));
    if (elements_of(seen->made) > ELEMENTS_MAX || seen->sampled < seen->elements ||
        !element_is_real(seen->declared->element)) {
        return STATUS_OK;
    }
    struct trying *trying = calloc(1, sizeof *trying);
    if (!trying) {
        return fail(err, STATUS_NO_MEMORY, "no memory to explain a wrong result");
    }
    trying->seen = seen;
    trying->arguments = (struct expected_arguments){
        .size = seen->made->plan.size, .key = seen->made->key, .trial = &trying->trial};
    memcpy(trying->arguments.values, seen->made->values, sizeof seen->made->values);
    enum status status = STATUS_OK;
    if (sites_find(trying)) {
        operations_try(trying, &fit);
        if (fit.count == 1 && fit.agreement.bits >= BITS_MIN && fit.agreement.several &&
            is_telling) {
            trying_line(trying, fit.where, place);
            words_write(cause, sizeof cause, "%s", instead_list[fit.instead].text);
            words_sentence(cause, sizeof cause, _("The line is %s."), place);
            explained = EXPLAINED_TERMS;
        } else if (fit.count == 0 && seen->made->form != DRAW_STEPS) {
            status = trying_sums(trying, &explained, cause, sizeof cause, err);
        }
    }
    if (!status && cause[0] != '\0' && trying->calls_max > 0) {
        words_write(text, bytes, "%s", cause);
        *ret_explained = explained;
    }
    free(trying);
    return status;
}
