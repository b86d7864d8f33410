// A terminal that is drawn as a whole, and its keys; text that is folded to its width; and the
// kernel file that was saved.  If standard input or output is something else, there are no keys,
// and text is written one after the other.
#ifndef APP_WATCH_SCREEN_H
#define APP_WATCH_SCREEN_H

#include <stdbool.h>

#include "app/paths.h"
#include "exercise/exercise.h"

// The text with every line that is wider than `columns` (at least 20) broken, at a blank if there
// is one.  The rest is indented like the last column of a table, or else like the line.  Colours
// (ESC [ 1 ; 3 1 m) take no room; other escape characters are left out.  Code
// that a compiler quotes is cut.
// Owns  the caller frees it.
char *folded(const char *text, int columns);

struct screen {
    bool is_drawn;  // else a stream of text without keys
    bool colors;
    int columns, rows;
};

// The content of a screen.  Lines may hold colours; those that are too long are folded.
struct picture {
    const char *head;  // lines at the top
    const char *body;  // lines in between, as many as fit
    int from;          // number of its first folded line (corrected by screen_draw)
    const char *foot;  // lines at the bottom
};

// Takes over the terminal.  However the program ends (but by SIGKILL), the terminal is restored.
void screen_open(struct screen *ret_screen);

// Returns it, perhaps only for a while.
void screen_close(const struct screen *screen);

// Takes it over again, as after screen_close and a stop of the program.
void screen_again(struct screen *screen);

// Call it in a child, whose end must not restore the parent's terminal.
void screen_disown(void);

// Reads the size again.  True if it has changed.
bool screen_measure(struct screen *screen);

void screen_draw(const struct screen *screen, struct picture *picture);

// Keys besides the characters themselves.
enum screen_key {
    KEYS_NONE = 0,
    KEYS_INTERRUPT = 3,  // ^C
    KEYS_STOP = 26,      // ^Z
    KEYS_END = -1,       // the terminal is gone
    KEYS_UP = 256,
    KEYS_DOWN,
    KEYS_PAGE_UP,
    KEYS_PAGE_DOWN,
};

// The next key that was pressed, or KEYS_NONE.
int screen_key(void);

// Distinguishes two states of files without reading them: sums of their figures, which may wrap.
struct file_state {
    uint64_t changed_ns;
    uint64_t bytes;
    uint64_t node;
};

struct saves {
    const struct places *places;
    const struct course *course;
    char *const *file;  // of a program, ending in NULL; NULL: the exercises are watched
    int inotify;  // -1: not available, as on some network file systems; files are looked at instead
    struct file_state seen;  // of the watched exercise or program
};

// Watches the student's folder, or those of the program's files.  Borrows all of it.
// Owns: the caller ends with saves_close.
void saves_open(const struct places *places, const struct course *course, char *const *file,
                struct saves *ret_saves);
void saves_close(struct saves *saves);

// The exercise whose file was saved since the last call, by its place in the course; for a program
// 0 if a source or header was saved in the folder of one of its files.  -1: none.  An
// editor may write a file in place, or rename a new one over it.  Reads all events of inotify.
int saves_take(struct saves *saves);

// Notes the state of an exercise's file, or of the program's, which is about to be judged.
void saves_note(struct saves *saves, const struct exercise *exercise);

// True if that file has another state now: for file systems that report nothing.
bool saves_missed(const struct saves *saves, const struct exercise *exercise);

#endif
