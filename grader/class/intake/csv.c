// The text is parsed in place: quotes are removed, and each cell ends in a NUL.
#include "class/intake/csv.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"

#define BYTE_ORDER_MARK "\xef\xbb\xbf"

struct parse {
    const char *path;
    char separator;
    char *at;
    int line;
    int cell_count;
    int cell_room;
    int row_room;
    struct csv *csv;
    struct error *err;
};

static enum status encoding_check(const char *path, const char *text, size_t bytes,
                                  struct error *err) {
    int line = 1;
    size_t length = 0;
    if (text_starts(text, "\xff\xfe") || text_starts(text, "\xfe\xff")) {
        return fail(err, STATUS_BAD_DATA,
                    "%s:1: this is UTF-16; save it as CSV in UTF-8 (Excel: CSV UTF-8)", path);
    }
    for (const char *at = text; at < text + bytes; at += length) {
        bool bad = utf8_read(at, &length) == UTF8_BAD && length == 1;
        if (bad || *at == '\0') {
            return fail(err, STATUS_BAD_DATA,
                        "%s:%d: not UTF-8; save it as CSV in UTF-8 (Excel: CSV UTF-8)", path, line);
        }
        line += *at == '\n';
    }
    return STATUS_OK;
}

// The most frequent of , ; and tab in the header, outside quotes.
static char separator_find(const char *text) {
    int commas = 0;
    int semicolons = 0;
    int tabs = 0;
    bool quoted = false;
    for (const char *at = text; *at != '\0' && (quoted || (*at != '\n' && *at != '\r')); at++) {
        quoted = quoted != (*at == '"');
        commas += !quoted && *at == ',';
        semicolons += !quoted && *at == ';';
        tabs += !quoted && *at == '\t';
    }
    return semicolons > commas && semicolons >= tabs ? ';' : tabs > commas ? '\t' : ',';
}

static bool is_end(const struct parse *parse, char letter) {
    return letter == '\0' || letter == '\n' || letter == '\r' || letter == parse->separator;
}

// Takes a quoted cell; `at` is after its opening quote.
static enum status quoted_take(struct parse *parse, const char **ret_cell) {
    char *to = parse->at;
    int line = parse->line;
    *ret_cell = to;
    for (;; parse->at++) {
        if (*parse->at == '\0') {
            return fail(parse->err, STATUS_BAD_DATA, "%s:%d: the quote that opens here has no end",
                        parse->path, line);
        }
        if (*parse->at == '"' && *++parse->at != '"') {
            break;
        }
        parse->line += *parse->at == '\n';
        *to++ = *parse->at;
    }
    parse->at += strspn(parse->at, " ");
    if (!is_end(parse, *parse->at)) {
        return fail(parse->err, STATUS_BAD_DATA, "%s:%d: text follows a closing quote", parse->path,
                    parse->line);
    }
    *to = '\0';  // at the closing quote or before it
    return STATUS_OK;
}

// The cell's end is marked later, because it may be the separator, which is still to be read.
static void plain_take(struct parse *parse, char **ret_end, const char **ret_cell) {
    *ret_cell = parse->at;
    while (!is_end(parse, *parse->at)) {
        parse->at++;
    }
    *ret_end = parse->at;
    while (*ret_end > *ret_cell && (*ret_end)[-1] == ' ') {
        *ret_end -= 1;
    }
}

// Steps over a separator or a line end; true if the row goes on.
static bool end_step(struct parse *parse) {
    bool more = *parse->at == parse->separator;
    bool line_end = *parse->at == '\r' || *parse->at == '\n';
    parse->at += text_starts(parse->at, "\r\n") ? 2 : more || line_end;
    parse->line += line_end;
    return more;
}

static enum status cell_keep(struct parse *parse, const char *cell) {
    if (parse->cell_count == parse->cell_room) {
        int room = parse->cell_room == 0 ? 256 : 2 * parse->cell_room;
        const char **grown = realloc(parse->csv->cells, (size_t)room * sizeof *grown);
        if (!grown) {
            return fail(parse->err, STATUS_NO_MEMORY, "%s: no memory", parse->path);
        }
        parse->csv->cells = grown;
        parse->cell_room = room;
    }
    parse->csv->cells[parse->cell_count++] = cell;
    return STATUS_OK;
}

