// Timed launches: a kernel against itself, kernels that are wrong only while they are timed, each
// guard tripped through the real path, and one kernel measured again and again near a threshold.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_rig.h"
#include "judge/speed/timed_size.h"

#define NEEDED_OF_AN_EQUAL (0.98 * 0.97)  // what an equal kernel must reach at the highest `full`
#define GRADES             20
#define LONG_RUNS          6

// Two programs and their workers.
struct duel {
    struct run_program program[PAIRS_SIDES];
    struct run_worker worker[PAIRS_SIDES];
    struct exercise exercise;
};

static bool duel_open(struct rig *rig, const char *exercise, const char *student,
                      struct duel *duel) {
    struct error err = {.text = ""};
    const struct run_program *programs[] = {&duel->program[0], &duel->program[1]};
    char *reference = rig_reference(rig, exercise);
    memset(duel, 0, sizeof *duel);
    duel->exercise.signature = *signature_of_matmul();
    (void)snprintf(duel->exercise.name, sizeof duel->exercise.name, "%s", exercise);
    bool built =
        rig_build(rig, exercise, student ? student : reference, &duel->program[PAIRS_STUDENT]) &&
        rig_build(rig, exercise, reference, &duel->program[PAIRS_REFERENCE]);
    free(reference);
    if (!built) {
        return false;
    }
    rig_check(timed_inputs_build(&rig->machine, programs, PAIRS_SIDES, &err), &err);
    rig_driver_choose();
    for (int side = 0; side < PAIRS_SIDES; side++) {
        run_worker_init(&duel->worker[side], &duel->program[side]);
    }
    return true;
}

static void duel_close(struct duel *duel) {
    for (int side = 0; side < PAIRS_SIDES; side++) {
        run_worker_stop(&duel->worker[side]);
        run_program_done(&duel->program[side]);
    }
}

static void timed_open(struct duel *duel, struct size size, int batch, struct timed_size *timed) {
    struct error err = {.text = ""};
    *timed = (struct timed_size){
        .exercise = &duel->exercise,
        .worker = {&duel->worker[PAIRS_STUDENT], &duel->worker[PAIRS_REFERENCE]}};
    // Fresh inputs, even if the same size is measured again.
    rig_check(seed_fresh(&timed->seed, &err), &err);
    rig_check(timed_size_init(timed, size, batch, &err), &err);
}

static struct pairs_io io_of(const struct rig *rig, struct timed_size *timed) {
    return (struct pairs_io){.context = timed,
                             .least_ms = guard_least_ms(timed->size, false,
                                                        rig->machine.gpu.multiprocessors,
                                                        rig->machine.gpu.clock_khz),
                             .warm_up_ms = 100,
                             .launch = timed_size_launch,
                             .settle = timed_size_settle};
}

static void measure(struct rig *rig, struct duel *duel, struct size size, int batch, double needed,
                    struct pairs_result *ret_result) {
    struct timed_size timed;
    struct error err = {.text = ""};
    timed_open(duel, size, batch, &timed);
    struct pairs_io io = io_of(rig, &timed);
    rig_check(pairs_measure(&io, needed, ret_result, &err), &err);
    timed_size_done(&timed);
}

// --- A kernel against itself --------------------------------------------------------------------

static void pairs_of(struct rig *rig, const char *exercise) {
    static const struct { int n, batch; } sizes[] = {{512, 8}, {1000, 1}, {2048, 1}, {4096, 1}};
    struct duel duel;
    static struct pairs_result result;
    if (!duel_open(rig, exercise, NULL, &duel)) {
        return;
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct size size = {sizes[i].n, sizes[i].n, sizes[i].n};
        double begin = rig_now_ms();
        measure(rig, &duel, size, sizes[i].batch, NEEDED_OF_AN_EQUAL, &result);
        // Only the interval is checked: at 512 two processes can differ by more than a percent.
        bool good = result.right && result.believed && result.decision == STATS_FAST;
        rig_row(rig, good,
                "pairs %-14s %5d ratio %.4f [%.4f, %.4f] n=%d attempts %d, %.4f ms and %.4f ms, "
                "%.1f s %s",
                exercise, sizes[i].n, result.ratio, result.low, result.high, result.pairs,
                result.attempts, result.student_ms, result.reference_ms,
                (rig_now_ms() - begin) / 1e3, result.doubt);
    }
    duel_close(&duel);
}

