// tilegrade: the one program that students, instructors and CI call.  It finds the command, reads
// its arguments, runs it, and turns what went wrong on our side into one line and an exit code.
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/command.h"
#include "app/supervise.h"

const char *argp_program_version = "tilegrade " TILEGRADE_VERSION;

static const struct command commands[] = {
    {"test", "try the kernels with public inputs and explain the first mistake",
     OPTION_EXERCISE | OPTION_SUBMISSION | OPTION_OUT | OPTION_SIZE | OPTION_SEED | OPTION_DEVICE |
         NEED_SCRATCH,
     cmd_test},
    {"grade", "grade a folder of kernels with secret inputs, speed included; write result.json",
     OPTION_EXERCISE | OPTION_SUBMISSION | OPTION_OUT | OPTION_SEED | OPTION_DEVICE | NEED_SCRATCH,
     cmd_grade},
    {"list", "the exercises, each with its last result", 0, cmd_list},
    {"hint", "the next hint to an exercise", OPTION_EXERCISE | OPTION_NAME | NEED_NAME, cmd_hint},
    {"reset", "begin an exercise anew; the old file is kept",
     OPTION_EXERCISE | OPTION_NAME | NEED_NAME, cmd_reset},
    {"stubs", "write the student files from the references; finished work is left alone",
     OPTION_EXERCISE | OPTION_NAME | OPTION_FORCE, cmd_stubs},
    {"new", "write the skeleton of a new exercise", OPTION_EXERCISE | OPTION_NAME | NEED_NAME,
     cmd_new},
    {"check-course", "prove every exercise of the course",
     OPTION_EXERCISE | OPTION_NAME | NEED_SCRATCH, cmd_check_course},
    {"handout", "write a repository for students: no references, no wrong kernels",
     OPTION_OUT | NEED_OUT, cmd_handout},
    {"doctor", "what this machine has and lacks, with the remedies", NO_COURSE, cmd_doctor},
};

#define COMMAND_COUNT (sizeof commands / sizeof *commands)

static void usage_print(FILE *out) {
    (void)fputs("Usage: tilegrade COMMAND [OPTION...]\n\n", out);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        (void)fprintf(out, "  %-13s %s\n", commands[i].name, commands[i].what);
    }
    (void)fputs("\n`tilegrade COMMAND --help` lists the options; `tilegrade --version` prints the "
                "version.\n"
                "Exit code: 0 all well, 1 the kernels are wrong or slow, 2 bad usage or data,\n"
                "3 the harness could not do its work (no grade is written).\n",
                out);
}

// Returns NULL after saying what was wrong.
static const struct command *command_find(const char *name) {
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return &commands[i];
        }
    }
    (void)fprintf(stderr, "tilegrade: unknown command '%s'; the commands are:", name);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        (void)fprintf(stderr, " %s", commands[i].name);
    }
    (void)fputc('\n', stderr);
    return NULL;
}

static enum status command_run(const struct command *command, const struct options *options,
                               enum exit_code *ret_code, struct error *err) {
    struct course *course = NULL;
    struct places *places = calloc(1, sizeof *places);
    if (!places) {
        return fail(err, STATUS_NO_MEMORY, "no memory");
    }
    bool need_course = !(command->accepts & NO_COURSE);
    enum status status = places_find(options->root, need_course, places, err);
    if (!status && need_course) {
        status = course_open(places->root, &course, err);
    }
    if (!status) {
        struct app app = {.options = options, .places = places, .course = course};
        status = command->run(&app, ret_code, err);
    }
    course_free(course);
    free(places);
    return status;
}

enum status app_exercise(const struct app *app, const struct exercise **ret_exercise,
                         struct error *err) {
    const char *name = app->options->exercise;
    const struct exercise *exercise = course_find(app->course, name);
    if (exercise) {
        *ret_exercise = exercise;
        return STATUS_OK;
    }
    char names[ERROR_TEXT_MAX / 2] = "";
    size_t used = 0;
    for (int i = 0; i < app->course->exercise_count && used < sizeof names; i++) {
        used += (size_t)snprintf(names + used, sizeof names - used, " %s",
                                 app->course->exercises[i].name);
    }
    return fail(err, STATUS_BAD_USAGE, "unknown exercise '%.64s'; the exercises are:%s", name,
                names);
}

int main(int argc, char **argv) {
    argp_err_exit_status = EXIT_USAGE;
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
        (void)puts(argp_program_version);
        return EXIT_ALL_WELL;
    }
    const struct command *command = command_find(argv[1]);
    if (!command) {
        return EXIT_USAGE;
    }
    struct options options;
    options_parse(command, argc - 1, argv + 1, &options);
    enum exit_code code = EXIT_HARNESS;
    struct error err = {""};
    enum status status = command->accepts & NEED_SCRATCH ? supervise(&err) : STATUS_OK;
    if (!status) {
        status = command_run(command, &options, &code, &err);
    }
    if (status) {
        (void)fflush(stdout);
        (void)fprintf(stderr, "tilegrade: %s\n", err.text);
        return status_exit_code(status);
    }
    if (fflush(stdout) != 0) {
        (void)fprintf(stderr, "tilegrade: cannot write the output\n");
        return EXIT_HARNESS;
    }
    return (int)code;
}
