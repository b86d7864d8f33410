// Launches of single blocks: see index_map.h.
#include "judge/run/index_map.h"

#include <stdlib.h>
#include <string.h>

#include "judge/model/pictures.h"
#include "judge/run/arrays.h"
#include "judge/run/locate.h"

#define PROBE_EDGE    128  // of C, at the first launch: two blocks of any tile that is drawn well
#define PROBE_DEPTH   48
#define EDGE_MAX      256  // a larger drawing shows less
#define DEPTH_MAX     96
#define DEPTH_DEFAULT 24  // of a kernel without phases
#define PHASES_DRAWN  3
#define ACCESS_BUDGET 4000000ull
#define CPU_MS_MAX    2000
#define PLACES_MAX    90  // of the program, with a line; a kernel has some ten

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

// What a block stores to C, or loads from A in the first phase that loads any.
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

// What a block computes, and how far it goes along K in a phase; 0 if that cannot be drawn.
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

// Two blocks each way, three phases deep.
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

// One launch.  *ret_done is false if the kernel did not get to the end of it.
static enum status trace_launch(struct run_worker *worker, const struct exercise *exercise,
                                struct seed seed, struct size size, uint32_t flags,
                                struct run_reply *reply, bool *ret_done, struct error *err) {
    struct request request = {.size = size,
                              .flags = REQUEST_TRACE | flags,
                              .processes = 1,
                              .threads_max = worker->program->report.threads_max,
                              .access_budget = ACCESS_BUDGET,
                              .time_ms_max = CPU_MS_MAX};
    const struct planned_case planned = case_of(exercise, seed, INPUTS_EXACT, size);
    struct arrays arrays;
    enum status status = arrays_make(worker->program, &planned, &arrays, err);
    if (status) {
        return status;
    }
    request.arguments = arrays.arguments;
    status = run_worker_launch(worker, &request, arrays.before, reply, err);
    arrays_done(&arrays);
    *ret_done = !status && reply->fate == FATE_ANSWERED && reply->answer.trace.count > 0 &&
                (reply->answer.end == RUN_FINISHED || reply->answer.end == RUN_STOPPED);
    return status;
}

// The places of a trace, each once, though it has a box in every phase.
struct places {
    int count;
    uint64_t address[PLACES_MAX];
    struct build_place place[PLACES_MAX];
};

// The number of a place; PLACES_MAX if there are too many.
static int place_number(struct places *places, uint64_t address) {
    int at = 0;
    while (at < places->count && places->address[at] != address) {
        at++;
    }
    if (at == places->count && at < PLACES_MAX) {
        places->address[places->count++] = address;
    }
    return at;
}

static uint32_t line_of(struct places *places, uint64_t address) {
    int at = address ? place_number(places, address) : PLACES_MAX;
    return at < PLACES_MAX ? places->place[at].line : 0;
}

static enum status lines_fill(const struct run_program *program, struct trace *trace,
                              struct error *err) {
    struct places places = {.count = 0};
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

// Adds what a launch has recorded.
static enum status map_add(const struct run_program *program, struct size size,
                           const struct answer *answer, struct index_maps *maps,
                           struct error *err) {
    struct index_map *map = &maps->map[maps->count];
    *map = (struct index_map){
        .signature = &program->exercise->signature, .size = size, .trace = answer->trace};
    memcpy(map->threads, answer->block, sizeof map->threads);
    memcpy(map->blocks, answer->grid, sizeof map->blocks);
    map->launches = answer->launch_count > 0 ? answer->launch_count : 1;
    map->shared = program->report.shared;
    enum status status = lines_fill(program, &map->trace, err);
    maps->count += !status;
    return status;
}

enum status index_map_trace(const struct exercise *exercise, struct seed seed,
                            const struct run_program *program, struct index_maps **ret_maps,
                            struct error *err) {
    struct run_worker worker;
    struct run_reply reply;
    bool done = false;
    if (!exercise->signature.is_product) {
        return STATUS_OK;
    }
    struct size size = {.m = PROBE_EDGE, .n = PROBE_EDGE, .k = PROBE_DEPTH};
    struct index_maps *maps = calloc(1, sizeof *maps);
    if (!maps) {
        return fail(err, STATUS_NO_MEMORY, "no memory for a result");
    }
    run_worker_init(&worker, program);
    enum status status = trace_launch(&worker, exercise, seed, size, 0, &reply, &done, err);
    if (!status && done) {
        maps->tile = tile_of(&reply.answer.trace, exercise->tile);
        const struct size whole = whole_size(maps->tile);
        const struct size sizes[INDEX_MAPS_MAX] = {whole, whole, ragged_size(maps->tile)};
        const uint32_t flags[INDEX_MAPS_MAX] = {0, REQUEST_FIRST, 0};
        for (int i = 0; i < INDEX_MAPS_MAX && !status && done; i++) {
            status = trace_launch(&worker, exercise, seed, sizes[i], flags[i], &reply, &done, err);
            if (!status && done) {
                status = map_add(program, sizes[i], &reply.answer, maps, err);
            }
        }
    }
    run_worker_stop(&worker);
    if (!status && maps->count > 0) {
        *ret_maps = maps;
        maps = NULL;
    }
    free(maps);
    return status;
}
