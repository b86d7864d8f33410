// A terminal that is drawn as a whole, and its keys.  If standard input or output is something
// else, there are no keys, and text is written one after the other.
#ifndef APP_WATCH_SCREEN_H
#define APP_WATCH_SCREEN_H

#include <stdbool.h>

struct screen {
    bool is_drawn;  // else a stream of text without keys
    bool colors;
    int columns, rows;
};

// What a screen shows.  Lines may hold colours; those that are too long are folded.
struct picture {
    const char *head;  // lines at the top
    const char *body;  // lines between them, as many as there is room for …
    int from;          // … from this folded one on (set right by screen_draw)
    const char *foot;  // lines at the bottom
};

// Takes over the terminal.  However the program ends (but by SIGKILL), the terminal is restored.
void screen_open(struct screen *ret_screen);

// Gives it back, also for a while.
void screen_close(const struct screen *screen);

// Takes it over again, as after screen_close and a stop of the program.
void screen_again(struct screen *screen);

// In a child, whose end must not restore the terminal of its parent.
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

#endif
