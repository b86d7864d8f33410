// Arguments by getopt_long.  One table of options; each command shows and takes those that it
// accepts.
#include "app/commands/commands.h"

#include <assert.h>
#include <ctype.h>
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
#include "base/memory.h"
#include "base/words.h"
#include "exercise/exercise.h"

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
    KEY_RECORDED,
    KEY_QUESTIONS,
    KEY_QUESTION,
    KEY_ANSWER,
    KEY_BUG,
    KEY_SUBMISSIONS,
    KEY_ROSTER,
    KEY_LAYOUT,
    KEY_ENGINE,
    KEY_SLURM,
    KEY_FORMAT,
    KEY_SIZES,
    KEY_FILES,
    KEY_FROM,
    KEY_REAL,
    KEY_FILE,
    KEY_FLAGS,
    KEY_ARGS,
    KEY_LANGUAGE,
    KEY_FROM_MAKE,
    KEY_HELP,
    KEY_USAGE,
};

static const struct argument_row {
    unsigned bit;  // of the commands that accept it; 0: all do
    enum option_key key;
    const char *name;   // "exercise", for --exercise
    const char *word;   // "EX" for EX=tiled on make's command line; NULL: only for programs
    const char *value;  // description of its value; NULL: it has none
    const char *what;   // NULL: --help does not list it
} rows[] = {
    {OPTION_EXERCISE, KEY_EXERCISE, "exercise", "EX", "NAMES",
     N_("only these exercises: a name, or several with commas between them")},
    {OPTION_ASSIGNMENT, KEY_ASSIGNMENT, "assignment", "ASSIGNMENT", "NAME",
     N_("only the exercises of lessons/assignments/NAME.ini, for its points")},
    {OPTION_SUBMISSION, KEY_SUBMISSION, "submission", "SUBMISSION", "DIR",
     N_("the folder with the kernel files, or a .zip or .tar.gz of it (default: student)")},
    {OPTION_CLASS, KEY_SUBMISSIONS, "submissions", "SUBMISSIONS", "DIR",
     N_("the download of the learning platform: a folder of submissions, or one .zip or .tar.gz")},
    {OPTION_CLASS, KEY_ROSTER, "roster", "ROSTER", "FILE",
     N_("the students: CSV or .xlsx with the column id, and name, mail, section … if they are "
        "known")},
    {OPTION_CLASS, KEY_LAYOUT, "layout", "LAYOUT", "NAME",
     N_("how submissions are named: folders, canvas, moodle, blackboard, gradescope, classroom "
        "(default: found by itself)")},
    {OPTION_OUT, KEY_OUT, "out", "OUT", "DIR", N_("the folder for the result")},
    {OPTION_CLASS, KEY_ENGINE, "engine", "ENGINE", "WHICH",
     N_("local (this machine) or slurm (a cluster; all files on a shared file system)")},
    {OPTION_CLASS, KEY_SLURM, "slurm", "SLURM", "FILE",
     N_("lines for the head of Slurm's batch script: #SBATCH with partition, account …")},
    {OPTION_PAGE, KEY_PAGE, "page", "PAGE", NULL,
     N_("also serve the page of each result, to a browser on this machine alone")},
    {OPTION_JOB, KEY_JOB, "job", NULL, "KEY", N_("the key of a job of a class, for its result")},
    {OPTION_PLANNED, KEY_PLANNED, "job", NULL, NULL,
     N_("a job of a class: its key, seed and longest extension are on standard input")},
    {OPTION_SIZE, KEY_SIZE, "size", "SIZE", "MxNxK",
     N_("only this size: 67x33x129, or 64 for a cube")},
    {OPTION_SEED, KEY_SEED, "seed", "SEED", "HEX",
     N_("seed of all inputs: 1 to 32 hexadecimal digits")},
    {OPTION_DEVICE, KEY_DEVICE, "device", "DEVICE", "WHICH",
     N_("auto, emu (CPU only) or gpu (requires a GPU)")},
    {OPTION_SANDBOX, KEY_SANDBOX, "sandbox", "SANDBOX", "POLICY",
     N_("how strictly kernels are isolated: default, strict, or unsafe (resource limits only; "
        "results say so)")},
    {OPTION_JOBS, KEY_JOBS, "jobs", "JOBS", "N",
     N_("number of parallel processes (default: as many as this machine has room for)")},
    {OPTION_CARD, KEY_CARD, "card", "CARD", "NAME",
     N_("the card to estimate for, such as rtx3060 (default: H200)")},
    {OPTION_RESULT, KEY_RESULT, "result", "RESULT", "FILE",
     N_("a stored result (default: build/grade/result.json), or the folder of a class")},
    {OPTION_VERBOSITY, KEY_QUIET, "quiet", "QUIET", NULL, N_("print only verdicts and points")},
    {OPTION_VERBOSITY, KEY_VERBOSE, "verbose", "VERBOSE", NULL,
     N_("also print every finding, every case and all counted work")},
    {OPTION_EMPTY, KEY_ALLOW_EMPTY, "allow-empty", NULL, NULL,
     N_("also grade a submission without any kernel file: every exercise is missing then")},
    {OPTION_HINT, KEY_HINT, "hint", "N", "WHICH",
     N_("show the hints for a TODO (2) or a verdict (race) again, plus the next one; 0 starts "
        "over")},
    {OPTION_KIND, KEY_KIND, "kind", "KIND", "KIND",
     N_("product (a matmul, the default), or kernel for anything else")},
    {OPTION_MARK, KEY_QUESTIONS, "questions", NULL, "FILE", N_("a page of questions")},
    {OPTION_MARK, KEY_QUESTION, "question", NULL, "N", N_("the number of the question")},
    {OPTION_MARK, KEY_ANSWER, "answer", NULL, "TEXT", N_("the answer, as it was typed")},
    {OPTION_MARK, KEY_BUG, "bug", NULL, NULL, N_("the page shows a kernel with a bug")},
    {OPTION_FORCE, KEY_FORCE, "force", "FORCE", NULL, N_("also overwrite finished work")},
    {OPTION_WRITE, KEY_WRITE, "write", "WRITE", NULL,
     N_("write what is found into wrong kernels that expect `?`, or name another line")},
    {OPTION_WRITE, KEY_RECORDED, "recorded", NULL, NULL,
     N_("try a kernel only at its sizes in sizes.txt; WRITE=1 records those at which wrong ones "
        "fail")},
    {OPTION_FORMAT, KEY_FORMAT, "format", "FORMAT", "FORMAT",
     N_("html (default), markdown, junit, gradescope …, or similar for a graded class")},
    {OPTION_BENCH, KEY_SIZES, "sizes", "SIZES", "MxNxK,…", N_("the sizes to measure")},
    {OPTION_BENCH, KEY_FILES, "files", "FILES", "FILES", N_("further kernel files")},
    {OPTION_BENCH, KEY_FROM, "from", "FROM", "FILE", N_("stored figures, instead of a GPU")},
    {OPTION_BENCH, KEY_REAL, "real", "REAL", NULL, N_("real inputs instead of integers")},
    {OPTION_PROGRAM, KEY_FILE, "file", "FILE", "FILES",
     N_("the files of the program: prog.cu, or several with blanks between them")},
    {OPTION_PROGRAM, KEY_FLAGS, "flags", "FLAGS", "FLAGS",
     N_("for its compiler: -IFOLDER and -DNAME=VALUE, with blanks between them")},
    {OPTION_PROGRAM, KEY_ARGS, "args", "ARGS", "ARGS",
     N_("the program's arguments, with blanks between them; or after `--`")},
    {0, KEY_FROM_MAKE, "from-make", NULL, NULL, NULL},
    {0, KEY_LANGUAGE, "language", "LANGUAGE", "en|zh",
     N_("English or Chinese (default: the language of the system)")},
    {0, KEY_ROOT, "root", NULL, "DIR", N_("the folder of the course")},
    {0, KEY_HELP, "help", NULL, NULL, N_("show this help")},
    {0, KEY_USAGE, "usage", NULL, NULL, N_("show the first line of the help")},
    {0, KEY_VERSION, "version", NULL, NULL, N_("show the version of the program")},
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
                 !(command->accepts & OPTION_WORDS)
                     ? (command->accepts & OPTION_EXERCISE ? " [NAME...]" : "")
                 : command->accepts & OPTION_PROGRAM ? " FILE... [-- ARGUMENT...]"
                                                     : " [WORD...]");
    if (all) {
        terminal_wrap(&terminal, 0, command->what ? _(command->what) : "");
        (void)putchar('\n');
    }
    for (const struct argument_row *row = rows; all && row < rows + ROWS; row++) {
        char name[HELP_COLUMN] = "    ";
        if (!row->what || !is_taken(row, command)) {
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

__attribute__((format(printf, 2, 3))) static _Noreturn void
usage_fail(const struct command *command, const char *format, ...) {
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

// The fields for options that need no conversion: the value, or true if there is none.
static const size_t member_at[] = {
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
    [KEY_FORCE] = offsetof(struct options, force),
    [KEY_ALLOW_EMPTY] = offsetof(struct options, allow_empty),
    [KEY_PAGE] = offsetof(struct options, page),
    [KEY_PLANNED] = offsetof(struct options, planned),
    [KEY_WRITE] = offsetof(struct options, write),
    [KEY_RECORDED] = offsetof(struct options, recorded),
    [KEY_BUG] = offsetof(struct options, mark.bug),
    [KEY_FILE] = offsetof(struct options, file),
    [KEY_FLAGS] = offsetof(struct options, flags),
    [KEY_ARGS] = offsetof(struct options, args),
};

// Stores one option in *options; `text` is its value, if it has one.
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
        if (!status) {
            language_use(language);
        }
        break;
    case KEY_FROM_MAKE:
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
            memcpy((char *)options + member_at[key], &text, sizeof text);
        } else {
            *(bool *)((char *)options + member_at[key]) = true;
        }
    }
    if (status) {
        usage_fail(command, "%s", err.text);
    }
}

