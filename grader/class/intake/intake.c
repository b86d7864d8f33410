// From a folder or package to a list of students: open, recognise, read, match, choose.
#include "class/intake/intake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "base/words.h"
#include "class/intake/kernels.h"
#include "class/intake/match.h"
#include "class/intake/opening.h"

struct intake {
    const struct course *course;
    struct kernels_place place;
    struct opening opening;
    struct roster roster;
    struct sources sources;
};

// --- Students ------------------------------------------------------------------------

static enum status student_add(struct class_list *list, const struct person *person, bool in_roster,
                               struct error *err) {
    struct class_student *student = &list->student[list->student_count];
    enum status status = person_copy(person, &student->person, err);
    if (!status) {
        list->student_count++;
        student->in_roster = in_roster;
        student->state = CLASS_MISSING;
        student->received = person->received;
    }
    return status;
}

static int student_find(const struct class_list *list, const char *id) {
    for (int i = 0; i < list->student_count; i++) {
        if (strcmp(list->student[i].person.id, id) == 0) {
            return i;
        }
    }
    return -1;
}

// Without a roster, each submission makes a student.  Returns the student's place, or -1.
static int student_of_owner(struct class_list *list, const struct source *source) {
    struct sources *sources = &list->intake->sources;
    const char *fault = person_id_fault(source->owner.id);
    int place = fault ? -1 : student_find(list, source->owner.id);
    if (fault) {
        char why[ERROR_TEXT_MAX];
        (void)snprintf(why, sizeof why, _("its name cannot be an id: %s"), _(fault));
        unmatched_add(sources, source->shown, why);
    } else if (place < 0) {
        sources->status = student_add(list, &source->owner, false, sources->err);
        place = list->student_count - 1;
    }
    return sources->status ? -1 : place;
}

// What the roster does not say, the platform may.
static void person_complete(struct sources *sources, struct person *person,
                            const struct person *owner) {
    for (int i = 0; i < KEY_COUNT; i++) {
        if (!person->key[i]) {
            person->key[i] = text_shown(sources, owner->key[i]);
        }
    }
    if (!person->mail) {
        person->mail = text_shown(sources, owner->mail);
    }
}

static int student_of_roster(struct class_list *list, const struct source *source) {
    struct sources *sources = &list->intake->sources;
    struct match match = match_find(&list->intake->roster, &source->owner);
    if (match.row < 0) {
        unmatched_add(sources, source->shown, match.why);
        return -1;
    }
    struct class_student *student = &list->student[match.row];
    person_complete(sources, &student->person, &source->owner);
    if (match.by_name && !sources->status) {
        text_add(sources, &student->note, "found by the name '%s'",
                 source->owner.name ? source->owner.name : source->owner.id);
    }
    return match.row;
}

// --- Which one counts ----------------------------------------------------------------

static void student_break(struct sources *sources, struct class_student *student, const char *why) {
    student->state = CLASS_BROKEN;
    student->taken = NULL;
    text_set(sources, &student->note, "%s", why);
}

// Gives a student one more source; the newest counts.
static void source_give(struct sources *sources, struct class_student *student,
                        const struct source *source) {
    const struct source *earlier = student->taken;
    student->tries += source->tries;
    if (student->state == CLASS_MISSING) {
        student->state = CLASS_READY;
        student->taken = source;
        text_set(sources, &student->source, "%s", source->shown);
        if (source->fault) {
            student_break(sources, student, source->fault);
        }
        return;
    }
    if (!earlier || source->fault || earlier->order == 0 || source->order == 0 ||
        earlier->order == source->order) {
        char why[ERROR_TEXT_MAX];
        (void)snprintf(why, sizeof why,
                       _("'%s' and '%s' are both of this student, and nothing says which is newer: "
                         "remove one"),
                       student->source, source->shown);
        student_break(sources, student, source->fault ? source->fault : why);
        return;
    }
    if (source->order > earlier->order) {
        student->taken = source;
        text_set(sources, &student->source, "%s", source->shown);
    }
    text_set(sources, &student->note, "%d were handed in, and the newest counts", student->tries);
}

static void students_end(struct class_list *list) {
    struct sources *sources = &list->intake->sources;
    for (int i = 0; i < list->student_count && !sources->status; i++) {
        struct class_student *student = &list->student[i];
        if (student->taken) {
            student->late_mark = student->taken->late_mark;
        }
        if (student->taken && student->received == MOMENT_NONE) {
            student->received = student->taken->received;
        }
        if (student->late_mark && student->received == MOMENT_NONE) {
            text_add(sources, &student->note,
                     "late, but the platform does not say since when; the roster can, as received");
        }
    }
}

static int by_id(const void *left, const void *right) {
    const struct class_student *a = left;
    const struct class_student *b = right;
    return strcmp(a->person.id, b->person.id);
}

