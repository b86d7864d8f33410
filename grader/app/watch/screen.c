// Plain ANSI sequences, as every terminal of today knows them (ECMA-48, xterm's control sequences),
// on the alternate screen, so that the shell's text is there again afterwards.
//
// ^C and ^Z arrive as keys: as signals they would also reach make, which would report them as
// errors.
#include "app/watch/screen.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "app/terminal/terminal.h"
#include "app/watch/fold.h"
#include "base/array.h"
#include "base/file.h"
#include "base/translate.h"

#define ESCAPE_WAIT_MS 20  // for the rest of a key's sequence, also over a slow line
#define COLUMNS_LEAST  20
#define ROWS_LEAST     8

static const char enter[] = "\033[?1049h\033[?25l\033[?7l";  // its own screen, no cursor, no wrap
static const char leave[] = "\033[?7h\033[?25h\033[?1049l";

// Handlers take no arguments.
static struct termios before;
static volatile sig_atomic_t is_taken;

static char *drawn;  // what the terminal shows; NULL: not known

// Calls only what a signal handler may call.
static void terminal_restore(void) {
    if (is_taken) {
        is_taken = 0;
        (void)!write(STDOUT_FILENO, leave, sizeof leave - 1);
        (void)tcsetattr(STDIN_FILENO, TCSANOW, &before);
    }
}

static void crash_handle(int number) {
    terminal_restore();
    (void)raise(number);  // with its usual effect, by SA_RESETHAND
}

static void terminal_take(void) {
    struct termios raw = before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG | IEXTEN);
    raw.c_cc[VMIN] = 0;
    raw.c_cc[VTIME] = 0;
    is_taken = 1;
    (void)tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    (void)!write(STDOUT_FILENO, enter, sizeof enter - 1);
}

void screen_open(struct screen *ret_screen) {
    static const int crashes[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    struct sigaction handle = {.sa_handler = crash_handle, .sa_flags = (int)SA_RESETHAND};
    const char *kind = getenv("TERM");
    struct screen screen = {.colors = terminal_of(stdout, "", "").colors};
    screen.is_drawn = isatty(STDIN_FILENO) && stream_obeys(stdout) && kind && kind[0] != '\0' &&
                      tcgetattr(STDIN_FILENO, &before) == 0;
    if (screen.is_drawn) {
        (void)atexit(terminal_restore);
        for (size_t i = 0; i < COUNT(crashes); i++) {
            (void)sigaction(crashes[i], &handle, NULL);
        }
        terminal_take();
    }
    (void)screen_measure(&screen);
    *ret_screen = screen;
}

void screen_close(const struct screen *screen) {
    if (screen->is_drawn) {
        terminal_restore();
    }
}

void screen_again(struct screen *screen) {
    if (screen->is_drawn) {
        terminal_take();
        free(drawn);
        drawn = NULL;
        (void)screen_measure(screen);
    }
}

void screen_disown(void) {
    is_taken = 0;
}

bool screen_measure(struct screen *screen) {
    struct winsize size = {.ws_col = 0};
    int columns = TERMINAL_COLUMNS;
    int rows = 24;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0) {
        columns = size.ws_col > COLUMNS_LEAST ? size.ws_col : COLUMNS_LEAST;
        rows = size.ws_row > ROWS_LEAST ? size.ws_row : ROWS_LEAST;
    }
    bool changed = columns != screen->columns || rows != screen->rows;
    screen->columns = columns;
    screen->rows = rows;
    if (changed) {
        free(drawn);
        drawn = NULL;
    }
    return changed;
}

static int lines_in(const char *text) {
    int lines = 0;
    for (; *text != '\0'; text += strcspn(text, "\n"), text += *text == '\n') {
        lines++;
    }
    return lines;
}

// Writes the line that begins at `text`.  Returns its bytes, with its end.
static size_t line_draw(FILE *out, const char *text) {
    size_t length = strcspn(text, "\n");
    // The line is cleared first: after a full one this would erase the last character.
    (void)fprintf(out, "\033[K%.*s\033[0m\r\n", (int)length, text);
    return length + (text[length] == '\n');
}

static const char *lines_draw(FILE *out, const char *text, int count) {
    for (int i = 0; i < count && *text != '\0'; i++) {
        text += line_draw(out, text);
    }
    return text;
}