void check_pairs(struct rig *rig) {
    pairs_of(rig, "naive");
    pairs_of(rig, "tiled");
    pairs_of(rig, "register_tiled");
}

// --- Wrong only while timed ---------------------------------------------------------------------

// A copy of the reference with a statement put at the start of its kernel.
static char *with_statement(const struct rig *rig, const char *exercise, const char *statement) {
    char *text = rig_reference(rig, exercise);
    char *changed = calloc(1, strlen(text) + strlen(statement) + 8);
    char *head = strstr(text, "__global__");
    char *body = head ? strchr(head, '{') : NULL;
    if (!changed || !body) {
        fprintf(stderr, "gpu_check: reference/%s.cu has no kernel\n", exercise);
        exit(3);
    }
    (void)sprintf(changed, "%.*s\n%s\n%s", (int)(body + 1 - text), text, statement, body + 1);
    free(text);
    return changed;
}

static const struct cheat {
    const char *name, *statement;
    enum verdict verdict;
} cheats[] = {
    {"leaves at the timed size", "if (M == 1000) return;", VERDICT_NOT_WRITTEN},
    {"leaves one element out", "if (M == 1000 && K == 1000) { K = K - 1; }", VERDICT_WRONG_RESULT},
    {"writes to A",
     "if (threadIdx.x + blockIdx.x + blockIdx.y == 0) ((float *)A)[M * K - 1] = 1.5f;",
     VERDICT_INPUTS_CHANGED},
    {"writes past C", "if (threadIdx.x + blockIdx.x + blockIdx.y == 0) C[M * N] = 1.0f;",
     VERDICT_OUT_OF_BOUNDS},
};

void check_cheats(struct rig *rig) {
    for (size_t i = 0; i < sizeof cheats / sizeof *cheats; i++) {
        struct duel duel;
        struct timed_size timed;
        static struct pairs_result result;
        struct error err = {.text = ""};
        char *text = with_statement(rig, "naive", cheats[i].statement);
        bool open = duel_open(rig, "naive", text, &duel);
        free(text);
        if (!open) {
            continue;
        }
        timed_open(&duel, (struct size){1000, 1000, 1000}, 1, &timed);
        struct pairs_io io = io_of(rig, &timed);
        rig_check(pairs_measure(&io, NEEDED_OF_AN_EQUAL, &result, &err), &err);
        bool good =
            !result.right && timed.wrong && timed.wrong_launch.outcome.verdict == cheats[i].verdict;
        rig_row(rig, good, "cheat %-26s %s: %.100s", cheats[i].name,
                timed.wrong ? verdict_name(timed.wrong_launch.outcome.verdict) : "not seen",
                timed.wrong ? timed.wrong_launch.outcome.text : "");
        timed_size_done(&timed);
        duel_close(&duel);
    }
}

// --- Guards -------------------------------------------------------------------------------------

// Changes the true sample of one launch.
enum fault {
    FAULT_NONE,
    FAULT_TOO_FAST,
    FAULT_EVENTS_CLAIM_MORE,
    FAULT_EVENTS_CLAIM_LESS,
    FAULT_WORK_BESIDE,
    FAULT_DRIFT,
    FAULT_NOISE,
    FAULT_HEAT,
    FAULT_COUNT
};

