// See limits.h.  On an ordinary machine (that of the figures in grader/README.md) the CPU device
// makes 40 to 100 million accesses a second.
#include "judge/run/limits.h"

#include <time.h>

#include "base/compose.h"

// Accesses.  A right kernel that is slow must not be stopped, even if it makes many times as many
// as the reference: a block of 1024 threads that adds up one element makes 16,384, whatever K is.
// At 512 x 512 x 512 the sum is 21 times what the naive and the tiled reference make.
#define ACCESSES_BASE     10000000ull
#define ACCESSES_PADDING  63    // edges of blocks: added to each dimension
#define ACCESSES_PER_FMA  8ull  // the simplest kernel makes two
#define ACCESSES_PER_C    16384ull
#define ACCESSES_OF_C_MAX 4300000000ull  // those at 512

// Processor time of an ordinary machine.
#define LEAST_MS        5000ull
#define ACCESSES_PER_MS 50000ull
#define KERNEL_MS       360000ull  // all launches of one kernel, its cases and counted sizes
#define GRADE_MS        600000ull  // all kernels of a grade; after that each kernel may take …
#define LATE_KERNEL_MS  30000ull   // … this: the references take 3 to 10 s

// A GPU.  The cases of a right kernel take less than a second together.
#define GPU_LAUNCH_MS 10000ull
#define GPU_KERNEL_MS 30000ull
#define LEFT_LEAST_MS 500ull  // so that the launch that uses up what is left is still made

// The speed of a processor: a chain of this many steps takes so long on an ordinary machine.
#define STEPS       500000
#define ORDINARY_NS 750000.0
#define TRIES       3

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static uint64_t most(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

// Of a kernel that is no product: its work counts each element and operation once.
#define ACCESSES_PER_WORK 4096ull

static uint64_t accesses_of(const struct signature *signature, struct size size) {
    if (!signature->is_matmul) {
        return ACCESSES_BASE +
               least(ACCESSES_PER_WORK * signature_work(signature, size), ACCESSES_OF_C_MAX);
    }
    uint64_t padded = (uint64_t)(size.m + ACCESSES_PADDING) *
                      (uint64_t)(size.n + ACCESSES_PADDING) * (uint64_t)(size.k + ACCESSES_PADDING);
    return ACCESSES_BASE + ACCESSES_PER_FMA * padded +
           least(ACCESSES_PER_C * size_elements_c(size), ACCESSES_OF_C_MAX);
}

static uint64_t scaled(uint64_t ms, double slowness) {
    return slowness > 1.0 ? (uint64_t)((double)ms * slowness) : ms;
}

// What is left of a total, of which so much is spent.
static uint64_t left_of(uint64_t total, uint64_t spent) {
    return spent < total ? total - spent : 0;
}

// What is left for a launch that may take so long: of the time of its kernel, which is enough for
// one such launch, and of the time of the grade.
static uint64_t kernel_left(enum device_kind device, uint64_t launch_ms,
                            const struct judge_patience *patience) {
    uint64_t grade = left_of(GRADE_MS, patience->grade_ms);
    uint64_t kernel = device == DEVICE_GPU ? GPU_KERNEL_MS : most(KERNEL_MS, launch_ms);
    kernel = least(kernel, most(grade, LATE_KERNEL_MS));
    return most(left_of(kernel, patience->kernel_ms[device]), LEFT_LEAST_MS);
}

struct run_limits run_limits_of(enum device_kind device, const struct signature *signature,
                                struct size size, const struct judge_patience *patience) {
    uint64_t accesses = accesses_of(signature, size);
    double slowness =
        device == DEVICE_EMU && patience && patience->slowness > 1.0 ? patience->slowness : 1.0;
    uint64_t launch_ms =
        device == DEVICE_GPU ? GPU_LAUNCH_MS : most(LEAST_MS, run_accesses_ms(accesses));
    uint64_t left_ms = patience ? kernel_left(device, launch_ms, patience) : launch_ms;
    bool is_rest = left_ms < launch_ms;
    uint64_t ordinary_ms = is_rest ? left_ms : launch_ms;
    return (struct run_limits){.accesses =
                                   is_rest ? least(accesses, left_ms * ACCESSES_PER_MS) : accesses,
                               .time_ms = scaled(ordinary_ms, slowness),
                               .ordinary_ms = ordinary_ms,
                               .is_rest = is_rest};
}

uint64_t run_accesses_ms(uint64_t accesses) {
    return accesses / ACCESSES_PER_MS;
}

static double now_ns(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

// At least 1.
static double run_slowness(void) {
    double slowest_ns = ORDINARY_NS;
    for (int i = 0; i < TRIES; i++) {
        double begin_ns = now_ns();
        volatile uint64_t result = 1;
        uint64_t chain = result;
        for (int step = 0; step < STEPS; step++) {
            chain =
                (chain ^ chain >> 27) * 0x94d049bb133111ebULL;  // each step needs the one before
        }
        result = chain;
        double taken_ns = now_ns() - begin_ns;
        slowest_ns = taken_ns > slowest_ns ? taken_ns : slowest_ns;
    }
    return slowest_ns / ORDINARY_NS;
}

void run_patience_begin(struct judge_patience *patience) {
    *patience = (struct judge_patience){.slowness = run_slowness()};
}

void run_patience_kernel(struct judge_patience *patience) {
    for (int i = 0; i < DEVICE_KIND_COUNT; i++) {
        patience->kernel_ms[i] = 0;
    }
}

void run_patience_spend(struct judge_patience *patience, enum device_kind device, uint64_t ms) {
    if (patience) {
        patience->kernel_ms[device] += ms;
        patience->grade_ms += ms;
    }
}

void run_limits_write(enum device_kind device, struct size size, const struct run_limits *limits,
                      char *text, size_t text_bytes) {
    char size_text[SIZE_TEXT_MAX];
    double seconds = (double)limits->ordinary_ms / 1e3;
    size_format(size, size_text);
    if (device == DEVICE_GPU && limits->is_rest) {
        words_sentence(text, text_bytes,
                       "A launch may take %.1f s, which is what the cases before it have left of "
                       "the time for all cases.",
                       seconds);
    } else if (device == DEVICE_GPU) {
        words_sentence(text, text_bytes, "A launch may take %.1f s.", seconds);
    } else if (limits->is_rest) {
        words_sentence(text, text_bytes,
                       "A launch at size %s may take %.1f s of processor time, which is what the "
                       "launches before it have left of the time for all of them.",
                       size_text, seconds);
    } else {
        words_sentence(text, text_bytes,
                       "A launch at size %s may make %llu million loads, stores and barrier "
                       "arrivals, and take %.0f s of an ordinary processor's time.",
                       size_text, (unsigned long long)(limits->accesses / 1000000), seconds);
    }
}
