// A student's texts, each in memory of its own.
#include "class/intake/person.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/words.h"

const char *person_key_name(enum person_key key) {
#define PERSON_KEY_NAME(enumerator, column) column,
    static const char *const names[] = {PERSON_KEYS(PERSON_KEY_NAME)};
#undef PERSON_KEY_NAME
    return names[key];
}

// A copy of a text that may be NULL; false if there is no memory.
static bool text_copy(const char *text, char **ret_copy) {
    *ret_copy = text ? strdup(text) : NULL;
    return !text || *ret_copy;
}

enum status person_copy(const struct person *person, struct person *ret_person, struct error *err) {
    struct person copy = {.extension_days = person->extension_days, .received = person->received};
    bool copied = text_copy(person->id, &copy.id) && text_copy(person->name, &copy.name) &&
                  text_copy(person->mail, &copy.mail) && text_copy(person->section, &copy.section);
    for (int i = 0; copied && i < KEY_COUNT; i++) {
        copied = text_copy(person->key[i], &copy.key[i]);
    }
    if (!copied) {
        person_done(&copy);
        return fail(err, STATUS_NO_MEMORY, "no memory for the class");
    }
    *ret_person = copy;
    return STATUS_OK;
}

void person_done(struct person *person) {
    free(person->id);
    free(person->name);
    free(person->mail);
    free(person->section);
    for (int i = 0; i < KEY_COUNT; i++) {
        free(person->key[i]);
    }
    *person = (struct person){.received = MOMENT_NONE};
}

const char *person_id_fault(const char *id) {
    char shown[PERSON_ID_BYTES];
    size_t bytes = strlen(id);
    if (bytes == 0) {
        return N_("it is empty");
    }
    if (bytes >= sizeof shown) {
        return N_("it has more than 100 bytes");
    }
    if (id[0] == '.' || strchr(id, '/')) {
        return N_("it cannot name a folder: no '/', and no dot at its start");
    }
    memcpy(shown, id, bytes + 1);
    text_clean(shown);
    if (strcmp(shown, id) != 0 || strchr(id, '\n')) {
        return N_("it has characters that cannot be shown");
    }
    return NULL;
}
