// What a student answers, student/answers.ini:
//
//   ; a comment
//   [tiled]
//   1 = A[19][21]
//   5 = b
//
// A section is named after the lesson's exercise or the bug, a key is the number of the question.
// It comes from outside: a wrong line costs that line alone.
#ifndef EXERCISE_ANSWERS_H
#define EXERCISE_ANSWERS_H

#include "base/error.h"

#define ANSWERS_FILE       "answers.ini"
#define ANSWERS_BYTES_MAX  (64 << 10)  // of the file
#define ANSWERS_MAX        1024        // lines that answer
#define ANSWER_BYTES_MAX   80          // of one answer, with the final NUL
#define ANSWERS_FAULTS_MAX 8           // wrong lines that are named

struct given_answer {
    char section[NAME_BYTES_MAX];
    int number;
    char text[ANSWER_BYTES_MAX];  // "": left empty
    int line;
};

struct answers {
    int count;
    struct given_answer list[ANSWERS_MAX];
    int fault_count;  // all of them
    int fault_line[ANSWERS_FAULTS_MAX];
};

// Reads the text of the file; ret_answers may hold anything before.
void answers_parse(const char *text, struct answers *ret_answers);

// The last answer to a question that is not empty and stands before another one of the list (NULL:
// before the end), or NULL.
const struct given_answer *answers_before(const struct answers *answers,
                                          const struct given_answer *other, const char *section,
                                          int number);

// Notes a wrong line, in order of lines; the first ones are kept.
void answers_fault(struct answers *answers, int line);

#endif
