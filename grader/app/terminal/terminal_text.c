// The width of text on a terminal, and the places for line breaks.  wcwidth knows only the C locale
// here, so this file lists the wide characters.
//
// Text for people.  Anything from a submission or a compiler is cleaned before it is written: an
// escape sequence in a comment must not repaint the screen of an instructor.
#include "app/terminal/terminal_text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "app/paths.h"
#include "app/terminal/terminal.h"
#include "base/basics.h"
#include "base/file.h"
#include "base/text.h"
#include "base/words.h"

// Source: East Asian Width of the Unicode Standard (UAX #11), W and F, in whole blocks.
static const struct {
    uint32_t first, last;
} wide[] = {
    {0x1100, 0x115f}, {0x2e80, 0x303e},   {0x3041, 0x4dbf},   {0x4e00, 0xa4cf},
    {0xac00, 0xd7a3}, {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},
    {0xffe0, 0xffe6}, {0x1f300, 0x1f64f}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd},
};

static int columns_of(uint32_t character) {
    for (size_t i = 0; i < COUNT(wide); i++) {
        if (character >= wide[i].first && character <= wide[i].last) {
            return 2;
        }
    }
    return 1;
}

int terminal_columns(const char *text, size_t bytes) {
    int columns = 0;
    size_t step = 0;
    for (size_t i = 0; i < bytes; i += step) {
        columns += columns_of(utf8_read(text + i, &step));
    }
    return columns;
}

size_t terminal_cut(const char *text, int columns) {
    size_t used = 0;
    size_t step = 0;
    for (; text[used] != '\0'; used += step) {
        columns -= columns_of(utf8_read(text + used, &step));
        if (columns < 0) {
            break;
        }
    }
    return used;
}

static bool is_in(const char *list, const char *at, size_t bytes) {
    char text[8] = "";
    memcpy(text, at, bytes);
    return strstr(list, text) != NULL;
}

bool terminal_joins(const char *before, const char *after) {
    static const char marks[] = "，。；：、！？）》”」』】（《“「『【";
    size_t start = strlen(before);
    while (start > 0 && ((uint8_t)before[--start] & 0xc0) == 0x80) {
    }
    size_t last = 0;
    size_t first = 0;
    bool was_wide = columns_of(utf8_read(before + start, &last)) == 2;
    bool is_wide = columns_of(utf8_read(after, &first)) == 2;
    return (was_wide && (is_wide || is_in(marks, before + start, last))) ||
           (is_wide && is_in(marks, after, first));
}

size_t terminal_word(const char *text) {
    size_t used = 0;
    size_t step = 0;
    bool opened = true;  // only an opening mark so far, which stays with the text after it
    while (text[used] != '\0' && text[used] != ' ' && text[used] != '\n') {
        bool is_wide = columns_of(utf8_read(text + used, &step)) == 2;
        bool closes = is_in("，。；：、！？）》”」』】", text + used, step);
        if (!opened && is_wide && !closes) {
            break;
        }
        used += step;
        opened = is_in("（《“「『【", text + used - step, step);
        if (is_wide && !opened) {
            // punctuation that may not begin a line stays with the character
            while (text[used] != '\0' && columns_of(utf8_read(text + used, &step)) == 2 &&
                   is_in("，。；：、！？）》”」』】", text + used, step)) {
                used += step;
            }
            return used;
        }
    }
    return used;
}

void terminal_left(const struct terminal *terminal, const char *text, int columns) {
    int room = columns - terminal_columns(text, strlen(text));
    (void)fprintf(terminal->out, "%s%*s", text, room > 0 ? room : 0, "");
}

void terminal_right(const struct terminal *terminal, const char *text, int columns) {
    int room = columns - terminal_columns(text, strlen(text));
    (void)fprintf(terminal->out, "%*s%s", room > 0 ? room : 0, "", text);
}

// Set by terminal_pretend.
static struct {
    int columns;  // 0: not set
    bool colors;
    bool keys;
} pretended;

void terminal_pretend(int columns, bool colors, bool keys) {
    pretended.columns = columns;
    pretended.colors = colors;
    pretended.keys = keys;
}

