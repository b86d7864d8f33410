// `tilegrade tiles`: the needs of tile sizes on a GPU, which need not be in this machine: threads,
// registers, shared memory, blocks per SM, and the loads per multiply-add.  No kernel runs.
#include <stdio.h>

#include "app/commands/commands.h"
#include "app/terminal/terminal.h"
#include "app/terminal/terminal_text.h"
#include "base/basics.h"
#include "base/limits.h"
#include "base/words.h"
#include "measure/devices.h"

#define DEPTH_OF_SLICE 16  // depth of a slice if a thread computes several elements

// A tile of C, the elements of it that a thread computes (edge of a square), and the registers of
// such a kernel.
// Source  nvcc 13.0 -arch=sm_90 of the course's references and of tests/bench/kernels.
static const struct tiles_row {
    int tile, edge, registers;
} rows[] = {{8, 1, 32},  {16, 1, 32}, {32, 1, 32},  {64, 1, 32},
            {32, 2, 40}, {64, 4, 59}, {64, 8, 124}, {128, 8, 103}};

static int shared_bytes_of(int tile, int edge) {
    int depth = edge == 1 ? tile : DEPTH_OF_SLICE;
    return 2 * tile * depth * (int)sizeof(float);
}

static void row_print(const struct terminal *terminal, const struct multiprocessor *one,
                      const struct tiles_row *row) {
    const int tile = row->tile, edge = row->edge;
    const struct occupancy_need need = {.threads = tile * tile / (edge * edge),
                                        .registers = row->registers,
                                        .shared_bytes = shared_bytes_of(tile, edge)};
    char elements[16];
    (void)snprintf(elements, sizeof elements, "%d x %d", edge, edge);
    (void)printf("  %4d %8s %8d %4d %6d", tile, elements, need.threads, need.registers,
                 need.shared_bytes);
    struct occupancy occupancy = occupancy_of(one, &need);
    if (occupancy.blocks == 0) {
        (void)printf("  %s\n", need.threads > THREADS_MAX
                                   ? _("too many threads: a block has at most 1024")
                                   : _("too much shared memory for a block"));
        return;
    }
    // A block uses each element that it loads `tile` times; a thread uses each value `edge` times.
    (void)printf(" %6d %5.0f %%  ", occupancy.blocks, 100 * occupancy.share);
    terminal_left(terminal, _(occupancy_limit_name(occupancy.limit)), 13);
    (void)printf(" %6.3f %6.2f\n", 4.0 / tile, 2.0 / edge);
}

static void card_print(const struct card *card) {
    const struct multiprocessor *one = card->multiprocessor;
    double peak = 2e-6 * one->fma_per_clock * card->multiprocessors * (double)card->clock_mhz;
    (void)printf(_("%s: compute capability %d.%d, %d SMs at %d MHz\n"), card->name,
                 one->capability / 10, one->capability % 10, card->multiprocessors,
                 card->clock_mhz);
    (void)printf(_("  peak %.1f TFLOPS, %.0f GB/s from memory: %.0f FLOP per byte loaded\n"), peak,
                 card->memory_gb_s, 1e3 * peak / card->memory_gb_s);
    (void)printf(_("  an SM holds %d threads, %d blocks and %d KiB of shared memory\n"),
                 one->threads_max, one->blocks_max, one->shared_bytes / 1024);
    (void)printf(_("  source of these figures: %s\n\n"), card->source);
}

enum status cmd_tiles(const struct app *app, enum exit_code *ret_code, struct error *err) {
    const struct card *card = NULL;
    const char *name = app->options->card ? app->options->card : CARD_DEFAULT;
    enum status status = card_find(name, &card, err);
    if (status) {
        return status;
    }
    struct terminal terminal = terminal_of(stdout, "", "");
    card_print(card);
    (void)printf(
        _("  tile elements  threads regs shared blocks  warps  limited        bytes wavefr.\n"));
    (void)printf(
        _("        /thread   /block /thr /block    /SM    /SM  by           /FLOP   /FMA\n"));
    for (size_t i = 0; i < COUNT(rows); i++) {
        row_print(&terminal, card->multiprocessor, &rows[i]);
    }
    (void)printf("\n");
    terminal_wrap(
        &terminal, 2,
        _("A block computes tile x tile elements of C. Bytes/FLOP: loads from global memory. "
          "Wavefronts/FMA: shared-memory wavefronts of a warp for each multiply-add, as the source "
          "is written and without bank conflicts; an SM processes one wavefront per clock. "
          "Registers per thread are those that nvcc 13.0 gives the kernels of the course; your "
          "kernel may take more or fewer. Read lessons/000_machine/lesson.md."));
    *ret_code = EXIT_ALL_WELL;
    return STATUS_OK;
}
