// Which kernel file was saved.
#ifndef APP_WATCH_SAVES_H
#define APP_WATCH_SAVES_H

#include "app/paths.h"
#include "exercise/exercise.h"

// What tells two states of a file apart without reading it.
struct file_state {
    int64_t changed_ns;  // 0: there is no file
    int64_t bytes;
    uint64_t node;
};

struct saves {
    const struct places *places;
    const struct course *course;
    int inotify;  // -1: not available, as on some network file systems; files are looked at instead
    struct file_state seen;  // of the exercise that is watched
};

// Watches the student's folder.  Owns: the caller ends with saves_close.
void saves_open(const struct places *places, const struct course *course, struct saves *ret_saves);
void saves_close(struct saves *saves);

// The exercise whose file was saved since the last call, by its place in the course; -1: none.  An
// editor may write a file in place, or rename a new one over it.  Reads all that inotify tells.
int saves_take(struct saves *saves);

// Notes the state of an exercise's file, which is judged now.
void saves_note(struct saves *saves, const struct exercise *exercise);

// True if that file has another state now: for file systems that report nothing.
bool saves_missed(const struct saves *saves, const struct exercise *exercise);

#endif