// Takes the cells of one row and its line end.
static enum status cells_take(struct parse *parse, int *ret_count, bool *ret_blank) {
    enum status status = STATUS_OK;
    *ret_count = 0;
    *ret_blank = true;
    for (bool more = true; more && !status;) {
        const char *cell = NULL;
        char *end = NULL;
        parse->at += strspn(parse->at, " ");
        if (*parse->at == '"') {
            parse->at++;
            status = quoted_take(parse, &cell);
        } else {
            plain_take(parse, &end, &cell);
        }
        if (!status && ++*ret_count > CSV_COLUMNS_MAX) {
            status = fail(parse->err, STATUS_BAD_DATA, "%s:%d: more than %d columns", parse->path,
                          parse->line, CSV_COLUMNS_MAX);
        }
        if (!status) {
            status = cell_keep(parse, cell);
            more = end_step(parse);
            if (end) {
                *end = '\0';
            }
            *ret_blank = *ret_blank && *cell == '\0';
        }
    }
    return status;
}

static enum status row_keep(struct parse *parse, int line, int count) {
    struct csv *csv = parse->csv;
    if (csv->row_count == CSV_ROWS_MAX) {
        return fail(parse->err, STATUS_BAD_DATA, "%s:%d: more than %d rows", parse->path, line,
                    CSV_ROWS_MAX);
    }
    if (csv->row_count == parse->row_room) {
        int room = parse->row_room == 0 ? 64 : 2 * parse->row_room;
        struct csv_row *grown = realloc(csv->row, (size_t)room * sizeof *grown);
        if (!grown) {
            return fail(parse->err, STATUS_NO_MEMORY, "%s: no memory", parse->path);
        }
        csv->row = grown;
        parse->row_room = room;
    }
    csv->row[csv->row_count++] = (struct csv_row){.line = line, .count = count};
    return STATUS_OK;
}

static enum status rows_take(struct parse *parse) {
    enum status status = STATUS_OK;
    while (!status && *parse->at != '\0') {
        int line = parse->line;
        int count = 0;
        bool blank = true;
        status = cells_take(parse, &count, &blank);
        if (!status && blank) {
            parse->cell_count -= count;
        } else if (!status) {
            status = row_keep(parse, line, count);
        }
    }
    if (!status && parse->csv->row_count == 0) {
        status = fail(parse->err, STATUS_BAD_DATA, "%s: empty; its first line names the columns",
                      parse->path);
    }
    const char **cell = parse->csv->cells;  // moves no more
    for (int i = 0; !status && i < parse->csv->row_count; i++) {
        parse->csv->row[i].cell = cell;
        cell += parse->csv->row[i].count;
    }
    return status;
}

enum status csv_parse(const char *path, char *text, size_t bytes, struct csv *ret_csv,
                      struct error *err) {
    struct csv csv = {.text = text};
    char *start = text + (text_starts(text, BYTE_ORDER_MARK) ? strlen(BYTE_ORDER_MARK) : 0);
    struct parse parse = {.path = path,
                          .separator = separator_find(start),
                          .at = start,
                          .line = 1,
                          .csv = &csv,
                          .err = err};
    enum status status = encoding_check(path, text, bytes, err);
    if (!status) {
        status = rows_take(&parse);
    }
    if (status) {
        csv_done(&csv);
        return status;
    }
    *ret_csv = csv;
    return STATUS_OK;
}

enum status csv_read(const char *path, struct csv *ret_csv, struct error *err) {
    char *text = NULL;
    size_t bytes = 0;
    enum status status = file_read(path, FILE_BYTES_MAX, &text, &bytes, err);
    return status ? status : csv_parse(path, text, bytes, ret_csv, err);
}

void csv_done(struct csv *csv) {
    free(csv->row);
    free(csv->cells);
    free(csv->text);
    *csv = (struct csv){0};
}

const char *csv_cell(const struct csv_row *row, int column) {
    return column >= 0 && column < row->count ? row->cell[column] : "";
}
