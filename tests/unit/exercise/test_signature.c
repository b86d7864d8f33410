// Declarations of kernels that are not matmuls: what is read, what it is at a size, and the message
// for each kind of mistake.
#include "exercise/exercise.h"

#include <stdint.h>

#include "scratch.h"
#include "suite.h"

#define TOP "title = T\npoints = 1\nspeed_points = 0\ntile = 8\n"
#define GOOD                                                                                       \
    TOP "sizes = H W R\n[parameters]\n"                                                            \
        "image = in float [H][W]\n"                                                                \
        "filter = constant float [2*R + 1][2*R+1]\n"                                               \
        "keys = inout uint8 [(H-1)*W/2]\n"                                                         \
        "out = out double [H][W]\n"                                                                \
        "H = int\nW = int\nR = int\n"                                                              \
        "alpha = float 0.5\n"                                                                      \
        "[inputs]\nimage = -2..0.5\nkeys = 3..9 sorted\n"                                          \
        "[work]\nflop = 2*H*W*(2*R+1)*(2*R+1)\nbytes = 12*H*W\n"                                   \
        "[cases]\nfirst = 5x7x1\nsecond = 4\n"

static enum status read_text(const char *text, struct exercise *exercise, struct error *err) {
    struct scratch scratch = scratch_make();
    char path[PATH_BYTES_MAX];
    scratch_write(&scratch, "lessons/07_sum/exercise.ini", text, path);
    enum status status = exercise_read(path, exercise, err);
    const char *message = status ? strstr(err->text, "exercise.ini:") : NULL;
    if (message) {
        memmove(err->text, message, strlen(message) + 1);
    }
    scratch_remove(&scratch);
    return status;
}

START_TEST(a_declaration_is_read) {
    struct exercise exercise;
    struct error err = {.text = ""};
    ck_assert_msg(read_text(GOOD, &exercise, &err) == STATUS_OK, "%s", err.text);
    const struct signature *signature = &exercise.signature;
    const struct size size = exercise.cases[0].size;
    char text[SIGNATURE_TEXT_BYTES];
    ck_assert(!signature->is_matmul);
    ck_assert_int_eq(signature->size_count, 3);
    ck_assert_int_eq(signature->parameter_count, 8);
    signature_parameters(signature, text);
    ck_assert_str_eq(text, "const float *image, uint8_t *keys, double *out, int H, int W, int R, "
                           "float alpha");
    ck_assert_uint_eq(parameter_elements(signature, &signature->parameter[1], size), 9);
    ck_assert_uint_eq(parameter_elements(signature, &signature->parameter[2], size), 14);
    ck_assert_uint_eq(parameter_bytes(signature, &signature->parameter[3], size), 5 * 7 * 8);
    ck_assert_double_eq(signature->parameter[0].draw.low, -2);
    ck_assert_double_eq(signature->parameter[0].draw.high, 0.5);
    ck_assert_int_eq(signature->parameter[2].draw.order, DRAW_SORTED);
    ck_assert_double_eq(signature->parameter[7].value, 0.5);
    ck_assert_double_eq(signature_flop(signature, size), 2 * 35 * 9);
    ck_assert_double_eq(signature_bytes(signature, size), 420);
    parameter_place(signature, &signature->parameter[0], size, 23, text, sizeof text);
    ck_assert_str_eq(text, "image[3][2]");
    size_format(exercise.cases[1].size, text);
    ck_assert_str_eq(text, "4x4x4");
    struct signature_layout layout = signature_layout_of(signature, size);
    ck_assert_uint_eq(layout.at[1], 4096);
    ck_assert_uint_eq(layout.total, 4 * 4096);
}
END_TEST

START_TEST(a_product_has_a_signature_of_its_own) {
    const struct signature *product = signature_of_matmul();
    const struct size size = {5, 7, 9};
    char text[SIGNATURE_TEXT_BYTES];
    signature_parameters(product, text);
    ck_assert_str_eq(text, "const float *A, const float *B, float *C, int M, int N, int K");
    ck_assert_uint_eq(parameter_elements(product, &product->parameter[2], size), 35);
    ck_assert_uint_eq(signature_work(product, size), 5 * 7 * 9);
}
END_TEST

