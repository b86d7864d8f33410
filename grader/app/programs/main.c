// tilegrade: the one program that students, instructors and CI call.  It finds the command, reads
// its arguments, runs it, and turns a failure on our side into one line and an exit code.
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <jansson.h>

#include "app/commands/commands.h"
#include "app/supervise.h"
#include "app/terminal/terminal.h"
#include "app/watch/page.h"
#include "base/basics.h"
#include "base/file.h"
#include "base/language.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/words.h"

// The options for judging a job of a class.
#define JOB_OPTIONS                                                                                \
    (OPTION_EXERCISE | OPTION_ASSIGNMENT | OPTION_SUBMISSION | OPTION_OUT | OPTION_DEVICE |        \
     OPTION_CARD | OPTION_SANDBOX | OPTION_JOBS | OPTION_VERBOSITY | OPTION_PLANNED |              \
     NEED_SCRATCH | LEAVES_OPTIONAL)

// In the order in which help lists them.
static const struct command commands[] = {
    {FOR_STUDENTS, "test", N_("test the kernels with public inputs and explain the first mistake"),
     OPTION_EXERCISE | OPTION_ASSIGNMENT | OPTION_SUBMISSION | OPTION_OUT | OPTION_SIZE |
         OPTION_SEED | OPTION_DEVICE | OPTION_SANDBOX | OPTION_JOBS | OPTION_VERBOSITY |
         NEED_SCRATCH | LEAVES_OPTIONAL,
     cmd_test},
    {FOR_STUDENTS, "run",
     N_("run a whole CUDA program on this machine's CPU, and explain its first mistake"),
     OPTION_PROGRAM | OPTION_WORDS | OPTION_OUT | OPTION_SANDBOX | NEED_SCRATCH | NO_COURSE,
     cmd_run},
    {FOR_STUDENTS, "watch", N_("judge a kernel, or run a program (FILE=prog.cu), at each save"),
     OPTION_EXERCISE | OPTION_ASSIGNMENT | OPTION_SIZE | OPTION_SEED | OPTION_DEVICE |
         OPTION_SANDBOX | OPTION_JOBS | OPTION_PAGE | OPTION_PROGRAM,
     cmd_watch},
    {FOR_STUDENTS, "hint", N_("show the next hint for an exercise"), OPTION_EXERCISE | OPTION_HINT,
     cmd_hint},
    {FOR_STUDENTS, "list", N_("list the exercises, each with its last result"),
     OPTION_EXERCISE | OPTION_ASSIGNMENT, cmd_list},
    {FOR_STUDENTS, "grade",
     N_("grade a folder of kernels with secret inputs, including speed; write result.json"),
     OPTION_EXERCISE | OPTION_ASSIGNMENT | OPTION_SUBMISSION | OPTION_OUT | OPTION_SEED |
         OPTION_DEVICE | OPTION_CARD | OPTION_EMPTY | OPTION_SANDBOX | OPTION_JOBS |
         OPTION_VERBOSITY | OPTION_PLANNED | NEED_SCRATCH | LEAVES_OPTIONAL,
     cmd_grade},
    {FOR_STUDENTS, "show", N_("test a kernel, and open the page of the result, with pictures"),
     OPTION_EXERCISE | OPTION_ASSIGNMENT | OPTION_SIZE | OPTION_SEED | OPTION_DEVICE |
         OPTION_SANDBOX | OPTION_JOBS,
     cmd_show},
    {FOR_STUDENTS, "submit", N_("pack the files to hand in, and say what the teacher gets"),
     OPTION_EXERCISE | OPTION_ASSIGNMENT | OPTION_OUT, cmd_submit},
    {FOR_STUDENTS, "doctor", N_("show what this machine has and lacks, and how to fix it"),
     NO_COURSE, cmd_doctor},
    {FOR_STUDENTS, "next", N_("say where you left off: the lesson to read and the file to edit"),
     OPTION_ASSIGNMENT, cmd_next},
    {FOR_STUDENTS, "reset", N_("start an exercise over; the old file is kept"), OPTION_EXERCISE,
     cmd_reset},
    {FOR_STUDENTS, "debug",
     N_("start gdb at a kernel on the CPU device, in the thread of the last finding"),
     OPTION_EXERCISE | OPTION_ASSIGNMENT | OPTION_SIZE | OPTION_SEED | OPTION_SANDBOX, cmd_debug},
    {FOR_STUDENTS, "practice",
     N_("the quiz of a lesson; `practice predict`, `practice bugs`, `practice bug 7`; after a "
        "pass, `practice answer`"),
     OPTION_WORDS | OPTION_EXERCISE | OPTION_ASSIGNMENT | NO_COURSE, IN_PYTHON},
    {FOR_STUDENTS, "report", N_("render a result: a page, or the format of another program"),
     OPTION_RESULT | OPTION_FORMAT | OPTION_OUT | NO_COURSE, IN_PYTHON},
    {FOR_TEACHERS, "class",
     N_("grade all submissions of a class into one folder; the same command goes on after a stop"),
     OPTION_WORDS | OPTION_EXERCISE | OPTION_ASSIGNMENT | OPTION_CLASS | OPTION_RESULT |
         OPTION_OUT | OPTION_DEVICE | OPTION_CARD | OPTION_SANDBOX | OPTION_JOBS |
         OPTION_VERBOSITY | NO_COURSE,
     IN_PYTHON},
    {FOR_TEACHERS, "regrade",
     N_("compute the points of a stored result again; show what differs, and why"),
     OPTION_RESULT | OPTION_OUT | OPTION_JOB | WHOLE_COURSE, cmd_regrade},
    {FOR_TEACHERS, "new", N_("write the skeleton of a new exercise"),
     OPTION_EXERCISE | OPTION_KIND | WHOLE_COURSE, cmd_new},
    {FOR_TEACHERS, "stubs",
     N_("write the student files from the references; finished work is left alone"),
     OPTION_EXERCISE | OPTION_ASSIGNMENT | OPTION_FORCE, cmd_stubs},
    {FOR_TEACHERS, "check-course",
     N_("check that every kernel of the course gets the verdict that it should"),
     OPTION_EXERCISE | OPTION_ASSIGNMENT | OPTION_SANDBOX | OPTION_WRITE | NEED_SCRATCH,
     cmd_check_course},
    {FOR_TEACHERS, "handout",
     N_("write a repository for students, without references or wrong kernels"),
     OPTION_OUT | OPTION_ASSIGNMENT | NO_COURSE, IN_PYTHON},
    {FOR_TEACHERS, "pack",
     N_("pack what is used elsewhere: gradescope, autolab, release, notebook, site, standalone"),
     OPTION_WORDS | OPTION_EXERCISE | OPTION_ASSIGNMENT | OPTION_OUT | NO_COURSE, IN_PYTHON},
    {FOR_TEACHERS, "tiles",
     N_("show what tile sizes need on a card: threads, shared memory, blocks, loads"),
     OPTION_CARD | NO_COURSE, cmd_tiles},
    {FOR_TEACHERS, "diff", N_("print two paths: the reference of the step before, and this one's"),
     OPTION_EXERCISE, cmd_diff},
    {FOR_DEVELOPERS, "bench",
     N_("time the references and cuBLAS on this GPU at 14 sizes; `bench ladder`: at the lessons'"),
     OPTION_WORDS | OPTION_EXERCISE | OPTION_CARD | OPTION_WRITE | OPTION_BENCH | NO_COURSE,
     IN_PYTHON},
    {FOR_PROGRAMS, "facts", NULL,
     OPTION_EXERCISE | OPTION_ASSIGNMENT | OPTION_DEVICE | OPTION_CARD | OPTION_SANDBOX |
         LEAVES_OPTIONAL,
     cmd_facts},
    {FOR_PROGRAMS, "count", NULL, JOB_OPTIONS, cmd_count},
    {FOR_PROGRAMS, "packages", NULL, OPTION_SANDBOX | NEED_SCRATCH | NO_COURSE, cmd_packages},
    {FOR_PROGRAMS, "mark", NULL, OPTION_MARK | OPTION_EXERCISE | OPTION_RESULT | NO_COURSE,
     cmd_mark},
    {FOR_PROGRAMS, "answer", NULL, OPTION_EXERCISE | OPTION_ASSIGNMENT, cmd_answer},
    {FOR_PROGRAMS, "handout-kernels", NULL, OPTION_OUT | OPTION_ASSIGNMENT, cmd_handout_kernels},
};

