// A line is measured in columns and cut in bytes: a character may have several bytes, and a colour
// has no columns.
//
// Plain ANSI sequences, which every modern terminal supports (ECMA-48, xterm's control sequences),
// on the alternate screen, so that the shell's text reappears afterwards.
//
// ^C and ^Z arrive as keys: as signals they would also reach make, which would report them as
// errors.
//
// inotify on the folder, because an editor that renames replaces the file itself.
#include "app/watch/screen.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "app/terminal/terminal.h"
#include "app/terminal/terminal_text.h"
#include "base/basics.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/words.h"

// A character or a colour.
struct unit {
    size_t bytes;
    int columns;
    bool drawn;  // false: an escape character that begins no colour
};

static struct unit unit_of(const char *at) {
    struct unit unit = {.bytes = 1, .drawn = true};
    if (at[0] == '\033') {
        size_t digits = at[1] == '[' ? strspn(at + 2, "0123456789;") : 0;
        unit.drawn = digits > 0 && at[2 + digits] == 'm';
        unit.bytes = unit.drawn ? digits + 3 : 1;
    } else {
        (void)utf8_read(at, &unit.bytes);
        unit.columns = terminal_columns(at, unit.bytes);
    }
    return unit;
}

// The column at which the rest of a line continues: the column of the text after the last gap of
// two or more blanks, as in a table, or else the column of the first text.
static int hang_of(const char *line, size_t length, int columns) {
    int hang = 0;
    int column = 0;
    int blanks = 2;  // an indentation is a gap of any width
    for (size_t at = 0; at < length && column <= columns * 2 / 3;) {
        struct unit unit = unit_of(line + at);
        if (line[at] == ' ') {
            blanks++;
        } else if (unit.columns > 0) {
            hang = blanks >= 2 ? column : hang;
            blanks = 0;
        }
        column += unit.columns;
        at += unit.bytes;
    }
    return hang;
}

// The bytes of a line that fit.
static size_t cut_of(const char *line, size_t length, int columns) {
    for (size_t at = 0; at < length;) {
        struct unit unit = unit_of(line + at);
        columns -= unit.columns;
        if (columns < 0) {
            return at;
        }
        at += unit.bytes;
    }
    return length;
}

// The same up to a blank, unless that would leave half of the line empty.
static size_t fit_of(const char *line, size_t length, int columns) {
    size_t cut = cut_of(line, length, columns);
    size_t blank = cut;
    while (cut < length && blank > cut / 2 && line[blank] != ' ') {
        blank--;
    }
    return blank > cut / 2 ? blank : cut;
}

static void units_write(FILE *out, const char *text, size_t length) {
    for (size_t at = 0; at < length;) {
        struct unit unit = unit_of(text + at);
        if (unit.drawn) {
            (void)fwrite(text + at, 1, unit.bytes, out);
        }
        at += unit.bytes;
    }
}

// Code that a compiler quotes, with marks in the next line: it is cut instead.
static bool is_quoted(const char *line) {
    line += strspn(line, " ");
    return strncmp(line, FOREIGN_MARK, strlen(FOREIGN_MARK)) == 0;
}

static void line_fold(FILE *out, const char *line, size_t length, int columns) {
    if (is_quoted(line)) {
        units_write(out, line, cut_of(line, length, columns));
        (void)fputc('\n', out);
        return;
    }
    int hang = hang_of(line, length, columns);
    size_t fit = fit_of(line, length, columns);
    size_t next = fit + strspn(line + fit, " ");
    while (fit > 0 && next < length) {
        units_write(out, line, fit);
        (void)fprintf(out, "\n%*s", hang, "");
        line += next;
        length -= next;
        fit = fit_of(line, length, columns - hang);
        next = fit + strspn(line + fit, " ");
    }
    units_write(out, line, fit > 0 ? fit : length);
    (void)fputc('\n', out);
}

char *folded(const char *text, int columns) {
    char *lines = NULL;
    size_t bytes = 0;
    FILE *out = xopen_memstream(&lines, &bytes);
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        line_fold(out, text, length, columns);
        text += length + (text[length] == '\n');
    }
    xclose_memstream(out, &lines);
    return lines;
}

#define ESCAPE_WAIT_MS 20  // for the rest of a key's sequence, also over a slow line
#define COLUMNS_LEAST  20
#define ROWS_LEAST     8

static const char enter[] = "\033[?1049h\033[?25l\033[?7l";  // its own screen, no cursor, no wrap
static const char leave[] = "\033[?7h\033[?25h\033[?1049l";

// Handlers take no arguments.
static struct termios before;
static volatile sig_atomic_t is_taken;

static char *drawn;  // the present content of the terminal; NULL: unknown

