// Arguments by getopt_long.  One table of options; each command shows and takes those that it
// accepts.
#include "app/commands/commands.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/terminal/terminal.h"
#include "base/basics.h"
#include "base/file.h"
#include "base/language.h"
#include "base/limits.h"
#include "base/words.h"

#define HELP_COLUMN 29  // where the texts of --help begin

enum option_key {
    KEY_EXERCISE = 'e',
    KEY_SUBMISSION = 's',
    KEY_OUT = 'o',
    KEY_QUIET = 'q',
    KEY_VERBOSE = 'v',
    KEY_VERSION = 'V',
    KEY_LONG = 256,  // options from here on have no letter
    KEY_ASSIGNMENT = KEY_LONG,
    KEY_SIZE,
    KEY_SEED,
    KEY_DEVICE,
    KEY_SANDBOX,
    KEY_ROOT,
    KEY_FORCE,
    KEY_ALLOW_EMPTY,
    KEY_JOBS,
    KEY_CARD,
    KEY_RESULT,
    KEY_JOB,
    KEY_PLANNED,
    KEY_PAGE,
    KEY_HINT,
    KEY_KIND,
    KEY_WRITE,
    KEY_QUESTIONS,
    KEY_QUESTION,
    KEY_ANSWER,
    KEY_BUG,
    KEY_LANGUAGE,
    KEY_HELP,
    KEY_USAGE,
};

static const struct argument_row {
    unsigned bit;  // of the commands that take it; 0: every one does
    enum option_key key;
    const char *name;
    const char *value;  // what its value is; NULL: it has none
    const char *what;
} rows[] = {
    {OPTION_EXERCISE, KEY_EXERCISE, "exercise", "NAMES",
     N_("only these exercises: a name, or several with commas between them")},
    {OPTION_ASSIGNMENT, KEY_ASSIGNMENT, "assignment", "NAME",
     N_("only the exercises of lessons/assignments/NAME.ini, for its points")},
    {OPTION_SUBMISSION, KEY_SUBMISSION, "submission", "DIR",
     N_("the folder with the kernel files, or a .zip or .tar.gz of it (default: student)")},
    {OPTION_OUT, KEY_OUT, "out", "DIR", N_("the folder for the result")},
    {OPTION_PAGE, KEY_PAGE, "page", NULL,
     N_("also serve the page of each result, to a browser on this machine alone")},
    {OPTION_JOB, KEY_JOB, "job", "KEY", N_("the key of a job of a class, for its result")},
    {OPTION_PLANNED, KEY_PLANNED, "job", NULL,
     N_("a job of a class: its key, seed and longest extension are on standard input")},
    {OPTION_SIZE, KEY_SIZE, "size", "MxNxK", N_("only this size: 67x33x129, or 64 for a cube")},
    {OPTION_SEED, KEY_SEED, "seed", "HEX", N_("seed of all inputs: 1 to 32 hexadecimal digits")},
    {OPTION_DEVICE, KEY_DEVICE, "device", "WHICH",
     N_("auto, emu (CPU only) or gpu (requires a GPU)")},
    {OPTION_SANDBOX, KEY_SANDBOX, "sandbox", "POLICY",
     N_("how strictly kernels are isolated: default, strict, or unsafe (resource limits only; "
        "results say so)")},
    {OPTION_JOBS, KEY_JOBS, "jobs", "N",
     N_("number of parallel processes (default: as many as this machine has room for)")},
    {OPTION_CARD, KEY_CARD, "card", "NAME",
     N_("the card to estimate for, such as rtx3060 (default: H200)")},
    {OPTION_RESULT, KEY_RESULT, "result", "FILE",
     N_("a stored result (default: build/grade/result.json)")},
    {OPTION_VERBOSITY, KEY_QUIET, "quiet", NULL, N_("print only verdicts and points")},
    {OPTION_VERBOSITY, KEY_VERBOSE, "verbose", NULL,
     N_("also print every finding, every case and all counted work")},
    {OPTION_EMPTY, KEY_ALLOW_EMPTY, "allow-empty", NULL,
     N_("also grade a submission without any kernel file: every exercise is missing then")},
    {OPTION_HINT, KEY_HINT, "hint", "WHICH",
     N_("the hints for a TODO (2) or a verdict (race) again, and one more; 0: from the start")},
    {OPTION_KIND, KEY_KIND, "kind", "KIND",
     N_("product (default), or kernel for anything that is no product")},
    {OPTION_MARK, KEY_QUESTIONS, "questions", "FILE", N_("a page of questions")},
    {OPTION_MARK, KEY_QUESTION, "question", "N", N_("the number of the question")},
    {OPTION_MARK, KEY_ANSWER, "answer", "TEXT", N_("the answer, as it was typed")},
    {OPTION_MARK, KEY_BUG, "bug", NULL, N_("the page is that of a kernel with a bug")},
    {OPTION_FORCE, KEY_FORCE, "force", NULL, N_("also overwrite finished work")},
    {OPTION_WRITE, KEY_WRITE, "write", NULL,
     N_("write what is found into wrong kernels that expect `?`, or name another line")},
    {0, KEY_LANGUAGE, "language", "en|zh",
     N_("English or Chinese (default: the language of the system)")},
    {0, KEY_ROOT, "root", "DIR", N_("the folder of the course")},
    {0, KEY_HELP, "help", NULL, N_("show this help")},
    {0, KEY_USAGE, "usage", NULL, N_("show the first line of the help")},
    {0, KEY_VERSION, "version", NULL, N_("show the version of the program")},
};

