// Looks at facts first, then at the estimate: see why_open.h.
#include "judge/speed/why_open.h"

#include <math.h>
#include <stdio.h>

#include "base/basics.h"
#include "base/compose.h"
#include "judge/model/points.h"
#include "measure/estimate.h"

#define ERROR_ALLOWED    1.03    // of an estimated ratio
#define AHEAD            8       // barriers per wait: with loads ahead it waits only at the start
#define COUNTED_AT_LEAST 0.5     // part of the reference's operations
#define MORE             1.5     // times the reference's: named as the cause
#define TURNS_MORE       1.8     // the same, for lanes that take turns; edges of C give up to 1.74
#define IDLE             2       // times fewer blocks than SMs: most of the GPU is idle
#define BARRIERS_MORE    4       // times the reference's
#define MMA_FLOP         4096.0  // of m16n8k16
#define SMALLER          0.75
#define LATE_AT_LEAST    2   // waits of a thread: the first one of a tile is always for a copy
#define LEAST_MORE       2   // times the reference's work apart from multiplications
#define SPARE_REGISTERS  20  // a kernel needs about this many in addition to its arrays

// A reason for the student, if it holds.
struct reason {
    bool holds;
    const char *why;
};

// Writes the first reason that holds.
static bool reason_write(const struct reason *reasons, size_t count,
                         const struct words_named *values, size_t value_count, char *why) {
    for (size_t i = 0; i < count; i++) {
        if (reasons[i].holds) {
            words_fill(why, ERROR_TEXT_MAX, reasons[i].why, values, value_count);
            return true;
        }
    }
    return false;
}

struct decimal {
    char text[32];
};

static struct decimal decimal_of(double number, int places) {
    struct decimal decimal;
    (void)snprintf(decimal.text, sizeof decimal.text, "%.*f", places, number);
    return decimal;
}

// The ratio; 0 if there is nothing to compare with.
static double times_of(uint64_t mine, uint64_t theirs) {
    return theirs > 0 ? (double)mine / (double)theirs : 0.0;
}

// --- Facts -------------------------------------------------------------------

// A plan that was asked for and has no answer: one that is not valid is a mistake.
static bool has_no_launch(const struct why_open_request *request, char *why) {
    for (int i = 0; i < request->exercise->timed_count; i++) {
        if (!request->plans->student[i].is_valid) {
            char size[SIZE_TEXT_MAX];
            size_format(request->exercise->timed[i].size, size);
            words_write(why, ERROR_TEXT_MAX,
                        "On a GPU the kernel is also timed at %s, and its launch configuration "
                        "gave no valid launch there.",
                        size);
            return true;
        }
    }
    return false;
}

// The values that a thread keeps do not fit into its registers.
static bool lacks_registers(const struct build_report *report, char *why) {
    const unsigned words = report->local_bytes / (unsigned)sizeof(float);
    const struct words_named values[] = {{.name = "array", .text = report->local_name},
                                         {.name = "words", .number = words},
                                         {.name = "most", .number = REGISTERS_MAX},
                                         {.name = "registers", .number = report->registers_max}};
    const struct reason reasons[] = {
        {report->local_name[0] != '\0',
         _("A GPU cannot keep the array `{array}` of each thread in registers, because its index "
           "is known only at run time, or because a function that is not inlined gets its address. "
           "It is in local memory, and counted work does not show how slow that is.")},
        {words > REGISTERS_MAX,
         _("The arrays and loop variables of each thread have {words} words, and a thread has at "
           "most {most} registers. The rest is in local memory, and counted work does not show how "
           "slow that is.")},
        {report->registers_max > 0 && report->registers_max < REGISTERS_MAX / 2 &&
             words + SPARE_REGISTERS > report->registers_max,
         _("The kernel promises that {registers} registers per thread are enough, and its arrays "
           "and loop variables alone have {words} words. The rest is in local memory, and counted "
           "work does not show how slow that is.")},
    };
    return reason_write(reasons, COUNT(reasons), values, COUNT(values), why);
}

