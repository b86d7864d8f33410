// Expressions by recursive descent, one function a level; the first fault ends the evaluation. A
// long double holds every whole number of 64 bits, so one evaluator is enough for both kinds of
// numbers.
//
// Shapes of a signature stay text and are evaluated where they are needed: an evaluation takes less
// than a microsecond.
#include "exercise/signature.h"

#include <assert.h>
#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/limits.h"

#define DEPTH_MAX 8  // parentheses in parentheses

_Static_assert(LDBL_MANT_DIG >= 64, "whole numbers of 64 bits are exact");

struct evaluation {
    const char *at;
    expression_number *number;
    const void *context;  // of number
    bool is_whole;
    int depth;
    enum expression_fault fault;
};

static long double sum_value(struct evaluation *evaluation);

static long double fail_at(struct evaluation *evaluation, enum expression_fault fault) {
    if (evaluation->fault == EXPRESSION_FINE) {
        evaluation->fault = fault;
    }
    return 0;
}

// The next character that is not a blank.
static char next(struct evaluation *evaluation) {
    evaluation->at += strspn(evaluation->at, " \t");
    return *evaluation->at;
}

static long double checked(struct evaluation *evaluation, long double value) {
    bool fits = evaluation->is_whole ? value >= -0x1p63L && value < 0x1p63L : isfinite(value);
    return fits ? value : fail_at(evaluation, EXPRESSION_LARGE);
}

static long double number_value(struct evaluation *evaluation) {
    char *end = NULL;
    long double value = strtold(evaluation->at, &end);
    // The rest of "1.5" or "1e3" is not an operator, so an error follows.
    evaluation->at =
        evaluation->is_whole ? evaluation->at + strspn(evaluation->at, "0123456789") : end;
    return checked(evaluation, value);
}

static long double name_value(struct evaluation *evaluation) {
    char name[EXPRESSION_NAME_BYTES];
    double value = 0;
    size_t length = 0;
    while (isalnum((unsigned char)evaluation->at[length]) || evaluation->at[length] == '_') {
        length++;
    }
    if (length >= sizeof name) {
        return fail_at(evaluation, EXPRESSION_NAME);
    }
    memcpy(name, evaluation->at, length);
    name[length] = '\0';
    if (!evaluation->number(evaluation->context, name, &value)) {
        return fail_at(evaluation, EXPRESSION_NAME);
    }
    evaluation->at += length;
    return value;
}

static long double factor_value(struct evaluation *evaluation) {
    char first = next(evaluation);
    if (isdigit((unsigned char)first)) {
        return number_value(evaluation);
    }
    if (isalpha((unsigned char)first) || first == '_') {
        return name_value(evaluation);
    }
    if (first != '(') {
        return fail_at(evaluation, EXPRESSION_SYNTAX);
    }
    if (++evaluation->depth > DEPTH_MAX) {
        return fail_at(evaluation, EXPRESSION_LARGE);
    }
    evaluation->at++;
    long double value = sum_value(evaluation);
    if (evaluation->fault == EXPRESSION_FINE && next(evaluation) != ')') {
        return fail_at(evaluation, EXPRESSION_SYNTAX);
    }
    evaluation->at += evaluation->fault == EXPRESSION_FINE;
    evaluation->depth--;
    return value;
}

static long double product_value(struct evaluation *evaluation) {
    long double value = factor_value(evaluation);
    while (evaluation->fault == EXPRESSION_FINE &&
           (next(evaluation) == '*' || *evaluation->at == '/')) {
        bool divides = *evaluation->at++ == '/';
        long double factor = factor_value(evaluation);
        if (evaluation->fault != EXPRESSION_FINE) {
            break;
        }
        if (divides && factor == 0) {
            return fail_at(evaluation, EXPRESSION_DIVISION);
        }
        value = divides ? value / factor : value * factor;
        value = checked(evaluation, evaluation->is_whole ? truncl(value) : value);
    }
    return value;
}

static long double sum_value(struct evaluation *evaluation) {
    long double value = product_value(evaluation);
    while (evaluation->fault == EXPRESSION_FINE &&
           (next(evaluation) == '+' || *evaluation->at == '-')) {
        bool subtracts = *evaluation->at++ == '-';
        long double term = product_value(evaluation);
        value = checked(evaluation, subtracts ? value - term : value + term);
    }
    return value;
}

enum expression_fault expression_value(const char *text, enum expression_kind kind,
                                       expression_number *number, const void *context,
                                       double *ret_value, const char **ret_at) {
    struct evaluation evaluation = {
        .at = text, .number = number, .context = context, .is_whole = kind == EXPRESSION_WHOLE};
    long double value = sum_value(&evaluation);
    if (evaluation.fault == EXPRESSION_FINE && next(&evaluation) != '\0') {
        (void)fail_at(&evaluation, EXPRESSION_SYNTAX);
    }
    if (evaluation.fault == EXPRESSION_FINE) {
        *ret_value = (double)value;
    } else if (ret_at) {
        *ret_at = evaluation.at;
    }
    return evaluation.fault;
}

