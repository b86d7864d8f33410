// A TODO is recognised by its comment, `// TODO 1 …`.  Texts are compared line by line, without the
// blanks around a line and without comments, so that neither an editor's line ends, its indentation
// nor the language of the comments count.
#include "exercise/todo.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/text.h"
#include "exercise/stub.h"

#define TODO_MARK "// TODO "

struct todo_line {
    const char *text;
    size_t length;  // without blanks at both ends
};

// The line without its blanks.
static struct todo_line line_trim(const char *start, size_t length) {
    size_t indent = strspn(start, " \t\r");
    while (length > indent && isspace((unsigned char)start[length - 1])) {
        length--;
    }
    return (struct todo_line){start + indent, length > indent ? length - indent : 0};
}

// The number of the TODO whose comment this line is; 0 for other lines.
static int todo_number(const struct todo_line *line) {
    const char *digit = line->text + strlen(TODO_MARK);
    bool marked = line->length > strlen(TODO_MARK) && text_starts(line->text, TODO_MARK);
    return marked && *digit >= '1' && *digit <= '9' ? *digit - '0' : 0;
}

// Takes the next line that has code or a TODO, without its comment.  False at the end.
static bool line_next(const char **at, struct todo_line *line) {
    size_t length;
    for (const char *start; (start = text_line(at, &length)) != NULL;) {
        *line = line_trim(start, length);
        line->length =
            todo_number(line) > 0 ? strlen(TODO_MARK) + 1 : line_code(line->text, line->length);
        if (line->length > 0) {
            return true;
        }
    }
    return false;
}

// The line after the comment of a TODO.  False if there is none.
static bool line_after(const char *text, int number, struct todo_line *ret_line) {
    struct todo_line line;
    while (line_next(&text, &line)) {
        if (todo_number(&line) == number) {
            return line_next(&text, ret_line);
        }
    }
    return false;
}

int todo_open(const char *stub, const char *text, int ret_number[TODOS_MAX]) {
    int count = 0;
    for (int number = 1; number <= TODOS_MAX; number++) {
        struct todo_line before;
        struct todo_line now;
        if (line_after(stub, number, &before) && line_after(text, number, &now) &&
            before.length == now.length && memcmp(before.text, now.text, now.length) == 0) {
            ret_number[count++] = number;
        }
    }
    return count;
}

int todo_at(const char *text, int line) {
    int todo = 0;
    size_t length;
    const char *start;
    for (int i = 1; i <= line && (start = text_line(&text, &length)) != NULL; i++) {
        struct todo_line now = line_trim(start, length);
        int number = todo_number(&now);
        todo = number > 0 ? number : todo;
    }
    return todo;
}
