// Finds the call by the array that it hands over: see caller.h.
#include "judge/code/caller.h"

#include <stdio.h>
#include <string.h>

#include "base/compose.h"

#define CALLED_MAX   12
#define ARGUMENT_MAX 96  // bytes of one as it is shown

// Tokens of each part of a list, without the commas.
struct list {
    int count;
    int first[CALLED_MAX], end[CALLED_MAX];
};

static const struct cpp_token *caller_token(const struct index_watch *watch, int i) {
    return &watch->code.token[i];
}

// Splits the tokens from first to end - 1 at the commas outside of brackets.
static bool list_read(const struct index_watch *watch, int first, int end, struct list *ret_list) {
    *ret_list = (struct list){.count = 0};
    int from = first;
    for (int i = first; i <= end; i++) {
        bool opens =
            i < end && (cpp_is(caller_token(watch, i), "(") ||
                        cpp_is(caller_token(watch, i), "[") || cpp_is(caller_token(watch, i), "{"));
        if (opens) {
            i = code_partner(&watch->code, i);
            if (i < 0) {
                return false;
            }
        } else if (i == end || cpp_is(caller_token(watch, i), ",")) {
            if (ret_list->count == CALLED_MAX || from == i) {
                return false;
            }
            ret_list->first[ret_list->count] = from;
            ret_list->end[ret_list->count++] = i;
            from = i + 1;
        }
    }
    return true;
}

// A call of the helper, and no declaration of it, which a type is before.
static bool is_call(const struct index_watch *watch, int i, const struct cpp_token *name) {
    const struct cpp_token *before = caller_token(watch, i - 1);
    return cpp_equal(caller_token(watch, i), name) && cpp_is(caller_token(watch, i + 1), "(") &&
           i + 2 != watch->path.parameters_first &&
           (before->kind != CPP_WORD || cpp_is(before, "return")) && !cpp_is(before, "*") &&
           !cpp_is(before, "&");
}

// The parameter that the access indexes; -1 if it is none.
static int array_parameter(const struct index_watch *watch, const struct list *parameters) {
    for (int p = 0; p < parameters->count; p++) {
        if (cpp_equal(caller_token(watch, parameters->end[p] - 1),
                      caller_token(watch, watch->place))) {
            return p;
        }
    }
    return -1;
}

// The only call that hands over the array; its arguments.  -1: there is none, or more than one.
static int call_find(const struct index_watch *watch, const struct judged_finding *finding,
                     const struct list *parameters, struct list *ret_arguments) {
    const struct cpp_token *name = caller_token(watch, watch->path.parameters_first - 2);
    int array = array_parameter(watch, parameters);
    int found = -1;
    for (int i = 1; array >= 0 && i + 1 < watch->code.count; i++) {
        struct list arguments;
        if (!is_call(watch, i, name)) {
            continue;
        }
        int close = code_partner(&watch->code, i + 1);
        if (close < 0 || !list_read(watch, i + 2, close, &arguments) ||
            arguments.count != parameters->count) {
            return -1;
        }
        int only = arguments.first[array];
        bool here = finding->finding.call_line == 0 ||
                    caller_token(watch, i)->line == (int)finding->finding.call_line;
        if (here && arguments.end[array] == only + 1 &&
            cpp_is(caller_token(watch, only), finding->array)) {
            if (found >= 0) {
                return -1;
            }
            found = i;
            *ret_arguments = arguments;
        }
    }
    return found;
}

// True if the index uses the parameter.
static bool is_used(const struct index_watch *watch, const struct cpp_token *parameter) {
    for (int i = watch->wrapped_first; i < watch->wrapped_end; i++) {
        if (cpp_equal(caller_token(watch, i), parameter)) {
            return true;
        }
    }
    return false;
}

void explain_caller(const struct index_watch *watch, struct judged_finding *finding,
                    char sentences[ERROR_TEXT_MAX]) {
    struct list parameters;
    struct list arguments;
    char text[CLAUSE_MAX] = "";
    size_t used = 0;
    if (watch->matrix[0] >= 0 || finding->array[0] == '\0' ||
        !list_read(watch, watch->path.parameters_first, watch->path.parameters_end, &parameters)) {
        return;
    }
    int call = call_find(watch, finding, &parameters, &arguments);
    for (int p = 0; call >= 0 && p < parameters.count; p++) {
        const struct cpp_token *parameter = caller_token(watch, parameters.end[p] - 1);
        char name[VALUE_NAME_MAX];
        char argument[ARGUMENT_MAX];
        cpp_copy(parameter, name, sizeof name);
        if (!is_used(watch, parameter) ||
            !code_text(&watch->code, arguments.first[p], arguments.end[p], argument,
                       sizeof argument) ||
            used + sizeof name + sizeof argument + 8 > sizeof text) {
            continue;
        }
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s = %s", used > 0 ? ", " : "",
                                 name, argument);
    }
    finding->names_call = used > 0;
    if (used > 0) {
        words_sentence(sentences, ERROR_TEXT_MAX, "The call is in line %d, with %s.",
                       caller_token(watch, call)->line, text);
    }
}
