// Launches of single blocks.
//
// Counts wrong elements by square, and tries all facts on each wrong element of a small C.
//
// The values of exact inputs are integers below 2^24.  So equal values are seldom equal by chance,
// and a value that allows two facts gets none.
#include "judge/run/pictures.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "judge/compile/program_build.h"
#include "judge/model/inputs.h"
#include "judge/model/judgement.h"
#include "judge/run/cases.h"

#define PROBE_EDGE    128  // of C, at the first launch: two blocks of any drawable tile
#define PROBE_DEPTH   48
#define EDGE_MAX      256  // a larger drawing is less clear
#define DEPTH_MAX     96
#define DEPTH_DEFAULT 24  // of a kernel without phases
#define PHASES_DRAWN  3
#define TILES_FIRST   2     // of another kernel: tiles in each direction
#define TILES_MAX     1024  // or up to this many, until there are two blocks
#define ACCESS_BUDGET 4000000ull
#define CPU_MS_MAX    2000
#define PLACES_MAX    90  // places of the program with a line; a kernel has some ten

// Rows and columns of an array that a box reaches.
struct reach {
    int32_t row_first, row_last, column_first, column_last;
    bool any;
};

static void reach_add(struct reach *reach, int64_t element, int32_t columns) {
    int32_t row = (int32_t)(element / columns);
    int32_t column = (int32_t)(element % columns);
    if (!reach->any) {
        *reach = (struct reach){row, row, column, column, true};
    }
    reach->row_first = row < reach->row_first ? row : reach->row_first;
    reach->row_last = row > reach->row_last ? row : reach->row_last;
    reach->column_first = column < reach->column_first ? column : reach->column_first;
    reach->column_last = column > reach->column_last ? column : reach->column_last;
}

// Adds every element of a box.  A checked box has at most TRACE_EVENTS_MAX.
static void box_add(struct reach *reach, const struct trace_box *box, int32_t columns) {
    const struct trace_step *step = box->step;
    for (uint32_t y = 0; y < step[3].count; y++) {
        for (uint32_t x = 0; x < step[2].count; x++) {
            for (uint32_t j = 0; j < step[1].count; j++) {
                for (uint32_t i = 0; i < step[0].count; i++) {
                    int64_t at = (int64_t)box->offset + (int64_t)y * step[3].offset +
                                 (int64_t)x * step[2].offset + (int64_t)j * step[1].offset +
                                 (int64_t)i * step[0].offset;
                    if (at >= 0) {
                        reach_add(reach, at / (int64_t)sizeof(float), columns);
                        reach_add(reach, (at + box->bytes - 1) / (int64_t)sizeof(float), columns);
                    }
                }
            }
        }
    }
}

// The elements that a block stores to C, or loads from A in the first phase that loads from A.
static struct reach reach_of(const struct trace *trace, enum global_array array, int32_t columns) {
    struct reach reach = {.any = false};
    uint32_t phase = 0;
    for (uint32_t i = 0; i < trace->count; i++) {
        const struct trace_box *box = &trace->box[i];
        bool wanted = box->space == SPACE_GLOBAL && box->array == array;
        if (wanted && (!reach.any || array == ARRAY_C || box->phase == phase)) {
            phase = box->phase;
            box_add(&reach, box, columns);
        }
    }
    return reach;
}

static int32_t between(int32_t value, int32_t low, int32_t high) {
    return value < low ? low : value > high ? high : value;
}

// The part of C that a block computes, and its progress along K in a phase; 0 if that cannot be
// drawn.
static struct size tile_of(const struct trace *probe, int32_t tile) {
    struct reach c = reach_of(probe, ARRAY_C, PROBE_EDGE);
    struct reach a = reach_of(probe, ARRAY_A, PROBE_DEPTH);
    int32_t depth = a.any ? a.column_last - a.column_first + 1 : tile;
    bool phases = probe->phases > 1 && PHASES_DRAWN * depth <= DEPTH_MAX;
    return (struct size){
        .m = between(c.any ? c.row_last - c.row_first + 1 : tile, 1, EDGE_MAX),
        .n = between(c.any ? c.column_last - c.column_first + 1 : tile, 1, EDGE_MAX),
        .k = phases ? depth : 0};
}

// Two blocks in each direction, three phases along K.
static struct size whole_size(struct size tile) {
    return (struct size){.m = between(2 * tile.m, 2, EDGE_MAX),
                         .n = between(2 * tile.n, 2, EDGE_MAX),
                         .k = tile.k > 0 ? PHASES_DRAWN * tile.k : DEPTH_DEFAULT};
}

