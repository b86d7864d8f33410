// The messages of compilers: those of g++ read one by one, in the form of LC_ALL=C,
//
//     In file included from submission.cu:3:
//     /…/mma.h:6:2: error: #error tilegrade_needs_gpu: <mma.h>
//         6 | #error tilegrade_needs_gpu: <mma.h>
//
// and those of g++ and NVRTC as a student reads them.
#ifndef DEVICE_COMPILE_COMPILER_MESSAGES_H
#define DEVICE_COMPILE_COMPILER_MESSAGES_H

#include <stdbool.h>

#include "device/build_report.h"

// Longer lines are cut: a message of that length is an expanded template or macro.
#define COMPILER_LINE_MAX 2000  // bytes, with the final NUL

enum message_kind { MESSAGE_NONE, MESSAGE_ERROR, MESSAGE_WARNING, MESSAGE_NOTE };

// One line of the output.
struct compiler_message {
    char text[COMPILER_LINE_MAX];
    char file[256];    // "" for lines that name no place
    int line, column;  // 0 if there is none
    enum message_kind kind;
    const char *said;  // after "error: ", "warning: ", "note: "; NULL for others
};

// Copies the next line of *at and moves *at past it.  False at the end.
bool compiler_message_line(const char **at, char text[COMPILER_LINE_MAX]);

// Reads the next line, whatever it is, and moves *at past it.  False at the end.
bool compiler_message_next(const char **at, struct compiler_message *message);

// True if a message is about the author's text; in a program, that is any file with a relative name
// but for the folder of changed texts, whose lines of -D have no others.
bool compiler_message_is_own(const struct compiler_message *message, bool is_program);

bool compiler_message_is_submission(const char *file);  // a file's name: the student's
bool compiler_message_is_ours(const char *file);        // a header of ours

// Removes the mark of our own names, in place: __tilegrade_memset becomes memset.
void compiler_message_plain(char *text);

// A missing } shows at the end of the file, and everything in between confuses the compiler.
bool compiler_message_is_open_brace(const struct compiler_message *message);

#define DIAGNOSTIC_LINES_MAX 40

// The messages of g++ as shown: the student's own file name, no paths of ours, all warnings, or
// only errors if there are any, at most DIAGNOSTIC_LINES_MAX lines.  Messages about a file that is
// neither the student's nor ours are omitted, because they would quote it.
// Owns: the caller frees it.
char *diagnostics_show(const char *output, const char *kernel);

// The same for a program: its first file is shown as `name`, others by theirs.
char *program_messages_show(const char *output, const char *name);

// NVRTC's log as shown: the student's file under its own name, our headers without folder, no
// remarks or empty lines, at most 40 lines.  Owns: the caller frees it.
char *compile_log_show(const char *log, const char *kernel, const char *folder);

// The character of C that the first lookalike in a message resembles, ' ' for a blank; 0 if there
// is none.  A message has such a character as itself or as \U0000ff1b.
char compiler_message_lookalike(const char *said, uint32_t *ret_character);

#endif
