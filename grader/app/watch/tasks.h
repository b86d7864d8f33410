// Judging the exercise that is watched, and then comparing it with the reference.
#ifndef APP_WATCH_TASKS_H
#define APP_WATCH_TASKS_H

#include "app/watch/state.h"

// Judges the current exercise from the beginning, whatever runs now.
enum status judge_begin(struct watch *watch, struct error *err);

// The place of the exercise that the key n goes to: after a pass the next one that has not passed,
// else the next in order, which may be past the last one.
int next_place(const struct watch *watch);

// Takes what has ended: the verdict, or the comparison.
enum status errand_look(struct watch *watch, struct error *err);

#endif
