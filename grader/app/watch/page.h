// The page of the last `test`, as report.py makes it; and functions to run our Python programs.
#ifndef APP_WATCH_PAGE_H
#define APP_WATCH_PAGE_H

#include "app/commands/commands.h"

#define PYTHON "/usr/bin/python3"

// Runs argv[0] and waits for it; its output goes to the output of this program.
// Returns  its exit code; -1 if it cannot be started or was ended by a signal.
int python_wait(char *const argv[]);

// Makes the page of build/test/result.json, and opens it if there is a desktop.  Prints its path.
// Errors: STATUS_SYSTEM: Python or a package of it is missing, which is on stderr already.
command_body page_show;

// A server of that page, only for this machine; it shows each new result by itself.
struct page_server {
    pid_t pid;          // 0: none
    int input, output;  // it ends when its input is closed
    char address[256];
};

#define PAGE_SERVER_NONE ((struct page_server){.input = -1, .output = -1})

// Starts it, and opens the page if there is a desktop.
// Errors: STATUS_SYSTEM: Python is missing, or no address could be had.
enum status page_server_open(const struct app *app, struct page_server *server, struct error *err);
void page_server_close(struct page_server *server);

#endif
