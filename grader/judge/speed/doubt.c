// Facts, then the estimate: see doubt.h.
#include "judge/speed/doubt.h"

#include <math.h>
#include <stdio.h>

#include "base/compose.h"
#include "judge/speed/score.h"
#include "measure/estimate.h"
#include "measure/least.h"

#define ERROR_ALLOWED    1.03  // of an estimated ratio
#define AHEAD            8    // barriers for each wait: loads ahead make it wait at the start alone
#define COUNTED_AT_LEAST 0.5  // of the reference's operations
#define MORE             1.5  // times the reference's: named as the cause
#define TURNS_MORE       1.8  // the same, for lanes that take turns; edges of C bring up to 1.74
#define IDLE             2    // times the blocks are fewer than the SMs: most of a card is idle
#define BARRIERS_MORE    4    // times the reference's
#define MMA_FLOP         4096.0  // of m16n8k16
#define SMALLER          0.75
#define LATE_AT_LEAST    2   // waits of a thread: the first one of a tile is always for a copy
#define LEAST_MORE       2   // times the reference's, besides its multiplications
#define SPARE_REGISTERS  20  // a kernel needs about so many besides its arrays

// Writes one reason.
__attribute__((format(printf, 2, 3))) static bool because(char *why, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    words_vwrite(why, ERROR_TEXT_MAX, format, arguments);
    va_end(arguments);
    return true;
}

// --- Facts.  Each reason is a condition and its sentences; the first that holds is given -------

static bool is_not_valid(const struct why_open_request *request, char *why) {
    for (int i = 0; i < request->exercise->timed_count; i++) {
        if (!request->plans->student[i].is_valid) {
            char size[SIZE_TEXT_MAX];
            size_format(request->exercise->timed[i].size, size);
            return because(why,
                           _("On a GPU the kernel is also timed at %s, and there its launch "
                             "configuration is not valid."),
                           size);
        }
    }
    return false;
}

// What a thread keeps does not fit into its registers.
static bool lacks_registers(const struct build_report *report, char *why) {
    unsigned words = report->local_bytes / (unsigned)sizeof(float);
    return (report->local_name[0] != '\0' &&
            because(why,
                    _("A GPU cannot keep the array `%s` of each thread in registers, because its "
                      "index is known only at run time, or because a function that is not inlined "
                      "gets its address. It is in local memory, and counted work does not show how "
                      "slow that is."),
                    report->local_name)) ||
           (words > REGISTERS_MAX &&
            because(why,
                    _("The arrays and loop variables of each thread have %u words, and a thread "
                      "has at most %d registers. The rest is in local memory, and counted work "
                      "does not show how slow that is."),
                    words, REGISTERS_MAX)) ||
           (report->registers_max > 0 && report->registers_max < REGISTERS_MAX / 2 &&
            words + SPARE_REGISTERS > report->registers_max &&
            because(why,
                    _("The kernel promises that %u registers per thread are enough, and its arrays "
                      "and loop variables alone have %u words. The rest is in local memory, and "
                      "counted work does not show how slow that is."),
                    report->registers_max, words));
}

// True if warps go on computing while they load, between one barrier and the next.
static bool loads_ahead(const struct counts *counts) {
    return counts->barriers > 0 && counts->waits * AHEAD < counts->barriers;
}

// How many times a GPU issues a load or store, as lanes that reach it in different iterations of a
// loop do not execute it together.
static double turns_of(const struct counts *counts) {
    uint64_t requests = counts_requests(counts);
    return requests > 0 ? (double)counts->turns / (double)requests : 1.0;
}

static bool works_otherwise(const struct why_open_request *request, char *why) {
    const struct counts *mine = request->student->counts;
    const struct counts *theirs = request->reference->counts;
    const int waits_line = request->report->waits_line;
    const double tensor = (double)theirs->tensor_flops;
    return (waits_line > 0 &&
            because(why,
                    _("In line %d, threads wait in a loop for what others store. Counted work does "
                      "not show how long they wait on a GPU, where all run at once."),
                    waits_line)) ||
           (theirs->flops > 0 && theirs->flop_blocks >= theirs->blocks &&
            (double)mine->flops < COUNTED_AT_LEAST * (double)theirs->flops &&
            because(why,
                    _("Less than half of the reference's number of floating-point operations "
                      "was counted, so counted work does not show how fast the kernel is."))) ||
           ((double)mine->tensor_flops < COUNTED_AT_LEAST * tensor &&
            because(why, _("The reference multiplies on tensor cores, and this kernel does not, or "
                           "does less than half of it there. Counted work does not show how much "
                           "slower that is."))) ||
           (tensor > 0 && (double)mine->tensor_flops > MORE * tensor &&
            because(
                why,
                _("The kernel does %.1f times the reference's work on tensor cores, and counted "
                  "loads and stores do not show how long that takes."),
                (double)mine->tensor_flops / tensor)) ||
           (loads_ahead(theirs) && !loads_ahead(mine) && mine->waits > 2 * theirs->waits &&
            because(why, _("The reference starts its loads from global memory ahead, and computes "
                           "in the meantime. This kernel stores what it loads to shared memory "
                           "without computing in between, so its warps wait, and counted work does "
                           "not show how long."))) ||
           (turns_of(mine) > TURNS_MORE * turns_of(theirs) &&
            because(why,
                    _("Threads of a warp come to the same load or store after different numbers of "
                      "loop iterations. A GPU runs such threads one after the other, on average in "
                      "%.1f turns instead of one. Counted work does not show how slow that is."),
                    turns_of(mine)));
}

