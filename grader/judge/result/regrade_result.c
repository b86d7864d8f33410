// Points from a stored result: see regrade_result.h.
#include "judge/result/regrade_result.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/words.h"
#include "judge/model/points.h"
#include "judge/result/json_parts.h"
#include "judge/result/result.h"
#include "measure/stats.h"

// One exercise, in the course and in the stored result.
struct regrading {
    const struct exercise *exercise;
    json_t *stored;
    struct regrade *regrade;
    bool of_class;  // graded with references, so that the maximum includes the points for speed
};

// The points of an exercise without a speed.  Older results, and results of a handout, omit the
// points for speed, which only their maximum shows.
static int64_t whole_points(const struct regrading *regrading, int64_t stored_max) {
    const struct exercise *exercise = regrading->exercise;
    int64_t without_speed = exercise->points_max - exercise->speed_points;
    return regrading->of_class || stored_max > without_speed ? exercise->points_max : without_speed;
}

static enum status incomplete(const struct regrading *regrading, const char *what,
                              struct error *err) {
    return fail(err, STATUS_BAD_DATA, "%s: the result has no %s: it is incomplete",
                regrading->exercise->name, what);
}

static bool size_read(const json_t *array, struct size *ret_size) {
    struct size size = {.m = 0};
    size_t count = json_array_size(array);
    for (size_t i = 0; i < count && i < SIZE_RANK_MAX; i++) {
        const json_t *value = json_array_get(array, i);
        if (!json_is_integer(value) || json_integer_value(value) < 1 ||
            json_integer_value(value) > INT32_MAX) {
            return false;
        }
        size.at[i] = (int32_t)json_integer_value(value);
    }
    *ret_size = size;
    return count >= 1 && count <= SIZE_RANK_MAX;
}

static struct regrade_row *row_add(const struct regrading *regrading) {
    struct regrade *regrade = regrading->regrade;
    struct regrade_row *row = &regrade->row[regrade->row_count++];
    memset(row, 0, sizeof *row);
    (void)snprintf(row->exercise, sizeof row->exercise, "%s", regrading->exercise->name);
    return row;
}

// --- The ratio of one size ----------------------------------------------------------------------

// Converts the samples of both sides to the ratios of their pairs.  Returns 0 if no decision was
// made from such samples.
static int ratios_read(const json_t *speed, double ratios[STATS_SAMPLES_MAX],
                       double reference_ms[STATS_SAMPLES_MAX]) {
    const json_t *student = json_object_get(speed, "student_ms");
    const json_t *reference = json_object_get(speed, "reference_ms");
    size_t count = json_array_size(student);
    if (count != json_array_size(reference) || count > STATS_SAMPLES_MAX ||
        stats_order((int)count) == 0) {
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        double mine = json_number_value(json_array_get(student, i));
        double theirs = json_number_value(json_array_get(reference, i));
        if (!isfinite(mine) || !isfinite(theirs) || mine <= 0.0 || theirs <= 0.0) {
            return 0;
        }
        ratios[i] = theirs / mine;
        reference_ms[i] = theirs;
    }
    return (int)count;
}

