// The parts of `watch` share these.
#include "app/watch/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/terminal/terminal.h"

const struct exercise *exercise_now(const struct watch *watch) {
    return &watch->app->whole->exercises[watch->current];
}

struct errand_manner manner_of(const struct watch *watch, bool scratch) {
    return (struct errand_manner){.columns = terminal_width(watch->screen.columns),
                                  .colors = watch->screen.colors,
                                  .keys = watch->screen.is_drawn,
                                  .scratch = scratch};
}

void text_replace(char **text, char *with) {
    free(*text);
    *text = with;
}

void text_append(char **text, const char *more) {
    size_t used = *text ? strlen(*text) : 0;
    char *joined = realloc(*text, used + strlen(more) + 1);
    if (joined) {
        memcpy(joined + used, more, strlen(more) + 1);
        *text = joined;
    }
}

void stream_say(const struct watch *watch, const char *text) {
    if (!watch->screen.is_drawn) {
        (void)fputs(text, stdout);
        (void)fflush(stdout);
    }
}
