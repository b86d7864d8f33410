// The page of the last `test`, as report.py makes it.
#ifndef APP_WATCH_PAGE_H
#define APP_WATCH_PAGE_H

#include "app/commands/command.h"

// Makes the page of build/test/result.json, and opens it where a desktop is.  Prints where it is.
// Errors: STATUS_SYSTEM: Python or a package of it is missing, which is on stderr already.
command_body page_show;

#endif
