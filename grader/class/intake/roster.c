// Columns are found by their names, which each platform writes in its own way; then each row is
// checked and becomes a person.
#include "class/intake/roster.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/text.h"
#include "base/words.h"
#include "class/intake/csv.h"

#define HEADER_BYTES       64
#define EXTENSION_DAYS_MAX 3650
#define UNUSED_SHOWN       5

// Columns beyond the keys of a person.
enum column {
    COLUMN_ID = KEY_COUNT,
    COLUMN_NAME,
    COLUMN_FIRST_NAME,
    COLUMN_LAST_NAME,
    COLUMN_MAIL,
    COLUMN_SECTION,
    COLUMN_EXTENSION,
    COLUMN_RECEIVED,
    COLUMN_COUNT
};

// Names of columns in lower case, with '_' for blanks: ours, and those of Canvas' gradebook,
// Moodle's grading worksheet and participants, Gradescope's roster, GitHub Classroom's and
// Classroom 50's.
static const struct {
    const char *name;
    int column;
} known[] = {
    {"id", COLUMN_ID},
    {"sid", COLUMN_ID},
    {"student_id", COLUMN_ID},
    {"id_number", COLUMN_ID},
    {"idnumber", COLUMN_ID},
    {"name", COLUMN_NAME},
    {"full_name", COLUMN_NAME},
    {"student", COLUMN_NAME},
    {"first_name", COLUMN_FIRST_NAME},
    {"last_name", COLUMN_LAST_NAME},
    {"surname", COLUMN_LAST_NAME},
    {"mail", COLUMN_MAIL},
    {"email", COLUMN_MAIL},
    {"email_address", COLUMN_MAIL},
    {"section", COLUMN_SECTION},
    {"sections", COLUMN_SECTION},
    {"canvas_id", KEY_CANVAS_ID},
    {"sis_user_id", KEY_SIS_USER_ID},
    {"sis_login_id", KEY_SIS_LOGIN_ID},
    {"moodle_id", KEY_MOODLE_ID},
    {"identifier", KEY_MOODLE_ID},
    {"username", KEY_USERNAME},
    {"github", KEY_GITHUB},
    {"github_username", KEY_GITHUB},
    {"extension_days", COLUMN_EXTENSION},
    {"received", COLUMN_RECEIVED},
};

struct reading {
    const char *path;
    const struct csv *csv;
    int column[COLUMN_COUNT];  // its place in the table, or -1
    struct roster *roster;
    struct error *err;
};

static void header_fold(const char *header, char folded[HEADER_BYTES]) {
    size_t used = 0;
    for (; *header != '\0' && used + 1 < HEADER_BYTES; header++) {
        bool blank = *header == ' ' || *header == '-';
        folded[used++] = blank ? '_' : (char)tolower((unsigned char)*header);
    }
    folded[used] = '\0';
}

static int column_find(const char *header) {
    char folded[HEADER_BYTES];
    header_fold(header, folded);
    for (size_t i = 0; i < COUNT(known); i++) {
        if (strcmp(folded, known[i].name) == 0) {
            return known[i].column;
        }
    }
    return -1;
}

// Says which columns mean nothing here, the first few by name.
static void unused_note(struct roster *roster, const char *header, int number) {
    size_t used = strlen(roster->unused);
    if (number <= UNUSED_SHOWN && used + 4 < sizeof roster->unused) {
        (void)snprintf(roster->unused + used, sizeof roster->unused - used, "%s%.30s",
                       used > 0 ? ", " : "", header);
        text_end(roster->unused);
    } else if (number == UNUSED_SHOWN + 1 && used + 6 < sizeof roster->unused) {
        memcpy(roster->unused + used, ", …", sizeof ", …");
    }
    text_clean(roster->unused);
}

static enum status grade_add(struct roster *roster, const char *header, struct error *err) {
    size_t bytes = ((size_t)roster->grade_count + 1) * sizeof *roster->grade;
    char **grown = realloc(roster->grade, bytes);
    char *copy = strdup(header);
    roster->grade = grown ? grown : roster->grade;
    if (!grown || !copy) {
        free(copy);
        return fail(err, STATUS_NO_MEMORY, "no memory for the class");
    }
    text_clean(copy);
    roster->grade[roster->grade_count++] = copy;
    return STATUS_OK;
}

static enum status other_column(struct reading *reading, const char *header, int *unused) {
    struct roster *roster = reading->roster;
    if (roster->is_canvas) {
        return grade_add(roster, header, reading->err);
    }
    unused_note(roster, header, ++*unused);
    return STATUS_OK;
}