#define COMMAND_COUNT COUNT(commands)
#define HELP_COLUMN   16  // where the texts of the list begin
#define NAMES_BYTES   256

static void commands_print(FILE *out, enum audience audience, const char *title) {
    struct terminal terminal = terminal_of(out, "", "");
    (void)fprintf(out, "\n%s\n", title);
    for (const struct command *command = commands; command < commands + COMMAND_COUNT; command++) {
        char names[NAMES_BYTES];
        char text[2 * NAMES_BYTES];
        if (command->audience == audience) {
            options_names(command, names, sizeof names);
            (void)snprintf(text, sizeof text, "%s%s", _(command->what), names);
            (void)fprintf(out, "  %-*s", HELP_COLUMN - 2, command->name);
            terminal_hang(&terminal, HELP_COLUMN, text);
        }
    }
}

// Without references, commands for teachers and developers are not listed.
static void usage_print(FILE *out) {
    struct places places;
    char reference[PATH_BYTES_MAX];
    bool whole = !places_find(NULL, false, &places, NULL) &&
                 !place_make(&places, reference, NULL, "reference") && access(reference, F_OK) == 0;
    (void)fputs(_("Usage: tilegrade COMMAND [EXERCISE...] [OPTION...]\n"), out);
    commands_print(out, FOR_STUDENTS, _("Students"));
    if (whole) {
        commands_print(out, FOR_TEACHERS, _("Teachers"));
        commands_print(out, FOR_DEVELOPERS, _("Developers"));
    }
    (void)fputs(
        _("\nOptions are NAME=value, as for make (`tilegrade test EX=name SIZE=64`), or as\n"
          "`tilegrade COMMAND --help` lists them. `tilegrade --version` prints the version.\n"
          "Exit code: 0 all is well, 1 a kernel is wrong or slow, 2 bad usage or bad data,\n"
          "3 the grader itself failed (no grade is written).\n"),
        out);
}