// --- Facts of kernels that are no products: there is no estimate of them -------------------------

static bool leaves_sms_idle(const struct why_open_request *request, char *why) {
    const struct card *card = NULL;
    if (card_find(CARD_DEFAULT, &card, NULL)) {
        return false;
    }
    for (int i = 0; i < request->exercise->timed_count; i++) {
        unsigned long long blocks = request->plans->student[i].blocks;
        unsigned long long theirs = request->plans->reference[i].blocks;
        if (IDLE * blocks < (unsigned)card->multiprocessors && IDLE * blocks <= theirs) {
            char size[SIZE_TEXT_MAX];
            size_format(request->exercise->timed[i].size, size);
            return because(why,
                           _("At %s the number of the kernel's blocks is %llu, and a large GPU has "
                             "%d SMs, so most of them would be idle. The reference launches %llu "
                             "blocks."),
                           size, blocks, card->multiprocessors, theirs);
        }
    }
    return false;
}

static bool waits_at_barriers(const struct counts *mine, const struct counts *theirs, char *why) {
    return mine->barriers > counts_requests(mine) &&
           mine->barriers > BARRIERS_MORE * theirs->barriers &&
           because(why,
                   _("Warps wait at barriers %llu times at the counted size, more often than they "
                     "load and store. Those of the reference wait %llu times. Counted work does "
                     "not show how long they wait."),
                   (unsigned long long)mine->barriers, (unsigned long long)theirs->barriers);
}

// True if multiplications on tensor cores are smaller than the reference's, and than 16 x 8 x 16.
static bool multiplies_less(const struct counts *mine, const struct counts *theirs) {
    double of_mine = (double)mine->tensor_flops / fmax(1.0, (double)mine->tensor_calls);
    double of_theirs = (double)theirs->tensor_flops / fmax(1.0, (double)theirs->tensor_calls);
    return mine->tensor_calls > 0 && of_mine < SMALLER * fmin(of_theirs, MMA_FLOP);
}

// True if each thread has waited for copies several times, always without a multiplication since
// they began.
static bool copies_late(const struct counts *counts) {
    return counts->copies_ahead == 0 && counts->copies_awaited > LATE_AT_LEAST * counts->threads;
}

static bool multiplies_otherwise(const struct counts *mine, const struct counts *theirs,
                                 char *why) {
    return (copies_late(mine) && !copies_late(theirs) &&
            because(why, _("The reference multiplies while copies to shared memory are under way. "
                           "This kernel always waits for its copies before it multiplies again, "
                           "and counted work does not show how long."))) ||
           (multiplies_less(mine, theirs) &&
            because(why,
                    _("The kernel multiplies in smaller pieces than the reference: it needs %llu "
                      "multiplications of warps on tensor cores. The large pieces take less time "
                      "for the same work, and counted work does not show how much."),
                    (unsigned long long)mine->tensor_calls));
}

// What a kernel takes at least, next to the multiplications on tensor cores.
static bool takes_longer(const struct why_open_request *request, char *why) {
    const struct estimated_kernel *student = request->student;
    const struct estimated_kernel *reference = request->reference;
    const struct least mine = least_of(student->counts, (int)student->shared_bytes);
    const struct least theirs = least_of(reference->counts, (int)reference->shared_bytes);
    double tensor_us = least_tensor_us(reference->counts);
    return (mine.idle_us > tensor_us + LEAST_MORE * theirs.idle_us &&
            because(why, _("Threads sleep, wait for fences or ask mbarriers so often that this "
                           "alone is estimated to take longer than the multiplications on tensor "
                           "cores."))) ||
           (mine.instructions_us > tensor_us + LEAST_MORE * theirs.instructions_us &&
            because(why, _("Instructions that neither load, store nor multiply are estimated to "
                           "take longer than the multiplications on tensor cores: integer "
                           "arithmetic, iterations of loops, divisions, conversions, fences, "
                           "calls."))) ||
           (mine.copies_us > tensor_us + LEAST_MORE * theirs.copies_us &&
            because(why,
                    _("The kernel makes %llu bulk copies at the counted size, and the reference "
                      "%llu. An SM starts them one after the other, and that alone is estimated to "
                      "take longer than the multiplications on tensor cores."),
                    (unsigned long long)student->counts->bulk_copies,
                    (unsigned long long)reference->counts->bulk_copies)) ||
           (mine.starts_us > tensor_us + LEAST_MORE * theirs.starts_us &&
            because(why,
                    _("At the counted size the kernel starts %llu blocks, and the reference %llu. "
                      "Starting them is estimated to take longer than the multiplications on "
                      "tensor cores."),
                    (unsigned long long)student->counts->blocks,
                    (unsigned long long)reference->counts->blocks));
}

