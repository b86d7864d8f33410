// Classes as platforms hand them over, and as those would who want another student's points.
#include <sys/stat.h>

#include "class/intake/opening.h"
#include "class_rig.h"

START_TEST(folder_of_folders) {
    put("in/anna/naive.cu", "a");
    put("in/bob/hw1/naive.cu", "b");
    put("in/bob/hw1/report.pdf", "b");
    put("in/bob/hw1/old/naive.cu", "older");
    put("in/carl/grader/naive.cu", "not his");
    put("in/carl/student/naive.cu", "c");
    put("in/carl/student/Tiled (1).cu", "near");
    put("in/dora/report.pdf", "d");
    folder("in/eva");
    put("in/fred/a/naive.cu", "f");
    put("in/fred/b/naive.cu", "F");
    put("in/gina/a/naive.cu", "g");
    put("in/gina/b/naive.cu", "g");
    put("in/notes.txt", "");
    put("in/.DS_Store", "");
    read_class("in", NULL, LAYOUT_AUTO);
    ck_assert_str_eq(
        text,
        "folders\n"
        "anna: ready naive.cu=a\n"
        "bob: ready naive.cu=b\n"
        "carl: ready Tiled (1).cu=near naive.cu=c !no points for tiled.cu, which is missing; if "
        "'student/Tiled (1).cu' is meant, rename it, or have it handed in again, and run the same "
        "command\n"
        "dora: empty (it has no kernel file of this course, but report.pdf)\n"
        "eva: empty (nothing is in it)\n"
        "fred: broken ('a/naive.cu' and 'b/naive.cu' are two files for one exercise, and nothing "
        "says which counts: remove one)\n"
        "gina: ready naive.cu=g\n"
        "? notes.txt: its name does not say whose it is\n");
}
END_TEST

// A name that is nearly right is no zero in silence.
START_TEST(names_that_are_not_right) {
    put("in/anna/tiled (1).cu", "one");
    put("in/anna/naive-1.cu", "n1");
    put("in/bob/tiled.cu", "t");
    put("in/bob/tiled(2).cu", "t2");
    put("in/bob/tiled-1.cu", "t1");
    put("in/bob/naive.cu", "n");
    put("in/bob/naive (1).cu", "n");
    put("in/carl/Tiled_final.cu", "t");
    put("in/carl/notes.txt", "");
    put("in/dora/naive.cu", "n");
    put("in/dora/my.CU", "t");
    put("in/eva/naive.cu", "n");
    put("in/eva/tiled.cu", "t");
    put("in/eva/tiled_old.cu", "old");
    put("in/eva/tiled.cu.bak", "old");
    put("in/finn/naive.cu", "n");
    put("in/finn/lessons/01/stub.cu", "of the course");
    read_class("in", NULL, LAYOUT_AUTO);
    ck_assert_str_eq(
        text,
        "folders\n"
        "anna: ready naive.cu=n1 tiled.cu=one !'naive-1.cu' counts as naive.cu; 'tiled (1).cu' "
        "counts as tiled.cu\n"
        "bob: ready naive.cu=n tiled.cu=t2 !'tiled(2).cu' counts as tiled.cu, and not "
        "'tiled-1.cu'\n"
        "carl: empty (no kernel file of this course has its right name (such as naive.cu), but "
        "there is 'Tiled_final.cu': rename it, or have it handed in again, and run the same "
        "command)\n"
        "dora: ready naive.cu=n !no points for tiled.cu, which is missing; if 'my.CU' is meant, "
        "rename it, or have it handed in again, and run the same command\n"
        "eva: ready naive.cu=n tiled.cu=t\n"
        "finn: ready naive.cu=n\n");
}
END_TEST

