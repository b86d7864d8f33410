// What a reader looks at rather than reads, as JSON for result.json: where C is wrong, and
// who accesses what.
#ifndef JUDGE_RESULT_VIEWS_H
#define JUDGE_RESULT_VIEWS_H

#include <jansson.h>

#include "judge/model/pictures.h"

// Each is NULL where memory ran out.  Owns: the caller.
json_t *result_wrong_tiles_json(const struct wrong_tiles *tiles);
json_t *result_index_map_json(const struct index_map *map);

#endif
