// The right kernels of tests/emu about tensor cores, asynchronous copies, clusters, warps and
// arithmetic give on a GPU, bit for bit, what they give on the CPU device.  What they assert holds
// there too: a failed assertion ends the launch.  Inputs are small integers, so that no sum is
// rounded: how tensor cores round is for tensor_values.cu and wgmma_values.cu to show.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/random.h"
#include "gpu_rig.h"

#define ELEMENTS_MAX (256 * 256)
#define INTEGERS     9  // from -4 to 4

// Of warps, those whose values CUDA defines: not those about active masks and absent lanes.
static const char *const topics[] = {
    "async_",       "barrier_",      "bfloat16_",  "groups_", "half_",       "intrinsics",
    "lanes_",       "ptx_",          "rounding",   "vectors", "warp_lanes_", "warp_masks_",
    "warp_partial", "warp_shuffles", "warp_votes", "wmma",    NULL};
static const char *const topics_of_hopper[] = {"bulk_",   "cluster_", "mbarrier_",
                                               "tensor_", "wgmma_",   NULL};

struct inputs {
    float a[ELEMENTS_MAX];
    float b[ELEMENTS_MAX];
};

static void fill(float *to, uint64_t draw) {
    struct random_key key = {{draw, 58}};
    for (uint64_t i = 0; i < ELEMENTS_MAX; i++) {
        to[i] = (float)(random_at(key, i) % INTEGERS) - INTEGERS / 2;
    }
}

static bool begins(const char *name, const char *const *list) {
    while (*list && strncmp(name, *list, strlen(*list)) != 0) {
        list++;
    }
    return *list != NULL;
}

static int is_of_topic(const struct dirent *entry) {
    return begins(entry->d_name, topics) || begins(entry->d_name, topics_of_hopper);
}

// A kernel in which something must be found is none of these.
static bool is_right(const char *text) {
    return !strstr(text, "\n// expect:") && !strstr(text, "\n// end:") &&
           !strstr(text, "\n// compile:");
}

// What a device computes; false, with a row, if the kernel does not build or does not end.
static bool compute(struct rig *rig, enum device_kind device, const char *name, const char *text,
                    struct size size, const struct inputs *inputs, float *c) {
    struct run_program program;
    struct run_worker worker;
    const struct matmul matmul = {.size = size, .a = inputs->a, .b = inputs->b};
    struct error err = {.text = ""};
    bool ended = false;
    if (!rig_build_for(rig, device, PRECISION_FP16, "test", text, &program)) {
        return false;
    }
    run_worker_init(&worker, &program);
    rig_check(run_case_product(&worker, &matmul, c, &ended, &err), &err);
    run_worker_stop(&worker);
    run_program_done(&program);
    if (!ended) {
        rig_row(rig, false, "%-28s does not end on the %s", name,
                device == DEVICE_GPU ? "GPU" : "CPU device");
    }
    return ended;
}

static void agree(struct rig *rig, const char *name, const char *text) {
    static struct inputs inputs;
    static float there[ELEMENTS_MAX];
    static float here[ELEMENTS_MAX];
    struct size size = {8, 8, 8};
    const char *launch = strstr(text, "\n// launch: ");
    if (launch) {
        (void)sscanf(launch, "\n// launch: %dx%dx%d", &size.m, &size.n, &size.k);
    }
    fill(inputs.a, 1);
    fill(inputs.b, 2);
    if (!compute(rig, DEVICE_EMU, name, text, size, &inputs, here) ||
        !compute(rig, DEVICE_GPU, name, text, size, &inputs, there)) {
        return;
    }
    int elements = size.m * size.n;
    int differ = 0;
    for (int i = 0; i < elements; i++) {
        differ += memcmp(&there[i], &here[i], sizeof there[i]) != 0;
    }
    rig_row(rig, differ == 0, "%-28s %d of %d elements differ", name, differ, elements);
}

void check_agreement(struct rig *rig) {
    char folder[PATH_BYTES_MAX];
    struct error err = {.text = ""};
    struct dirent **kernels = NULL;
    rig_check(path_make(folder, &err, "%s/../tests/emu", rig->reference), &err);
    int count = scandir(folder, &kernels, is_of_topic, alphasort);
    bool is_hopper = strcmp(rig->machine.gpu.architecture, "sm_90") == 0;
    if (count <= 0) {
        rig_row(rig, false, "no kernels in %s", folder);
    }
    for (int i = 0; i < count; i++) {
        char path[PATH_BYTES_MAX];
        char *text = NULL;
        size_t bytes = 0;
        rig_check(path_make(path, &err, "%s/%s", folder, kernels[i]->d_name), &err);
        rig_check(file_read(path, SOURCE_BYTES_MAX, &text, &bytes, &err), &err);
        bool runs = is_hopper || !begins(kernels[i]->d_name, topics_of_hopper);
        if (runs && is_right(text)) {
            agree(rig, kernels[i]->d_name, text);
        }
        free(text);
        free(kernels[i]);
    }
    free(kernels);
}
