// Finds an input that was left out, counted twice, or read at other places. expected.c itself is
// called with fewer elements, with some inputs set to 0 or doubled, or with the elements of one
// input in another order, until its result is that of the launch.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/compose.h"
#include "base/memory.h"
#include "judge/cause/output_seen.h"

#define OPERAND_ELEMENTS_MAX (1u << 18)  // elements of all arrays: a call takes some milliseconds
// Bits by which the results must differ from the right ones, so that agreement is not by chance:
// for one missing or repeated element, of which few are tried, and for many.
#define BITS_OF_ONE  12.0
#define BITS_OF_MANY 14.0

static const uint64_t blocks[] = {1, 32, 64, 128, 256, 512, 1024, 2048, 4096, 16, 8, 4, 2};

#define CHANGES_MAX (4 + 5 * 13)  // of one input

// Elements of an input: all of [first, last], or these places in each block.
struct change {
    int input;
    double factor;   // 0 or 2
    uint64_t block;  // 0: a range
    uint64_t first, last;
};

struct operand_search {
    const struct output_seen *seen;
    struct expected_arguments arguments;
    void *changed;               // room for one input
    double bits;                 // of all errors
    struct agreement agreement;  // not used: sums of many terms are weighed differently
};

static const struct signature *signature_of(const struct operand_search *search) {
    return search->seen->made->plan.program->signature;
}

// Bits of the differences between the output and the right values.  Neighbours with the same
// difference count once: in a scan, one missing term is in all sums after it.
static double bits_of_errors(const struct output_seen *seen) {
    double bits = 0;
    double before = 0;
    for (uint64_t e = 0; e < seen->elements; e++) {
        double error = fabs(seen_got(seen, e) - seen_want(seen, e));
        if (error != before && error >= 1) {
            bits += log2(error) + 1;
        }
        before = error;
    }
    return bits;
}

static bool is_changed(const struct change *change, uint64_t element) {
    uint64_t place = change->block > 0 ? element % change->block : element;
    return place >= change->first && place <= change->last;
}

static bool change_fits(struct operand_search *search, const struct change *change) {
    const struct expected_case *made = search->seen->made;
    const struct parameter *input = &signature_of(search)->parameter[change->input];
    uint64_t elements = parameter_elements(signature_of(search), input, made->plan.size);
    const float *values = made->values[change->input];
    float *changed = search->changed;
    for (uint64_t e = 0; e < elements; e++) {
        changed[e] = is_changed(change, e) ? values[e] * (float)change->factor : values[e];
    }
    search->arguments.values[change->input] = changed;
    bool fits = seen_agrees(search->seen, &search->arguments, &search->agreement);
    search->arguments.values[change->input] = values;
    return fits;
}

static void change_text(const struct operand_search *search, const struct change *change,
                        char *text, size_t bytes) {
    const struct parameter *input = &signature_of(search)->parameter[change->input];
    struct size size = search->seen->made->plan.size;
    char first[80];
    char last[80];
    parameter_place(signature_of(search), input, size, change->first, first, sizeof first);
    parameter_place(signature_of(search), input, size, change->last, last, sizeof last);
    if (change->block > 0 && change->first > 0 && change->last + 1 == change->block &&
        change->first < change->last) {
        words_write(text, bytes,
                    _("The result is what you get from only the first %" PRIu64 " of each %" PRIu64
                      " elements of %s: the others are missing."),
                    change->first, change->block, input->name);
    } else if (change->block > 0) {
        words_write(text, bytes,
                    change->factor > 0 ? _("Number %" PRIu64 " of each %" PRIu64
                                           " elements of %s, from 0, is counted twice.")
                                       : _("Number %" PRIu64 " of each %" PRIu64
                                           " elements of %s, from 0, is missing."),
                    change->first, change->block, input->name);
    } else if (change->first == change->last) {
        words_write(text, bytes,
                    change->factor > 0 ? _("%s is counted twice.") : _("%s is missing."), first);
    } else {
        words_write(text, bytes,
                    change->factor > 0 ? _("%s to %s are counted twice.")
                                       : _("%s to %s are missing."),
                    first, last);
    }
}

// The changes of one input that are tried, in their order.
static int changes_make(int input, uint64_t elements, struct change list[CHANGES_MAX]) {
    int count = 0;
    for (int twice = 0; twice < 2; twice++) {
        double factor = twice ? 2 : 0;
        list[count++] = (struct change){input, factor, 0, elements - 1, elements - 1};
        list[count++] = (struct change){input, factor, 0, 0, 0};
    }
    for (size_t i = 0; i < COUNT(blocks); i++) {
        uint64_t block = blocks[i];
        uint64_t whole = elements / block * block;
        if (block < 2 || block >= elements) {
            continue;
        }
        if (whole < elements) {
            list[count++] = (struct change){input, 0, 0, whole, elements - 1};
        }
        list[count++] = (struct change){input, 0, 0, block, elements - 1};
        list[count++] = (struct change){input, 0, block, block - 1, block - 1};
        list[count++] = (struct change){input, 0, block, 1, block - 1};
        if (block > 32) {
            list[count++] = (struct change){input, 0, block, 32, block - 1};
        }
    }
    return count;
}

