// An exercise.ini.  An accepted file obeys the rules that the judge relies on.
#include <math.h>
#include <string.h>

#include "exercise/exercise.h"
#include "fuzz.h"

static void speeds_demand(const struct exercise_speed *speed, int count) {
    fuzz_demand(count >= 0 && count <= EXERCISE_TIMED_MAX, "a number of sizes");
    for (int i = 0; i < count; i++) {
        fuzz_demand(isfinite(speed[i].full) && isfinite(speed[i].zero) && speed[i].full <= 0.97 &&
                        speed[i].zero >= 0.0 && speed[i].zero < speed[i].full,
                    "ratios in order");
        fuzz_demand(speed[i].weight >= 1 && speed[i].size.m >= 1, "a weight, a size");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    static const char path[] = "lessons/01_fuzz/exercise.ini";
    struct exercise exercise;
    struct error err = {.text = ""};
    fuzz_file(path, bytes, count);
    enum status status = exercise_read(path, &exercise, &err);
    if (status) {
        fuzz_demand(strncmp(err.text, path, strlen(path)) == 0, "a message that names its place");
        return 0;
    }
    fuzz_demand(exercise.points_max >= 0 && exercise.speed_points >= 0 &&
                    exercise.speed_points <= exercise.points_max,
                "points in order");
    fuzz_demand(exercise.tile >= 1 && exercise.case_count >= 2 &&
                    exercise.case_count <= EXERCISE_CASES_MAX,
                "a tile, and cases");
    speeds_demand(exercise.timed, exercise.timed_count);
    speeds_demand(exercise.counted, exercise.counted_count);
    return 0;
}
