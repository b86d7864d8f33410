// Sizes as people write them.
#include "base/size.h"

#include "base/limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <ctype.h>

// Reads one dimension at *at and moves *at past it.  Returns 0 if there is none.
static int32_t dimension_read(const char **at, int32_t most) {
    if (!isdigit((unsigned char)**at)) {
        return 0;
    }
    char *end = NULL;
    unsigned long value = strtoul(*at, &end, 10);
    *at = end;
    return value >= 1 && value <= (unsigned long)most ? (int32_t)value : 0;
}

int size_numbers(const char *text, int32_t most, struct size *ret_size) {
    struct size size = {.m = 0};
    const char *at = text;
    for (int count = 0; count < SIZE_RANK_MAX; at++) {
        size.at[count] = dimension_read(&at, most);
        if (size.at[count++] == 0 || (*at != 'x' && *at != '\0')) {
            return 0;
        }
        if (*at == '\0') {
            *ret_size = size;
            return count;
        }
    }
    return 0;
}

static enum status refuse(const char *text, struct error *err) {
    return fail(err, STATUS_BAD_USAGE,
                "bad size '%s': write MxNxK, such as 67x33x129, each from 1 to %d", text,
                SIZE_DIMENSION_MAX);
}

enum status size_typed(const char *text, struct size *ret_size, struct error *err) {
    return size_numbers(text, SIZE_OF_OTHER_MAX, ret_size) > 0 ? STATUS_OK : refuse(text, err);
}

enum status size_parse(const char *text, struct size *ret_size, struct error *err) {
    struct size size;
    int count = size_numbers(text, SIZE_DIMENSION_MAX, &size);
    if (count != 1 && count != 3) {
        return refuse(text, err);
    }
    if (count == 1) {
        size.n = size.k = size.m;
    }
    *ret_size = size;
    return STATUS_OK;
}

void size_format(struct size size, char text[SIZE_TEXT_MAX]) {
    int used = snprintf(text, SIZE_TEXT_MAX, "%d", size.m);
    for (int i = 1; i < size_rank(size); i++) {
        used += snprintf(text + used, SIZE_TEXT_MAX - (size_t)used, "x%d", size.at[i]);
    }
}
