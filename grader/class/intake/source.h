// What one student handed in at one time, as a layout finds it, and what belongs to no student.
#ifndef CLASS_INTAKE_SOURCE_H
#define CLASS_INTAKE_SOURCE_H

#include "class/intake/listing.h"
#include "class/intake/students.h"

// A file, a package or a folder of a source.
struct source_item {
    char *path;  // below the folder of the class
    char *name;  // the file's own name, without what the platform adds
    enum entry_kind kind;
    int version;  // of files with one name, the highest counts, then the later upload
    long long upload;
};

struct source {
    char *shown;          // as people know it
    struct person owner;  // as the platform says; its id is for a class without a roster
    int item_count;
    struct source_item *item;
    bool late_mark;
    int64_t received;  // MOMENT_NONE: not known
    long long order;   // the platform's own: of two tries, the higher is newer; 0: not known
    char *fault;       // why nothing may be taken from it; NULL: nothing is wrong
    int tries;         // that are seen in it
};

// All that is found.  Keeps its first failure, which sources_end returns.
struct sources {
    int count;
    struct source *list;
    int unmatched_count;
    struct class_unmatched *unmatched;
    enum status status;
    struct error *err;
};

// A new source without items; NULL after a failure.  Pointers to others become invalid.
struct source *source_add(struct sources *sources, const char *shown);
void source_item_add(struct sources *sources, struct source *source, const struct entry *entry,
                     const char *name);

// Lists something that belongs to no student, and why.  `why` is a text for people.
void unmatched_add(struct sources *sources, const char *shown, const char *why);

// A copy of a text as it is; NULL after a failure.
char *text_kept(struct sources *sources, const char *text);

// A copy of a foreign text, fit to be shown in one line; NULL after a failure, and of NULL or "".
char *text_shown(struct sources *sources, const char *text);

// Replaces *text by a formatted text, in the language chosen.
void text_set(struct sources *sources, char **text, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Appends a formatted text to *text, after "; ".
void text_add(struct sources *sources, char **text, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

enum status sources_end(const struct sources *sources);
void sources_done(struct sources *sources);

#endif
