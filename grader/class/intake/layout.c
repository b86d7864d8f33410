// Platforms write who handed in what into the names of folders and files (names.h), or into a table
// (gradescope.h).  The names directly in the folder are enough; what is in them is not looked at.
#include "class/intake/layout.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/text.h"
#include "base/words.h"
#include "class/intake/gradescope.h"
#include "class/intake/names.h"
#include "judge/source/package.h"

#define TABLE           "submission_metadata.yml"
#define TABLE_BYTES_MAX (256 << 20)  // it holds the results of all students
#define READINGS_MAX    8

static bool is_submission(const struct entry *entry) {
    return entry->kind == ENTRY_FOLDER ||
           (entry->kind == ENTRY_FILE && package_has_name(entry->name));
}

static bool is_clone(const struct layout_folder *folder, const struct entry *entry) {
    char path[PATH_BYTES_MAX];
    struct stat about;
    int length = snprintf(path, sizeof path, "%s/.git", entry->name);
    return entry->kind == ENTRY_FOLDER && length < (int)sizeof path &&
           fstatat(folder->fd, path, &about, AT_SYMLINK_NOFOLLOW) == 0;
}

// The login of a row of the roster with which a name ends, after the separator: "hw1-anna"; the
// longest.  prefix: the bytes with which all names begin, if that is known: the rest is not cut, as
// "x-anna" in "hw1-x-anna" is another login.  ids: an id may be a login.
static const char *login_find(const struct roster *roster, const char *name, size_t prefix,
                              char separator, bool ids) {
    const char *found = NULL;
    size_t bytes = strlen(name);
    for (int i = 0; roster && i < roster->count; i++) {
        const struct person *person = &roster->person[i];
        const char *logins[] = {person->key[KEY_GITHUB], person->key[KEY_USERNAME],
                                ids ? person->id : NULL};
        for (int j = 0; j < 3; j++) {
            const char *login = logins[j];
            size_t length = login ? strlen(login) : 0;
            if (length > 0 && bytes > length + 1 && name[bytes - length - 1] == separator &&
                (prefix == 0 || bytes - length <= prefix) &&
                strcasecmp(name + bytes - length, login) == 0 &&
                (!found || length > strlen(found))) {
                found = login;
            }
        }
    }
    return found;
}

enum class_layout layout_find(const struct layout_folder *folder) {
    struct platform_name name;
    int all = folder->listing.count;
    int canvas = 0;
    int blackboard = 0;
    int moodle = 0;
    int clones = 0;
    int submissions = 0;
    for (int i = 0; i < all; i++) {
        const struct entry *entry = &folder->listing.entry[i];
        if (entry->kind == ENTRY_FILE && strcmp(entry->name, TABLE) == 0) {
            return LAYOUT_GRADESCOPE;
        }
        canvas += canvas_name_read(entry->name, 0, &name);
        moodle += moodle_name_read(entry->name, &name);
        blackboard += blackboard_name_read(entry->name, &name);
        clones +=
            is_clone(folder, entry) ||
            (entry->kind == ENTRY_FOLDER && login_find(folder->roster, entry->name, 0, '-', false));
        submissions += is_submission(entry);
    }
    return moodle > 0 && 2 * moodle >= all           ? LAYOUT_MOODLE
           : blackboard > 0 && 2 * blackboard >= all ? LAYOUT_BLACKBOARD
           : canvas > 0 && 2 * canvas >= all         ? LAYOUT_CANVAS
           : clones > 0 && 2 * clones >= submissions ? LAYOUT_CLASSROOM
           : submissions > 0                         ? LAYOUT_FOLDERS
                                                     : LAYOUT_AUTO;
}

static void no_student(struct sources *sources, const struct entry *entry) {
    unmatched_add(sources, entry->name,
                  entry->kind == ENTRY_LINK ? _("a link, which is not followed")
                                            : _("its name does not say whose it is"));
}

// --- Folders, and clones -------------------------------------------------------------

static void folder_add(struct sources *sources, const struct entry *entry, const char *id,
                       size_t id_bytes) {
    char part[PATH_BYTES_MAX];
    struct source *source = source_add(sources, entry->name);
    if (source) {
        (void)snprintf(part, sizeof part, "%.*s", (int)id_bytes, id);
        source->owner.id = text_kept(sources, part);
        source_item_add(sources, source, entry, entry->name);
    }
}

