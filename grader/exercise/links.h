// Does every relative link of a Markdown page lead somewhere?
#ifndef EXERCISE_LINKS_H
#define EXERCISE_LINKS_H

#include <stdbool.h>

#include "base/error.h"

// Told of each link that leads nowhere: "lessons/README.md:12: no heading 'two-barriers' in
// lessons/02_tiled/lesson.md".
typedef void links_report(void *context, const char *message);

// Follows the relative links of the page `path`, its anchors included; links with a scheme
// (https:) are not followed. Code spans and code blocks hold no links.
// Errors: the page itself cannot be read.
enum status links_check(const char *path, links_report *report, void *context, struct error *err);

// True where a Markdown text has a heading, or an <a id="…">, with this anchor.  Anchors are made
// as GitHub makes them: lower case, punctuation dropped, blanks to hyphens, "-1" behind the second
// heading of one name.
bool links_anchor_in(const char *markdown, const char *anchor);

#endif