// The threads of a block keep more values than an SM has registers.  Without a promise the compiler
// does not know the number of threads, so a GPU may refuse the launch.
static bool block_lacks_registers(const struct why_open_request *request, char *why) {
    const struct build_report *report = request->report;
    const unsigned words = report->local_bytes / (unsigned)sizeof(float);
    const unsigned most = REGISTERS_MAX - SPARE_REGISTERS;
    const unsigned registers = (words < most ? words : most) + SPARE_REGISTERS;
    for (int i = 0; i < request->exercise->timed_count && words > 0; i++) {
        const struct planned_launch *plan = &request->plans->student[i];
        if (plan->is_one && report->threads_max == 0 && report->registers_max == 0 &&
            registers * (unsigned)plan->block_threads > REGISTERS_OF_SM) {
            words_write(why, ERROR_TEXT_MAX,
                        "The arrays and loop variables of each thread have %u words, a block has "
                        "%d threads, and an SM has %d registers for all of them. A GPU may not be "
                        "able to launch the kernel: `__launch_bounds__` tells the compiler how "
                        "many threads there are.",
                        words, plan->block_threads, REGISTERS_OF_SM);
            return true;
        }
    }
    return false;
}

// True if warps continue to compute while they load, between one barrier and the next.
static bool loads_ahead(const struct counts *counts) {
    return counts->barriers > 0 && counts->waits * AHEAD < counts->barriers;
}

// How often a GPU issues a load or store: lanes that reach it in different iterations of a loop do
// not execute it together.
static double turns_of(const struct counts *counts) {
    uint64_t requests = counts_requests(counts);
    return requests > 0 ? (double)counts->turns / (double)requests : 1.0;
}

static bool works_otherwise(const struct why_open_request *request, char *why) {
    const struct counts *mine = request->student->counts;
    const struct counts *theirs = request->reference->counts;
    const double tensor = (double)theirs->tensor_flops;
    const struct decimal times = decimal_of(times_of(mine->tensor_flops, theirs->tensor_flops), 1);
    const struct decimal turns = decimal_of(turns_of(mine), 1);
    const struct words_named values[] = {{.name = "line", .number = request->report->waits_line},
                                         {.name = "times", .text = times.text},
                                         {.name = "turns", .text = turns.text}};
    const struct reason reasons[] = {
        {request->report->waits_line > 0,
         _("In line {line}, threads wait in a loop for what others store. Counted work does not "
           "show how long they wait on a GPU, where all run at once.")},
        {theirs->flops > 0 && theirs->flop_blocks >= theirs->blocks &&
             (double)mine->flops < COUNTED_AT_LEAST * (double)theirs->flops,
         _("Less than half of the reference's number of floating-point operations was counted, so "
           "counted work does not show how fast the kernel is.")},
        {(double)mine->tensor_flops < COUNTED_AT_LEAST * tensor,
         _("The reference multiplies on tensor cores, and this kernel does not, or does less than "
           "half of it there. Counted work does not show how much slower that is.")},
        {tensor > 0 && (double)mine->tensor_flops > MORE * tensor,
         _("The kernel does {times} times the reference's work on tensor cores, and counted loads "
           "and stores do not show how long that takes.")},
        {loads_ahead(theirs) && !loads_ahead(mine) && mine->waits > 2 * theirs->waits,
         _("The reference starts its loads from global memory ahead, and computes in the meantime. "
           "This kernel stores what it loads to shared memory without computing in between, so its "
           "warps wait, and counted work does not show how long.")},
        {turns_of(mine) > TURNS_MORE * turns_of(theirs),
         _("Threads of a warp come to the same load or store after different numbers of loop "
           "iterations. A GPU runs such threads one after the other, on average in {turns} turns "
           "instead of one. Counted work does not show how slow that is.")},
    };
    return reason_write(reasons, COUNT(reasons), values, COUNT(values), why);
}

