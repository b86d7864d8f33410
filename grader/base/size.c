// Sizes as people write them.
#include "base/size.h"

#include <stdio.h>
#include <stdlib.h>
#include <ctype.h>

// Reads one dimension at *at and moves *at past it.  Returns 0 if there is none.
static int32_t dimension_read(const char **at) {
    if (!isdigit((unsigned char)**at)) {
        return 0;
    }
    char *end = NULL;
    unsigned long value = strtoul(*at, &end, 10);
    *at = end;
    return value >= 1 && value <= SIZE_DIMENSION_MAX ? (int32_t)value : 0;
}

enum status size_parse(const char *text, struct size *ret_size, struct error *err) {
    const char *at = text;
    int32_t dimensions[3] = {0, 0, 0};
    int count = 0;
    while (count < 3) {
        dimensions[count] = dimension_read(&at);
        if (dimensions[count] == 0) {
            break;
        }
        count++;
        if (*at != 'x') {
            break;
        }
        at++;
    }
    if (*at != '\0' || (count != 1 && count != 3)) {
        return fail(err, STATUS_BAD_USAGE,
                    "bad size '%s': write MxNxK, such as 67x33x129, each from 1 to %d", text,
                    SIZE_DIMENSION_MAX);
    }
    if (count == 1) {
        dimensions[1] = dimensions[0];
        dimensions[2] = dimensions[0];
    }
    *ret_size = (struct size){.m = dimensions[0], .n = dimensions[1], .k = dimensions[2]};
    return STATUS_OK;
}

void size_format(struct size size, char text[SIZE_TEXT_MAX]) {
    (void)snprintf(text, SIZE_TEXT_MAX, "%dx%dx%d", size.m, size.n, size.k);
}