// --- Arguments ----------------------------------------------------------------------------------

// The state of reading.
struct argument_reading {
    const struct command *command;
    struct options *options;
    bool given[ROWS];
};

// An option, by any of its names.  Options that are passed on to front.py are checked there.
static void option_take(struct argument_reading *reading, const struct argument_row *row,
                        const char *value) {
    struct options *options = reading->options;
    reading->given[row - rows] = true;
    if (row->bit == 0 || reading->command->run) {
        option_read(reading->command, row->key, value, options);
    }
    if (row->key != KEY_ROOT && row->key != KEY_FROM_MAKE && !reading->command->run) {
        options->passed[options->passed_count++] =
            xasprintf("--%s%s%s", row->name, value ? "=" : "", value ? value : "");
    }
}

// A misspelt name must not silently do something else: SUBMISION=anna would grade student/.
static _Noreturn void name_refuse(const struct argument_reading *reading, const char *name) {
    const char *nearest = NULL;
    size_t best = NEAR_DISTANCE_MAX + 1;
    char upper[NAME_BYTES_MAX];
    (void)snprintf(upper, sizeof upper, "%s", name);
    for (char *at = upper; *at != '\0'; at++) {
        *at = (char)toupper((unsigned char)*at);
    }
    for (const struct argument_row *row = rows; row < rows + ROWS; row++) {
        size_t distance = row->word ? name_distance(upper, row->word) : best;
        if (distance < best && is_taken(row, reading->command)) {
            best = distance;
            nearest = row->word;
        }
    }
    if (nearest) {
        usage_fail(reading->command, _("there is no %s here; did you mean %s?"), name, nearest);
    }
    usage_fail(reading->command, _("there is no %s here"), name);
}

