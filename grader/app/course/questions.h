// Questions whose answers bring points, as a handout has them.
#ifndef APP_COURSE_QUESTIONS_H
#define APP_COURSE_QUESTIONS_H

#include "exercise/exercise.h"

// Rewrites the pages of questions in `folder`, in each language, without answers and reasons: only
// what can be chosen stays.
enum status questions_withhold(const char *folder, bool is_bug, struct error *err);

// Writes student/answers.ini of the handout `out`, a line for each question, to be filled in.
enum status answers_template_write(const struct course *course, const char *title, const char *out,
                                   struct error *err);

#endif
