// Reads exercise.ini: lines by ini_file.c, then each value, which is checked when it is read, so
// that a message names the first wrong line; then the checks of the whole file. Reading ends at the
// first error.
#include "exercise/exercise.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/words.h"
#include "exercise/ini_file.h"

// The keys before KEY_BEFORE are required.
enum exercise_key {
    KEY_TITLE,
    KEY_POINTS,
    KEY_SPEED_POINTS,
    KEY_TILE,
    KEY_BEFORE,
    KEY_PRECISION,
    KEY_AGAINST,
    KEY_MULTIPROCESSORS,
    KEY_DEVICE,
    KEY_LEARNED,
    KEY_SIZES,
    KEY_OPTIONAL,
    KEY_LARGEST,
    KEY_TITLE_ZH,
    KEY_LEARNED_ZH,
    KEY_KIND,
    KEY_COUNT
};

struct exercise_reading {
    struct ini ini;
    bool key_seen[KEY_COUNT];
    int ragged_line;
    int speed_points_line;
    struct exercise *exercise;
};

#define POINTS_MAX       10000  // whole points of one exercise
#define TILE_MAX         256    // of a product
#define TILE_LINE_MAX    4096   // for other kernels: elements of a block
#define SHARERS_MAX      1024   // SMs
#define SPEED_FULL_MAX   0.97   // a kernel as fast as the reference gets all points
#define WEIGHT_MAX       100
#define COUNTED_WORK_MAX (1ull << 30)  // multiply-adds: minutes on the CPU
#define MILLI_POINTS     1000

static const char *const key_names[KEY_COUNT] = {
    "title",   "points",          "speed_points", "tile",    "before", "precision",
    "against", "multiprocessors", "device",       "learned", "sizes",  "optional",
    "largest", "title.zh",        "learned.zh",   "kind"};

static const char *reading_key_name(enum exercise_key key) {
    return key_names[key];
}

static int before_read(struct exercise_reading *reading, const char *text) {
    if (!ini_name_good(text)) {
        return ini_fail(&reading->ini, "bad before '%s': write the name of an exercise", text);
    }
    memcpy(reading->exercise->before, text, strlen(text) + 1);
    return 1;
}

const char *exercise_precision_name(enum precision precision) {
    static const char *const names[PRECISION_COUNT] = {
        [PRECISION_FP32] = "fp32", [PRECISION_TF32] = "tf32", [PRECISION_FP16] = "fp16"};
    return names[precision];
}

const char *exercise_title(const struct exercise *exercise) {
    bool in_chinese = strcmp(texts_language(), "zh") == 0 && exercise->title_zh[0] != '\0';
    return in_chinese ? exercise->title_zh : exercise->title;
}

const char *exercise_learned(const struct exercise *exercise) {
    bool in_chinese = strcmp(texts_language(), "zh") == 0 && exercise->learned_zh[0] != '\0';
    return in_chinese ? exercise->learned_zh : exercise->learned;
}

// A key whose value is one word, or empty.
static int word_read(struct exercise_reading *reading, const char *name, const char *text,
                     const char *word, bool *ret_given) {
    *ret_given = strcmp(text, word) == 0;
    return *ret_given ? 1 : ini_fail(&reading->ini, "bad %s '%s': write %s", name, text, word);
}

static int precision_read(struct exercise_reading *reading, const char *text) {
    const char *names[PRECISION_COUNT];
    int place = 0;
    for (int i = 0; i < PRECISION_COUNT; i++) {
        names[i] = exercise_precision_name((enum precision)i);
    }
    if (!ini_word(&reading->ini, "precision", text, names, PRECISION_COUNT, &place)) {
        return 0;
    }
    reading->exercise->precision = (enum precision)place;
    return 1;
}

