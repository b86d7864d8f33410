// A few entries, searched by name.
#include "judge/expected/store.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

static enum status stored_program_build(const struct judge_machine *machine,
                                        const struct exercise *exercise,
                                        struct expected_program *ret_program, struct error *err) {
    char path[PATH_BYTES_MAX];
    char shown[PATH_BYTES_MAX];
    char *text = NULL;
    size_t bytes = 0;
    enum status status = path_make(shown, err, "%s/expected.c", exercise->lesson);
    if (!status) {
        status = path_make(path, err, "%s/%s/expected.c", exercise->root, exercise->lesson);
    }
    if (!status && file_read(path, SOURCE_BYTES_MAX, &text, &bytes, err)) {
        status = fail(err, STATUS_BAD_DATA,
                      "%s: cannot be read; an exercise that is no product says there what its "
                      "result is",
                      shown);
    }
    if (!status) {
        status = expected_build(machine, &exercise->signature, exercise->name, shown, text, bytes,
                                ret_program, err);
    }
    free(text);
    return status;
}

enum status expected_store_get(const struct judge_machine *machine, const struct exercise *exercise,
                               const struct expected_program **ret_program, struct error *err) {
    struct expected_store *store = machine->expected;
    assert(store);
    for (int i = 0; i < store->count; i++) {
        if (strcmp(store->program[i]->name, exercise->name) == 0) {
            *ret_program = store->program[i];
            return STATUS_OK;
        }
    }
    assert(store->count < EXERCISES_MAX);
    struct expected_program *program = calloc(1, sizeof *program);
    if (!program) {
        return fail(err, STATUS_NO_MEMORY, "no memory");
    }
    enum status status = stored_program_build(machine, exercise, program, err);
    if (status) {
        free(program);
        return status;
    }
    store->program[store->count++] = program;
    *ret_program = program;
    return STATUS_OK;
}

void expected_store_done(struct expected_store *store) {
    while (store && store->count > 0) {
        struct expected_program *program = store->program[--store->count];
        expected_program_done(program);
        free(program);
    }
}