#define ROWS COUNT(rows)

static bool is_taken(const struct argument_row *row, const struct command *command) {
    return row->bit == 0 || (command->accepts & row->bit);
}

const char *device_choice_name(enum device_choice choice) {
    static const char *const names[CHOICE_COUNT] = {
        [CHOICE_AUTO] = "auto", [CHOICE_EMU] = "emu", [CHOICE_GPU] = "gpu"};
    return names[choice];
}

static _Noreturn void help_print(const struct command *command, bool all) {
    struct terminal terminal = terminal_of(stdout, "", "");
    (void)printf(_("Usage: tilegrade %s [OPTION...]%s\n"), command->name,
                 command->accepts & OPTION_NAME ? " NAME" : "");
    if (all) {
        terminal_wrap(&terminal, 0, command->what ? _(command->what) : "");
        (void)putchar('\n');
    }
    for (const struct argument_row *row = rows; all && row < rows + ROWS; row++) {
        char name[HELP_COLUMN] = "    ";
        if (!is_taken(row, command)) {
            continue;
        }
        if (row->key < KEY_LONG || row->key == KEY_HELP) {
            (void)snprintf(name, sizeof name, "-%c, ", row->key == KEY_HELP ? '?' : row->key);
        }
        (void)snprintf(name + 4, sizeof name - 4, "--%s%s%s", row->name, row->value ? "=" : "",
                       row->value ? row->value : "");
        (void)printf("  %-*s", HELP_COLUMN - 2, name);
        terminal_hang(&terminal, HELP_COLUMN, _(row->what));
    }
    exit(fflush(stdout) == 0 ? EXIT_ALL_WELL : EXIT_HARNESS);
}