#define PAGE_BYTES 4096u

// fp32 FLOP per byte of memory.  Source: an H200 has 67 TFLOPS and 4.8 TB/s.
#define BALANCE      14.0
#define BALANCE_SIZE 1024

#define ELEMENT_ROW(enumerator, name, c_name, bytes, mangled, digits)                              \
    [enumerator] = {name, c_name, mangled, bytes, digits},
static const struct {
    const char *name, *c_name, *mangled;
    size_t bytes;
    int digits;
} elements[] = {ELEMENTS(ELEMENT_ROW)};

const char *element_name(enum element_type element) {
    return elements[element].name;
}

const char *element_c_name(enum element_type element) {
    return elements[element].c_name;
}

const char *element_mangled(enum element_type element) {
    return elements[element].mangled;
}

size_t element_bytes(enum element_type element) {
    return elements[element].bytes;
}

int element_digits(enum element_type element) {
    return elements[element].digits;
}

bool element_is_real(enum element_type element) {
    return elements[element].digits > 0;
}

bool element_is_small(enum element_type element) {
    return element_is_real(element) && elements[element].bytes == 2;
}

static double lowest_of(enum element_type element) {
    bool is_signed = element >= ELEMENT_INT8 && element <= ELEMENT_INT64;
    return is_signed ? -ldexp(1.0, (int)(8 * element_bytes(element)) - 1) : 0.0;
}

static double highest_of(enum element_type element) {
    bool is_signed = element >= ELEMENT_INT8 && element <= ELEMENT_INT64;
    return ldexp(1.0, (int)(8 * element_bytes(element)) - is_signed) - 1.0;
}

bool element_holds(enum element_type element, double value) {
    return isfinite(value) &&
           (element_is_real(element) ? fabs(value) <= FLT_MAX
                                     : value == floor(value) && value >= lowest_of(element) &&
                                           value <= highest_of(element));
}

const struct signature *signature_of_matmul(void) {
    static const struct signature product = {
        .is_matmul = true,
        .size_count = 3,
        .size_name = {"M", "N", "K"},
        .parameter_count = 6,
        .parameter =
            {{.name = "A", .rank = 2, .extent = {"M", "K"}, .draw = {.low = -1, .high = 1}},
             {.name = "B", .rank = 2, .extent = {"K", "N"}, .draw = {.low = -1, .high = 1}},
             {.name = "C", .role = ROLE_OUT, .rank = 2, .extent = {"M", "N"}},
             {.name = "M", .kind = PARAMETER_SIZE, .element = ELEMENT_INT32, .size = 0},
             {.name = "N", .kind = PARAMETER_SIZE, .element = ELEMENT_INT32, .size = 1},
             {.name = "K", .kind = PARAMETER_SIZE, .element = ELEMENT_INT32, .size = 2}},
        .flop = "2*M*N*K",
        .bytes = "4*(M*K + K*N + M*N)",
    };
    return &product;
}

static bool is_matrix(const struct signature *signature, int i, struct size size, int row,
                      int column) {
    const struct parameter *parameter = &signature->parameter[i];
    return parameter->kind == PARAMETER_ARRAY && parameter->rank == 2 &&
           parameter->role == (i == 2 ? ROLE_OUT : ROLE_IN) &&
           parameter_extent(signature, parameter, 0, size) == (uint64_t)size.at[row] &&
           parameter_extent(signature, parameter, 1, size) == (uint64_t)size.at[column];
}

// Shapes are compared at sizes whose sums and products are all different.
bool signature_multiplies(const struct signature *signature) {
    const struct size size = {.m = 101, .n = 1009, .k = 10007};
    const struct parameter *parameter = signature->parameter;
    bool good = signature->size_count == 3;
    for (int i = 3; i < signature->parameter_count; i++) {
        good = good && parameter[i].kind == PARAMETER_SIZE;
    }
    return good && is_matrix(signature, 0, size, 0, 2) && is_matrix(signature, 1, size, 2, 1) &&
           is_matrix(signature, 2, size, 0, 1) && parameter[0].element == parameter[1].element &&
           (parameter[0].element == ELEMENT_FLOAT || element_is_small(parameter[0].element)) &&
           parameter[2].element == ELEMENT_FLOAT;
}

bool parameter_is_array(const struct parameter *parameter) {
    return parameter->kind == PARAMETER_ARRAY || parameter->kind == PARAMETER_CONSTANT;
}

