// What a worker, next to a student's native code, sends to the judge: an answer, and a request as
// the worker sees it.
//
// An input is a list of patches to a good answer: two bytes of place, one of length, the bytes.
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "device/channel/protocol.h"
#include "fuzz.h"
#include "judge/model/inputs.h"
#include "judge/model/judgement.h"
#include "judge/result/result.h"
#include "judge/run/cases.h"
#include "judge/run/findings_merge.h"
#include "judge/say/finding_text.h"

#define PATCH_HEAD 3

static const struct exercise exercise = {
    .name = "sample", .lesson = "lessons/01_sample", .title = "Sample", .points_max = 40000};

static void good_make(struct request *request, struct answer *answer) {
    memset(request, 0, sizeof *request);
    request->magic = PROTOCOL_MAGIC;
    request->kind = REQUEST_LAUNCH;
    request->nonce = 42;
    request->size = (struct size){4, 5, 6};
    request->arguments = arguments_of(signature_of_matmul(), request->size, NULL);
    request->flags = REQUEST_CHECK | REQUEST_COUNT;
    request->shared.count = 2;
    request->shared.array[0] = (struct shared_array){
        .bytes = 1024, .element_bytes = 4, .rank = 2, .extent = {16, 16}, .name = "As"};
    request->shared.array[1] =
        (struct shared_array){.offset = 4096, .element_bytes = 4, .is_dynamic = 1, .name = "Bs"};
    memset(answer, 0, sizeof *answer);
    answer->magic = PROTOCOL_MAGIC;
    answer->kind = REQUEST_LAUNCH;
    answer->nonce = 42;
    answer->end = RUN_FINISHED;
    for (int i = 0; i < 3; i++) {
        answer->grid[i] = 2;
        answer->block[i] = 8;
    }
    answer->shared_bytes = 1024;
    answer->findings.count = 2;
    answer->findings.list[0] = (struct finding){.kind = FINDING_RACE,
                                                .severity = SEVERITY_ERROR,
                                                .count = 3,
                                                .space = SPACE_SHARED,
                                                .array = 1,
                                                .access = ACCESS_WRITE,
                                                .other_access = ACCESS_READ,
                                                .access_bytes = 4,
                                                .block = {1, 1, 1},
                                                .thread = {7, 7, 7}};
    answer->findings.list[1] = (struct finding){.kind = FINDING_OUT_OF_BOUNDS,
                                                .severity = SEVERITY_ERROR,
                                                .count = 1,
                                                .space = SPACE_GLOBAL,
                                                .array = ARRAY_A,
                                                .offset = 96,
                                                .array_bytes = 96,
                                                .access = ACCESS_READ,
                                                .access_bytes = 4};
}

static void patch(uint8_t *target, size_t target_bytes, const uint8_t *bytes, size_t count) {
    while (count > PATCH_HEAD) {
        size_t place = ((size_t)bytes[0] << 8 | bytes[1]) % target_bytes;
        size_t length = bytes[2] < count - PATCH_HEAD ? bytes[2] : count - PATCH_HEAD;
        size_t kept = length < target_bytes - place ? length : target_bytes - place;
        memcpy(target + place, bytes + PATCH_HEAD, kept);
        bytes += PATCH_HEAD + length;
        count -= PATCH_HEAD + length;
    }
}

// What people are shown of an accepted answer, including result.json.
static void answer_show(const struct request *request, const struct answer *answer) {
    static struct exercise_result result;
    static struct run_reply reply;
    static struct exercise product;
    const struct run_program program = {.exercise = &product,
                                        .report = {.threads_max = request->threads_max}};
    struct run_outcome outcome = {.verdict = VERDICT_PASS, .text_verdict = VERDICT_PASS};
    char *text = NULL;
    memset(&result, 0, sizeof result);
    product.signature = *signature_of_matmul();
    reply = (struct run_reply){.fate = FATE_ANSWERED, .answer = *answer};
    run_outcome_of_reply(&reply, &program, &outcome);
    run_findings_add(&result.findings, &outcome.findings, DEVICE_EMU, request->size);
    for (int i = 0; i < result.findings.count; i++) {
        finding_explain(&result.findings.list[i], &request->shared);
        finding_headline(&result.findings.list[i], "sample.cu", result.why.headline);
        fuzz_demand(result.findings.list[i].message[0] != '\0' && result.why.headline[0] != '\0',
                    "a sentence for each finding");
    }
    result.exercise = &exercise;
    result.verdict = outcome.verdict;
    (void)strcpy(result.file, "sample.cu");  // NOLINT: fits
    const struct judgement judgement = {.exercise_count = 1, .exercises = &result};
    if (!result_write_json(&judgement, "1", &text, NULL)) {
        json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
        fuzz_demand(root != NULL, "a result that can be read");
        json_decref(root);
        free(text);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    static struct request request;
    static struct answer answer;
    good_make(&request, &answer);
    // With a trace, which has its own room after the rest, or without.
    bool traced = count % 2 == 1;
    size_t answer_bytes = traced ? sizeof answer : ANSWER_HEAD_BYTES;
    request.flags |= traced ? REQUEST_TRACE : 0;
    fuzz_demand(answer_check(&request, &answer, answer_bytes), "the good answer is good");
    patch((uint8_t *)&answer, sizeof answer, bytes, count);
    if (answer_check(&request, &answer, answer_bytes) && answer.end != RUN_TROUBLE) {
        answer_show(&request, &answer);
    }
    fuzz_demand(request_check(&request, REQUEST_HEAD_BYTES), "the good request is good");
    patch((uint8_t *)&request, sizeof request, bytes, count);
    (void)request_check(&request, count % 2 == 0 ? REQUEST_HEAD_BYTES : sizeof request);
    return 0;
}
