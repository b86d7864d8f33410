// Tables of a class: CSV as programs write it, rosters as platforms export them, and what is wrong
// with them.
#include "class/intake/roster.h"

#include "base/basics.h"
#include "class/intake/csv.h"
#include "scratch.h"
#include "suite.h"

static struct scratch scratch;
static char path[PATH_BYTES_MAX];

static void begin(void) {
    scratch = scratch_make();
}

static void end(void) {
    scratch_remove(&scratch);
}

// The rows as "line:cell|cell …", for a comparison as one text.
static const char *shown(const struct csv *csv) {
    static char text[1000];
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < csv->row_count; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%d:", csv->row[i].line);
        for (int j = 0; j < csv->row[i].count; j++) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", j > 0 ? "|" : "",
                                     csv->row[i].cell[j]);
        }
        used += (size_t)snprintf(text + used, sizeof text - used, " ");
    }
    return text;
}

static const struct {
    const char *text, *rows;
} tables[] = {
    {"id,name\na,b\n", "1:id|name 2:a|b "},
    {"\xef\xbb\xbfid;name\r\na;b, c\r\n", "1:id|name 2:a|b, c "},
    {"id\tname\na\tb", "1:id|name 2:a|b "},
    {"id\rname\r", "1:id 2:name "},
    {"\n\nid, name \n,,\n a ,b c\n", "3:id|name 5:a|b c "},
    {"id,name\n\"a\"\"b\",\"c,\nd\"\ne,\n", "1:id|name 2:a\"b|c,\nd 4:e| "},
    {"\"a;b;c\",d\n\" e \" ,f\n", "1:a;b;c|d 2: e |f "},
};

START_TEST(table_is_read_as_spreadsheets_write_it) {
    struct csv csv;
    char *text = strdup(tables[_i].text);
    ck_assert_int_eq(csv_parse("t", text, strlen(text), &csv, NULL), STATUS_OK);
    ck_assert_str_eq(shown(&csv), tables[_i].rows);
    csv_done(&csv);
}
END_TEST

static const struct {
    const char *text, *said;
} refused[] = {
    {"id,name\na,\"b\n\nc,d\n", "r.csv:2: the quote that opens here has no end"},
    {"id,name\na,\"b\"c\n", "r.csv:2: text follows a closing quote"},
    {"id,name\na,J\xfcrgen\n", "r.csv:2: not UTF-8; save it as CSV in UTF-8 (Excel: CSV UTF-8)"},
    {"\xff\xfei\0d", "r.csv:1: this is UTF-16; save it as CSV in UTF-8 (Excel: CSV UTF-8)"},
    {"\n \n", "r.csv: empty; its first line names the columns"},
    {"marks,points\na,b\n", "r.csv:1: no column is called id, name or mail, but 'marks'; the first "
                            "line names the columns, "
                            "such as id,name,mail"},
    {"name\nKim\nKim\n", "r.csv: two rows have the id 'Kim'"},
    {"id,email,Mail\n", "r.csv:1: the columns 'email' and 'Mail' are the same"},
    {"id,name\n,Anna\n", "r.csv:2: '' cannot be an id: it is empty"},
    {"id\n../x\n",
     "r.csv:2: '../x' cannot be an id: it cannot name a folder: no '/', and no dot at its start"},
    {"id\n\"a\nb\"\n", "r.csv:2: 'a\nb' cannot be an id: it has characters that cannot be shown"},
    {"id\nanna\nbob\nanna\n", "r.csv: two rows have the id 'anna'"},
    {"id,extension_days\na,-1\n",
     "r.csv:2: extension_days is '-1'; write whole days, at most 3650"},
    {"id,received\na,2026-11-30 22:10\n",
     "r.csv:2: received is '2026-11-30 22:10'; write date, time and offset from UTC, such as "
     "2026-11-30T22:10:00+01:00"},
};

