// The messages of g++, read one by one.  The form is the one of LC_ALL=C:
//
//     In file included from submission.cu:3:
//     /…/mma.h:6:2: error: #error tilegrade_needs_gpu: <mma.h>
//         6 | #error tilegrade_needs_gpu: <mma.h>
#ifndef DEVICE_BUILD_GXX_MESSAGE_H
#define DEVICE_BUILD_GXX_MESSAGE_H

#include <stdbool.h>

// Longer lines are cut: a message that long is a template or a macro unrolled.
#define COMPILER_LINE_MAX 2000  // bytes, with the final NUL

// One line of the output.
struct compiler_message {
    char text[COMPILER_LINE_MAX];
    char file[256];  // "" for lines that name no place
    int line;
    const char *said;  // after "error: "; NULL if the line is not an error; points into text
    const char *kind;  // "error", "warning", "note" or NULL
};

// Copies the next line of *at and moves *at past it.  False at the end.
bool compiler_message_line(const char **at, char text[COMPILER_LINE_MAX]);

// Reads the next line, whatever it is, and moves *at past it.  False at the end.
bool compiler_message_next(const char **at, struct compiler_message *message);

bool compiler_message_is_submission(const char *file);  // a file's name: the student's
bool compiler_message_is_ours(const char *file);        // a header of ours
bool compiler_message_is_shim(const char *file);        // one that no student includes

// Takes the mark of our own names away, in place: __tilegrade_memset is memset.
void compiler_message_plain(char *text);

// A missing } shows at the end of the file, and everything in between confuses the compiler.
bool compiler_message_is_open_brace(const struct compiler_message *message);

#endif
