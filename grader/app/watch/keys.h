// The keys of `watch`.
#ifndef APP_WATCH_KEYS_H
#define APP_WATCH_KEYS_H

#include "app/watch/state.h"

// Does what the keys that were pressed ask for.
enum status keys_do(struct watch *watch, struct error *err);

#endif
