// Stand-in: bool is a keyword of C++.
#ifndef TILEGRADE_STANDIN_STDBOOL_H
#define TILEGRADE_STANDIN_STDBOOL_H
#endif