static bool changes_explain(struct operand_search *search, char *text, size_t bytes) {
    struct change list[CHANGES_MAX];
    for (int i = 0; i < signature_of(search)->parameter_count; i++) {
        const struct parameter *input = &signature_of(search)->parameter[i];
        uint64_t elements =
            parameter_elements(signature_of(search), input, search->seen->made->plan.size);
        if (!parameter_is_input(input) || input->element != ELEMENT_FLOAT || elements < 3) {
            continue;
        }
        int count = changes_make(i, elements, list);
        for (int k = 0; k < count; k++) {
            bool is_one = list[k].block == 0 && list[k].first == list[k].last;
            if (search->bits >= (is_one ? BITS_OF_ONE : BITS_OF_MANY) &&
                change_fits(search, &list[k])) {
                change_text(search, &list[k], text, bytes);
                return true;
            }
        }
    }
    return false;
}

// True if no output has another shape at the smaller size.
static bool is_same_output(const struct operand_search *search, struct size size) {
    const struct signature *signature = signature_of(search);
    for (int i = 0; i < signature->parameter_count; i++) {
        const struct parameter *parameter = &signature->parameter[i];
        if (parameter_is_output(parameter) &&
            parameter_elements(signature, parameter, size) !=
                parameter_elements(signature, parameter, search->seen->made->plan.size)) {
            return false;
        }
    }
    return true;
}

// Fewer elements: the end is missing.  This needs no input that can be 0.
static bool sizes_explain(struct operand_search *search, char *text, size_t bytes) {
    const struct size whole = search->seen->made->plan.size;
    for (int s = 0; s < signature_of(search)->size_count; s++) {
        uint64_t count = (uint64_t)whole.at[s];
        for (size_t i = 0; i < 2 * COUNT(blocks); i++) {
            uint64_t block = blocks[i / 2];
            uint64_t left = i % 2 == 0 ? (count - 1) / block * block : block;
            struct size size = whole;
            size.at[s] = (int32_t)left;
            // With two elements, "the first is missing" and "only the second is used" are the same.
            if (left == 0 || left >= count || count < 3 || !is_same_output(search, size) ||
                search->bits < (left + 1 == count ? BITS_OF_ONE : BITS_OF_MANY)) {
                continue;
            }
            search->arguments.size = size;
            bool fits = seen_agrees(search->seen, &search->arguments, &search->agreement);
            search->arguments.size = whole;
            if (fits) {
                words_write(text, bytes,
                            _("The result is what you get from the first %" PRIu64 " of %" PRIu64
                              " elements (%s): the others are missing."),
                            left, count, signature_of(search)->size_name[s]);
                return true;
            }
        }
    }
    return false;
}

void seen_missing_input(const struct output_seen *seen, enum explained *ret_explained, char *text,
                        size_t bytes) {
    struct operand_search search = {
        .seen = seen, .arguments = {.size = seen->made->plan.size, .key = seen->made->key}};
    uint64_t elements = 0;
    *ret_explained = EXPLAINED_NOTHING;
    text[0] = '\0';
    for (int i = 0; i < signature_of(&search)->parameter_count; i++) {
        search.arguments.values[i] = seen->made->values[i];
        elements += parameter_elements(signature_of(&search), &signature_of(&search)->parameter[i],
                                       seen->made->plan.size);
    }
    search.bits = bits_of_errors(seen);
    if (elements > OPERAND_ELEMENTS_MAX || seen->sampled < seen->elements ||
        search.bits < BITS_OF_ONE) {
        return;
    }
    search.changed = xmalloc(elements * sizeof(float));
    if (sizes_explain(&search, text, bytes) || changes_explain(&search, text, bytes)) {
        *ret_explained = EXPLAINED_TERMS;
    }
    free(search.changed);
}

#define ORDER_ELEMENTS_MAX (1u << 18)
#define BITS_MIN           16.0  // some thirty orders are tried: 5 bits

enum order {
    ORDER_SHIFTED,
    ORDER_REVERSED,
    ORDER_TURNED,
    ORDER_ROWS,
    ORDER_COLUMNS,
    ORDER_AXES  // of three: two exchanged, which are equally long
};

