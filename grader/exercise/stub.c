// Stubs are cut line by line. A mark is alone on its line; everything else is copied byte for byte.
//
// "Is this file still the stub?" is asked of C++ tokens, not of bytes: a new comment or line end
// does not count as work.  Two files are equal only if a compiler would see the same tokens, so the
// end of a directive counts too, and so does the blank that tells `#define F (x)` from `#define
// F(x)`.  In doubt the files count as different: calling a finished kernel untouched would be worse
// than the opposite.
//
// A TODO is recognised by its comment, `// TODO 1 …`. Texts are compared line by line, without the
// blanks around a line and without comments, so that neither an editor's line ends, its indentation
// nor the language of the comments count.
#include "exercise/stub.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/basics.h"
#include "base/cpp_lexer.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/words.h"

#define GLUE_PLACE 4  // the third token after #: is there a blank before it?

static struct cpp_lexer lexer_of(const char *text, size_t bytes) {
    size_t mark = bytes >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;  // byte order mark
    return cpp_open(text + mark, bytes - mark);
}

bool token_streams_equal(const char *a, size_t a_bytes, const char *b, size_t b_bytes) {
    struct cpp_lexer left = lexer_of(a, a_bytes);
    struct cpp_lexer right = lexer_of(b, b_bytes);
    struct cpp_token x;
    struct cpp_token y;
    int place = 0;  // in a directive, the # being 1; 0 outside
    bool more;
    do {
        more = cpp_next(&left, &x);
        if (cpp_next(&right, &y) != more) {
            return false;
        }
        bool counts = place > 0 || cpp_is_directive(&x) || cpp_is_directive(&y);
        if ((counts && x.fresh != y.fresh) || !cpp_equal(&x, &y)) {
            return false;
        }
        place = cpp_is_directive(&x) ? 1 : x.fresh || place == 0 ? 0 : place + 1;
        if (place == GLUE_PLACE && x.spaced != y.spaced) {
            return false;
        }
    } while (more);
    return true;
}

#define CUTS_MAX 4  // one TODO per idea: three of the lesson, and one of an earlier lesson

enum mark { MARK_NONE, MARK_CUT, MARK_END, MARK_STUB };

// One line: its indentation, and the text after a mark.
struct line {
    const char *at;
    size_t bytes;  // with the line end
    size_t indent_bytes;
    enum mark mark;
    const char *text;   // after the mark and one blank
    size_t text_bytes;  // without the line end
};

// A cutting in progress.
struct cutting {
    const char *path;
    int line_number;
    int cut_count;
    int cut_line;      // of the open cut, 0 outside
    int code_lines;    // lines of solution in it
    struct line todo;  // the line that opened it
    FILE *out;         // the stub
    char *spare;       // replacement text of the open cut
    size_t spare_bytes;
    FILE *spare_out;
    struct error *err;
};

static bool mark_is(const char *at, size_t bytes, const char *mark) {
    size_t length = strlen(mark);
    return bytes >= length && memcmp(at, mark, length) == 0 &&
           (bytes == length || isspace((unsigned char)at[length]));
}

static struct line line_take(const char **rest) {
    size_t bytes = 0;
    struct line line = {.at = text_line(rest, &bytes)};
    line.bytes = (size_t)(*rest - line.at);
    while (bytes > 0 && isspace((unsigned char)line.at[bytes - 1])) {
        bytes--;
    }
    while (line.indent_bytes < bytes && isblank((unsigned char)line.at[line.indent_bytes])) {
        line.indent_bytes++;
    }
    const char *text = line.at + line.indent_bytes;
    size_t text_bytes = bytes - line.indent_bytes;
    static const struct {
        const char *word;
        enum mark mark;
    } marks[] = {{"//@cut", MARK_CUT}, {"//@end", MARK_END}, {"//@stub", MARK_STUB}};
    for (size_t i = 0; i < COUNT(marks); i++) {
        if (mark_is(text, text_bytes, marks[i].word)) {
            line.mark = marks[i].mark;
            size_t skip = strlen(marks[i].word);
            skip += skip < text_bytes ? 1 : 0;
            line.text = text + skip;
            line.text_bytes = text_bytes - skip;
        }
    }
    return line;
}

// A line of solution: more than blanks, a comment or a lone brace.
static bool is_code(const struct line *line) {
    const char *at = line->at + line->indent_bytes;
    size_t bytes = line->bytes - line->indent_bytes;
    while (bytes > 0 && isspace((unsigned char)at[bytes - 1])) {
        bytes--;
    }
    return bytes > 0 && !(bytes >= 2 && at[0] == '/' && at[1] == '/') &&
           !(bytes == 1 && *at == '}');
}

