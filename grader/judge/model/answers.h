// Answers to questions, marked.
#ifndef JUDGE_MODEL_ANSWERS_H
#define JUDGE_MODEL_ANSWERS_H

#include <stdbool.h>
#include <stdint.h>

#include "exercise/exercise.h"
#include "exercise/questions.h"

// What is known of the file with the answers.
enum answers_state {
    ANSWERS_NOT_ASKED,
    ANSWERS_MARKED,
    ANSWERS_MISSING,   // nothing was handed in: no points
    ANSWERS_WITHHELD,  // this course, a handout, does not know what is right: the points are open
};

// One question that is worth points.
struct answer_result {
    const struct question_page *page;  // borrowed from the course
    int number;                        // in its page, from 1
    char title[TITLE_BYTES_MAX];
    char title_zh[TITLE_BYTES_MAX];  // "": none
    char given[ANSWER_BYTES_MAX];    // "": not answered; of a repaired kernel its verdict
    int unread_line;                 // of the file, if `given` is not what the question asks for
    bool right;
    int64_t points, points_max;  // milli-points
};

struct answers_result {
    enum answers_state state;
    char sha256[65];            // of the file as submitted; "" if there is none
    char note[ERROR_TEXT_MAX];  // a sentence on what is missing or wrong; "": nothing
    int count;
    struct answer_result *list;  // owned
    int fault_count;             // lines of the file that cannot be read; they cost nothing else
    int64_t points, points_max, points_open;
};

#endif
