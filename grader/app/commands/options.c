// Arguments by argp.  One table of options; each command shows and takes those that it accepts.
#include "app/command.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/terminal/terminal.h"
#include "base/file.h"
#include "base/language.h"
#include "base/limits.h"
#include "base/texts.h"

#define OPTIONS_MAX 24
#define HELP_COLUMN 29  // where the texts of --help start

enum option_key {
    KEY_EXERCISE = 'e',
    KEY_SUBMISSION = 's',
    KEY_OUT = 'o',
    KEY_QUIET = 'q',
    KEY_VERBOSE = 'v',
    KEY_SIZE = 256,
    KEY_SEED,
    KEY_DEVICE,
    KEY_SANDBOX,
    KEY_ROOT,
    KEY_FORCE,
    KEY_JOBS,
    KEY_CARD,
    KEY_SANITIZE,
    KEY_RESULT,
    KEY_LANGUAGE,
    KEY_HELP = '?',
    KEY_USAGE = KEY_LANGUAGE + 1,
    KEY_VERSION = 'V',
};

static const struct {
    unsigned bit;
    struct argp_option option;
} option_table[] = {
    {OPTION_EXERCISE, {"exercise", KEY_EXERCISE, "NAME", 0, N_("this exercise alone"), 0}},
    {OPTION_SUBMISSION,
     {"submission", KEY_SUBMISSION, "DIR", 0,
      N_("the folder with the kernel files, or a .zip or .tar.gz of it (default: student)"), 0}},
    {OPTION_OUT, {"out", KEY_OUT, "DIR", 0, N_("where the result is written"), 0}},
    {OPTION_SIZE,
     {"size", KEY_SIZE, "MxNxK", 0, N_("this size alone: 67x33x129, or 64 for a cube"), 0}},
    {OPTION_SEED,
     {"seed", KEY_SEED, "HEX", 0, N_("1 to 32 hexadecimal digits from which all inputs are drawn"),
      0}},
    {OPTION_DEVICE,
     {"device", KEY_DEVICE, "WHICH", 0,
      N_("auto, emu (the CPU alone) or gpu (a GPU must be there)"), 0}},
    {OPTION_SANDBOX,
     {"sandbox", KEY_SANDBOX, "POLICY", 0,
      N_("how much must shut kernels in: default, strict, or unsafe (limits alone; results say "
         "so)"),
      0}},
    {OPTION_JOBS,
     {"jobs", KEY_JOBS, "N", 0,
      N_("processes that work side by side (default: one a processor, at most 4)"), 0}},
    {OPTION_CARD,
     {"card", KEY_CARD, "NAME", 0, N_("the card to estimate for, such as rtx3060 (default: H200)"),
      0}},
    {OPTION_SANITIZE,
     {"sanitize", KEY_SANITIZE, NULL, 0, N_("run compute-sanitizer over the kernel, on a GPU"), 0}},
    {OPTION_RESULT,
     {"result", KEY_RESULT, "FILE", 0, N_("a stored result (default: build/grade/result.json)"),
      0}},
    {OPTION_VERBOSITY, {"quiet", KEY_QUIET, NULL, 0, N_("verdicts and points alone"), 0}},
    {OPTION_VERBOSITY,
     {"verbose", KEY_VERBOSE, NULL, 0, N_("also every finding, every case and all counted work"),
      0}},
    {OPTION_FORCE, {"force", KEY_FORCE, NULL, 0, N_("overwrite finished work too"), 0}},
    {0,
     {"language", KEY_LANGUAGE, "en|zh", 0,
      N_("English or Chinese (default: as the system is set)"), 0}},
    {0, {"root", KEY_ROOT, "DIR", 0, N_("the folder of the course"), 0}},
    {0, {"help", KEY_HELP, NULL, 0, N_("this list"), 0}},
    {0, {"usage", KEY_USAGE, NULL, 0, N_("the first line of it"), 0}},
    {0, {"version", KEY_VERSION, NULL, 0, N_("the version of the program"), 0}},
};

struct parsing {
    const struct command *command;
    struct options *options;
};

const char *device_choice_name(enum device_choice choice) {
    static const char *const names[CHOICE_COUNT] = {
        [CHOICE_AUTO] = "auto", [CHOICE_EMU] = "emu", [CHOICE_GPU] = "gpu"};
    return names[choice];
}

// argp's own help knows no Chinese: it counts bytes for columns, and breaks lines at blanks alone.
static _Noreturn void help_print(const struct command *command, bool all) {
    struct terminal terminal = terminal_of(stdout, "", "");
    (void)printf(_("Usage: tilegrade %s [OPTION...]%s\n"), command->name,
                 command->accepts & OPTION_NAME ? " NAME" : "");
    if (all) {
        terminal_wrap(&terminal, 0, _(command->what));
        (void)putchar('\n');
    }
    for (size_t i = 0; all && i < sizeof option_table / sizeof *option_table; i++) {
        const struct argp_option *option = &option_table[i].option;
        char name[HELP_COLUMN] = "";
        if (option_table[i].bit != 0 && !(command->accepts & option_table[i].bit)) {
            continue;
        }
        if (option->key < KEY_SIZE) {
            (void)snprintf(name, sizeof name, "-%c,", option->key);
        }
        (void)snprintf(name + strlen(name), sizeof name - strlen(name), "%*s--%s%s%s",
                       name[0] != '\0' ? 1 : 4, "", option->name, option->arg ? "=" : "",
                       option->arg ? option->arg : "");
        (void)printf("  %-*s", HELP_COLUMN - 2, name);
        terminal_hang(&terminal, HELP_COLUMN, _(option->doc));
    }
    exit(fflush(stdout) == 0 ? EXIT_ALL_WELL : EXIT_HARNESS);
}