// EX=tiled, as on make's command line.
static void named_take(struct argument_reading *reading, const char *name, const char *value) {
    const struct argument_row *row = rows;
    while (row < rows + ROWS && (!row->word || strcmp(row->word, name) != 0)) {
        row++;
    }
    if (row == rows + ROWS) {
        name_refuse(reading, name);
    }
    if (!is_taken(row, reading->command)) {
        usage_fail(reading->command, _("it takes no %s"), name);
    }
    if (row->value && *value == '\0') {
        usage_fail(reading->command, _("%s is empty: give it a value, or leave it out"), name);
    }
    if (row->value || (*value != '\0' && strcmp(value, "0") != 0)) {
        option_take(reading, row, row->value ? value : NULL);
    }
}

// True for NAME=value.
static bool is_named(const char *text, size_t *ret_length) {
    *ret_length = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_");
    return *ret_length > 0 && text[*ret_length] == '=';
}

// A bare word: an exercise, or a word for front.py.
static void word_take(struct argument_reading *reading, char *text) {
    struct options *options = reading->options;
    const char *before = options->exercise;
    if (reading->command->accepts & OPTION_WORDS) {
        options->passed[options->passed_count++] = text;
        return;
    }
    if (!(reading->command->accepts & OPTION_EXERCISE)) {
        usage_fail(reading->command, _("unexpected argument '%s'"), text);
    }
    if (reading->given[0]) {
        usage_fail(reading->command,
                   _("EX=%s and \"%s\" both name exercises: leave one of them out"), before, text);
    }
    options->exercise = xasprintf("%s%s%s", before ? before : "", before ? "," : "", text);
}

