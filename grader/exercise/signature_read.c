// The lines of exercise.ini that make a signature.  Each is checked when it is read, so that a
// message names the first wrong line; the checks that need the whole file come at the end.
#include "exercise/signature.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"

// Words of C++ and of the grader's headers that cannot name a parameter or a size.
static const char *const reserved[] = {
    "and",     "asm",       "auto",     "bf16",     "bool",      "break",    "case",
    "catch",   "char",      "class",    "const",    "constexpr", "continue", "decltype",
    "default", "delete",    "do",       "double",   "else",      "enum",     "explicit",
    "export",  "extern",    "false",    "float",    "for",       "friend",   "goto",
    "half",    "if",        "inline",   "int",      "long",      "mutable",  "namespace",
    "new",     "noexcept",  "not",      "nullptr",  "number",    "operator", "or",
    "private", "protected", "public",   "register", "return",    "short",    "signed",
    "sizeof",  "static",    "struct",   "switch",   "template",  "this",     "throw",
    "true",    "try",       "typedef",  "typeid",   "typename",  "union",    "unsigned",
    "using",   "virtual",   "void",     "volatile", "while",     "xor",      "EACH",
    "launch",  "threadIdx", "blockIdx", "blockDim", "gridDim",   "warpSize", "workspace"};

static bool is_reserved(const char *name) {
    for (size_t i = 0; i < COUNT(reserved); i++) {
        if (strcmp(name, reserved[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool name_is_good(const char *name) {
    size_t length = 0;
    while (isalnum((unsigned char)name[length]) || name[length] == '_') {
        length++;
    }
    return length > 0 && length < PARAMETER_NAME_BYTES && name[length] == '\0' &&
           !isdigit((unsigned char)name[0]) && !is_reserved(name);
}

// Copies the next word and returns the text after it; "" if there is no word, or it is too long.
static const char *word_take(const char *text, char word[PARAMETER_NAME_BYTES]) {
    text += strspn(text, " \t");
    size_t length = strcspn(text, " \t[");
    if (length >= PARAMETER_NAME_BYTES) {
        length = 0;
    }
    memcpy(word, text, length);
    word[length] = '\0';
    return text + length + strspn(text + length, " \t");
}

int signature_sizes_read(struct ini *ini, const char *text, struct signature *signature) {
    for (const char *at = text; *at != '\0';) {
        char name[PARAMETER_NAME_BYTES];
        at = word_take(at, name);
        if (!name_is_good(name) || signature_size_index(signature, name) >= 0) {
            return ini_fail(ini, "bad sizes '%s': write different names, such as `sizes = H W`",
                            text);
        }
        if (signature->size_count == SIZE_RANK_MAX) {
            return ini_fail(ini, "bad sizes '%s': an exercise has at most %d", text, SIZE_RANK_MAX);
        }
        memcpy(signature->size_name[signature->size_count++], name, sizeof name);
    }
    return signature->size_count > 0
               ? 1
               : ini_fail(ini, "bad sizes '%s': write different names, such as `sizes = H W`",
                          text);
}

// Checks an expression with every size 1000; NULL or "" means no expression.
static int expression_check(struct ini *ini, const char *text, const struct signature *signature) {
    struct size size = {.m = 0};
    char list[SIZE_RANK_MAX * PARAMETER_NAME_BYTES] = "";
    double value = 0;
    const char *at = text;
    size_t used = 0;
    for (int i = 0; i < signature->size_count; i++) {
        size.at[i] = 1000;
        used += (size_t)snprintf(list + used, sizeof list - used, " %s", signature->size_name[i]);
    }
    if (signature->size_count == 0) {
        return ini_fail(ini, "'%s': the key 'sizes' is missing above, such as `sizes = N`", text);
    }
    if (strlen(text) >= EXPRESSION_BYTES) {
        return ini_fail(ini, "the expression '%s' has more than %d characters", text,
                        EXPRESSION_BYTES - 1);
    }
    switch (signature_value(signature, text, size, &value, &at)) {
    case EXPRESSION_FINE:
        return 1;
    case EXPRESSION_NAME:
        return ini_fail(ini, "bad expression '%s': '%s' begins with no size (the sizes are:%s)",
                        text, at, list);
    case EXPRESSION_DIVISION:
        return ini_fail(ini, "bad expression '%s': it divides by zero", text);
    case EXPRESSION_LARGE:
        return ini_fail(ini, "bad expression '%s': its value is too large", text);
    case EXPRESSION_SYNTAX:
        break;
    }
    return ini_fail(ini,
                    "bad expression '%s' at '%s': write sizes, whole numbers, + - * / and "
                    "parentheses",
                    text, at);
}

// "[H-2][W-2]"
static int shape_read(struct ini *ini, const char *text, const struct signature *signature,
                      struct parameter *parameter) {
    const char *at = text;
    while (*at == '[' && parameter->rank < PARAMETER_RANK_MAX) {
        size_t length = strcspn(at + 1, "]");
        char *extent = parameter->extent[parameter->rank++];
        if (at[1 + length] != ']' || length == 0 || length >= EXPRESSION_BYTES) {
            break;
        }
        memcpy(extent, at + 1, length);
        extent[length] = '\0';
        if (!expression_check(ini, extent, signature)) {
            return 0;
        }
        at += length + 2;
        at += strspn(at, " \t");
    }
    if (*at != '\0' || parameter->rank == 0) {
        return ini_fail(
            ini, "bad shape '%s': write one to three extents, such as [N] or [H-2][W-2]", text);
    }
    return 1;
}

static int element_read(struct ini *ini, const char *word, enum element_type *ret_element) {
    if (strcmp(word, "int") == 0) {
        *ret_element = ELEMENT_INT32;
        return 1;
    }
    for (int i = 0; i < ELEMENT_COUNT; i++) {
        if (strcmp(word, element_name((enum element_type)i)) == 0) {
            *ret_element = (enum element_type)i;
            return 1;
        }
    }
    return ini_fail(ini,
                    "unknown type '%s' (before it: in, out, inout or constant; the types are: "
                    "float double half bf16 int8 int16 int int64 uint8 uint16 uint32 uint64)",
                    word);
}

// A scalar: a size, which has no value in the file, or a number.
static int scalar_read(struct ini *ini, const char *text, const struct signature *signature,
                       struct parameter *parameter) {
    char *end = NULL;
    parameter->size = signature_size_index(signature, parameter->name);
    if (parameter->size >= 0) {
        parameter->kind = PARAMETER_SIZE;
        return text[0] == '\0' && parameter->element == ELEMENT_INT32
                   ? 1
                   : ini_fail(ini, "%s is a size: write `%s = int`", parameter->name,
                              parameter->name);
    }
    if (text[0] == '[') {
        return ini_fail(ini, "%s is an array: write in, out, inout or constant before its type",
                        parameter->name);
    }
    parameter->kind = PARAMETER_SCALAR;
    parameter->value = strtod(text, &end);
    if (end == text || *end != '\0' || !element_holds(parameter->element, parameter->value) ||
        element_is_small(parameter->element)) {
        return ini_fail(ini,
                        "bad value '%s' of %s: write a number that a %s can hold, or name %s in "
                        "`sizes`",
                        text, parameter->name, element_name(parameter->element), parameter->name);
    }
    return 1;
}

static struct draw usual_draw(enum element_type element) {
    return element_is_real(element)
               ? (struct draw){.low = -1, .high = 1, .is_usual = true}
               : (struct draw){.low = 0, .high = element == ELEMENT_INT8 ? 127 : 255};
}

static const struct parameter *parameter_find(const struct signature *signature, const char *name) {
    for (int i = 0; i < signature->parameter_count; i++) {
        if (strcmp(signature->parameter[i].name, name) == 0) {
            return &signature->parameter[i];
        }
    }
    return NULL;
}

int signature_parameter_read(struct ini *ini, const char *name, const char *text,
                             struct signature *signature) {
    static const char *const words[] = {"in", "out", "inout", "constant"};
    struct parameter parameter = {.kind = PARAMETER_SCALAR};
    char word[PARAMETER_NAME_BYTES];
    if (!name_is_good(name) || parameter_find(signature, name)) {
        return ini_fail(ini,
                        "bad parameter '%s': write a name as in C, each only once, and no word of "
                        "the language",
                        name);
    }
    if (signature->parameter_count == PARAMETERS_MAX) {
        return ini_fail(ini, "more than %d parameters", PARAMETERS_MAX);
    }
    memcpy(parameter.name, name, strlen(name) + 1);
    const char *rest = word_take(text, word);
    for (size_t i = 0; i < COUNT(words); i++) {
        if (strcmp(word, words[i]) == 0) {
            parameter.kind = i == 3 ? PARAMETER_CONSTANT : PARAMETER_ARRAY;
            parameter.role = i == 3 ? ROLE_IN : (enum parameter_role)i;
        }
    }
    if (parameter.kind != PARAMETER_SCALAR) {
        rest = word_take(rest, word);
        if (signature_size_index(signature, name) >= 0) {
            return ini_fail(ini, "%s is a size: write `%s = int`, or give the array another name",
                            name, name);
        }
    }
    if (!element_read(ini, word, &parameter.element)) {
        return 0;
    }
    parameter.draw = usual_draw(parameter.element);
    if (parameter.kind == PARAMETER_SCALAR ? !scalar_read(ini, rest, signature, &parameter)
                                           : !shape_read(ini, rest, signature, &parameter)) {
        return 0;
    }
    signature->parameter[signature->parameter_count++] = parameter;
    return 1;
}

// One end of a range: a number, or an expression in sizes.  Returns 0 after ini_fail.
static int end_read(struct ini *ini, const char *text, size_t length,
                    const struct signature *signature, double *ret_value,
                    char ret_expression[EXPRESSION_BYTES]) {
    char end[EXPRESSION_BYTES] = "";
    char *rest = NULL;
    length = length < sizeof end ? length : sizeof end - 1;
    memcpy(end, text, length);
    end[length] = '\0';
    double value = strtod(end, &rest);
    ret_expression[0] = '\0';
    if (rest > end && *rest == '\0') {
        *ret_value = value;
        return 1;
    }
    memcpy(ret_expression, end, sizeof end);
    return expression_check(ini, end, signature);
}

// "low..high"; *ret_rest is the text after it, or the text itself if there is no range.
static int range_read(struct ini *ini, const char *text, const struct signature *signature,
                      struct parameter *parameter, const char **ret_rest) {
    const char *dots = strstr(text, "..");
    *ret_rest = text;
    if (!dots) {
        return 1;
    }
    const char *high = dots + 2;
    const char *word = strrchr(high, ' ');
    word = word && isalpha((unsigned char)word[1]) && signature_size_index(signature, word + 1) < 0
               ? word
               : NULL;
    size_t length = word ? (size_t)(word - high) : strlen(high);
    *ret_rest = word ? word + 1 : high + length;
    return end_read(ini, text, (size_t)(dots - text), signature, &parameter->draw.low,
                    parameter->low) &&
           end_read(ini, high, length, signature, &parameter->draw.high, parameter->high);
}

#define RANGE_TEXT_MAX 512

// A range of numbers, from the text after a comma; *ret_rest is after it.
static bool more_range_read(const char *text, struct draw_range *ret_range, const char **ret_rest) {
    char low[EXPRESSION_BYTES] = "";
    char *end = NULL;
    const char *dots = strstr(text, "..");
    if (!dots || dots - text >= (long)sizeof low) {
        return false;
    }
    memcpy(low, text, (size_t)(dots - text));
    ret_range->low = strtod(low, &end);
    bool good = end > low && *end == '\0';
    ret_range->high = strtod(dots + 2, &end);
    *ret_rest = end;
    return good && end > dots + 2 && (*end == ',' || *end == '\0');
}

// ", -20..20, 5..6" after the first range of an array of reals.  Returns 0 after ini_fail.
static int more_read(struct ini *ini, const char *text, struct parameter *parameter) {
    struct draw *draw = &parameter->draw;
    for (const char *at = text; *at == ',';) {
        struct draw_range range = {.low = 0};
        if (draw->more_count == DRAW_RANGES_MAX - 1 || !more_range_read(at + 1, &range, &at) ||
            !(range.low <= range.high) || !element_is_real(parameter->element) ||
            !element_holds(parameter->element, range.low) ||
            !element_holds(parameter->element, range.high)) {
            return ini_fail(ini,
                            "bad ranges '%s': an array of real numbers may have up to %d ranges of "
                            "numbers, such as 95..97, -20..20",
                            text + 1, DRAW_RANGES_MAX);
        }
        draw->more[draw->more_count++] = range;
    }
    return 1;
}

int signature_input_read(struct ini *ini, const char *name, const char *text,
                         struct signature *signature) {
    struct parameter *parameter = NULL;
    for (int i = 0; i < signature->parameter_count; i++) {
        if (strcmp(signature->parameter[i].name, name) == 0) {
            parameter = &signature->parameter[i];
        }
    }
    if (!parameter || !parameter_is_input(parameter)) {
        return ini_fail(ini,
                        "'%s' is not an input array of [parameters]: declare it there as in, "
                        "inout or constant",
                        name);
    }
    char first[RANGE_TEXT_MAX];
    const char *more = text + strcspn(text, ",");
    (void)snprintf(first, sizeof first, "%.*s", (int)(more - text), text);
    if (!more_read(ini, more, parameter)) {
        return 0;
    }
    text = first;
    const char *rest = text;
    if (!range_read(ini, text, signature, parameter, &rest)) {
        return 0;
    }
    bool ranged = rest != text;
    bool is_real = element_is_real(parameter->element);
    struct draw draw = parameter->draw;
    draw.is_usual = false;
    if (strcmp(rest, "sorted") == 0) {
        draw.order = DRAW_SORTED;
    } else if (strcmp(rest, "permutation") == 0 && !ranged && !is_real) {
        draw.order = DRAW_PERMUTATION;
    } else if (strcmp(rest, "alike") == 0 && !is_real) {
        draw.order = DRAW_ALIKE;
    } else if (strcmp(rest, "positive") == 0 && !ranged) {
        draw.low = is_real ? 0x1p-24 : 1;
    } else if (!ranged || rest[0] != '\0') {
        return ini_fail(ini,
                        "bad inputs '%s': write a range such as -1..1, `sorted` alone or after "
                        "one, `positive`, or, for whole numbers, `permutation`, or `alike` alone "
                        "or after a range",
                        text);
    }
    parameter->draw = draw;
    draw = parameter_draw(signature, parameter, (struct size){.at = {1000, 1000, 1000, 1000}});
    if (!(draw.low <= draw.high) || !element_holds(parameter->element, draw.low) ||
        !element_holds(parameter->element, draw.high)) {
        return ini_fail(ini, "bad inputs '%s': both ends are values of a %s, the smaller one first",
                        text, element_name(parameter->element));
    }
    return 1;
}

int signature_work_read(struct ini *ini, const char *name, const char *text,
                        struct signature *signature) {
    bool is_flop = strcmp(name, "flop") == 0;
    if (!is_flop && strcmp(name, "bytes") != 0) {
        return ini_fail(ini, "unknown key '%s' (the keys are: flop bytes)", name);
    }
    char *work = is_flop ? signature->flop : signature->bytes;
    if (work[0] != '\0') {
        return ini_fail(ini, "duplicate key '%s'", name);
    }
    if (!expression_check(ini, text, signature)) {
        return 0;
    }
    memcpy(work, text, strlen(text) + 1);
    return 1;
}

enum status signature_check(const struct signature *signature, const char *path,
                            struct error *err) {
    int outputs = 0;
    int floats = 0;

    if (signature->size_count == 0) {
        return fail(err, STATUS_BAD_DATA,
                    "%s:1: [parameters] need the key 'sizes', such as `sizes = N`", path);
    }
    for (int i = 0; i < signature->parameter_count; i++) {
        const struct parameter *parameter = &signature->parameter[i];
        outputs += parameter_is_output(parameter);
        floats += parameter->kind == PARAMETER_SCALAR && element_is_real(parameter->element);
        if (parameter->kind == PARAMETER_CONSTANT &&
            parameter_bytes(signature, parameter, (struct size){.at = {1, 1, 1, 1}}) >
                CONSTANT_BYTES_MAX) {
            return fail(err, STATUS_BAD_DATA, "%s:1: the constant array %s is larger than %d bytes",
                        path, parameter->name, CONSTANT_BYTES_MAX);
        }
    }
    if (outputs == 0) {
        return fail(err, STATUS_BAD_DATA,
                    "%s:1: [parameters] have no result: write one such as `y = out float [N]`",
                    path);
    }
    if (floats > SCALAR_FLOATS_MAX) {
        return fail(err, STATUS_BAD_DATA, "%s:1: more than %d float and double numbers", path,
                    SCALAR_FLOATS_MAX);
    }

    return STATUS_OK;
}
