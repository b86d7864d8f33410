// The questions of a lesson as data, in a Markdown page that people can read too.
//
//   ## A warp                               a question begins
//   How many rows of the block …?           its text
//   - [x] 2: right, because …               an answer, and what to say about it
//   - [ ] 1: …                              a wrong one, with its reason
//   - [ ] *: …                              any other one
//
// If every answer is a number or an element, such as A[3][5], the student types it; otherwise the
// student chooses a letter.  An answer may follow from the student's own kernel: `2 = `FORMULA``
// is 2 for the reference.  FORMULA has counters of result.json, `products` (multiply-adds of a
// warp; 0 for a kernel that is not a matmul), `p` (wavefronts for each of these, as in `make
// practice predict`), `registers` and `occupancy` (in per cent), or is
// place("A", x, y, n), the element of A that thread (x,y) loads for the n-th time.
//
// The page of a bug has two questions.  The answers to the first are lines of the kernel, such as
// "16, 20-24", and those to the second are chosen by letters.
//
// In a handout the answers may be withheld: then a page has the line QUESTIONS_WITHHELD, and only
// the choices.
//
// Values as people write them: 2.25, 1,024, 9/4, 75 %, A[3][5].
//
// The answers of a student, student/answers.ini:
//
//   ; a comment
//   [tiled]
//   1 = A[19][21]
//   5 = b
//
// A section is named after the lesson's exercise or the bug, a key is the number of the question.
// The file comes from outside: a wrong line costs only that line.
#ifndef EXERCISE_QUESTIONS_H
#define EXERCISE_QUESTIONS_H

#include <stdbool.h>

#include "base/error.h"
#include "exercise/signature.h"

#define QUESTIONS_WITHHELD "<!--withheld-->"

#define QUESTIONS_MAX        32
#define QUESTION_ANSWERS_MAX 10
#define QUESTION_VALUE_BYTES 64  // of a value as text, with the final NUL
#define QUESTION_RANK_MAX    4   // indices of an element

enum question_kind { QUESTION_LETTER, QUESTION_VALUE, QUESTION_LINE };

struct question_answer {
    bool right;
    const char *text;     // "*": any other
    const char *formula;  // NULL: it does not depend on the kernel
};

struct question {
    const char *title;
    enum question_kind kind;
    int right;  // number of the right answer; -1: withheld
    int answer_count;
    struct question_answer answer[QUESTION_ANSWERS_MAX];
};

struct questions {
    char *text;  // owned; the rest points into it
    bool withheld;
    int count;
    struct question list[QUESTIONS_MAX];
};

// Reads a page; `lines`: the page of a bug, whose first answers are lines.
// Errors: STATUS_BAD_DATA with path and line.   Owns: the caller frees with questions_free.
enum status questions_read(const char *path, bool lines, struct questions **ret_questions,
                           struct error *err);
void questions_free(struct questions *questions);

// A number, or the index of an element.
struct question_value {
    int rank;  // 0: a number
    double number;
    long index[QUESTION_RANK_MAX];
};

// The values for formulas.
struct question_kernel {
    const void *context;
    expression_number *number;
    bool (*place)(const void *context, const char *array, int x, int y, int time,
                  struct question_value *ret_value);
};

struct question_mark {
    bool understood;  // false: the answer does not have the requested form
    bool right;
    int answer;  // number on the page ("*" for any other value); -1: none
    char value
        [QUESTION_VALUE_BYTES];  // the right answer, for this kernel; "": withheld, or a letter
};

// Marks a student's answer.  `kernel` is the student's own; NULL if none is known to be right.
struct question_mark question_mark(const struct question *question, const char *typed,
                                   const struct question_kernel *kernel);

#define ANSWERS_FILE       "answers.ini"
#define ANSWERS_BYTES_MAX  (64 << 10)  // of the file
#define ANSWERS_MAX        1024        // lines that answer
#define ANSWER_BYTES_MAX   80          // of one answer, with the final NUL
#define ANSWERS_FAULTS_MAX 8           // wrong lines that are reported by number

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

// The last nonempty answer to a question before another entry of the list (NULL: before the end),
// or NULL.
const struct given_answer *answers_before(const struct answers *answers,
                                          const struct given_answer *other, const char *section,
                                          int number);

// Notes a wrong line, in order of lines; the first ones are kept.
void answers_fault(struct answers *answers, int line);

#endif