static int learned_read(struct exercise_reading *reading, const char *text, char *ret_learned) {
    size_t length = strlen(text);
    if (length == 0 || length >= LEARNED_BYTES_MAX) {
        return ini_fail(&reading->ini, "learned must have 1 to %d bytes", LEARNED_BYTES_MAX - 1);
    }
    memcpy(ret_learned, text, length + 1);
    return 1;
}

static long most_of(const struct exercise_reading *reading, int key) {
    return key == KEY_TILE              ? (reading->key_seen[KEY_SIZES] ? TILE_LINE_MAX : TILE_MAX)
           : key == KEY_MULTIPROCESSORS ? SHARERS_MAX
           : key == KEY_LARGEST         ? SIZE_OF_OTHER_MAX
                                        : POINTS_MAX;
}

static int top_level_read(struct exercise_reading *reading, const char *name, const char *value) {
    struct exercise *exercise = reading->exercise;
    int key = 0;
    if (!ini_key(&reading->ini, name, key_names, KEY_COUNT, reading->key_seen, &key)) {
        return 0;
    }
    if (key == KEY_SPEED_POINTS) {
        reading->speed_points_line = reading->ini.line;
    }
    if (key == KEY_TITLE || key == KEY_TITLE_ZH) {
        return ini_title(&reading->ini, value,
                         key == KEY_TITLE ? exercise->title : exercise->title_zh);
    }
    if (key == KEY_BEFORE) {
        return before_read(reading, value);
    }
    if (key == KEY_PRECISION) {
        return precision_read(reading, value);
    }
    if (key == KEY_AGAINST) {
        return word_read(reading, name, value, "cublas", &exercise->against_cublas);
    }
    if (key == KEY_DEVICE) {
        return word_read(reading, name, value, "gpu", &exercise->needs_gpu);
    }
    if (key == KEY_LEARNED || key == KEY_LEARNED_ZH) {
        return learned_read(reading, value,
                            key == KEY_LEARNED ? exercise->learned : exercise->learned_zh);
    }
    if (key == KEY_SIZES) {
        return signature_sizes_read(&reading->ini, value, &exercise->signature);
    }
    if (key == KEY_KIND) {
        return word_read(reading, name, value, "program", &exercise->is_program);
    }
    if (key == KEY_OPTIONAL) {
        return word_read(reading, name, value, "yes", &exercise->is_optional);
    }
    long number = 0;
    if (!ini_number(&reading->ini, name, value, key == KEY_SPEED_POINTS ? 0 : 1,
                    most_of(reading, key), &number)) {
        return 0;
    }
    if (key == KEY_TILE) {
        exercise->tile = (int32_t)number;
    } else if (key == KEY_MULTIPROCESSORS) {
        exercise->multiprocessors = (int)number;
    } else if (key == KEY_LARGEST) {
        exercise->largest = (int32_t)number;
    } else if (key == KEY_POINTS) {
        exercise->points_max = number * MILLI_POINTS;
    } else {
        exercise->speed_points = number * MILLI_POINTS;
    }
    return 1;
}

// Reads a size of [cases], [timed] or [counted].
static int size_value(struct exercise_reading *reading, const char *text, struct size *ret_size) {
    const struct signature *signature = &reading->exercise->signature;
    struct error why;
    bool is_matmul = !reading->key_seen[KEY_SIZES];
    if (!is_matmul && signature->parameter_count == 0) {
        return ini_fail(&reading->ini, "[parameters] must come before the first size");
    }
    if (signature_size_parse(is_matmul ? signature_of_matmul() : signature, text, ret_size, &why)) {
        return ini_fail(&reading->ini, "%s", why.text);
    }
    return 1;
}

static uint64_t work_of(const struct exercise_reading *reading, struct size size) {
    return reading->key_seen[KEY_SIZES] ? signature_work(&reading->exercise->signature, size)
                                        : size_multiply_adds(size);
}

