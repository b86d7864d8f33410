// A vault is one mapping: a page that ends with struct vault_head, the memory, a page that begins
// with the second canary.  The second canary is the complement of the first, so a kernel that fills
// a vault with one value is noticed too.
#include "emu/memory/vault.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

// Addresses that programs, libraries and stacks do not use, with 47 and with 39 bits of address.
#if defined(__x86_64__)
#define PLACE_LOW  (1ull << 38)
#define PLACE_HIGH (1ull << 46)
#else
#define PLACE_LOW  (1ull << 36)
#define PLACE_HIGH (1ull << 38)
#endif
#define HUGE_BYTES   (2u << 20)  // a huge page of x86-64 and aarch64
#define TRIES_MAX    64
#define SYSTEM_PAGE  4096u  // mincore rounds up where pages are larger
#define CANARY_WORDS 8

struct vault_head {
    struct vault_head *older;
    uint64_t bytes;  // of the memory, whole pages
    uint64_t canary[CANARY_WORDS];
};

// Global, because each part of the machine makes its own vaults.
static struct vault_head *newest;

static uint64_t to_page(uint64_t bytes) {
    return (bytes + VAULT_PAGE_BYTES - 1) / VAULT_PAGE_BYTES * VAULT_PAGE_BYTES;
}

static struct vault_head *head_of(void *memory) {
    return (struct vault_head *)memory - 1;
}

static uint64_t *end_of(struct vault_head *head) {
    return (uint64_t *)(void *)((char *)(head + 1) + head->bytes);
}

static bool random_make(uint64_t *ret_number) {
    return getrandom(ret_number, sizeof *ret_number, 0) == (ssize_t)sizeof *ret_number;
}

// The heap of the program is the neighbour of a named vault.
static enum status place_fail(void *place, uint64_t bytes, struct error *err) {
    if (errno != EEXIST) {
        return fail_errno(err, STATUS_NO_MEMORY, "no memory for the CPU device");
    }
    return fail(
        err, STATUS_NO_MEMORY,
        "no memory for the CPU device: some of the %llu bytes at 0x%llx are in use, and the "
        "heap ends at 0x%llx; try again, with the system's usual layout of addresses",
        (unsigned long long)bytes, (unsigned long long)(uintptr_t)place,
        (unsigned long long)(uintptr_t)sbrk(0));
}

enum status vault_new_at(void *place, uint64_t bytes, struct error *err) {
    uint64_t canary = 0;
    char *start = (char *)place - VAULT_PAGE_BYTES;
    if (!random_make(&canary) ||
        mmap(start, to_page(bytes) + 2 * VAULT_PAGE_BYTES, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) != start) {
        return place_fail(place, bytes, err);
    }
    struct vault_head *head = head_of(place);
    *head = (struct vault_head){.older = newest, .bytes = to_page(bytes)};
    for (int i = 0; i < CANARY_WORDS; i++) {
        head->canary[i] = canary;
        end_of(head)[i] = ~canary;
    }
    newest = head;
    return STATUS_OK;
}

// At a random place.
static enum status vault_new(uint64_t bytes, void **ret_memory, struct error *err) {
    const uint64_t step = bytes < HUGE_BYTES ? VAULT_PAGE_BYTES : HUGE_BYTES;
    enum status status = STATUS_NO_MEMORY;
    for (int i = 0; i < TRIES_MAX && status; i++) {
        uint64_t number = 0;
        (void)random_make(&number);
        uint64_t place = PLACE_LOW + number % (PLACE_HIGH - PLACE_LOW);
        void *memory = (void *)(uintptr_t)(place / step * step);
        status = vault_new_at(memory, bytes, err);
        *ret_memory = status ? NULL : memory;
    }
    return status;
}

void vault_free(void *memory) {
    if (!memory) {
        return;
    }
    struct vault_head *head = head_of(memory);
    struct vault_head **link = &newest;
    while (*link != head) {
        link = &(*link)->older;
    }
    *link = head->older;
    (void)munmap((char *)memory - VAULT_PAGE_BYTES, head->bytes + 2 * VAULT_PAGE_BYTES);
}

void vaults_free(void) {
    while (newest) {
        vault_free(newest + 1);
    }
}

enum status vault_need(void *pointer, uint64_t bytes, struct error *err) {
    void *earlier = NULL;
    void *memory = NULL;
    memcpy(&earlier, pointer, sizeof earlier);
    if (bytes == 0 || (earlier && head_of(earlier)->bytes >= bytes)) {
        return STATUS_OK;
    }
    enum status status = vault_new(bytes, &memory, err);
    if (!status) {
        vault_free(earlier);
        memcpy(pointer, &memory, sizeof memory);
    }
    return status;
}

void vault_wipe_on_fork(void *memory) {
    (void)madvise(memory, head_of(memory)->bytes, MADV_WIPEONFORK);
}

void vault_clear(void *memory) {
    (void)madvise(memory, head_of(memory)->bytes, MADV_DONTNEED);
}

void vault_seal(void *memory, uint64_t bytes, bool sealed) {
    // If this fails, the other defences remain.
    (void)mprotect(memory, bytes, sealed ? PROT_READ : PROT_READ | PROT_WRITE);
}

bool vaults_intact(void) {
    for (struct vault_head *head = newest; head; head = head->older) {
        for (int i = 0; i < CANARY_WORDS; i++) {
            if (head->canary[i] != head->canary[0] || end_of(head)[i] != ~head->canary[0]) {
                return false;
            }
        }
    }
    return true;
}

bool vault_touched(struct vault_window *window, const void *at) {
    const uint64_t page = (uint64_t)(uintptr_t)at / SYSTEM_PAGE * SYSTEM_PAGE;
    if (window->first == 0 || page - window->first >= VAULT_WINDOW_PAGES * SYSTEM_PAGE) {
        window->first =
            page / (VAULT_WINDOW_PAGES * SYSTEM_PAGE) * VAULT_WINDOW_PAGES * SYSTEM_PAGE;
        // The window may reach past the vault: then all of it counts as touched.
        if (mincore((void *)(uintptr_t)window->first, VAULT_WINDOW_PAGES * SYSTEM_PAGE,
                    window->touched) != 0) {
            memset(window->touched, 1, sizeof window->touched);
        }
    }
    return window->touched[(page - window->first) / SYSTEM_PAGE] & 1;
}
