// tilegrade: the one program that students, instructors and CI call.  It finds the command, reads
// its arguments, runs it, and turns a failure on our side into one line and an exit code.
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "app/commands/commands.h"
#include "app/supervise.h"
#include "app/terminal/terminal.h"
#include "base/basics.h"
#include "base/language.h"
#include "base/text.h"
#include "base/words.h"

// How a job of a class is judged.
#define JOB_OPTIONS                                                                                \
    (OPTION_EXERCISE | OPTION_ASSIGNMENT | OPTION_SUBMISSION | OPTION_OUT | OPTION_DEVICE |        \
     OPTION_CARD | OPTION_SANDBOX | OPTION_JOBS | OPTION_VERBOSITY | OPTION_PLANNED |              \
     NEED_SCRATCH | LEAVES_OPTIONAL)

static const struct command commands[] = {
    {"test", N_("test the kernels with public inputs and explain the first mistake"),
     OPTION_EXERCISE | OPTION_ASSIGNMENT | OPTION_SUBMISSION | OPTION_OUT | OPTION_SIZE |
         OPTION_SEED | OPTION_DEVICE | OPTION_SANDBOX | OPTION_JOBS | OPTION_VERBOSITY |
         NEED_SCRATCH | LEAVES_OPTIONAL,
     cmd_test},
    {"grade",
     N_("grade a folder of kernels with secret inputs, including speed; write result.json"),
     OPTION_EXERCISE | OPTION_ASSIGNMENT | OPTION_SUBMISSION | OPTION_OUT | OPTION_SEED |
         OPTION_DEVICE | OPTION_CARD | OPTION_EMPTY | OPTION_SANDBOX | OPTION_JOBS |
         OPTION_VERBOSITY | OPTION_PLANNED | NEED_SCRATCH | LEAVES_OPTIONAL,
     cmd_grade},
    {"watch", N_("judge a kernel at each save, and show the verdict"),
     OPTION_EXERCISE | OPTION_ASSIGNMENT | OPTION_NAME | OPTION_SIZE | OPTION_SEED | OPTION_DEVICE |
         OPTION_SANDBOX | OPTION_JOBS | OPTION_PAGE,
     cmd_watch},
    {"next", N_("say where you left off: the lesson to read and the file to edit"),
     OPTION_ASSIGNMENT, cmd_next},
    {"show", N_("test a kernel, and open the page of the result, with pictures"),
     OPTION_EXERCISE | OPTION_ASSIGNMENT | OPTION_NAME | OPTION_SIZE | OPTION_SEED | OPTION_DEVICE |
         OPTION_SANDBOX | OPTION_JOBS,
     cmd_show},
    {"facts", NULL,
     OPTION_EXERCISE | OPTION_ASSIGNMENT | OPTION_DEVICE | OPTION_CARD | OPTION_SANDBOX |
         LEAVES_OPTIONAL,
     cmd_facts},
    {"count", NULL, JOB_OPTIONS, cmd_count},
    {"packages", NULL, OPTION_SANDBOX | NEED_SCRATCH | NO_COURSE, cmd_packages},
    {"mark", NULL, OPTION_MARK | OPTION_EXERCISE | OPTION_RESULT | NO_COURSE, cmd_mark},
    {"list", N_("list the exercises, each with its last result"),
     OPTION_EXERCISE | OPTION_ASSIGNMENT, cmd_list},
    {"hint", N_("show the next hint for an exercise"), OPTION_EXERCISE | OPTION_NAME | OPTION_HINT,
     cmd_hint},
    {"debug", N_("start gdb at a kernel on the CPU device, in the thread of the last finding"),
     OPTION_EXERCISE | OPTION_ASSIGNMENT | OPTION_NAME | OPTION_SIZE | OPTION_SEED | OPTION_SANDBOX,
     cmd_debug},
    {"reset", N_("start an exercise over; the old file is kept"), OPTION_EXERCISE | OPTION_NAME,
     cmd_reset},
    {"submit", N_("pack the files to hand in, and say what the teacher gets"),
     OPTION_EXERCISE | OPTION_ASSIGNMENT | OPTION_NAME | OPTION_OUT, cmd_submit},
    {"stubs", N_("write the student files from the references; finished work is left alone"),
     OPTION_EXERCISE | OPTION_ASSIGNMENT | OPTION_NAME | OPTION_FORCE, cmd_stubs},
    {"new", N_("write the skeleton of a new exercise"),
     OPTION_EXERCISE | OPTION_NAME | OPTION_KIND | WHOLE_COURSE, cmd_new},
    {"check-course", N_("check that every kernel of the course gets the verdict that it should"),
     OPTION_EXERCISE | OPTION_ASSIGNMENT | OPTION_NAME | OPTION_SANDBOX | OPTION_WRITE |
         NEED_SCRATCH,
     cmd_check_course},
    {"handout", N_("write a repository for students, without references or wrong kernels"),
     OPTION_OUT | OPTION_ASSIGNMENT, cmd_handout},
    {"tiles", N_("show what tile sizes need on a card: threads, shared memory, blocks, loads"),
     OPTION_CARD | NO_COURSE, cmd_tiles},
    {"regrade", N_("compute the points of a stored result again; show what differs, and why"),
     OPTION_RESULT | OPTION_OUT | OPTION_JOB | WHOLE_COURSE, cmd_regrade},
    {"diff", N_("print the paths that `make diff` compares: a reference and the step before it"),
     OPTION_EXERCISE | OPTION_NAME, cmd_diff},
    {"answer",
     N_("print the paths that `make answer` compares: a kernel that passes and its reference"),
     OPTION_EXERCISE | OPTION_ASSIGNMENT | OPTION_NAME, cmd_answer},
    {"doctor", N_("show what this machine has and lacks, and how to fix it"), NO_COURSE,
     cmd_doctor},
};