static int case_read(struct exercise_reading *reading, const char *name, const char *value) {
    struct exercise *exercise = reading->exercise;
    if (!ini_name_good(name)) {
        return ini_fail(&reading->ini, "bad case name '%s': use lower-case letters, digits and _",
                        name);
    }
    for (int i = 0; i < exercise->case_count; i++) {
        if (strcmp(exercise->cases[i].name, name) == 0) {
            return ini_fail(&reading->ini, "duplicate case '%s'", name);
        }
    }
    if (exercise->case_count == EXERCISE_CASES_MAX) {
        return ini_fail(&reading->ini, "more than %d cases", EXERCISE_CASES_MAX);
    }
    struct exercise_case *added = &exercise->cases[exercise->case_count];
    if (!size_value(reading, value, &added->size)) {
        return 0;
    }
    if (work_of(reading, added->size) > EXERCISE_CASE_WORK_MAX) {
        return ini_fail(&reading->ini,
                        "case '%s' is too large to run on any device: its work is %" PRIu64
                        ", and the limit is %" PRIu64,
                        name, work_of(reading, added->size), (uint64_t)EXERCISE_CASE_WORK_MAX);
    }
    memcpy(added->name, name, strlen(name) + 1);
    exercise->case_count++;
    struct size size = added->size;
    bool is_matmul = !reading->key_seen[KEY_SIZES];
    if (is_matmul && strcmp(name, "one") == 0 && (size.m != 1 || size.n != 1 || size.k != 1)) {
        return ini_fail(&reading->ini, "case 'one' must be 1x1x1, not '%s'", value);
    }
    if (strcmp(name, "ragged") == 0) {
        reading->ragged_line = reading->ini.line;
    }
    return 1;
}

// Reads the number at *at, which must end at a blank or at the end, and moves *at past it.
static bool ratio_read(const char **at, double *ret_ratio) {
    char *end = NULL;
    double ratio = strtod(*at, &end);
    if (end == *at || (*end != '\0' && !isspace((unsigned char)*end))) {
        return false;
    }
    *at = end;
    *ret_ratio = ratio;
    return true;
}

// "full zero" or "full zero weight".
static int thresholds_read(struct exercise_reading *reading, const char *text,
                           struct exercise_speed *speed) {
    const char *at = text;
    long weight = 1;
    if (!ratio_read(&at, &speed->full) || !ratio_read(&at, &speed->zero)) {
        return ini_fail(&reading->ini, "bad ratios '%s': write `full zero`, such as 0.95 0.30",
                        text);
    }
    at += strspn(at, " \t");
    if (*at != '\0' && !ini_number(&reading->ini, "weight", at, 1, WEIGHT_MAX, &weight)) {
        return 0;
    }
    speed->weight = (int)weight;
    if (!(speed->full > 0 && speed->full <= SPEED_FULL_MAX)) {
        return ini_fail(&reading->ini,
                        "the ratio `full` is %g; it must be above 0 and at most %.2f", speed->full,
                        SPEED_FULL_MAX);
    }
    if (!(speed->zero >= 0 && speed->zero < speed->full)) {
        return ini_fail(&reading->ini,
                        "the ratio `zero` is %g; it must be at least 0 and below `full`",
                        speed->zero);
    }
    return 1;
}

static int speed_read(struct exercise_reading *reading, struct exercise_speed *list, int *count,
                      const char *name, const char *value) {
    struct exercise_speed speed;
    if (!size_value(reading, name, &speed.size)) {
        return 0;
    }
    for (int i = 0; i < *count; i++) {
        if (size_equal(list[i].size, speed.size)) {
            return ini_fail(&reading->ini, "duplicate size '%s'", name);
        }
    }
    if (*count == EXERCISE_TIMED_MAX) {
        return ini_fail(&reading->ini, "more than %d sizes", EXERCISE_TIMED_MAX);
    }
    if (!thresholds_read(reading, value, &speed)) {
        return 0;
    }
    list[(*count)++] = speed;
    return 1;
}