#define MATRICES(a, b, c) "A = in " a "\nB = in " b "\nC = " c "\n"
#define HALVES            MATRICES("half [M][K]", "half [K][N]", "out float [M][N]")
#define BF16              MATRICES("bf16 [M][K]", "bf16 [K][N]", "out float [M][N]")

static const struct {
    const char *sizes, *parameters;
    bool multiplies;
} shapes[] = {
    {"M N K", HALVES, true},
    {"M N K", HALVES "M = int\nN = int\nK = int\n", true},
    {"H W R", MATRICES("float [H][R]", "float [R][W]", "out float [H][W]"), true},
    {"M N K", BF16, true},
    {"M N K", MATRICES("bf16 [M][K]", "half [K][N]", "out float [M][N]"), false},
    {"M N K", MATRICES("bf16 [M][K]", "bf16 [K][N]", "out bf16 [M][N]"), false},
    {"M N K", HALVES "alpha = float 0.5\n", false},
    {"M N K", HALVES "bias = in float [N]\n", false},
    {"M N K", MATRICES("half [M][K]", "half [N][K]", "out float [M][N]"), false},
    {"M K N", HALVES, false},
    {"M N K", MATRICES("half [M][K]", "float [K][N]", "out float [M][N]"), false},
    {"M N K", MATRICES("half [M][K]", "half [K][N]", "out half [M][N]"), false},
    {"M N K", MATRICES("half [M][K]", "half [K][N]", "inout float [M][N]"), false},
    {"M N K", MATRICES("int8 [M][K]", "int8 [K][N]", "out float [M][N]"), false},
    {"M N K", MATRICES("half [M*K]", "half [K][N]", "out float [M][N]"), false},
    {"M N K", "A = in half [M][K]\nC = out float [M][N]\n", false},
    {"N", MATRICES("half [N][N]", "half [N][N]", "out float [N][N]"), false},
};

START_TEST(a_product_is_known_by_its_arrays) {
    char text[600];
    struct exercise exercise;
    struct error err;
    (void)snprintf(text, sizeof text, TOP "sizes = %s\n[parameters]\n%s[cases]\nfirst = 4\n",
                   shapes[_i].sizes, shapes[_i].parameters);
    ck_assert_msg(!read_text(text, &exercise, &err), "%s", err.text);
    ck_assert_int_eq(signature_multiplies(&exercise.signature), shapes[_i].multiplies);
    ck_assert(signature_multiplies(signature_of_matmul()));
}
END_TEST

static const struct {
    const char *work;
    bool by_flop;
} works[] = {
    {"flop = 2*N*N*N\nbytes = 12*N*N\n", true},
    {"flop = 15*N\nbytes = N\n", true},
    {"flop = 13*N\nbytes = N\n", false},
    {"flop = N\nbytes = 4*N\n", false},
    {"bytes = N\n", false},
    {"", false},
};

START_TEST(a_speed_is_told_in_what_the_operation_needs_much_of) {
    char text[300];
    struct exercise exercise;
    struct error err;
    (void)snprintf(text, sizeof text,
                   TOP "sizes = N\n[parameters]\nx = in float [N]\ny = out float [N]\n"
                       "[work]\n%s[cases]\nfirst = 5\n",
                   works[_i].work);
    ck_assert_msg(!read_text(text, &exercise, &err), "%s", err.text);
    ck_assert_int_eq(signature_is_by_flop(&exercise.signature), works[_i].by_flop);
    ck_assert(signature_is_by_flop(signature_of_matmul()));
}
END_TEST

#define WITH(parameters) TOP "sizes = N\n[parameters]\n" parameters "[cases]\nfirst = 5\n"

