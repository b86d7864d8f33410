// `make test` as a Check suite: one test case per exercise, one loop iteration per case that the
// judge ran.
//
//     course PROGRAM [OPTION...]     runs `PROGRAM test OPTION...`, then asserts over the result
//     that it wrote
//
// No kernel runs here, and none is linked: a kernel that calls exit() or prints "100%" cannot touch
// this process.  The program runs before Check forks, once.  What students read is the program's
// own text; Check is silent unless V=1, and writes its logs to the files named by TAP= and XML=.
#include <check.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <jansson.h>

#undef fail  // an old name of Check; ours is in base/error.h
#include "base/language.h"
#include "base/text.h"
#include "base/words.h"

#define RESULT_DEFAULT  "build/test/result.json"
#define PATH_MAX_BYTES  4096
#define LABEL_MAX       160
#define WORDS_MAX       64
#define EXIT_NOT_PASSED 1
#define EXIT_BAD_DATA   2
#define EXIT_TROUBLE    3
#define EXIT_SIGNAL     128  // plus the number of the signal that interrupted the run

// One assertion: a case of an exercise, or the exercise as a whole.
struct row {
    char label[LABEL_MAX];
    const char *verdict;  // borrowed from the result
    const char *headline;
};

// Check's tests take no arguments, so the table is a global; it is complete before the first test
// runs.
static struct row *rows;
static int row_count;

START_TEST(case_passes) {
    const struct row *row = &rows[_i];
    ck_assert_msg(strcmp(row->verdict, "pass") == 0, "%s: %s: %.300s", row->label, row->verdict,
                  row->headline);
}
END_TEST

// Runs the program with our own stdout.  Returns its exit code; EXIT_TROUBLE if it did not end by
// itself.
static int program_run(int argc, char **argv) {
    char *arguments[WORDS_MAX + 3] = {argv[1], (char *)"test"};
    for (int i = 2; i < argc; i++) {
        arguments[i] = argv[i];
    }
    pid_t child = fork();
    if (child < 0) {
        return EXIT_TROUBLE;
    }
    if (child == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
        (void)execv(argv[1], arguments);
        (void)fprintf(stderr, "%s: %s\n", argv[1], strerror(errno));
        _exit(EXIT_TROUBLE);
    }
    // ^C goes to both: the program cleans up and says so, and then we end.
    (void)signal(SIGINT, SIG_IGN);
    int state = 0;
    while (waitpid(child, &state, 0) < 0) {
        if (errno != EINTR) {
            return EXIT_TROUBLE;
        }
    }
    return WIFEXITED(state) ? WEXITSTATUS(state) : EXIT_TROUBLE;
}

// The value of --out=DIR or OUT=DIR; under make also of its environment.  NULL: not given.
static const char *value_find(int argc, char **argv, const char *option, const char *name) {
    const char *value = NULL;
    for (int i = 2; i < argc; i++) {
        size_t length = strlen(name);
        if (text_starts(argv[i], option)) {
            value = argv[i] + strlen(option);
        } else if (text_starts(argv[i], name) && argv[i][length] == '=') {
            value = argv[i] + length + 1;
        } else if (!value && strcmp(argv[i], "--from-make") == 0) {
            value = getenv(name);
        }
    }
    return value && *value != '\0' ? value : NULL;
}

static void result_path_find(int argc, char **argv, char path[PATH_MAX_BYTES]) {
    const char *folder = value_find(argc, argv, "--out=", "OUT");
    (void)snprintf(path, PATH_MAX_BYTES, "%s%s", folder ? folder : RESULT_DEFAULT,
                   folder ? "/result.json" : "");
}

static const char *string_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static long long size_part(const json_t *one_case, size_t part) {
    return (long long)json_integer_value(json_array_get(json_object_get(one_case, "size"), part));
}

// The rows of one exercise: itself, then its cases.  Returns how many.
static int rows_add(const json_t *exercise) {
    size_t i = 0;
    json_t *one_case = NULL;
    int first = row_count;
    struct row *row = &rows[row_count++];
    (void)snprintf(row->label, sizeof row->label, "%s", string_of(exercise, "name"));
    row->verdict = string_of(exercise, "verdict");
    row->headline = string_of(exercise, "headline");
    json_array_foreach(json_object_get(exercise, "cases"), i, one_case) {
        row = &rows[row_count++];
        (void)snprintf(row->label, sizeof row->label, "%s %lldx%lldx%lld, %s inputs, %s",
                       string_of(exercise, "name"), size_part(one_case, 0), size_part(one_case, 1),
                       size_part(one_case, 2), string_of(one_case, "inputs"),
                       string_of(one_case, "device"));
        row->verdict = string_of(one_case, "verdict");
        row->headline = string_of(exercise, "headline");
    }
    return row_count - first;
}

