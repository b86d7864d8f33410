// Stand-in: abs is there without the header; a kernel has no heap here.
#ifndef TILEGRADE_STANDIN_STDLIB_H
#define TILEGRADE_STANDIN_STDLIB_H
#endif
