// The commands of build/tilegrade, and the input of each.
#ifndef APP_COMMANDS_COMMANDS_H
#define APP_COMMANDS_COMMANDS_H

#include "app/options.h"
#include "app/paths.h"
#include "exercise/assignment.h"

// Options that a command accepts in addition to --root.
#define OPTION_EXERCISE   1u
#define OPTION_SUBMISSION 2u
#define OPTION_OUT        4u
#define OPTION_SIZE       8u
#define OPTION_SEED       16u
#define OPTION_DEVICE     32u
#define OPTION_FORCE      64u
#define OPTION_WORDS      128u   // bare words are passed on; else they name exercises
#define OPTION_SANDBOX    4096u  // every command that runs kernels
#define OPTION_JOBS       256u
#define OPTION_CARD       512u
#define NO_COURSE         1024u  // works without a course; so does a command that is given FILE
#define OPTION_ASSIGNMENT 131072u
#define OPTION_EMPTY      262144u
#define WHOLE_COURSE      65536u     // an assignment or a name does not restrict the course
#define LEAVES_OPTIONAL   16777216u  // it skips optional exercises that are not named
#define NEED_SCRATCH      2048u      // the command makes temporary folders
#define OPTION_RESULT     16384u
#define OPTION_VERBOSITY  32768u
#define OPTION_JOB        1048576u
#define OPTION_PAGE       4194304u
#define OPTION_HINT       2097152u
#define OPTION_KIND       33554432u
#define OPTION_WRITE      67108864u
#define OPTION_CLASS      524288u
#define OPTION_FORMAT     8192u
#define OPTION_BENCH      8388608u
#define OPTION_MARK       134217728u
#define OPTION_PLANNED    268435456u
#define OPTION_PROGRAM    536870912u  // words after `--` are its arguments

// The input of a command.
struct app {
    const struct options *options;
    const struct places *places;
    const struct course *course;          // NULL with NO_COURSE; else the requested exercises
    const struct course *whole;           // the same without regard to names on the command line
    const struct assignment *assignment;  // that the course is restricted to; NULL: none
};

// Writes its exit code, or returns an error, which main prints.
typedef enum status command_body(const struct app *app, enum exit_code *ret_code,
                                 struct error *err);

// The words of a text, which blanks separate, after those of `before`; either may be NULL.
// Owns: the caller frees the array and *ret_text, in which the words are.
char **words_of(const char *text, char *const *before, char **ret_text);

command_body cmd_test, cmd_grade, cmd_list, cmd_hint, cmd_reset, cmd_stubs, cmd_new;
command_body cmd_check_course, cmd_handout_kernels, cmd_tiles, cmd_regrade, cmd_diff, cmd_doctor,
    cmd_watch, cmd_next, cmd_show, cmd_submit, cmd_debug, cmd_answer, cmd_run;
command_body cmd_facts, cmd_count, cmd_packages, cmd_mark;

// The readers for whom `tilegrade help` lists a command.  FOR_PROGRAMS commands are not listed.
enum audience { FOR_PROGRAMS, FOR_STUDENTS, FOR_TEACHERS, FOR_DEVELOPERS, AUDIENCE_COUNT };

struct command {
    enum audience audience;
    const char *name;
    const char *what;  // one line for --help
    unsigned accepts;  // OPTION_ and NEED_ bits
    command_body *run;
};

#define IN_PYTHON NULL  // report/front.py runs the command

const char *device_choice_name(enum device_choice choice);  // "auto", "emu", "gpu"

// May students see the references?  Without an assignment they are in the course, where everyone
// can read them.
bool answer_is_open(const struct app *app);

// Reads the arguments of one command: options (--exercise=tiled), the same in make's form
// (EX=tiled), and bare names of exercises.  Ends the program with EXIT_USAGE if they are wrong, and
// after --help.
void options_parse(const struct command *command, int argc, char **argv,
                   struct options *ret_options);

// Writes " (EX SIZE …)": the names of the options in make's form; "" if there are none.
void options_names(const struct command *command, char *ret_names, size_t bytes);

// Calls `body` for each exercise that is named on the command line.
// Errors: STATUS_BAD_USAGE if none is.
typedef enum status exercise_body(const struct app *app, const struct exercise *exercise,
                                  struct error *err);
enum status app_each_named(const struct app *app, exercise_body *body, struct error *err);

#endif