// Calls only functions that a signal handler may call.
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

// The part of the body that fits; if that is not all, the last line says so.
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
            return;  // the terminal is gone; reading the next key will show this
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
    if (!screen->is_drawn) {
        return;
    }
    FILE *out = xopen_memstream(&text, &bytes);
    char *head = folded(picture->head, screen->columns);
    char *body = folded(picture->body, screen->columns);
    char *foot = folded(picture->foot, screen->columns);
    struct picture all = {.head = head, .body = body, .from = picture->from, .foot = foot};
    picture_draw(out, screen->rows, &all);
    picture->from = all.from;
    free(head);
    free(body);
    free(foot);
    xclose_memstream(out, &text);
    // Writing the same text again would remove a student's mouse selection.
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

#define EVENTS_BYTES 4096

static bool folder_watch(int inotify, const char *folder) {
    return inotify_add_watch(inotify, folder, IN_CLOSE_WRITE | IN_MOVED_TO) >= 0;
}

void saves_open(const struct places *places, const struct course *course, char *const *file,
                struct saves *ret_saves) {
    char folder[PATH_BYTES_MAX];
    struct saves saves = {.places = places, .course = course, .file = file};
    saves.inotify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    bool all = saves.inotify >= 0 && (file || (!place_make(places, folder, NULL, "student") &&
                                               folder_watch(saves.inotify, folder)));
    for (int i = 0; all && file && file[i]; i++) {
        const char *name = strrchr(file[i], '/');
        int length = name ? (int)(name + 1 - file[i]) : 0;
        all = !path_make(folder, NULL, "%.*s.", length, file[i]) &&
              folder_watch(saves.inotify, folder);
    }
    if (!all) {
        fd_close(&saves.inotify);
    }
    *ret_saves = saves;
}

void saves_close(struct saves *saves) {
    fd_close(&saves->inotify);
}

// The exercise of "tiled.cu".
static int exercise_of(const struct course *course, const char *file) {
    for (int i = 0; i < course->exercise_count; i++) {
        const char *name = course->exercises[i].name;
        size_t length = strlen(name);
        if (strncmp(file, name, length) == 0 && strcmp(file + length, ".cu") == 0) {
            return i;
        }
    }
    return -1;
}

// A source or a header, and no file of an editor's own.
static bool is_source(const char *file) {
    static const char *const kinds[] = {".cu", ".cuh", ".cpp", ".cc",  ".cxx",
                                        ".c",  ".h",   ".hpp", ".hxx", ".inl"};
    const char *kind = file[0] == '.' ? NULL : strrchr(file, '.');
    for (size_t i = 0; kind && i < COUNT(kinds); i++) {
        if (strcmp(kind, kinds[i]) == 0) {
            return true;
        }
    }
    return false;
}

int saves_take(struct saves *saves) {
    _Alignas(struct inotify_event) char events[EVENTS_BYTES];
    int saved = -1;
    ssize_t bytes = 0;
    while (saves->inotify >= 0 && (bytes = read(saves->inotify, events, sizeof events)) > 0) {
        for (size_t at = 0; at < (size_t)bytes;) {
            struct inotify_event event;
            memcpy(&event, events + at, sizeof event);
            const char *name = events + at + sizeof event;
            int found = event.len == 0 ? -1
                        : saves->file  ? is_source(name) - 1
                                       : exercise_of(saves->course, name);
            saved = found >= 0 ? found : saved;
            at += sizeof event + event.len;
        }
    }
    return saved;
}

static void state_add(const char *path, struct file_state *state) {
    struct stat info;
    if (stat(path, &info) == 0) {
        state->changed_ns +=
            (uint64_t)info.st_mtim.tv_sec * 1000000000 + (uint64_t)info.st_mtim.tv_nsec;
        state->bytes += (uint64_t)info.st_size;
        state->node += info.st_ino;
    }
}

static struct file_state state_of(const struct saves *saves, const struct exercise *exercise) {
    char path[PATH_BYTES_MAX];
    struct file_state state = {.changed_ns = 0};
    for (int i = 0; saves->file && saves->file[i]; i++) {
        state_add(saves->file[i], &state);
    }
    if (!saves->file && !place_make(saves->places, path, NULL, "student/%s.cu", exercise->name)) {
        state_add(path, &state);
    }
    return state;
}

void saves_note(struct saves *saves, const struct exercise *exercise) {
    saves->seen = state_of(saves, exercise);
}

bool saves_missed(const struct saves *saves, const struct exercise *exercise) {
    struct file_state now = state_of(saves, exercise);
    return now.changed_ns != saves->seen.changed_ns || now.bytes != saves->seen.bytes ||
           now.node != saves->seen.node;
}
