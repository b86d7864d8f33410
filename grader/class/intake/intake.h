// A class as a teacher gets it from a learning platform: its students, what each of them handed in,
// and what belongs to none of them.
//
// class_intake recognises the layout, reads the roster and gives each student the submission that
// counts.  class_take then copies a student's kernel files into a folder.  Nothing of a submission
// is run or trusted here: names and files come from outside, links are never followed, and archives
// are opened in the sandbox by tilegrade-unpack.
#ifndef CLASS_INTAKE_INTAKE_H
#define CLASS_INTAKE_INTAKE_H

#include "class/intake/students.h"

// Reads a class.  With a roster, its students are the class, and a submission of anyone else is
// unmatched; without one, each submission makes a student.
//
// Errors   STATUS_BAD_USAGE: neither a folder nor a package, a layout that does not fit, a package
//          that is refused.  STATUS_BAD_DATA: the roster, or a table of the platform.
//          STATUS_SYSTEM, STATUS_NO_MEMORY.
// Owns     the caller frees *ret_list with class_list_free.
enum status class_intake(const struct class_request *request, struct class_list **ret_list,
                         struct error *err);
void class_list_free(struct class_list *list);

// Copies the kernel files of list->student[student] into `folder`, which then has these and
// nothing else; it is replaced as a whole, and only if it differs.  Sets the student's state and
// note.  If the state is not READY afterwards, there is no folder.
//
// Errors   STATUS_SYSTEM, STATUS_NO_MEMORY, STATUS_UNAVAILABLE: trouble of ours.  A submission that
//          cannot be opened is a state.
enum status class_take(struct class_list *list, int student, const char *folder, struct error *err);

#endif
