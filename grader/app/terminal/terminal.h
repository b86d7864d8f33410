// Text for a terminal: blocks for students, a table for instructors.  It renders a
// judgement and decides nothing.
//
// The last lines of a run: the place of its page, and the next step.
#ifndef APP_TERMINAL_TERMINAL_H
#define APP_TERMINAL_TERMINAL_H

#include <stdio.h>

#include "app/options.h"
#include "app/paths.h"
#include "judge/model/judgement.h"

#define TERMINAL_COLUMNS     80   // width if the output is not a terminal
#define TERMINAL_COLUMNS_MAX 100  // longer lines of text are hard to read
#define TERMINAL_COLUMNS_MIN 40

// The output for text, and its style.
struct terminal {
    FILE *out;
    bool colors;         // a terminal, and NO_COLOR is not set
    const char *folder;  // of the kernel files, as people name it: "student"
    const char *root;    // of the course, for its pages in the chosen language
    enum verbosity verbosity;
    const char *options;  // after `make test EX=name`: " SEED=1234", or ""
    int columns;          // at which text is wrapped; 0: TERMINAL_COLUMNS
    bool keys;            // the reader can use the keys of `watch` in place of commands
};

enum color { COLOR_BOLD, COLOR_RED, COLOR_GREEN, COLOR_YELLOW, COLOR_DIM };

// Green, red, or yellow if no kernel was judged.
enum color terminal_verdict_color(enum verdict verdict);

struct terminal terminal_of(FILE *out, const char *folder, const char *options);  // root is "."

// For a process whose output another one will show: from now on terminal_of returns a terminal of
// this width, with these colours and keys.
void terminal_pretend(int columns, bool colors, bool keys);

// The width for text on a terminal with this many columns; 0: not known.
int terminal_width(int columns);

// Writes text in a colour, cleaned.
void terminal_color(const struct terminal *terminal, enum color color, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Begins a line of text that is not ours, so that no CI system takes it for a command.
#define FOREIGN_MARK         "\u2502 "
#define FOREIGN_MARK_COLUMNS 2

// Writes text wrapped at the terminal's width, every line indented; it is cleaned.
void terminal_wrap(const struct terminal *terminal, int indent, const char *text);

// True if a line break between two texts does not replace a blank, as between two Chinese
// characters.
bool terminal_joins(const char *before, const char *after);

// Writes text from `column` on, after what is already on the line, and wraps it there; a word
// longer than a line stays whole.
void terminal_hang(const struct terminal *terminal, int column, const char *text);

// Copies text without escape sequences, cleaned as by text_clean (base/text.h), and without the
// beginning of a command of a CI system within a line.  Cut at bytes_max - 1; ret_text may be text.
void terminal_clean(const char *text, char *ret_text, size_t bytes_max);

// The same for the name of a folder or a file, which stays on one line.
void terminal_clean_name(const char *name, char *ret_text, size_t bytes_max);

// Writes the line of an error on stderr: "tilegrade: " and the text.
void terminal_error(const char *text);

// One block for `make test`.
void terminal_exercise(const struct terminal *terminal, const struct exercise_result *result);

struct program_files;
struct program_result;

// Why a program cannot run, with the compiler's messages.
struct run_program;
void terminal_program_fault(const struct terminal *terminal, const char *file,
                            const struct run_program *program);

// The mistakes of a program, after it has run: the first one explained, the others in short.
// `file`: the first one, as people name it.
void terminal_program(const struct terminal *terminal, const char *file,
                      const struct program_files *files, const struct program_result *result);

// How many kernels pass, after the blocks of `make test`.
void terminal_test_summary(const struct terminal *terminal, const struct judgement *judgement);

// The table of `make grade`.
void terminal_grade(const struct terminal *terminal, const struct judgement *judgement);

// Milli-points as "33.5": no more digits than needed.
#define POINTS_TEXT_BYTES 32
void points_format(int64_t points, char text[POINTS_TEXT_BYTES]);

// "33.5 of 40", or "30 of 40, 10 open".
#define POINTS_OF_BYTES (4 * POINTS_TEXT_BYTES)
void points_of_format(int64_t points, int64_t points_max, int64_t points_open,
                      char text[POINTS_OF_BYTES]);

struct course;

// The scope of a run: all exercises of the course or the assignment, some of which were judged.
struct next_course {
    const struct places *places;
    const struct course *whole;
    bool own;  // the student's own files, not another folder
};

// After `make test`.
void terminal_next_test(const struct terminal *terminal, const struct next_course *course,
                        const struct judgement *judgement);

// After `make grade`, of the student's own files.
void terminal_next_grade(const struct terminal *terminal, const struct next_course *course,
                         const struct judgement *judgement);

#endif