// The exercise that a word names; "" if it names none.
static void exercise_named(const char *word, char ret_name[NAME_BYTES_MAX]) {
    struct places places;
    struct course *course = NULL;
    ret_name[0] = '\0';
    if (!places_find(NULL, true, &places, NULL) && !course_open(places.root, &course, NULL) &&
        !course_narrow(course, word, NULL)) {
        (void)snprintf(ret_name, NAME_BYTES_MAX, "%s", course->exercises[0].name);
    }
    course_free(course);
}

// Suggests commands that an unknown word may mean.  `goals` are the other goals of make, if it
// asks.
static void command_refuse(const char *word, char *const *goals, int goal_count) {
    const char *program = goal_count > 0 ? "make" : "tilegrade";
    const char *nearest = NULL;
    size_t best = NEAR_DISTANCE_MAX + 1;
    char exercise[NAME_BYTES_MAX];
    for (size_t i = 0; i < COMMAND_COUNT + (size_t)goal_count; i++) {
        const char *other = i < COMMAND_COUNT ? commands[i].name : goals[i - COMMAND_COUNT];
        bool listed = i >= COMMAND_COUNT || commands[i].audience != FOR_PROGRAMS;
        size_t distance = listed ? name_distance(word, other) : best;
        if (distance < best && distance < strlen(word)) {
            best = distance;
            nearest = other;
        }
    }
    exercise_named(word, exercise);
    if (exercise[0] != '\0') {
        (void)fprintf(stderr, _("there is no command '%s'; to try this exercise: `%s test %s`\n"),
                      word, program, exercise);
    } else if (nearest) {
        (void)fprintf(stderr, _("there is no command '%s'; did you mean `%s %s`?\n"), word, program,
                      nearest);
    } else {
        (void)fprintf(stderr, _("there is no command '%s'; `%s help` lists them\n"), word, program);
    }
}

static const struct command *command_find(const char *name) {
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return &commands[i];
        }
    }
    return NULL;
}

// Restricts the course to the requested exercises.  An assignment becomes the whole course
// (*ret_whole), from which the named exercises are chosen.  Without either, some commands leave out
// optional exercises.
static enum status course_choose(const struct options *options, bool leaves_optional,
                                 struct course *course, struct course *ret_whole,
                                 struct assignment *ret_assignment, struct error *err) {
    char name[NAME_BYTES_MAX];
    enum status status = assignment_default(course, name, err);
    const char *asked = options->assignment ? options->assignment : name;
    if (!status && asked[0] != '\0') {
        status = assignment_read(course, asked, ret_assignment, err);
        if (!status) {
            assignment_narrow(ret_assignment, course);
        }
    }
    *ret_whole = *course;
    if (!status && leaves_optional && asked[0] == '\0' && !options->exercise) {
        course_leave_optional(course);
    }
    return status || !options->exercise ? status : course_narrow(course, options->exercise, err);
}

// Continues as one of our Python programs, with the given options.
static enum status script_become(const char *command, const struct options *options,
                                 const struct places *places, struct error *err) {
    char python[] = PYTHON;
    char path[PATH_BYTES_MAX];
    char root[PATH_BYTES_MAX + 8];
    char programs[PATH_BYTES_MAX + 16];
    char name[NAME_BYTES_MAX];
    enum status status = path_make(path, err, "%s/../report/front.py", places->templates);
    if (status) {
        return status;
    }
    char **argument = xcalloc((size_t)options->passed_count + 6, sizeof *argument);
    (void)snprintf(root, sizeof root, "--root=%s", places->root[0] != '\0' ? places->root : ".");
    (void)snprintf(programs, sizeof programs, "--programs=%s", places->device.programs);
    (void)snprintf(name, sizeof name, "%s", command);
    argument[0] = python;
    argument[1] = path;
    argument[2] = name;
    argument[3] = root;
    argument[4] = programs;
    memcpy(argument + 5, options->passed, (size_t)options->passed_count * sizeof *argument);
    (void)execv(python, argument);
    status = fail_errno(err, STATUS_UNAVAILABLE, "%s", python);
    free(argument);
    return status;
}