static const struct {
    const char *text;
    const char *message;
} bad[] = {
    {TOP "sizes = N N\n", "exercise.ini:5: bad sizes 'N N': write different names, such as "
                          "`sizes = H W`"},
    {TOP "against = cublas\nsizes = N\n[parameters]\nx = in float [N]\ny = out float [N]\n"
         "[cases]\nfirst = 5\n",
     "exercise.ini:1: 'against = cublas' is for products of two matrices: A [M][K] and B [K][N] of "
     "float, half or bf16, C [M][N] of float, sizes M N K; remove the line"},
    {WITH("x = in flaot [N]\n"),
     "exercise.ini:7: unknown type 'flaot' (before it: in, out, inout or constant; the types "
     "are: float double half bf16 int8 int16 int int64 uint8 uint16 uint32 uint64)"},
    {WITH("x = in float [2*M]\n"), "exercise.ini:7: bad expression '2*M': 'M' begins with no size "
                                   "(the sizes are: N)"},
    {WITH("x = in float [N+]\n"), "exercise.ini:7: bad expression 'N+' at '': write sizes, whole "
                                  "numbers, + - * / and parentheses"},
    {WITH("x = in float [N/0]\n"), "exercise.ini:7: bad expression 'N/0': it divides by zero"},
    {WITH("x = in float N\n"), "exercise.ini:7: bad shape 'N': write one to three extents, such as "
                               "[N] or [H-2][W-2]"},
    {WITH("x = in float [N][N][N][N]\n"),
     "exercise.ini:7: bad shape '[N][N][N][N]': write one to three extents, such as [N] or "
     "[H-2][W-2]"},
    {WITH("n = int\n"), "exercise.ini:7: bad value '' of n: write a number that a int32 can hold, "
                        "or name n in `sizes`"},
    {WITH("N = int 3\n"), "exercise.ini:7: N is a size: write `N = int`"},
    {WITH("x = in float [N]\nx = in float [N]\n"),
     "exercise.ini:8: bad parameter 'x': write a name as in C, each only once, and no word of the "
     "language"},
    {WITH("x = bf16 0.5\n"), "exercise.ini:7: bad value '0.5' of x: write a number that a bf16 can "
                             "hold, or name x in `sizes`"},
    {WITH("bf16 = in float [N]\n"),
     "exercise.ini:7: bad parameter 'bf16': write a name as in C, each only once, and no word of "
     "the language"},
    {WITH("float = in float [N]\n"),
     "exercise.ini:7: bad parameter 'float': write a name as in C, each only once, and no word of "
     "the language"},
    {WITH("N = in float [N]\n"),
     "exercise.ini:7: N is a size: write `N = int`, or give the array another name"},
    {WITH("x = float [N]\n"),
     "exercise.ini:7: x is an array: write in, out, inout or constant before its type"},
    {WITH("x = in float [N]\n"), "exercise.ini:1: [parameters] have no result: write one such as "
                                 "`y = out float [N]`"},
    {WITH("x = out float [N-9]\n"), "exercise.ini:9: bad size '5' gives x no element: write a "
                                    "larger size, or another shape in [parameters]"},
    {WITH("x = out float [N*999999999]\n"), "exercise.ini:9: bad size '5': the arrays up to "
                                            "x then need more than 2 GiB: write a smaller size"},
    {TOP "sizes = H W\n[parameters]\nx = out float [H][W]\n[cases]\nfirst = 0x5\n",
     "exercise.ini:9: bad size '0x5': write HxW, each from 1 to 268435456"},
    {WITH("x = input float [N]\n"),
     "exercise.ini:7: unknown type 'input' (before it: in, out, inout or constant; the types are: "
     "float double half bf16 int8 int16 int int64 uint8 uint16 uint32 uint64)"},
    {TOP "sizes = H W\n[parameters]\nx = out float [H][W]\n[cases]\nfirst = 5x5x5\n",
     "exercise.ini:9: bad size '5x5x5': write HxW, each from 1 to 268435456"},
    {WITH("x = inout int [N]\n[inputs]\nx = 6..N\n"),
     "exercise.ini:11: bad size '5': the range of x then has no value of its type: write another "
     "size, or another range in [inputs]"},
    {WITH("x = inout int [N]\n[inputs]\nx = 0..M\n"),
     "exercise.ini:9: bad expression 'M': 'M' begins with no size (the sizes are: N)"},
    {WITH("x = inout uint8 [N]\n[inputs]\nx = 0..N\n"),
     "exercise.ini:9: bad inputs '0..N': both ends are values of a uint8, the smaller one first"},
    {WITH("x = inout int [N]\n[inputs]\nx = 0..9 mixed\n"),
     "exercise.ini:9: bad inputs '0..9 mixed': write a range such as -1..1, `sorted` alone or "
     "after one, `positive`, or, for whole numbers, `permutation`, or `alike` alone or after "
     "a range"},
    {WITH("x = out float [N]\n[inputs]\nx = 0..1\n"),
     "exercise.ini:9: 'x' is not an input array of [parameters]: declare it there as in, inout or "
     "constant"},
    {WITH("x = inout uint8 [N]\n[inputs]\nx = 0..256\n"),
     "exercise.ini:9: bad inputs '0..256': both ends are values of a uint8, the smaller one first"},
    {WITH("x = inout float [N]\n[inputs]\nx = 0..1 alike\n"),
     "exercise.ini:9: bad inputs '0..1 alike': write a range such as -1..1, `sorted` alone or "
     "after one, `positive`, or, for whole numbers, `permutation`, or `alike` alone or after "
     "a range"},
    {WITH("x = inout float [N]\n[inputs]\nx = permutation\n"),
     "exercise.ini:9: bad inputs 'permutation': write a range such as -1..1, `sorted` alone or "
     "after one, `positive`, or, for whole numbers, `permutation`, or `alike` alone or after "
     "a range"},
    {WITH("x = out float [N]\n[work]\nflops = 1\n"),
     "exercise.ini:9: unknown key 'flops' (the keys are: flop bytes)"},
    {TOP "sizes = N\n[cases]\nfirst = 5\n",
     "exercise.ini:7: [parameters] must come before the first size"},
    {WITH("const float *x\n[inputs]\nx = -1..1\n"), "exercise.ini:7: expected `name = value`"},
    {TOP "[parameters]\nn = int 4\n",
     "exercise.ini:1: [parameters] need the key 'sizes', such as `sizes = N`"},
    {TOP "[parameters]\nx = out float [N]\n",
     "exercise.ini:6: 'N': the key 'sizes' is missing above, such as `sizes = N`"},
};