// --- The estimate ------------------------------------------------------------

// Student and reference, estimated at one size.
struct estimated_pair {
    struct size size;
    double ratio;
    struct estimate student, reference;
};

static bool pair_make(const struct why_open_request *request, struct size size,
                      const struct planned_launch *student, const struct planned_launch *reference,
                      struct estimated_pair *ret_pair) {
    const struct card *card = NULL;
    if (card_find(CARD_DEFAULT, &card, NULL)) {
        return false;
    }
    struct estimate_request mine = {
        .card = card,
        .size = size,
        .counted_size = request->asked->size,
        .counts = request->student->counts,
        .shared_bytes = (int)request->student->shared_bytes,
        .blocks = student ? student->blocks : 0,
        .block_threads = student ? student->block_threads : 0,
    };
    struct estimate_request theirs = mine;
    theirs.counts = request->reference->counts;
    theirs.shared_bytes = (int)request->reference->shared_bytes;
    theirs.blocks = reference ? reference->blocks : 0;
    theirs.block_threads = reference ? reference->block_threads : 0;
    ret_pair->size = size;
    if (!estimate_make(&mine, &ret_pair->student) ||
        !estimate_make(&theirs, &ret_pair->reference)) {
        return false;
    }
    ret_pair->ratio = ret_pair->reference.ms / ret_pair->student.ms;
    return true;
}

// What takes most of the additional time.
static enum estimate_resource most_of(const struct estimated_pair *pair) {
    enum estimate_resource most = RESOURCE_FMA;
    double more = -INFINITY;
    for (int i = 0; i < RESOURCE_COUNT; i++) {
        double here = pair->student.resource_ms[i] - pair->reference.resource_ms[i];
        most = here > more ? (enum estimate_resource)i : most;
        more = fmax(more, here);
    }
    return most;
}

// How many times the reference's; 0 if it has none.
static double times_of(uint64_t mine, uint64_t theirs) {
    return theirs > 0 ? (double)mine / (double)theirs : 0.0;
}

static bool slower_by_work(const struct why_open_request *request,
                           const struct estimated_pair *pair, const char *size, double times,
                           char *why) {
    const struct counts *mine = request->student->counts;
    const struct counts *theirs = request->reference->counts;
    const enum estimate_resource most = most_of(pair);
    const bool waits = most == RESOURCE_ISSUE || most == RESOURCE_LATENCY;
    const bool computes = most == RESOURCE_FMA || most == RESOURCE_ISSUE;
    const double operations = times_of(mine->flops, theirs->flops);
    const double slots = times_of(mine->flop_slots, theirs->flop_slots);
    return (waits && (double)mine->barriers > MORE * (double)theirs->barriers &&
            because(why,
                    _("At %s the kernel is estimated to take %.1f times as long as the reference, "
                      "because its warps wait at barriers %llu times at the counted size, those of "
                      "the reference %llu times."),
                    size, times, (unsigned long long)mine->barriers,
                    (unsigned long long)theirs->barriers)) ||
           (most == RESOURCE_OTHERS &&
            because(why,
                    _("At %s the kernel is estimated to take %.1f times as long as the reference, "
                      "because of instructions that neither load nor multiply-add: integer "
                      "arithmetic, divisions, conversions, fences, calls."),
                    size, times)) ||
           (computes && operations > MORE &&
            because(why,
                    _("At %s the kernel is estimated to take %.1f times as long as the reference, "
                      "because it does %.1f times as many floating-point operations."),
                    size, times, operations)) ||
           (computes && slots > MORE &&
            because(why,
                    _("At %s the kernel is estimated to take %.1f times as long as the reference, "
                      "because threads idle while others of their warp compute. Its warps issue "
                      "%.1f times as many operations."),
                    size, times, slots));
}