static const struct {
    const char *name, *words;
} faults[FAULT_COUNT] = {
    [FAULT_NONE] = {"none", ""},
    [FAULT_TOO_FAST] = {"faster than the GPU", "no GPU of this kind"},
    [FAULT_EVENTS_CLAIM_MORE] = {"events claim more", "had passed"},
    [FAULT_EVENTS_CLAIM_LESS] = {"events claim less", "beyond what the GPU's clock says"},
    [FAULT_WORK_BESIDE] = {"work beside the launch", "inputs and outputs"},
    [FAULT_DRIFT] = {"the reference drifts", "alone, but"},
    [FAULT_NOISE] = {"noise", "too noisy"},
    [FAULT_HEAT] = {"heat", "slowed down"},
};

struct faulty {
    struct timed_size *timed;
    enum fault fault;
    int launches;
};

static enum status faulty_launch(void *context, enum pairs_side side, int pair,
                                 struct pairs_sample *ret_sample, struct error *err) {
    struct faulty *faulty = context;
    enum status status = timed_size_launch(faulty->timed, side, pair, ret_sample, err);
    bool student = side == PAIRS_STUDENT;
    bool alone = faulty->launches++ % 1000 < 6;  // roughly while it calibrates
    ret_sample->event_ms *= faulty->fault == FAULT_TOO_FAST && student ? 0.01 : 1.0;
    ret_sample->event_ms *= faulty->fault == FAULT_DRIFT && !student && !alone ? 1.2 : 1.0;
    ret_sample->wall_ms += faulty->fault == FAULT_DRIFT || faulty->fault == FAULT_NOISE ? 5.0 : 0.0;
    ret_sample->event_ms *= faulty->fault == FAULT_NOISE && student && pair % 2 == 0 ? 1.3 : 1.0;
    ret_sample->event_ms *= faulty->fault == FAULT_NOISE && !student && pair % 4 == 0 ? 1.1 : 1.0;
    ret_sample->wall_ms *= faulty->fault == FAULT_EVENTS_CLAIM_MORE && student ? 0.1 : 1.0;
    ret_sample->wall_ms += faulty->fault == FAULT_EVENTS_CLAIM_LESS && student ? 2.0 : 0.0;
    ret_sample->beside_ms += faulty->fault == FAULT_WORK_BESIDE && student ? 10.0 : 0.0;
    ret_sample->state.reasons |=
        faulty->fault == FAULT_HEAT && !student ? GPU_REASON_HW_THERMAL : 0;
    return status;
}

static enum status faulty_settle(void *context, bool *ret_right, struct error *err) {
    struct faulty *faulty = context;
    faulty->launches = 0;  // the next attempt begins
    return timed_size_settle(faulty->timed, ret_right, err);
}

void check_guards(struct rig *rig) {
    struct duel duel;
    static struct pairs_result result;
    if (!duel_open(rig, "tiled", NULL, &duel)) {
        return;
    }
    for (int fault = 0; fault < FAULT_COUNT; fault++) {
        struct timed_size timed;
        struct error err = {.text = ""};
        timed_open(&duel, (struct size){1000, 1000, 1000}, 1, &timed);
        struct faulty faulty = {.timed = &timed, .fault = (enum fault)fault};
        struct pairs_io io = io_of(rig, &timed);
        io.context = &faulty;
        io.launch = faulty_launch;
        io.settle = faulty_settle;
        io.warm_up_ms = 0;
        rig_check(pairs_measure(&io, NEEDED_OF_AN_EQUAL, &result, &err), &err);
        bool good = fault == FAULT_NONE ? result.believed
                                        : !result.believed && result.attempts == PAIRS_ATTEMPTS &&
                                              strstr(result.doubt, faults[fault].words) != NULL;
        rig_row(rig, good, "guard %-23s believed %d after %d: %s", faults[fault].name,
                result.believed, result.attempts, result.doubt);
        timed_size_done(&timed);
    }
    duel_close(&duel);
}

// --- Integers and real numbers ------------------------------------------------------------------

