// Judging the exercise that is watched, and then comparing it with the reference.
#ifndef APP_WATCH_TASKS_H
#define APP_WATCH_TASKS_H

#include "app/watch/state.h"

// Judges the current exercise from the beginning, whatever runs now.
enum status judge_begin(struct watch *watch, struct error *err);

// Takes what has ended: the verdict, or the comparison.
enum status errand_look(struct watch *watch, struct error *err);

#endif
