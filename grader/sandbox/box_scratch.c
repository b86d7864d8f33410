// A private folder for one build: see box.h.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "sandbox/box.h"

const char *box_scratch_parent(void) {
    const char *folder = getenv("TMPDIR");
    return folder && folder[0] == '/' ? folder : "/tmp";
}

enum status box_scratch_make(const struct sandbox *sandbox, char path[PATH_BYTES_MAX],
                             struct error *err) {
    const char *folder = box_scratch_parent();
    char made[PATH_BYTES_MAX];
    int length = snprintf(made, sizeof made, "%s/tilegrade.XXXXXX", folder);
    if (length >= (int)sizeof made) {
        return fail(err, STATUS_SYSTEM, "%.80s…: the path is too long", folder);
    }
    if (!mkdtemp(made)) {  // mode 700
        return fail_errno(err, STATUS_SYSTEM, "%s: cannot make a folder in it", folder);
    }
    // Still empty, so no other user can have put a link into it.
    if (sandbox && sandbox->on[LAYER_USER] &&
        lchown(made, sandbox->uid, (gid_t)sandbox->uid) != 0) {
        enum status status = fail_errno(err, STATUS_SYSTEM, "%s: cannot change its owner", made);
        (void)rmdir(made);
        return status;
    }
    struct statvfs info;
    if (statvfs(made, &info) == 0 && (info.f_flag & ST_NOEXEC)) {
        (void)rmdir(made);
        return fail(err, STATUS_SYSTEM,
                    "%.200s: programs cannot be run from there, because it is mounted noexec; set "
                    "TMPDIR to another folder",
                    folder);
    }
    memcpy(path, made, sizeof made);
    return STATUS_OK;
}
