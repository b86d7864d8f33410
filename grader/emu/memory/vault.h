// Memory of the worker that a kernel must not find: the machine itself, and the data of the
// checkers and the counter.
//
// Each vault is at a random address, with unmapped pages on both sides and a canary at both ends.
// The machine's address is drawn when a kernel is linked (device/inspect/before_link.c), so that
// hooks reach it by name; the other addresses are drawn in each worker.
#ifndef EMU_MEMORY_VAULT_H
#define EMU_MEMORY_VAULT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

#if defined(__x86_64__)
#define VAULT_PAGE_BYTES 4096u
#else
#define VAULT_PAGE_BYTES 65536u  // no page is larger
#endif

// The range of addresses for a named vault.  Code reaches 2 GiB by name, and the heap of a static
// program starts up to 1 GiB after its end.
#define VAULT_NAMED_LOW  0x50000000u
#define VAULT_NAMED_HIGH 0x7f000000u

// Makes a pointer point to at least that many bytes: zeros at a page boundary, which take no memory
// until they are touched.  If it already points to a vault, that vault is kept if it is large
// enough, and freed otherwise.
//
// pointer  the address of a pointer of any type, NULL at first.
// Errors   STATUS_NO_MEMORY; then the pointer is as before.
// Owns     this module: vaults_free frees all that are left.
enum status vault_need(void *pointer, uint64_t bytes, struct error *err);
void vault_free(void *memory);  // accepts NULL
void vaults_free(void);

// Zeros at a given address, which must be free.
enum status vault_new_at(void *place, uint64_t bytes, struct error *err);

// A process that is forked from this one gets zeros: a copy would cost more than its work.
void vault_wipe_on_fork(void *memory);

// Zeros again.
void vault_clear(void *memory);

// While sealed, the first `bytes` bytes of a vault, whole pages, are read-only.
void vault_seal(void *memory, uint64_t bytes, bool sealed);

// True if the canaries of all vaults are unchanged.
bool vaults_intact(void);

// Which pages of vaults have been touched, for loops over memory of which most was not.
#define VAULT_WINDOW_PAGES 256u
struct vault_window {
    uint64_t first;  // address of the first page that it knows; 0: none yet
    unsigned char touched[VAULT_WINDOW_PAGES];
};

// False if the page of this address holds only zeros because nothing has touched it.
bool vault_touched(struct vault_window *window, const void *at);

#endif
