// Runs the suites of the files that this program is linked of: all, or those whose names begin so.
//
//     unit-judge [NAME...]     NAME: race, of test_race_text.c and test_race_async_text.c
#include <string.h>

#include "suite.h"

// Where the linker's list begins and ends.
extern const struct suite_file __start_suite_files[];
extern const struct suite_file __stop_suite_files[];

static bool is_wanted(const struct suite_file *file, char **names) {
    const char *base = strrchr(file->path, '/') + strlen("/test_");
    bool wanted = *names == NULL;
    for (; *names && !wanted; names++) {
        wanted = strncmp(base, *names, strlen(*names)) == 0;
    }
    return wanted;
}

int main(int count, char **words) {
    SRunner *runner = srunner_create(NULL);
    (void)count;
    for (const struct suite_file *file = __start_suite_files; file < __stop_suite_files; file++) {
        if (is_wanted(file, words + 1)) {
            srunner_add_suite(runner, file->make());
        }
    }
    srunner_run_all(runner, CK_ENV);
    int run = srunner_ntests_run(runner);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    if (run == 0) {
        fprintf(stderr, "no check ran\n");
    }
    return run > 0 && failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
