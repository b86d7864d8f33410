// The commands of build/tilegrade, and what each is given.
#ifndef APP_COMMAND_H
#define APP_COMMAND_H

#include <stdbool.h>

#include "app/paths.h"
#include "base/random.h"
#include "base/size.h"
#include "exercise/exercise.h"
#include "sandbox/sandbox.h"

#define TILEGRADE_VERSION "0.1.0"

// Exit codes, by which scripts tell the kernel's fault from ours.
enum exit_code {
    EXIT_ALL_WELL = 0,
    EXIT_KERNELS = 1,  // wrong or slow
    EXIT_USAGE = 2,    // bad usage or data
    EXIT_HARNESS = 3,  // the harness could not do its work
};

enum device_choice { CHOICE_AUTO, CHOICE_EMU, CHOICE_GPU, CHOICE_COUNT };
const char *device_choice_name(enum device_choice choice);  // "auto", "emu", "gpu"

// How much is told: verdicts alone, what helps, or all that is known.
enum verbosity { VERBOSITY_NORMAL, VERBOSITY_QUIET, VERBOSITY_VERBOSE };

// The command line, checked.  Strings are those of argv.
struct options {
    const char *exercise;    // --exercise NAME or the bare NAME; NULL = all
    const char *submission;  // NULL = the course's student folder
    const char *out;         // NULL = the command's own folder below build/
    const char *root;        // NULL = look for it
    struct size size;        // m = 0: the exercise's own list
    struct seed seed;
    bool has_seed;
    enum device_choice device;
    enum sandbox_policy sandbox;
    int jobs;  // 0: as the machine has
    bool force;
    const char *card;  // NULL = the default of measure/devices.h
    bool sanitize;
    const char *result;  // NULL = that of the last grade
    enum verbosity verbosity;
};

// Options beside --root that a command accepts.
#define OPTION_EXERCISE   1u
#define OPTION_SUBMISSION 2u
#define OPTION_OUT        4u
#define OPTION_SIZE       8u
#define OPTION_SEED       16u
#define OPTION_DEVICE     32u
#define OPTION_FORCE      64u
#define OPTION_NAME       128u   // a bare NAME is the exercise
#define OPTION_SANDBOX    4096u  // by every command that runs kernels
#define OPTION_JOBS       256u
#define OPTION_CARD       512u
#define NO_COURSE         1024u  // the command works without a course
#define NEED_SCRATCH      2048u  // the command makes temporary folders
#define OPTION_SANITIZE   8192u
#define OPTION_RESULT     16384u
#define OPTION_VERBOSITY  32768u

#define LAST_BYTES_MAX 128  // of build/last/NAME: "race 5feceb66ffc86f38…", verdict and hash

// What a command works on.
struct app {
    const struct options *options;
    const struct places *places;
    const struct course *course;  // NULL with NO_COURSE
};

struct command {
    const char *name;
    const char *what;  // one line for --help
    unsigned accepts;  // OPTION_ and NEED_ bits
    enum status (*run)(const struct app *app, enum exit_code *ret_code, struct error *err);
};

// Reads the arguments of one command.  Ends the program, with EXIT_USAGE or after --help, where
// they are no command line.
void options_parse(const struct command *command, int argc, char **argv,
                   struct options *ret_options);

// Each writes its exit code, or returns an error, which main prints.
enum status cmd_test(const struct app *app, enum exit_code *ret_code, struct error *err);
enum status cmd_grade(const struct app *app, enum exit_code *ret_code, struct error *err);
enum status cmd_list(const struct app *app, enum exit_code *ret_code, struct error *err);
enum status cmd_hint(const struct app *app, enum exit_code *ret_code, struct error *err);
enum status cmd_reset(const struct app *app, enum exit_code *ret_code, struct error *err);
enum status cmd_stubs(const struct app *app, enum exit_code *ret_code, struct error *err);
enum status cmd_new(const struct app *app, enum exit_code *ret_code, struct error *err);
enum status cmd_check_course(const struct app *app, enum exit_code *ret_code, struct error *err);
enum status cmd_handout(const struct app *app, enum exit_code *ret_code, struct error *err);
enum status cmd_tiles(const struct app *app, enum exit_code *ret_code, struct error *err);
enum status cmd_profile(const struct app *app, enum exit_code *ret_code, struct error *err);
enum status cmd_regrade(const struct app *app, enum exit_code *ret_code, struct error *err);
enum status cmd_diff(const struct app *app, enum exit_code *ret_code, struct error *err);
enum status cmd_doctor(const struct app *app, enum exit_code *ret_code, struct error *err);

// The exercise named on the command line.  Errors: STATUS_BAD_USAGE with the list of names.
enum status app_exercise(const struct app *app, const struct exercise **ret_exercise,
                         struct error *err);

#endif
