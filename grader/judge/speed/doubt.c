// Facts, then the estimate: see doubt.h.
#include "judge/speed/doubt.h"

#include <math.h>
#include <stdio.h>

#include "base/compose.h"
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
#define LEAST_MORE       2   // times the reference's, beside its multiplications
#define SPARE_REGISTERS  20  // a kernel needs about so many besides its arrays

// --- Facts -------------------------------------------------------------------

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

// What a thread keeps does not fit into its registers.
static bool registers_short(const struct doubt_request *request, char text[ERROR_TEXT_MAX]) {
    const struct build_report *report = request->report;
    unsigned words = report->local_bytes / (unsigned)sizeof(float);
    if (report->local_name[0] != '\0') {
        words_write(
            text, ERROR_TEXT_MAX,
            _("A GPU cannot keep the array `%s` of each thread in registers, because its index is "
              "known only at run time, or because a function that is not inlined gets its address. "
              "It is in local memory, and counted work does not show how slow that is. The points "
              "for speed stay open until the kernel is graded on a GPU."),
            report->local_name);
    } else if (words > REGISTERS_MAX) {
        words_write(
            text, ERROR_TEXT_MAX,
            _("The arrays and loop variables of each thread have %u words, and a thread has at "
              "most %d registers. The "
              "rest is in local memory, and counted work does not show how slow that is. The "
              "points for speed stay open until the kernel is graded on a GPU."),
            words, REGISTERS_MAX);
    } else if (report->registers_max > 0 && report->registers_max < REGISTERS_MAX / 2 &&
               words + SPARE_REGISTERS > report->registers_max) {
        words_write(
            text, ERROR_TEXT_MAX,
            _("The kernel promises that %u registers per thread are enough, and its arrays and "
              "loop variables alone have %u words. The rest is in local memory, and counted work "
              "does not show how slow "
              "that is. The points for speed stay open until the kernel is graded on a GPU."),
            report->registers_max, words);
    } else {
        return false;
    }
    return true;
}

static bool facts_find(const struct doubt_request *request, char text[ERROR_TEXT_MAX]) {
    const struct build_report *report = request->report;
    const struct counts *counts = request->student->counts;
    const struct counts *reference = request->reference->counts;
    if (registers_short(request, text)) {
        return true;
    }
    if (report->waits_line > 0) {
        words_write(
            text, ERROR_TEXT_MAX,
            _("In line %d, threads wait in a loop for what others store. Counted work does not "
              "show how long they wait on a GPU, where all run at once. The points for speed stay "
              "open until the kernel is graded on a GPU."),
            report->waits_line);
    } else if (reference->flops > 0 && reference->flop_blocks >= reference->blocks &&
               (double)counts->flops < COUNTED_AT_LEAST * (double)reference->flops) {
        words_write(text, ERROR_TEXT_MAX,
                    _("Less than half of the reference's number of floating-point operations was "
                      "counted, so counted work does not show how fast the kernel is. The points "
                      "for speed stay open until the kernel is graded on a GPU."));
    } else if ((double)counts->tensor_flops < COUNTED_AT_LEAST * (double)reference->tensor_flops) {
        words_write(text, ERROR_TEXT_MAX,
                    _("The reference multiplies on tensor cores, and this kernel does not, or does "
                      "less than half of it there. Counted work does not show how much slower that "
                      "is. The points for speed stay open until the kernel is graded on a GPU."));
    } else if ((double)counts->tensor_flops > MORE * (double)reference->tensor_flops &&
               reference->tensor_flops > 0) {
        words_write(
            text, ERROR_TEXT_MAX,
            _("The kernel does %.1f times the reference's work on tensor cores, and counted "
              "loads and stores do not show how long that takes. The points for speed stay "
              "open until the kernel is graded on a GPU."),
            (double)counts->tensor_flops / (double)reference->tensor_flops);
    } else if (loads_ahead(reference) && !loads_ahead(counts) &&
               counts->waits > 2 * reference->waits) {
        words_write(
            text, ERROR_TEXT_MAX,
            _("The reference starts its loads from global memory ahead, and computes in the "
              "meantime. This kernel stores what it loads to shared memory without computing in "
              "between, so its warps wait, and counted work does not show how long. The points for "
              "speed stay open until the kernel is graded on a GPU."));
    } else if (turns_of(counts) > TURNS_MORE * turns_of(reference)) {
        words_write(
            text, ERROR_TEXT_MAX,
            _("Threads of a warp come to the same load or store after different numbers of loop "
              "iterations. A GPU runs such threads one after the other, on average in %.1f turns "
              "instead of one. Counted work does not show how slow that is. The points for speed "
              "stay open until the kernel is graded on a GPU."),
            turns_of(counts));
    } else {
        return false;
    }
    return true;
}