static void folders_read(const struct layout_folder *folder, struct sources *sources) {
    for (int i = 0; i < folder->listing.count; i++) {
        const struct entry *entry = &folder->listing.entry[i];
        if (is_submission(entry)) {
            bool file = entry->kind == ENTRY_FILE;
            folder_add(sources, entry, entry->name,
                       file ? package_stem(entry->name) : strlen(entry->name));
        } else {
            no_student(sources, entry);
        }
    }
}

// What all names begin with, up to a separator: "hw1-".
struct prefix {
    char first[PATH_BYTES_MAX];
    size_t bytes;
    int names;
};

static void prefix_take(struct prefix *prefix, const char *name) {
    if (prefix->names++ == 0) {
        (void)snprintf(prefix->first, sizeof prefix->first, "%s", name);
        prefix->bytes = strlen(prefix->first);
    }
    size_t same = 0;
    while (same < prefix->bytes && name[same] == prefix->first[same]) {
        same++;
    }
    prefix->bytes = same;
}

static size_t prefix_bytes(const struct prefix *prefix, char separator) {
    size_t bytes = prefix->bytes;
    while (bytes > 0 && prefix->first[bytes - 1] != separator) {
        bytes--;
    }
    return bytes;
}

static size_t clones_prefix(const struct layout_folder *folder) {
    struct prefix prefix = {.names = 0};
    for (int i = 0; i < folder->listing.count; i++) {
        if (folder->listing.entry[i].kind == ENTRY_FOLDER) {
            prefix_take(&prefix, folder->listing.entry[i].name);
        }
    }
    return prefix.names > 1 ? prefix_bytes(&prefix, '-') : 0;
}

// The time of a commit is the student's to set, and git is not run in a folder that is not trusted:
// when a clone was received is known from the roster alone.
static void clones_read(const struct layout_folder *folder, struct sources *sources) {
    size_t prefix = clones_prefix(folder);
    for (int i = 0; i < folder->listing.count; i++) {
        const struct entry *entry = &folder->listing.entry[i];
        const char *login = login_find(folder->roster, entry->name, prefix, '-', true);
        login = login ? login : entry->name + (strlen(entry->name) > prefix ? prefix : 0);
        if (entry->kind != ENTRY_FOLDER) {
            no_student(sources, entry);
            continue;
        }
        folder_add(sources, entry, login, strlen(login));
        if (!sources->status) {
            struct source *source = &sources->list[sources->count - 1];
            source->owner.key[KEY_GITHUB] = text_shown(sources, login);
        }
    }
}

// --- Canvas and Moodle ---------------------------------------------------------------

static struct source *source_find(struct sources *sources, const char *id) {
    for (int i = 0; i < sources->count; i++) {
        if (sources->list[i].owner.id && strcmp(sources->list[i].owner.id, id) == 0) {
            return &sources->list[i];
        }
    }
    return NULL;
}

static bool roster_has(const struct roster *roster, enum person_key key, const char *value) {
    for (int i = 0; roster && i < roster->count; i++) {
        if (roster->person[i].key[key] && strcmp(roster->person[i].key[key], value) == 0) {
            return true;
        }
    }
    return false;
}

// Reads the name in the way that fits the roster.  *ret_doubt: more than one student fits, or only
// a later number, which could be in a file's name, which another student has chosen.
static bool canvas_choose(const struct roster *roster, const char *text,
                          struct platform_name *ret_name, bool *ret_doubt) {
    struct platform_name name;
    bool found = false;
    *ret_doubt = false;
    for (int i = 0; i < READINGS_MAX && canvas_name_read(text, i, &name); i++) {
        if (roster_has(roster, KEY_CANVAS_ID, name.number)) {
            *ret_doubt = *ret_doubt || (found ? strcmp(name.number, ret_name->number) != 0 : i > 0);
            *ret_name = found ? *ret_name : name;
            found = true;
        }
    }
    return found || canvas_name_read(text, 0, ret_name);
}

