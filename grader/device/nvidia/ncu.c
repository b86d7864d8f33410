// Fields are quoted, and numbers have commas between thousands: see ncu.h.
#include "device/nvidia/ncu.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define FIELD_BYTES   256
#define CONFIG_KERNEL "_launch_config"  // ends the name of a LAUNCH_CONFIG

// The next field of a line; moves *at past it and its comma.  False at the end of the line.
static bool field_next(const char **at, char field[FIELD_BYTES]) {
    size_t used = 0;
    if (**at == '\0' || **at == '\n' || **at == '\r') {
        return false;
    }
    bool quoted = **at == '"';
    *at += quoted;
    while (**at != '\0' && **at != '\n' && (quoted || **at != ',')) {
        if (quoted && **at == '"') {
            if ((*at)[1] != '"') {
                break;
            }
            (*at)++;  // two quotes mean one
        }
        if (used + 1 < FIELD_BYTES) {
            field[used++] = **at;
        }
        (*at)++;
    }
    *at += quoted && **at == '"';
    *at += **at == ',';
    field[used] = '\0';
    return true;
}

static const char *line_after(const char *at) {
    const char *end = strchr(at, '\n');
    return end ? end + 1 : at + strlen(at);
}

// "134,217,728" without its commas.
static double number_of(const char *field) {
    char digits[FIELD_BYTES];
    size_t used = 0;
    for (const char *at = field; *at != '\0'; at++) {
        if (*at != ',') {
            digits[used++] = *at;
        }
    }
    digits[used] = '\0';
    char *end = NULL;
    double value = strtod(digits, &end);
    return end != digits && *end == '\0' && isfinite(value) ? value : (double)NAN;
}

// The head of the table, which is the line that begins with "ID"; NULL if there is none.
static const char *head_find(const char *text) {
    for (const char *at = text; *at != '\0'; at = line_after(at)) {
        if (text_starts(at, "\"ID\",")) {
            return at;
        }
    }
    return NULL;
}

// One launch, given the head of its table.  False if it is not a launch of a product.
static bool launch_read(const char *head, const char *row, const char *const *names, int count,
                        double *ret_values) {
    char name[FIELD_BYTES];
    char value[FIELD_BYTES];
    for (int i = 0; i < count; i++) {
        ret_values[i] = (double)NAN;
    }
    while (field_next(&head, name) && field_next(&row, value)) {
        if (strcmp(name, "Kernel Name") == 0 && strstr(value, CONFIG_KERNEL)) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            if (strcmp(name, names[i]) == 0) {
                ret_values[i] = number_of(value);
            }
        }
    }
    return true;
}

enum ncu_trouble ncu_parse(const char *text, const char *const *names, int count,
                           double *ret_values) {
    double values[NCU_METRICS_MAX];
    bool any = false;
    assert(count <= NCU_METRICS_MAX);
    if (strstr(text, "ERR_NVGPUCTRPERM")) {
        return NCU_NO_PERMISSION;
    }
    const char *head = head_find(text);
    for (const char *row = head ? line_after(line_after(head)) : ""; *row == '"';
         row = line_after(row)) {
        if (launch_read(head, row, names, count, values)) {
            for (int i = 0; i < count; i++) {
                ret_values[i] = any ? ret_values[i] + values[i] : values[i];
            }
            any = true;
        }
    }
    return any ? NCU_FINE : NCU_NO_TABLE;
}