static enum status students_make(struct class_list *list, bool with_roster, struct error *err) {
    struct intake *intake = list->intake;
    struct sources *sources = &intake->sources;
    size_t room = (size_t)intake->roster.count + (size_t)sources->count;
    list->student = calloc(room + 1, sizeof *list->student);
    enum status status =
        list->student ? STATUS_OK : fail(err, STATUS_NO_MEMORY, "no memory for the class");
    for (int i = 0; i < intake->roster.count && !status; i++) {
        status = student_add(list, &intake->roster.person[i], true, err);
    }
    for (int i = 0; i < sources->count && !status; i++) {
        const struct source *source = &sources->list[i];
        int place = with_roster ? student_of_roster(list, source) : student_of_owner(list, source);
        if (place >= 0) {
            source_give(sources, &list->student[place], source);
        }
        status = sources_end(sources);
    }
    students_end(list);
    if (!with_roster && list->student_count > 0) {
        qsort(list->student, (size_t)list->student_count, sizeof *list->student, by_id);
    }
    list->unmatched = sources->unmatched;
    list->unmatched_count = sources->unmatched_count;
    return status ? status : sources_end(sources);
}

// --- All of it -----------------------------------------------------------------------

// The column of a gradebook of Canvas that is for this title: "TITLE (77)".
static const char *column_find(const struct roster *roster, const char *title) {
    for (int i = 0; i < roster->grade_count && title; i++) {
        const char *column = roster->grade[i];
        const char *number = strrchr(column, '(');
        size_t digits = number ? strspn(number + 1, "0123456789") : 0;
        bool named = digits > 0 && strcmp(number + 1 + digits, ")") == 0 && number > column &&
                     number[-1] == ' ';
        if (named && text_is(column, (size_t)(number - 1 - column), title)) {
            return column;
        }
    }
    return NULL;
}

static void said_make(struct class_list *list, const struct class_request *request) {
    struct intake *intake = list->intake;
    int handed_in = 0;
    for (int i = 0; i < list->student_count; i++) {
        handed_in += list->student[i].state != CLASS_MISSING;
    }
    text_set(&intake->sources, &list->said,
             "layout %s (LAYOUT=… or --layout … chooses another one); students: %d, with a "
             "submission: %d, unmatched: %d",
             class_layout_name(list->layout), list->student_count, handed_in,
             list->unmatched_count);
    list->column = column_find(&intake->roster, request->title);
    if (intake->roster.is_canvas && request->title && !list->column) {
        text_add(&intake->sources, &list->said,
                 "the roster has no column '%s (number)', so Canvas will ask for which assignment "
                 "the points are",
                 request->title);
    }
    if (request->roster && intake->roster.unused[0] != '\0') {
        text_add(&intake->sources, &list->said, "columns of the roster that are not used: %s",
                 intake->roster.unused);
    }
}

static enum status list_fill(struct class_list *list, const struct class_request *request,
                             struct error *err) {
    struct intake *intake = list->intake;
    const struct layout_folder *folder = &intake->opening.folder;
    enum status status =
        request->roster ? roster_read(request->roster, &intake->roster, err) : STATUS_OK;
    if (!status) {
        status = opening_open(request, request->roster ? &intake->roster : NULL, &intake->sources,
                              &intake->opening, err);
    }
    if (status) {
        return status;
    }
    list->layout = request->layout;
    if (list->layout == LAYOUT_AUTO) {
        bool single = opening_has_kernel(&folder->listing, request->course);
        list->layout = single ? LAYOUT_AUTO : layout_find(folder);
    }
    if (list->layout == LAYOUT_AUTO) {
        return fail(err, STATUS_BAD_USAGE,
                    "%s: not a class: there is no folder and no package for each student; `make "
                    "grade SUBMISSION=…` grades one submission",
                    request->submissions);
    }
    layout_read(list->layout, folder, &intake->sources);
    status = sources_end(&intake->sources);
    if (!status) {
        status = students_make(list, request->roster != NULL, err);
    }
    if (!status) {
        intake->place.folder = folder->fd;
        said_make(list, request);
        status = sources_end(&intake->sources);
    }
    return status;
}

enum status class_intake(const struct class_request *request, struct class_list **ret_list,
                         struct error *err) {
    struct class_list *list = calloc(1, sizeof *list);
    struct intake *intake = calloc(1, sizeof *intake);
    if (!list || !intake) {
        free(list);
        free(intake);
        return fail(err, STATUS_NO_MEMORY, "no memory for the class");
    }
    list->intake = intake;
    intake->course = request->course;
    intake->place = (struct kernels_place){
        .folder = -1, .programs = request->programs, .sandbox = request->sandbox};
    intake->opening.folder.fd = -1;
    intake->sources.err = err;
    enum status status = list_fill(list, request, err);
    if (status) {
        class_list_free(list);
        return status;
    }
    *ret_list = list;
    return STATUS_OK;
}

static void student_done(struct class_student *student) {
    person_done(&student->person);
    free(student->source);
    free(student->note);
    free(student->warning);
}

void class_list_free(struct class_list *list) {
    if (!list) {
        return;
    }
    struct intake *intake = list->intake;
    for (int i = 0; i < list->student_count; i++) {
        student_done(&list->student[i]);
    }
    free(list->student);
    free(list->said);
    sources_done(&intake->sources);
    roster_done(&intake->roster);
    opening_close(&intake->opening);
    free(intake);
    free(list);
}

