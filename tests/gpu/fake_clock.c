// A clock for the judge with fake_cuda.c, preloaded: it advances by the same time at every call,
// however busy the machine is.
#include <time.h>

#define STEP_NS 400000  // more than a launch takes by the simulated GPU's clock

int clock_gettime(clockid_t clock, struct timespec *now) {
    static long long looks;
    long long ns = (__atomic_add_fetch(&looks, 1, __ATOMIC_RELAXED) + clock) * STEP_NS;
    now->tv_sec = ns / 1000000000;
    now->tv_nsec = ns % 1000000000;
    return 0;
}