static int counted_read(struct exercise_reading *reading, const char *name, const char *value) {
    struct exercise *exercise = reading->exercise;
    if (!speed_read(reading, exercise->counted, &exercise->counted_count, name, value)) {
        return 0;
    }
    struct size size = exercise->counted[exercise->counted_count - 1].size;
    if (work_of(reading, size) > COUNTED_WORK_MAX) {
        return ini_fail(
            &reading->ini,
            "size '%s' is too large to count on the CPU; the limit is the work of 1024x1024x1024",
            name);
    }
    return 1;
}

// Takes one `name = value`; context is a struct exercise_reading.
static int reading_pair(void *context, const char *section, const char *name, const char *value) {
    struct exercise_reading *reading = context;
    struct exercise *exercise = reading->exercise;
    if (strcmp(section, "cases") == 0) {
        return case_read(reading, name, value);
    }
    if (strcmp(section, "timed") == 0) {
        return speed_read(reading, exercise->timed, &exercise->timed_count, name, value);
    }
    if (strcmp(section, "counted") == 0) {
        return counted_read(reading, name, value);
    }
    if (strcmp(section, "parameters") == 0) {
        return signature_parameter_read(&reading->ini, name, value, &exercise->signature);
    }
    if (strcmp(section, "inputs") == 0) {
        return signature_input_read(&reading->ini, name, value, &exercise->signature);
    }
    if (strcmp(section, "work") == 0) {
        return signature_work_read(&reading->ini, name, value, &exercise->signature);
    }
    return top_level_read(reading, name, value);
}

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

// What a program may not have: nothing judges its speed, and it runs on the CPU device alone.
static enum status program_check(const struct exercise_reading *reading) {
    const struct exercise *exercise = reading->exercise;
    bool has_constant = false;
    for (int i = 0; i < exercise->signature.parameter_count; i++) {
        has_constant |= exercise->signature.parameter[i].kind == PARAMETER_CONSTANT;
    }
    const char *wrong =
        !reading->key_seen[KEY_SIZES] ? N_("it needs `sizes` and [parameters]")
        : exercise->speed_points > 0 || exercise->timed_count > 0 || exercise->counted_count > 0
            ? N_("its speed is not judged: write `speed_points = 0`, without [timed] and [counted]")
        : exercise->needs_gpu ? N_("it runs on the CPU device: remove `device`")
        : has_constant        ? N_("its arrays are those of the host, so none is `constant`")
                              : NULL;
    return wrong ? fail(reading->ini.err, STATUS_BAD_DATA, "%s:1: `kind = program`: %s",
                        reading->ini.path, text_of(wrong))
                 : STATUS_OK;
}

// The checks that need the whole file.
static enum status whole_check(const struct exercise_reading *reading) {
    const struct exercise *exercise = reading->exercise;
    const char *path = reading->ini.path;
    for (int key = 0; key < KEY_BEFORE; key++) {
        if (!reading->key_seen[key]) {
            return fail(reading->ini.err, STATUS_BAD_DATA, "%s:1: key '%s' is missing", path,
                        reading_key_name((enum exercise_key)key));
        }
    }
    if (exercise->is_program) {
        enum status status = program_check(reading);
        if (status) {
            return status;
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
    (void)snprintf(name, KERNEL_BYTES_MAX, "%s%s", exercise->signature.is_matmul ? "matmul_" : "",
                   exercise->name);
}

int exercise_largest_timed(const struct exercise *exercise) {
    const struct exercise_speed *timed = exercise->timed;
    int largest = 0;
    for (int i = 1; i < exercise->timed_count; i++) {
        const bool is_more = signature_work(&exercise->signature, timed[i].size) >
                             signature_work(&exercise->signature, timed[largest].size);
        largest = is_more ? i : largest;
    }
    return largest;
}

enum status exercise_read(const char *path, struct exercise *ret_exercise, struct error *err) {
    struct exercise *exercise = xcalloc(1, sizeof *exercise);
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
            exercise->signature = *signature_of_matmul();
        }
        *ret_exercise = *exercise;
    }
    free(exercise);
    return status;
}