// The part of the body that there is room for; if that is not all, the last line says so.
static void body_draw(FILE *out, struct picture *picture, int room) {
    int lines = lines_in(picture->body);
    int shown = lines > room ? room - 1 : lines;
    int last = lines - shown;
    const char *text = picture->body;
    picture->from = picture->from < last ? picture->from : last;
    picture->from = picture->from > 0 ? picture->from : 0;
    for (int i = 0; i < picture->from; i++) {
        text += strcspn(text, "\n") + 1;
    }
    (void)lines_draw(out, text, shown);
    for (int i = shown; i < room - (lines > room); i++) {
        (void)fputs("\033[K\r\n", out);
    }
    if (lines > room) {
        char more[128];
        (void)snprintf(more, sizeof more, _("  -- lines %d to %d of %d: space, arrows --\n"),
                       picture->from + 1, picture->from + shown, lines);
        (void)line_draw(out, more);
    }
}

static void all_write(const char *text, size_t bytes) {
    while (bytes > 0) {
        ssize_t written = write(STDOUT_FILENO, text, bytes);
        if (written < 0 && errno != EINTR && errno != EAGAIN) {
            return;  // the terminal is gone, which the next key shows
        }
        text += written > 0 ? written : 0;
        bytes -= written > 0 ? (size_t)written : 0;
    }
}

static void picture_draw(FILE *out, int rows, struct picture *picture) {
    int foot = lines_in(picture->foot);
    int room = rows - lines_in(picture->head) - foot;
    (void)fputs("\033[H", out);
    (void)lines_draw(out, picture->head, rows);
    body_draw(out, picture, room > 2 ? room : 2);
    (void)lines_draw(out, picture->foot, foot);
}

void screen_draw(const struct screen *screen, struct picture *picture) {
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = screen->is_drawn ? open_memstream(&text, &bytes) : NULL;
    char *head = folded(picture->head, screen->columns);
    char *body = folded(picture->body, screen->columns);
    char *foot = folded(picture->foot, screen->columns);
    if (out && head && body && foot) {
        struct picture all = {.head = head, .body = body, .from = picture->from, .foot = foot};
        picture_draw(out, screen->rows, &all);
        picture->from = all.from;
    }
    free(head);
    free(body);
    free(foot);
    if (!out || !stream_close(out, &text)) {
        return;
    }
    // The same again would take away what a student has marked with the mouse.
    if (text[0] != '\0' && (!drawn || strcmp(drawn, text) != 0)) {
        all_write(text, strlen(text) - 2);  // no new line after the last one, which would scroll
    }
    free(drawn);
    drawn = text;
}

// One byte; -1: none came in time, -2: the terminal is gone.
static int byte_read(int wait_ms) {
    struct pollfd keys = {.fd = STDIN_FILENO, .events = POLLIN};
    unsigned char byte = 0;
    int ready = poll(&keys, 1, wait_ms);
    if (ready <= 0) {
        return -1;
    }
    ssize_t got = keys.revents & POLLIN ? read(STDIN_FILENO, &byte, 1) : 0;
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) {
        return -1;
    }
    return got == 1 ? byte : -2;
}

// The rest of ESC [ A, ESC O A or ESC [ 5 ~.
static int sequence_read(void) {
    int first = byte_read(ESCAPE_WAIT_MS);
    int last = first == '[' || first == 'O' ? byte_read(ESCAPE_WAIT_MS) : 0;
    int number = 0;
    while ((last >= '0' && last <= '9') || last == ';') {
        number = last;
        last = byte_read(ESCAPE_WAIT_MS);
    }
    if (first < 0) {
        return 27;
    }
    switch (last) {
    case 'A':
        return KEYS_UP;
    case 'B':
        return KEYS_DOWN;
    case '~':
        return number == '5' ? KEYS_PAGE_UP : number == '6' ? KEYS_PAGE_DOWN : KEYS_NONE;
    default:
        return KEYS_NONE;
    }
}

int screen_key(void) {
    int byte = byte_read(0);
    if (byte == -2) {
        return KEYS_END;
    }
    return byte == 27 ? sequence_read() : byte < 0 || byte > 127 ? KEYS_NONE : byte;
}
