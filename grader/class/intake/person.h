// A student as the roster or a learning platform knows them.
#ifndef CLASS_INTAKE_PERSON_H
#define CLASS_INTAKE_PERSON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "exercise/assignment.h"

#define PERSON_ID_BYTES 101  // with the final NUL; an id is also the name of a folder

// The names that other systems have for a student.  X(enumerator, column of a roster)
#define PERSON_KEYS(X)                                                                             \
    X(KEY_CANVAS_ID, "canvas_id")                                                                  \
    X(KEY_SIS_USER_ID, "sis_user_id")                                                              \
    X(KEY_SIS_LOGIN_ID, "sis_login_id")                                                            \
    X(KEY_MOODLE_ID, "moodle_id")                                                                  \
    X(KEY_USERNAME, "username")                                                                    \
    X(KEY_GITHUB, "github")

#define PERSON_KEY_ENUMERATOR(enumerator, column) enumerator,
enum person_key { PERSON_KEYS(PERSON_KEY_ENUMERATOR) KEY_COUNT };
#undef PERSON_KEY_ENUMERATOR
const char *person_key_name(enum person_key key);  // "canvas_id" …

// Texts are UTF-8 without characters that cannot be shown.  NULL: not known.
struct person {
    char *id;  // unique; person_id_fault finds nothing wrong with it
    char *name;
    char *mail;
    char *section;
    char *key[KEY_COUNT];
    int extension_days;
    int64_t received;  // when the submission came in, as the roster says; MOMENT_NONE: it does not
};

// Errors: STATUS_NO_MEMORY.  Owns: the caller frees with person_done.
enum status person_copy(const struct person *person, struct person *ret_person, struct error *err);
void person_done(struct person *person);

// Why this cannot be the id of a student; NULL if it can.  An id names a folder and is shown to
// people, so it has no '/', does not begin with a dot, and can be seen.
const char *person_id_fault(const char *id);

#endif