// --- The kernel files of one student -------------------------------------------------

static void found_say(struct sources *sources, struct class_student *student,
                      const struct kernels *kernels) {
    char names[ERROR_TEXT_MAX] = "";
    size_t used = 0;
    const struct found_files *others = &kernels->others;
    for (int i = 0; i < others->count && i < KERNEL_FOUND_MAX; i++) {
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%.100s", i > 0 ? ", " : "",
                                 others->path[i]);
    }
    if (kernels->odd.count > 0) {
        kernels_odd_write(kernels, names, sizeof names);
        text_add(sources, &student->note,
                 "no kernel file of this course has its right name (such as %s.cu), but there is "
                 "%s: rename it, or have it handed in again, and run the same command",
                 kernels->course->exercises[0].name, names);
    } else if (others->count == 0) {
        text_add(sources, &student->note, "nothing is in it");
    } else if (others->count <= KERNEL_FOUND_MAX) {
        text_add(sources, &student->note, "it has no kernel file of this course, but %s", names);
    } else {
        text_add(sources, &student->note,
                 "it has no kernel file of this course, but %s and %d other files", names,
                 others->count - KERNEL_FOUND_MAX);
    }
}

static void left_out_say(struct sources *sources, struct class_student *student,
                         const char *left_out) {
    size_t bytes = 0;
    int more = -1;
    const char *first = left_out;
    int first_bytes = (int)strcspn(left_out, "\n");
    while (text_line(&left_out, &bytes)) {
        more++;
    }
    text_add(sources, &student->note,
             more > 0 ? N_("left out: %.*s, and %d more") : N_("left out: %.*s"), first_bytes,
             first, more);
}

// What a teacher has to see before the points go anywhere: a name decided about them.
static void names_warn(struct sources *sources, struct class_student *student,
                       const struct kernels *kernels) {
    char odd[ERROR_TEXT_MAX];
    char missing[ERROR_TEXT_MAX] = "";
    size_t used = 0;
    for (int i = 0; i < kernels_wanted(kernels->course); i++) {
        const struct kernel_file *file = &kernels->wanted[i];
        if (!file->name && used < sizeof missing) {
            char name[KERNEL_FILE_BYTES];
            kernels_wanted_name(kernels->course, i, name);
            used += (size_t)snprintf(missing + used, sizeof missing - used, "%s%s",
                                     used > 0 ? ", " : "", name);
        } else if (file->copied && file->older) {
            text_add(sources, &student->warning, "'%s' counts as %s, and not '%s'", file->path,
                     file->name, file->older);
        } else if (file->copied) {
            text_add(sources, &student->warning, "'%s' counts as %s", file->path, file->name);
        }
    }
    kernels_odd_write(kernels, odd, sizeof odd);
    if (odd[0] != '\0') {
        text_add(sources, &student->warning,
                 "no points for %s, which is missing; if %s is meant, rename it, or have it handed "
                 "in again, and run the same command",
                 missing, odd);
    }
}

// What is to be said of the files that were found, and whether they can be judged.
static void kernels_state(struct sources *sources, struct class_student *student,
                          const struct kernels *kernels) {
    bool any = false;
    for (int i = 0; i < kernels_wanted(kernels->course); i++) {
        const struct kernel_file *file = &kernels->wanted[i];
        any = any || file->name;
        if (file->twin) {
            text_add(sources, &student->note,
                     "'%s' and '%s' are two files for one exercise, and nothing says which counts: "
                     "remove one",
                     file->path, file->twin);
            student->state = CLASS_BROKEN;
            return;
        }
    }
    student->state = any ? CLASS_READY : CLASS_EMPTY;
    if (any) {
        names_warn(sources, student, kernels);
    } else {
        found_say(sources, student, kernels);
    }
    if (kernels->left_out && kernels->left_out[0] != '\0') {
        left_out_say(sources, student, kernels->left_out);
    }
    if (any && student->taken->tries > 1) {
        text_add(sources, &student->note, "a file was handed in %d times, and the newest counts",
                 student->taken->tries);
    }
}

enum status class_take(struct class_list *list, int student, const char *folder,
                       struct error *err) {
    struct class_student *taker = &list->student[student];
    struct sources *sources = &list->intake->sources;
    struct kernels kernels;
    struct error why;
    sources->err = err;
    if (!taker->taken) {
        return folder_remove(folder, err);
    }
    enum status status =
        kernels_find(&list->intake->place, taker->taken, list->intake->course, &kernels, &why);
    if (status == STATUS_BAD_USAGE) {
        status = STATUS_OK;
        taker->state = CLASS_BROKEN;
        text_add(sources, &taker->note, "%s", why.text);
    } else if (!status) {
        kernels_state(sources, taker, &kernels);
    } else {
        status = fail(err, status, "%s", why.text);
    }
    if (!status) {
        status = sources_end(sources);
    }
    if (!status) {
        status = taker->state == CLASS_READY ? kernels_write(&kernels, folder, err)
                                             : folder_remove(folder, err);
    }
    kernels_done(&kernels);
    return status;
}