static enum status header_read(struct reading *reading) {
    const struct csv_row *header = &reading->csv->row[0];
    int unused = 0;
    reading->roster->is_canvas = strcasecmp(csv_cell(header, 0), "Student") == 0;
    for (int i = 0; i < COLUMN_COUNT; i++) {
        reading->column[i] = -1;
    }
    for (int i = 0; i < header->count; i++) {
        int column = column_find(header->cell[i]);
        if (column < 0 && header->cell[i][0] != '\0') {
            enum status status = other_column(reading, header->cell[i], &unused);
            if (status) {
                return status;
            }
        } else if (column >= 0 && reading->column[column] >= 0) {
            return fail(reading->err, STATUS_BAD_DATA,
                        "%s:%d: the columns '%s' and '%s' are the same", reading->path,
                        header->line, header->cell[reading->column[column]], header->cell[i]);
        } else if (column >= 0) {
            reading->column[column] = i;
        }
    }
    // In Canvas' gradebook, ID is Canvas' own number.
    if (reading->column[COLUMN_ID] >= 0 && reading->column[KEY_CANVAS_ID] < 0 &&
        reading->roster->is_canvas) {
        reading->column[KEY_CANVAS_ID] = reading->column[COLUMN_ID];
        reading->column[COLUMN_ID] = -1;
    }
    return STATUS_OK;
}

// The columns that an id is taken from: the first one in which a row has a text.
static const int id_columns[] = {COLUMN_ID,   KEY_SIS_LOGIN_ID, KEY_USERNAME, KEY_SIS_USER_ID,
                                 COLUMN_MAIL, KEY_CANVAS_ID,    KEY_GITHUB};

// Where no column is an id, the name is one.
static bool has_id_column(const struct reading *reading) {
    bool found = false;
    for (size_t i = 0; i < COUNT(id_columns); i++) {
        found = found || reading->column[id_columns[i]] >= 0;
    }
    return found;
}

static enum status id_columns_check(const struct reading *reading) {
    if (has_id_column(reading) || reading->column[COLUMN_NAME] >= 0 ||
        reading->column[COLUMN_LAST_NAME] >= 0) {
        return STATUS_OK;
    }
    return fail(reading->err, STATUS_BAD_DATA,
                "%s:%d: no column is called id, name or mail, but '%.40s'; the first line names "
                "the columns, such as id,name,mail",
                reading->path, reading->csv->row[0].line, csv_cell(&reading->csv->row[0], 0));
}

static const char *cell_of(const struct reading *reading, const struct csv_row *row, int column) {
    return csv_cell(row, reading->column[column]);
}

// A text for people, or NULL if the cell is empty.
static bool text_take(const char *cell, char **ret_text) {
    *ret_text = *cell != '\0' ? strdup(cell) : NULL;
    if (*ret_text) {
        text_clean(*ret_text);
    }
    return *cell == '\0' || *ret_text;
}

static void name_join(const struct reading *reading, const struct csv_row *row,
                      char joined[2 * ERROR_TEXT_MAX]) {
    const char *whole = cell_of(reading, row, COLUMN_NAME);
    const char *first = cell_of(reading, row, COLUMN_FIRST_NAME);
    const char *last = cell_of(reading, row, COLUMN_LAST_NAME);
    if (*whole != '\0') {
        (void)snprintf(joined, 2 * ERROR_TEXT_MAX, "%.1000s", whole);
    } else {
        (void)snprintf(joined, 2 * ERROR_TEXT_MAX, "%.1000s%s%.1000s", first,
                       *first != '\0' && *last != '\0' ? " " : "", last);
    }
}

static enum status texts_take(const struct reading *reading, const struct csv_row *row,
                              const char *id, const char *name, struct person *person) {
    bool taken = text_take(id, &person->id) && text_take(name, &person->name) &&
                 text_take(cell_of(reading, row, COLUMN_MAIL), &person->mail) &&
                 text_take(cell_of(reading, row, COLUMN_SECTION), &person->section);
    for (int i = 0; taken && i < KEY_COUNT; i++) {
        const char *cell = cell_of(reading, row, i);
        if (i == KEY_MOODLE_ID && text_starts(cell, "Participant ")) {
            cell += strlen("Participant ");
        }
        taken = text_take(cell, &person->key[i]);
    }
    return taken ? STATUS_OK : fail(reading->err, STATUS_NO_MEMORY, "no memory for the class");
}

