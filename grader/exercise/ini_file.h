// The lines of an .ini file of the course, read by inih, with a message that names the first wrong
// line.
#ifndef EXERCISE_INI_FILE_H
#define EXERCISE_INI_FILE_H

#include <stdbool.h>

#include "base/error.h"

#define TITLE_BYTES_MAX 80  // with the final NUL

struct ini {
    const char *path;      // as messages show it
    const char *sections;  // as written, with blanks between them: "[cases] [timed]"
    const char *at;        // the rest of the text
    int line;              // of the line read last
    enum status status;    // of the first error
    struct error *err;
};

// Takes one `name = value`; section is "" at the top.  Returns 0 if it is wrong, and then ini_fail
// was called.
typedef int ini_pair(void *context, const char *section, const char *name, const char *value);

// Reads the file ini->path; path, sections and err are set, the rest is zero.
enum status ini_read(struct ini *ini, ini_pair *pair, void *context);

// Reports an error in the current line; the first error is kept.  Returns 0, which stops inih.
int ini_fail(struct ini *ini, const char *format, ...) __attribute__((format(printf, 2, 3)));

// A whole number from min to max, with nothing after it.  Returns 0 after ini_fail.
int ini_number(struct ini *ini, const char *name, const char *text, long min, long max,
               long *ret_number);

// A title of 1 to TITLE_BYTES_MAX - 1 bytes.  Returns 0 after ini_fail.
int ini_title(struct ini *ini, const char *text, char ret_title[TITLE_BYTES_MAX]);

// The position of the value in a list of words.  Returns 0 after ini_fail.
int ini_word(struct ini *ini, const char *name, const char *text, const char *const *words,
             int count, int *ret_place);

// The place of a name among keys, each of which may occur once: `seen` records the keys that did.
// Returns 0 after ini_fail.
int ini_key(struct ini *ini, const char *name, const char *const *keys, int count, bool *seen,
            int *ret_key);

// True for a valid name of a case, exercise or assignment: lower-case letters, digits and _, no
// digit first.
bool ini_name_good(const char *name);

#endif
