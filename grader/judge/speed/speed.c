// Chooses the basis of speed: see speed.h.
#include "judge/speed/speed.h"

#include <assert.h>

#include "judge/model/judgement.h"
#include "judge/speed/by_counts.h"
#include "judge/speed/by_time.h"

enum status speed_measure(const struct judge_options *options, struct exercise_result *result,
                          const struct run_kernel *kernel, struct error *err) {
    assert(result->verdict == VERDICT_PASS);
    if (options->extras.no_references) {
        result->speed_complete = false;
        return kernel->built[DEVICE_EMU] ? speed_counted_alone(options, result, kernel, err)
                                         : STATUS_OK;
    }
    if (options->uses[DEVICE_GPU]) {
        assert(kernel->built[DEVICE_GPU]);
        result->speed_complete = result->exercise->timed_count > 0;
        enum status status = speed_timed(options, result, kernel, err);
        bool drawn = options->extras.maps && kernel->built[DEVICE_EMU] && result->speed_count > 0 &&
                     result->verdict == VERDICT_PASS;
        return status || !drawn ? status : speed_counted_beside(options, result, kernel, err);
    }
    assert(kernel->built[DEVICE_EMU]);
    result->speed_complete = result->exercise->counted_count > 0;
    return speed_counted(options, result, kernel, err);
}