// The last tiles are not full, and M, N and K have no common factor with a tile.
static struct size ragged_size(struct size tile) {
    struct size size = whole_size(tile);
    return (struct size){.m = size.m - (tile.m > 1 ? 3 * tile.m / 8 | 1 : 0),
                         .n = size.n - (tile.n > 1 ? tile.n / 4 | 1 : 0),
                         .k = size.k - (tile.k > 1 ? tile.k / 4 | 1 : 0)};
}

// The worker with the kernel, and its last answer.
struct tracer {
    const struct exercise *exercise;
    struct seed seed;
    struct run_worker worker;
    struct run_reply reply;
};

// One launch. *ret_done is false if the kernel did not complete the launch.
static enum status trace_launch(struct tracer *tracer, struct size size, uint32_t flags,
                                bool *ret_done, struct error *err) {
    const struct run_program *program = tracer->worker.program;
    struct run_reply *reply = &tracer->reply;
    struct request request = {.size = size,
                              .flags = REQUEST_TRACE | flags,
                              .processes = 1,
                              .threads_max = program->report.threads_max,
                              .access_budget = ACCESS_BUDGET,
                              .time_ms_max = CPU_MS_MAX};
    const struct planned_case planned = case_of(tracer->exercise, tracer->seed, INPUTS_EXACT, size);
    struct arrays arrays;
    enum status status = arrays_make(program, &planned, &arrays, err);
    if (status) {
        return status;
    }
    request.arguments = arrays.arguments;
    status = run_worker_launch(&tracer->worker, &request, arrays.before, reply, err);
    arrays_done(&arrays);
    *ret_done = !status && reply->fate == FATE_ANSWERED && reply->answer.trace.count > 0 &&
                (reply->answer.end == RUN_FINISHED || reply->answer.end == RUN_STOPPED);
    return status;
}

// The places of a trace, each only once although it has a box in every phase.
struct traced_places {
    int count;
    uint64_t address[PLACES_MAX];
    struct build_place place[PLACES_MAX];
};

// The number of a place; PLACES_MAX if there are too many.
static int place_number(struct traced_places *places, uint64_t address) {
    int at = 0;
    while (at < places->count && places->address[at] != address) {
        at++;
    }
    if (at == places->count && at < PLACES_MAX) {
        places->address[places->count++] = address;
    }
    return at;
}

static uint32_t line_of(struct traced_places *places, uint64_t address) {
    int at = address ? place_number(places, address) : PLACES_MAX;
    return at < PLACES_MAX ? places->place[at].line : 0;
}

static enum status lines_fill(const struct run_program *program, struct trace *trace,
                              struct error *err) {
    struct traced_places places = {.count = 0};
    for (uint32_t i = 0; i < trace->act_count; i++) {
        if (trace->act[i].pc != 0) {
            (void)place_number(&places, trace->act[i].pc);
        }
    }
    for (uint32_t i = 0; i < trace->count; i++) {
        (void)place_number(&places, trace->box[i].pc);
    }
    enum status status = run_places(program, places.address, places.count, places.place, err);
    for (uint32_t i = 0; i < trace->act_count && !status; i++) {
        trace->act[i].line = line_of(&places, trace->act[i].pc);
    }
    for (uint32_t i = 0; i < trace->count && !status; i++) {
        trace->box[i].line = line_of(&places, trace->box[i].pc);
    }
    return status;
}

// Adds the records of a launch.
static enum status map_add(const struct run_program *program, struct size size,
                           const struct answer *answer, struct index_maps *maps,
                           struct error *err) {
    struct index_map *map = &maps->map[maps->count];
    *map = (struct index_map){
        .signature = &program->exercise->signature, .size = size, .trace = answer->trace};
    memcpy(map->threads, answer->block, sizeof map->threads);
    memcpy(map->blocks, answer->grid, sizeof map->blocks);
    map->launches = answer->launch_count > 0 ? answer->launch_count : 1;
    map->launch = answer->launch;
    map->shared = program->report.shared;
    enum status status = lines_fill(program, &map->trace, err);
    maps->count += !status;
    return status;
}

struct drawn_sizes {
    struct size tile;  // as in struct index_maps
    struct size whole, ragged;
};

// Chooses the sizes to draw, one with whole tiles and one without.  *ret_done is false if the
// kernel did not complete a launch; then no size is chosen.
static enum status product_sizes(struct tracer *tracer, struct drawn_sizes *ret_sizes,
                                 bool *ret_done, struct error *err) {
    const struct size size = {.m = PROBE_EDGE, .n = PROBE_EDGE, .k = PROBE_DEPTH};
    enum status status = trace_launch(tracer, size, 0, ret_done, err);
    if (!status && *ret_done) {
        ret_sizes->tile = tile_of(&tracer->reply.answer.trace, tracer->exercise->tile);
        ret_sizes->whole = whole_size(ret_sizes->tile);
        ret_sizes->ragged = ragged_size(ret_sizes->tile);
    }
    return status;
}