// What the estimate would show of a product.  There is none of other kernels, and none of tensor
// cores: only what is far from any fast kernel counts.
static bool launch_slow(const struct doubt_request *request, char text[ERROR_TEXT_MAX]) {
    const struct counts *counts = request->student->counts;
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
            words_write(text, ERROR_TEXT_MAX,
                        _("At %s the number of the kernel's blocks is %llu, and a large GPU has %d "
                          "SMs, so most of them would be idle. The reference launches %llu blocks. "
                          "The points for speed stay open until the kernel is graded on a GPU."),
                        size, blocks, card->multiprocessors, theirs);
            return true;
        }
    }
    if (counts->barriers > counts_requests(counts) &&
        counts->barriers > BARRIERS_MORE * request->reference->counts->barriers) {
        words_write(text, ERROR_TEXT_MAX,
                    _("Warps wait at barriers %llu times at the counted size, more often than they "
                      "load and store. Those of the reference wait %llu times. Counted work does "
                      "not show how long they wait. The points for speed stay open until the "
                      "kernel is graded on a GPU."),
                    (unsigned long long)counts->barriers,
                    (unsigned long long)request->reference->counts->barriers);
        return true;
    }
    return false;
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

// Facts of a kernel on tensor cores.
static bool tensor_facts(const struct doubt_request *request, char text[ERROR_TEXT_MAX]) {
    const struct counts *mine = request->student->counts;
    const struct counts *theirs = request->reference->counts;
    if (copies_late(mine) && !copies_late(theirs)) {
        words_write(text, ERROR_TEXT_MAX,
                    _("The reference multiplies while copies to shared memory are under way. This "
                      "kernel always waits for its copies before it multiplies again, and counted "
                      "work does not show how long. The points for speed stay open until the "
                      "kernel is graded on a GPU."));
    } else if (multiplies_less(mine, theirs)) {
        words_write(text, ERROR_TEXT_MAX,
                    _("The kernel multiplies in smaller pieces than the reference: it needs %llu "
                      "multiplications of warps on tensor cores. The large pieces take less time "
                      "for the same work, and counted work does not show how much. The points for "
                      "speed stay open until the kernel is graded on a GPU."),
                    (unsigned long long)mine->tensor_calls);
    } else {
        return false;
    }
    return true;
}

// What a kernel takes at least, next to the multiplications on tensor cores.
static bool tensor_slow(const struct doubt_request *request, char text[ERROR_TEXT_MAX]) {
    const struct estimated_kernel *student = request->student;
    const struct estimated_kernel *reference = request->reference;
    const struct least mine = least_of(student->counts, (int)student->shared_bytes);
    const struct least theirs = least_of(reference->counts, (int)reference->shared_bytes);
    double tensor_us = least_tensor_us(reference->counts);
    if (mine.idle_us > tensor_us + LEAST_MORE * theirs.idle_us) {
        words_write(text, ERROR_TEXT_MAX,
                    _("Counted loads and stores are not all that takes time. Threads sleep, wait "
                      "for fences or ask mbarriers so often that this alone is estimated to take "
                      "longer than the multiplications on tensor cores. The points for speed stay "
                      "open until the kernel is graded on a GPU."));
    } else if (mine.instructions_us > tensor_us + LEAST_MORE * theirs.instructions_us) {
        words_write(text, ERROR_TEXT_MAX,
                    _("Counted loads and stores are not all that takes time. Instructions that "
                      "neither load, store nor multiply are estimated to take longer than the "
                      "multiplications on tensor cores: integer arithmetic, iterations of loops, "
                      "divisions, conversions, fences, calls. The points for speed stay open until "
                      "the kernel is graded on a GPU."));
    } else if (mine.copies_us > tensor_us + LEAST_MORE * theirs.copies_us) {
        words_write(text, ERROR_TEXT_MAX,
                    _("Counted loads and stores are not all that takes time. The kernel makes %llu "
                      "bulk copies at the counted size, and the reference %llu. An SM starts them "
                      "one after the other, and that alone is estimated to take longer than the "
                      "multiplications on tensor cores. The points for speed stay open until the "
                      "kernel is graded on a GPU."),
                    (unsigned long long)student->counts->bulk_copies,
                    (unsigned long long)reference->counts->bulk_copies);
    } else if (mine.starts_us > tensor_us + LEAST_MORE * theirs.starts_us) {
        words_write(text, ERROR_TEXT_MAX,
                    _("Counted loads and stores are not all that takes time. At the counted size "
                      "the kernel starts %llu blocks, and the reference %llu. Starting them is "
                      "estimated to take longer than the multiplications on tensor cores. The "
                      "points for speed stay open until the kernel is graded on a GPU."),
                    (unsigned long long)student->counts->blocks,
                    (unsigned long long)reference->counts->blocks);
    } else {
        return false;
    }
    return true;
}