static enum status cut_fail(const struct cutting *cutting, const char *message) {
    return fail(cutting->err, STATUS_BAD_DATA, "%s:%d: %s", cutting->path, cutting->line_number,
                message);
}

// "1 what to do": the number must be the next in order.
static enum status cut_open(struct cutting *cutting, const struct line *line) {
    if (cutting->cut_line != 0) {
        return fail(cutting->err, STATUS_BAD_DATA,
                    "%s:%d: //@cut inside the cut that begins in line %d", cutting->path,
                    cutting->line_number, cutting->cut_line);
    }
    if (cutting->cut_count == CUTS_MAX) {
        return fail(cutting->err, STATUS_BAD_DATA, "%s:%d: more than %d cuts", cutting->path,
                    cutting->line_number, CUTS_MAX);
    }
    if (line->text_bytes < 3 || line->text[0] != '1' + cutting->cut_count || line->text[1] != ' ') {
        return fail(cutting->err, STATUS_BAD_DATA, "%s:%d: expected `//@cut %d what to do`",
                    cutting->path, cutting->line_number, cutting->cut_count + 1);
    }
    cutting->cut_count++;
    cutting->cut_line = cutting->line_number;
    cutting->code_lines = 0;
    cutting->todo = *line;
    cutting->spare_out = xopen_memstream(&cutting->spare, &cutting->spare_bytes);
    return STATUS_OK;
}

static enum status cut_close(struct cutting *cutting) {
    if (cutting->cut_line == 0) {
        return cut_fail(cutting, _("//@end without //@cut"));
    }
    if (cutting->code_lines == 0) {
        return cut_fail(cutting, _("the cut contains no code"));
    }
    xclose_memstream(cutting->spare_out, &cutting->spare);
    cutting->spare_out = NULL;
    const struct line *todo = &cutting->todo;
    (void)fprintf(cutting->out, "%.*s// TODO %c (about %d line%s): %.*s\n", (int)todo->indent_bytes,
                  todo->at, todo->text[0], cutting->code_lines, cutting->code_lines == 1 ? "" : "s",
                  (int)todo->text_bytes - 2, todo->text + 2);
    (void)fputs(cutting->spare, cutting->out);
    free(cutting->spare);
    cutting->spare = NULL;
    cutting->cut_line = 0;
    return STATUS_OK;
}

static enum status line_cut(struct cutting *cutting, const struct line *line) {
    switch (line->mark) {
    case MARK_CUT:
        return cut_open(cutting, line);
    case MARK_END:
        return cut_close(cutting);
    case MARK_STUB:
        if (cutting->cut_line == 0) {
            return cut_fail(cutting, _("//@stub outside a cut"));
        }
        (void)fprintf(cutting->spare_out, "%.*s%.*s\n", (int)line->indent_bytes, line->at,
                      (int)line->text_bytes, line->text);
        return STATUS_OK;
    case MARK_NONE:
        break;
    }
    if (cutting->cut_line == 0) {
        (void)fwrite(line->at, 1, line->bytes, cutting->out);
    } else if (is_code(line)) {
        cutting->code_lines++;
    }
    return STATUS_OK;
}

enum status stub_cut(const char *path, const char *reference, char **ret_stub, struct error *err) {
    char *stub = NULL;
    size_t stub_bytes = 0;
    struct cutting cutting = {.path = path, .err = err};
    enum status status = STATUS_OK;

    cutting.out = xopen_memstream(&stub, &stub_bytes);
    for (const char *rest = reference; *rest != '\0' && !status;) {
        struct line line = line_take(&rest);
        cutting.line_number++;
        status = line_cut(&cutting, &line);
    }
    if (!status && cutting.cut_line != 0) {
        status = fail(err, STATUS_BAD_DATA, "%s:%d: //@cut without //@end", path, cutting.cut_line);
    }
    if (!status && cutting.cut_count == 0) {
        status = fail(err, STATUS_BAD_DATA,
                      "%s: there is no //@cut, so nothing is left for the student to do", path);
    }
    if (cutting.spare_out) {
        (void)fclose(cutting.spare_out);
    }
    free(cutting.spare);
    xclose_memstream(cutting.out, &stub);
    if (status) {
        free(stub);
        return status;
    }
    *ret_stub = stub;
    return STATUS_OK;
}

char *stub_unmark(const char *reference, const char *stub) {
    char *text = xmalloc(strlen(reference) + strlen(stub) + 1);
    size_t used = 0;
    bool is_cut = false;
    for (const char *rest = reference; *rest != '\0';) {
        struct line line = line_take(&rest);
        // Writes a line of the stub for each line that is not cut, for the TODO, and for its
        // replacement lines.
        struct line now = line;
        if (line.mark != MARK_END && !(is_cut && line.mark == MARK_NONE) && *stub != '\0') {
            now = line_take(&stub);
        }
        if (line.mark == MARK_NONE) {
            memcpy(text + used, now.at, now.bytes);
            used += now.bytes;
        }
        is_cut = line.mark == MARK_CUT || (is_cut && line.mark != MARK_END);
    }
    text[used] = '\0';
    return text;
}

