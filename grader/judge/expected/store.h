// The functions of the exercises that are no products, each built when it is first needed.
#ifndef JUDGE_EXPECTED_STORE_H
#define JUDGE_EXPECTED_STORE_H

#include "judge/expected/program.h"

struct expected_store {
    int count;
    struct expected_program *program[EXERCISES_MAX];  // owned
};

// The function of an exercise, from expected.c beside its lesson; machine->expected keeps it.
// Errors: STATUS_BAD_DATA: there is none, or it does not compile; those of expected_build.
enum status expected_store_get(const struct judge_machine *machine, const struct exercise *exercise,
                               const struct expected_program **ret_program, struct error *err);
void expected_store_done(struct expected_store *store);

#endif
