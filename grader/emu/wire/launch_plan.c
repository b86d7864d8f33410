// Arguments come over the channel, so they are checked before a launch.
#include "emu/wire/launch_plan.h"

#include <string.h>

#define PAGE_BYTES 4096u

static bool argument_check(const struct argument *argument) {
    bool is_array = argument->kind == ARGUMENT_ARRAY || argument->kind == ARGUMENT_CONSTANT;
    bool one = argument->one_bytes == 1 || argument->one_bytes == 2 || argument->one_bytes == 4 ||
               argument->one_bytes == 8;
    return argument->kind < ARGUMENT_KIND_COUNT && one &&
           memchr(argument->name, '\0', sizeof argument->name) != NULL &&
           memchr(argument->type, '\0', sizeof argument->type) != NULL &&
           argument->at <= ARGUMENTS_BYTES_MAX && argument->bytes <= ARGUMENTS_BYTES_MAX &&
           is_array == (argument->bytes > 0) && argument->bytes % argument->one_bytes == 0 &&
           argument->period % PAGE_BYTES == 0 && argument->period <= ARGUMENTS_BYTES_MAX &&
           (argument->kind != ARGUMENT_CONSTANT || argument->name[0] != '\0');
}

bool arguments_lack(const struct arguments *arguments) {
    bool lack = false;
    for (uint32_t i = 0; i < arguments->count; i++) {
        lack = lack || arguments->list[i].is_missing;
    }
    return lack;
}

uint64_t arguments_memory_bytes(const struct arguments *arguments) {
    uint64_t end = 0;
    for (uint32_t i = 0; i < arguments->count; i++) {
        const struct argument *argument = &arguments->list[i];
        uint64_t bytes = argument->period > 0 ? argument->period : argument->bytes;
        end = argument->at + bytes > end ? argument->at + bytes : end;
    }
    return (end + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
}

bool arguments_check(const struct arguments *arguments) {
    uint32_t reals = 0;
    if (arguments->count > ARGUMENTS_MAX) {
        return false;
    }
    for (uint32_t i = 0; i < arguments->count; i++) {
        reals += arguments->list[i].kind == ARGUMENT_REAL;
        if (!argument_check(&arguments->list[i])) {
            return false;
        }
    }
    for (uint32_t i = 0; i < 3; i++) {
        uint64_t elements = (uint64_t)arguments->extent[i][0] * arguments->extent[i][1];
        if (elements > 0 && elements * sizeof(float) != arguments_global_bytes(arguments, i)) {
            return false;
        }
    }
    return reals <= REAL_VALUES_MAX;
}
