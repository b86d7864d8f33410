// The translation of a text, by binary search.
#include "base/translate.h"

#include <stdlib.h>
#include <string.h>

const struct texts texts_en = {.language = "en"};

// Global, because messages are made in every layer and on every thread, and a language parameter in
// every function would only be noise.  It is written once, before threads are started, and affects
// only words (grader/decisions/0018-texts.md).
static const struct texts *chosen = &texts_en;

static int entry_compare(const void *english, const void *entry) {
    return strcmp(english, ((const struct translation *)entry)->english);
}

const char *texts_find(const struct texts *texts, const char *english) {
    const struct translation *found =
        texts->count > 0
            ? bsearch(english, texts->entries, texts->count, sizeof *texts->entries, entry_compare)
            : NULL;
    return found ? found->translation : english;
}

void texts_use(const struct texts *texts) {
    chosen = texts;
}

const char *text_of(const char *english) {
    return texts_find(chosen, english);
}

const char *text_in(const char *key, const char *english) {
    const char *found = texts_find(chosen, key);
    return found == key ? english : found;
}

const char *texts_language(void) {
    return chosen->language;
}

const struct texts *texts_chosen(void) {
    return chosen;
}

size_t text_sentence(const char *text) {
    for (const char *at = text; *at != '\0'; at++) {
        if (at[0] == '.' && at[1] == ' ') {
            return (size_t)(at - text) + 1;
        }
        if (strncmp(at, "。", strlen("。")) == 0) {
            return (size_t)(at - text) + strlen("。");
        }
    }
    return strlen(text);
}

const char *texts_gap(const struct texts *texts) {
    return strcmp(texts->language, "zh") == 0 ? "" : " ";
}
