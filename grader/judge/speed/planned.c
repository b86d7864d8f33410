// Asks for launch configurations: see planned.h.
#include "judge/speed/planned.h"

#include "judge/run/case.h"

static uint64_t blocks_of(const uint32_t grid[3]) {
    return (uint64_t)grid[0] * grid[1] * grid[2];
}

enum status planned_launches(const struct exercise *exercise, const struct run_program *program,
                             struct planned_launch ret_launches[EXERCISE_TIMED_MAX],
                             struct error *err) {
    struct run_worker worker;
    enum status status = STATUS_OK;
    run_worker_init(&worker, program);
    for (int i = 0; i < exercise->timed_count && !status; i++) {
        struct answer answer;
        bool answered = false;
        struct planned_launch *launch = &ret_launches[i];
        status = run_case_plan(&worker, exercise->timed[i].size, &answered, &answer, err);
        *launch =
            (struct planned_launch){.is_valid = !status && answered && answer.end == RUN_FINISHED};
        if (launch->is_valid) {
            launch->is_one = answer.launch_count == 0;
            launch->blocks = blocks_of(answer.grid);
            if (blocks_of(answer.other_grid) > launch->blocks) {
                launch->blocks = blocks_of(answer.other_grid);
            }
            launch->block_threads = (int)(answer.block[0] * answer.block[1] * answer.block[2]);
        }
    }
    run_worker_stop(&worker);
    return status;
}