START_TEST(bad_roster_is_refused_with_its_line) {
    struct roster roster;
    struct error err;
    scratch_write(&scratch, "r.csv", refused[_i].text, path);
    ck_assert_int_eq(roster_read(path, &roster, &err), STATUS_BAD_DATA);
    ck_assert_str_eq(err.text + strlen(scratch.folder) + 1, refused[_i].said);
}
END_TEST

START_TEST(roster_of_our_own_columns) {
    struct roster roster;
    scratch_write(&scratch, "r.csv",
                  "ID,Name,moodle_id,shoe size,extension_days,received\n"
                  "=cmd(),王小明,Participant 7,44,2,2026-11-30T22:10:00+01:00\n"
                  "$(x),,,,,\n",
                  path);
    ck_assert_int_eq(roster_read(path, &roster, NULL), STATUS_OK);
    ck_assert_int_eq(roster.count, 2);
    ck_assert_str_eq(roster.person[0].id, "=cmd()");
    ck_assert_str_eq(roster.person[0].name, "王小明");
    ck_assert_str_eq(roster.person[0].key[KEY_MOODLE_ID], "7");
    ck_assert_int_eq(roster.person[0].extension_days, 2);
    ck_assert_int_eq(roster.person[0].received, 1796073000);
    ck_assert_ptr_null(roster.person[1].name);
    ck_assert_int_eq(roster.person[1].received, MOMENT_NONE);
    ck_assert_str_eq(roster.unused, "shoe size");
    roster_done(&roster);
}
END_TEST

// The gradebook that Canvas exports is a roster as it is; so is the one of Classroom 50.
START_TEST(exports_of_platforms_are_rosters) {
    struct roster roster;
    scratch_write(&scratch, "canvas.csv",
                  "Student,ID,SIS User ID,SIS Login ID,Section,Homework 1 (1234)\n"
                  "    Points Possible,,,,,60\n"
                  "\"Ek, Anna\",42,U42,aek,CUDA-01,\n"
                  "\"Student, Test\",43,,,CUDA-01,\n",
                  path);
    ck_assert_int_eq(roster_read(path, &roster, NULL), STATUS_OK);
    ck_assert_int_eq(roster.count, 2);
    ck_assert_str_eq(roster.person[0].id, "aek");
    ck_assert_str_eq(roster.person[0].name, "Ek, Anna");
    ck_assert_str_eq(roster.person[0].key[KEY_CANVAS_ID], "42");
    ck_assert_str_eq(roster.person[1].id, "43");
    ck_assert_str_eq(roster.unused, "");
    ck_assert_int_eq(roster.grade_count, 1);
    ck_assert_str_eq(roster.grade[0], "Homework 1 (1234)");
    roster_done(&roster);
    scratch_write(&scratch, "names.csv", "First name,Last name\nAnna,Ek\n", path);
    ck_assert_int_eq(roster_read(path, &roster, NULL), STATUS_OK);
    ck_assert_str_eq(roster.person[0].id, "Anna Ek");
    roster_done(&roster);
    scratch_write(&scratch, "c50.csv",
                  "username,first_name,last_name,email,section,github_id,role\n"
                  "anna-ek,Anna,Ek,a@x.org,1,77,student\n",
                  path);
    ck_assert_int_eq(roster_read(path, &roster, NULL), STATUS_OK);
    ck_assert_str_eq(roster.person[0].id, "anna-ek");
    ck_assert_str_eq(roster.person[0].name, "Anna Ek");
    roster_done(&roster);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("roster");
    TCase *tests = tcase_create("roster");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_loop_test(tests, table_is_read_as_spreadsheets_write_it, 0, COUNT(tables));
    tcase_add_loop_test(tests, bad_roster_is_refused_with_its_line, 0, COUNT(refused));
    tcase_add_test(tests, roster_of_our_own_columns);
    tcase_add_test(tests, exports_of_platforms_are_rosters);
    suite_add_tcase(suite, tests);
    return suite;
}
