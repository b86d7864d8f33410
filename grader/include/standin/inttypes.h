// Stand-in for inttypes.h.
#ifndef TILEGRADE_STANDIN_INTTYPES_H
#define TILEGRADE_STANDIN_INTTYPES_H

#include <stdint.h>

#endif
