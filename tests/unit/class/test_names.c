// How platforms write who handed in what: names of files and folders, and Gradescope's table.
#include "class/intake/names.h"

#include "base/basics.h"
#include "class/intake/gradescope.h"
#include "exercise/assignment.h"
#include "suite.h"

// The expected reading as "owner|number|upload|file|late"; NULL: no such name.
static const struct {
    const char *name;
    int reading;
    const char *read;
} canvas[] = {
    {"ekanna_12345_67890_tiled.cu", 0, "ekanna|12345|67890|tiled.cu|0"},
    {"ekanna_LATE_12345_67890_tiled-1.cu", 0, "ekanna|12345|67890|tiled-1.cu|1"},
    {"ek_anna_12345_67890_a_b.cu", 0, "ek_anna|12345|67890|a_b.cu|0"},
    {"王小明_7_8_naive.cu", 0, "王小明|7|8|naive.cu|0"},
    {"ekanna_12345_text.html", 0, "ekanna|12345||text.html|0"},
    {"anon_x1y2z_67890_tiled.cu", 0, "anon_x1y2z||67890|tiled.cu|0"},
    {"LATE_anon_x1y2z_67890_tiled.cu", 0, "anon_x1y2z||67890|tiled.cu|1"},
    // a student who writes numbers into the name of a file, or into the own name
    {"ekanna_12345_67890_7_8_x.cu", 0, "ekanna|12345|67890|7_8_x.cu|0"},
    {"ekanna_12345_67890_7_8_x.cu", 1, "ekanna_12345|67890|7|8_x.cu|0"},
    {"x_777_888_12345_67890_a.cu", 0, "x|777|888|12345_67890_a.cu|0"},
    {"ekanna_12345_tiled.cu", 0, NULL},
    {"_12345_67890_tiled.cu", 0, NULL},
    {"ekanna_12345_67890_", 0, NULL},
    {"tiled.cu", 0, NULL},
    {"", 0, NULL},
};

static const struct {
    const char *name, *read;
} moodle[] = {
    {"Anna Ek_123_assignsubmission_file_", "Anna Ek|123|||0"},
    {"Anna Ek_123_assignsubmission_file", "Anna Ek|123|||0"},
    {"王小明_7_assignsubmission_onlinetext_", "王小明|7|||0"},
    {"Anna Ek_123_assignsubmission_file_tiled.cu", "Anna Ek|123||tiled.cu|0"},
    {"Anna Ek_1_assignsubmission_file_B_2_assignsubmission_file_x.cu",
     "Anna Ek|1||B_2_assignsubmission_file_x.cu|0"},
    {"Default group_assignsubmission_file_", "Default group||||0"},
    {"Anna_Ek_123_assignsubmission_file_", NULL},
    {"_assignsubmission_file_", NULL},
    {"Anna Ek_123", NULL},
};

static const struct {
    const char *name, *read;
} blackboard[] = {
    {"Homework 1_aek_attempt_2026-11-30-22-10-05_naive.cu",
     "Homework 1_aek||20261130221005|naive.cu|0"},
    {"H_aek_attempt_2026-11-30-22-10-05.txt",
     "H_aek||20261130221005|H_aek_attempt_2026-11-30-22-10-05.txt|0"},
    {"H_aek_attempt_2026-11-30-22-10-05", NULL},
    {"H_aek_attempt_2026-11-30-22-10-05_", NULL},
    {"H_aek_attempt_2026-11-30_naive.cu", NULL},
    {"H_aek_attempt_2026-11-3x-22-10-05_naive.cu", NULL},
    {"_attempt_2026-11-30-22-10-05_naive.cu", NULL},
};

static void name_compare(bool read, const struct platform_name *name, const char *expected) {
    char text[1200];
    ck_assert_int_eq(read, expected != NULL);
    if (read) {
        (void)snprintf(text, sizeof text, "%s|%s|%s|%s|%d", name->owner, name->number, name->upload,
                       name->file, name->late_mark);
        ck_assert_str_eq(text, expected);
    }
}

START_TEST(name_of_canvas) {
    struct platform_name name;
    bool read = canvas_name_read(canvas[_i].name, canvas[_i].reading, &name);
    name_compare(read, &name, canvas[_i].read);
}
END_TEST

START_TEST(name_of_moodle) {
    struct platform_name name;
    bool read = moodle_name_read(moodle[_i].name, &name);
    name_compare(read, &name, moodle[_i].read);
}
END_TEST

START_TEST(name_of_blackboard) {
    struct platform_name name;
    bool read = blackboard_name_read(blackboard[_i].name, &name);
    name_compare(read, &name, blackboard[_i].read);
}
END_TEST

static const struct {
    const char *file, *cut;
    int version;
} versions[] = {
    {"tiled-1.cu", "tiled.cu", 1},   {"tiled-12.cu", "tiled.cu", 12}, {"tiled.cu", "tiled.cu", 0},
    {"tiled-0.cu", "tiled-0.cu", 0}, {"-1.cu", "-1.cu", 0},           {"tiled-1", "tiled-1", 0},
    {"tiled1.cu", "tiled1.cu", 0},   {"a-12345.cu", "a-12345.cu", 0}, {"", "", 0},
};

START_TEST(version_is_cut) {
    char file[40];
    (void)snprintf(file, sizeof file, "%s", versions[_i].file);
    ck_assert_int_eq(canvas_version_cut(file), versions[_i].version);
    ck_assert_str_eq(file, versions[_i].cut);
}
END_TEST

