// Names of files are made fit to be shown here, once.
#include "class/intake/source.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/words.h"

static void memory_short(struct sources *sources) {
    if (!sources->status) {
        sources->status = fail(sources->err, STATUS_NO_MEMORY, "no memory for the class");
    }
}

// The list with room for one more element; NULL after a failure.
static void *room_make(struct sources *sources, void *list, int count, size_t bytes) {
    bool full = (count & (count - 1)) == 0;  // 0, 1, 2, 4 …
    if (sources->status || !full) {
        return sources->status ? NULL : list;
    }
    void *grown = realloc(list, (count == 0 ? 1 : 2 * (size_t)count) * bytes);
    if (!grown) {
        memory_short(sources);
    }
    return grown;
}

char *text_kept(struct sources *sources, const char *text) {
    char *copy = strdup(text);
    if (!copy) {
        memory_short(sources);
    }
    return copy;
}

// A copy of a foreign text, fit to be shown in one line.
static char *shown_copy(struct sources *sources, const char *text) {
    char *copy = text_kept(sources, text);
    if (copy) {
        text_clean(copy);
        for (char *at = copy; *at != '\0'; at++) {
            *at = *at == '\n' ? '?' : *at;
        }
    }
    return copy;
}

struct source *source_add(struct sources *sources, const char *shown) {
    void *list = room_make(sources, sources->list, sources->count, sizeof *sources->list);
    if (!list) {
        return NULL;
    }
    sources->list = list;
    struct source *source = &sources->list[sources->count++];
    *source = (struct source){.owner.received = MOMENT_NONE, .received = MOMENT_NONE, .tries = 1};
    source->shown = shown_copy(sources, shown);
    return sources->status ? NULL : source;
}

void source_item_add(struct sources *sources, struct source *source, const struct entry *entry,
                     const char *name) {
    void *items =
        source ? room_make(sources, source->item, source->item_count, sizeof *source->item) : NULL;
    if (items) {
        source->item = items;
        struct source_item *item = &source->item[source->item_count++];
        *item = (struct source_item){.kind = entry->kind};
        item->path = text_kept(sources, entry->name);
        item->name = text_kept(sources, name);
    }
}

void unmatched_add(struct sources *sources, const char *shown, const char *why) {
    void *list = room_make(sources, sources->unmatched, sources->unmatched_count,
                           sizeof *sources->unmatched);
    if (list) {
        sources->unmatched = list;
        struct class_unmatched *unmatched = &sources->unmatched[sources->unmatched_count++];
        unmatched->source = shown_copy(sources, shown);
        unmatched->why = shown_copy(sources, why);
    }
}

void text_set(struct sources *sources, char **text, const char *format, ...) {
    char buffer[ERROR_TEXT_MAX];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(buffer, sizeof buffer, text_of(format), arguments);
    va_end(arguments);
    text_end(buffer);
    free(*text);
    *text = shown_copy(sources, buffer);
}

void text_add(struct sources *sources, char **text, const char *format, ...) {
    char buffer[2 * ERROR_TEXT_MAX];
    int used = *text ? snprintf(buffer, sizeof buffer, "%.1000s; ", *text) : 0;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(buffer + used, sizeof buffer - (size_t)used, text_of(format), arguments);
    va_end(arguments);
    text_end(buffer);
    free(*text);
    *text = shown_copy(sources, buffer);
}

char *text_shown(struct sources *sources, const char *text) {
    return text && *text != '\0' ? shown_copy(sources, text) : NULL;
}

enum status sources_end(const struct sources *sources) {
    return sources->status;
}

static void source_done(struct source *source) {
    for (int i = 0; i < source->item_count; i++) {
        free(source->item[i].path);
        free(source->item[i].name);
    }
    free(source->item);
    free(source->shown);
    free(source->fault);
    person_done(&source->owner);
}

void sources_done(struct sources *sources) {
    for (int i = 0; i < sources->count; i++) {
        source_done(&sources->list[i]);
    }
    free(sources->list);
    for (int i = 0; i < sources->unmatched_count; i++) {
        free(sources->unmatched[i].source);
        free(sources->unmatched[i].why);
    }
    free(sources->unmatched);
    *sources = (struct sources){0};
}
