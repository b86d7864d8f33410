// Stand-in for inttypes.h.
#include <stdint.h>