static Suite *suite_make(const json_t *exercises) {
    Suite *suite = suite_create("kernels");
    size_t i = 0;
    json_t *exercise = NULL;
    json_array_foreach(exercises, i, exercise) {
        if (!json_boolean_value(json_object_get(exercise, "complete"))) {
            continue;  // only a GPU can judge it; the program says so
        }
        int first = row_count;
        int count = rows_add(exercise);
        TCase *test_case = tcase_create(string_of(exercise, "name"));
        tcase_add_loop_test(test_case, case_passes, first, first + count);
        suite_add_tcase(suite, test_case);
    }
    return suite;
}

static bool rows_allocate(const json_t *exercises) {
    size_t count = 0;
    size_t i = 0;
    json_t *exercise = NULL;
    json_array_foreach(exercises, i, exercise) {
        count += 1 + json_array_size(json_object_get(exercise, "cases"));
    }
    rows = calloc(count + 1, sizeof *rows);
    return rows != NULL && count > 0;
}

static int suite_judge(const json_t *exercises) {
    const char *tap = getenv("TAP");
    const char *xml = getenv("XML");
    const char *verbose = getenv("V");
    SRunner *runner = srunner_create(suite_make(exercises));
    if (tap && *tap != '\0') {
        srunner_set_tap(runner, tap);
    }
    if (xml && *xml != '\0') {
        srunner_set_xml(runner, xml);
    }
    srunner_run_all(runner, verbose && *verbose != '\0' ? CK_VERBOSE : CK_SILENT);
    int run = srunner_ntests_run(runner);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    if (run == 0) {
        (void)fprintf(stderr, _("make test: no case ran, so nothing is proven\n"));
        return EXIT_TROUBLE;
    }
    return failed == 0 ? EXIT_SUCCESS : EXIT_NOT_PASSED;
}

// Check ends with an error of its own if a log cannot be written.
static bool log_writable(const char *variable) {
    const char *path = getenv(variable);
    FILE *log = path && *path != '\0' ? fopen(path, "a") : NULL;
    if (path && *path != '\0' && !log) {
        (void)fprintf(stderr, _("make test: %s=%s: %s\n"), variable, path,
                      text_of(strerror(errno)));
        return false;
    }
    if (log) {
        (void)fclose(log);
    }
    return true;
}

// The language of the program that is run: by its option, or as the program finds it.
static enum status language_choose(int argc, char **argv, struct error *err) {
    enum language language;
    for (int i = 2; i < argc; i++) {
        const char *name = text_starts(argv[i], "--language=") ? argv[i] + 11
                           : text_starts(argv[i], "LANGUAGE=") ? argv[i] + 9
                                                               : NULL;
        if (name) {  // the program reports an unknown language
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
    if (argc < 2 || argc > WORDS_MAX) {
        (void)fprintf(stderr, "usage: course PROGRAM [OPTION...]\n");
        return EXIT_BAD_DATA;
    }
    if (language_choose(argc, argv, &err)) {
        (void)fprintf(stderr, "make test: %s\n", err.text);
        return EXIT_BAD_DATA;
    }
    if (!log_writable("TAP") || !log_writable("XML")) {
        return EXIT_BAD_DATA;
    }
    int code = program_run(argc, argv);
    if (code > EXIT_SIGNAL) {
        return code;
    }
    if (code != EXIT_SUCCESS && code != EXIT_NOT_PASSED) {
        (void)fprintf(stderr, _("make test: nothing was judged (exit code %d of %s: %s)\n"), code,
                      argv[1],
                      code == EXIT_BAD_DATA ? _("bad usage or data")
                                            : _("the harness could not do its work"));
        return code;
    }
    char path[PATH_MAX_BYTES];
    result_path_find(argc, argv, path);
    json_error_t why;
    json_t *result = json_load_file(path, JSON_REJECT_DUPLICATES, &why);
    const json_t *exercises = json_object_get(result, "exercises");
    if (!json_is_array(exercises) || !rows_allocate(exercises)) {
        (void)fprintf(stderr, _("make test: %s: no result: %s\n"), path,
                      result ? _("it holds no exercise") : why.text);
        json_decref(result);
        return EXIT_TROUBLE;
    }
    int suite_code = suite_judge(exercises);
    free(rows);
    json_decref(result);
    return suite_code == EXIT_SUCCESS ? code : suite_code;
}
