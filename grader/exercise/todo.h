// Which TODOs of a stub a student has not begun.
#ifndef EXERCISE_TODO_H
#define EXERCISE_TODO_H

#define TODOS_MAX 9

// Numbers of the TODOs below which the student's text goes on as the stub does: nothing was written
// there.  One whose comment is gone is not counted, as nobody knows where it was.
//
// Shapes   ret_number [TODOS_MAX], ascending.
// Returns  how many.
int todo_open(const char *stub, const char *text, int ret_number[TODOS_MAX]);

#endif
