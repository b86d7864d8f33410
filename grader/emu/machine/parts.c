// Sets of what blocks that run in turns have of their own.
#include "emu/machine/parts.h"

#include "emu/machine/mbarrier.h"
#include "emu/memory/vault.h"

enum status block_set_new(const struct emu_machine *machine, uint32_t number,
                          struct block_set *ret_parts, struct error *err) {
    struct block_set parts = {.uninit = NULL};
    enum status status = uninit_new(&parts.uninit, err);
    status = status ? status : async_new(&parts.async, err);
    if (machine->hands_on) {
        status = status ? status : bulk_new(&parts.bulk, err);
        status = status ? status : mbarriers_new(&parts.mbarriers, err);
    }
    if (machine->wgmma) {
        status = status ? status : wgmma_new(FIBER_STACK_BYTES, &parts.wgmma, err);
    }
    if (status) {
        block_set_free(&parts);
        return status;
    }
    if (parts.bulk) {
        parts.bulk->first_agent = number * BULK_AGENTS;
    }
    if (parts.wgmma) {
        parts.wgmma->first_agent = number * BULK_AGENTS;
    }
    *ret_parts = parts;
    return STATUS_OK;
}

void block_set_free(struct block_set *parts) {
    wgmma_free(parts->wgmma);
    mbarriers_free(parts->mbarriers);
    bulk_free(parts->bulk);
    async_free(parts->async);
    uninit_free(parts->uninit);
    *parts = (struct block_set){.uninit = NULL};
}

enum status block_set_launch_begin(struct emu_machine *machine, struct block_set *parts,
                                   struct error *err) {
    struct findings *findings = &machine->result.findings;
    enum status status = STATUS_OK;
    if (machine->checks) {
        parts->uninit->sees_memory = machine->uninit->sees_memory;
        parts->uninit->padding = machine->uninit->padding;
        status = uninit_launch_begin(parts->uninit, &machine->shape, findings, err);
        status = status ? status : async_launch_begin(parts->async, &machine->shape, findings, err);
    }
    if (!status && machine->checks && machine->hands_on) {
        status = bulk_launch_begin(parts->bulk, &machine->shape, findings, err);
    }
    if (!status && machine->checks && machine->wgmma) {
        status = wgmma_launch_begin(parts->wgmma, &machine->shape, findings, err);
    }
    for (uint32_t i = 0; machine->wgmma && i < machine->shape.thread_count; i++) {
        wgmma_stack(parts->wgmma, i, fiber_stack_low(&machine->stacks, i));
    }
    if (!status && machine->hands_on) {
        status = mbarriers_launch_begin(parts->mbarriers, &machine->shape, err);
    }
    return status;
}

void block_set_launch_end(const struct emu_machine *machine, struct block_set *parts) {
    if (!machine->checks) {
        return;
    }
    uninit_launch_end(parts->uninit);
    async_launch_end(parts->async);
    if (machine->hands_on) {
        bulk_launch_end(parts->bulk);
    }
}

void block_set_become(struct emu_machine *machine, const struct block_set *parts) {
    vault_seal(machine, MACHINE_SEALED_BYTES, false);
    block_set_use(machine, parts);
    vault_seal(machine, MACHINE_SEALED_BYTES, true);
}