static bool counts_read(const json_t *object, struct counts *ret_counts) {
    memset(ret_counts, 0, sizeof *ret_counts);
    if (!json_is_object(object)) {
        return false;
    }
#define COUNT_READ(field, text)                                                                    \
    ret_counts->field = (uint64_t)json_integer_value(json_object_get(object, #field));
    COUNT_FIELDS(COUNT_READ)
#undef COUNT_READ
    return true;
}

// *ret_unsteady: measured, and only the student's kernel is noisy.
static bool ratio_read(const json_t *speed, struct speed_result *now, bool *ret_unsteady) {
    const char *basis = json_string_value(json_object_get(speed, "basis"));
    *ret_unsteady = false;
    if (basis && strcmp(basis, "counted") == 0) {
        if (!counts_read(json_object_get(speed, "counts"), &now->counts) ||
            !counts_read(json_object_get(speed, "reference_counts"), &now->reference_counts)) {
            return false;
        }
        if (json_object_get(speed, "estimated")) {
            now->low = json_number_value(json_object_get(speed, "low"));
            now->high = json_number_value(json_object_get(speed, "high"));
            now->ratio = json_number_value(json_object_get(speed, "ratio"));
            return now->low > 0.0 && now->low <= now->high && isfinite(now->high);
        }
        now->ratio = counted_ratio(&now->counts, &now->reference_counts, &now->metric);
        now->low = now->high = now->ratio;
        return true;
    }
    double ratios[STATS_SAMPLES_MAX];
    double reference_ms[STATS_SAMPLES_MAX];
    int count = ratios_read(speed, ratios, reference_ms);
    if (count == 0) {
        return false;
    }
    now->ratio = stats_median(ratios, count);
    stats_interval(ratios, count, &now->low, &now->high);
    *ret_unsteady = guards_are_unsteady(ratios, reference_ms, count);
    return true;
}

// --- Speed --------------------------------------------------------------------------------------

// The values in the file.
static struct speed_result stored_read(const json_t *object) {
    struct speed_result stored = {.points = json_integer_value(json_object_get(object, "points")),
                                  .points_max =
                                      json_integer_value(json_object_get(object, "points_max"))};
#define RATIO_READ(field) stored.field = json_number_value(json_object_get(object, #field));
    SPEED_RATIOS(RATIO_READ)
#undef RATIO_READ
    return stored;
}

static void speed_put(json_t *object, const struct speed_result *now) {
    (void)json_object_set_new(object, "verdict", json_string(speed_verdict_name(now->verdict)));
#define RATIO_PUT(field) (void)json_object_set_new(object, #field, json_real(now->field));
    SPEED_RATIOS(RATIO_PUT)
#undef RATIO_PUT
    (void)json_object_set_new(object, "points", json_integer(now->points));
    (void)json_object_set_new(object, "points_max", json_integer(now->points_max));
}

// Why the points differ from those in the file.
static void why_make(const struct speed_result *stored, const struct speed_result *now,
                     char why[REGRADE_WHY_BYTES]) {
    if (now->ratio != stored->ratio || now->low != stored->low || now->high != stored->high) {
        (void)snprintf(why, REGRADE_WHY_BYTES,
                       _("the file says ratio %.6g, its samples and counts give %.6g"),
                       stored->ratio, now->ratio);
    } else if (now->full != stored->full || now->zero != stored->zero) {
        (void)snprintf(why, REGRADE_WHY_BYTES,
                       _("full and zero are %g and %g now, and were %g and %g"), now->full,
                       now->zero, stored->full, stored->zero);
    } else if (now->points_max != stored->points_max) {
        (void)snprintf(why, REGRADE_WHY_BYTES,
                       _("the size is now worth a different share of the points"));
    } else if (now->points != stored->points) {
        (void)snprintf(why, REGRADE_WHY_BYTES,
                       _("the points in the file are not those that its ratio gives"));
    }
}

// One size of the course's list; the file must have it.
static enum status speed_regrade(const struct regrading *regrading,
                                 const struct exercise_speed *list, int count, int index,
                                 struct error *err) {
    const struct exercise *exercise = regrading->exercise;
    const struct exercise_speed *asked = &list[index];
    struct speed_result now = {.full = asked->full, .zero = asked->zero};
    json_t *speed = NULL;
    char text[SIZE_TEXT_MAX];
    bool unsteady = false;
    size_t at = 0;
    json_array_foreach(json_object_get(regrading->stored, "speed"), at, speed) {
        struct size size;
        if (size_read(json_object_get(speed, "size"), &size) && size_equal(size, asked->size)) {
            break;
        }
    }
    size_format(asked->size, text);
    if (at == json_array_size(json_object_get(regrading->stored, "speed"))) {
        return fail(err, STATUS_BAD_DATA,
                    "%s: the speed at %s counts now, but the result has no samples for this size: "
                    "grade the submission again",
                    exercise->name, text);
    }
    if (!ratio_read(speed, &now, &unsteady)) {
        return incomplete(regrading, _("whole samples or counts"), err);
    }
    const struct speed_result stored = stored_read(speed);
    now.verdict = score_time_verdict(now.low, now.high, now.full, unsteady);
    now.points_max = score_part(exercise->speed_points, list, count, index);
    now.points = score_speed(now.points_max, now.verdict, now.ratio, now.full, now.zero);
    struct regrade_row *row = row_add(regrading);
    row->size = asked->size;
    row->stored = stored.points;
    row->stored_max = stored.points_max;
    row->points = now.points;
    row->points_max = now.points_max;
    why_make(&stored, &now, row->why);
    speed_put(speed, &now);
    return STATUS_OK;
}

// --- Exercises ----------------------------------------------------------------------------------

// The list of sizes that the file's speeds belong to; NULL if speed was not judged.
static const struct exercise_speed *list_choose(const struct regrading *regrading, int *ret_count) {
    const json_t *first = json_array_get(json_object_get(regrading->stored, "speed"), 0);
    const char *basis = json_string_value(json_object_get(first, "basis"));
    bool counted = basis && strcmp(basis, "counted") == 0;
    *ret_count = !first    ? 0
                 : counted ? regrading->exercise->counted_count
                           : regrading->exercise->timed_count;
    return counted ? regrading->exercise->counted : regrading->exercise->timed;
}

// The points for a right result: the points in the file minus those for speed.
static void correct_regrade(const struct regrading *regrading, enum verdict verdict,
                            bool speed_counts) {
    const struct exercise *exercise = regrading->exercise;
    struct regrade_row *row = row_add(regrading);
    const json_t *speed = NULL;
    size_t at = 0;
    row->stored = json_integer_value(json_object_get(regrading->stored, "points"));
    row->stored_max = json_integer_value(json_object_get(regrading->stored, "points_max"));
    row->points = score_correctness(exercise, verdict);
    row->points_max = exercise->points_max - exercise->speed_points;
    json_array_foreach(json_object_get(regrading->stored, "speed"), at, speed) {
        if (speed_counts) {
            row->stored -= json_integer_value(json_object_get(speed, "points"));
            row->stored_max -= json_integer_value(json_object_get(speed, "points_max"));
        }
    }
    if (!speed_counts) {
        row->points_max = whole_points(regrading, row->stored_max);
    }
    if (row->points != row->stored || row->points_max != row->stored_max) {
        (void)snprintf(row->why, sizeof row->why,
                       _("being right is now worth a different number of points"));
    }
}

// Writes the points that stay open, unless the result is older and has none.
static void open_put(const struct regrading *regrading, int64_t points_open) {
    if (json_object_get(regrading->stored, "points_open")) {
        regrading->regrade->points_open += points_open;
        (void)json_object_set_new(regrading->stored, "points_open", json_integer(points_open));
    }
}

// An exercise that was not judged gives no points.  The maximum of an older result lacks its
// points.
static void open_regrade(const struct regrading *regrading) {
    int64_t stored_max = json_integer_value(json_object_get(regrading->stored, "points_max"));
    if (stored_max == 0) {
        return;
    }
    struct regrade_row *row = row_add(regrading);
    row->open = true;
    row->stored_max = stored_max;
    row->points_max = whole_points(regrading, stored_max);
    if (row->points_max != stored_max) {
        (void)snprintf(row->why, sizeof row->why, "%s",
                       _("being right is now worth a different number of points"));
        regrading->regrade->differs = true;
    }
    regrading->regrade->points_max += row->points_max;
    (void)json_object_set_new(regrading->stored, "points_max", json_integer(row->points_max));
    open_put(regrading, row->points_max);
}

static enum status exercise_regrade(const struct regrading *regrading, struct error *err) {
    struct regrade *regrade = regrading->regrade;
    const char *name = json_string_value(json_object_get(regrading->stored, "verdict"));
    enum verdict verdict;
    int count = 0;
    if (!name || !verdict_parse(name, &verdict)) {
        return incomplete(regrading, "verdict", err);
    }
    if (!json_is_true(json_object_get(regrading->stored, "complete"))) {
        open_regrade(regrading);
        return STATUS_OK;
    }
    int first = regrade->row_count;
    const struct exercise_speed *list = list_choose(regrading, &count);
    bool speed_counts = verdict == VERDICT_PASS && count > 0;
    correct_regrade(regrading, verdict, speed_counts);
    enum status status = STATUS_OK;
    for (int i = 0; i < count && speed_counts && !status; i++) {
        status = speed_regrade(regrading, list, count, i, err);
    }
    int64_t points = 0;
    int64_t points_max = 0;
    for (int i = first; i < regrade->row_count && !status; i++) {
        points += regrade->row[i].points;
        points_max += regrade->row[i].points_max;
        regrade->differs |= regrade->row[i].why[0] != '\0';
    }
    regrade->points += points;
    regrade->points_max += points_max;
    json_int_t stored_open = json_integer_value(json_object_get(regrading->stored, "points_open"));
    (void)json_object_set_new(regrading->stored, "points", json_integer(points));
    (void)json_object_set_new(regrading->stored, "points_max", json_integer(points_max));
    open_put(regrading, stored_open > 0 ? regrading->exercise->speed_points : 0);
    return status;
}

// --- Answers -------------------------------------------------------------------------------------

static const struct question_page *page_find(const struct course *course, const json_t *answer) {
    const char *section = json_string_value(json_object_get(answer, "section"));
    for (int i = 0; i < course->page_count; i++) {
        if (section && strcmp(course->pages[i].name, section) == 0) {
            return &course->pages[i];
        }
    }
    return NULL;
}

// The number of questions of that section in the file.
static int section_count(const json_t *list, const char *section) {
    const json_t *answer = NULL;
    size_t at = 0;
    int count = 0;
    json_array_foreach(list, at, answer) {
        const char *own = json_string_value(json_object_get(answer, "section"));
        count += own && strcmp(own, section) == 0;
    }
    return count;
}

// The points of the answers: the file says which answers are right, the assignment what they are
// worth.
static void answers_regrade(const struct course *course, json_t *result, struct regrade *regrade) {
    json_t *answers = json_object_get(result, "answers");
    json_t *list = json_object_get(answers, "list");
    json_t *answer = NULL;
    size_t at = 0;
    if (!answers) {
        return;
    }
    struct regrade_row *row = &regrade->row[regrade->row_count++];
    *row = (struct regrade_row){.exercise = "answers",
                                .stored = json_integer_value(json_object_get(answers, "points")),
                                .stored_max =
                                    json_integer_value(json_object_get(answers, "points_max"))};
    bool open = json_integer_value(json_object_get(answers, "points_open")) > 0;
    json_array_foreach(list, at, answer) {
        const struct question_page *page = page_find(course, answer);
        int64_t number = json_integer_value(json_object_get(answer, "number"));
        int64_t points_max = 0;
        if (page) {
            int64_t count = section_count(list, page->name);
            points_max =
                page->points_max * number / count - page->points_max * (number - 1) / count;
        }
        int64_t points = json_is_true(json_object_get(answer, "right")) ? points_max : 0;
        row->points += points;
        row->points_max += points_max;
        (void)json_object_set_new(answer, "points", json_integer(points));
        (void)json_object_set_new(answer, "points_max", json_integer(points_max));
    }
    row->open = open;
    if (row->points != row->stored || row->points_max != row->stored_max) {
        (void)snprintf(row->why, sizeof row->why, "%s",
                       _("answers are now worth a different number of points"));
        regrade->differs = true;
    }
    int64_t points_open = open ? row->points_max : 0;
    regrade->points += row->points;
    regrade->points_max += row->points_max;
    regrade->points_open += points_open;
    (void)json_object_set_new(answers, "points", json_integer(row->points));
    (void)json_object_set_new(answers, "points_max", json_integer(row->points_max));
    (void)json_object_set_new(answers, "points_open", json_integer(points_open));
}

enum status regrade_result(const struct course *course, json_t *result, struct regrade *ret_regrade,
                           struct error *err) {
    const char *schema = json_string_value(json_object_get(result, "schema"));
    json_t *stored = NULL;
    size_t at = 0;
    if (!schema || !result_is_known(schema)) {
        return fail(err, STATUS_BAD_DATA, "this is not a result of tilegrade (schema %s)",
                    RESULT_SCHEMA);
    }
    bool of_class = course->has_references && json_object_get(result, "job");
    memset(ret_regrade, 0, sizeof *ret_regrade);
    json_array_foreach(json_object_get(result, "exercises"), at, stored) {
        const char *name = json_string_value(json_object_get(stored, "name"));
        const struct exercise *exercise = name ? course_find(course, name) : NULL;
        if (!exercise || at >= EXERCISES_MAX) {
            return fail(err, STATUS_BAD_DATA, "the course has no exercise '%.64s' any more",
                        name ? name : "");
        }
        const struct regrading regrading = {exercise, stored, ret_regrade, of_class};
        enum status judged = exercise_regrade(&regrading, err);
        if (judged) {
            return judged;
        }
    }
    answers_regrade(course, result, ret_regrade);
    ret_regrade->stored = json_integer_value(json_object_get(result, "points"));
    ret_regrade->stored_max = json_integer_value(json_object_get(result, "points_max"));
    ret_regrade->differs |= ret_regrade->stored != ret_regrade->points ||
                            ret_regrade->stored_max != ret_regrade->points_max;
    (void)json_object_set_new(result, "points", json_integer(ret_regrade->points));
    (void)json_object_set_new(result, "points_max", json_integer(ret_regrade->points_max));
    if (json_object_get(result, "points_open")) {
        (void)json_object_set_new(result, "points_open", json_integer(ret_regrade->points_open));
    }
    return STATUS_OK;
}
