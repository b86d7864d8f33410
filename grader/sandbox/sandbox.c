// How much must hold before anything of a submission is run, and what reports say of it.
#include "sandbox/sandbox.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/texts.h"

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
                "too little shuts a submission in here (%s). Remedy: run as root, or on Linux 5.13 "
                "or newer with Landlock and seccomp; --sandbox=unsafe goes on without, for files "
                "that you trust",
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

static void text_add(char text[SANDBOX_TEXT_BYTES], const char *before, const char *what,
                     const char *why) {
    size_t length = strlen(text);
    (void)snprintf(text + length, SANDBOX_TEXT_BYTES - length, "%s%s%s%s%s", before, what,
                   why[0] != '\0' ? " (" : "", why, why[0] != '\0' ? ")" : "");
}

void sandbox_text(const struct sandbox *sandbox, char text[SANDBOX_TEXT_BYTES]) {
    text[0] = '\0';
    if (!sandbox || sandbox->policy == POLICY_UNSAFE) {
        text_add(text, "",
                 _("UNSAFE, as asked: only limits, process group, clean environment, no new "
                   "privileges"),
                 "");
        return;
    }
    text_add(text, "", _("limits, process group, clean environment, no new privileges"), "");
    for (int i = 0; i < LAYER_COUNT; i++) {
        if (sandbox->on[i]) {
            text_add(text, ", ", sandbox_layer_name((enum sandbox_layer)i), "");
        }
    }
    const char *before = _("; without ");
    for (int i = 0; i < LAYER_COUNT; i++) {
        if (!sandbox->on[i]) {
            text_add(text, before, sandbox_layer_name((enum sandbox_layer)i), sandbox->why[i]);
            before = ", ";
        }
    }
}
