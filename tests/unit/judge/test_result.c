// result.json: keys, order, hostile texts, numbers that come back bit for bit.
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "exercise/exercise.h"
#include "judge/model/judgement.h"
#include "judge/result/result.h"
#include "judge/submission/submission.h"
#include "suite.h"  // last: Check has a macro called fail

static const struct exercise exercise = {
    .name = "sample", .lesson = "lessons/01_sample", .title = "Sample", .points_max = 40000};

// One exercise with a race, as the judge leaves it.
static void judgement_make(struct judgement *judgement, struct exercise_result *result) {
    *result = (struct exercise_result){
        .exercise = &exercise,
        .file = "sample.cu",
        .verdict = VERDICT_RACE,
        .complete = true,
        .speed.complete = true,
        .points_max = 40000,
        .why.headline = "sample.cu:13: the barrier after loading is missing.",
        .why.repeat_size = {.m = 16, .n = 16, .k = 17},
        .cases.count = 1,
        .cases.list = {{.size = {.m = 67, .n = 33, .k = 129},
                        .inputs = INPUTS_REAL,
                        .device = DEVICE_EMU,
                        .verdict = VERDICT_RACE}},
        .findings.count = 1,
    };
    result->findings.list[0] = (struct judged_finding){
        .finding = {.kind = FINDING_RACE,
                    .severity = SEVERITY_ERROR,
                    .count = 7,
                    .line = 13,
                    .other_line = 22,
                    .thread = {5, 3, 0}},
        .size = {.m = 16, .n = 16, .k = 17},
        .array = "As",
        .index_count = 2,
        .index = {3, 0},
        .message = "The barrier after loading is missing.",
        .lesson = "lessons/verdicts.md#race",
        .shown.text = "As[ty][tx] = A[row * K + k];",
        .shown.column = 20,
        .shown.mark = {0, 10},
    };
    *judgement = (struct judgement){.exercise_count = 1,
                                    .exercises = result,
                                    .points_max = 40000,
                                    .complete = true,
                                    .used_emu = true,
                                    .counted = true,
                                    .measured = true,
                                    .device_text = "emu",
                                    .sandbox_text = "limits",
                                    .seed_text = "00000000000000000000000000000007"};
}

static json_t *written(const struct judgement *judgement) {
    char *text = NULL;
    ck_assert_int_eq(result_write_json(judgement, "1.2.3", &text, NULL), STATUS_OK);
    ck_assert_int_eq(text[strlen(text) - 1], '\n');
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    free(text);
    ck_assert_ptr_nonnull(root);
    return root;
}

static const char *text_at(json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    ck_assert_ptr_nonnull(text);
    return text;
}

static json_t *exercise_at(json_t *root) {
    return json_array_get(json_object_get(root, "exercises"), 0);
}

START_TEST(the_keys_that_others_rely_on_are_there) {
    struct judgement judgement;
    struct exercise_result *result = calloc(1, sizeof *result);
    judgement_make(&judgement, result);
    json_t *root = written(&judgement);
    ck_assert_str_eq(text_at(root, "schema"), "tilegrade/result/v2");
    ck_assert_str_eq(text_at(root, "grader_version"), "1.2.3");
    ck_assert_str_eq(text_at(root, "speed_basis"), "counted");
    ck_assert(json_is_null(json_object_get(json_object_get(root, "device"), "gpu")));
    ck_assert_int_eq(json_integer_value(json_object_get(root, "points_max")), 40000);
    json_t *one = exercise_at(root);
    ck_assert_str_eq(text_at(one, "verdict"), "race");
    json_t *finding = json_array_get(json_object_get(one, "findings"), 0);
    ck_assert_str_eq(text_at(finding, "kind"), "race");
    ck_assert_str_eq(text_at(finding, "severity"), "error");
    ck_assert_int_eq(json_integer_value(json_object_get(finding, "other_line")), 22);
    ck_assert_str_eq(text_at(finding, "source"), "As[ty][tx] = A[row * K + k];");
    json_t *judged = json_array_get(json_object_get(one, "cases"), 0);
    ck_assert_str_eq(text_at(judged, "inputs"), "real");
    json_decref(root);
    free(result);
}
END_TEST

