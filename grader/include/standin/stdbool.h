// Stand-in: bool is a word of C++.
#ifndef TILEGRADE_STANDIN_STDBOOL_H
#define TILEGRADE_STANDIN_STDBOOL_H
#endif
