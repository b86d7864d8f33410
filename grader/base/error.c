// Messages are cleaned here, in one place, because they may quote file names and lines of
// submissions.
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/compose.h"

// The most frequent messages of the C library, listed here so that tools/texts.py finds them.
__attribute__((unused)) static const char *const system_texts[] = {
    N_("No such file or directory"),
    N_("Permission denied"),
    N_("Not a directory"),
    N_("Is a directory"),
    N_("File exists"),
    N_("No space left on device"),
    N_("Read-only file system"),
    N_("Input/output error"),
    N_("Cannot allocate memory"),
    N_("Too many open files"),
    N_("File name too long"),
    N_("Directory not empty"),
    N_("Operation not permitted"),
    N_("Disk quota exceeded"),
    N_("Argument list too long"),
    N_("Too many levels of symbolic links"),
    N_("Resource temporarily unavailable"),
};

// Bytes of 0x80 and above stay, so that names in UTF-8 stay readable.
static void clean_text(char *text) {
    for (char *at = text; *at != '\0'; at++) {
        unsigned char byte = (unsigned char)*at;
        if ((byte < 0x20 && byte != '\n') || byte == 0x7f) {
            *at = '?';
        }
    }
}

static void text_make(struct error *err) {
    words_render(NULL, err->words, err->text, sizeof err->text);
    clean_text(err->text);
}

enum status fail(struct error *err, enum status status, const char *format, ...) {
    if (err) {
        va_list arguments;
        va_start(arguments, format);
        words_vwrite(err->words, sizeof err->words, format, arguments);
        va_end(arguments);
        text_make(err);
    }
    return status;
}

enum status fail_errno(struct error *err, enum status status, const char *format, ...) {
    int number = errno;
    if (err) {
        va_list arguments;
        va_start(arguments, format);
        char what[ERROR_TEXT_MAX];
        char why[ERROR_TEXT_MAX];
        words_vwrite(what, sizeof what, format, arguments);
        va_end(arguments);
        words_name(why, sizeof why, strerror(number));
        words_write(err->words, sizeof err->words, "%s: %s", what, why);
        text_make(err);
    }
    return status;
}

enum status status_of_errno(enum status status) {
    bool trouble = errno == EIO || errno == ENOMEM || errno == EMFILE || errno == ENFILE;
    return trouble ? STATUS_SYSTEM : status;
}

int status_exit_code(enum status status) {
    switch (status) {
    case STATUS_OK:
        return 0;
    case STATUS_BAD_USAGE:
    case STATUS_BAD_DATA:
        return 2;
    case STATUS_NO_MEMORY:
    case STATUS_SYSTEM:
    case STATUS_UNAVAILABLE:
        return 3;
    }
    return 3;
}
