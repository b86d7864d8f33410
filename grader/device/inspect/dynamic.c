// Writes shared.s, which is linked with a kernel: dynamic shared memory, and lists of the kernel's
// structs.
#include "device/inspect/object.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/random.h"
#include "device/inspect/inspect.h"
#include "device/inspect/types.h"
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
enum status object_write_shared(const struct object *object, struct error *err) {
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    if (!out) {
        return fail(err, STATUS_NO_MEMORY, "shared.s: no memory");
    }
    bool any = false;
    for (size_t i = 1; i < object->elf.count; i++) {
        GElf_Sym symbol;
        const char *name = elf_symbol(&object->elf, i, &symbol);
        if (symbol.st_shndx != SHN_UNDEF || GELF_ST_TYPE(symbol.st_info) != STT_TLS ||
            name[0] == '\0') {
            continue;
        }
        if (!any) {
            (void)fprintf(out, "\t.section .tbss.dynamic,\"awT\",%%nobits\n\t.balign 65536\n");
        }
        any = true;
        (void)fprintf(out, "\t.globl %s\n\t.type %s, %%object\n%s:\n", name, name, name);
    }
    if (any) {
        (void)fprintf(out, "\t.zero %d\n", SHARED_ROOM_BYTES);
    }
    types_write(object->elf.elf, out);
    enum status status = machine_place(out, err);
    (void)fprintf(out, "\t.section .note.GNU-stack,\"\",%%progbits\n");
    if (!stream_close(out, &text)) {
        return fail(err, STATUS_NO_MEMORY, "shared.s: no memory");
    }
    if (!status) {
        status = file_write("shared.s", text, bytes, err);
    }
    free(text);
    return status;
}

enum status inspect_types(char **ret_text, struct error *err) {
    struct elf_file elf = {.fd = -1};
    char *text = NULL;
    size_t bytes = 0;
    enum status status = elf_file_open("kernel.o", &elf, err);
    FILE *out = status ? NULL : open_memstream(&text, &bytes);
    if (out) {
        types_write(elf.elf, out);
        status = machine_place(out, err);
    }
    if (!status && (!out || !stream_close(out, &text))) {
        status = fail(err, STATUS_NO_MEMORY, "no memory");
    }
    elf_file_close(&elf);
    if (status) {
        free(text);
        return status;
    }
    *ret_text = text;
    return STATUS_OK;
}
