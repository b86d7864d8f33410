// Only for a GPU, which uses the toolkit's own header.
#ifdef __TILEGRADE_EMU__
#error tilegrade_needs_gpu: <cooperative_groups/memcpy_async.h>
#else
#include_next <cooperative_groups/memcpy_async.h>
#endif