// --- Facts of kernels on tensor cores: there is no estimate of them ------------------------------

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
            words_write(why, ERROR_TEXT_MAX,
                        "At %s the number of the kernel's blocks is %llu, and a large GPU has %d "
                        "SMs, so most of them would be idle. The reference launches %llu blocks.",
                        size, blocks, card->multiprocessors, theirs);
            return true;
        }
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

static bool other_facts(const struct counts *mine, const struct counts *theirs, char *why) {
    const struct words_named values[] = {
        {.name = "barriers", .number = (long long)mine->barriers},
        {.name = "reference_barriers", .number = (long long)theirs->barriers},
        {.name = "multiplications", .number = (long long)mine->tensor_calls}};
    const struct reason reasons[] = {
        {mine->barriers > counts_requests(mine) &&
             mine->barriers > BARRIERS_MORE * theirs->barriers,
         _("Warps wait at barriers {barriers} times at the counted size, more often than they load "
           "and store. Those of the reference wait {reference_barriers} times. Counted work does "
           "not show how long they wait.")},
        {copies_late(mine) && !copies_late(theirs),
         _("The reference multiplies while copies to shared memory are under way. This kernel "
           "always waits for its copies before it multiplies again, and counted work does not show "
           "how long.")},
        {multiplies_less(mine, theirs),
         _("The kernel multiplies in smaller pieces than the reference: it needs {multiplications} "
           "multiplications of warps on tensor cores. The large pieces take less time for the same "
           "work, and counted work does not show how much.")},
    };
    return reason_write(reasons, COUNT(reasons), values, COUNT(values), why);
}

// The minimum time of a kernel, apart from the multiplications on tensor cores.
static bool takes_longer(const struct why_open_request *request, char *why) {
    const struct estimated_kernel *student = request->student;
    const struct estimated_kernel *reference = request->reference;
    const struct counts *ours = reference->counts;
    const struct least mine = least_of(student->counts, (int)student->shared_bytes);
    const struct least theirs = least_of(ours, (int)reference->shared_bytes);
    const double tensor_us = least_tensor_us(ours);
    const struct words_named values[] = {
        {.name = "copies", .number = (long long)student->counts->bulk_copies},
        {.name = "reference_copies", .number = (long long)ours->bulk_copies},
        {.name = "blocks", .number = (long long)student->counts->blocks},
        {.name = "reference_blocks", .number = (long long)ours->blocks}};
    const struct reason reasons[] = {
        {mine.idle_us > tensor_us + LEAST_MORE * theirs.idle_us,
         _("Threads sleep, wait for fences or ask mbarriers so often that this alone is estimated "
           "to take longer than the multiplications on tensor cores.")},
        {mine.instructions_us > tensor_us + LEAST_MORE * theirs.instructions_us,
         _("Instructions that neither load, store nor multiply are estimated to take longer than "
           "the multiplications on tensor cores: integer arithmetic, iterations of loops, "
           "divisions, conversions, fences, calls.")},
        {mine.copies_us > tensor_us + LEAST_MORE * theirs.copies_us,
         _("The kernel makes {copies} bulk copies at the counted size, and the reference "
           "{reference_copies}. An SM starts them one after the other, and that alone is estimated "
           "to take longer than the multiplications on tensor cores.")},
        {mine.starts_us > tensor_us + LEAST_MORE * theirs.starts_us,
         _("At the counted size the kernel starts {blocks} blocks, and the reference "
           "{reference_blocks}. Starting them is estimated to take longer than the multiplications "
           "on tensor cores.")},
    };
    return reason_write(reasons, COUNT(reasons), values, COUNT(values), why);
}

// --- The estimate ------------------------------------------------------------

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

// The cause of most of the additional time.
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