// Nothing leads out of the class, to another student, or to a point.
START_TEST(attacks_do_no_harm) {
    char path[PATH_BYTES_MAX];
    put("secret/naive.cu", "of another");
    put("in/=cmd()/naive.cu", "1");
    put("in/$(touch x)/naive.cu", "2");
    put("in/-rf/naive.cu", "3");
    put("in/new\nline/naive.cu", "4");
    put("in/mallory/result.json", "{}");
    put("in/mallory/anna/naive.cu", "5");
    put("in/mallory/.git/naive.cu", "6");
    ck_assert_int_eq(symlink("../secret", inside("in/link")), 0);
    ck_assert_int_eq(symlink("../../secret", inside("in/mallory/tiled")), 0);
    ck_assert_int_eq(symlink("../../secret/naive.cu", inside("in/mallory/tiled.cu")), 0);
    (void)snprintf(path, sizeof path, "in/%0200d/naive.cu", 7);
    put(path, "7");
    put("in/pipes/report", "8");
    ck_assert_int_eq(mkfifo(inside("in/pipes/naive.cu"), 0600), 0);
    read_class("in", NULL, LAYOUT_AUTO);
    (void)snprintf(path, sizeof path,
                   "folders\n"
                   "$(touch x): ready naive.cu=2\n"
                   "-rf: ready naive.cu=3\n"
                   "=cmd(): ready naive.cu=1\n"
                   "mallory: ready naive.cu=5 tiled.cu->\n"
                   "pipes: empty (it has no kernel file of this course, but report)\n"
                   "? link: a link, which is not followed\n"
                   "? %0200d: its name cannot be an id: it has more than 100 bytes\n"
                   "? new?line: its name cannot be an id: it has characters that cannot be shown\n",
                   7);
    ck_assert_str_eq(text, path);
}
END_TEST

START_TEST(roster_says_who_is_missing_and_who_is_not_in_it) {
    put("in/anna/naive.cu", "a");
    put("in/b@x.org/naive.cu", "b");
    put("in/Ek, Carl/naive.cu", "c");
    put("in/Kim/naive.cu", "k");
    put("in/zoe/naive.cu", "z");
    read_class("in",
               "id,name,mail,received\n"
               "dora,Dora,,\n"
               "anna,Anna,,1970-01-01T00:01:00Z\n"
               "bob,Bob,B@x.org,\n"
               "carl,Carl Ek,,\n"
               "k1,Kim,,\n"
               "k2,Kim,,\n",
               LAYOUT_AUTO);
    ck_assert_str_eq(text, "folders\n"
                           "dora: missing\n"
                           "anna: ready naive.cu=a tries=1 late=0 received=60\n"
                           "bob: ready naive.cu=b\n"
                           "carl: ready naive.cu=c (found by the name 'Ek, Carl')\n"
                           "k1: missing\n"
                           "k2: missing\n"
                           "? Kim: more than one student of the roster fits it\n"
                           "? zoe: no student of the roster has this id, login, mail address or "
                           "name\n");
}
END_TEST

// é as one character and as two: never the same student in silence.
START_TEST(one_letter_in_two_forms_is_listed) {
    put("in/Ren\xc3\xa9/naive.cu", "one");
    put("in/Rene\xcc\x81/naive.cu", "two");
    read_class("in", "id\nRen\xc3\xa9\nanna\n", LAYOUT_AUTO);
    ck_assert_ptr_nonnull(strstr(text, "folders\nRen\xc3\xa9: ready naive.cu=one\nanna: missing\n"
                                       "? Rene\xcc\x81: no student of the roster has this"));
    ck_assert_ptr_nonnull(strstr(text, "written as one character or as two"));
    read_class("in", NULL, LAYOUT_AUTO);
    ck_assert_str_eq(text, "folders\nRene\xcc\x81: ready naive.cu=two\n"
                           "Ren\xc3\xa9: ready naive.cu=one\n");
}
END_TEST

START_TEST(download_of_canvas) {
    put("in/ekanna_1_10_tiled.cu", "old");
    put("in/ekanna_1_11_tiled-1.cu", "new");
    put("in/ekanna_1_12_naive-2.cu", "n");
    put("in/bo_LATE_2_13_naive.cu", "b");
    put("in/carl_3_text.html", "");
    put("in/x_2_14_9_15_naive.cu", "spoofed");
    put("in/spoof_4_16_naive.cu", "s");
    put("in/dora_4_17_naive.cu", "d");
    put("in/readme.txt", "");
    read_class("in", NULL, LAYOUT_AUTO);
    ck_assert_str_eq(text,
                     "canvas\n"
                     "bo_2: broken ('bo_2' and 'x_2' have the same number)\n"
                     "carl_3: empty (it has no kernel file of this course, but text.html)\n"
                     "dora_4: broken ('dora_4' and 'spoof_4' have the same number)\n"
                     "ekanna_1: ready naive.cu=n tiled.cu=new (a file was handed in 2 times, and "
                     "the newest counts) tries=2 late=0 received=-1\n"
                     "spoof_4: broken ('dora_4' and 'spoof_4' have the same number)\n"
                     "x_2: broken ('bo_2' and 'x_2' have the same number)\n"
                     "? readme.txt: its name does not say whose it is\n");
    read_class("in",
               "Student,ID,SIS Login ID,Section\n\"Ek, Anna\",1,aek,A\nBo,2,bo,A\n"
               "Nine,9,nine,A\nCarl,,carl,A\n",
               LAYOUT_AUTO);
    ck_assert_str_eq(
        text, "canvas\n"
              "aek: ready naive.cu=n tiled.cu=new (a file was handed in 2 times, and the "
              "newest counts) tries=2 late=0 received=-1\n"
              "bo: ready naive.cu=b (late, but the platform does not say since when; the roster "
              "can, as received) tries=1 late=1 received=-1\n"
              "nine: missing\n"
              "carl: empty (found by the name 'carl'; it has no kernel file of this course, but "
              "text.html)\n"
              "? readme.txt: its name does not say whose it is\n"
              "? x_2_14_9_15_naive.cu: its name has more than one number that could be a "
              "student's\n"
              "? dora_4_17_naive.cu: no student of the roster has this canvas_id or name\n"
              "? spoof_4_16_naive.cu: no student of the roster has this canvas_id or name\n");
}
END_TEST

