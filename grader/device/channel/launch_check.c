// The configuration comes from a student's code, so nothing in it is trusted: counts are limited by
// the table, and a name by its bytes.
#include "device/channel/launcher.h"

#include <string.h>

#define TENSOR_TYPE_EXACT_MAX 9  // CU_TENSOR_MAP_DATA_TYPE_BFLOAT16

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
    ret_plan->launch[0].dependent = 0;  // it would overlap with the judge's earlier work
    return BAD_LAUNCH_NONE;
}

// --- Tensor maps -------------------------------------------------------------------------------

// The rules of cuTensorMapEncodeTiled, which itself reports only that some rule is broken.
static enum bad_launch tensor_check(const struct plan_tensor *tensor) {
    uint32_t bytes = tensor_element_bytes(tensor->type);
    if (bytes == 0 || tensor->rank > TENSOR_RANK_MAX) {
        return BAD_LAUNCH_TENSOR;
    }
    if (tensor->offset % 16 != 0) {
        return BAD_LAUNCH_TENSOR_OFFSET;
    }
    for (uint32_t i = 0; i < tensor->rank; i++) {
        uint64_t stride = i > 0 ? tensor->stride[i - 1] : 16;
        if (tensor->size[i] < 1 || tensor->size[i] > UINT32_MAX || stride == 0 ||
            stride >= 1ull << 40) {
            return BAD_LAUNCH_TENSOR;
        }
        if (stride % 16 != 0) {
            return BAD_LAUNCH_TENSOR_ROWS;
        }
        if (tensor->box[i] < 1 || tensor->box[i] > 256) {
            return BAD_LAUNCH_TENSOR_BOX;
        }
    }
    uint32_t row = tensor->box[0] * bytes;
    bool swizzles = tensor->swizzle == 32 || tensor->swizzle == 64 || tensor->swizzle == 128;
    bool fits = tensor->swizzle == 0 || (swizzles && row <= tensor->swizzle);
    return row % 16 == 0 && fits ? BAD_LAUNCH_NONE : BAD_LAUNCH_TENSOR_BOX;
}

enum bad_launch launch_plan_fits(const struct launch_plan *plan,
                                 const struct arguments *arguments) {
    for (int i = 0; i < PLAN_TENSORS_MAX; i++) {
        const struct plan_tensor *tensor = &plan->tensor[i];
        uint64_t array = plan->workspace_bytes;
        if (tensor->rank == 0) {
            continue;
        }
        if (tensor->parameter != TENSOR_WORKSPACE) {
            if (tensor->parameter >= arguments->count ||
                arguments->list[tensor->parameter].kind != ARGUMENT_ARRAY) {
                return BAD_LAUNCH_TENSOR;
            }
            array = arguments->list[tensor->parameter].bytes;
        }
        // Both factors of each product are below 2^40, so a sum is exact in 128 bits.
        unsigned __int128 end = tensor->offset + (unsigned __int128)tensor->size[0] *
                                                     tensor_element_bytes(tensor->type);
        for (uint32_t k = 1; k < tensor->rank; k++) {
            end += (unsigned __int128)(tensor->size[k] - 1) * tensor->stride[k - 1];
        }
        if (end > array) {
            return BAD_LAUNCH_TENSOR_BOUNDS;
        }
    }
    return BAD_LAUNCH_NONE;
}

// NVIDIA does not document the rounding of copies of the types after bfloat16.
enum bad_launch launch_plan_known(const struct launch_plan *plan) {
    for (int i = 0; i < PLAN_TENSORS_MAX; i++) {
        const struct plan_tensor *tensor = &plan->tensor[i];
        if (tensor->rank > 0 && tensor->type > TENSOR_TYPE_EXACT_MAX) {
            return BAD_LAUNCH_TENSOR_UNKNOWN;
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
    for (int i = 0; i < PLAN_TENSORS_MAX; i++) {
        plan.tensor[i] = config->tensor[i];
        enum bad_launch bad =
            plan.tensor[i].rank > 0 ? tensor_check(&plan.tensor[i]) : BAD_LAUNCH_NONE;
        if (bad != BAD_LAUNCH_NONE) {
            return bad;
        }
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
