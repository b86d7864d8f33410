// Writes shared.s, which is linked with a kernel: dynamic shared memory, and lists of the kernel's
// structs.
#include "device/inspect/object.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/random.h"
#include "device/inspect/inspect.h"
#include "device/inspect/types.h"
#include "emu/memory/memory.h"
#include "emu/memory/vault.h"

// Draws the address of the machine, so that no kernel knows where it is.
static enum status machine_place(FILE *out, struct error *err) {
    struct seed seed;
    enum status status = seed_fresh(&seed, err);
    if (!status) {
        uint64_t pages = (VAULT_NAMED_HIGH - VAULT_NAMED_LOW) / VAULT_PAGE_BYTES;
        (void)fprintf(out, "\t.globl machine_state\n\t.set machine_state, 0x%llx\n",
                      VAULT_NAMED_LOW +
                          seed.word[0] % pages * (unsigned long long)VAULT_PAGE_BYTES);
    }
    return status;
}

// All `extern __shared__` arrays are one memory, as on a GPU: undefined thread-local symbols get
// one address.
static void dynamic_write(const struct elf_file *elf, FILE *out) {
    bool any = false;
    for (size_t i = 1; i < elf->count; i++) {
        GElf_Sym symbol;
        const char *name = elf_symbol(elf, i, &symbol);
        if (symbol.st_shndx != SHN_UNDEF || GELF_ST_TYPE(symbol.st_info) != STT_TLS ||
            name[0] == '\0') {
            continue;
        }
        if (!any) {
            (void)fprintf(out,
                          "\t.section .tbss.dynamic,\"awT\",%%nobits\n\t.balign %u\n\t.zero %u\n",
                          MEMORY_ALIGN_BYTES, memory_shift(types_declared_alignment(elf->elf)));
        }
        any = true;
        (void)fprintf(out, "\t.globl %s\n\t.type %s, %%object\n%s:\n", name, name, name);
    }
    if (any) {
        (void)fprintf(out, "\t.zero %d\n", SHARED_ROOM_BYTES);
    }
}

static enum status shared_text(const struct elf_file *elf, char **ret_text, size_t *ret_bytes,
                               struct error *err) {
    char *text = NULL;
    FILE *out = open_memstream(&text, ret_bytes);
    if (!out) {
        return fail(err, STATUS_NO_MEMORY, "shared.s: no memory");
    }
    dynamic_write(elf, out);
    types_write(elf->elf, out);
    enum status status = machine_place(out, err);
    (void)fprintf(out, "\t.section .note.GNU-stack,\"\",%%progbits\n");
    if (!stream_close(out, &text)) {
        return fail(err, STATUS_NO_MEMORY, "shared.s: no memory");
    }
    if (status) {
        free(text);
        return status;
    }
    *ret_text = text;
    return STATUS_OK;
}

enum status object_write_shared(const struct object *object, struct error *err) {
    char *text = NULL;
    size_t bytes = 0;
    enum status status = shared_text(&object->elf, &text, &bytes, err);
    if (!status) {
        status = file_write("shared.s", text, bytes, err);
    }
    free(text);
    return status;
}

enum status inspect_shared(char **ret_text, struct error *err) {
    struct elf_file elf = {.fd = -1};
    size_t bytes = 0;
    enum status status = elf_file_open("kernel.o", &elf, err);
    if (!status) {
        status = shared_text(&elf, ret_text, &bytes, err);
    }
    elf_file_close(&elf);
    return status;
}
