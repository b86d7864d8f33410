// Checks the GPU device on a machine that has a GPU: real workers, real launches, one table.
//
//     gpu_check PROGRAMS INCLUDE REFERENCE [PART]
//
// PART: right, agreement, wrong, pairs, cheats, guards, inputs, threshold, times.
//
// The first three are folders.  The exit code is 0 if every row is as expected.
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "gpu_rig.h"

static const struct {
    const char *name;
    void (*check)(struct rig *rig);
    bool always;  // even if no part is named
} parts[] = {
    {"right", check_right_kernels, true}, {"agreement", check_agreement, true},
    {"wrong", check_wrong_kernels, true}, {"pairs", check_pairs, true},
    {"cheats", check_cheats, true},       {"guards", check_guards, true},
    {"inputs", check_inputs, true},       {"threshold", check_threshold, true},
    {"times", check_times, false},
};

int main(int argc, char **argv) {
    static struct rig rig;
    const char *part = argc == 5 ? argv[4] : "";
    if (argc != 4 && argc != 5) {
        fprintf(stderr, "usage: gpu_check PROGRAMS INCLUDE REFERENCE [PART]\n");
        return 2;
    }
    (void)signal(SIGPIPE, SIG_IGN);
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    if (!rig_open(&rig, argv[1], argv[2], argv[3])) {
        printf("SKIPPED: no GPU or no NVRTC\n");
        return 0;
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (part[0] == '\0' ? parts[i].always : strcmp(part, parts[i].name) == 0) {
            parts[i].check(&rig);
        }
    }
    printf("%d rows not as expected\n", rig.failures);
    return rig.failures > 0;
}