// Barriers are the cause only if they are more at the counted size and at the estimated one.
static bool waits_more(const struct estimated_pair *pair, const struct counts *mine,
                       const struct counts *theirs) {
    const enum estimate_resource most = most_of(pair);
    return (most == RESOURCE_ISSUE || most == RESOURCE_LATENCY) &&
           (double)mine->barriers > MORE * (double)theirs->barriers &&
           pair->student.barriers > MORE * pair->reference.barriers;
}

// Names the cause of most of the additional time.
static void slower_write(const struct estimated_pair *pair, const struct counts *mine,
                         const struct counts *theirs, char *why) {
    const struct card *card = NULL;
    int multiprocessors = card_find(CARD_DEFAULT, &card, NULL) ? 0 : card->multiprocessors;
    const struct estimate *student = &pair->student;
    const struct estimate *reference = &pair->reference;
    const enum estimate_resource most = most_of(pair);
    const bool computes = most == RESOURCE_FMA || most == RESOURCE_ISSUE;
    const double more_flops = times_of(mine->flops, theirs->flops);
    const double more_slots = times_of(mine->flop_slots, theirs->flop_slots);
    const struct decimal times = decimal_of(1.0 / pair->ratio, 1);
    const struct decimal flops = decimal_of(more_flops, 1);
    const struct decimal slots = decimal_of(more_slots, 1);
    const struct decimal warps = decimal_of(student->warps, 0);
    const struct decimal reference_warps = decimal_of(reference->warps, 0);
    char size[SIZE_TEXT_MAX];
    size_format(pair->size, size);
    const struct words_named values[] = {
        {.name = "size", .text = size},
        {.name = "times", .text = times.text},
        {.name = "barriers", .number = (long long)mine->barriers},
        {.name = "reference_barriers", .number = (long long)theirs->barriers},
        {.name = "operations", .text = flops.text},
        {.name = "issued", .text = slots.text},
        {.name = "blocks", .number = (long long)student->blocks},
        {.name = "reference_blocks", .number = (long long)reference->blocks},
        {.name = "sms", .number = multiprocessors},
        {.name = "warps", .text = warps.text},
        {.name = "reference_warps", .text = reference_warps.text}};
    const struct reason reasons[] = {
        {waits_more(pair, mine, theirs),
         _("At {size} the kernel is estimated to take {times} times as long as the reference, "
           "because its warps wait at barriers {barriers} times at the counted size, those of the "
           "reference {reference_barriers} times.")},
        {most == RESOURCE_OTHERS,
         _("At {size} the kernel is estimated to take {times} times as long as the reference, "
           "because of instructions that neither load nor multiply-add: integer arithmetic, "
           "divisions, conversions, fences, calls.")},
        {computes && more_flops > MORE,
         _("At {size} the kernel is estimated to take {times} times as long as the reference, "
           "because it does {operations} times as many floating-point operations.")},
        {computes && more_slots > MORE,
         _("At {size} the kernel is estimated to take {times} times as long as the reference, "
           "because threads idle while others of their warp compute. Its warps issue {issued} "
           "times as many operations.")},
        {most == RESOURCE_BLOCKS,
         _("At {size} the kernel is estimated to take {times} times as long as the reference, "
           "because it starts {blocks} blocks. The reference starts {reference_blocks}.")},
        {student->blocks < multiprocessors && student->blocks < reference->blocks,
         _("At {size} the kernel is estimated to take {times} times as long as the reference, "
           "because the number of its blocks is {blocks}, and a large GPU has {sms} SMs.")},
        {most == RESOURCE_LATENCY && student->warps < reference->warps,
         _("At {size} the kernel is estimated to take {times} times as long as the reference, "
           "because about {warps} of its warps compute on an SM at a time, too few to hide the "
           "latency of memory. The reference has about {reference_warps}.")},
        {true, _("At {size} the kernel is estimated to take {times} times as long as the "
                 "reference, by all its counted work together.")},
    };
    (void)reason_write(reasons, COUNT(reasons), values, COUNT(values), why);
}