// Reads a kernel file of the course itself.
static enum status source_read(const char *path, char **ret_text, struct error *err) {
    char *text = NULL;
    size_t bytes = 0;
    enum status status = file_read(path, SOURCE_BYTES_MAX, &text, &bytes, err);
    if (!status && strlen(text) != bytes) {
        status =
            fail(err, STATUS_BAD_DATA, "%s: contains a NUL byte, so it is not a text file", path);
        free(text);
    }
    if (!status) {
        *ret_text = text;
    }
    return status;
}

enum status stub_of(const struct course *course, const struct exercise *exercise, char **ret_stub,
                    struct error *err) {
    char path[PATH_BYTES_MAX];
    bool exists = false;
    enum status status = path_below(path, err, course->root, "reference/%s.cu", exercise->name);
    if (!status) {
        status = file_exists(path, &exists, err);
    }
    if (status) {
        return status;
    }
    if (!exists) {  // a handout has no references
        status = path_below(path, err, course->root, "%s/stub.cu", exercise->lesson);
        return status ? status : source_read(path, ret_stub, err);
    }
    char *reference = NULL;
    status = source_read(path, &reference, err);
    if (!status) {
        status = stub_cut(path, reference, ret_stub, err);
    }
    free(reference);
    return status;
}

#define TODO_TEXT  "// TODO 1"
#define TODO_BYTES (sizeof TODO_TEXT - 1)

// Bytes of the code of a line: the part before its comment, without trailing blanks.
static size_t line_code(const char *line, size_t bytes) {
    const char *comment = memmem(line, bytes, "//", 2);
    size_t code = comment ? (size_t)(comment - line) : bytes;
    while (code > 0 && isspace((unsigned char)line[code - 1])) {
        code--;
    }
    return code;
}

int stub_line_differs(const char *stub, const char *spoken) {
    for (int number = 1;; number++) {
        size_t bytes = 0;
        size_t spoken_bytes = 0;
        const char *line = text_line(&stub, &bytes);
        const char *said = text_line(&spoken, &spoken_bytes);
        if (!line || !said) {
            return line || said ? number : 0;
        }
        size_t code = line_code(line, bytes);
        const char *todo = memmem(line, bytes, TODO_TEXT, TODO_BYTES - 1);
        const char *said_todo = memmem(said, spoken_bytes, TODO_TEXT, TODO_BYTES - 1);
        if (code != line_code(said, spoken_bytes) || memcmp(line, said, code) != 0 ||
            !todo != !said_todo || (todo && memcmp(todo, said_todo, TODO_BYTES) != 0)) {
            return number;
        }
    }
}

enum status stub_spoken(const struct course *course, const struct exercise *exercise,
                        const char *language, const char *stub, char **ret_spoken,
                        struct error *err) {
    char path[PATH_BYTES_MAX];
    char *spoken = NULL;
    bool exists = false;
    enum status status =
        path_below(path, err, course->root, "%s/stub.%s.cu", exercise->lesson, language);
    if (!status) {
        status = file_exists(path, &exists, err);
    }
    if (!status && exists) {
        status = source_read(path, &spoken, err);
    }
    int line = spoken ? stub_line_differs(stub, spoken) : 0;
    if (line > 0) {
        free(spoken);
        return fail(err, STATUS_BAD_DATA, "%s:%d: line %d of the stub has other code", path, line,
                    line);
    }
    *ret_spoken = spoken;
    return status;
}

enum status stub_in_language(const struct course *course, const struct exercise *exercise,
                             char **ret_stub, struct error *err) {
    char *stub = NULL;
    char *spoken = NULL;
    enum status status = stub_of(course, exercise, &stub, err);
    if (!status) {
        status = stub_spoken(course, exercise, texts_language(), stub, &spoken, err);
        status = status == STATUS_BAD_DATA ? STATUS_OK : status;
    }
    if (spoken || status) {
        free(stub);
    }
    if (!status) {
        *ret_stub = spoken ? spoken : stub;
    }
    return status;
}

#define TODO_MARK "// TODO "

struct todo_line {
    const char *text;
    size_t length;  // without blanks at either end
};

// The line without its blanks.
static struct todo_line line_trim(const char *start, size_t length) {
    size_t indent = strspn(start, " \t\r");
    while (length > indent && isspace((unsigned char)start[length - 1])) {
        length--;
    }
    return (struct todo_line){start + indent, length > indent ? length - indent : 0};
}

// The number of the TODO in this line's comment; 0 for other lines.
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