static enum status late_take(const struct reading *reading, const struct csv_row *row,
                             struct person *person) {
    const char *days = cell_of(reading, row, COLUMN_EXTENSION);
    const char *received = cell_of(reading, row, COLUMN_RECEIVED);
    size_t digits = strspn(days, "0123456789");
    long count = digits < 6 ? strtol(days, NULL, 10) : EXTENSION_DAYS_MAX + 1;
    if (days[digits] != '\0' || count > EXTENSION_DAYS_MAX) {
        return fail(reading->err, STATUS_BAD_DATA,
                    "%s:%d: extension_days is '%s'; write whole days, at most %d", reading->path,
                    row->line, days, EXTENSION_DAYS_MAX);
    }
    person->extension_days = (int)count;
    person->received = MOMENT_NONE;
    if (*received != '\0' && !moment_parse(received, &person->received)) {
        return fail(reading->err, STATUS_BAD_DATA,
                    "%s:%d: received is '%s'; write date, time and offset from UTC, such as "
                    "2026-11-30T22:10:00+01:00",
                    reading->path, row->line, received);
    }
    return STATUS_OK;
}

static enum status row_read(struct reading *reading, const struct csv_row *row) {
    struct roster *roster = reading->roster;
    char name[2 * ERROR_TEXT_MAX];
    name_join(reading, row, name);
    const char *id = has_id_column(reading) ? "" : name;
    for (size_t i = 0; i < COUNT(id_columns) && *id == '\0'; i++) {
        id = cell_of(reading, row, id_columns[i]);
    }
    const char *fault = person_id_fault(id);
    if (fault) {
        return fail(reading->err, STATUS_BAD_DATA, "%s:%d: '%.100s' cannot be an id: %s",
                    reading->path, row->line, id, _(fault));
    }
    struct person *person = &roster->person[roster->count++];
    enum status status = texts_take(reading, row, id, name, person);
    return status ? status : late_take(reading, row, person);
}

static int by_id(const void *left, const void *right) {
    const struct person *const *a = left;
    const struct person *const *b = right;
    return strcmp((*a)->id, (*b)->id);
}

static enum status twins_find(const struct reading *reading) {
    const struct roster *roster = reading->roster;
    const struct person **sorted = calloc((size_t)roster->count + 1, sizeof *sorted);
    enum status status =
        sorted ? STATUS_OK : fail(reading->err, STATUS_NO_MEMORY, "no memory for the class");
    for (int i = 0; sorted && i < roster->count; i++) {
        sorted[i] = &roster->person[i];
    }
    if (sorted) {
        qsort(sorted, (size_t)roster->count, sizeof *sorted, by_id);
    }
    for (int i = 1; !status && i < roster->count; i++) {
        if (strcmp(sorted[i - 1]->id, sorted[i]->id) == 0) {
            status = fail(reading->err, STATUS_BAD_DATA, "%s: two rows have the id '%s'",
                          reading->path, sorted[i]->id);
        }
    }
    free(sorted);
    return status;
}

// Canvas' gradebook has a row with the points of each assignment.
static bool is_points_row(const struct csv_row *row) {
    return strcasecmp(csv_cell(row, 0) + strspn(csv_cell(row, 0), " "), "Points Possible") == 0;
}

static enum status rows_read(struct reading *reading) {
    struct roster *roster = reading->roster;
    roster->person = calloc((size_t)reading->csv->row_count, sizeof *roster->person);
    enum status status = roster->person
                             ? header_read(reading)
                             : fail(reading->err, STATUS_NO_MEMORY, "no memory for the class");
    if (!status) {
        status = id_columns_check(reading);
    }
    for (int i = 1; !status && i < reading->csv->row_count; i++) {
        if (!is_points_row(&reading->csv->row[i])) {
            status = row_read(reading, &reading->csv->row[i]);
        }
    }
    return status ? status : twins_find(reading);
}

enum status roster_read(const char *path, struct roster *ret_roster, struct error *err) {
    struct csv csv;
    struct roster roster = {.count = 0};
    struct reading reading = {.path = path, .csv = &csv, .roster = &roster, .err = err};
    enum status status = csv_read(path, &csv, err);
    if (status) {
        return status;
    }
    status = rows_read(&reading);
    csv_done(&csv);
    if (status) {
        roster_done(&roster);
        return status;
    }
    *ret_roster = roster;
    return STATUS_OK;
}

void roster_done(struct roster *roster) {
    for (int i = 0; i < roster->count; i++) {
        person_done(&roster->person[i]);
    }
    for (int i = 0; i < roster->grade_count; i++) {
        free(roster->grade[i]);
    }
    free(roster->grade);
    free(roster->person);
    *roster = (struct roster){.count = 0};
}