#define COMMAND_COUNT COUNT(commands)

static void usage_print(FILE *out) {
    (void)fputs(_("Usage: tilegrade COMMAND [OPTION...]\n\n"), out);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (commands[i].what) {
            (void)fprintf(out, "  %-13s %s\n", commands[i].name, _(commands[i].what));
        }
    }
    (void)fputs(_("\n`tilegrade COMMAND --help` lists the options; `tilegrade --version` prints "
                  "the version.\nExit code: 0 all is well, 1 a kernel is wrong or slow, 2 bad "
                  "usage or bad data,\n3 the grader itself failed (no grade is written).\n"),
                out);
}

// Returns NULL after saying what was wrong.
static const struct command *command_find(const char *name) {
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return &commands[i];
        }
    }
    (void)fprintf(stderr, _("tilegrade: unknown command '%s'; the commands are:"), name);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (commands[i].what) {
            (void)fprintf(stderr, " %s", commands[i].name);
        }
    }
    (void)fputc('\n', stderr);
    return NULL;
}

// Leaves the exercises that are asked for: those of the assignment, which are the whole course from
// then on, and of these the named ones.  Without either, some commands leave out what is optional.
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

static enum status command_run(const struct command *command, const struct options *options,
                               enum exit_code *ret_code, struct error *err) {
    struct course *course = NULL;
    struct places *places = calloc(1, sizeof *places);
    struct assignment *assignment = calloc(1, sizeof *assignment);
    struct course *whole = calloc(1, sizeof *whole);
    if (!places || !assignment || !whole) {
        free(places);
        free(assignment);
        free(whole);
        return fail(err, STATUS_NO_MEMORY, "no memory");
    }
    bool need_course = !(command->accepts & NO_COURSE);
    enum status status = places_find(options->root, need_course, places, err);
    if (!status && need_course) {
        status = course_open(places->root, &course, err);
    }
    if (!status && need_course && !(command->accepts & WHOLE_COURSE)) {
        status = course_choose(options, command->accepts & LEAVES_OPTIONAL, course, whole,
                               assignment, err);
    }
    if (!status) {
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
                           : strcmp(argv[i], "--language") == 0 && i + 1 < argc ? argv[i + 1]
                                                                                : NULL;
        if (name) {  // an unknown one is reported when options are read
            return language_parse(name, &language, NULL) ? STATUS_OK : language_use(language, err);
        }
    }
    return language_begin(err);
}

int main(int argc, char **argv) {
    struct error err = {.text = ""};
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