// --- The estimate ------------------------------------------------------------

// Student and reference, estimated at one size.
struct estimated_pair {
    struct size size;
    double ratio;
    struct estimate student, reference;
};

static bool pair_make(const struct doubt_request *request, struct size size,
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

// What the sentences about an estimate say.
struct slower {
    const struct counts *mine, *theirs;
    const struct estimate *student, *reference;
    enum estimate_resource most;  // that takes most of the additional time
    double times;                 // as long as the reference
    char size[SIZE_TEXT_MAX];
};

static bool slower_by_work(const struct slower *slower, char text[ERROR_TEXT_MAX]) {
    const struct counts *mine = slower->mine;
    const struct counts *theirs = slower->theirs;
    bool computes = slower->most == RESOURCE_FMA || slower->most == RESOURCE_ISSUE;
    double operations = theirs->flops > 0 ? (double)mine->flops / (double)theirs->flops : 0.0;
    double slots =
        theirs->flop_slots > 0 ? (double)mine->flop_slots / (double)theirs->flop_slots : 0.0;
    if (slower->most == RESOURCE_OTHERS) {
        words_write(
            text, ERROR_TEXT_MAX,
            _("Counted loads and stores are not all that takes time. At %s the kernel is estimated "
              "to take %.1f times as long as the reference, because of instructions that neither "
              "load nor multiply-add: integer arithmetic, divisions, conversions, fences, calls. "
              "The points for speed stay open until the kernel is graded on a GPU."),
            slower->size, slower->times);
    } else if (computes && operations > MORE) {
        words_write(text, ERROR_TEXT_MAX,
                    _("Counted loads and stores are not all that takes time. At %s the kernel "
                      "is estimated to take %.1f times as long as the reference, because it "
                      "does %.1f times as many floating-point operations. The points for speed "
                      "stay open until the kernel is graded on a GPU."),
                    slower->size, slower->times, operations);
    } else if (computes && slots > MORE) {
        words_write(
            text, ERROR_TEXT_MAX,
            _("Counted loads and stores are not all that takes time. At %s the kernel is estimated "
              "to take %.1f times as long as the reference, because threads idle while others of "
              "their warp compute. Its warps issue %.1f times as many operations. The points for "
              "speed stay open until the kernel is graded on a GPU."),
            slower->size, slower->times, slots);
    } else {
        return false;
    }
    return true;
}

static bool slower_by_launch(const struct slower *slower, char text[ERROR_TEXT_MAX]) {
    const struct estimate *student = slower->student;
    const struct estimate *reference = slower->reference;
    const struct card *card = NULL;
    bool known = card_find(CARD_DEFAULT, &card, NULL) == STATUS_OK;
    if (slower->most == RESOURCE_BLOCKS) {
        words_write(text, ERROR_TEXT_MAX,
                    _("Counted loads and stores are not all that takes time. At %s the kernel "
                      "is estimated to take %.1f times as long as the reference, because it "
                      "starts %.0f blocks. The reference starts %.0f. The points for speed stay "
                      "open until the kernel is graded on a GPU."),
                    slower->size, slower->times, student->blocks, reference->blocks);
    } else if (known && student->blocks < card->multiprocessors &&
               student->blocks < reference->blocks) {
        words_write(text, ERROR_TEXT_MAX,
                    _("Counted loads and stores are not all that takes time. At %s the kernel "
                      "is estimated to take %.1f times as long as the reference, because the "
                      "number of its blocks is %.0f, and a large GPU has %d SMs. The points for "
                      "speed stay open until the kernel is graded on a GPU."),
                    slower->size, slower->times, student->blocks, card->multiprocessors);
    } else if (slower->most == RESOURCE_LATENCY && student->warps < reference->warps) {
        words_write(text, ERROR_TEXT_MAX,
                    _("Counted loads and stores are not all that takes time. At %s the kernel "
                      "is estimated to take %.1f times as long as the reference, because about "
                      "%.0f of its warps compute on an SM at a time, too few to hide the "
                      "latency of memory. The reference has about %.0f. The points for speed "
                      "stay open until the kernel is graded on a GPU."),
                    slower->size, slower->times, student->warps, reference->warps);
    } else {
        return false;
    }
    return true;
}

// Names what takes most of the additional time.
static void slower_write(const struct doubt_request *request, const struct estimated_pair *pair,
                         char text[ERROR_TEXT_MAX]) {
    struct slower slower = {.mine = request->student->counts,
                            .theirs = request->reference->counts,
                            .student = &pair->student,
                            .reference = &pair->reference,
                            .most = RESOURCE_FMA,
                            .times = 1.0 / pair->ratio};
    double more = -INFINITY;
    for (int i = 0; i < RESOURCE_COUNT; i++) {
        double here = pair->student.resource_ms[i] - pair->reference.resource_ms[i];
        slower.most = here > more ? (enum estimate_resource)i : slower.most;
        more = fmax(more, here);
    }
    size_format(pair->size, slower.size);
    bool waits = slower.most == RESOURCE_ISSUE || slower.most == RESOURCE_LATENCY;
    if (waits && (double)slower.mine->barriers > MORE * (double)slower.theirs->barriers) {
        words_write(
            text, ERROR_TEXT_MAX,
            _("Counted loads and stores are not all that takes time. At %s the kernel is estimated "
              "to take %.1f times as long as the reference, because its warps wait at barriers "
              "%llu times at the counted size, those of the reference %llu times. The points for "
              "speed stay open until the kernel is graded on a GPU."),
            slower.size, slower.times, (unsigned long long)slower.mine->barriers,
            (unsigned long long)slower.theirs->barriers);
    } else if (!slower_by_work(&slower, text) && !slower_by_launch(&slower, text)) {
        words_write(
            text, ERROR_TEXT_MAX,
            _("Counted loads and stores are not all that takes time. At %s the kernel is estimated "
              "to take %.1f times as long as the reference, by all its counted work together. The "
              "points for speed stay open until the kernel is graded on a GPU."),
            slower.size, slower.times);
    }
}

static bool plans_are_one(const struct doubt_request *request) {
    bool one = request->student->launch_count == 0 && request->reference->launch_count == 0;
    for (int i = 0; i < request->exercise->timed_count; i++) {
        one &= request->plans->student[i].is_one && request->plans->reference[i].is_one;
    }
    return one;
}

// What the estimated ratios would bring, from 0 to 1, and the pair with the lowest one.  A file
// with several kernels may choose others at other sizes: it is estimated at the counted size.
static double estimated_share(const struct doubt_request *request,
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
        share += asked->weight * doubt_share(asked, ERROR_ALLOWED * pair.ratio);
    }
    return weights > 0.0 ? share / weights : 1.0;
}

