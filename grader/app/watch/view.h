// What `watch` draws: the exercise, a text, and under it how far the student is, and the keys.
#ifndef APP_WATCH_VIEW_H
#define APP_WATCH_VIEW_H

#include "app/watch/state.h"

void watch_draw(struct watch *watch);

#endif
