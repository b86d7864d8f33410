// Values as people write them: 2.25, 1,024, 9/4, 75 %, A[3][5].
#ifndef EXERCISE_QUESTION_VALUE_H
#define EXERCISE_QUESTION_VALUE_H

#include "exercise/questions.h"

// False if the text is neither a number nor an element.
bool question_value_read(const char *text, struct question_value *ret_value);

// Are they equal, but for rounding?
bool question_value_same(const struct question_value *left, const struct question_value *right);

#endif
