// A submission that could be of another student is listed, and reaches neither.
#include "class_rig.h"

#define OTHER                                                                                      \
    "a student of the roster has this id, mail address or name, but another number or login; if "  \
    "it is the same person, correct these in the roster, or leave out their column\n"

START_TEST(number_counts_only_where_canvas_writes_it) {
    const char *roster = "Student,ID,SIS Login ID,Section\nMal,4,mal,A\nAnn,5,ann,A\n";
    put("in/ann_5_51_naive.cu", "a");
    put("in/out_7_71_4_9_naive.cu", "handed in for Mal");
    read_class("in", roster, LAYOUT_AUTO);
    ck_assert_str_eq(text, "canvas\nmal: missing\nann: ready naive.cu=a\n"
                           "? out_7_71_4_9_naive.cu: its name has more than one number that could "
                           "be a student's\n");
    put("in/mal_4_41_naive.cu", "m");
    read_class("in", roster, LAYOUT_AUTO);
    ck_assert_ptr_nonnull(strstr(text, "mal: ready naive.cu=m\n"));
}
END_TEST

START_TEST(namesake_with_another_number_is_another_person) {
    put("in/Wei Wang_900_assignsubmission_file_/naive.cu", "w");
    put("in/Ann_5_assignsubmission_file_/naive.cu", "a");
    read_class("in", "id,name,moodle_id\nwei,Wei Wang,4\nann,Ann,\n", LAYOUT_AUTO);
    ck_assert_str_eq(text, "moodle\nwei: missing\nann: ready naive.cu=a (found by the name 'Ann')\n"
                           "? Wei Wang_900_assignsubmission_file_: " OTHER);
}
END_TEST

START_TEST(end_of_a_login_is_no_login) {
    put("in/hw1-x-anna/.git/HEAD", "");
    put("in/hw1-x-anna/naive.cu", "x");
    put("in/hw1-ben/.git/HEAD", "");
    put("in/hw1-ben/naive.cu", "b");
    read_class("in", "id,github\nu1,anna\nu2,Ben\n", LAYOUT_AUTO);
    ck_assert_str_eq(text, "classroom\nu1: missing\nu2: ready naive.cu=b\n"
                           "? hw1-x-anna: no student of the roster has this id, login, mail "
                           "address or name\n");
    read_class("in", "id,github\nu1,x-anna\nu2,ben\n", LAYOUT_AUTO);
    ck_assert_ptr_nonnull(strstr(text, "u1: ready naive.cu=x\n"));
}
END_TEST

START_TEST(user_names_with_one_end_are_two_students) {
    put("in/HW_1_j_li_attempt_2026-10-01-10-00-00_naive.cu", "j");
    put("in/HW_1_m_li_attempt_2026-11-01-10-00-00_naive.cu", "m");
    read_class("in", NULL, LAYOUT_AUTO);
    ck_assert_str_eq(text, "blackboard\nj_li: ready naive.cu=j\nm_li: ready naive.cu=m\n");
    read_class("in", "username\nli\nj_li\n", LAYOUT_AUTO);
    ck_assert_str_eq(text, "blackboard\nli: missing\nj_li: ready naive.cu=j\n"
                           "? HW_1_m_li_attempt_2026-11-01-10-00-00_naive.cu: no student of the "
                           "roster has this id, login, mail address or name\n");
}
END_TEST

SUITE() {
    Suite *suite = suite_create("whose");
    TCase *tests = tcase_create("whose");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, number_counts_only_where_canvas_writes_it);
    tcase_add_test(tests, namesake_with_another_number_is_another_person);
    tcase_add_test(tests, end_of_a_login_is_no_login);
    tcase_add_test(tests, user_names_with_one_end_are_two_students);
    suite_add_tcase(suite, tests);
    return suite;
}