// Each dimension is that many tiles, minus a part of one if it is ragged, and at most its maximum
// in [cases]: only the author knows which dimension is not a length.
static struct size other_size(const struct exercise *exercise, int32_t tiles, bool is_ragged) {
    struct size size = {.m = 0};
    for (int i = 0; i < exercise->signature.size_count; i++) {
        int32_t most = 1;
        for (int c = 0; c < exercise->case_count; c++) {
            int32_t given = exercise->cases[c].size.at[i];
            most = given > most ? given : most;
        }
        int32_t part = i == 0 ? 3 * exercise->tile / 8 | 1 : exercise->tile / 4 | 1;
        int32_t whole = between(tiles * exercise->tile, 1, most);
        size.at[i] = between(whole - (is_ragged ? part : 0), 1, most);
    }
    return size;
}

// Doubles the tiles until there are two blocks or the sizes cannot grow.
static enum status other_sizes(struct tracer *tracer, struct drawn_sizes *ret_sizes, bool *ret_done,
                               struct error *err) {
    const struct exercise *exercise = tracer->exercise;
    int32_t tiles = TILES_FIRST;
    for (int32_t try = TILES_FIRST; try <= TILES_MAX; try *= 2) {
        const struct size size = other_size(exercise, try, false);
        if (try > TILES_FIRST && size_equal(size, other_size(exercise, try / 2, false))) {
            break;
        }
        enum status status = trace_launch(tracer, size, 0, ret_done, err);
        if (status || !*ret_done) {
            return status;
        }
        const uint32_t *grid = tracer->reply.answer.grid;
        if ((uint64_t)grid[0] * grid[1] * grid[2] > 1) {
            tiles = try;
            break;
        }
    }
    ret_sizes->whole = other_size(exercise, tiles, false);
    ret_sizes->ragged = other_size(exercise, tiles, true);
    return STATUS_OK;
}

static enum status maps_fill(struct tracer *tracer, struct index_maps *maps, struct error *err) {
    bool is_matmul = tracer->exercise->signature.is_matmul;
    struct drawn_sizes drawn = {.tile = {.m = 0}};
    bool done = false;
    enum status status = is_matmul ? product_sizes(tracer, &drawn, &done, err)
                                   : other_sizes(tracer, &drawn, &done, err);
    maps->tile = drawn.tile;
    const struct size sizes[INDEX_MAPS_MAX] = {drawn.whole, drawn.whole, drawn.ragged};
    const uint32_t flags[INDEX_MAPS_MAX] = {0, REQUEST_FIRST, is_matmul ? 0 : REQUEST_LAST};
    for (int i = 0; i < INDEX_MAPS_MAX && !status && done; i++) {
        status = trace_launch(tracer, sizes[i], flags[i], &done, err);
        if (!status && done) {
            status = map_add(tracer->worker.program, sizes[i], &tracer->reply.answer, maps, err);
        }
    }
    return status;
}

enum status index_map_trace(const struct exercise *exercise, struct seed seed,
                            const struct run_program *program, struct index_maps **ret_maps,
                            struct error *err) {
    struct tracer tracer = {.exercise = exercise, .seed = seed};
    struct index_maps *maps = xcalloc(1, sizeof *maps);
    run_worker_init(&tracer.worker, program);
    enum status status = maps_fill(&tracer, maps, err);
    run_worker_stop(&tracer.worker);
    if (!status && maps->count > 0) {
        *ret_maps = maps;
        maps = NULL;
    }
    free(maps);
    return status;
}

// All of C, and its right values.
struct cell_product {
    struct size size;
    const float *a, *b;
    int64_t want[WRONG_CELLS_MAX];  // [M][N]
};

static int64_t *want_of(struct cell_product *product, int32_t row, int32_t column) {
    return &product->want[row * product->size.n + column];
}

static int64_t term_of(const struct cell_product *product, int32_t row, int32_t column, int32_t k) {
    const struct size *size = &product->size;
    return (int64_t)product->a[row * size->k + k] * (int64_t)product->b[k * size->n + column];
}

static void product_fill(struct cell_product *product) {
    for (int32_t row = 0; row < product->size.m; row++) {
        for (int32_t column = 0; column < product->size.n; column++) {
            int64_t sum = 0;
            for (int32_t k = 0; k < product->size.k; k++) {
                sum += term_of(product, row, column, k);
            }
            *want_of(product, row, column) = sum;
        }
    }
}

// Notes a fact about an element; a second fact removes both.
static void fact_note(struct wrong_cell *cell, enum cell_value held, int32_t first,
                      int32_t second) {
    bool is_first = cell->held == CELL_UNKNOWN;
    cell->held = is_first ? (uint8_t)held : CELL_OTHER;
    cell->fact[0] = is_first ? (int16_t)first : 0;
    cell->fact[1] = is_first ? (int16_t)second : 0;
}

