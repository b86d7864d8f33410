// The alignment checker: every size at every address of 16 bytes.
#include "emu/check/address_checks.h"

#include "rig.h"
#include "suite.h"

static struct rig rig;
static const struct block_place place = {.index = {0, 1, 0}, .linear = 2};

START_TEST(only_multiples_of_the_size_are_clean) {
    rig_init(&rig);
    for (uint32_t bytes = 1; bytes <= 16; bytes *= 2) {
        for (int64_t offset = 0; offset < 32; offset++) {
            struct access access = rig_access(&rig, SPACE_GLOBAL, ARRAY_B, offset, bytes,
                                              ACCESS_READ, 9, 0x100 + bytes);
            ck_assert(align_access(&rig.findings, &rig.shape, &place, &access) ==
                      (offset % bytes != 0));
        }
    }
    ck_assert_uint_eq(rig.findings.count, 4);  // all sizes but 1
    rig_done(&rig);
}
END_TEST

START_TEST(finding_names_place_and_size) {
    rig_init(&rig);
    struct access access = rig_access(&rig, SPACE_GLOBAL, ARRAY_B, 200, 16, ACCESS_READ, 9, 0x100);
    ck_assert(align_access(&rig.findings, &rig.shape, &place, &access));
    const struct finding *f = &rig.findings.list[0];
    ck_assert_uint_eq(f->kind, FINDING_MISALIGNED);
    ck_assert_uint_eq(f->severity, SEVERITY_ERROR);
    ck_assert_uint_eq(f->pc, 0x100);
    ck_assert_uint_eq(f->array, ARRAY_B);
    ck_assert_int_eq(f->offset, 200);
    ck_assert_uint_eq(f->access_bytes, 16);
    ck_assert_uint_eq(f->block[1], 1);
    ck_assert_uint_eq(f->thread[0], 1);
    ck_assert_uint_eq(f->thread[1], 1);
    rig_done(&rig);
}
END_TEST

// 16 bytes: two doubles; 24: three doubles; 32: two float4.
static const uint64_t structs[] = {16, 8, 24, 8, 32, 16, 0};

static bool copied(int64_t offset, uint32_t copy_bytes, uint32_t copy_at) {
    struct access access = rig_access(&rig, SPACE_GLOBAL, ARRAY_B, offset, 4, ACCESS_READ, 9, 0x90);
    access.copy_bytes = copy_bytes;
    access.copy_at = copy_at;
    return align_copy(&rig.findings, &rig.shape, &place, &access);
}

START_TEST(copy_of_a_struct_goes_by_its_type) {
    rig_init(&rig);
    rig.shape.alignment = structs;
    ck_assert(!copied(32, 32, 0));
    ck_assert(!copied(36, 32, 4));  // its second part
    ck_assert(!copied(8, 24, 0));
    ck_assert(!copied(4, 28, 0));  // a struct of floats
    ck_assert(!copied(4, 8, 0));   // or a number in a packed struct
    ck_assert(!copied(4, COPY_OF_UNKNOWN, 0));
    ck_assert_uint_eq(rig.findings.count, 0);
    ck_assert(copied(8, 32, 0));
    ck_assert(copied(4, 24, 0));
    ck_assert_uint_eq(rig.findings.list[0].access_bytes, 16);
    rig_done(&rig);
}
END_TEST

START_TEST(two_doubles_need_not_lie_as_a_float4) {
    rig_init(&rig);
    struct access access = rig_access(&rig, SPACE_GLOBAL, ARRAY_B, 8, 16, ACCESS_READ, 9, 0x100);
    rig.shape.alignment = structs;
    ck_assert(!align_access(&rig.findings, &rig.shape, &place, &access));
    rig.shape.alignment = NULL;
    ck_assert(align_access(&rig.findings, &rig.shape, &place, &access));
    rig_done(&rig);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("align");
    TCase *tcase = tcase_create("align");
    tcase_add_test(tcase, only_multiples_of_the_size_are_clean);
    tcase_add_test(tcase, finding_names_place_and_size);
    tcase_add_test(tcase, copy_of_a_struct_goes_by_its_type);
    tcase_add_test(tcase, two_doubles_need_not_lie_as_a_float4);
    suite_add_tcase(suite, tcase);
    return suite;
}
