// The command line as data, and the exit codes.
#ifndef APP_OPTIONS_H
#define APP_OPTIONS_H

#include <stdbool.h>

#include "base/random.h"
#include "base/size.h"
#include "sandbox/sandbox.h"

#define TILEGRADE_VERSION "0.1.0"

// Exit codes, by which scripts distinguish the kernel's fault from ours.
enum exit_code {
    EXIT_ALL_WELL = 0,
    EXIT_KERNELS = 1,  // wrong or slow
    EXIT_USAGE = 2,    // bad usage or data
    EXIT_HARNESS = 3,  // the harness could not do its work
};

enum device_choice { CHOICE_AUTO, CHOICE_EMU, CHOICE_GPU, CHOICE_COUNT };

// The amount of output: only verdicts, helpful details, or everything.
enum verbosity { VERBOSITY_NORMAL, VERBOSITY_QUIET, VERBOSITY_VERBOSE };

// An answer to be marked.  NULL: not given.
struct mark_options {
    const char *questions;  // the page
    const char *question;   // its number
    const char *answer;
    bool bug;  // the page of a bug
};

// The command line, checked.  Strings are those of argv.
struct options {
    const char *exercise;    // --exercise NAME[,NAME…], or bare names; NULL = all
    const char *assignment;  // NULL = the course's default, if it has one
    const char *submission;  // NULL = the course's student folder
    const char *out;         // NULL = the command's own folder below build/
    const char *root;        // NULL = look for it
    struct size size;        // m = 0: the exercise's own list
    struct seed seed;
    bool has_seed;
    enum device_choice device;
    enum sandbox_policy sandbox;
    int jobs;  // 0: chosen for the machine
    bool force;
    bool write;
    bool recorded;       // kernels only at their sizes in sizes.txt
    bool allow_empty;    // a submission without a kernel file is graded too
    const char *card;    // NULL = the default of measure/devices.h
    const char *result;  // NULL = the result of the last grade
    enum verbosity verbosity;
    const char *job;   // the key of a job of a class
    bool planned;      // a job of a class, described on standard input
    bool page;         // serve the page while watching
    const char *kind;  // of a new exercise; NULL = product
    struct mark_options mark;
    const char *file;   // of a program; several with blanks between them
    const char *flags;  // for its compiler: "-Iinclude -DN=4"
    const char *args;   // of the program, with blanks between them
    const char *hint;   // a TODO, a verdict, or "0"; NULL = the next hint
    char **passed;      // options and words for report/front.py; not freed
    int passed_count;
    char **after;  // the words after `--`, of argv, ending in NULL; NULL: there are none
};

#endif
