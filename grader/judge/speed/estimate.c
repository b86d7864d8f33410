// Asks the compiler for registers where it is here, and the model for the rest.
#include "judge/speed/estimate.h"

#include <stdio.h>
#include <stdlib.h>

#include "exercise/exercise.h"
#include "judge/model/judgement.h"
#include "judge/run/outcome.h"
#include "judge/speed/reference.h"

// The size to estimate for: the timed one with the most work, else the counted one.
static struct size estimate_size_of(const struct exercise *exercise, struct size counted_size) {
    const struct signature *signature = &exercise->signature;
    struct size size = signature->is_matmul ? (struct size){4096, 4096, 4096} : counted_size;
    uint64_t most = 0;
    for (int i = 0; i < exercise->timed_count; i++) {
        uint64_t work = signature_work(signature, exercise->timed[i].size);
        if (work > most) {
            most = work;
            size = exercise->timed[i].size;
        }
    }
    return size;
}

// Registers of a thread as NVRTC gives them for the card; 0 if it is not here, or refuses.
static int registers_of(const struct judge_machine *machine, const struct card *card,
                        const struct exercise *exercise, struct text text) {
    struct run_program program;
    struct judge_machine for_card = *machine;
    (void)snprintf(for_card.gpu.architecture, sizeof for_card.gpu.architecture, "sm_%d",
                   card->multiprocessor->capability);
    if (!machine->has_nvrtc || run_build(&for_card, DEVICE_GPU, exercise, text, &program, NULL)) {
        return 0;
    }
    int registers = program.report.registers;
    run_program_done(&program);
    return registers;
}

static int reference_registers_of(const struct judge_options *options, const struct card *card,
                                  const struct exercise *exercise) {
    char *text = NULL;
    size_t bytes = 0;
    int registers = 0;
    if (!speed_reference_read(options, exercise, &text, &bytes, NULL)) {
        registers = registers_of(&options->machine, card, exercise, (struct text){text, bytes});
    }
    free(text);
    return registers;
}

static bool kernel_estimate(const struct signature *signature, const struct kernel_estimate *whole,
                            struct size counted_size, const struct estimated_kernel *kernel,
                            int registers, struct estimate *ret_estimate) {
    struct estimate_request request = {.card = whole->card,
                                       .size = whole->size,
                                       .counted_size = counted_size,
                                       .counts = kernel->counts,
                                       .registers = registers,
                                       .shared_bytes = (int)kernel->shared_bytes};
    if (!signature->is_matmul) {
        request.growth = (double)signature_work(signature, whole->size) /
                         (double)signature_work(signature, counted_size);
        request.flop = signature_flop(signature, whole->size);
        request.bytes = signature_bytes(signature, whole->size);
    }
    // The model knows one launch, as another size may have others, and no tensor cores.
    return kernel->launch_count <= 1 && kernel->counts->tensor_flops == 0 &&
           estimate_make(&request, ret_estimate);
}

struct estimated_kernel estimated_of(const struct run_program *program,
                                     const struct run_outcome *outcome) {
    const struct shared_array_table *shared = &program->report.shared;
    struct estimated_kernel kernel = {.counts = &outcome->counts,
                                      .shared_bytes = outcome->shared_bytes,
                                      .launch_count = outcome->launch_count};
    for (uint32_t i = 0; i < shared->count; i++) {
        kernel.shared_bytes += shared->array[i].is_dynamic ? 0 : shared->array[i].bytes;
    }
    return kernel;
}

void speed_estimate(const struct judge_options *options, const struct run_kernel *kernel,
                    struct size counted_size, const struct estimated_kernel *student,
                    const struct estimated_kernel *reference, struct exercise_result *result) {
    const struct exercise *exercise = result->exercise;
    struct kernel_estimate whole = {.card = options->extras.card,
                                    .size = estimate_size_of(exercise, counted_size)};
    if (!whole.card && card_find(CARD_DEFAULT, &whole.card, NULL)) {
        return;
    }
    // LAUNCH may choose another kernel at another size.
    if (student->launch_count > 0 || (reference && reference->launch_count > 0)) {
        whole.size = counted_size;
    }
    whole.registers = registers_of(&options->machine, whole.card, exercise,
                                   (struct text){kernel->prepared, kernel->prepared_bytes});
    int theirs = whole.registers > 0 && reference
                     ? reference_registers_of(options, whole.card, exercise)
                     : 0;
    if (reference && theirs == 0) {
        whole.registers = 0;  // of both or of none, so that they can be compared
    }
    whole.made = kernel_estimate(&exercise->signature, &whole, counted_size, student,
                                 whole.registers, &whole.student);
    whole.has_reference = reference && kernel_estimate(&exercise->signature, &whole, counted_size,
                                                       reference, theirs, &whole.reference);
    result->speed.estimate = whole;
}
