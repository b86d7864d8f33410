// Pure functions of dates: what a late hand-in costs, and when a model answer gives nothing away.
// A day has 24 hours, whatever clocks do in between.
#include "exercise/assignment.h"

#define DAY_SECONDS 86400

static int64_t due_of(const struct assignment *assignment, int extension_days) {
    return assignment->due + (int64_t)extension_days * DAY_SECONDS;
}

struct late assignment_late(const struct assignment *assignment, int64_t received,
                            int extension_days) {
    struct late late = {.known = assignment->due != MOMENT_NONE && received != MOMENT_NONE};
    int64_t seconds = late.known ? received - due_of(assignment, extension_days) : 0;
    if (seconds > 0) {
        int64_t days = (seconds - 1) / DAY_SECONDS + 1;
        int64_t charged = days > assignment->grace_days ? days - assignment->grace_days : 0;
        // Beyond 100 days there is nothing left to deduct, at any percentage.
        charged = charged > 100 ? 100 : charged;
        late.days = days > INT32_MAX ? INT32_MAX : (int)days;
        late.percent = (int)charged * assignment->late_percent;
        late.percent = late.percent > 100 ? 100 : late.percent;
    }
    return late;
}

int64_t late_points(int64_t points, const struct late *late) {
    return points * (100 - late->percent) / 100;
}

bool assignment_reference_time(const struct assignment *assignment, int extension_days_max,
                               int64_t *ret_time) {
    int days = extension_days_max + assignment->grace_days;
    if (assignment->late_percent > 0) {
        days += (100 + assignment->late_percent - 1) / assignment->late_percent - 1;
    }
    if (assignment->show_reference == REFERENCE_NEVER) {
        return false;
    }
    *ret_time = assignment->show_reference == REFERENCE_ALWAYS ? 0 : due_of(assignment, days);
    return true;
}
