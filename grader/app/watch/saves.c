// inotify on the folder, because an editor that renames replaces the file itself.
#include "app/watch/saves.h"

#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

#define EVENTS_BYTES 4096

void saves_open(const struct places *places, const struct course *course, struct saves *ret_saves) {
    char folder[PATH_BYTES_MAX];
    struct saves saves = {.places = places, .course = course};
    saves.inotify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (saves.inotify >= 0 &&
        (place_make(places, folder, NULL, "student") ||
         inotify_add_watch(saves.inotify, folder, IN_CLOSE_WRITE | IN_MOVED_TO) < 0)) {
        fd_close(&saves.inotify);
    }
    *ret_saves = saves;
}

void saves_close(struct saves *saves) {
    fd_close(&saves->inotify);
}

// The exercise of "tiled.cu".
static int exercise_of(const struct course *course, const char *file) {
    for (int i = 0; i < course->exercise_count; i++) {
        const char *name = course->exercises[i].name;
        size_t length = strlen(name);
        if (strncmp(file, name, length) == 0 && strcmp(file + length, ".cu") == 0) {
            return i;
        }
    }
    return -1;
}

int saves_take(struct saves *saves) {
    _Alignas(struct inotify_event) char events[EVENTS_BYTES];
    int saved = -1;
    ssize_t bytes = 0;
    while (saves->inotify >= 0 && (bytes = read(saves->inotify, events, sizeof events)) > 0) {
        for (size_t at = 0; at < (size_t)bytes;) {
            struct inotify_event event;
            memcpy(&event, events + at, sizeof event);
            int found = event.len > 0 ? exercise_of(saves->course, events + at + sizeof event) : -1;
            saved = found >= 0 ? found : saved;
            at += sizeof event + event.len;
        }
    }
    return saved;
}

static struct file_state state_of(const struct saves *saves, const struct exercise *exercise) {
    char path[PATH_BYTES_MAX];
    struct stat info;
    if (place_make(saves->places, path, NULL, "student/%s.cu", exercise->name) ||
        stat(path, &info) != 0) {
        return (struct file_state){.changed_ns = 0};
    }
    return (struct file_state){.changed_ns =
                                   (int64_t)info.st_mtim.tv_sec * 1000000000 + info.st_mtim.tv_nsec,
                               .bytes = info.st_size,
                               .node = info.st_ino};
}

void saves_note(struct saves *saves, const struct exercise *exercise) {
    saves->seen = state_of(saves, exercise);
}

bool saves_missed(const struct saves *saves, const struct exercise *exercise) {
    struct file_state now = state_of(saves, exercise);
    return now.changed_ns != saves->seen.changed_ns || now.bytes != saves->seen.bytes ||
           now.node != saves->seen.node;
}
