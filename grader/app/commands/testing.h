// `test` for the commands that show its result in their own way.
#ifndef APP_COMMANDS_TESTING_H
#define APP_COMMANDS_TESTING_H

#include "app/commands/command.h"
#include "judge/model/judgement.h"

// Prints a judgement for the student.
typedef void test_print(const struct app *app, const struct judgement *judgement);

// Judges with public inputs, as `make test` does; writes the result, keeps the verdicts, and calls
// `print`.  Needs a folder for temporary files (supervise.h).
enum status test_run(const struct app *app, test_print *print, enum exit_code *ret_code,
                     struct error *err);

#endif
