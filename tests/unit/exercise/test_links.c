// Links of Markdown pages: which are followed, and which lead nowhere.
#include "exercise/links.h"

#include "scratch.h"
#include "suite.h"

static const struct {
    const char *markdown;
    const char *anchor;
    bool there;
} anchors[] = {
    {"# Two barriers\n", "two-barriers", true},
    {"# Two barriers\n", "two_barriers", false},
    {"### What `__syncthreads()` does, twice\n", "what-__syncthreads-does-twice", true},
    {"# See [this](that.md) too\n", "see-this-too", true},
    {"# A\n# A\n", "a-1", true},
    {"# A\n# B\n", "a-1", false},
    {"# A 1\n", "a-1", true},
    {"```\n# A\n```\n", "a", false},
    {"#A\n", "a", false},
    {"text # A\n", "a", false},
    {"<a id=\"here\"></a>\n", "here", true},
    {"<a id=\"here\"></a>\n", "her", false},
    {"# Größe\n", "größe", true},
};

START_TEST(anchor_is_found_or_not) {
    ck_assert_msg(links_anchor_in(anchors[_i].markdown, anchors[_i].anchor) == anchors[_i].there,
                  "%s in %s", anchors[_i].anchor, anchors[_i].markdown);
}
END_TEST

static void collect(void *context, const char *message) {
    char *text = context;
    const char *name = strstr(message, "page.md:");
    size_t used = strlen(text);
    (void)snprintf(text + used, 1000 - used, "%s\n", name ? name : message);
}

START_TEST(only_links_that_lead_nowhere_are_told) {
    struct scratch scratch = scratch_make();
    char path[PATH_BYTES_MAX];
    char told[1000] = "";
    scratch_write(&scratch, "other.md", "# Other\n", path);
    scratch_write(
        &scratch, "page.md",
        "# Page\n[a](other.md) [b](other.md#other) [c](#page) [d](https://x.org/no) `[e](no)`\n"
        "```\n[f](no)\n```\n[g](no.md)\n[h](other.md \"title\") and ![i](no.svg)\n[j](#pages)\n",
        path);
    ck_assert_int_eq(links_check(path, collect, told, NULL), STATUS_OK);
    char *last = strrchr(told, '\'');  // the path behind it is random
    ck_assert_ptr_nonnull(last);
    last[1] = '\0';
    ck_assert_str_eq(told, "page.md:6: no file 'no.md'\npage.md:7: no file 'no.svg'\n"
                           "page.md:8: no heading 'pages'");
    scratch_remove(&scratch);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("links");
    TCase *tests = tcase_create("links");
    tcase_add_loop_test(tests, anchor_is_found_or_not, 0, (int)(sizeof anchors / sizeof *anchors));
    tcase_add_test(tests, only_links_that_lead_nowhere_are_told);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