// Variables for make in the environment; names that were typed have been read already.
static void environment_take(struct argument_reading *reading) {
    for (const struct argument_row *row = rows; row < rows + ROWS; row++) {
        bool wanted = row->word && row->bit != 0 && is_taken(row, reading->command) &&
                      !reading->given[row - rows] &&
                      !(row->key == KEY_EXERCISE && reading->options->exercise);
        const char *value = wanted ? getenv(row->word) : NULL;
        if (value && *value != '\0') {
            named_take(reading, row->word, value);
        }
    }
}

static const struct argument_row *row_find(int key) {
    const struct argument_row *row = rows;
    while (row < rows + ROWS && (int)row->key != key) {
        row++;
    }
    assert(row < rows + ROWS);
    return row;
}

// The options, which getopt moves before all other words.
static void options_take(struct argument_reading *reading, int argc, char **argv) {
    struct option accepted[ROWS + 1] = {{0}};
    char letters[2 * ROWS + 1] = "";
    char help[] = "--help";
    size_t count = 0;
    size_t used = 0;
    for (const struct argument_row *row = rows; row < rows + ROWS; row++) {
        if (is_taken(row, reading->command)) {
            accepted[count++] = (struct option){row->name, row->value != NULL, NULL, row->key};
            if (row->key < KEY_LONG) {
                letters[used++] = (char)row->key;
                letters[used] = ':';
                used += row->value != NULL;
            }
        }
    }
    letters[used] = '\0';
    for (int i = 1; i < argc; i++) {  // getopt_long returns ? for a wrong option
        argv[i] = strcmp(argv[i], "-?") == 0 ? help : argv[i];
    }
    int key = 0;
    while ((key = getopt_long(argc, argv, letters, accepted, NULL)) >= 0) {
        if (key == '?') {
            (void)fprintf(stderr, _("Try `%s --help` for more information.\n"), argv[0]);
            exit(EXIT_USAGE);
        }
        option_take(reading, row_find(key), optarg);
    }
}

void options_parse(const struct command *command, int argc, char **argv,
                   struct options *ret_options) {
    struct argument_reading reading = {.command = command, .options = ret_options};
    char name[NAME_BYTES_MAX];
    *ret_options = (struct options){.exercise = NULL};
    ret_options->passed = xcalloc((size_t)argc + ROWS + 1, sizeof *ret_options->passed);
    (void)snprintf(name, sizeof name, "tilegrade %s", command->name);
    argv[0] = name;  // for getopt's messages; not used after this function
    for (int i = 1; i < argc && (command->accepts & OPTION_PROGRAM); i++) {
        if (strcmp(argv[i], "--") == 0) {
            ret_options->after = argv + i + 1;
            argc = i;
        }
    }
    options_take(&reading, argc, argv);
    for (; optind < argc; optind++) {
        size_t length = 0;
        if (!is_named(argv[optind], &length)) {
            word_take(&reading, argv[optind]);
            continue;
        }
        argv[optind][length] = '\0';
        named_take(&reading, argv[optind], argv[optind] + length + 1);
    }
    if (reading.given[row_find(KEY_FROM_MAKE) - rows]) {
        environment_take(&reading);
    }
}

void options_names(const struct command *command, char *ret_names, size_t bytes) {
    size_t used = 0;
    ret_names[0] = '\0';
    for (const struct argument_row *row = rows; row < rows + ROWS && used < bytes; row++) {
        if (row->word && row->bit != 0 && is_taken(row, command)) {
            used += (size_t)snprintf(ret_names + used, bytes - used, "%s%s", used > 0 ? " " : " (",
                                     row->word);
        }
    }
    if (used > 0 && used + 1 < bytes) {
        (void)snprintf(ret_names + used, bytes - used, ")");
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