START_TEST(a_gpu_that_is_a_known_card_has_its_peaks) {
    struct judgement judgement;
    struct exercise_result *result = calloc(1, sizeof *result);
    judgement_make(&judgement, result);
    json_t *root = written(&judgement);
    ck_assert_ptr_null(json_object_get(json_object_get(root, "device"), "peaks"));
    json_decref(root);
    judgement.card = card_of_gpu("NVIDIA H200", 132);
    root = written(&judgement);
    json_t *peaks = json_object_get(json_object_get(root, "device"), "peaks");
    ck_assert(json_real_value(json_object_get(peaks, "gflops")) > 66000.0);
    ck_assert(json_real_value(json_object_get(peaks, "memory_gb_s")) == 4800.0);
    json_decref(root);
    free(result);
}
END_TEST

START_TEST(what_a_block_accesses_is_told_by_array_and_step) {
    struct judgement judgement;
    struct exercise_result *result = calloc(1, sizeof *result);
    judgement_make(&judgement, result);
    static struct index_maps maps = {.count = 1};
    struct index_map *map = &maps.map[0];
    *map = (struct index_map){.signature = signature_of_matmul(),
                              .size = {.m = 4, .n = 8, .k = 2},
                              .threads = {4, 2, 1},
                              .blocks = {2, 2, 1},
                              .launches = 1,
                              .trace = {.block = {1, 1, 0}, .phases = 1, .count = 1}};
    map->shared.count = 1;
    map->shared.array[0] =
        (struct shared_array){.element_bytes = 4, .rank = 1, .extent = {8}, .name = "As"};
    map->trace.box[0] = (struct trace_box){.line = 7,
                                           .space = SPACE_SHARED,
                                           .kind = ACCESS_WRITE,
                                           .bytes = 4,
                                           .step = {{1}, {1}, {4, 1, 4}, {1}}};
    result->maps = &maps;
    json_t *root = written(&judgement);
    json_t *drawn =
        json_array_get(json_object_get(json_object_get(exercise_at(root), "maps"), "list"), 0);
    json_t *box = json_array_get(json_object_get(drawn, "accesses"), 0);
    json_t *arrays = json_object_get(drawn, "arrays");
    size_t array = (size_t)json_integer_value(json_array_get(box, 2));
    ck_assert_str_eq(text_at(json_array_get(arrays, array), "name"), "As");
    ck_assert_str_eq(json_string_value(json_array_get(box, 1)), "store");
    ck_assert_uint_eq(json_array_size(json_array_get(box, 7)), 1);
    ck_assert(json_is_true(json_object_get(drawn, "whole")));
    json_decref(root);
    free(result);
}
END_TEST

START_TEST(the_same_judgement_gives_the_same_bytes) {
    struct judgement judgement;
    struct exercise_result *result = calloc(1, sizeof *result);
    char *first = NULL;
    char *second = NULL;
    judgement_make(&judgement, result);
    ck_assert_int_eq(result_write_json(&judgement, "1.2.3", &first, NULL), STATUS_OK);
    ck_assert_int_eq(result_write_json(&judgement, "1.2.3", &second, NULL), STATUS_OK);
    ck_assert_str_eq(first, second);
    free(first);
    free(second);
    free(result);
}
END_TEST

START_TEST(hostile_text_stays_text) {
    struct judgement judgement;
    struct exercise_result *result = calloc(1, sizeof *result);
    judgement_make(&judgement, result);
    char hostile[] = "\"}],\x01\x1b[31m \xe9t\xe9 \xc3\xa9 \xed\xa0\x80\t\x7f\nend";
    result->why.diagnostics = hostile;
    json_t *root = written(&judgement);
    ck_assert_str_eq(text_at(exercise_at(root), "diagnostics"),
                     "\"}],??[31m ?t? \xc3\xa9 ??? ?\nend");
    json_decref(root);
    free(result);
}
END_TEST

