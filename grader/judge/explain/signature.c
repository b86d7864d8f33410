// Compares texts, not types: it only helps a reader, and the compiler has decided already.
#include "judge/explain/signature.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/texts.h"
#include "device/source/text.h"

#define PARAMETERS       6
#define PARAMETERS_MAX   16
#define PARAMETER_BYTES  80
#define PARAMETERS_BYTES 320

static const char *const wanted[PARAMETERS] = {"const float *A", "const float *B", "float *C",
                                               "int M",          "int N",          "int K"};

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

// What stands in the brackets behind the kernel's name; NULL where the text does not define it.
static const char *parameters_find(const char *blank, const char *kernel) {
    size_t length = strlen(kernel);
    for (const char *at = strstr(blank, kernel); at; at = strstr(at + 1, kernel)) {
        const char *next = at + length;
        next += strspn(next, " \t\r\n");
        if ((at == blank || !is_word(at[-1])) && *next == '(') {
            return next + 1;
        }
    }
    return NULL;
}

// Splits at the commas, each run of blanks as one; returns how many there are.
static int parameters_split(const char *at, char list[PARAMETERS_MAX][PARAMETER_BYTES]) {
    int count = 0;
    while (count < PARAMETERS_MAX && *at != '\0' && *at != ')') {
        size_t used = 0;
        for (; *at != '\0' && *at != ',' && *at != ')'; at++) {
            bool blank = isspace((unsigned char)*at) || *at == SOURCE_JOINT;
            bool again = used == 0 || list[count][used - 1] == ' ';
            if (used + 1 < PARAMETER_BYTES && !(blank && again)) {
                list[count][used++] = blank ? ' ' : *at;
            }
        }
        used -= used > 0 && list[count][used - 1] == ' ';
        list[count++][used] = '\0';
        at += *at == ',';
    }
    return count;
}

// The type alone, without blanks, "const" in front and __restrict__ left out.
static void type_of(const char *parameter, char type[PARAMETER_BYTES]) {
    size_t end = strlen(parameter);
    while (end > 0 && is_word(parameter[end - 1])) {
        end--;
    }
    end = end > 0 ? end : strlen(parameter);
    bool is_const = false;
    size_t used = 0;
    char rest[PARAMETER_BYTES];
    for (size_t i = 0; i < end;) {
        size_t length = 0;
        while (i + length < end && is_word(parameter[i + length])) {
            length++;
        }
        bool skipped = length == 5 && strncmp(parameter + i, "const", 5) == 0;
        is_const = is_const || skipped;
        skipped = skipped || (length > 0 && strncmp(parameter + i, "__restrict", 10) == 0);
        length = length > 0 ? length : 1;
        if (!skipped && parameter[i] != ' ') {
            memcpy(rest + used, parameter + i, length);
            used += length;
        }
        i += length;
    }
    rest[used] = '\0';
    (void)snprintf(type, PARAMETER_BYTES, "%s%.70s", is_const ? "const " : "", rest);
}

// The first parameter that differs, from 0; PARAMETERS where none does.
static int difference_find(char list[PARAMETERS_MAX][PARAMETER_BYTES], int count) {
    for (int i = 0; i < PARAMETERS; i++) {
        char mine[PARAMETER_BYTES];
        char theirs[PARAMETER_BYTES];
        if (i >= count) {
            return i;
        }
        type_of(list[i], mine);
        type_of(wanted[i], theirs);
        if (strcmp(mine, theirs) != 0) {
            return i;
        }
    }
    return PARAMETERS;
}

void explain_signature(const char *text, const char *kernel, char *lines, size_t bytes) {
    char list[PARAMETERS_MAX][PARAMETER_BYTES];
    char yours[PARAMETERS_BYTES] = "";
    lines[0] = '\0';
    char *blank = source_blank(text);
    const char *found = blank ? parameters_find(blank, kernel) : NULL;
    int count = found ? parameters_split(found, list) : 0;
    free(blank);
    int different = found ? difference_find(list, count) : PARAMETERS;
    if (!found || (different == PARAMETERS && count == PARAMETERS)) {
        return;
    }
    size_t used = 0;
    for (int i = 0; i < count && used < sizeof yours - PARAMETER_BYTES - 2; i++) {
        used +=
            (size_t)snprintf(yours + used, sizeof yours - used, "%s%s", i > 0 ? ", " : "", list[i]);
    }
    char why[2 * PARAMETER_BYTES + 48];
    if (count != PARAMETERS) {
        (void)snprintf(why, sizeof why, _("it has %d parameters, not %d"), count, PARAMETERS);
    } else {
        (void)snprintf(why, sizeof why, _("parameter %d differs: %s, not %s"), different + 1,
                       list[different], wanted[different]);
    }
    (void)snprintf(lines, bytes,
                   _("yours:  (%s)\nwanted: (const float *A, const float *B, float *C, int M, int "
                     "N, int K)\n%s\n"),
                   yours, why);
}
