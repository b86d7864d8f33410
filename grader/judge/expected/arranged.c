// Was an input read at other places?  expected.c is called with the elements of one input in
// another order, until its result is that of the launch.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/compose.h"
#include "judge/expected/seen.h"

#define ORDER_ELEMENTS_MAX (1u << 18)
#define BITS_MIN           16.0  // some thirty orders are tried: 5 bits

enum order { ORDER_SHIFTED, ORDER_REVERSED, ORDER_TURNED, ORDER_ROWS, ORDER_COLUMNS };

struct arrangement {
    int input;
    enum order order;
    int64_t by;    // of ORDER_SHIFTED: elements
    bool is_kept;  // an element that would come from outside is as it was, else 0
};

struct order_search {
    const struct output_seen *seen;
    struct expected_arguments arguments;
    void *changed;  // room for one input
    int fits;
    struct arrangement found;
    struct agreement agreement;
};

static const struct signature *order_signature(const struct order_search *search) {
    return search->seen->made->plan.program->signature;
}

// The place that an element comes from; below 0 or beyond the last: outside.
static int64_t place_of(const struct arrangement *arrangement, int64_t at, int64_t width,
                        int64_t height) {
    int64_t row = at / width;
    int64_t column = at % width;
    switch (arrangement->order) {
    case ORDER_SHIFTED:
        return at + arrangement->by;
    case ORDER_REVERSED:
        return width * height - 1 - at;
    case ORDER_TURNED:
        return at % height * width + at / height;  // as if it had `height` columns
    case ORDER_ROWS:
        return (height - 1 - row) * width + column;
    default:
        return row * width + width - 1 - column;
    }
}

static void arrangement_try(struct order_search *search, struct arrangement arrangement) {
    const struct expected_case *made = search->seen->made;
    const struct parameter *input = &order_signature(search)->parameter[arrangement.input];
    const unsigned char *values = made->values[arrangement.input];
    int64_t elements = (int64_t)parameter_elements(order_signature(search), input, made->plan.size);
    int64_t width =
        (int64_t)parameter_extent(order_signature(search), input, input->rank - 1, made->plan.size);
    uint64_t bytes = element_bytes(input->element);
    unsigned char *changed = search->changed;
    struct agreement agreement;
    for (int64_t at = 0; at < elements; at++) {
        int64_t from = place_of(&arrangement, at, width, elements / width);
        bool inside = from >= 0 && from < elements;
        if (inside || arrangement.is_kept) {
            memcpy(changed + at * (int64_t)bytes, values + (inside ? from : at) * (int64_t)bytes,
                   bytes);
        } else {
            memset(changed + at * (int64_t)bytes, 0, bytes);
        }
    }
    if (memcmp(changed, values, (size_t)elements * bytes) == 0 || search->fits > 1) {
        return;
    }
    search->arguments.values[arrangement.input] = changed;
    if (seen_agrees(search->seen, &search->arguments, &agreement)) {
        search->fits++;
        search->found = arrangement;
        search->agreement = agreement;
    }
    search->arguments.values[arrangement.input] = values;
}

static void input_try(struct order_search *search, int input) {
    static const int64_t steps[] = {1, 2, 4, 32};
    const struct parameter *declared = &order_signature(search)->parameter[input];
    int64_t width = (int64_t)parameter_extent(order_signature(search), declared, declared->rank - 1,
                                              search->seen->made->plan.size);
    for (size_t i = 0; i <= COUNT(steps); i++) {
        int64_t by = i < COUNT(steps) ? steps[i] : width;
        for (int way = 0; way < 4; way++) {
            bool is_again =
                i == COUNT(steps) && (declared->rank < 2 || by <= 2 || by == 4 || by == 32);
            if (!is_again) {
                arrangement_try(search, (struct arrangement){.input = input,
                                                             .order = ORDER_SHIFTED,
                                                             .by = way % 2 == 0 ? by : -by,
                                                             .is_kept = way >= 2});
            }
        }
    }
    for (enum order order = ORDER_REVERSED;
         order <= (declared->rank == 2 ? ORDER_COLUMNS : ORDER_REVERSED); order++) {
        arrangement_try(search, (struct arrangement){.input = input, .order = order});
    }
}

static void arrangement_text(const struct order_search *search, char *text, size_t bytes) {
    const struct arrangement *found = &search->found;
    const char *name = order_signature(search)->parameter[found->input].name;
    char from[80];
    switch (found->order) {
    case ORDER_SHIFTED:
        (void)snprintf(from, sizeof from, "%s[i %c %" PRId64 "]", name, found->by < 0 ? '-' : '+',
                       found->by < 0 ? -found->by : found->by);
        words_write(text, bytes,
                    _("The result is that with %s in place of %s[i]; i counts the elements row by "
                      "row."),
                    from, name);
        break;
    case ORDER_REVERSED:
        words_write(text, bytes, _("The result is that with the elements of %s in reverse order."),
                    name);
        break;
    case ORDER_TURNED:
        words_write(text, bytes, _("The result is that with the rows and columns of %s exchanged."),
                    name);
        break;
    case ORDER_ROWS:
        words_write(text, bytes, _("The result is that with the rows of %s in reverse order."),
                    name);
        break;
    case ORDER_COLUMNS:
        words_write(text, bytes, _("The result is that with each row of %s in reverse order."),
                    name);
        break;
    }
}

enum status seen_arranged(const struct output_seen *seen, enum explained *ret_explained, char *text,
                          size_t bytes, struct error *err) {
    struct order_search search = {
        .seen = seen, .arguments = {.size = seen->made->plan.size, .key = seen->made->key}};
    uint64_t most = 1;
    uint64_t all = 0;
    for (int i = 0; i < order_signature(&search)->parameter_count; i++) {
        uint64_t elements =
            parameter_elements(order_signature(&search), &order_signature(&search)->parameter[i],
                               seen->made->plan.size);
        search.arguments.values[i] = seen->made->values[i];
        most = elements > most ? elements : most;
        all += elements;
    }
    if (all > ORDER_ELEMENTS_MAX || seen->sampled < seen->elements || !seen_tells_apart(seen)) {
        return STATUS_OK;
    }
    search.changed = malloc(most * sizeof(double));
    if (!search.changed) {
        return fail(err, STATUS_NO_MEMORY, "no memory to explain a wrong result");
    }
    for (int i = 0; i < order_signature(&search)->parameter_count; i++) {
        const struct parameter *input = &order_signature(&search)->parameter[i];
        if (parameter_is_array(input) && parameter_is_input(input) &&
            parameter_elements(order_signature(&search), input, seen->made->plan.size) > 1) {
            input_try(&search, i);
        }
    }
    if (search.fits == 1 && search.agreement.bits >= BITS_MIN && search.agreement.several) {
        arrangement_text(&search, text, bytes);
        *ret_explained = EXPLAINED_PLACES;
    }
    free(search.changed);
    return STATUS_OK;
}