static const struct {
    const char *file, *cut;
    int number;
} copies[] = {
    {"tiled (1).cu", "tiled.cu", 1},
    {"tiled(12).cu", "tiled.cu", 12},
    {"tiled-3.cu", "tiled.cu", 3},
    {"tiled (1)", "tiled (1)", 0},
    {"tiled ().cu", "tiled ().cu", 0},
    {"tiled (a).cu", "tiled (a).cu", 0},
    {"(1).cu", "(1).cu", 0},
    {" (1).cu", " .cu", 1},
    {"", "", 0},
    {").cu", ").cu", 0},
};

START_TEST(number_of_a_copy_is_cut) {
    char file[40];
    (void)snprintf(file, sizeof file, "%s", copies[_i].file);
    ck_assert_int_eq(copy_number_cut(file), copies[_i].number);
    ck_assert_str_eq(file, copies[_i].cut);
}
END_TEST

START_TEST(stem_of_a_package) {
    ck_assert_uint_eq(package_stem("anna.tar.gz"), 4);
    ck_assert_uint_eq(package_stem("anna.ZIP"), 4);
    ck_assert_uint_eq(package_stem("anna.b"), 6);
    ck_assert_uint_eq(package_stem(".zip"), 4);
}
END_TEST

// --- Gradescope's table --------------------------------------------------------------

static char records[2000];

static void record_show(void *context, const struct gradescope_record *record) {
    (void)context;
    size_t used = strlen(records);
    used +=
        (size_t)snprintf(records + used, sizeof records - used, "%s@%lld", record->folder,
                         record->created_at == MOMENT_NONE ? -1 : (long long)record->created_at);
    for (int i = 0; i < record->submitter_count; i++) {
        used += (size_t)snprintf(records + used, sizeof records - used, " [%s|%s|%s]",
                                 record->submitter[i][0], record->submitter[i][1],
                                 record->submitter[i][2]);
    }
    (void)snprintf(records + used, sizeof records - used, "\n");
}

static const char export[] = "---\n"
                             "submission_1:\n"
                             "  :submitters:\n"
                             "  - :name: Anna Ek\n"
                             "    :sid: '100'\n"
                             "    :email: a@x.org\n"
                             "  - :name: \"Zo\\u00EB \\\"Z\\\"\"\n"
                             "    :sid: \n"
                             "    :email: 'o''b@x.org'\n"
                             "  :created_at: 2026-11-30 22:10:00.123456789 Z\n"
                             "  :score: 0.0\n"
                             "  :results:\n"
                             "    :output: |\n"
                             "      submission_9:\n"
                             "        :submitters:\n"
                             "        - :name: Mallory\n"
                             "    :tests:\n"
                             "    - :name: naive\n"
                             "  :history:\n"
                             "  - :id: 5\n"
                             "    :created_at: 2020-01-01 00:00:00 Z\n"
                             "    :submitters:\n"
                             "    - :name: Mallory\n"
                             "\n"
                             "submission_2:\r\n"
                             "  :submitters:\r\n"
                             "    - :name: 王小明\r\n"
                             "      :sid: 200\r\n";

START_TEST(table_of_gradescope) {
    records[0] = '\0';
    ck_assert_int_eq(gradescope_read("m.yml", export, record_show, NULL, NULL), STATUS_OK);
    ck_assert_str_eq(records, "submission_1@1796076600 [Anna Ek|100|a@x.org] "
                              "[Zo\xc3\xab \"Z\"||o'b@x.org]\n"
                              "submission_2@-1 [王小明|200|]\n");
}
END_TEST

static const struct {
    const char *text;
    int line;
} refused[] = {
    {"- a\n", 1},
    {"  :submitters:\n", 1},
    {"submission_1\n", 1},
    {"a:\n  :submitters: *1\n", 2},
    {"a:\n  :submitters:\n  - :name: |\n", 3},
    {"a:\n  :submitters:\n  - :name: \"b\n", 3},
    {"a:\n  :submitters:\n  - :name: 'b' c\n", 3},
    {"a:\n  :submitters:\n  - :name: \"\\q\"\n", 3},
    {"a:\n  :created_at: yesterday\n", 2},
};

START_TEST(what_gradescope_does_not_write_is_refused) {
    struct error err;
    char place[40];
    ck_assert_int_eq(gradescope_read("m.yml", refused[_i].text, record_show, NULL, &err),
                     STATUS_BAD_DATA);
    (void)snprintf(place, sizeof place, "m.yml:%d: ", refused[_i].line);
    ck_assert_int_eq(strncmp(err.text, place, strlen(place)), 0);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("names");
    TCase *tests = tcase_create("names");
    tcase_add_loop_test(tests, name_of_canvas, 0, COUNT(canvas));
    tcase_add_loop_test(tests, name_of_moodle, 0, COUNT(moodle));
    tcase_add_loop_test(tests, name_of_blackboard, 0, COUNT(blackboard));
    tcase_add_loop_test(tests, version_is_cut, 0, COUNT(versions));
    tcase_add_loop_test(tests, number_of_a_copy_is_cut, 0, COUNT(copies));
    tcase_add_test(tests, stem_of_a_package);
    tcase_add_test(tests, table_of_gradescope);
    tcase_add_loop_test(tests, what_gradescope_does_not_write_is_refused, 0, COUNT(refused));
    suite_add_tcase(suite, tests);
    return suite;
}