#define INPUTS_PAIRS 24  // half of them with real inputs

// The reference of one exercise, under the name of another.
static char *as_kernel_of(const struct rig *rig, const char *from, const char *exercise) {
    char old_name[2 * NAME_BYTES_MAX];
    char new_name[2 * NAME_BYTES_MAX];
    char *text = rig_reference(rig, from);
    char *changed = calloc(1, 2 * strlen(text) + 1);
    (void)snprintf(old_name, sizeof old_name, "matmul_%s", from);
    (void)snprintf(new_name, sizeof new_name, "matmul_%s", exercise);
    const char *at = text;
    for (const char *next = NULL; changed && (next = strstr(at, old_name)) != NULL;) {
        (void)strncat(changed, at, (size_t)(next - at));
        (void)strcat(changed, new_name);
        at = next + strlen(old_name);
    }
    (void)strcat(changed, at);
    free(text);
    return changed;
}

// Medians of one kind of inputs.
struct kind_times {
    double ratio, student_ms, reference_ms, watts;
};

static struct kind_times times_of(const struct pairs_sample samples[][PAIRS_SIDES], bool real) {
    double ratio[INPUTS_PAIRS], student[INPUTS_PAIRS], reference[INPUTS_PAIRS], watts[INPUTS_PAIRS];
    int count = 0;
    for (int pair = 0; pair < INPUTS_PAIRS; pair++) {
        if (pairs_is_real(pair) == real) {
            student[count] = samples[pair][PAIRS_STUDENT].event_ms;
            reference[count] = samples[pair][PAIRS_REFERENCE].event_ms;
            watts[count] = samples[pair][PAIRS_REFERENCE].state.milliwatts / 1e3;
            ratio[count] = reference[count] / student[count];
            count++;
        }
    }
    return (struct kind_times){stats_median(ratio, count), stats_median(student, count),
                               stats_median(reference, count), stats_median(watts, count)};
}

// How far apart the two kinds of inputs are for honest kernels: the draw of power differs, and with
// it the clock.
static void inputs_of(struct rig *rig, const char *student, const char *exercise, int n) {
    static struct pairs_sample samples[INPUTS_PAIRS][PAIRS_SIDES];
    struct duel duel;
    struct timed_size timed;
    struct error err = {.text = ""};
    bool right = true;
    char *text = as_kernel_of(rig, student, exercise);
    bool open = duel_open(rig, exercise, text, &duel);
    free(text);
    if (!open) {
        return;
    }
    timed_open(&duel, (struct size){n, n, n}, 1, &timed);
    for (int warm = 0; warm < 2; warm++) {
        for (int pair = 0; pair < (warm ? INPUTS_PAIRS : 4); pair++) {
            for (int i = 0; i < PAIRS_SIDES; i++) {
                enum pairs_side side = (enum pairs_side)((pair + i) % PAIRS_SIDES);
                rig_check(timed_size_launch(&timed, side, warm ? pair : 1000 + pair,
                                            &samples[pair][side], &err),
                          &err);
            }
        }
    }
    rig_check(timed_size_settle(&timed, &right, &err), &err);
    struct kind_times exact = times_of((const struct pairs_sample(*)[PAIRS_SIDES])samples, false);
    struct kind_times real = times_of((const struct pairs_sample(*)[PAIRS_SIDES])samples, true);
    double apart = fabs(real.ratio / exact.ratio - 1.0);
    rig_row(rig, right && apart < GUARD_INPUTS_MAX,
            "inputs %-14s to %-14s %5d ratio %.4f on integers, %.4f on real numbers; %.4f and "
            "%.4f ms (%+.2f %%), the reference %+.2f %%; %.0f and %.0f W",
            student, exercise, n, exact.ratio, real.ratio, exact.student_ms, real.student_ms,
            100 * (real.student_ms / exact.student_ms - 1.0),
            100 * (real.reference_ms / exact.reference_ms - 1.0), exact.watts, real.watts);
    timed_size_done(&timed);
    duel_close(&duel);
}