bool parameter_is_input(const struct parameter *parameter) {
    return parameter_is_array(parameter) && parameter->role != ROLE_OUT;
}

bool parameter_is_output(const struct parameter *parameter) {
    return parameter_is_array(parameter) && parameter->role != ROLE_IN;
}

struct sizes {
    const struct signature *signature;
    struct size size;
};

static bool size_number(const void *context, const char *name, double *ret_number) {
    const struct sizes *sizes = context;
    int i = signature_size_index(sizes->signature, name);
    *ret_number = i >= 0 ? sizes->size.at[i] : 0;
    return i >= 0;
}

int signature_size_index(const struct signature *signature, const char *name) {
    for (int i = 0; i < signature->size_count; i++) {
        if (strcmp(signature->size_name[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

enum expression_fault signature_value(const struct signature *signature, const char *text,
                                      struct size size, double *ret_value, const char **ret_at) {
    const struct sizes sizes = {signature, size};
    return expression_value(text, EXPRESSION_WHOLE, size_number, &sizes, ret_value, ret_at);
}

uint64_t parameter_extent(const struct signature *signature, const struct parameter *parameter,
                          int dimension, struct size size) {
    double value = 0;
    assert(dimension >= 0 && dimension < PARAMETER_RANK_MAX);
    bool known = dimension < parameter->rank &&
                 !signature_value(signature, parameter->extent[dimension], size, &value, NULL);
    return known && value > 0 ? (uint64_t)value : 0;
}

uint64_t parameter_elements(const struct signature *signature, const struct parameter *parameter,
                            struct size size) {
    uint64_t count = parameter->rank > 0;
    for (int i = 0; i < parameter->rank; i++) {
        uint64_t extent = parameter_extent(signature, parameter, i, size);
        if (__builtin_mul_overflow(count, extent, &count)) {
            return UINT64_MAX;
        }
    }
    return count;
}

uint64_t parameter_bytes(const struct signature *signature, const struct parameter *parameter,
                         struct size size) {
    uint64_t bytes = 0;
    uint64_t count = parameter_elements(signature, parameter, size);
    return __builtin_mul_overflow(count, element_bytes(parameter->element), &bytes) ? UINT64_MAX
                                                                                    : bytes;
}

// One end of a range: the value of its expression at a size; `number` if there is none.
static double end_of(const struct signature *signature, const char *expression, struct size size,
                     double number) {
    double value = number;
    (void)signature_value(signature, expression, size, &value, NULL);
    return value;
}

struct draw parameter_draw(const struct signature *signature, const struct parameter *parameter,
                           struct size size) {
    struct draw draw = parameter->draw;
    draw.low = end_of(signature, parameter->low, size, draw.low);
    draw.high = end_of(signature, parameter->high, size, draw.high);
    return draw;
}

static double work_of(const struct signature *signature, const char *text, struct size size) {
    double value = 0;
    (void)signature_value(signature, text, size, &value, NULL);
    return fmax(value, 0);
}

double signature_flop(const struct signature *signature, struct size size) {
    return work_of(signature, signature->flop, size);
}

double signature_bytes(const struct signature *signature, struct size size) {
    return work_of(signature, signature->bytes, size);
}

bool signature_is_by_flop(const struct signature *signature) {
    struct size size = {.m = 0};
    for (int i = 0; i < signature->size_count; i++) {
        size.at[i] = BALANCE_SIZE;
    }
    return signature_flop(signature, size) > BALANCE * signature_bytes(signature, size);
}

uint64_t signature_work(const struct signature *signature, struct size size) {
    uint64_t count = 0;
    if (signature->is_matmul) {
        return size_multiply_adds(size);
    }
    for (int i = 0; i < signature->parameter_count; i++) {
        count += parameter_elements(signature, &signature->parameter[i], size);
    }
    double half = signature_flop(signature, size) / 2;
    return half > (double)count ? (uint64_t)half : count;
}

static enum status fit_check(const struct signature *signature, struct size size,
                             struct error *err) {
    uint64_t total = 0;
    char text[SIZE_TEXT_MAX];
    size_format(size, text);
    for (int i = 0; i < signature->parameter_count; i++) {
        const struct parameter *parameter = &signature->parameter[i];
        uint64_t bytes = parameter_bytes(signature, parameter, size);
        if (parameter_is_array(parameter) && bytes == 0) {
            return fail(err, STATUS_BAD_USAGE,
                        "bad size '%s' gives %s no element: write a larger size, or another "
                        "shape in [parameters]",
                        text, parameter->name);
        }
        struct draw draw = parameter_draw(signature, parameter, size);
        if (draw.order == DRAW_PERMUTATION) {
            draw.high = (double)parameter_elements(signature, parameter, size) - 1;
        }
        if (parameter_is_input(parameter) &&
            (draw.low > draw.high || !element_holds(parameter->element, draw.low) ||
             !element_holds(parameter->element, draw.high))) {
            return fail(err, STATUS_BAD_USAGE,
                        "bad size '%s': the range of %s then has no value of its type: write "
                        "another size, or another range in [inputs]",
                        text, parameter->name);
        }
        if (__builtin_add_overflow(total, bytes, &total) || total > SIGNATURE_BYTES_MAX) {
            return fail(err, STATUS_BAD_USAGE,
                        "bad size '%s': the arrays up to %s then need more than 2 GiB: write a "
                        "smaller size",
                        text, parameter->name);
        }
    }
    return STATUS_OK;
}

bool signature_size_fits(const struct signature *signature, struct size size) {
    return !fit_check(signature, size, NULL);
}

// "HxWxR"
static void form_write(const struct signature *signature, char *text, size_t bytes) {
    size_t used = 0;
    for (int i = 0; i < signature->size_count; i++) {
        used += (size_t)snprintf(text + used, bytes - used, "%s%s", i > 0 ? "x" : "",
                                 signature->size_name[i]);
    }
}

static enum status rank_wrong(const struct signature *signature, const char *text,
                              struct error *err) {
    char form[SIZE_RANK_MAX * PARAMETER_NAME_BYTES];
    form_write(signature, form, sizeof form);
    return fail(err, STATUS_BAD_USAGE, "bad size '%s': write %s, each from 1 to %d", text, form,
                SIZE_OF_OTHER_MAX);
}

enum status signature_size_fit(const struct signature *signature, struct size *size,
                               struct error *err) {
    char text[SIZE_TEXT_MAX];
    size_format(*size, text);
    if (signature->is_matmul) {
        return size_parse(text, size, err);
    }
    if (size_rank(*size) == 1) {  // all sizes are equal
        for (int i = 1; i < signature->size_count; i++) {
            size->at[i] = size->m;
        }
    }
    if (size_rank(*size) != signature->size_count) {
        return rank_wrong(signature, text, err);
    }
    return fit_check(signature, *size, err);
}

enum status signature_size_parse(const struct signature *signature, const char *text,
                                 struct size *ret_size, struct error *err) {
    struct size size = {.m = 0};
    if (signature->is_matmul) {
        return size_parse(text, ret_size, err);
    }
    if (size_numbers(text, SIZE_OF_OTHER_MAX, &size) == 0) {
        return rank_wrong(signature, text, err);
    }
    enum status status = signature_size_fit(signature, &size, err);
    if (!status) {
        *ret_size = size;
    }
    return status;
}

struct signature_layout signature_layout_of(const struct signature *signature, struct size size) {
    struct signature_layout layout = {.total = 0};
    for (int i = 0; i < signature->parameter_count; i++) {
        uint64_t bytes = parameter_bytes(signature, &signature->parameter[i], size);
        layout.at[i] = layout.total;
        layout.bytes[i] = bytes;
        layout.total += (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
    }
    return layout;
}

// Adds to a text with room for the longest signature.
static void text_add(char text[SIGNATURE_TEXT_BYTES], const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void text_add(char text[SIGNATURE_TEXT_BYTES], const char *format, ...) {
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text + used, SIGNATURE_TEXT_BYTES - used, format, arguments);
    va_end(arguments);
}

void signature_parameters(const struct signature *signature, char text[SIGNATURE_TEXT_BYTES]) {
    text[0] = '\0';
    for (int i = 0; i < signature->parameter_count; i++) {
        const struct parameter *parameter = &signature->parameter[i];
        const char *type = element_c_name(parameter->element);
        const char *comma = text[0] != '\0' ? ", " : "";
        if (parameter->kind == PARAMETER_ARRAY) {
            text_add(text, "%s%s%s *%s", comma, parameter->role == ROLE_IN ? "const " : "", type,
                     parameter->name);
        } else if (parameter->kind != PARAMETER_CONSTANT) {
            text_add(text, "%s%s %s", comma, type, parameter->name);
        }
    }
}

void parameter_place(const struct signature *signature, const struct parameter *parameter,
                     struct size size, uint64_t index, char *text, size_t bytes) {
    uint64_t place[PARAMETER_RANK_MAX] = {0};
    for (int i = parameter->rank - 1; i >= 0; i--) {
        uint64_t extent = i > 0 ? parameter_extent(signature, parameter, i, size) : 0;
        place[i] = extent > 0 ? index % extent : index;
        index = extent > 0 ? index / extent : 0;
    }
    int used = snprintf(text, bytes, "%s", parameter->name);
    for (int i = 0; i < parameter->rank && used >= 0 && (size_t)used < bytes; i++) {
        used += snprintf(text + used, bytes - (size_t)used, "[%llu]", (unsigned long long)place[i]);
    }
}
