// Reading an exercise.ini, shared by the files that do it: exercise.c and ini_values.c.
#ifndef EXERCISE_READING_H
#define EXERCISE_READING_H

#include <stdbool.h>
#include <stddef.h>

#include "exercise/exercise.h"
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
    KEY_TITLE_ZH,
    KEY_LEARNED_ZH,
    KEY_COUNT
};

struct exercise_reading {
    struct ini ini;
    bool key_seen[KEY_COUNT];
    int ragged_line;
    int speed_points_line;
    struct exercise *exercise;
};

// Takes one `name = value`; context is a struct exercise_reading.
ini_pair reading_pair;

const char *reading_key_name(enum exercise_key key);

#endif
