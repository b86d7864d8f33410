// Stand-in: abs needs no header, and a kernel has no heap here.
#ifndef TILEGRADE_STANDIN_STDLIB_H
#define TILEGRADE_STANDIN_STDLIB_H
#endif