START_TEST(times_come_back_bit_for_bit) {
    struct judgement judgement;
    struct exercise_result *result = calloc(1, sizeof *result);
    double student[] = {0.1, 1.0 / 3.0};
    double reference[] = {2.0 / 3.0, 0.7000000000000001};
    judgement_make(&judgement, result);
    result->speed.count = 1;
    result->speed.list = &(struct speed_result){.size = {.m = 2048, .n = 2048, .k = 2048},
                                                .verdict = SPEED_MARGINAL,
                                                .ratio = 0.95,
                                                .pairs = 2,
                                                .student_ms = student,
                                                .reference_ms = reference};
    json_t *root = written(&judgement);
    json_t *speed = json_array_get(json_object_get(exercise_at(root), "speed"), 0);
    ck_assert_str_eq(text_at(speed, "verdict"), "marginal");
    json_t *times = json_object_get(speed, "student_ms");
    ck_assert_uint_eq(json_array_size(times), 2);
    ck_assert(json_real_value(json_array_get(times, 1)) == student[1]);
    ck_assert(json_real_value(json_array_get(json_object_get(speed, "reference_ms"), 1)) ==
              reference[1]);
    ck_assert_ptr_null(json_object_get(speed, "counts"));
    json_decref(root);
    free(result);
}
END_TEST

START_TEST(the_state_of_the_gpu_stands_beside_the_samples_and_what_is_unknown_is_null) {
    struct judgement judgement;
    struct exercise_result *result = calloc(1, sizeof *result);
    double samples[] = {0.1, 0.2};
    struct gpu_state states[] = {{.known = GPU_STATE_CLOCKS | GPU_STATE_REASONS,
                                  .sm_mhz = 1980,
                                  .memory_mhz = 3201,
                                  .reasons = GPU_REASON_POWER_CAP},
                                 {.known = 0}};
    judgement_make(&judgement, result);
    result->speed.count = 1;
    result->speed.list = &(struct speed_result){.size = {.m = 1, .n = 1, .k = 1},
                                                .pairs = 2,
                                                .student_ms = samples,
                                                .reference_ms = samples,
                                                .states = states,
                                                .launches = 9,
                                                .attempts = 2,
                                                .doubt = "the times are too noisy",
                                                .calibrated_ms = 0.25};
    json_t *root = written(&judgement);
    json_t *speed = json_array_get(json_object_get(exercise_at(root), "speed"), 0);
    json_t *first = json_array_get(json_object_get(speed, "gpu_states"), 0);
    json_t *second = json_array_get(json_object_get(speed, "gpu_states"), 1);
    ck_assert_int_eq(json_integer_value(json_object_get(first, "sm_mhz")), 1980);
    ck_assert_int_eq(json_integer_value(json_object_get(first, "reasons")), 4);
    ck_assert(json_is_null(json_object_get(first, "celsius")));
    ck_assert(json_is_null(json_object_get(second, "sm_mhz")));
    ck_assert_int_eq(json_integer_value(json_object_get(speed, "launches")), 9);
    ck_assert_int_eq(json_integer_value(json_object_get(speed, "attempts")), 2);
    ck_assert_str_eq(text_at(speed, "doubt"), "the times are too noisy");
    ck_assert(json_real_value(json_object_get(speed, "calibrated_ms")) == 0.25);
    json_decref(root);
    free(result);
}
END_TEST

