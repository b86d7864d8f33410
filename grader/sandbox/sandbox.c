// Decides whether enough layers hold to run a submission, and describes them for reports.
#include "sandbox/sandbox.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compose.h"

const char *sandbox_layer_name(enum sandbox_layer layer) {
#define LAYER_NAME(enumerator, name) [enumerator] = name,
    static const char *const names[LAYER_COUNT] = {SANDBOX_LAYERS(LAYER_NAME)};
#undef LAYER_NAME
    return names[layer];
}

const char *sandbox_policy_name(enum sandbox_policy policy) {
    static const char *const names[POLICY_COUNT] = {
        [POLICY_DEFAULT] = "default", [POLICY_STRICT] = "strict", [POLICY_UNSAFE] = "unsafe"};
    return names[policy];
}

static bool is_enough(const struct sandbox *sandbox) {
    const bool *on = sandbox->on;
    switch (sandbox->policy) {
    case POLICY_UNSAFE:
        return true;
    case POLICY_STRICT:
        return on[LAYER_SECCOMP] && on[LAYER_LANDLOCK] && (on[LAYER_USER] || on[LAYER_NAMESPACES]);
    default:
        return (on[LAYER_SECCOMP] || on[LAYER_NAMESPACES]) &&
               (on[LAYER_LANDLOCK] || on[LAYER_USER] || on[LAYER_ROOT]);
    }
}

static enum status refuse(const struct sandbox *sandbox, struct error *err) {
    char text[SANDBOX_TEXT_BYTES];
    sandbox_text(sandbox, text);
    return fail(err, STATUS_UNAVAILABLE,
                "this machine cannot isolate a submission well enough (%s). Run as root, or on "
                "Linux 5.13 or newer with Landlock and seccomp. --sandbox=unsafe runs without "
                "isolation: use it only for files that you trust",
                text);
}

enum status sandbox_open(enum sandbox_policy policy, const char *const *needed,
                         struct sandbox **ret_sandbox, struct error *err) {
    struct sandbox *sandbox = calloc(1, sizeof *sandbox);
    if (!sandbox) {
        return fail(err, STATUS_NO_MEMORY, "no memory");
    }
    sandbox->policy = policy;
    enum status status = STATUS_OK;
    if (policy != POLICY_UNSAFE) {
        status = sandbox_probe(sandbox, needed, err);
        if (!status && !is_enough(sandbox)) {
            status = refuse(sandbox, err);
        }
    }
    if (status) {
        sandbox_close(sandbox);
        return status;
    }
    *ret_sandbox = sandbox;
    return STATUS_OK;
}

void sandbox_close(struct sandbox *sandbox) {
    if (sandbox) {
        for (int i = 0; i < PROFILE_COUNT; i++) {
            free(sandbox->filter[i].filter);
        }
        free(sandbox);
    }
}

bool sandbox_counts_processes(const struct sandbox *sandbox) {
    return sandbox && (sandbox->on[LAYER_USER] || (sandbox->on[LAYER_NAMESPACES] &&
                                                   (sandbox->namespaces & CLONE_NEWUSER) != 0));
}

// The layers in reports: in English by their names, which variables take in every language.
static const char *const shown[LAYER_COUNT] = {
    [LAYER_SECCOMP] = "seccomp",   [LAYER_LANDLOCK] = "landlock",
    [LAYER_USER] = N_("own-user"), [LAYER_NAMESPACES] = N_("namespaces"),
    [LAYER_ROOT] = N_("own-root"),
};

// Adds a layer to a list: "seccomp, own-root (namespaces are not available)".
static void list_add(char list[SANDBOX_TEXT_BYTES], const char *name, const char *why) {
    char item[SANDBOX_TEXT_BYTES];
    char before[SANDBOX_TEXT_BYTES];
    if (why[0] == '\0') {
        (void)snprintf(item, sizeof item, "%s", name);
    } else {
        words_write(item, sizeof item, C_("list", "%s (%s)"), name, why);
    }
    if (list[0] == '\0') {
        (void)snprintf(list, SANDBOX_TEXT_BYTES, "%s", item);
        return;
    }
    (void)snprintf(before, sizeof before, "%s", list);
    words_write(list, SANDBOX_TEXT_BYTES, C_("list", "%s, %s"), before, item);
}

void sandbox_text(const struct sandbox *sandbox, char text[SANDBOX_TEXT_BYTES]) {
    char on[SANDBOX_TEXT_BYTES] = "";
    char off[SANDBOX_TEXT_BYTES] = "";
    if (!sandbox || sandbox->policy == POLICY_UNSAFE) {
        words_write(text, SANDBOX_TEXT_BYTES,
                    "UNSAFE, as requested: only limits, process group, clean environment, no new "
                    "privileges");
        return;
    }
    list_add(on, _("limits, process group, clean environment, no new privileges"), "");
    for (int i = 0; i < LAYER_COUNT; i++) {
        list_add(sandbox->on[i] ? on : off, shown[i], sandbox->why[i]);
    }
    words_write(text, SANDBOX_TEXT_BYTES, off[0] == '\0' ? "%s" : _("%s; without %s"), on, off);
}
