// Pictures as numbers; the reports draw them.
#include "judge/result/parts.h"

static json_t *row_json(const struct wrong_tiles *tiles, int32_t row, bool *failed) {
    json_t *array = json_array();
    for (int32_t column = 0; column < tiles->columns; column++) {
        *failed |= json_array_append_new(array, json_integer(tiles->count[row][column])) != 0;
    }
    return array;
}

json_t *result_wrong_tiles_json(const struct wrong_tiles *tiles) {
    bool failed = false;
    json_t *rows = json_array();
    for (int32_t row = 0; row < tiles->rows; row++) {
        failed |= json_array_append_new(rows, row_json(tiles, row, &failed)) != 0;
    }
    json_t *object = json_pack("{s:[i, i, i], s:i, s:I, s:o}", "size", tiles->size.m, tiles->size.n,
                               tiles->size.k, "edge", tiles->edge, "wrong",
                               (json_int_t)tiles->wrong, "rows", rows);
    if (failed) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static const char *const cell_value_names[CELL_COUNT] = {
    [CELL_UNWRITTEN] = "unwritten", [CELL_ZERO] = "zero",       [CELL_NOT_FINITE] = "not_finite",
    [CELL_PLACE] = "place",         [CELL_MISSING] = "missing", [CELL_TWICE] = "twice",
    [CELL_OTHER] = "other"};

static json_t *cell_json(const struct wrong_cell *cell) {
    bool has_fact = cell->held >= CELL_PLACE && cell->held <= CELL_TWICE;
    return has_fact
               ? json_pack("[i, i, i, i]", cell->row, cell->column, cell->fact[0], cell->fact[1])
               : json_pack("[i, i]", cell->row, cell->column);
}

json_t *result_wrong_cells_json(const struct wrong_cells *cells) {
    bool failed = false;
    json_t *object =
        json_pack("{s:[i, i, i]}", "size", cells->size.m, cells->size.n, cells->size.k);
    for (int held = CELL_UNKNOWN + 1; held < CELL_COUNT; held++) {
        json_t *list = json_array();
        for (int32_t i = 0; i < cells->count; i++) {
            const struct wrong_cell *cell = &cells->cell[i];
            failed |= cell->held == held && json_array_append_new(list, cell_json(cell)) != 0;
        }
        failed |= json_object_set_new(object, cell_value_names[held], list) != 0;
    }
    if (failed) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static const char *const kind_names[TRACE_KIND_COUNT] = {
    [ACCESS_NONE] = "none",     [ACCESS_READ] = "load",      [ACCESS_WRITE] = "store",
    [ACCESS_ATOMIC] = "atomic", [TRACE_ZERO] = "zero",       [TRACE_COPY] = "copy",
    [TRACE_WAIT] = "wait",      [TRACE_COMPUTE] = "compute", [TRACE_BARRIER] = "barrier"};

static json_t *array_json(const char *name, const char *space, uint32_t element_bytes) {
    return json_pack("{s:s, s:s, s:i, s:[]}", "name", name, "space", space, "element_bytes",
                     (int)element_bytes, "extent");
}

static void extent_put(json_t *array, int64_t extent, bool *failed) {
    *failed |= json_array_append_new(json_object_get(array, "extent"), json_integer(extent)) != 0;
}

// The number of an array in "arrays": those of the parameters, the workspace, then the shared ones.
// -1: none.
static int array_number(const struct signature *signature, uint32_t space, uint32_t array) {
    uint32_t most = space == SPACE_SHARED || array == ARRAY_WORKSPACE ? PARAMETERS_MAX : array;
    int number = 0;
    for (int i = 0; i < signature->parameter_count && (uint32_t)i < most; i++) {
        number += signature->parameter[i].kind == PARAMETER_ARRAY;
    }
    return array == ARRAY_NONE ? -1 : space == SPACE_SHARED ? number + 1 + (int)array : number;
}

static json_t *arrays_json(const struct index_map *map, bool *failed) {
    const struct signature *signature = map->signature;
    json_t *arrays = json_array();
    for (int i = 0; i < signature->parameter_count; i++) {
        const struct parameter *parameter = &signature->parameter[i];
        if (parameter->kind != PARAMETER_ARRAY) {
            continue;
        }
        json_t *array =
            array_json(parameter->name, "global", (uint32_t)element_bytes(parameter->element));
        for (int e = 0; e < parameter->rank; e++) {
            extent_put(array, (int64_t)parameter_extent(signature, parameter, e, map->size),
                       failed);
        }
        *failed |= json_array_append_new(arrays, array) != 0;
    }
    *failed |= json_array_append_new(arrays, array_json("workspace", "global", sizeof(float))) != 0;
    for (uint32_t i = 0; i < map->shared.count; i++) {
        const struct shared_array *shared = &map->shared.array[i];
        json_t *array = array_json(shared->name, "shared", shared->element_bytes);
        for (uint32_t e = 0; e < shared->rank && e < ARRAY_RANK_MAX; e++) {
            extent_put(array, shared->extent[e], failed);
        }
        *failed |= json_array_append_new(arrays, array) != 0;
    }
    return arrays;
}

static json_t *box_json(const struct signature *signature, const struct trace_box *box,
                        bool *failed) {
    int array = array_number(signature, box->space, box->array);
    json_t *steps = json_array();
    for (int i = 0; i < TRACE_STEPS; i++) {
        const struct trace_step *step = &box->step[i];
        if (step->count > 1) {
            *failed |= json_array_append_new(steps, json_pack("[i, i, i]", (int)step->count,
                                                              step->thread, step->offset)) != 0;
        }
    }
    return json_pack("[i, s, i, i, i, i, i, o]", (int)box->phase, kind_names[box->kind], array,
                     (int)box->line, (int)box->bytes, (int)box->thread, box->offset, steps);
}

static json_t *triple_json(const uint32_t triple[3]) {
    return json_pack("[i, i, i]", (int)triple[0], (int)triple[1], (int)triple[2]);
}

static json_t *act_json(const struct signature *signature, const struct trace_act *act) {
    bool touches = act->kind <= TRACE_COPY;
    return json_pack("[i, i, i, s, i, i, i, i, i, i, i]", (int)act->team, (int)act->step,
                     (int)act->slot, kind_names[act->kind], (int)act->line,
                     touches ? array_number(signature, act->space, act->array) : -1,
                     act->kind == TRACE_COPY ? array_number(signature, SPACE_SHARED, act->to) : -1,
                     (int)act->lanes, (int)act->times, act->low, act->high);
}

static json_t *copy_json(const struct signature *signature, const struct trace_copy *copy) {
    return json_pack("[i, i, i, i, i, i, i]", (int)copy->team, (int)copy->group,
                     array_number(signature, SPACE_SHARED, copy->to), (int)copy->issued,
                     copy->done == TRACE_NEVER ? -1 : (int)copy->done, copy->low, copy->high);
}

static json_t *team_json(uint32_t warps, bool *failed) {
    json_t *team = json_array();
    for (int warp = 0; warp < 32; warp++) {
        if (warps >> warp & 1) {
            result_append(team, json_integer(warp), failed);
        }
    }
    return team;
}

static json_t *order_json(const struct index_map *map, bool *failed) {
    const struct trace *trace = &map->trace;
    json_t *teams = json_array();
    json_t *acts = json_array();
    json_t *copies = json_array();
    for (uint32_t i = 0; i < trace->team_count; i++) {
        result_append(teams, team_json(trace->team[i], failed), failed);
    }
    for (uint32_t i = 0; i < trace->act_count; i++) {
        result_append(acts, act_json(map->signature, &trace->act[i]), failed);
    }
    for (uint32_t i = 0; i < trace->copy_count; i++) {
        result_append(copies, copy_json(map->signature, &trace->copy[i]), failed);
    }
    return json_pack("{s:b, s:o, s:o, s:o}", "whole", trace->acts_cut == 0, "teams", teams, "acts",
                     acts, "copies", copies);
}

static json_t *index_map_json(const struct index_map *map, bool *failed) {
    const struct trace *trace = &map->trace;
    json_t *accesses = json_array();
    for (uint32_t i = 0; i < trace->count; i++) {
        result_append(accesses, box_json(map->signature, &trace->box[i], failed), failed);
    }
    return json_pack(
        "{s:o, s:i, s:i, s:o, s:o, s:o, s:i, s:b, s:o, s:o, s:o}", "size",
        result_size_json(map->size), "launches", (int)map->launches, "launch", (int)map->launch,
        "grid", triple_json(map->blocks), "block", triple_json(trace->block), "threads",
        triple_json(map->threads), "phases", (int)trace->phases, "whole", trace->cut == 0, "arrays",
        arrays_json(map, failed), "accesses", accesses, "order", order_json(map, failed));
}

json_t *result_index_maps_json(const struct index_maps *maps) {
    bool failed = false;
    json_t *list = json_array();
    for (int i = 0; i < maps->count; i++) {
        result_append(list, index_map_json(&maps->map[i], &failed), &failed);
    }
    json_t *object = json_pack("{s:[i, i, i], s:o}", "tile", maps->tile.m, maps->tile.n,
                               maps->tile.k, "list", list);
    if (failed) {
        json_decref(object);
        return NULL;
    }
    return object;
}