START_TEST(a_range_follows_the_sizes) {
    struct exercise exercise;
    struct error err = {.text = ""};
    const char *text = WITH("x = inout int [N]\n[inputs]\nx = -2..N-1 sorted\n");
    ck_assert_msg(read_text(text, &exercise, &err) == STATUS_OK, "%s", err.text);
    const struct signature *signature = &exercise.signature;
    struct draw draw = parameter_draw(signature, &signature->parameter[0], exercise.cases[0].size);
    ck_assert_double_eq(draw.low, -2);
    ck_assert_double_eq(draw.high, 4);
    ck_assert_int_eq(draw.order, DRAW_SORTED);
}
END_TEST

START_TEST(a_mistake_is_named_with_its_line) {
    struct exercise exercise;
    struct error err = {.text = ""};
    ck_assert_int_eq(read_text(bad[_i].text, &exercise, &err), STATUS_BAD_DATA);
    ck_assert_str_eq(err.text, bad[_i].message);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("signature");
    TCase *tests = tcase_create("signature");
    tcase_add_test(tests, a_declaration_is_read);
    tcase_add_test(tests, a_product_has_a_signature_of_its_own);
    tcase_add_loop_test(tests, a_speed_is_told_in_what_the_operation_needs_much_of, 0,
                        sizeof works / sizeof *works);
    tcase_add_loop_test(tests, a_product_is_known_by_its_arrays, 0, sizeof shapes / sizeof *shapes);
    tcase_add_test(tests, a_range_follows_the_sizes);
    tcase_add_loop_test(tests, a_mistake_is_named_with_its_line, 0,
                        (int)(sizeof bad / sizeof *bad));
    suite_add_tcase(suite, tests);
    return suite;
}