void check_inputs(struct rig *rig) {
    static const char *const duels[][2] = {{"naive", "naive"},
                                           {"tiled", "tiled"},
                                           {"register_tiled", "register_tiled"},
                                           {"double_buffered", "double_buffered"},
                                           {"naive", "double_buffered"},
                                           {"double_buffered", "naive"},
                                           {"tiled", "double_buffered"}};
    static const int sizes[] = {1000, 2048, 4096};
    for (size_t d = 0; d < sizeof duels / sizeof *duels; d++) {
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            inputs_of(rig, duels[d][0], duels[d][1], sizes[i]);
        }
    }
}

// --- Near a threshold ---------------------------------------------------------------------------

static int by_value(const void *left, const void *right) {
    double a = *(const double *)left;
    double b = *(const double *)right;
    return (a > b) - (a < b);
}

// The median of many ratios of one kernel.
static double long_run(struct rig *rig, struct duel *duel, struct size size) {
    static double ratios[LONG_RUNS * STATS_SAMPLES_MAX];
    static struct pairs_result result;
    double needed = NEEDED_OF_AN_EQUAL;
    int count = 0;
    for (int i = 0; i < LONG_RUNS; i++) {
        measure(rig, duel, size, 1, needed, &result);
        for (int k = 0; k < result.pairs; k++) {
            ratios[count++] = result.reference[k].event_ms / result.student[k].event_ms;
        }
        needed = result.ratio;  // right at the threshold, so that the next run takes all its pairs
    }
    qsort(ratios, (size_t)count, sizeof *ratios, by_value);
    return ratios[count / 2];
}

void check_threshold(struct rig *rig) {
    static const double places[] = {0.98, 0.995, 1.0, 1.005, 1.02};
    static struct pairs_result result;
    const struct size size = {2048, 2048, 2048};
    struct duel duel;
    char *text = with_statement(rig, "register_tiled", "__nanosleep(2000);");
    bool open = duel_open(rig, "register_tiled", text, &duel);
    free(text);
    if (!open) {
        return;
    }
    double truth = long_run(rig, &duel, size);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        int counts[STATS_MARGINAL + 1] = {0};
        int covered = 0;
        int pairs = 0;
        for (int grade = 0; grade < GRADES; grade++) {
            measure(rig, &duel, size, 1, truth / places[i], &result);
            counts[result.decision]++;
            covered += result.low <= truth && truth <= result.high;
            pairs += result.pairs;
        }
        bool good = (counts[STATS_FAST] == 0 || counts[STATS_SLOW] == 0) && covered >= GRADES - 1;
        rig_row(rig, good,
                "threshold: a kernel at %.3f of it (long-run ratio %.4f): fast %d, marginal %d, "
                "slow %d of %d grades; the interval holds the ratio in %d; %d pairs in the mean",
                places[i], truth, counts[STATS_FAST], counts[STATS_MARGINAL], counts[STATS_SLOW],
                GRADES, covered, pairs / GRADES);
    }
    duel_close(&duel);
}

// --- Times, for comparing with Nsight Compute ---------------------------------------------------

void check_times(struct rig *rig) {
    static const int sizes[] = {256, 512, 1000, 2048, 4096};
    static const char *const exercises[] = {"naive", "tiled", "register_tiled"};
    static struct pairs_result result;
    for (size_t e = 0; e < sizeof exercises / sizeof *exercises; e++) {
        struct duel duel;
        if (!duel_open(rig, exercises[e], NULL, &duel)) {
            continue;
        }
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            struct size size = {sizes[i], sizes[i], sizes[i]};
            measure(rig, &duel, size, 1, NEEDED_OF_AN_EQUAL, &result);
            printf("time %s %d %.6f\n", exercises[e], sizes[i], result.student_ms);
        }
        duel_close(&duel);
    }
}
