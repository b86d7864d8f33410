// Stand-in for the types and macros of stddef.h.
#ifndef TILEGRADE_STANDIN_STDDEF_H
#define TILEGRADE_STANDIN_STDDEF_H

#ifndef NULL
#define NULL 0
#endif
#ifndef offsetof
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif

#endif