START_TEST(a_finding_says_its_column_and_what_to_mark) {
    struct judgement judgement;
    struct exercise_result *result = calloc(1, sizeof *result);
    judgement_make(&judgement, result);
    json_t *root = written(&judgement);
    json_t *finding = json_array_get(json_object_get(exercise_at(root), "findings"), 0);
    json_t *mark = json_object_get(finding, "mark");
    ck_assert_int_eq(json_integer_value(json_object_get(finding, "column")), 20);
    ck_assert_int_eq(json_integer_value(json_object_get(finding, "other_column")), 0);
    ck_assert_uint_eq(json_array_size(mark), 2);
    ck_assert_int_eq(json_integer_value(json_array_get(mark, 1)), 10);
    ck_assert_ptr_null(json_object_get(finding, "other_mark"));  // nothing to mark: no key
    json_decref(root);
    free(result);
}
END_TEST

START_TEST(blanks_before_a_line_are_counted) {
    static const char text[] = "a\n \t b\n\n    ";
    ck_assert_uint_eq(submitted_indent(text, sizeof text - 1, 1), 0);
    ck_assert_uint_eq(submitted_indent(text, sizeof text - 1, 2), 3);
    ck_assert_uint_eq(submitted_indent(text, sizeof text - 1, 3), 0);
    ck_assert_uint_eq(submitted_indent(text, sizeof text - 1, 4), 4);
    ck_assert_uint_eq(submitted_indent(text, sizeof text - 1, 5), 0);
    ck_assert_uint_eq(submitted_indent(text, sizeof text - 1, 0), 0);
}
END_TEST

START_TEST(a_ratio_that_is_no_number_is_no_result) {
    struct judgement judgement;
    struct exercise_result *result = calloc(1, sizeof *result);
    char *text = NULL;
    judgement_make(&judgement, result);
    result->speed.count = 1;
    result->speed.list = &(struct speed_result){.size = {.m = 1, .n = 1, .k = 1}, .counted = true};
    result->speed.list[0].ratio = result->speed.list[0].ratio / result->speed.list[0].ratio;
    ck_assert_int_ne(result_write_json(&judgement, "1.2.3", &text, NULL), STATUS_OK);
    ck_assert_ptr_null(text);
    free(result);
}
END_TEST

START_TEST(source_lines_are_found_and_cleaned) {
    static const char text[] = "first\r\n\t int x;  \r\n\x1b[0m\xe9";
    char line[16];
    submitted_line(text, sizeof text - 1, 1, line, sizeof line);
    ck_assert_str_eq(line, "first");
    submitted_line(text, sizeof text - 1, 2, line, sizeof line);
    ck_assert_str_eq(line, "int x;");
    submitted_line(text, sizeof text - 1, 3, line, sizeof line);
    ck_assert_str_eq(line, "?[0m?");
    submitted_line(text, sizeof text - 1, 4, line, sizeof line);
    ck_assert_str_eq(line, "");
    submitted_line(text, sizeof text - 1, 0, line, sizeof line);
    ck_assert_str_eq(line, "");
    submitted_line(text, sizeof text - 1, 1, line, 3);
    ck_assert_str_eq(line, "fi");
}
END_TEST

SUITE() {
    Suite *suite = suite_create("result");
    TCase *tests = tcase_create("json");
    tcase_add_test(tests, the_keys_that_others_rely_on_are_there);
    tcase_add_test(tests, a_gpu_that_is_a_known_card_has_its_peaks);
    tcase_add_test(tests, what_a_block_accesses_is_told_by_array_and_step);
    tcase_add_test(tests, the_same_judgement_gives_the_same_bytes);
    tcase_add_test(tests, hostile_text_stays_text);
    tcase_add_test(tests, times_come_back_bit_for_bit);
    tcase_add_test(tests,
                   the_state_of_the_gpu_stands_beside_the_samples_and_what_is_unknown_is_null);
    tcase_add_test(tests, a_ratio_that_is_no_number_is_no_result);
    tcase_add_test(tests, a_finding_says_its_column_and_what_to_mark);
    tcase_add_test(tests, blanks_before_a_line_are_counted);
    tcase_add_test(tests, source_lines_are_found_and_cleaned);
    suite_add_tcase(suite, tests);
    return suite;
}
