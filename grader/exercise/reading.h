// Reading an exercise.ini, shared by the files that do it: exercise.c, ini_lines.c, ini_values.c.
#ifndef EXERCISE_READING_H
#define EXERCISE_READING_H

#include <stdbool.h>
#include <stddef.h>

#include "exercise/exercise.h"

// The keys before KEY_BEFORE are required.
enum key {
    KEY_TITLE,
    KEY_POINTS,
    KEY_SPEED_POINTS,
    KEY_TILE,
    KEY_BEFORE,
    KEY_PRECISION,
    KEY_AGAINST,
    KEY_MULTIPROCESSORS,
    KEY_DEVICE,
    KEY_COUNT
};

struct reading {
    const char *path;  // as messages show it
    const char *at;    // the rest of the text
    int line;          // of the line read last
    bool key_seen[KEY_COUNT];
    int ragged_line;
    int speed_points_line;
    struct exercise *exercise;
    enum status status;  // of the first error
    struct error *err;
};

// Says what is wrong with the current line; the first error is kept.  Returns 0, which stops inih.
int reading_fail(struct reading *reading, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Gives inih the next line, in the manner of fgets; context is a struct reading.  NULL at the end
// and after an error.
char *reading_line(char *buffer, int buffer_bytes, void *context);

// Takes one `name = value` from inih; context is a struct reading.  Returns 0 if it is wrong.
int reading_pair(void *context, const char *section, const char *name, const char *value);

const char *reading_key_name(enum key key);

// True for a valid name of a case or exercise: lower-case letters, digits and _, no digit first.
bool reading_name_good(const char *name);

#endif