static _Noreturn void usage_fail(const struct command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static _Noreturn void usage_fail(const struct command *command, const char *format, ...) {
    va_list arguments;
    (void)fprintf(stderr, "tilegrade %s: ", command->name);
    va_start(arguments, format);
    (void)vfprintf(stderr, format, arguments);
    va_end(arguments);
    (void)fputc('\n', stderr);
    exit(EXIT_USAGE);
}

static enum device_choice device_read(const struct command *command, const char *text) {
    for (int i = 0; i < CHOICE_COUNT; i++) {
        if (strcmp(text, device_choice_name((enum device_choice)i)) == 0) {
            return (enum device_choice)i;
        }
    }
    usage_fail(command, _("unknown device '%s': use auto, emu or gpu"), text);
}

static enum sandbox_policy sandbox_read(const struct command *command, const char *text) {
    for (int i = 0; i < POLICY_COUNT; i++) {
        if (strcmp(text, sandbox_policy_name((enum sandbox_policy)i)) == 0) {
            return (enum sandbox_policy)i;
        }
    }
    usage_fail(command, _("unknown policy '%s': use default, strict or unsafe"), text);
}

static int jobs_read(const struct command *command, const char *text) {
    char *end = NULL;
    long jobs = strtol(text, &end, 10);
    if (*text < '1' || *text > '9' || *end != '\0' || jobs > LAUNCH_SHARES_MAX) {
        usage_fail(command, _("'%s' is not a number of processes: use 1 to %d"), text,
                   LAUNCH_SHARES_MAX);
    }
    return (int)jobs;
}

// Where the value of each option goes that needs no conversion.
static const size_t text_at[] = {
    [KEY_EXERCISE] = offsetof(struct options, exercise),
    [KEY_ASSIGNMENT] = offsetof(struct options, assignment),
    [KEY_SUBMISSION] = offsetof(struct options, submission),
    [KEY_OUT] = offsetof(struct options, out),
    [KEY_ROOT] = offsetof(struct options, root),
    [KEY_CARD] = offsetof(struct options, card),
    [KEY_RESULT] = offsetof(struct options, result),
    [KEY_JOB] = offsetof(struct options, job),
    [KEY_HINT] = offsetof(struct options, hint),
    [KEY_KIND] = offsetof(struct options, kind),
    [KEY_QUESTIONS] = offsetof(struct options, mark.questions),
    [KEY_QUESTION] = offsetof(struct options, mark.question),
    [KEY_ANSWER] = offsetof(struct options, mark.answer),
};

// The options that are only given or not.
static const size_t flag_at[] = {
    [KEY_FORCE] = offsetof(struct options, force),
    [KEY_ALLOW_EMPTY] = offsetof(struct options, allow_empty),
    [KEY_PAGE] = offsetof(struct options, page),
    [KEY_PLANNED] = offsetof(struct options, planned),
    [KEY_WRITE] = offsetof(struct options, write),
    [KEY_BUG] = offsetof(struct options, mark.bug),
};

// Takes one option into *options; its value, if it has one, is `text`.
static void option_read(const struct command *command, enum option_key key, const char *text,
                        struct options *options) {
    struct error err = {.text = ""};
    enum language language;
    enum status status = STATUS_OK;
    switch (key) {
    case KEY_QUIET:
        options->verbosity = VERBOSITY_QUIET;
        break;
    case KEY_VERBOSE:
        options->verbosity = VERBOSITY_VERBOSE;
        break;
    case KEY_JOBS:
        options->jobs = jobs_read(command, text);
        break;
    case KEY_DEVICE:
        options->device = device_read(command, text);
        break;
    case KEY_SANDBOX:
        options->sandbox = sandbox_read(command, text);
        break;
    case KEY_SIZE:
        status = size_typed(text, &options->size, &err);
        break;
    case KEY_SEED:
        status = seed_parse(text, &options->seed, &err);
        options->has_seed = true;
        break;
    case KEY_LANGUAGE:
        status = language_parse(text, &language, &err);
        status = status ? status : language_use(language, &err);
        break;
    case KEY_HELP:
        help_print(command, true);
    case KEY_USAGE:
        help_print(command, false);
    case KEY_VERSION:
        (void)puts("tilegrade " TILEGRADE_VERSION);
        exit(EXIT_ALL_WELL);
    default:
        if (text) {
            memcpy((char *)options + text_at[key], &text, sizeof text);
        } else {
            *(bool *)((char *)options + flag_at[key]) = true;
        }
    }
    if (status) {
        usage_fail(command, "%s", err.text);
    }
}

void options_parse(const struct command *command, int argc, char **argv,
                   struct options *ret_options) {
    struct option accepted[ROWS + 1] = {{0}};
    char letters[2 * ROWS + 1] = "";
    char name[NAME_BYTES_MAX];
    char help[] = "--help";
    size_t count = 0;
    size_t used = 0;
    for (const struct argument_row *row = rows; row < rows + ROWS; row++) {
        if (is_taken(row, command)) {
            accepted[count++] = (struct option){row->name, row->value != NULL, NULL, row->key};
            if (row->key < KEY_LONG) {
                letters[used++] = (char)row->key;
                letters[used] = ':';
                used += row->value != NULL;
            }
        }
    }
    letters[used] = '\0';
    (void)snprintf(name, sizeof name, "tilegrade %s", command->name);
    argv[0] = name;  // for getopt's messages; not used after this function
    *ret_options = (struct options){.exercise = NULL};
    int key = 0;
    for (int i = 1; i < argc; i++) {  // getopt_long returns ? for a wrong option
        argv[i] = strcmp(argv[i], "-?") == 0 ? help : argv[i];
    }
    while ((key = getopt_long(argc, argv, letters, accepted, NULL)) >= 0) {
        if (key == '?') {
            (void)fprintf(stderr, _("Try `%s --help` for more information.\n"), name);
            exit(EXIT_USAGE);
        }
        option_read(command, (enum option_key)key, optarg, ret_options);
    }
    for (; optind < argc; optind++) {
        if (!(command->accepts & OPTION_NAME) || ret_options->exercise) {
            usage_fail(command, _("unexpected argument '%s'"), argv[optind]);
        }
        ret_options->exercise = argv[optind];
    }
}

enum status app_each_named(const struct app *app, exercise_body *body, struct error *err) {
    enum status status = STATUS_OK;
    if (!app->options->exercise) {
        char names[ERROR_TEXT_MAX / 2];
        course_names(app->course, names, sizeof names);
        return fail(err, STATUS_BAD_USAGE, "name an exercise, as in EX=%s; the exercises are:%s",
                    app->course->exercises[0].name, names);
    }
    for (int i = 0; i < app->course->exercise_count && !status; i++) {
        status = body(app, &app->course->exercises[i], err);
    }
    return status;
}