static void places_try(struct cell_product *product, int64_t got, struct wrong_cell *cell) {
    for (int32_t row = 0; row < product->size.m; row++) {
        for (int32_t column = 0; column < product->size.n; column++) {
            if (*want_of(product, row, column) == got) {
                fact_note(cell, CELL_PLACE, row, column);
            }
        }
    }
}

// Neighbouring terms that are missing from the sum, or counted twice.
static void runs_try(struct cell_product *product, int64_t got, struct wrong_cell *cell) {
    int64_t left = *want_of(product, cell->row, cell->column) - got;
    if (product->size.k > WRONG_CELLS_DEPTH) {
        return;
    }
    for (int32_t first = 0; first < product->size.k; first++) {
        int64_t sum = 0;
        for (int32_t last = first; last < product->size.k; last++) {
            sum += term_of(product, cell->row, cell->column, last);
            if (sum == left) {
                fact_note(cell, CELL_MISSING, first, last);
            } else if (sum == -left) {
                fact_note(cell, CELL_TWICE, first, last);
            }
        }
    }
}

static void cell_explain(struct cell_product *product, float got, struct wrong_cell *cell) {
    if (poison_is(got)) {
        cell->held = CELL_UNWRITTEN;
    } else if (!isfinite(got)) {
        cell->held = CELL_NOT_FINITE;
    } else if (got == 0.0f) {
        cell->held = CELL_ZERO;
    } else if (fabsf(got) < 0x1p24f && got == truncf(got)) {
        places_try(product, (int64_t)got, cell);
        runs_try(product, (int64_t)got, cell);
    }
    cell->held = cell->held == CELL_UNKNOWN ? CELL_OTHER : cell->held;
}

void wrong_cells_find(const struct matmul *matmul, struct wrong_cells *ret_cells) {
    const struct size size = matmul->size;
    struct cell_product product = {.size = size, .a = matmul->a, .b = matmul->b};
    memset(ret_cells, 0, sizeof *ret_cells);
    if (size_elements_c(size) > WRONG_CELLS_MAX) {
        return;
    }
    ret_cells->size = size;
    product_fill(&product);
    for (int32_t row = 0; row < size.m; row++) {
        for (int32_t column = 0; column < size.n; column++) {
            float got = matmul->c[row * size.n + column];
            if (!((double)got == (double)*want_of(&product, row, column))) {
                struct wrong_cell *cell = &ret_cells->cell[ret_cells->count++];
                *cell = (struct wrong_cell){.row = (int16_t)row, .column = (int16_t)column};
                cell_explain(&product, got, cell);
            }
        }
    }
}

// The smallest edge with which WRONG_TILES_MAX squares cover each dimension.
static int32_t edge_of(struct size size) {
    int32_t longest = size.m > size.n ? size.m : size.n;
    int32_t edge = 1;
    while ((longest + edge - 1) / edge > WRONG_TILES_MAX) {
        edge *= 2;
    }
    return edge;
}

// Exact inputs: fp64 holds every partial sum.  NaN is not right.
static bool is_wrong(const struct matmul *matmul, int32_t row, int32_t column) {
    const struct size size = matmul->size;
    double want = 0.0;
    for (int32_t k = 0; k < size.k; k++) {
        want += (double)matmul->a[(size_t)row * (size_t)size.k + (size_t)k] *
                (double)matmul->b[(size_t)k * (size_t)size.n + (size_t)column];
    }
    return !((double)matmul->c[(size_t)row * (size_t)size.n + (size_t)column] == want);
}

void wrong_tiles_count(const struct matmul *matmul, struct wrong_tiles *ret_tiles) {
    const struct size size = matmul->size;
    struct wrong_tiles *tiles = ret_tiles;
    memset(tiles, 0, sizeof *tiles);
    tiles->size = size;
    tiles->edge = edge_of(size);
    tiles->rows = (size.m + tiles->edge - 1) / tiles->edge;
    tiles->columns = (size.n + tiles->edge - 1) / tiles->edge;
    for (int32_t row = 0; row < size.m; row++) {
        for (int32_t column = 0; column < size.n; column++) {
            if (is_wrong(matmul, row, column)) {
                tiles->count[row / tiles->edge][column / tiles->edge]++;
                tiles->wrong++;
            }
        }
    }
}

void wrong_tiles_keep(const struct wrong_tiles *wrong, struct wrong_tiles *best) {
    int64_t elements = (int64_t)wrong->size.m * wrong->size.n;
    if (elements > (int64_t)best->size.m * best->size.n) {
        *best = *wrong;
    }
}
