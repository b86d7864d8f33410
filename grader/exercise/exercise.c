// Reads exercise.ini: lines are in ini_file.c, values in ini_values.c, and the checks of the whole
// file are here.  The first error ends the reading.
#include "exercise/exercise.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "exercise/reading.h"

#define LESSONS "lessons/"

static bool has_case(const struct exercise *exercise, const char *name) {
    for (int i = 0; i < exercise->case_count; i++) {
        if (strcmp(exercise->cases[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_ragged(struct size size, int32_t tile) {
    return tile == 1 || (size.m % tile != 0 && size.n % tile != 0 && size.k % tile != 0);
}

// Checks that need the whole file.
static enum status whole_check(const struct exercise_reading *reading) {
    const struct exercise *exercise = reading->exercise;
    const char *path = reading->ini.path;
    for (int key = 0; key < KEY_BEFORE; key++) {
        if (!reading->key_seen[key]) {
            return fail(reading->ini.err, STATUS_BAD_DATA, "%s:1: key '%s' is missing", path,
                        reading_key_name((enum exercise_key)key));
        }
    }
    if (reading->key_seen[KEY_SIZES] || exercise->signature.parameter_count > 0) {
        enum status status = signature_check(&exercise->signature, path, reading->ini.err);
        if (status) {
            return status;
        }
        if (exercise->against_cublas && !signature_multiplies(&exercise->signature)) {
            return fail(
                reading->ini.err, STATUS_BAD_DATA,
                "%s:1: 'against = cublas' is for products of two matrices: A [M][K] and B "
                "[K][N] of float, half or bf16, C [M][N] of float, sizes M N K; remove the line",
                path);
        }
        if (exercise->case_count == 0) {
            return fail(reading->ini.err, STATUS_BAD_DATA, "%s:1: [cases] is missing or empty",
                        path);
        }
    } else if (!has_case(exercise, "one") || !has_case(exercise, "ragged")) {
        return fail(reading->ini.err, STATUS_BAD_DATA, "%s:1: case '%s' is missing in [cases]",
                    path, has_case(exercise, "one") ? "ragged" : "one");
    }
    for (int i = 0; i < exercise->case_count; i++) {
        if (!reading->key_seen[KEY_SIZES] && strcmp(exercise->cases[i].name, "ragged") == 0 &&
            !is_ragged(exercise->cases[i].size, exercise->tile)) {
            return fail(reading->ini.err, STATUS_BAD_DATA,
                        "%s:%d: case 'ragged' has a size that is a multiple of the tile size, %d",
                        path, reading->ragged_line, exercise->tile);
        }
    }
    if (exercise->speed_points > exercise->points_max) {
        return fail(reading->ini.err, STATUS_BAD_DATA,
                    "%s:%d: speed_points exceed points, which include them", path,
                    reading->speed_points_line);
    }
    if (exercise->speed_points > 0 &&
        (exercise->timed_count == 0 || exercise->counted_count == 0)) {
        return fail(reading->ini.err, STATUS_BAD_DATA, "%s:%d: speed_points require a size in [%s]",
                    path, reading->speed_points_line,
                    exercise->timed_count == 0 ? "timed" : "counted");
    }
    return STATUS_OK;
}

size_t exercise_number_digits(const char *folder) {
    size_t digits = strspn(folder, "0123456789");
    return digits == FOLDER_DIGITS_MAX || digits == FOLDER_DIGITS_MAX - 1 ? digits : 0;
}

int exercise_digits(const struct exercise *exercise) {
    return (int)exercise_number_digits(exercise->lesson + strlen(LESSONS));
}

// Takes name, number and lesson from ".../lessons/NNN_name/exercise.ini".
static enum status place_read(const char *path, struct exercise *exercise, struct error *err) {
    char copy[PATH_BYTES_MAX];
    enum status status = path_make(copy, err, "%s", path);
    if (status) {
        return status;
    }
    char *slash = strrchr(copy, '/');
    if (slash) {
        *slash = '\0';
    }
    const char *folder = strrchr(copy, '/');
    folder = folder ? folder + 1 : copy;
    size_t digits = exercise_number_digits(folder);
    if (!slash || digits == 0 || folder[digits] != '_' || !ini_name_good(folder + digits + 1)) {
        return fail(
            err, STATUS_BAD_DATA,
            "%s: the folder must have a name like 020_tiled: three digits and a lower-case name",
            path);
    }
    exercise->number = (int)strtol(folder, NULL, 10);
    (void)snprintf(exercise->name, sizeof exercise->name, "%s", folder + digits + 1);
    (void)snprintf(exercise->lesson, sizeof exercise->lesson, LESSONS "%.*s", NAME_BYTES_MAX + 3,
                   folder);
    return STATUS_OK;
}

void exercise_kernel_name(const struct exercise *exercise, char name[KERNEL_BYTES_MAX]) {
    (void)snprintf(name, KERNEL_BYTES_MAX, "%s%s", exercise->signature.is_product ? "matmul_" : "",
                   exercise->name);
}

enum status exercise_read(const char *path, struct exercise *ret_exercise, struct error *err) {
    struct exercise *exercise = calloc(1, sizeof *exercise);
    if (!exercise) {
        return fail(err, STATUS_NO_MEMORY, "%s: no memory", path);
    }
    struct exercise_reading reading = {
        .ini = {.path = path,
                .sections = "[parameters] [inputs] [work] [cases] [timed] [counted]",
                .err = err},
        .exercise = exercise};
    enum status status = place_read(path, exercise, err);
    if (!status) {
        status = ini_read(&reading.ini, reading_pair, &reading);
    }
    if (!status) {
        status = whole_check(&reading);
    }
    if (!status) {
        if (!reading.key_seen[KEY_SIZES]) {
            exercise->signature = *signature_of_product();
        }
        *ret_exercise = *exercise;
    }
    free(exercise);
    return status;
}