struct arrangement {
    int input;
    enum order order;
    int64_t by;    // of ORDER_SHIFTED: elements; of ORDER_AXES: the axis that stays, from 0
    bool is_kept;  // an element from outside keeps its value, else it is 0
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

static int64_t axes_place(int64_t stays, int64_t at, int64_t width, int64_t rows) {
    int64_t z = at / width / rows;
    int64_t y = at / width % rows;
    int64_t x = at % width;
    return stays == 0   ? (z * rows + x) * width + y
           : stays == 1 ? (x * rows + y) * width + z
                        : (y * rows + z) * width + x;
}

// The place that an element comes from; outside if below 0 or beyond the last.
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

// The rows of a plane of an array of three dimensions.
static int64_t rows_of(const struct order_search *search, const struct parameter *input) {
    return (int64_t)parameter_extent(order_signature(search), input, input->rank - 2,
                                     search->seen->made->plan.size);
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
        int64_t from = arrangement.order == ORDER_AXES
                           ? axes_place(arrangement.by, at, width, rows_of(search, input))
                           : place_of(&arrangement, at, width, elements / width);
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
    for (int64_t stays = 0; declared->rank == 3 && stays < 3; stays++) {
        uint64_t elements =
            parameter_elements(order_signature(search), declared, search->seen->made->plan.size);
        int64_t rows = rows_of(search, declared);
        int64_t planes = (int64_t)elements / width / rows;
        if (stays == 0 ? rows == width : stays == 1 ? planes == width : planes == rows) {
            arrangement_try(search,
                            (struct arrangement){.input = input, .order = ORDER_AXES, .by = stays});
        }
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
        words_write(
            text, bytes,
            _("The result is what you get with %s in place of %s[i]; i counts the elements row by "
              "row."),
            from, name);
        break;
    case ORDER_REVERSED:
        words_write(text, bytes,
                    _("The result is what you get with the elements of %s in reverse order."),
                    name);
        break;
    case ORDER_TURNED:
        words_write(text, bytes,
                    _("The result is what you get with the rows and columns of %s exchanged."),
                    name);
        break;
    case ORDER_ROWS:
        words_write(text, bytes,
                    _("The result is what you get with the rows of %s in reverse order."), name);
        break;
    case ORDER_COLUMNS:
        words_write(text, bytes,
                    _("The result is what you get with each row of %s in reverse order."), name);
        break;
    case ORDER_AXES:
        words_write(text, bytes,
                    found->by == 0   ? _("The result is what you get with the second and third "
                                           "index of %s exchanged.")
                    : found->by == 1 ? _("The result is what you get with the first and third "
                                         "index of %s exchanged.")
                                     : _("The result is what you get with the first and second "
                                         "index of %s exchanged."),
                    name);
        break;
    }
}

void seen_reordered_input(const struct output_seen *seen, enum explained *ret_explained, char *text,
                          size_t bytes) {
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
        return;
    }
    search.changed = xmalloc(most * sizeof(double));
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
}

// --- Copies --------------------------------------------------------------------------------------

#define COPY_ELEMENTS_MAX (1u << 16)
#define COPY_BITS_MIN     16.0

static int values_compare(const void *a, const void *b) {
    double first = *(const double *)a;
    double second = *(const double *)b;
    return (first > second) - (first < second);
}

// The values of an input, sorted.
static double *values_sorted(const struct output_seen *seen, int input, uint64_t elements) {
    double *values = xmalloc(elements * sizeof *values);
    for (uint64_t e = 0; e < elements; e++) {
        values[e] = draw_value(seen->signature->parameter[input].element, seen->input[input], e);
    }
    qsort(values, elements, sizeof *values, values_compare);
    return values;
}

static bool copies_input(const struct output_seen *seen, int input, uint64_t elements) {
    double *values = values_sorted(seen, input, elements);
    double range = values[elements - 1] - values[0] + 1;
    double bits = 0;
    bool good = range > (double)elements;
    for (uint64_t e = seen->first; e <= seen->last && good; e++) {
        double got = seen_got(seen, e);
        if (seen_is_wrong(seen, e)) {
            good = bsearch(&got, values, elements, sizeof *values, values_compare) != NULL;
            bits += log2(range / (double)elements);
        }
    }
    free(values);
    return good && bits >= COPY_BITS_MIN;
}

bool seen_copied_input(const struct output_seen *seen, char *text, size_t bytes) {
    for (int i = 0; i < seen->signature->parameter_count; i++) {
        const struct parameter *input = &seen->signature->parameter[i];
        uint64_t elements = parameter_elements(seen->signature, input, seen->size);
        if (!parameter_is_array(input) || !parameter_is_input(input) ||
            input->element != seen->declared->element || elements > COPY_ELEMENTS_MAX ||
            elements == 0 || seen->elements > COPY_ELEMENTS_MAX ||
            !copies_input(seen, i, elements)) {
            continue;
        }
        uint64_t at = elements;
        int found = 0;
        char place[80];
        char from[80];
        for (uint64_t e = 0; e < elements; e++) {
            bool is_here =
                draw_value(input->element, seen->input[i], e) == seen_got(seen, seen->first);
            at = is_here ? e : at;
            found += is_here;
        }
        if (found != 1) {
            continue;
        }
        seen_place(seen, seen->first, place, sizeof place);
        parameter_place(seen->signature, input, seen->size, at, from, sizeof from);
        words_write(text, bytes,
                    _("Each wrong element holds the value of an element of %s: %s holds that of "
                      "%s."),
                    input->name, place, from);
        return true;
    }
    return false;
}