static bool slower_by_launch(const struct estimated_pair *pair, const char *size, double times,
                             char *why) {
    const struct estimate *mine = &pair->student;
    const struct estimate *theirs = &pair->reference;
    const enum estimate_resource most = most_of(pair);
    const struct card *card = NULL;
    const bool known = card_find(CARD_DEFAULT, &card, NULL) == STATUS_OK;
    return (most == RESOURCE_BLOCKS &&
            because(why,
                    _("At %s the kernel is estimated to take %.1f times as long as the reference, "
                      "because it starts %.0f blocks. The reference starts %.0f."),
                    size, times, mine->blocks, theirs->blocks)) ||
           (known && mine->blocks < card->multiprocessors && mine->blocks < theirs->blocks &&
            because(why,
                    _("At %s the kernel is estimated to take %.1f times as long as the reference, "
                      "because the number of its blocks is %.0f, and a large GPU has %d SMs."),
                    size, times, mine->blocks, card->multiprocessors)) ||
           (most == RESOURCE_LATENCY && mine->warps < theirs->warps &&
            because(why,
                    _("At %s the kernel is estimated to take %.1f times as long as the reference, "
                      "because about %.0f of its warps compute on an SM at a time, too few to hide "
                      "the latency of memory. The reference has about %.0f."),
                    size, times, mine->warps, theirs->warps)) ||
           because(why,
                   _("At %s the kernel is estimated to take %.1f times as long as the reference, "
                     "by all its counted work together."),
                   size, times);
}

static bool plans_are_one(const struct why_open_request *request) {
    bool one = request->student->launch_count == 0 && request->reference->launch_count == 0;
    for (int i = 0; i < request->exercise->timed_count; i++) {
        one &= request->plans->student[i].is_one && request->plans->reference[i].is_one;
    }
    return one;
}

// What the estimated ratios would bring, from 0 to 1, and the pair with the lowest one.  A file
// with several kernels may choose others at other sizes: it is estimated at the counted size.
static double estimated_share(const struct why_open_request *request,
                              struct estimated_pair *ret_worst) {
    const struct exercise *exercise = request->exercise;
    bool scaled = plans_are_one(request) && exercise->timed_count > 0;
    int count = scaled ? exercise->timed_count : 1;
    double share = 0.0;
    double weights = 0.0;
    *ret_worst = (struct estimated_pair){.ratio = INFINITY};
    for (int i = 0; i < count; i++) {
        const struct exercise_speed *asked = scaled ? &exercise->timed[i] : request->asked;
        struct estimated_pair pair;
        if (!pair_make(request, asked->size, scaled ? &request->plans->student[i] : NULL,
                       scaled ? &request->plans->reference[i] : NULL, &pair)) {
            continue;
        }
        if (pair.ratio < ret_worst->ratio) {
            *ret_worst = pair;
        }
        weights += asked->weight;
        share += asked->weight * score_share(asked, ERROR_ALLOWED * pair.ratio);
    }
    return weights > 0.0 ? share / weights : 1.0;
}

static bool is_slower(const struct why_open_request *request, char *why) {
    struct estimated_pair worst;
    char size[SIZE_TEXT_MAX];
    double share = estimated_share(request, &worst);
    if (share >= WHY_OPEN_SURE * request->share || share >= request->share - WHY_OPEN_LESS) {
        return false;
    }
    size_format(worst.size, size);
    return slower_by_work(request, &worst, size, 1.0 / worst.ratio, why) ||
           slower_by_launch(&worst, size, 1.0 / worst.ratio, why);
}

// Facts of a kernel that is no product.  Those of tensor cores are of interest if the reference
// uses them.
static bool other_facts(const struct why_open_request *request, char *why) {
    const struct counts *mine = request->student->counts;
    const struct counts *theirs = request->reference->counts;
    return leaves_sms_idle(request, why) || waits_at_barriers(mine, theirs, why) ||
           (theirs->tensor_flops > 0 && multiplies_otherwise(mine, theirs, why));
}

void why_open_find(const struct why_open_request *request, char text[ERROR_TEXT_MAX]) {
    bool is_product = request->exercise->signature.is_product;
    bool tensor = request->reference->counts->tensor_flops > 0;
    char why[ERROR_TEXT_MAX];
    text[0] = '\0';
    if (is_not_valid(request, text) || lacks_registers(request->report, text) ||
        works_otherwise(request, text) || (!is_product && other_facts(request, text))) {
        return;
    }
    if (is_product ? is_slower(request, why) : tensor && takes_longer(request, why)) {
        words_sentence(text, ERROR_TEXT_MAX,
                       "Counted loads and stores are not all that takes time.");
        words_sentence(text, ERROR_TEXT_MAX, "%s", why);
    }
}