void why_slower(const struct estimated_pair *pair, const struct counts *mine,
                const struct counts *theirs, char text[ERROR_TEXT_MAX]) {
    const enum estimate_resource most = most_of(pair);
    const uint64_t passes = counted_work(mine, COUNTED_WAVEFRONTS);
    const uint64_t reference_passes = counted_work(theirs, COUNTED_WAVEFRONTS);
    const uint64_t sectors = counted_work(mine, COUNTED_SECTORS);
    const uint64_t reference_sectors = counted_work(theirs, COUNTED_SECTORS);
    const bool global = most == RESOURCE_L1 || most == RESOURCE_L2 || most == RESOURCE_LATENCY;
    const struct decimal times = decimal_of(1.0 / pair->ratio, 1);
    char size[SIZE_TEXT_MAX];
    size_format(pair->size, size);
    const struct words_named values[] = {
        {.name = "size", .text = size},
        {.name = "times", .text = times.text},
        {.name = "passes", .number = (long long)passes},
        {.name = "reference_passes", .number = (long long)reference_passes},
        {.name = "sectors", .number = (long long)sectors},
        {.name = "reference_sectors", .number = (long long)reference_sectors},
        {.name = "atomics", .number = (long long)mine->global_atomic_sectors},
        {.name = "reference_atomics", .number = (long long)theirs->global_atomic_sectors}};
    const struct reason reasons[] = {
        {most == RESOURCE_ATOMICS,
         _("At {size} the kernel is estimated to take {times} times as long as the reference, "
           "because atomic operations on one address take place one after the other. At the "
           "counted size it does {atomics} of them, and the reference {reference_atomics}.")},
        {most == RESOURCE_L1 && (double)passes > MORE * (double)reference_passes,
         _("At {size} the kernel is estimated to take {times} times as long as the reference, "
           "because of {passes} passes of shared memory at the counted size. The reference needs "
           "{reference_passes}.")},
        {global && (double)sectors > MORE * (double)reference_sectors,
         _("At {size} the kernel is estimated to take {times} times as long as the reference, "
           "because it loads and stores {sectors} sectors of global memory at the counted size. "
           "The reference needs {reference_sectors}.")},
    };
    if (!reason_write(reasons, COUNT(reasons), values, COUNT(values), text)) {
        slower_write(pair, mine, theirs, text);
    }
}

static bool plans_are_one(const struct why_open_request *request) {
    bool one = request->student->launch_count == 0 && request->reference->launch_count == 0;
    for (int i = 0; i < request->exercise->timed_count; i++) {
        one &= request->plans->student[i].is_one && request->plans->reference[i].is_one;
    }
    return one;
}

// The share of points for the estimated ratios, from 0 to 1, and the pair with the lowest one.  A
// file with several kernels may choose others at other sizes: it is estimated at the counted size.
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
    double share = estimated_share(request, &worst);
    bool slower = share < WHY_OPEN_SURE * request->share && share < request->share - WHY_OPEN_LESS;
    if (slower) {
        slower_write(&worst, request->student->counts, request->reference->counts, why);
    }
    return slower;
}

void why_open_find(const struct why_open_request *request, char text[ERROR_TEXT_MAX]) {
    const struct counts *mine = request->student->counts;
    const struct counts *theirs = request->reference->counts;
    const bool is_matmul = request->exercise->signature.is_matmul;
    const bool tensor = theirs->tensor_flops > 0;
    char why[ERROR_TEXT_MAX];
    text[0] = '\0';
    if (has_no_launch(request, text) || lacks_registers(request->report, text) ||
        block_lacks_registers(request, text) || works_otherwise(request, text) ||
        (tensor && (leaves_sms_idle(request, text) || other_facts(mine, theirs, text)))) {
        return;
    }
    if (is_matmul ? is_slower(request, why) : tensor && takes_longer(request, why)) {
        words_sentence(text, ERROR_TEXT_MAX,
                       "Counted loads and stores do not account for all of the time.");
        words_sentence(text, ERROR_TEXT_MAX, "%s", why);
    }
}