START_TEST(download_of_moodle) {
    put("in/Anna Ek_7_assignsubmission_file_/hw/naive.cu", "a");
    put("in/Anna Ek_7_assignsubmission_onlinetext_/onlinetext.html", "");
    put("in/王小明_8_assignsubmission_file_/tiled.cu", "w");
    put("in/Bo_9_assignsubmission_file_tiled.cu", "b");
    read_class("in", "id,name,moodle_id\nanna,Anna,7\nwang,王小明,\n", LAYOUT_AUTO);
    ck_assert_str_eq(text, "moodle\n"
                           "anna: ready naive.cu=a\n"
                           "wang: ready tiled.cu=w (found by the name '王小明')\n"
                           "? Bo_9_assignsubmission_file_tiled.cu: no student of the roster has "
                           "this moodle_id or name\n");
}
END_TEST

START_TEST(download_of_blackboard) {
    put("in/HW_1_aek_attempt_2026-11-30-22-10-05_naive.cu", "old");
    put("in/HW_1_aek_attempt_2026-11-30-22-10-05_tiled.cu", "old");
    put("in/HW_1_aek_attempt_2026-12-01-08-00-00_naive.cu", "new");
    put("in/HW_1_aek_attempt_2026-12-01-08-00-00.txt", "");
    put("in/HW_1_b_o_attempt_2026-12-01-08-00-00_naive.cu", "b");
    read_class("in", "username,first_name,last_name\naek,Anna,Ek\nb_o,Bo,O\no,Olga,P\n",
               LAYOUT_AUTO);
    ck_assert_str_eq(text, "blackboard\n"
                           "aek: ready naive.cu=new (2 were handed in, and the newest counts) "
                           "tries=2 late=0 received=-1\n"
                           "b_o: ready naive.cu=b\n"
                           "o: missing\n");
}
END_TEST

START_TEST(export_of_gradescope) {
    put("in/e/submission_metadata.yml",
        "submission_1:\n  :submitters:\n  - :name: Anna\n    :sid: 'a1'\n  - :name: Bo\n"
        "    :email: b@x.org\n  :created_at: 1970-01-01 00:01:00 Z\n"
        "submission_2:\n  :submitters:\n  - :name: Anna\n    :sid: 'a1'\n"
        "  :created_at: 1970-01-01 00:02:00 Z\n"
        "submission_3:\n  :submitters:\n  - :name: Carl\n"
        "../secret:\n  :submitters:\n  - :name: Dora\n");
    put("in/e/submission_1/naive.cu", "1");
    put("in/e/submission_2/naive.cu", "2");
    put("in/e/submission_4/naive.cu", "4");
    put("in/secret/naive.cu", "s");
    read_class("in/e", NULL, LAYOUT_AUTO);
    ck_assert_str_eq(text,
                     "gradescope\n"
                     "a1: ready naive.cu=2 (2 were handed in, and the newest counts) tries=2 "
                     "late=0 received=120\n"
                     "b@x.org: ready naive.cu=1 tries=1 late=0 received=60\n"
                     "? submission_3: submission_metadata.yml names it, but there is no such "
                     "folder\n"
                     "? ../secret: submission_metadata.yml names it, but there is no such folder\n"
                     "? submission_4: submission_metadata.yml does not name it\n");
}
END_TEST