static enum status command_run(const struct command *command, const struct options *options,
                               enum exit_code *ret_code, struct error *err) {
    struct course *course = NULL;
    struct places *places = xcalloc(1, sizeof *places);
    struct assignment *assignment = xcalloc(1, sizeof *assignment);
    struct course *whole = xcalloc(1, sizeof *whole);
    bool need_course = !(command->accepts & NO_COURSE) && !options->file;
    enum status status = places_find(options->root, need_course, places, err);
    if (!status && need_course) {
        status = course_open(places->root, &course, err);
    }
    if (!status && need_course && !(command->accepts & WHOLE_COURSE)) {
        status = course_choose(options, command->accepts & LEAVES_OPTIONAL, course, whole,
                               assignment, err);
    }
    if (!status && !command->run) {
        status = script_become(command->name, options, places, err);
    } else if (!status) {
        bool narrowed = assignment->name[0] != '\0';
        struct app app = {.options = options,
                          .places = places,
                          .course = course,
                          .whole = whole,
                          .assignment = narrowed ? assignment : NULL};
        status = command->run(&app, ret_code, err);
    }
    course_free(course);
    free(whole);
    free(assignment);
    free(places);
    return status;
}

// The number of words of an option before the command: "--root=DIR", "--language zh"; 0 if there is
// none.
static int option_words(const char *first) {
    static const char *const names[] = {"--root", "--language"};
    for (size_t i = 0; i < COUNT(names); i++) {
        size_t length = strlen(names[i]);
        if (strncmp(first, names[i], length) == 0 &&
            (first[length] == '=' || first[length] == '\0')) {
            return first[length] == '=' ? 1 : 2;
        }
    }
    return 0;
}

// `tilegrade --root DIR list` is `tilegrade list --root DIR`: moves such options after the command.
static void options_move(int argc, char **argv) {
    int words = 0;
    while (words + 1 < argc && option_words(argv[words + 1]) > 0) {
        words += option_words(argv[words + 1]);
    }
    if (words > 0 && words + 1 < argc) {
        char *command = argv[words + 1];
        memmove(argv + 2, argv + 1, (size_t)words * sizeof *argv);
        argv[1] = command;
    }
}

// The language of messages before options are read, and about the options.
static enum status language_begin_early(int argc, char **argv, struct error *err) {
    for (int i = 1; i < argc; i++) {
        enum language language;
        const char *name = text_starts(argv[i], "--language=")                  ? argv[i] + 11
                           : text_starts(argv[i], "LANGUAGE=")                  ? argv[i] + 9
                           : strcmp(argv[i], "--language") == 0 && i + 1 < argc ? argv[i + 1]
                                                                                : NULL;
        if (name) {  // an unknown one is reported when options are read
            if (!language_parse(name, &language, NULL)) {
                language_use(language);
            }
            return STATUS_OK;
        }
    }
    return language_begin(err);
}

int main(int argc, char **argv) {
    struct error err = {.text = ""};
    json_set_alloc_funcs(xmalloc, free);
    enum status status = language_begin_early(argc, argv, &err);
    if (status) {
        terminal_error(err.text);
        return status_exit_code(status);
    }
    options_move(argc, argv);
    if (argc < 2) {
        usage_print(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-?") == 0 ||
        strcmp(argv[1], "help") == 0) {
        usage_print(stdout);
        return EXIT_ALL_WELL;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        (void)puts("tilegrade " TILEGRADE_VERSION);
        return EXIT_ALL_WELL;
    }
    const struct command *command = command_find(argv[1]);
    if (!command) {
        bool from_make = argc > 2 && strcmp(argv[2], "--goals") == 0;
        command_refuse(argv[1], argv + 3, from_make ? argc - 3 : 0);
        return EXIT_USAGE;
    }
    struct options options;
    options_parse(command, argc - 1, argv + 1, &options);
    enum exit_code code = EXIT_HARNESS;
    if (options.planned) {
        (void)prctl(PR_SET_PDEATHSIG, SIGTERM);  // a class run that is killed leaves no job behind
    }
    if (command->accepts & NEED_SCRATCH) {
        status = supervise(_("interrupted: nothing was written"), &err);
    }
    if (!status) {
        status = command_run(command, &options, &code, &err);
    }
    if (status) {
        (void)fflush(stdout);
        terminal_error(err.text);
        return status_exit_code(status);
    }
    if (__fpending(stdout) > 0 && fflush(stdout) != 0) {
        (void)fprintf(stderr, _("tilegrade: cannot write the output\n"));
        return EXIT_HARNESS;
    }
    return (int)code;
}
