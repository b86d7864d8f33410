// The configuration comes out of a student's code, so nothing of it is believed: counts are held to
// the table, and a name to its bytes.
#include "device/channel/launch_check.h"

#include <string.h>

static bool is_filled(const struct launch_config *config) {
    const struct launch_config start = LAUNCH_CONFIG_START;
    return memcmp(config->grid, start.grid, sizeof start.grid) != 0 ||
           memcmp(config->block, start.block, sizeof start.block) != 0 || config->shared_bytes != 0;
}

static enum bad_launch listed_make(const struct launch_config *config,
                                   struct launch_plan *ret_plan) {
    if (config->launch_count > PLAN_LAUNCHES_MAX) {
        return BAD_LAUNCH_TOO_MANY;
    }
    if (is_filled(config)) {
        return BAD_LAUNCH_BOTH;
    }
    ret_plan->count = config->launch_count;
    for (uint32_t i = 0; i < config->launch_count; i++) {
        ret_plan->launch[i] = config->launch[i];
        if (memchr(config->launch[i].kernel, '\0', KERNEL_NAME_MAX) == NULL) {
            return BAD_LAUNCH_KERNEL;
        }
    }
    return BAD_LAUNCH_NONE;
}

enum bad_launch launch_plan_make(const struct launch_config *config, struct launch_plan *ret_plan) {
    struct launch_plan plan = {.count = 1};
    if (config->workspace_bytes > WORKSPACE_BYTES_MAX) {
        return BAD_LAUNCH_WORKSPACE;
    }
    plan.workspace_bytes = (config->workspace_bytes + 3) / 4 * 4;
    if (config->launch_count > 0) {
        enum bad_launch bad = listed_make(config, &plan);
        if (bad != BAD_LAUNCH_NONE) {
            return bad;
        }
    } else {
        memcpy(plan.launch[0].grid, config->grid, sizeof plan.launch[0].grid);
        memcpy(plan.launch[0].block, config->block, sizeof plan.launch[0].block);
        plan.launch[0].shared_bytes = config->shared_bytes;
    }
    *ret_plan = plan;
    return BAD_LAUNCH_NONE;
}

void launch_plan_tell(const struct launch_plan *plan, uint32_t index, struct answer *answer) {
    const struct plan_launch *told = &plan->launch[index];
    memcpy(answer->grid, told->grid, sizeof answer->grid);
    memcpy(answer->block, told->block, sizeof answer->block);
    answer->shared_bytes = told->shared_bytes;
    answer->workspace_bytes = plan->workspace_bytes;
    answer->launch = index;
    answer->launch_count = plan->launch[0].kernel[0] != '\0' ? plan->count : 0;
    for (uint32_t i = 0; i < plan->count; i++) {
        for (int k = 0; k < 3 && i != index; k++) {
            uint32_t grid = plan->launch[i].grid[k];
            uint32_t block = plan->launch[i].block[k];
            answer->other_grid[k] = grid > answer->other_grid[k] ? grid : answer->other_grid[k];
            answer->other_block[k] =
                block > answer->other_block[k] ? block : answer->other_block[k];
        }
    }
}