START_TEST(clones_of_a_classroom) {
    put("in/hw1-anna-ek/.git/HEAD", "");
    put("in/hw1-anna-ek/student/naive.cu", "a");
    put("in/hw1-anna-ek/lessons/010_naive/stub.cu", "stub");
    put("in/hw1-anders/.git/HEAD", "");
    put("in/hw1-anders/naive.cu", "A");
    put("in/scores.csv", "");
    read_class("in", NULL, LAYOUT_AUTO);
    ck_assert_str_eq(text, "classroom\n"
                           "anders: ready naive.cu=A\n"
                           "anna-ek: ready naive.cu=a\n"
                           "? scores.csv: its name does not say whose it is\n");
    read_class("in", "id,github\nu1,Anna-Ek\nu2,ek\nu3,anders\n", LAYOUT_AUTO);
    ck_assert_str_eq(text, "classroom\n"
                           "u1: ready naive.cu=a\n"
                           "u2: missing\n"
                           "u3: ready naive.cu=A\n"
                           "? scores.csv: its name does not say whose it is\n");
}
END_TEST

// --- Packages ------------------------------------------------------------------------

// One entry of a tar file, of the given type.  Source: POSIX, the ustar format.
static void tar_entry(FILE *tar, const char *name, const char *content, char type) {
    unsigned char header[512] = {0};
    unsigned sum = 0;
    size_t bytes = strlen(content);
    (void)snprintf((char *)header, 100, "%s", name);
    (void)snprintf((char *)header + 100, 8, "%07o", 0644);
    (void)snprintf((char *)header + 124, 12, "%011o", type == '0' ? (unsigned)bytes : 0u);
    header[156] = (unsigned char)type;
    if (type != '0') {
        (void)snprintf((char *)header + 157, 100, "%s", content);
    }
    memcpy(header + 257, "ustar\00000", 8);
    memset(header + 148, ' ', 8);
    for (size_t i = 0; i < sizeof header; i++) {
        sum += header[i];
    }
    (void)snprintf((char *)header + 148, 8, "%06o", sum);
    ck_assert_uint_eq(fwrite(header, 1, sizeof header, tar), sizeof header);
    if (type == '0') {
        unsigned char data[512] = {0};
        ck_assert_uint_lt(bytes, sizeof data);
        memcpy(data, content, bytes);
        ck_assert_uint_eq(fwrite(data, 1, sizeof data, tar), sizeof data);
    }
}

START_TEST(package_of_packages) {
    put("outer", "");
    put("in/bob.tar", "");
    FILE *tar = fopen(inside("in/bob.tar"), "w");
    tar_entry(tar, "anna/naive.cu", "not hers", '0');
    tar_entry(tar, "../anna/naive.cu", "out", '0');
    tar_entry(tar, "tiled.cu", "/etc/passwd", '2');
    tar_entry(tar, "inner.zip", "no package in a package", '0');
    ck_assert_int_eq(fclose(tar), 0);
    put("in/carl.zip", "no zip");
    put("in/dora/naive.cu", "d");
    put("in/dora/old.tar", "");
    tar = fopen(inside("in/dora/old.tar"), "w");
    tar_entry(tar, "naive.cu", "older", '0');
    tar_entry(tar, "tiled.cu", "t", '0');
    ck_assert_int_eq(fclose(tar), 0);
    put("in/fay.tar", "");
    tar = fopen(inside("in/fay.tar"), "w");
    tar_entry(tar, "naive.cu", "old", '0');
    tar_entry(tar, "naive.cu", "new", '0');
    ck_assert_int_eq(fclose(tar), 0);
    put("in/eva.tar", "");
    put("in/eva/naive.cu", "e");
    read_class("in", NULL, LAYOUT_AUTO);
    ck_assert_str_eq(
        text,
        "folders\n"
        "bob: ready naive.cu=not hers (left out: '../anna/naive.cu': a path with '..'; pack the "
        "files under plain names, and 1 more)\n"
        "carl: broken (carl.zip: not a package: neither zip nor tar (.tar.gz, .tar.xz))\n"
        "dora: ready naive.cu=d tiled.cu=t\n"
        "eva: broken ('eva' and 'eva.tar' are both of this student, and nothing says which is "
        "newer: remove one) tries=2 late=0 received=-1\n"
        "fay: broken (fay.tar: 'naive.cu': the package has another file with this name)\n");
    tar = fopen(inside("outer"), "w");
    tar_entry(tar, "class/anna/hw1/naive.cu", "a", '0');
    tar_entry(tar, "class/bob/essay.pdf", "of which only the name is kept", '0');
    tar_entry(tar, "class/carl/naive.cu", "/etc/passwd", '1');
    tar_entry(tar, "/etc/cron.d/x", "x", '0');
    ck_assert_int_eq(fclose(tar), 0);
    read_class("outer", NULL, LAYOUT_AUTO);
    ck_assert_str_eq(text, "folders\n"
                           "anna: ready naive.cu=a\n"
                           "bob: empty (it has no kernel file of this course, but essay.pdf)\n"
                           "? class/carl/naive.cu: a link; pack the file itself\n"
                           "? /etc/cron.d/x: an absolute path; pack the files under plain names\n");
}
END_TEST