int terminal_width(int columns) {
    int width = columns > 0 ? columns : TERMINAL_COLUMNS;
    width = width < TERMINAL_COLUMNS_MAX ? width : TERMINAL_COLUMNS_MAX;
    return width > TERMINAL_COLUMNS_MIN ? width : TERMINAL_COLUMNS_MIN;
}

static int width_of(FILE *out) {
    struct winsize size = {.ws_col = 0};
    bool known = isatty(fileno(out)) && ioctl(fileno(out), TIOCGWINSZ, &size) == 0;
    return terminal_width(known ? size.ws_col : 0);
}

struct terminal terminal_of(FILE *out, const char *folder, const char *options) {
    const char *no_color = getenv("NO_COLOR");
    bool colors = stream_obeys(out) && (!no_color || *no_color == '\0');
    bool pretends = pretended.columns > 0;
    return (struct terminal){.out = out,
                             .colors = pretends ? pretended.colors : colors,
                             .folder = folder,
                             .root = ".",
                             .options = options,
                             .columns = pretends ? pretended.columns : width_of(out),
                             .keys = pretended.keys};
}

int terminal_columns_of(const struct terminal *terminal) {
    return terminal->columns > 0 ? terminal->columns : TERMINAL_COLUMNS;
}

// The bytes of an escape sequence at `at`: ESC [ … letter, ESC ] … BEL, or ESC and one more.
static size_t escape_bytes(const char *at) {
    if (at[1] == '[') {
        size_t length = 2;
        while (at[length] >= 0x20 && at[length] < 0x40) {
            length++;
        }
        return at[length] == '\0' ? length : length + 1;
    }
    if (at[1] == ']') {
        size_t length = 2 + strcspn(at + 2, "\a\033\n");
        return at[length] == '\a' ? length + 1 : length;
    }
    return at[1] == '\0' ? 1 : 2;
}

// "##[" and "##word[" begin a command of a CI system wherever they are in a line.  GitHub's runner:
// src/Runner.Common/ActionCommand.cs, TryParse.
static void commands_break(char *text) {
    for (char *at = text; (at = strstr(at, "##")) != NULL;) {
        at += strspn(at, "#");
        char *bracket = at;
        while (isalpha((unsigned char)*bracket)) {
            bracket++;
        }
        if (*bracket == '[') {
            *bracket = '?';
        }
    }
}

void terminal_clean(const char *text, char *ret_text, size_t bytes_max) {
    size_t used = 0;
    const char *at = text;
    while (*at != '\0' && used + 1 < bytes_max) {
        if (*at == '\033') {
            at += escape_bytes(at);
        } else {
            ret_text[used++] = *at++;
        }
    }
    bool cut = *at != '\0';
    ret_text[used] = '\0';
    if (cut) {
        text_end(ret_text);
    }
    text_clean(ret_text);
    commands_break(ret_text);
}

void terminal_clean_name(const char *name, char *ret_text, size_t bytes_max) {
    terminal_clean(name, ret_text, bytes_max);
    for (char *at = ret_text; (at = strchr(at, '\n')) != NULL;) {
        *at = '?';
    }
}

// True if a line that begins here could begin with "::", after blanks of any kind: GitHub takes it
// for a command (TryParseV2 in the same file).
static bool begins_command(const char *at) {
    while (*at == ' ' || (unsigned char)*at >= 0x80) {
        at++;
    }
    return at[0] == ':' && at[1] == ':';
}

void terminal_color(const struct terminal *terminal, enum color color, const char *format, ...) {
    static const char *const codes[] = {[COLOR_BOLD] = "1",
                                        [COLOR_RED] = "1;31",
                                        [COLOR_GREEN] = "1;32",
                                        [COLOR_YELLOW] = "1;33",
                                        [COLOR_DIM] = "2"};
    char text[TEXT_BYTES_MAX];
    char clean[TEXT_BYTES_MAX];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, text_of(format), arguments);
    va_end(arguments);
    text_end(text);
    terminal_clean(text, clean, sizeof clean);
    if (terminal->colors) {
        (void)fprintf(terminal->out, "\033[%sm%s\033[0m", codes[color], clean);
    } else {
        (void)fputs(clean, terminal->out);
    }
}

