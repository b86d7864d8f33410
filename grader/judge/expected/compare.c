// Compares arrays element by element: see compare.h.
#include "judge/expected/compare.h"

#include <math.h>
#include <string.h>

static const struct parameter *compared_parameter(const struct expected_case *made, int i) {
    return &made->plan.program->signature->parameter[i];
}

// True for an element of an inout array that expected.c leaves as it was.
static bool is_left(const struct expected_case *made, int parameter, uint64_t element) {
    return made->plan.samples == 0 && parameter_is_input(compared_parameter(made, parameter)) &&
           expected_numbers(&made->results, parameter)[element].bound == 0;
}

double expected_want(const struct expected_case *made, int parameter, uint64_t element,
                     double *ret_bound) {
    enum element_type type = compared_parameter(made, parameter)->element;
    *ret_bound = 0;
    if (!element_is_real(type)) {
        return draw_value(type, expected_wholes(&made->results, parameter, 0), element);
    }
    const struct expected_result *result = &expected_numbers(&made->results, parameter)[element];
    *ret_bound = result->bound == EXPECTED_EXACT ? 0 : result->bound;
    return is_left(made, parameter, element) ? draw_value(type, made->values[parameter], element)
                                             : result->value;
}

static bool is_computed(const struct expected_case *made, int parameter, uint64_t element) {
    enum element_type type = compared_parameter(made, parameter)->element;
    if (element_is_real(type)) {
        // A bound that is infinite decides nothing.
        double bound = expected_numbers(&made->results, parameter)[element].bound;
        return (bound != 0 && isfinite(bound)) || is_left(made, parameter, element);
    }
    uint64_t bytes = element_bytes(type);
    const unsigned char *first = expected_wholes(&made->results, parameter, 0);
    const unsigned char *second = expected_wholes(&made->results, parameter, 1);
    return memcmp(first + element * bytes, second + element * bytes, bytes) == 0;
}

// Whole numbers are compared bit by bit.
static bool whole_is_right(const struct expected_case *made, int parameter, const void *values,
                           uint64_t element) {
    uint64_t bytes = element_bytes(compared_parameter(made, parameter)->element);
    const unsigned char *want = expected_wholes(&made->results, parameter, 0);
    return memcmp(want + element * bytes, (const unsigned char *)values + element * bytes, bytes) ==
           0;
}

static bool is_right(const struct expected_case *made, int parameter, const void *values,
                     uint64_t element) {
    enum element_type type = compared_parameter(made, parameter)->element;
    double bound = 0;
    if (!element_is_real(type)) {
        return whole_is_right(made, parameter, values, element);
    }
    double want = expected_want(made, parameter, element, &bound);
    double got = draw_value(type, values, element);
    // NaN is wrong, -0 is 0; an infinite result has no distance.
    return got == want || fabs(got - want) <= bound;
}

enum element_state expected_compare(const struct expected_case *made, int parameter,
                                    const void *values, uint64_t element) {
    enum element_type type = compared_parameter(made, parameter)->element;
    if (!is_computed(made, parameter, element)) {
        return ELEMENT_NOT_SAMPLED;
    }
    if (is_right(made, parameter, values, element)) {
        return ELEMENT_RIGHT;
    }
    bool is_output = !parameter_is_input(compared_parameter(made, parameter));
    return is_output && expected_is_poison(type, values, element) ? ELEMENT_UNWRITTEN
                                                                  : ELEMENT_WRONG;
}