// The source of the student whom a name gives, with the item added.
static struct source *named_add(struct sources *sources, const struct entry *entry,
                                const struct platform_name *name, enum person_key key) {
    char id[2 * NAME_PART_BYTES];
    (void)snprintf(id, sizeof id, "%s%s%s", name->owner, name->number[0] != '\0' ? "_" : "",
                   name->number);
    struct source *source = source_find(sources, id);
    if (!source && (source = source_add(sources, entry->name)) != NULL) {
        source->owner.id = text_kept(sources, id);
        source->owner.name = text_shown(sources, name->owner);
        source->owner.key[key] = text_shown(sources, name->number);
    }
    if (source) {
        source_item_add(sources, source, entry, name->file[0] != '\0' ? name->file : entry->name);
        source->late_mark = source->late_mark || name->late_mark;
    }
    return sources->status ? NULL : source;
}

static void canvas_read(const struct layout_folder *folder, struct sources *sources) {
    for (int i = 0; i < folder->listing.count; i++) {
        struct platform_name name;
        bool doubt = false;
        const struct entry *entry = &folder->listing.entry[i];
        bool read = (entry->kind == ENTRY_FILE || entry->kind == ENTRY_FOLDER) &&
                    canvas_choose(folder->roster, entry->name, &name, &doubt);
        if (!read) {
            no_student(sources, entry);
            continue;
        }
        if (doubt) {
            unmatched_add(sources, entry->name,
                          _("its name has more than one number that could be a student's"));
            continue;
        }
        int version = canvas_version_cut(name.file);
        struct source *source = named_add(sources, entry, &name, KEY_CANVAS_ID);
        if (source) {
            struct source_item *item = &source->item[source->item_count - 1];
            item->version = version;
            item->upload = strtoll(name.upload, NULL, 10);
        }
    }
}

static void moodle_read(const struct layout_folder *folder, struct sources *sources) {
    for (int i = 0; i < folder->listing.count; i++) {
        struct platform_name name;
        const struct entry *entry = &folder->listing.entry[i];
        if ((entry->kind == ENTRY_FILE || entry->kind == ENTRY_FOLDER) &&
            moodle_name_read(entry->name, &name)) {
            (void)named_add(sources, entry, &name, KEY_MOODLE_ID);
        } else {
            no_student(sources, entry);
        }
    }
}

// Blackboard hands out every try, each with its date.  The date has no time zone, so it says which
// try is newer, and not when it was received.
static void blackboard_read(const struct layout_folder *folder, struct sources *sources) {
    struct prefix all = {.names = 0};
    for (int i = 0; i < folder->listing.count; i++) {
        struct platform_name name;
        if (blackboard_name_read(folder->listing.entry[i].name, &name)) {
            prefix_take(&all, name.owner);
        }
    }
    size_t prefix = prefix_bytes(&all, '_');
    for (int i = 0; i < folder->listing.count; i++) {
        struct platform_name name;
        const struct entry *entry = &folder->listing.entry[i];
        if (entry->kind != ENTRY_FILE || !blackboard_name_read(entry->name, &name)) {
            no_student(sources, entry);
            continue;
        }
        const char *login = login_find(folder->roster, name.owner, prefix, '_', true);
        login = login ? login : name.owner + (strlen(name.owner) > prefix ? prefix : 0);
        long long order = strtoll(name.upload, NULL, 10);
        struct source *source = NULL;
        for (int j = 0; j < sources->count && !source; j++) {
            bool same =
                sources->list[j].order == order && strcmp(sources->list[j].owner.id, login) == 0;
            source = same ? &sources->list[j] : NULL;
        }
        if (!source && (source = source_add(sources, entry->name)) != NULL) {
            source->owner.id = text_kept(sources, login);
            source->owner.key[KEY_USERNAME] = text_shown(sources, login);
            source->order = order;
        }
        source_item_add(sources, source, entry, name.file);
    }
}

// What is left to say of students with several files: how often one file was handed in, and that
// one number under two names cannot be right.
static void named_end(struct sources *sources, enum person_key key) {
    for (int i = 0; i < sources->count && !sources->status; i++) {
        struct source *source = &sources->list[i];
        for (int j = 0; j < source->item_count; j++) {
            int same = 0;
            for (int k = 0; k < source->item_count; k++) {
                same += strcmp(source->item[j].name, source->item[k].name) == 0;
            }
            source->tries = same > source->tries ? same : source->tries;
        }
        if (source->item_count > 1) {
            text_set(sources, &source->shown, "%s and %d more", source->item[0].path,
                     source->item_count - 1);
        }
        for (int j = 0; j < i && source->owner.key[key]; j++) {
            struct source *other = &sources->list[j];
            if (other->owner.key[key] &&
                strcmp(other->owner.key[key], source->owner.key[key]) == 0) {
                text_set(sources, &source->fault, "'%s' and '%s' have the same number",
                         other->owner.id, source->owner.id);
                text_set(sources, &other->fault, "%s", source->fault);
            }
        }
    }
}

