// Only people read this; no program does, and nothing depends on it.
#include "app/terminal/progress.h"

#include <string.h>
#include <sys/ioctl.h>

#include "app/terminal/terminal_text.h"
#include "base/basics.h"
#include "base/file.h"
#include "base/text.h"
#include "base/words.h"
#include "exercise/exercise.h"

#define EARLY_MS   3000  // too early for a guess
#define EARLY      0.05
#define MOMENT_S   3
#define LOG_MS     30000  // of silence before the next line in a log
#define CASES_PART 0.2    // the cases' share of an exercise that is timed or counted too

void progress_begin(struct progress *progress, FILE *out, int exercise_count, bool has_speed) {
    uint64_t now = clock_ms();
    *progress = (struct progress){.out = out,
                                  .is_terminal = out && stream_obeys(out),
                                  .exercise_count = exercise_count,
                                  .has_speed = has_speed,
                                  .began_ms = now,
                                  .told_ms = now};
}

double progress_share(const struct progress *progress, enum judge_stage stage, int done,
                      int total) {
    double part = total > 0 ? (double)done / total : 0.0;
    if (progress->has_speed) {
        part = stage == STAGE_CASES ? CASES_PART * part : CASES_PART + (1.0 - CASES_PART) * part;
    }
    return progress->exercise_count > 0
               ? (progress->exercises_done + part) / progress->exercise_count
               : 0.0;
}

void progress_left(uint64_t elapsed_ms, double share, char text[PROGRESS_TEXT_MAX]) {
    text[0] = '\0';
    if (elapsed_ms < EARLY_MS || share < EARLY || share >= 1.0) {
        return;
    }
    double seconds = (double)elapsed_ms / 1000.0 * (1.0 - share) / share;
    if (seconds < MOMENT_S) {
        return;
    }
    if (seconds < 90) {
        int fives = ((int)seconds + 4) / 5 * 5;  // a guess should not look precise
        (void)snprintf(text, PROGRESS_TEXT_MAX, _("about %d s left"), fives);
    } else {
        (void)snprintf(text, PROGRESS_TEXT_MAX, _("about %.0f min left"), seconds / 60);
    }
}

// Columns for text: one is left free, as a full line may move the cursor to the next one.  The
// terminal is asked each time, as its window may be resized.
static int room_of(const struct progress *progress) {
    struct winsize size = {.ws_col = 0};
    bool known = progress->is_terminal && ioctl(fileno(progress->out), TIOCGWINSZ, &size) == 0;
    return known && size.ws_col > 0 ? size.ws_col - 1 : PROGRESS_TEXT_MAX;
}

void progress_step(struct progress *progress, const struct exercise *exercise,
                   enum judge_stage stage, int done, int total) {
    char left[PROGRESS_TEXT_MAX];
    char text[PROGRESS_TEXT_MAX];
    if (!progress->out) {
        return;
    }
    if (progress->exercise && progress->exercise != exercise) {
        progress->exercises_done++;
    }
    progress->exercise = exercise;
    uint64_t now = clock_ms();
    if (!progress->is_terminal && now - progress->told_ms < LOG_MS) {
        return;
    }
    progress->told_ms = now;
    double share = progress_share(progress, stage, done, total);
    share = share > progress->share ? share : progress->share;  // a second device starts over
    progress->share = share;
    progress_left(now - progress->began_ms, share, left);
    (void)snprintf(text, sizeof text,
                   stage == STAGE_CASES ? _("%3.0f %%  %.30s: case %d of %d")
                                        : _("%3.0f %%  %.30s: speed, step %d of %d"),
                   100 * share, exercise->name, done < total ? done + 1 : total, total);
    int room = room_of(progress);
    size_t used = strlen(text);
    if (left[0] != '\0') {
        (void)snprintf(text + used, sizeof text - used, _(", %s"), left);
    }
    text_end(text);
    if (terminal_columns(text, strlen(text)) > room) {
        text[used] = '\0';  // the guess goes first
        text[terminal_cut(text, room)] = '\0';
    }
    (void)fprintf(progress->out, progress->is_terminal ? "\r\033[K%s" : "%s\n", text);
    (void)fflush(progress->out);
}

void progress_clear(const struct progress *progress) {
    if (progress->out && progress->is_terminal) {
        (void)fputs("\r\033[K", progress->out);
        (void)fflush(progress->out);
    }
}
