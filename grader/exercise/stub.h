// Stubs: the reference without the parts between //@cut and //@end, and the question "is this file
// still the stub?".
//
// In the reference:
//
//     //@cut 1 load one element of A and one of B into shared memory; 0 past the edge
//     …lines of the solution…
//     //@end
//
// becomes one comment in the stub, `// TODO 1 (about 4 lines): load one element …`.  A cut may
// hold `//@stub text` lines: their text replaces the cut lines, so that a stub compiles, runs and
// ends.  Solving a stub only adds lines.
//
// The TODOs of a stub that a student has not begun.
#ifndef EXERCISE_STUB_H
#define EXERCISE_STUB_H

#include <stdbool.h>
#include <stddef.h>

#include "exercise/exercise.h"

// Cuts a stub.  Errors: STATUS_BAD_DATA with path:line (//@end without //@cut, nested cuts,
// numbers out of order, more than 4 cuts, no cut).  Owns: the caller frees *ret_stub.
enum status stub_cut(const char *path, const char *reference, char **ret_stub, struct error *err);

// The reference as students may read it: without its cut marks, and with the lines of `stub`
// outside of the cuts, so that comments have the language of the stub.  Owns: the caller frees it.
char *stub_unmark(const char *reference, const char *stub);

// The stub of an exercise: cut from reference/<name>.cu, or, in a course without references (a
// handout), read from lessons/NNN_name/stub.cu.  Owns: the caller frees *ret_stub.
enum status stub_of(const struct course *course, const struct exercise *exercise, char **ret_stub,
                    struct error *err);

// The same stub with its comments in a language: lessons/NNN_name/stub.<language>.cu.  Its code
// equals the stub's line by line, so that a line has the same number in both.  NULL: no such file.
// Errors: STATUS_BAD_DATA with the path:line at which the code or the number of a TODO differs.
// Owns: the caller frees *ret_spoken.
enum status stub_spoken(const struct course *course, const struct exercise *exercise,
                        const char *language, const char *stub, char **ret_spoken,
                        struct error *err);

// The stub as students get it: in the chosen language, or in English if that file does not exist or
// has other code.  Owns: the caller frees *ret_stub.
enum status stub_in_language(const struct course *course, const struct exercise *exercise,
                             char **ret_stub, struct error *err);

// The first line, from 1, whose code or number of a TODO differs in two stubs; 0 if none does.
int stub_line_differs(const char *stub, const char *spoken);

// True if both files have the same C tokens: comments, white space and line ends do not count.
bool token_streams_equal(const char *a, size_t a_bytes, const char *b, size_t b_bytes);

#define TODOS_MAX 9

// Numbers of the TODOs after which the student's text continues as in the stub, so that nothing was
// written there.  A TODO whose comment was removed is not counted, because its place is unknown.
//
// Shapes   ret_number [TODOS_MAX], ascending.
// Returns  how many.
int todo_open(const char *stub, const char *text, int ret_number[TODOS_MAX]);

// The TODO whose part of the text holds the line, from 1: the last one above it.  0: none.
int todo_at(const char *text, int line);

#endif