START_TEST(what_is_no_class_is_refused) {
    put("in/naive.cu", "a");
    read_class("in", NULL, LAYOUT_AUTO);
    ck_assert_str_eq(text, "not a class: there is no folder and no package for each student; "
                           "`make grade SUBMISSION=…` grades one submission");
    read_class("in", NULL, LAYOUT_CANVAS);
    ck_assert_str_eq(text, "nothing there fits the layout 'canvas'; LAYOUT=folders (--layout "
                           "folders) takes a folder or a package for each student");
    read_class("in/naive.cu", NULL, LAYOUT_AUTO);
    ck_assert_str_eq(text, "not a package: neither zip nor tar (.tar.gz, .tar.xz)");
}
END_TEST

// A copy that is up to date is not written again: a running job may read it.
START_TEST(copy_is_replaced_only_if_it_differs) {
    struct stat before;
    struct stat after;
    put("in/anna/naive.cu", "a");
    read_class("in", NULL, LAYOUT_AUTO);
    ck_assert_int_eq(stat(inside("out"), &before), 0);
    read_class("in", NULL, LAYOUT_AUTO);
    ck_assert_int_eq(stat(inside("out"), &after), 0);
    ck_assert_uint_eq(before.st_ino, after.st_ino);
    ck_assert_uint_eq(before.st_mode & 0777, 0700);
    put("in/anna/naive.cu", "b");
    put("out/other.cu", "x");
    read_class("in", NULL, LAYOUT_AUTO);
    ck_assert_str_eq(text, "folders\nanna: ready naive.cu=b\n");
}
END_TEST

static bool looks_like_class(const char *name) {
    bool class = false;
    int fd = open(inside(name), O_PATH | O_DIRECTORY | O_CLOEXEC);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(class_looks_like(fd, &course, &class, NULL), STATUS_OK);
    (void)close(fd);
    return class;
}

START_TEST(class_and_submission_are_told_apart) {
    put("class/anna/naive.cu", "");
    put("class/bob/tiled.cu", "");
    put("one/hw1/naive.cu", "");
    put("one/docs/x.txt", "");
    put("top/naive.cu", "");
    put("top/a/naive.cu", "");
    put("top/b/naive.cu", "");
    put("moodle/Bo_9_assignsubmission_file_/x.cu", "");
    folder("nothing");
    ck_assert(looks_like_class("class"));
    ck_assert(looks_like_class("moodle"));
    ck_assert(!looks_like_class("one"));
    ck_assert(!looks_like_class("top"));
    ck_assert(!looks_like_class("nothing"));
}
END_TEST

SUITE() {
    Suite *suite = suite_create("intake");
    TCase *tests = tcase_create("intake");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, folder_of_folders);
    tcase_add_test(tests, names_that_are_not_right);
    tcase_add_test(tests, attacks_do_no_harm);
    tcase_add_test(tests, roster_says_who_is_missing_and_who_is_not_in_it);
    tcase_add_test(tests, one_letter_in_two_forms_is_listed);
    tcase_add_test(tests, download_of_canvas);
    tcase_add_test(tests, download_of_moodle);
    tcase_add_test(tests, download_of_blackboard);
    tcase_add_test(tests, export_of_gradescope);
    tcase_add_test(tests, clones_of_a_classroom);
    tcase_add_test(tests, package_of_packages);
    tcase_add_test(tests, what_is_no_class_is_refused);
    tcase_add_test(tests, copy_is_replaced_only_if_it_differs);
    tcase_add_test(tests, class_and_submission_are_told_apart);
    suite_add_tcase(suite, tests);
    return suite;
}