// --- Gradescope ----------------------------------------------------------------------

struct export {
    const struct layout_folder *folder;
    struct sources *sources;
    bool *named;  // for each entry of the folder
};

static void record_take(void *context, const struct gradescope_record *record) {
    struct export *export = context;
    struct sources *sources = export->sources;
    const struct listing *listing = &export->folder->listing;
    const struct entry *entry = NULL;
    for (int i = 0; i < listing->count && !entry; i++) {
        if (listing->entry[i].kind == ENTRY_FOLDER &&
            strcmp(listing->entry[i].name, record->folder) == 0) {
            entry = &listing->entry[i];
            export->named[i] = true;
        }
    }
    if (!entry || record->submitter_count == 0) {
        unmatched_add(sources, record->folder,
                      entry ? _("submission_metadata.yml names no student for it")
                            : _("submission_metadata.yml names it, but there is no such folder"));
        return;
    }
    for (int i = 0; i < record->submitter_count; i++) {
        const char *name = record->submitter[i][SUBMITTER_NAME];
        const char *sid = record->submitter[i][SUBMITTER_SID];
        const char *mail = record->submitter[i][SUBMITTER_MAIL];
        struct source *source = source_add(sources, entry->name);
        if (source) {
            source->owner.id = text_kept(sources, *sid != '\0'    ? sid
                                                  : *mail != '\0' ? mail
                                                                  : record->folder);
            source->owner.name = text_shown(sources, name);
            source->owner.mail = text_shown(sources, mail);
            source->received = record->created_at;
            source->order = record->created_at == MOMENT_NONE ? 0 : record->created_at;
            source_item_add(sources, source, entry, entry->name);
        }
    }
}

static void gradescope_take(const struct layout_folder *folder, struct sources *sources) {
    struct export export = {.folder = folder, .sources = sources};
    char *text = NULL;
    size_t bytes = 0;
    export.named = calloc((size_t)folder->listing.count + 1, sizeof *export.named);
    sources->status =
        export.named ? entry_read(folder->fd, TABLE, TABLE_BYTES_MAX, &text, &bytes, sources->err)
                     : fail(sources->err, STATUS_NO_MEMORY, "no memory for the class");
    if (!sources->status) {
        enum status status = gradescope_read(TABLE, text, record_take, &export, sources->err);
        sources->status = sources->status ? sources->status : status;
    }
    for (int i = 0; i < folder->listing.count && !sources->status; i++) {
        const struct entry *entry = &folder->listing.entry[i];
        if (!export.named[i] && strcmp(entry->name, TABLE) != 0) {
            unmatched_add(sources, entry->name, _("submission_metadata.yml does not name it"));
        }
    }
    free(export.named);
    free(text);
}

void layout_read(enum class_layout layout, const struct layout_folder *folder,
                 struct sources *sources) {
    switch (layout) {
    case LAYOUT_FOLDERS:
        folders_read(folder, sources);
        break;
    case LAYOUT_CANVAS:
        canvas_read(folder, sources);
        named_end(sources, KEY_CANVAS_ID);
        break;
    case LAYOUT_MOODLE:
        moodle_read(folder, sources);
        named_end(sources, KEY_MOODLE_ID);
        break;
    case LAYOUT_BLACKBOARD:
        blackboard_read(folder, sources);
        break;
    case LAYOUT_GRADESCOPE:
        gradescope_take(folder, sources);
        break;
    case LAYOUT_CLASSROOM:
        clones_read(folder, sources);
        break;
    case LAYOUT_AUTO:
    case LAYOUT_COUNT:
        break;
    }
    if (!sources->status && sources->count == 0) {
        sources->status = fail(sources->err, STATUS_BAD_USAGE,
                               "nothing there fits the layout '%s'; LAYOUT=folders (--layout "
                               "folders) takes a folder or a package for each student",
                               class_layout_name(layout));
    }
}
