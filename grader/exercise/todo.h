// Which TODOs of a stub a student has not begun.
#ifndef EXERCISE_TODO_H
#define EXERCISE_TODO_H

#define TODOS_MAX 9

// Numbers of the TODOs after which the student's text continues as in the stub, so nothing was
// written there.  A TODO whose comment was removed is not counted, because its place is unknown.
//
// Shapes   ret_number [TODOS_MAX], ascending.
// Returns  how many.
int todo_open(const char *stub, const char *text, int ret_number[TODOS_MAX]);

// The TODO whose part of the text holds the line, from 1: the last one above it.  0: none.
int todo_at(const char *text, int line);

#endif