static error_t device_read(const char *text, struct argp_state *state,
                           enum device_choice *ret_choice) {
    for (int i = 0; i < CHOICE_COUNT; i++) {
        if (strcmp(text, device_choice_name((enum device_choice)i)) == 0) {
            *ret_choice = (enum device_choice)i;
            return 0;
        }
    }
    argp_failure(state, EXIT_USAGE, 0, _("unknown device '%s': write auto, emu or gpu"), text);
    return EINVAL;
}

static error_t sandbox_read(const char *text, struct argp_state *state,
                            enum sandbox_policy *ret_policy) {
    for (int i = 0; i < POLICY_COUNT; i++) {
        if (strcmp(text, sandbox_policy_name((enum sandbox_policy)i)) == 0) {
            *ret_policy = (enum sandbox_policy)i;
            return 0;
        }
    }
    argp_failure(state, EXIT_USAGE, 0, _("unknown policy '%s': write default, strict or unsafe"),
                 text);
    return EINVAL;
}

static error_t jobs_read(const char *text, struct argp_state *state, int *ret_jobs) {
    char *end = NULL;
    long jobs = strtol(text, &end, 10);
    if (*text < '1' || *text > '9' || *end != '\0' || jobs > LAUNCH_SHARES_MAX) {
        argp_failure(state, EXIT_USAGE, 0, _("'%s' is no number of processes: write 1 to %d"), text,
                     LAUNCH_SHARES_MAX);
    }
    *ret_jobs = (int)jobs;
    return 0;
}

static error_t language_read(const char *text, struct argp_state *state) {
    struct error err;
    enum language language;
    if (language_parse(text, &language, &err) || language_use(language, &err)) {
        argp_failure(state, EXIT_USAGE, 0, "%s", err.text);
    }
    return 0;
}

static error_t name_read(const struct parsing *parsing, char *text, struct argp_state *state) {
    if (!(parsing->command->accepts & OPTION_NAME) || parsing->options->exercise) {
        argp_failure(state, EXIT_USAGE, 0, _("unexpected argument '%s'"), text);
    }
    parsing->options->exercise = text;
    return 0;
}

// Where the argument of an option is kept as it is; NULL for the others.
static const char **text_place(struct options *options, int key) {
    switch (key) {
    case KEY_EXERCISE:
        return &options->exercise;
    case KEY_SUBMISSION:
        return &options->submission;
    case KEY_OUT:
        return &options->out;
    case KEY_ROOT:
        return &options->root;
    case KEY_CARD:
        return &options->card;
    case KEY_RESULT:
        return &options->result;
    default:
        return NULL;
    }
}

static error_t option_read(int key, char *text, struct argp_state *state) {
    const struct parsing *parsing = state->input;
    struct options *options = parsing->options;
    const char **place = text_place(options, key);
    struct error err;
    if (place) {
        *place = text;
        return 0;
    }
    switch (key) {
    case KEY_QUIET:
        options->verbosity = VERBOSITY_QUIET;
        return 0;
    case KEY_VERBOSE:
        options->verbosity = VERBOSITY_VERBOSE;
        return 0;
    case KEY_FORCE:
        options->force = true;
        return 0;
    case KEY_JOBS:
        return jobs_read(text, state, &options->jobs);
    case KEY_SANITIZE:
        options->sanitize = true;
        return 0;
    case KEY_LANGUAGE:
        return language_read(text, state);
    case KEY_DEVICE:
        return device_read(text, state, &options->device);
    case KEY_SANDBOX:
        return sandbox_read(text, state, &options->sandbox);
    case KEY_SIZE:
        if (size_parse(text, &options->size, &err)) {
            argp_failure(state, EXIT_USAGE, 0, "%s", err.text);
        }
        return 0;
    case KEY_SEED:
        if (seed_parse(text, &options->seed, &err)) {
            argp_failure(state, EXIT_USAGE, 0, "%s", err.text);
        }
        options->has_seed = true;
        return 0;
    case KEY_HELP:
        help_print(parsing->command, true);
    case KEY_USAGE:
        help_print(parsing->command, false);
    case KEY_VERSION:
        (void)puts(argp_program_version);
        exit(EXIT_ALL_WELL);
    case ARGP_KEY_ARG:
        return name_read(parsing, text, state);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

void options_parse(const struct command *command, int argc, char **argv,
                   struct options *ret_options) {
    struct argp_option accepted[OPTIONS_MAX] = {{0}};
    size_t count = 0;
    for (size_t i = 0; i < sizeof option_table / sizeof *option_table; i++) {
        if (option_table[i].bit == 0 || (command->accepts & option_table[i].bit)) {
            accepted[count++] = option_table[i].option;
        }
    }
    struct options options;
    memset(&options, 0, sizeof options);
    struct parsing parsing = {.command = command, .options = &options};
    char name[NAME_BYTES_MAX];
    (void)snprintf(name, sizeof name, "tilegrade %s", command->name);
    argv[0] = name;  // for argp's messages, which end before this function does
    const struct argp argp = {.options = accepted,
                              .parser = option_read,
                              .args_doc = command->accepts & OPTION_NAME ? "NAME" : NULL};
    error_t trouble = argp_parse(&argp, argc, argv, ARGP_NO_HELP, NULL, &parsing);
    if (trouble) {  // no memory; of wrong options it has told already, and ended
        (void)fprintf(stderr, "%s: %s\n", name, strerror(trouble));
        exit(EXIT_HARNESS);
    }
    *ret_options = options;
}
