// What g++ says, in its own words, when a limit stopped it.
#include "device/compile/compiler_trouble.h"

#include "suite.h"

START_TEST(memory_that_ended_is_read_with_its_numbers) {
    struct compiler_memory memory = compiler_memory_read(
        "\ncc1plus: out of memory allocating 65536 bytes after a total of 2133458944 bytes\n");
    ck_assert(memory.ended);
    ck_assert_uint_eq(memory.asked_bytes, 65536);
    ck_assert_uint_eq(memory.total_bytes, 2133458944);
}
END_TEST

START_TEST(memory_that_ended_without_numbers_has_none) {
    struct compiler_memory memory =
        compiler_memory_read("virtual memory exhausted: Cannot allocate memory\n");
    ck_assert(memory.ended);
    ck_assert_uint_eq(memory.asked_bytes, 0);
    ck_assert_uint_eq(memory.total_bytes, 0);
}
END_TEST

START_TEST(other_messages_speak_of_no_limit) {
    static const char text[] = "submission.cu:3:1: error: 'memory' was not declared\n";
    ck_assert(!compiler_memory_read(text).ended);
    ck_assert(!compiler_time_ended(text));
}
END_TEST

START_TEST(time_of_a_child_is_known) {
    ck_assert(compiler_time_ended("g++: fatal error: CPU time limit exceeded signal terminated "
                                  "program cc1plus\ncompilation terminated.\n"));
}
END_TEST

SUITE() {
    Suite *suite = suite_create("compiler_trouble");
    TCase *tests = tcase_create("read");
    tcase_add_test(tests, memory_that_ended_is_read_with_its_numbers);
    tcase_add_test(tests, memory_that_ended_without_numbers_has_none);
    tcase_add_test(tests, other_messages_speak_of_no_limit);
    tcase_add_test(tests, time_of_a_child_is_known);
    suite_add_tcase(suite, tests);
    return suite;
}