// The bytes of the next word; "row = 1" is one.
static size_t word_with_value(const char *at) {
    static const char is[] = " = ";
    size_t word = terminal_word(at);
    while (strncmp(at + word, is, strlen(is)) == 0 && terminal_word(at + word + strlen(is)) > 0) {
        word += strlen(is) + terminal_word(at + word + strlen(is));
    }
    return word;
}

void terminal_wrap(const struct terminal *terminal, int indent, const char *text) {
    char clean[TEXT_BYTES_MAX];
    char plain[WORDS_PLAIN_MAX];
    terminal_clean(words_plain(text, plain), clean, sizeof clean);
    int column = 0;
    for (const char *at = clean; *at != '\0';) {
        if (*at == '\n') {
            (void)fputc('\n', terminal->out);
            column = 0;
            at++;
            continue;
        }
        size_t blanks = strspn(at, " ");
        size_t word = word_with_value(at + blanks);
        if (word == 0) {
            at += blanks;
            continue;
        }
        int width = terminal_columns(at + blanks, word);
        int gap = blanks > 0;  // Chinese has none between its words
        if (column > 0 && column + gap + width > terminal_columns_of(terminal)) {
            (void)fputc('\n', terminal->out);
            column = 0;
        }
        if (column == 0) {
            bool marked = begins_command(at + blanks);
            (void)fprintf(terminal->out, "%*s%s", indent, "", marked ? FOREIGN_MARK : "");
            column = indent + (marked ? FOREIGN_MARK_COLUMNS : 0);
        } else {
            (void)fprintf(terminal->out, "%*s", gap, "");
            column += gap;
        }
        (void)fwrite(at + blanks, 1, word, terminal->out);
        column += width;
        at += blanks + word;
    }
    if (column > 0) {
        (void)fputc('\n', terminal->out);
    }
}

void terminal_hang(const struct terminal *terminal, int column, const char *text) {
    char clean[TEXT_BYTES_MAX];
    char plain[WORDS_PLAIN_MAX];
    terminal_clean(words_plain(text, plain), clean, sizeof clean);
    int at_column = column;
    for (const char *at = clean; *at != '\0';) {
        int gap = *at == ' ' && at_column > column;
        at += strspn(at, " \n");
        size_t word = terminal_word(at);
        int width = terminal_columns(at, word);
        if (at_column > column && at_column + gap + width > terminal_columns_of(terminal)) {
            (void)fprintf(terminal->out, "\n%*s", column, "");
            at_column = column;
            gap = 0;
        }
        (void)fprintf(terminal->out, "%*s%.*s", gap, "", (int)word, at);
        at_column += gap + width;
        at += word;
    }
    (void)fputc('\n', terminal->out);
}

void terminal_label_begin(const struct terminal *terminal, const char *label) {
    (void)fputs("  ", terminal->out);
    terminal_left(terminal, label, LABEL_COLUMNS);
    (void)fputc(' ', terminal->out);
}

void terminal_label(const struct terminal *terminal, const char *label, const char *text) {
    char clean[TEXT_BYTES_MAX];
    terminal_clean(text, clean, sizeof clean);
    terminal_label_begin(terminal, label);
    (void)fprintf(terminal->out, "%s\n", clean);
}

void terminal_read(const struct terminal *terminal, const char *page) {
    char spoken[PATH_BYTES_MAX];
    page_in_language(terminal->root, spoken, "%s", page);
    terminal_label(terminal, C_("label", "read"), spoken);
}

void terminal_error(const char *text) {
    char clean[TEXT_BYTES_MAX];
    terminal_clean(text, clean, sizeof clean);
    for (const char *at = clean; at;) {
        size_t length = strcspn(at, "\n");
        (void)fprintf(stderr, "%s%.*s\n", at == clean ? "tilegrade: " : FOREIGN_MARK, (int)length,
                      at);
        at = at[length] == '\n' ? at + length + 1 : NULL;
    }
}
