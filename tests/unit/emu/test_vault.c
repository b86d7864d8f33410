// Vaults: zeros at random places, whose canaries show a store on either side.
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "emu/memory/vault.h"
#include "suite.h"

#define BYTES (3 * VAULT_PAGE_BYTES)

static unsigned char *vault(void) {
    void *memory = NULL;
    struct error err = {.text = ""};
    ck_assert_msg(vault_need(&memory, BYTES, &err) == STATUS_OK, "%s", err.text);
    return memory;
}

START_TEST(zeros_far_apart) {
    unsigned char *a = vault();
    unsigned char *b = vault();
    ck_assert_int_eq(a[0] | a[BYTES - 1] | b[0] | b[BYTES - 1], 0);
    ck_assert(a > b ? a - b > 1 << 20 : b - a > 1 << 20);
    a[0] = a[BYTES - 1] = 1;
    ck_assert(vaults_intact());
    vault_clear(a);
    ck_assert_int_eq(a[0] | a[BYTES - 1], 0);
    vault_free(a);
    ck_assert(vaults_intact());
    vault_free(b);
    vault_free(NULL);
    ck_assert(vaults_intact());
}
END_TEST

START_TEST(a_vault_grows_only_if_it_has_to) {
    struct error err;
    unsigned char *a = vault();
    unsigned char *before = a;
    a[0] = 1;
    ck_assert_int_eq(vault_need(&a, BYTES, &err), STATUS_OK);
    ck_assert(a == before && a[0] == 1);
    ck_assert_int_eq(vault_need(&a, BYTES + 1, &err), STATUS_OK);
    ck_assert(a != before && a[0] == 0 && a[BYTES] == 0);
    vaults_free();
    unsigned char *none = NULL;
    ck_assert_int_eq(vault_need(&none, 0, &err), STATUS_OK);
    ck_assert_ptr_null(none);
}
END_TEST

START_TEST(stores_on_either_side_show) {
    unsigned char *a = vault();
    unsigned char *b = vault();
    unsigned char *place[] = {a - 1, a + BYTES, b - 1, b + BYTES};
    for (int i = 0; i < 4; i++) {
        *place[i] ^= 1;
        ck_assert(!vaults_intact());
        *place[i] ^= 1;
        ck_assert(vaults_intact());
    }
    // One value all over the vault, and around it.
    memset(b - 8, 0x55, BYTES + 72);
    ck_assert(!vaults_intact());
}
END_TEST

START_TEST(a_place_in_use_is_refused_with_its_neighbour) {
    char heap[40];
    struct error err = {.text = ""};
    unsigned char *taken = vault();
    (void)snprintf(heap, sizeof heap, "the heap ends at 0x%llx;",
                   (unsigned long long)(uintptr_t)sbrk(0));
    ck_assert_int_eq(vault_new_at(taken + VAULT_PAGE_BYTES, BYTES, &err), STATUS_NO_MEMORY);
    ck_assert_msg(strstr(err.text, "are in use") && strstr(err.text, heap), "%s", err.text);
    ck_assert(vaults_intact());
    vault_free(taken);
}
END_TEST

START_TEST(sealed_part_cannot_be_written) {
    unsigned char *a = vault();
    vault_seal(a, VAULT_PAGE_BYTES, true);
    a[VAULT_PAGE_BYTES] = 1;
    if (_i == 0) {
        vault_seal(a, VAULT_PAGE_BYTES, false);
    }
    a[0] = 1;
    if (_i == 1) {
        _exit(0);  // the test expects a signal
    }
}
END_TEST

SUITE() {
    Suite *suite = suite_create("vault");
    TCase *cases = tcase_create("vault");
    tcase_add_test(cases, zeros_far_apart);
    tcase_add_test(cases, a_vault_grows_only_if_it_has_to);
    tcase_add_test(cases, stores_on_either_side_show);
    tcase_add_test(cases, a_place_in_use_is_refused_with_its_neighbour);
    tcase_add_loop_test(cases, sealed_part_cannot_be_written, 0, 1);
#ifndef __SANITIZE_ADDRESS__  // it reports the signal itself
    tcase_add_loop_test_raise_signal(cases, sealed_part_cannot_be_written, SIGSEGV, 1, 2);
#endif
    suite_add_tcase(suite, cases);
    return suite;
}
