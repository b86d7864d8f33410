// Seeds as text, and numbers that are functions of key and index.
#include "base/random.h"

#include <string.h>

#include "suite.h"

START_TEST(seed_text_is_read_with_leading_zeros) {
    struct seed seed;
    char text[SEED_TEXT_BYTES];
    ck_assert_int_eq(seed_parse("fF", &seed, NULL), STATUS_OK);
    seed_format(seed, text);
    ck_assert_str_eq(text, "000000000000000000000000000000ff");
    ck_assert_int_eq(seed_parse("0123456789abcdefFEDCBA9876543210", &seed, NULL), STATUS_OK);
    seed_format(seed, text);
    ck_assert_str_eq(text, "0123456789abcdeffedcba9876543210");
}
END_TEST

START_TEST(bad_seed_is_named) {
    static const char *const bad[] = {"", "0x12", "12 ", "-1", "0123456789abcdef0123456789abcdef0"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct seed seed = {{7, 7}};
        struct error err;
        ck_assert_int_eq(seed_parse(bad[i], &seed, &err), STATUS_BAD_USAGE);
        ck_assert_ptr_nonnull(strstr(err.text, "write 1 to 32 hexadecimal digits"));
        ck_assert(seed.word[0] == 7);
    }
}
END_TEST

START_TEST(fresh_seeds_differ) {
    struct seed a;
    struct seed b;
    ck_assert_int_eq(seed_fresh(&a, NULL), STATUS_OK);
    ck_assert_int_eq(seed_fresh(&b, NULL), STATUS_OK);
    ck_assert(a.word[0] != b.word[0] || a.word[1] != b.word[1]);
}
END_TEST

START_TEST(keys_depend_on_seed_and_label) {
    struct seed one = {{0, 1}};
    struct seed two = {{0, 2}};
    struct random_key a = random_key_make(one, "tiled/exact/1x1x1");
    struct random_key same = random_key_make(one, "tiled/exact/1x1x1");
    struct random_key label = random_key_make(one, "tiled/exact/1x1x2");
    struct random_key seed = random_key_make(two, "tiled/exact/1x1x1");
    ck_assert(memcmp(&a, &same, sizeof a) == 0);
    ck_assert(memcmp(&a, &label, sizeof a) != 0);
    ck_assert(memcmp(&a, &seed, sizeof a) != 0);
}
END_TEST

// 64000 draws of 16 values: 4000 of each are expected, with a standard deviation of 61.  A
// difference of 6 standard deviations would mean a broken generator.
START_TEST(draws_below_a_bound_are_uniform) {
    struct random_key key = random_key_make((struct seed){{3, 4}}, "uniform");
    int seen[16] = {0};
    for (uint64_t i = 0; i < 64000; i++) {
        uint32_t draw = random_below(key, i, 16);
        ck_assert_uint_lt(draw, 16);
        seen[draw]++;
    }
    for (int i = 0; i < 16; i++) {
        ck_assert_int_gt(seen[i], 4000 - 367);
        ck_assert_int_lt(seen[i], 4000 + 367);
    }
    ck_assert_uint_eq(random_below(key, 5, 1), 0);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("random");
    TCase *tests = tcase_create("random");
    tcase_add_test(tests, seed_text_is_read_with_leading_zeros);
    tcase_add_test(tests, bad_seed_is_named);
    tcase_add_test(tests, fresh_seeds_differ);
    tcase_add_test(tests, keys_depend_on_seed_and_label);
    tcase_add_test(tests, draws_below_a_bound_are_uniform);
    suite_add_tcase(suite, tests);
    return suite;
}