double doubt_share(const struct exercise_speed *asked, double ratio) {
    return fmax(0.0, fmin(1.0, (ratio - asked->zero) / (asked->full - asked->zero)));
}

void doubt_find(const struct doubt_request *request, char text[ERROR_TEXT_MAX]) {
    struct estimated_pair worst;
    text[0] = '\0';
    for (int i = 0; i < request->exercise->timed_count; i++) {
        if (!request->plans->student[i].is_valid) {
            char size[SIZE_TEXT_MAX];
            size_format(request->exercise->timed[i].size, size);
            words_write(
                text, ERROR_TEXT_MAX,
                _("On a GPU the kernel is also timed at %s, and there its launch configuration is "
                  "not valid. The points for speed stay open until the kernel is graded on a GPU."),
                size);
            return;
        }
    }
    if (facts_find(request, text)) {
        return;
    }
    if (!request->exercise->signature.is_product) {  // the estimate is a model of products
        bool tensor = request->reference->counts->tensor_flops > 0;
        (void)(launch_slow(request, text) || (tensor && tensor_facts(request, text)) ||
               (tensor && tensor_slow(request, text)));
        return;
    }
    double share = estimated_share(request, &worst);
    if (share < DOUBT_SURE * request->share && share < request->share - DOUBT_LESS) {
        slower_write(request, &worst, text);
    }
}
