// Whose submission is this?  A row of the roster that fits what the platform says of the student.
#ifndef CLASS_INTAKE_MATCH_H
#define CLASS_INTAKE_MATCH_H

#include "class/intake/roster.h"

struct match {
    int row;          // of the roster; -1: none, or more than one
    bool by_name;     // only the person's name fits
    const char *why;  // if there is none: a text for people, in the language chosen
};

// Numbers and logins of the platform come first, then ids, mail addresses and last the names: what
// comes first decides.  Names fit in either order ("Ek, Anna", "Anna Ek"), and also as Canvas
// writes them ("ekanna").  A row with another number or login than the platform's never fits.
struct match match_find(const struct roster *roster, const struct person *owner);

#endif
