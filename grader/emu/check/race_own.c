// A short list for each thread.
#include "emu/check/race_own.h"

#include <stddef.h>
#include <string.h>

static const struct race_own_value *value_of(const struct race_own *own, uint32_t phase,
                                             uint32_t thread, uint64_t word) {
    for (int i = 0; i < RACE_OWN_MAX; i++) {
        const struct race_own_value *value = &own->of[thread][i];
        if (value->phase == phase && value->word == word) {
            return value;
        }
    }
    return NULL;
}

void race_own_note(struct race_own *own, uint32_t phase, uint32_t thread, uint64_t word,
                   uint32_t value) {
    const struct race_own_value *there = value_of(own, phase, thread, word);
    uint32_t at = there ? (uint32_t)(there - own->of[thread]) : own->next[thread]++ % RACE_OWN_MAX;
    own->of[thread][at] = (struct race_own_value){.word = word, .value = value, .phase = phase};
}

bool race_own_holds(const struct race_own *own, uint32_t phase, uint32_t thread, uint64_t word,
                    const void *there, uint32_t bytes) {
    const struct race_own_value *value = value_of(own, phase, thread, word);
    return value && memcmp(there, &value->value, bytes) == 0;
}
