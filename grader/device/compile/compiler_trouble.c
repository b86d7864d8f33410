// A compiler reports its own failures as "g++: …" or "cc1plus: …".  If it failed while it was
// writing, the message instead begins with the line that it had reached, so anything may come
// before "fatal error: ".
//
// A file that includes another by a strange name is recognised by the words before the reason,
// because the name comes first there.  If a file makes the compiler print such a message, the
// exercise stays open, which gives no points.
#include "device/compile/compiler_trouble.h"

#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/text.h"
#include "base/words.h"

// The end of a message, as strerror words it, and the remedy.
static const struct {
    const char *reason, *what;
} reasons[] = {
    {": No space left on device",
     N_("no disk space for the build: set TMPDIR to a folder with room")},
    {": Disk quota exceeded", N_("no disk space for the build: set TMPDIR to a folder with room")},
    {": Too many open files", N_("the build has too few file descriptors: see `ulimit -n`")},
    {": Too many open files in system", N_("this machine has no file descriptors left")},
    {": Cannot allocate memory", N_("this machine has no memory left for a compiler")},
    {": Resource temporarily unavailable",
     N_("this machine runs too many processes: see `ulimit -u`")},
    {": Input/output error", N_("the disk of the build has errors: set TMPDIR to another folder")},
    {": Read-only file system",
     N_("the build's folder cannot be written: set TMPDIR to another one")},
    {": Permission denied", N_("the build's folder cannot be written: set TMPDIR to another one")},
    {": Operation not permitted",
     N_("the build's folder cannot be written: set TMPDIR to another one")},
};

static bool text_ends(const char *text, const char *end) {
    size_t length = strlen(text);
    size_t tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

// The compiler's message if it could not write its output; "can't open", with its own quotes.
static bool is_writing(const char *said) {
    static const char *const starts[] = {"error writing to ",
                                         "error closing ",
                                         "opening dependency file ",
                                         "closing dependency file ",
                                         "when writing output to ",
                                         "writing dependency file ",
                                         "could not open dump file",
                                         "cannot open '",
                                         "can't open '",
                                         "can't create ",
                                         "cannot create ",
                                         "Cannot create temporary file"};
    return text_starts_any(said, starts, COUNT(starts));
}

// "g++-13: ", "cc1plus: ": a program's name, not the place of a message.
static bool is_of_program(const struct compiler_message *message) {
    static const char *const programs[] = {"g++", "gcc", "cc1plus", "as", "ld", "collect2"};
    size_t length = strcspn(message->text, ": \n");
    if (message->file[0] != '\0' || message->text[length] != ':') {
        return false;
    }
    for (size_t i = 0; i < COUNT(programs); i++) {
        const char *found = strstr(message->text, programs[i]);
        if (found && (size_t)(found - message->text) < length) {
            return true;
        }
    }
    return false;
}

// "/course/grader/include/matmul.cuh: Input/output error": a header that exists but cannot be read.
static bool is_reading(const char *said) {
    static const char *const ends[] = {": Input/output error", ": Too many open files",
                                       ": Too many open files in system",
                                       ": Cannot allocate memory"};
    bool known = compiler_message_is_ours(said) || text_starts(said, "/usr/");
    if (said[0] != '/' || !known || strstr(said, "/../")) {
        return false;
    }
    for (size_t i = 0; i < COUNT(ends); i++) {
        if (text_ends(said, ends[i])) {
            return true;
        }
    }
    return false;
}

// The text after "fatal error: "; the whole text if it lacks these words.
static const char *said_of(const struct compiler_message *message) {
    bool is_error = message->kind == MESSAGE_ERROR;
    const char *fatal = is_error ? NULL : strstr(message->text, "fatal error: ");
    return is_error ? message->said : fatal ? fatal + strlen("fatal error: ") : message->text;
}

enum status compiler_trouble(const struct compiler_message *message, struct error *err) {
    const char *text = message->text;
    bool own = is_of_program(message);
    bool writing = is_writing(said_of(message));
    // Reaching the compiler's memory limit is the student's fault: see run_build.
    bool limit = strstr(text, "virtual memory exhausted") || strstr(text, "out of memory alloc");
    for (size_t i = 0; (own || writing) && !limit && i < COUNT(reasons); i++) {
        if (text_ends(text, reasons[i].reason)) {
            return fail(err, STATUS_SYSTEM, "%s (%.200s)", _(reasons[i].what), text);
        }
    }
    if (is_reading(said_of(message))) {
        return fail(err, STATUS_SYSTEM, "the compiler could not read a header: %.200s",
                    said_of(message));
    }
    // "<built-in>: fatal error: when writing output to kernel.ii: No such file or directory": g++
    // may have lost the reason by then.
    if (writing && message->file[0] == '\0') {
        return fail(err, STATUS_SYSTEM, "%s (%.200s)", _(reasons[0].what), text);
    }
    if (own && (strstr(text, "cannot execute") || strstr(text, "error trying to exec"))) {
        return fail(err, STATUS_UNAVAILABLE,
                    "the C++ compiler is incomplete (%.200s): run `make setup`", text);
    }
    // Our own limit ends it by SIGXCPU; SIGKILL comes from elsewhere, mostly from an operating
    // system that is short of memory.
    if (own && (strstr(text, ": Killed signal terminated program") ||
                strstr(text, "internal compiler error: Killed"))) {
        return fail(err, STATUS_SYSTEM,
                    "the compiler was killed: is this machine short of memory? (%.200s)", text);
    }
    if (strstr(text, ": error while loading shared libraries: ") && message->file[0] == '\0' &&
        text[0] == '/') {
        return fail(err, STATUS_SYSTEM, "the compiler could not be started: %.300s", text);
    }
    return STATUS_OK;
}

bool compiler_time_ended(const char *messages) {
    return strstr(messages, "CPU time limit exceeded signal terminated program") != NULL;
}

// The number after a mark; 0 if the mark is missing.
static uint64_t number_behind(const char *messages, const char *mark) {
    const char *at = strstr(messages, mark);
    return at ? strtoull(at + strlen(mark), NULL, 10) : 0;
}

// In the words of xmalloc_failed of GCC's libiberty, "cc1plus: out of memory allocating 65536 bytes
// after a total of 2133458944 bytes", and a shorter form.
struct compiler_memory compiler_memory_read(const char *messages) {
    bool allocating = strstr(messages, "out of memory allocating") != NULL;
    return (struct compiler_memory){
        .ended = allocating || strstr(messages, "virtual memory exhausted") != NULL,
        .asked_bytes = number_behind(messages, "out of memory allocating "),
        .total_bytes = number_behind(messages, "after a total of "),
    };
}
